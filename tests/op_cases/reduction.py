"""Reductions and scans."""

from .case import NO_SECOND, rows

NUMBERS = ("float16", "float64", "int32")

CASES = rows(
    [
        ("sum", "x.sum()", {"faces": ("ops.sum(x)", "ops.ReduceSum()(x)"), "dtypes": NUMBERS}),
        ("sum_axis", "x.sum(1)", {"faces": ("ops.sum(x, 1)", "ops.ReduceSum()(x, 1)", "x.sum(axis=-2)")}),
        ("sum_axes", "x.sum((0, 2))", {"faces": ("ops.sum(x, (0, 2))", "ops.ReduceSum()(x, (0, 2))")}),
        ("sum_keep", "x.sum(1, keepdims=True)", {"faces": ("ops.ReduceSum(keep_dims=True)(x, 1)",)}),
        ("mean", "x.mean()", {"faces": ("ops.mean(x)", "ops.ReduceMean()(x)"), "dtypes": ("float16", "float64")}),
        ("mean_axis", "x.mean(-1)", {"faces": ("ops.mean(x, -1)", "ops.ReduceMean()(x, -1)")}),
        ("prod", "x.prod()", {"faces": ("ops.prod(x)", "ops.ReduceProd()(x)"), "domain": (0.5, 1.5)}),
        ("prod_axis", "x.prod(1)", {"faces": ("ops.prod(x, 1)", "ops.ReduceProd()(x, 1)"), "domain": (0.5, 1.5)}),
        ("max", "x.max()", {"faces": ("ops.amax(x)", "ops.ReduceMax()(x)"), "dtypes": NUMBERS, "reason": NO_SECOND}),
        (
            "max_axis",
            "x.max(axis=1)",
            {"faces": ("ops.amax(x, 1)", "ops.ReduceMax()(x, 1)", "ops.max(x, 1)[0]"), "reason": NO_SECOND},
        ),
        ("min", "x.min()", {"faces": ("ops.amin(x)", "ops.ReduceMin()(x)"), "dtypes": NUMBERS, "reason": NO_SECOND}),
        (
            "min_axis",
            "x.min(axis=2)",
            {"faces": ("ops.amin(x, 2)", "ops.ReduceMin()(x, 2)", "ops.min(x, 2)[0]"), "reason": NO_SECOND},
        ),
        ("argmax", "x.argmax(1)", {"faces": ("ops.argmax(x, 1)",), "order": 0}),
        ("argmin", "x.argmin(1)", {"faces": ("ops.argmin(x, 1)",), "order": 0}),
        ("any", "(x > 1.5).any(0)", {"faces": ("ops.any(x > 1.5, 0)", "ops.ReduceAny()(x > 1.5, 0)"), "order": 0}),
        ("all", "(x > -1).all(2)", {"faces": ("ops.all(x > -1, 2)", "ops.ReduceAll()(x > -1, 2)"), "order": 0}),
        ("cumsum", "ops.cumsum(x, 1)", {"faces": ("x.cumsum(1)", "ops.CumSum()(x, 1)")}),
        ("cumprod", "ops.cumprod(x, 2)", {"domain": (0.5, 1.5)}),
        ("sort", "ops.sort(x, 1)[0]", {"faces": ("x.sort(1)[0]",)}),
        ("topk", "ops.topk(x, 2)[0]", {}),
    ],
    shapes=((2, 3, 4),),
)
