"""Histograms, elements by rank, differences, and counts."""

from .case import NO_SECOND, rows

NUMBERS = ("float64", "int32")
NO_SLOPE = "MindSpore 2.10 has no derivative of it on a CPU"
NO_KERNEL = "MindSpore 2.10 has no CPU kernel"
HOLES = "ops.masked_fill(x, x > 1, float('nan'))"

COUNTS = rows(
    [
        ("histc", "ops.histc(x, 4, -1, 1)", {"faces": ("x.histc(4, -1, 1)", "ops.Histogram(4, -1.0, 1.0)(x)")}),
        ("histc_of_all", "ops.histc(x, 5)", {}),
        (
            "histogram_fixed_width",
            "ops.HistogramFixedWidth(4)(x, Tensor([-1.0, 1.0]))",
            {
                "reference": "np.histogram(np.clip(x, -1, 1), 4, (-1, 1))[0].astype(np.int32)",
                "reason": NO_KERNEL,
            },
        ),
        ("bincount_sized", "ops.Bincount()(y, Tensor(5, ms.int32), x[0, 0])", "f[2,3,4] i32[4]<5", {}),
        (
            "confusion_matrix",
            "ops.ConfusionMatrix(4)(x, y)",
            "i32[6]<4 i32[6]<4",
            {"reference": "np.array([[((x == a) & (y == b)).sum() for b in range(4)] for a in range(4)], np.int32)"},
        ),
        ("equal_count", "ops.EqualCount()(x, y)", "i32[2,3]<2 i32[2,3]<2", {}),
        ("intopk", "ops.intopk(x, y, 2)", "f[4,5] i32[4]<5", {"faces": ("ops.InTopK(2)(x, y)",)}),
        ("compare_and_bitpack", "ops.CompareAndBitpack()(x, Tensor(0.5))", "f[2,16]", {}),
        (
            "count_nonzero_primitive",
            "ops.CountNonZero([0])(x.int())",
            {"reference": "np.count_nonzero(x.astype(int), 0)", "reason": NO_KERNEL},
        ),
    ],
    shapes=((2, 3, 4),),
    order=0,
)

RANKS = rows(
    [
        (
            "quantile",
            "ops.quantile(x, 0.3)",
            {"faces": ("x.quantile(0.3)",), "reference": "np.quantile(x.astype(np.float64), 0.3).astype(x.dtype)"},
        ),
        (
            "quantile_axis",
            "ops.quantile(x, Tensor([0.25, 0.5]), 1, True)",
            {"reference": "np.quantile(x.astype(np.float64), [0.25, 0.5], 1, keepdims=True).astype(x.dtype)"},
        ),
        (
            "nanquantile",
            f"ops.nanquantile({HOLES}, 0.3, 2)",
            {
                "faces": (f"({HOLES}).nanquantile(0.3, 2)",),
                "reference": "np.nanquantile(np.where(x > 1, np.nan, x), 0.3, 2).astype(x.dtype)",
                "exact_slope": False,
            },
        ),
        ("nanmean", f"ops.nanmean({HOLES}, 1)", {"faces": (f"({HOLES}).nanmean(1)",), "order": 1}),
        ("nanmedian", f"ops.nanmedian({HOLES}, 1)[0]", {"faces": (f"({HOLES}).nanmedian(1)[0]",)}),
        ("median_primitive", "ops.Median(False, 1, True)(x)[0]", {"dtypes": NUMBERS}),
        ("median_of_all", "ops.Median(True)(x)[0]", {}),
        (
            "kthvalue",
            "x.kthvalue(2, 1)[0]",
            {"reference": "np.sort(x, 1)[:, 1]"},
        ),
        ("msort", "ops.msort(x)", {"faces": ("x.msort()",), "dtypes": NUMBERS}),
        ("top_k", "ops.top_k(x, 2)[0]", {"faces": ("x.top_k(2)[0]",)}),
        (
            "aminmax",
            "ops.aminmax(x, axis=1)[0] * ops.aminmax(x, axis=1)[1]",
            {"faces": ("x.aminmax(axis=1)[0] * x.aminmax(axis=1)[1]",)},
        ),
        ("max_where", "x.max(axis=1, initial=-0.5, where=y > 0)", {"shapes": ((2, 3, 4), (2, 3, 4)), "order": 1}),
        ("min_where", "x.min(axis=(0, 2), initial=0.5, where=y > 0)", {"shapes": ((2, 3, 4), (2, 3, 4)), "order": 1}),
        ("max_nowhere", "x.max(axis=0, initial=-5.0, where=False)", {"order": 0}),
        (
            "logcumsumexp",
            "ops.logcumsumexp(x, 1)",
            {"faces": ("x.logcumsumexp(1)", "ops.CumulativeLogsumexp()(x, Tensor(1))"), "rtol": 1e-4},
        ),
        ("running_logsumexp", "ops.CumulativeLogsumexp(True, True)(x, Tensor(2))[..., :3]", {"rtol": 1e-4}),
    ],
    shapes=((2, 3, 4),),
    reason=NO_SLOPE + " or no second one",
)

DIFFERENCES = rows(
    [
        ("diff", "ops.diff(x)", {"faces": ("x.diff()", "ops.diff_ext(x)"), "dtypes": NUMBERS}),
        ("diff_ends", "ops.diff(x, 1, 1, x, x)", {}),
        ("diff_twice", "ops.diff(x, 2, 0)", {"reference": "np.diff(x, 2, 0)", "reason": NO_KERNEL}),
        ("trapz", "ops.trapz(x)", {"dtypes": NUMBERS, "reason": NO_SECOND, "exact_slope": False}),
        ("trapz_places", "ops.trapz(x, x * x, dim=0)", {"reason": NO_SECOND, "exact_slope": False}),
        ("cov", "x.cov()", {"rtol": 1e-4}),
        ("cov_weights", "x.cov(correction=0, aweights=x[0] + 3)", {"rtol": 1e-4, "reason": NO_SECOND}),
    ],
    shapes=((3, 4),),
)

CASES = COUNTS + RANKS + DIFFERENCES

ERRORS = [
    ("ops.histc(Tensor([1.0]), 0)", ValueError, "the 'bins' must be"),
    ("ops.histc(Tensor([1.0]), 'a')", TypeError, "the 'bins' must be"),
    ("ops.quantile(Tensor([1.0]), 2.0)", ValueError, "the 'q' must be"),
    ("ops.quantile(Tensor([1]), 0.5)", TypeError, "the 'input' must be"),
    ("Tensor([1.0]).max(axis=0, where=Tensor([True]))", ValueError, "must be given with 'where'"),
    ("ops.random_poisson((2,), Tensor([1.0]))", TypeError, "the 'shape' must be"),
    ("ops.random_poisson(Tensor([-2]), Tensor([1.0]))", ValueError, "the 'shape' must be"),
    ("ops.uniform((2,), 0, 1)", TypeError, "the 'minval' must be"),
    (
        "ops.uniform((2,), Tensor(0), Tensor(5))",
        TypeError,
        "the 'minval' must be of the dtype given by 'dtype', Float32",
    ),
    ("ops.uniform((2,), Tensor(0.0), Tensor(5.0), dtype=ms.int32)", TypeError, "of the dtype given by 'dtype', Int32"),
    ("ops.cumsum(Tensor([1.0]), 'a')", TypeError, "the 'axis' must be"),
]
