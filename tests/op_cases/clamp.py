"""Maximum, minimum, clamp, and selection between values."""

from .case import rows

NUMBERS = ("float16", "float64", "int32", "int64")

OF_TWO = rows(
    [
        ("maximum", "ops.maximum(x, y)", {"faces": ("ops.Maximum()(x, y)", "x.maximum(y)"), "dtypes": NUMBERS}),
        ("minimum", "ops.minimum(x, y)", {"faces": ("ops.Minimum()(x, y)", "x.minimum(y)"), "dtypes": NUMBERS}),
        ("fmax", "ops.fmax(x, y)", {"faces": ("ops.Fmax()(x, y)", "x.fmax(y)"), "dtypes": NUMBERS}),
        (
            "fmin",
            "ops.fmin(x, y)",
            {"faces": ("ops.Fmin()(x, y)", "x.fmin(y)"), "dtypes": NUMBERS, "reference": "np.fmin(x, y)"},
        ),
        ("fmax_nan", "ops.fmax(ops.sqrt(x), y)", {"order": 0}),
        (
            "fmin_nan",
            "ops.fmin(ops.sqrt(x), y + 2)",
            {"order": 0, "reference": "np.fmin(np.sqrt(np.where(x < 0, np.nan, x)), y + 2)"},
        ),
        ("copysign", "ops.copysign(x, y)", {"faces": ("x.copysign(y)",), "dtypes": NUMBERS}),
        (
            "heaviside",
            "ops.heaviside(ops.relu(x), y)",
            {
                "faces": ("ops.relu(x).heaviside(y)",),
                "dtypes": NUMBERS,
                "order": 1,
                "reason": "MindSpore 2.10 has no derivative of it",
            },
        ),
        (
            "where",
            "ops.where(x > 0, x, y)",
            {"faces": ("ops.select(x > 0, x, y)", "ops.Select()(x > 0, x, y)"), "dtypes": NUMBERS},
        ),
    ],
    shapes=((2, 3), (3,)),
    elementwise=True,
)

OF_ONE = rows(
    [
        (
            "clamp",
            "ops.clamp(x, -1.0, 1.0)",
            {"faces": ("x.clamp(-1.0, 1.0)", "ops.clip(x, -1.0, 1.0)"), "dtypes": NUMBERS},
        ),
        ("clamp_min", "ops.clamp(x, min=0.5)", {"faces": ("x.clamp(min=0.5)", "x.clip(0.5)")}),
        (
            "clip_by_value",
            "ops.clip_by_value(x, -1.0, 1.0)",
            {
                "faces": ("ops.clip_by_value(x, Tensor(-1.0), 1.0)", "ops.clip_by_value([x], -1.0, 1.0)[0]"),
                "dtypes": NUMBERS,
            },
        ),
        ("clip_by_value_nan", "ops.clip_by_value(ops.sqrt(x), 0.4, 0.6)", {"order": 0}),
        ("clip_by_value_crossed", "ops.clip_by_value(x, 1.2, 0.7)", {"order": 0}),
        ("nan_to_num", "ops.nan_to_num(ops.log(x), 0.5)", {"faces": ("ops.NanToNum(0.5)(ops.log(x))",)}),
        (
            "nan_to_num_infinite",
            "ops.nan_to_num(x / ops.relu(x), neginf=-2.0)",
            {"faces": ("ops.NanToNum(neginf=-2.0)(x / ops.relu(x))",), "order": 0},
        ),
    ],
    elementwise=True,
)

CASES = OF_TWO + OF_ONE
