"""Arithmetic of two and more operands."""

from .case import rows

FLOATS = ("float16", "float64")
NUMBERS = ("float16", "float64", "int32", "int64")
PAIR = ((2, 3), (3,))
POSITIVE = (0.5, 3.0)
SIGNED_AND_POSITIVE = ((-3.0, 3.0), POSITIVE)

NUMBER_ON_ONE_SIDE = rows(
    [
        ("add_number", "x + 2", {"faces": ("2 + x", "ops.add(x, 2)"), "dtypes": NUMBERS}),
        ("sub_number", "x - 2.5", {"faces": ("ops.sub(x, 2.5)",), "dtypes": NUMBERS}),
        ("number_sub", "2 - x", {"faces": ("ops.sub(2, x)",), "dtypes": NUMBERS}),
        ("mul_number", "x * 3", {"faces": ("3 * x", "ops.mul(x, 3)"), "dtypes": NUMBERS}),
        ("div_number", "x / 4", {"faces": ("ops.div(x, 4)",), "dtypes": NUMBERS}),
        ("number_div", "1 / x", {"domain": (0.3, 2.0), "dtypes": NUMBERS}),
        ("pow_number", "x ** 3", {"faces": ("ops.pow(x, 3)",), "dtypes": FLOATS}),
        ("pow_fraction", "x ** 0.5", {"domain": (0.2, 3.0), "dtypes": FLOATS}),
        ("number_pow", "2.0 ** x", {}),
        ("mod_number", "x % 0.75", {"dtypes": FLOATS}),
        ("floordiv_number", "x // 0.75", {"order": 1, "dtypes": FLOATS}),
    ],
    elementwise=True,
)

SUMS_AND_PRODUCTS = rows(
    [
        (
            "add",
            "x + y",
            {"faces": ("ops.add(x, y)", "ops.Add()(x, y)", "ops.TensorAdd()(x, y)", "x.add(y)"), "dtypes": NUMBERS},
        ),
        (
            "sub",
            "x - y",
            {"faces": ("ops.sub(x, y)", "ops.subtract(x, y)", "ops.Sub()(x, y)", "x.sub(y)"), "dtypes": NUMBERS},
        ),
        (
            "mul",
            "x * y",
            {
                "faces": ("ops.mul(x, y)", "ops.multiply(x, y)", "ops.Mul()(x, y)", "x.mul(y)", "x.multiply(y)"),
                "dtypes": NUMBERS,
            },
        ),
        (
            "subtract_alpha",
            "ops.subtract(x, y, alpha=2)",
            {"faces": ("x.subtract(y, alpha=2)", "x.sub(y, alpha=2)"), "dtypes": NUMBERS},
        ),
        (
            "squared_difference",
            "ops.SquaredDifference()(x, y)",
            {"faces": ("ops.SquaredDifference()(y, x)",), "dtypes": NUMBERS},
        ),
        (
            "addn",
            "ops.addn((x, y, x))",
            {
                "shapes": ((2, 3), (2, 3)),
                "faces": ("ops.AddN()([x, y, x])", "ops.accumulate_n((x, y, x))", "ops.AccumulateNV2()((x, y, x))"),
                "dtypes": NUMBERS,
            },
        ),
    ],
    shapes=PAIR,
    elementwise=True,
)

POWERS = rows(
    [
        ("pow", "x ** y", {"faces": ("ops.pow(x, y)", "ops.Pow()(x, y)", "x.pow(y)"), "domain": (0.3, 2.0)}),
        (
            "xlogy",
            "ops.xlogy(x, y)",
            {"domain": SIGNED_AND_POSITIVE, "faces": ("ops.Xlogy()(x, y)", "x.xlogy(y)"), "dtypes": FLOATS},
        ),
        ("xlogy_zero", "ops.xlogy(ops.relu(x), y)", {"domain": SIGNED_AND_POSITIVE, "order": 1}),
        (
            "xlogy_zeros",
            "ops.xlogy(ops.relu(x), 0 * y)",
            {
                "domain": SIGNED_AND_POSITIVE,
                "order": 0,
                "reference": "np.where(x > 0, -np.inf, 0 * y)",
                "reason": "MindSpore 2.10 gives NaN, not the 0 of its documentation, where both are 0",
            },
        ),
        ("ldexp", "ops.ldexp(x, y)", {"faces": ("x.ldexp(y)",), "dtypes": FLOATS}),
        (
            "ldexp_int",
            "ops.ldexp(x, Tensor([2, -1, 10]))",
            {"shapes": ((2, 3),), "dtypes": NUMBERS, "elementwise": False},
        ),
        ("logaddexp", "ops.logaddexp(x, y)", {"faces": ("x.logaddexp(y)",), "dtypes": FLOATS}),
        ("logaddexp2", "ops.logaddexp2(x, y)", {"faces": ("x.logaddexp2(y)",), "dtypes": FLOATS}),
        ("hypot", "ops.hypot(x, y)", {"faces": ("ops.Hypot()(x, y)", "x.hypot(y)"), "dtypes": ("float64",)}),
        (
            "atan2",
            "ops.atan2(x, y)",
            {"faces": ("ops.arctan2(x, y)", "ops.Atan2()(x, y)", "x.atan2(y)"), "domain": (0.3, 2.0), "dtypes": FLOATS},
        ),
    ],
    shapes=PAIR,
    elementwise=True,
)

TERNARY = rows(
    [
        (
            "addcmul",
            "ops.addcmul(x, y, z, 2.5)",
            {"faces": ("ops.Addcmul()(x, y, z, Tensor(2.5))", "x.addcmul(y, z, Tensor(2.5))"), "dtypes": NUMBERS},
        ),
        (
            "addcdiv",
            "ops.addcdiv(x, y, z, 2.5)",
            {
                "faces": ("ops.Addcdiv()(x, y, z, Tensor(2.5))", "x.addcdiv(y, z, value=Tensor(2.5))"),
                "dtypes": ("float16", "float64", "int64"),
                "domain": POSITIVE,
            },
        ),
        (
            "lerp",
            "ops.lerp(x, y, 0.3)",
            {"shapes": ((2, 3), (2, 3)), "faces": ("ops.Lerp()(x, y, 0.3)",), "dtypes": ("float16",)},
        ),
        (
            "lerp_tensor",
            "ops.lerp(x, y, z)",
            {"faces": ("ops.Lerp()(x, y, z)", "x.lerp(y, z)"), "dtypes": ("float16",)},
        ),
    ],
    shapes=((2, 3), (2, 3), (3,)),
    elementwise=True,
)

CASES = NUMBER_ON_ONE_SIDE + SUMS_AND_PRODUCTS + POWERS + TERNARY
