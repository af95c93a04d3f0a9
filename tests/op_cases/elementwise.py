"""Arithmetic, comparison, logic and the functions of one number."""

from .case import rows

FLOATS = ("float16", "float64")
NUMBERS = ("float16", "float64", "int32", "int64")
PAIR = ((2, 3), (3,))

UNARY = rows(
    [
        ("neg", "-x", {"faces": ("ops.neg(x)", "ops.Neg()(x)", "x.neg()"), "dtypes": NUMBERS}),
        ("abs", "abs(x)", {"faces": ("ops.abs(x)", "ops.Abs()(x)", "x.abs()"), "dtypes": NUMBERS}),
        ("square", "ops.square(x)", {"faces": ("ops.Square()(x)", "x.square()"), "dtypes": NUMBERS}),
        ("exp", "ops.exp(x)", {"faces": ("ops.Exp()(x)", "x.exp()"), "dtypes": FLOATS}),
        ("expm1", "ops.expm1(x)", {"faces": ("ops.Expm1()(x)", "x.expm1()"), "dtypes": FLOATS}),
        ("log", "ops.log(x)", {"faces": ("ops.Log()(x)", "x.log()"), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        ("log1p", "ops.log1p(x)", {"faces": ("ops.Log1p()(x)", "x.log1p()"), "domain": (-0.8, 3.0), "dtypes": FLOATS}),
        ("log2", "ops.log2(x)", {"faces": ("x.log2()",), "domain": (0.2, 3.0)}),
        ("sqrt", "ops.sqrt(x)", {"faces": ("ops.Sqrt()(x)", "x.sqrt()"), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        ("rsqrt", "ops.rsqrt(x)", {"faces": ("ops.Rsqrt()(x)", "x.rsqrt()"), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        ("reciprocal", "ops.reciprocal(x)", {"faces": ("ops.Reciprocal()(x)", "1 / x"), "domain": (0.3, 2.0)}),
        ("sin", "ops.sin(x)", {"faces": ("ops.Sin()(x)", "x.sin()"), "dtypes": FLOATS}),
        ("cos", "ops.cos(x)", {"faces": ("ops.Cos()(x)", "x.cos()"), "dtypes": FLOATS}),
        ("tan", "ops.tan(x)", {"faces": ("ops.Tan()(x)", "x.tan()"), "domain": (-1.2, 1.2), "dtypes": FLOATS}),
        ("asin", "ops.asin(x)", {"faces": ("ops.Asin()(x)", "x.asin()"), "domain": (-0.8, 0.8)}),
        ("acos", "ops.acos(x)", {"faces": ("ops.ACos()(x)", "x.acos()"), "domain": (-0.8, 0.8)}),
        ("atan", "ops.atan(x)", {"faces": ("ops.Atan()(x)", "x.atan()")}),
        ("sinh", "ops.sinh(x)", {"faces": ("ops.Sinh()(x)", "x.sinh()")}),
        ("cosh", "ops.cosh(x)", {"faces": ("ops.Cosh()(x)", "x.cosh()")}),
        ("tanh", "ops.tanh(x)", {"faces": ("ops.Tanh()(x)", "x.tanh()"), "dtypes": FLOATS}),
        ("asinh", "ops.asinh(x)", {"faces": ("ops.Asinh()(x)", "x.asinh()")}),
        ("acosh", "ops.acosh(x)", {"faces": ("ops.Acosh()(x)", "x.acosh()"), "domain": (1.3, 3.0)}),
        ("atanh", "ops.atanh(x)", {"faces": ("ops.Atanh()(x)", "x.atanh()"), "domain": (-0.8, 0.8)}),
        ("erf", "ops.erf(x)", {"faces": ("ops.Erf()(x)", "x.erf()")}),
        ("sigmoid", "ops.sigmoid(x)", {"faces": ("ops.Sigmoid()(x)", "x.sigmoid()")}),
        ("sign", "ops.sign(x)", {"faces": ("x.sign()",), "order": 1, "dtypes": ("float16", "float64", "int32")}),
        ("floor", "ops.floor(x)", {"faces": ("ops.Floor()(x)", "x.floor()"), "order": 1}),
        ("ceil", "ops.ceil(x)", {"faces": ("ops.Ceil()(x)", "x.ceil()"), "order": 1}),
        ("round", "ops.round(x)", {"faces": ("x.round()",), "order": 1}),
        ("trunc", "ops.trunc(x)", {"faces": ("x.trunc()",), "order": 1}),
        ("clamp", "ops.clamp(x, -1.0, 1.0)", {"faces": ("x.clamp(-1.0, 1.0)", "ops.clip(x, -1.0, 1.0)")}),
        ("logical_not", "ops.logical_not(x > 0)", {"faces": ("ops.LogicalNot()(x > 0)",), "order": 0}),
        ("invert", "ops.invert(x.int())", {"faces": ("ops.Invert()(x.int())",), "order": 0}),
        ("isnan", "ops.isnan(x / 0)", {"order": 0}),
        ("isfinite", "ops.isfinite(x)", {"faces": ("x.isfinite()",), "order": 0}),
    ],
    elementwise=True,
)

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
        ("greater_number", "x > 0.5", {"order": 0, "dtypes": NUMBERS}),
        ("mod_number", "x % 0.75", {"dtypes": FLOATS}),
        ("floordiv_number", "x // 0.75", {"order": 1, "dtypes": FLOATS}),
    ],
    elementwise=True,
)

BINARY = rows(
    [
        ("add", "x + y", {"faces": ("ops.add(x, y)", "ops.Add()(x, y)", "x.add(y)"), "dtypes": NUMBERS}),
        ("sub", "x - y", {"faces": ("ops.sub(x, y)", "ops.Sub()(x, y)", "x.sub(y)"), "dtypes": NUMBERS}),
        ("mul", "x * y", {"faces": ("ops.mul(x, y)", "ops.Mul()(x, y)", "x.mul(y)"), "dtypes": NUMBERS}),
        ("div", "x / y", {"faces": ("ops.div(x, y)", "ops.Div()(x, y)", "x.div(y)"), "domain": (0.5, 3.0)}),
        ("floordiv", "x // y", {"faces": ("ops.FloorDiv()(x, y)",), "domain": (0.5, 3.0), "order": 1}),
        ("mod", "x % y", {"faces": ("ops.FloorMod()(x, y)",), "domain": (0.5, 3.0)}),
        ("pow", "x ** y", {"faces": ("ops.pow(x, y)", "ops.Pow()(x, y)", "x.pow(y)"), "domain": (0.3, 2.0)}),
        ("maximum", "ops.maximum(x, y)", {"faces": ("ops.Maximum()(x, y)", "x.maximum(y)"), "dtypes": NUMBERS}),
        ("minimum", "ops.minimum(x, y)", {"faces": ("ops.Minimum()(x, y)", "x.minimum(y)"), "dtypes": NUMBERS}),
        ("atan2", "ops.atan2(x, y)", {"faces": ("ops.Atan2()(x, y)", "x.atan2(y)"), "domain": (0.3, 2.0)}),
        ("equal", "x == y", {"faces": ("ops.equal(x, y)", "ops.Equal()(x, y)"), "order": 0, "dtypes": NUMBERS}),
        ("not_equal", "x != y", {"faces": ("ops.ne(x, y)", "ops.NotEqual()(x, y)"), "order": 0}),
        ("less", "x < y", {"faces": ("ops.less(x, y)", "ops.Less()(x, y)"), "order": 0, "dtypes": NUMBERS}),
        ("less_equal", "x <= y", {"faces": ("ops.le(x, y)", "ops.LessEqual()(x, y)"), "order": 0}),
        ("greater", "x > y", {"faces": ("ops.gt(x, y)", "ops.Greater()(x, y)"), "order": 0}),
        ("greater_equal", "x >= y", {"faces": ("ops.ge(x, y)", "ops.GreaterEqual()(x, y)"), "order": 0}),
        ("logical_and", "ops.logical_and(x > 0, y > 0)", {"faces": ("(x > 0) & (y > 0)",), "order": 0}),
        ("logical_or", "ops.logical_or(x > 0, y > 0)", {"faces": ("(x > 0) | (y > 0)",), "order": 0}),
        ("logical_xor", "ops.logical_xor(x > 0, y > 0)", {"faces": ("(x > 0) ^ (y > 0)",), "order": 0}),
        ("bitwise_and", "x.int() & y.int()", {"faces": ("ops.bitwise_and(x.int(), y.int())",), "order": 0}),
        ("bitwise_or", "x.int() | y.int()", {"faces": ("ops.bitwise_or(x.int(), y.int())",), "order": 0}),
        ("bitwise_xor", "x.int() ^ y.int()", {"faces": ("ops.bitwise_xor(x.int(), y.int())",), "order": 0}),
        ("where", "ops.where(x > 0, x, y)", {"faces": ("ops.select(x > 0, x, y)", "ops.Select()(x > 0, x, y)")}),
    ],
    shapes=PAIR,
    elementwise=True,
)

TERNARY = rows(
    [
        ("addcmul", "ops.addcmul(x, y, z, 0.5)", {}),
        ("lerp", "ops.lerp(x, y, 0.3)", {"shapes": ((2, 3), (2, 3))}),
    ],
    shapes=((2, 3), (2, 3), (3,)),
    elementwise=True,
)

CASES = UNARY + NUMBER_ON_ONE_SIDE + BINARY + TERNARY
