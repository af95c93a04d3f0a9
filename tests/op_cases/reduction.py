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
        (
            "max",
            "x.max()",
            {
                "faces": ("x.argmax_with_value(None)[0]", "ops.amax(x)", "ops.ReduceMax()(x)"),
                "dtypes": NUMBERS,
                "reason": NO_SECOND,
            },
        ),
        (
            "max_axis",
            "x.max(axis=1)",
            {
                "faces": (
                    "ops.amax(x, 1)",
                    "ops.ReduceMax()(x, 1)",
                    "ops.max(x, 1)[0]",
                    "ops.ArgMaxWithValue(1)(x)[1]",
                ),
                "reason": NO_SECOND,
            },
        ),
        (
            "min",
            "x.min()",
            {
                "faces": ("x.argmin_with_value(None)[0]", "ops.amin(x)", "ops.ReduceMin()(x)"),
                "dtypes": NUMBERS,
                "reason": NO_SECOND,
            },
        ),
        (
            "min_axis",
            "x.min(axis=2)",
            {
                "faces": (
                    "ops.amin(x, 2)",
                    "ops.ReduceMin()(x, 2)",
                    "ops.min(x, 2)[0]",
                    "ops.ArgMinWithValue(2)(x)[1]",
                ),
                "reason": NO_SECOND,
            },
        ),
        ("argmax", "x.argmax(1)", {"faces": ("ops.argmax(x, 1)", "ops.Argmax(1, ms.int64)(x)"), "order": 0}),
        ("argmin", "x.argmin(1)", {"faces": ("ops.argmin(x, 1)", "ops.Argmin(1)(x)"), "order": 0}),
        ("any", "(x > 1.5).any(0)", {"faces": ("ops.any(x > 1.5, 0)", "ops.ReduceAny()(x > 1.5, 0)"), "order": 0}),
        ("all", "(x > -1).all(2)", {"faces": ("ops.all(x > -1, 2)", "ops.ReduceAll()(x > -1, 2)"), "order": 0}),
        ("cumsum", "ops.cumsum(x, 1)", {"faces": ("x.cumsum(1)", "ops.CumSum()(x, 1)")}),
        ("cumprod", "ops.cumprod(x, 2)", {"faces": ("x.cumprod(2)", "ops.CumProd()(x, 2)"), "domain": (0.5, 1.5)}),
        ("sort", "ops.sort(x, 1)[0]", {"faces": ("x.sort(1)[0]", "ops.Sort(1)(x)[0]")}),
        ("topk", "ops.topk(x, 2)[0]", {"faces": ("x.topk(2)[0]", "ops.TopK()(x, 2)[0]")}),
    ],
    shapes=((2, 3, 4),),
)
