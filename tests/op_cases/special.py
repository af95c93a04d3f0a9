"""Special functions, complex numbers, and arithmetic without NaN (``div_no_nan``, ``xlogy``)."""

from .case import NO_SECOND, rows

FLOATS = ("float64",)
NO_SLOPE = "MindSpore 2.10 has no derivative of it on a CPU"
LOW_ACCURACY = "MindSpore 2.10 computes it less exactly than float32 allows"
POSITIVE = "f[2,3](0.3,4)"

BESSEL = rows(
    [
        ("bessel_j0", "ops.bessel_j0(x)", {"faces": ("ops.BesselJ0()(x)",)}),
        ("bessel_j1", "ops.bessel_j1(x)", {"faces": ("ops.BesselJ1()(x)",)}),
        ("bessel_i0", "ops.bessel_i0(x)", {"faces": ("ops.BesselI0()(x)", "ops.i0(x)", "x.i0()")}),
        ("bessel_i0e", "ops.bessel_i0e(x)", {"faces": ("ops.BesselI0e()(x)",)}),
        ("bessel_i1", "ops.bessel_i1(x)", {"faces": ("ops.BesselI1()(x)",)}),
        ("bessel_i1e", "ops.bessel_i1e(x)", {"faces": ("ops.BesselI1e()(x)",)}),
    ],
    spec="f[2,3](-12,12)",
    dtypes=FLOATS,
    elementwise=True,
    rtol=1e-4,
    reason=LOW_ACCURACY,
) + rows(
    [
        ("bessel_y0", "ops.bessel_y0(x)", {"faces": ("ops.BesselY0()(x)",)}),
        ("bessel_y1", "ops.bessel_y1(x)", {"faces": ("ops.BesselY1()(x)",)}),
        ("bessel_k0", "ops.bessel_k0(x)", {"faces": ("ops.BesselK0()(x)",)}),
        ("bessel_k0e", "ops.bessel_k0e(x)", {"faces": ("ops.BesselK0e()(x)",)}),
        ("bessel_k1", "ops.bessel_k1(x)", {"faces": ("ops.BesselK1()(x)",)}),
        ("bessel_k1e", "ops.bessel_k1e(x)", {"faces": ("ops.BesselK1e()(x)",)}),
    ],
    spec="f[2,3](0.5,12)",
    dtypes=FLOATS,
    elementwise=True,
    rtol=1e-4,
    reason=LOW_ACCURACY,
)

GAMMA = rows(
    [
        ("igamma", "ops.igamma(x, y)", {"faces": ("ops.Igamma()(x, y)", "x.igamma(y)")}),
        ("igammac", "ops.igammac(x, y)", {"faces": ("ops.Igammac()(x, y)", "x.igammac(y)")}),
        ("zeta", "ops.zeta(x + 1, y)", {"faces": ("ops.Zeta()(x + 1, y)",)}),
        ("betainc", "ops.Betainc()(x, y, x / 5)", {}),
        ("nextafter", "ops.nextafter(x, y)", {"faces": ("ops.NextAfter()(x, y)", "x.nextafter(y)")}),
    ],
    spec=f"{POSITIVE} {POSITIVE}",
    order=0,
    dtypes=FLOATS,
    elementwise=True,
    rtol=1e-4,
    reason=LOW_ACCURACY + "; JAX differentiates by some operands alone",
) + rows(
    [
        (
            "polygamma",
            "ops.polygamma(Tensor(2), x)",
            {"faces": ("ops.Polygamma()(Tensor(2), x)",), "order": 1, "reason": NO_SECOND},
        ),
        (
            "mvlgamma",
            "ops.mvlgamma(x + 1, 3)",
            {"faces": ("ops.Mvlgamma(3)(x + 1)", "(x + 1).mvlgamma(3)"), "reason": NO_SECOND},
        ),
    ],
    spec=POSITIVE,
    elementwise=True,
    rtol=1e-4,
)

NUMBERS = rows(
    [
        ("eps", "ops.eps(x)", {"faces": ("ops.Eps()(x)",), "order": 0, "dtypes": FLOATS}),
        (
            "population_count",
            "ops.population_count(x)",
            "i16[2,3]<999",
            {"faces": ("ops.PopulationCount()(x)",), "order": 0},
        ),
        (
            "positive",
            "ops.positive(x)",
            {"faces": ("x.positive()",), "dtypes": ("float16", "int32"), "elementwise": True},
        ),
        (
            "inverse_number",
            "ops.inv(x)",
            "f[2,3](0.3,2)",
            {"faces": ("x.inv()",), "elementwise": True, "reason": NO_SECOND},
        ),
        (
            "logit_primitive",
            "ops.Logit(0.2)(x)",
            "f[2,3](0.1,0.9)",
            {"faces": ("ops.logit(x, 0.2)",), "elementwise": True, "reason": NO_SECOND},
        ),
        (
            "bitwise_not",
            "x.bitwise_not()",
            "i[2,3]<9",
            {"order": 0, "reference": "np.invert(x)", "reason": "MindSpore 2.10 has no CPU kernel"},
        ),
        (
            "float_status",
            "ops.FloatStatus()(x / 0)",
            {"order": 0, "reference": "np.ones(1, np.float32)", "reason": "MindSpore 2.10 has no CPU kernel"},
        ),
        (
            "is_nonzero",
            "x * ops.is_nonzero(Tensor([1.0]))",
            {"looks": True, "reference": "x"},
        ),
    ],
)

PAIRS = (
    rows(
        [
            (
                "float_power",
                "ops.float_power(x, y)",
                {"faces": ("ops.float_power_ext(x, y)", "x.float_power(y)"), "exact_slope": False, "order": 1},
            ),
            ("heaviside_primitive", "ops.heaviside(x - 1, y)", {"faces": ("ops.Heaviside()(x - 1, y)",), "order": 0}),
            (
                "mul_no_nan",
                "ops.MulNoNan()(x, y)",
                {"dtypes": ("float16",), "reason": NO_SECOND},
            ),
            (
                "former_names",
                "ops.tensor_add(x, y)",
                {"faces": ("ops.TensorAdd()(x, y)",), "dtypes": ("float16", "int32")},
            ),
            ("tensor_sub", "x - y", {"faces": ("ops.tensor_sub(x, y)",)}),
            ("tensor_mul", "x * y", {"faces": ("ops.tensor_mul(x, y)", "ops.tensor_muls(x, y)")}),
            ("tensor_div", "x / y", {"faces": ("ops.tensor_div(x, y)",)}),
            ("tensor_pow", "x**y", {"faces": ("ops.tensor_pow(x, y)", "ops.pows(x, y)")}),
            ("tensor_mod", "x % y", {"faces": ("ops.tensor_mod(x, y)", "ops.floormod(x, y)")}),
            ("tensor_floordiv", "x // y", {"faces": ("ops.tensor_floordiv(x, y)", "ops.floordiv(x, y)"), "order": 1}),
            (
                "truncate_div",
                "ops.TruncateDiv()(x, y)",
                {"faces": ("ops.truncate_div(x, y)",), "order": 0},
            ),
            (
                "truncate_mod",
                "ops.TruncateMod()(x, y)",
                {"faces": ("ops.truncate_mod(x, y)", "ops.Mod()(x, y)"), "order": 0},
            ),
            ("tensor_gt", "x > y", {"faces": ("ops.tensor_gt(x, y)",), "order": 0}),
            ("tensor_ge", "x >= y", {"faces": ("ops.tensor_ge(x, y)",), "order": 0}),
            ("tensor_lt", "x < y", {"faces": ("ops.tensor_lt(x, y)",), "order": 0}),
            ("tensor_le", "x <= y", {"faces": ("ops.tensor_le(x, y)",), "order": 0}),
        ],
        spec=f"{POSITIVE} {POSITIVE}",
        elementwise=True,
    )
    + rows(
        [
            ("tensor_exp", "ops.exp(x)", {"faces": ("ops.tensor_exp(x)",)}),
            ("tensor_expm1", "ops.expm1(x)", {"faces": ("ops.tensor_expm1(x)",)}),
            ("isnan_ext", "ops.isnan(ops.sqrt(x))", {"faces": ("ops.isnan_ext(ops.sqrt(x))",), "order": 0}),
            ("reduce_sum", "ops.ReduceSum()(x, 1)", {"faces": ("ops.reduce_sum(x, 1)",)}),
            ("reduce_mean", "ops.ReduceMean()(x, 1)", {"faces": ("ops.reduce_mean(x, 1)",)}),
            ("reduce_max", "ops.ReduceMax()(x, 1)", {"faces": ("ops.reduce_max(x, 1)",), "reason": NO_SECOND}),
            ("reduce_min", "ops.ReduceMin()(x, 1)", {"faces": ("ops.reduce_min(x, 1)",), "reason": NO_SECOND}),
            (
                "einsum_ext",
                "ops.einsum('ij,ij->i', x, x)",
                {"faces": ("ops.einsum_ext('ij,ij->i', x, x)",), "reference": "np.einsum('ij,ij->i', x, x)"},
            ),
            (
                "shifts",
                "ops.LeftShift()(y, y) + ops.RightShift()(y, y)",
                "f[2] i[2,3]<4",
                {"order": 0},
            ),
        ]
    )
    + rows(
        [
            (
                "lerp_scalar",
                "ops.lerp(x, y, 0.25)",
                {"faces": ("ops.LerpScalar()(x, y, 0.25)",)},
            ),
        ],
        shapes=((2, 3), (2, 3)),
    )
)

COMPLEX = rows(
    [
        ("complex_parts", "ops.view_as_real(ops.Complex()(x, y))", {"dtypes": FLOATS}),
        (
            "polar",
            "ops.view_as_real(ops.polar(x, y))",
            {"faces": ("ops.view_as_real(ops.Polar()(x, y))",), "domain": ((0.2, 2.0), (-2.0, 2.0))},
        ),
        ("complex_abs", "ops.ComplexAbs()(ops.Complex()(x, y))", {}),
    ],
    shapes=((2, 3), (2, 3)),
    reason="MindSpore 2.10 has no second derivative through complex numbers",
)

CASES = BESSEL + GAMMA + NUMBERS + PAIRS + COMPLEX

ERRORS = [
    ("ops.bessel_j0(Tensor([1]))", TypeError, "the 'x' must be"),
    ("ops.igamma(Tensor([1.0]), Tensor([1.0], ms.float64))", TypeError, "the 'other' must be"),
    ("ops.mvlgamma(Tensor([3.0]), 0)", ValueError, "the 'p' must be"),
    ("ops.mvlgamma(Tensor([3.0]), 1.5)", TypeError, "the 'p' must be"),
    ("ops.Complex()(Tensor([1]), Tensor([1]))", TypeError, "the 'real' must be"),
    ("ops.round(Tensor([1.5]), decimals=1)", RuntimeError, "the 'decimals' must be"),
]
