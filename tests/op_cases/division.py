"""Division and remainders."""

from .case import rows

FLOATS = ("float16", "float64")
NUMBERS = ("float16", "float64", "int32", "int64")

CASES = rows(
    [
        (
            "div",
            "x / y",
            {
                "faces": (
                    "ops.div(x, y)",
                    "ops.divide(x, y)",
                    "ops.true_divide(x, y)",
                    "ops.Div()(x, y)",
                    "ops.RealDiv()(x, y)",
                    "x.div(y)",
                    "x.divide(y)",
                    "x.true_divide(y)",
                ),
                "dtypes": NUMBERS,
            },
        ),
        (
            "div_trunc",
            "ops.div(x, y, rounding_mode='trunc')",
            {"faces": ("ops.TruncateDiv()(x, y)", "x.div(y, rounding_mode='trunc')"), "order": 1, "dtypes": NUMBERS},
        ),
        (
            "div_rounded_number",
            "ops.div(x, 2, rounding_mode='trunc') + ops.div(7, y, rounding_mode='floor')",
            {"order": 1, "dtypes": NUMBERS},
        ),
        (
            "floordiv",
            "x // y",
            {
                "faces": (
                    "ops.FloorDiv()(x, y)",
                    "ops.floor_div(x, y)",
                    "ops.floor_divide(x, y)",
                    "ops.divide(x, y, rounding_mode='floor')",
                    "x.floor_divide(y)",
                ),
                "order": 1,
                "dtypes": NUMBERS,
            },
        ),
        (
            "mod",
            "x % y",
            {
                "faces": (
                    "ops.FloorMod()(x, y)",
                    "ops.floor_mod(x, y)",
                    "ops.remainder(x, y)",
                    "x.remainder(y)",
                    "x.remainder(divisor=y)",
                ),
                "dtypes": NUMBERS,
            },
        ),
        (
            "fmod",
            "ops.fmod(x, y)",
            {"faces": ("x.fmod(y)",), "dtypes": NUMBERS},
        ),
        ("div_no_nan", "ops.DivNoNan()(x, y)", {"dtypes": FLOATS}),
        ("div_no_nan_zero", "ops.DivNoNan()(x, ops.relu(x - y))", {"order": 1}),
        ("xdivy", "ops.xdivy(x, y)", {"faces": ("ops.Xdivy()(x, y)", "x.xdivy(y)"), "dtypes": FLOATS}),
        ("xdivy_zero", "ops.xdivy(ops.relu(x), ops.relu(x) * y)", {"order": 1}),
    ],
    shapes=((2, 3), (3,)),
    domain=((-3.0, 3.0), (0.5, 3.0)),
    elementwise=True,
)
