"""Elementwise functions of one operand."""

from .case import NO_SECOND, rows

FLOATS = ("float16", "float64")
NUMBERS = ("float16", "float64", "int32", "int64")
LOG = "ops.log(x.astype(ms.complex128))"  # with the imaginary part pi where x is below 0

ALGEBRAIC = rows(
    [
        (
            "neg",
            "-x",
            {"faces": ("ops.neg(x)", "ops.negative(x)", "ops.Neg()(x)", "x.neg()", "x.negative()"), "dtypes": NUMBERS},
        ),
        (
            "abs",
            "abs(x)",
            {"faces": ("ops.abs(x)", "ops.absolute(x)", "ops.Abs()(x)", "x.abs()", "x.absolute()"), "dtypes": NUMBERS},
        ),
        ("square", "ops.square(x)", {"faces": ("ops.Square()(x)", "x.square()"), "dtypes": NUMBERS}),
        ("sqrt", "ops.sqrt(x)", {"faces": ("ops.Sqrt()(x)", "x.sqrt()"), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        ("rsqrt", "ops.rsqrt(x)", {"faces": ("ops.Rsqrt()(x)", "x.rsqrt()"), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        (
            "reciprocal",
            "ops.reciprocal(x)",
            {"faces": ("ops.Reciprocal()(x)", "1 / x"), "domain": (0.3, 2.0), "dtypes": FLOATS},
        ),
        ("inv", "ops.Inv()(x)", {"faces": ("1 / x",), "domain": (0.3, 2.0), "dtypes": NUMBERS, "reason": NO_SECOND}),
    ],
    elementwise=True,
)

EXPONENTIAL = rows(
    [
        ("exp", "ops.exp(x)", {"faces": ("ops.Exp()(x)", "x.exp()"), "dtypes": FLOATS}),
        ("exp2", "ops.exp2(x)", {"dtypes": FLOATS}),
        ("expm1", "ops.expm1(x)", {"faces": ("ops.Expm1()(x)", "x.expm1()"), "dtypes": FLOATS}),
        ("log", "ops.log(x)", {"faces": ("ops.Log()(x)", "x.log()"), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        ("log1p", "ops.log1p(x)", {"faces": ("ops.Log1p()(x)", "x.log1p()"), "domain": (-0.8, 3.0), "dtypes": FLOATS}),
        ("log2", "ops.log2(x)", {"faces": ("x.log2()",), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        ("log10", "ops.log10(x)", {"faces": ("x.log10()",), "domain": (0.2, 3.0), "dtypes": FLOATS}),
        (
            "logit",
            "ops.logit(x)",
            {"faces": ("x.logit()",), "domain": (0.1, 0.9), "dtypes": FLOATS, "reason": NO_SECOND},
        ),
        (
            "logit_eps",
            "ops.logit(x, 0.3)",
            {"faces": ("x.logit(0.3)",), "domain": (0.1, 0.9), "dtypes": FLOATS, "reason": NO_SECOND},
        ),
        ("sigmoid", "ops.sigmoid(x)", {"faces": ("ops.Sigmoid()(x)", "x.sigmoid()"), "dtypes": FLOATS}),
    ],
    elementwise=True,
)

TRIGONOMETRIC = rows(
    [
        ("sin", "ops.sin(x)", {"faces": ("ops.Sin()(x)", "x.sin()"), "dtypes": FLOATS}),
        ("cos", "ops.cos(x)", {"faces": ("ops.Cos()(x)", "x.cos()"), "dtypes": FLOATS}),
        ("tan", "ops.tan(x)", {"faces": ("ops.Tan()(x)", "x.tan()"), "domain": (-1.2, 1.2), "dtypes": FLOATS}),
        (
            "asin",
            "ops.asin(x)",
            {"faces": ("ops.arcsin(x)", "ops.Asin()(x)", "x.asin()"), "domain": (-0.8, 0.8), "dtypes": FLOATS},
        ),
        (
            "acos",
            "ops.acos(x)",
            {"faces": ("ops.arccos(x)", "ops.ACos()(x)", "x.acos()"), "domain": (-0.8, 0.8), "dtypes": FLOATS},
        ),
        ("atan", "ops.atan(x)", {"faces": ("ops.arctan(x)", "ops.Atan()(x)", "x.atan()"), "dtypes": FLOATS}),
        ("sinh", "ops.sinh(x)", {"faces": ("ops.Sinh()(x)", "x.sinh()"), "dtypes": FLOATS}),
        ("cosh", "ops.cosh(x)", {"faces": ("ops.Cosh()(x)", "x.cosh()"), "dtypes": FLOATS}),
        ("tanh", "ops.tanh(x)", {"faces": ("ops.Tanh()(x)", "x.tanh()"), "dtypes": FLOATS}),
        ("asinh", "ops.asinh(x)", {"faces": ("ops.arcsinh(x)", "ops.Asinh()(x)", "x.asinh()"), "dtypes": FLOATS}),
        (
            "acosh",
            "ops.acosh(x)",
            {"faces": ("ops.arccosh(x)", "ops.Acosh()(x)", "x.acosh()"), "domain": (1.3, 3.0), "dtypes": FLOATS},
        ),
        (
            "atanh",
            "ops.atanh(x)",
            {"faces": ("ops.arctanh(x)", "ops.Atanh()(x)", "x.atanh()"), "domain": (-0.8, 0.8), "dtypes": FLOATS},
        ),
        ("sinc", "ops.sinc(x)", {"faces": ("ops.Sinc()(x)", "x.sinc()"), "dtypes": FLOATS}),
        ("deg2rad", "ops.deg2rad(x)", {"faces": ("x.deg2rad()",), "domain": (-180.0, 180.0), "dtypes": FLOATS}),
        ("rad2deg", "ops.rad2deg(x)", {"faces": ("x.rad2deg()",), "dtypes": ("float16",)}),
    ],
    elementwise=True,
)

SPECIAL = rows(
    [
        ("erf", "ops.erf(x)", {"faces": ("ops.Erf()(x)", "x.erf()"), "dtypes": FLOATS}),
        ("erfc", "ops.erfc(x)", {"faces": ("ops.Erfc()(x)", "x.erfc()"), "dtypes": FLOATS}),
        (
            "erfinv",
            "ops.erfinv(x)",
            {"faces": ("ops.Erfinv()(x)", "x.erfinv()"), "domain": (-0.8, 0.8), "dtypes": FLOATS, "reason": NO_SECOND},
        ),
        (
            "lgamma",
            "ops.lgamma(x)",
            {"faces": ("ops.Lgamma()(x)", "x.lgamma()"), "domain": (0.3, 4.0), "dtypes": FLOATS},
        ),
        (
            "digamma",
            "ops.digamma(x)",
            {"faces": ("ops.Digamma()(x)", "x.digamma()"), "domain": (0.3, 4.0), "dtypes": FLOATS},
        ),
        ("digamma_zero", "ops.digamma(ops.relu(x))", {"order": 0}),
    ],
    elementwise=True,
)

ROUNDING = rows(
    [
        ("sign", "ops.sign(x)", {"faces": ("ops.sgn(x)", "ops.Sign()(x)", "x.sign()", "x.sgn()"), "dtypes": NUMBERS}),
        ("sign_nan", "ops.sign(ops.sqrt(x))", {"faces": ("ops.sgn(ops.sqrt(x))",), "order": 0}),
        ("floor", "ops.floor(x)", {"faces": ("ops.Floor()(x)", "x.floor()"), "dtypes": FLOATS}),
        ("ceil", "ops.ceil(x)", {"faces": ("ops.Ceil()(x)", "x.ceil()"), "dtypes": FLOATS}),
        (
            "round",
            "ops.round(x)",
            {"faces": ("ops.Round()(x)", "ops.Round()(x, 0)", "ops.Rint()(x)", "x.round()"), "dtypes": FLOATS},
        ),
        ("trunc", "ops.trunc(x)", {"faces": ("ops.Trunc()(x)", "x.trunc()"), "dtypes": FLOATS}),
        ("frac", "ops.frac(x)", {"faces": ("x.frac()",), "order": 2, "dtypes": FLOATS}),
    ],
    elementwise=True,
    order=1,
)

COMPLEX = rows(
    [
        ("real", f"ops.real({LOG})", {"faces": (f"ops.Real()({LOG})", f"{LOG}.real()")}),
        ("imag", f"ops.imag({LOG})", {"faces": (f"ops.Imag()({LOG})", f"{LOG}.imag()")}),
        ("conj", f"ops.angle(ops.conj({LOG}))", {"faces": (f"ops.angle(ops.Conj()({LOG}))",), "reason": NO_SECOND}),
        ("sgn_complex", f"ops.angle(ops.sgn({LOG}))", {"faces": (f"ops.angle({LOG}.sgn())",), "order": 0}),
        ("angle", f"ops.angle({LOG})", {"faces": (f"ops.Angle()({LOG})", f"{LOG}.angle()"), "reason": NO_SECOND}),
    ],
    elementwise=True,
)

CASES = ALGEBRAIC + EXPONENTIAL + TRIGONOMETRIC + SPECIAL + ROUNDING + COMPLEX
