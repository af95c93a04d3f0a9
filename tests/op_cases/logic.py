"""Predicates, comparison, logic, and functions of ints."""

from .case import rows

NUMBERS = ("float16", "float64", "int32", "int64")
PAIR = ((2, 3), (3,))

PREDICATES = rows(
    [
        ("isnan", "ops.isnan(ops.asin(x))", {"faces": ("ops.IsNan()(ops.asin(x))", "ops.asin(x).isnan()")}),
        (
            "isinf",
            "ops.isinf(1 / ops.relu(x))",
            {"faces": ("ops.IsInf()(1 / ops.relu(x))", "(1 / ops.relu(x)).isinf()")},
        ),
        ("isfinite", "ops.isfinite(ops.sqrt(x))", {"faces": ("ops.IsFinite()(ops.sqrt(x))", "ops.sqrt(x).isfinite()")}),
        ("isneginf", "ops.isneginf(x / ops.relu(x))", {"faces": ("(x / ops.relu(x)).isneginf()",)}),
        ("isposinf", "ops.isposinf(-x / ops.relu(x))", {"faces": ("(-x / ops.relu(x)).isposinf()",)}),
        (
            "isreal",
            "ops.isreal(ops.log(x.astype(ms.complex64)))",
            {"faces": ("ops.log(x.astype(ms.complex64)).isreal()",)},
        ),
        ("signbit_zero", "ops.signbit(-ops.relu(x))", {"faces": ("(-ops.relu(x)).signbit()",)}),
        ("signbit", "ops.signbit(x)", {"faces": ("x.signbit()",), "dtypes": NUMBERS}),
        ("logical_not", "ops.logical_not(x > 0)", {"faces": ("ops.LogicalNot()(x > 0)",)}),
        ("invert", "ops.invert(x.int())", {"faces": ("ops.Invert()(x.int())",), "domain": (-9.0, 9.0)}),
    ],
    order=0,
    elementwise=True,
)

COMPARISONS = rows(
    [
        ("greater_number", "x > 0.5", {"shapes": ((2, 3),)}),
        (
            "equal",
            "x == y",
            {"faces": ("ops.equal(x, y)", "ops.eq(x, y)", "ops.Equal()(x, y)", "x.equal(y)", "x.eq(y)")},
        ),
        (
            "not_equal",
            "x != y",
            {"faces": ("ops.not_equal(x, y)", "ops.ne(x, y)", "ops.NotEqual()(x, y)", "x.not_equal(y)", "x.ne(y)")},
        ),
        ("less", "x < y", {"faces": ("ops.less(x, y)", "ops.lt(x, y)", "ops.Less()(x, y)", "x.less(y)", "x.lt(y)")}),
        (
            "less_equal",
            "x <= y",
            {"faces": ("ops.less_equal(x, y)", "ops.le(x, y)", "ops.LessEqual()(x, y)", "x.less_equal(y)", "x.le(y)")},
        ),
        (
            "greater",
            "x > y",
            {"faces": ("ops.greater(x, y)", "ops.gt(x, y)", "ops.Greater()(x, y)", "x.greater(y)", "x.gt(y)")},
        ),
        (
            "greater_equal",
            "x >= y",
            {
                "faces": (
                    "ops.greater_equal(x, y)",
                    "ops.ge(x, y)",
                    "ops.GreaterEqual()(x, y)",
                    "x.greater_equal(y)",
                    "x.ge(y)",
                )
            },
        ),
        (
            "isclose",
            "ops.isclose(x, y, 0.1, 0.5)",
            {"faces": ("ops.IsClose(0.1, 0.5)(x, y)", "x.isclose(y, 0.1, 0.5)")},
        ),
        (
            "approximate_equal",
            "ops.approximate_equal(x, x * y, 0.5)",
            {"faces": ("ops.ApproximateEqual(0.5)(x, x * y)",), "shapes": ((2, 3), (2, 3)), "dtypes": ("float16",)},
        ),
    ],
    shapes=PAIR,
    domain=(-1.0, 1.0),
    order=0,
    dtypes=NUMBERS,
    elementwise=True,
)

LOGIC = rows(
    [
        (
            "logical_and",
            "ops.logical_and(x > 0, y > 0)",
            {"faces": ("(x > 0) & (y > 0)", "ops.LogicalAnd()(x > 0, y > 0)")},
        ),
        (
            "logical_or",
            "ops.logical_or(x > 0, y > 0)",
            {"faces": ("(x > 0) | (y > 0)", "ops.LogicalOr()(x > 0, y > 0)")},
        ),
        (
            "logical_xor",
            "ops.logical_xor(x > 0, y > 0)",
            {"faces": ("(x > 0) ^ (y > 0)", "ops.LogicalXor()(x > 0, y > 0)")},
        ),
    ],
    shapes=PAIR,
    order=0,
    elementwise=True,
)

INTS = rows(
    [
        ("gcd", "ops.gcd(x.int(), y.int())", {"faces": ("ops.Gcd()(x.int(), y.int())",), "domain": (1.0, 30.0)}),
        ("lcm", "ops.lcm(x.int(), y.int())", {"faces": ("ops.Lcm()(x.int(), y.int())",), "domain": (1.0, 30.0)}),
        (
            "bitwise_and",
            "x.int() & y.int()",
            {"faces": ("ops.bitwise_and(x.int(), y.int())", "ops.BitwiseAnd()(x.int(), y.int())")},
        ),
        (
            "bitwise_or",
            "x.int() | y.int()",
            {"faces": ("ops.bitwise_or(x.int(), y.int())", "ops.BitwiseOr()(x.int(), y.int())")},
        ),
        (
            "bitwise_xor",
            "x.int() ^ y.int()",
            {"faces": ("ops.bitwise_xor(x.int(), y.int())", "ops.BitwiseXor()(x.int(), y.int())")},
        ),
        (
            "bitwise_shift_number",
            "ops.bitwise_left_shift(3, x.int()) + ops.bitwise_right_shift(x.int(), 1)",
            {"shapes": ((2, 3),), "domain": (0.0, 5.0)},
        ),
        (
            "bitwise_left_shift",
            "ops.bitwise_left_shift(x.int(), y.int())",
            {"faces": ("x.int().bitwise_left_shift(y.int())",), "domain": ((-9.0, 9.0), (0.0, 4.0))},
        ),
        (
            "bitwise_right_shift",
            "ops.bitwise_right_shift(x.int(), y.int())",
            {"faces": ("x.int().bitwise_right_shift(y.int())",), "domain": ((-99.0, 99.0), (0.0, 4.0))},
        ),
    ],
    shapes=PAIR,
    domain=(-9.0, 9.0),
    order=0,
    elementwise=True,
)

CASES = PREDICATES + COMPARISONS + LOGIC + INTS
