"""Sorting, argmin and argmax, cumulative extremes."""

from .case import NO_SECOND, rows

NUMBERS = ("float16", "float64", "int32")
NO_SLOPE = "MindSpore 2.10 has no derivative of it on a CPU"

CASES = rows(
    [
        ("sort_down", "ops.sort(x, 1, True)[0]", {"faces": ("ops.Sort(1, True)(x)[0]",), "dtypes": NUMBERS}),
        (
            "argsort",
            "ops.argsort(x, 1)",
            {"faces": ("ops.Sort(1)(x)[1]", "x.argsort(1)"), "order": 0, "dtypes": NUMBERS},
        ),
        ("argsort_down", "ops.argsort(x, 0, True)", {"faces": ("ops.Sort(0, True)(x)[1]",), "order": 0}),
        ("topk_least", "ops.topk(x, 2, 1, False)[0]", {"faces": ("x.topk(2, 1, False)[0]",), "dtypes": NUMBERS}),
        ("topk_places", "ops.topk(x, 2)[1]", {"faces": ("ops.TopK()(x, 2)[1]",), "order": 0}),
        (
            "cummax",
            "ops.cummax(x, 1)[0]",
            {"faces": ("ops.Cummax(1)(x)[0]", "x.cummax(1)[0]"), "dtypes": NUMBERS, "reason": NO_SLOPE},
        ),
        ("cummax_places", "ops.cummax(x, 1)[1]", {"faces": ("ops.Cummax(1)(x)[1]",), "order": 0, "dtypes": NUMBERS}),
        (
            "cummin",
            "ops.cummin(x, 1)[0]",
            {"faces": ("ops.Cummin(1)(x)[0]", "x.cummin(1)[0]"), "dtypes": NUMBERS, "reason": NO_SLOPE},
        ),
        ("cummin_places", "ops.cummin(x, 1)[1]", {"faces": ("ops.Cummin(1)(x)[1]",), "order": 0, "dtypes": NUMBERS}),
        ("cumprod_before", "ops.CumProd(exclusive=True)(x, 1)", {"domain": (0.5, 1.5)}),
        ("cumprod_from_end", "ops.CumProd(reverse=True)(x, 1)", {"domain": (0.5, 1.5)}),
        ("max_with_place", "ops.ArgMaxWithValue(1, True)(x)[1]", {"dtypes": NUMBERS, "reason": NO_SECOND}),
        ("max_place", "ops.ArgMaxWithValue(1)(x)[0]", {"order": 0, "dtypes": NUMBERS}),
        ("min_with_place", "ops.ArgMinWithValue(1, True)(x)[1]", {"dtypes": NUMBERS, "reason": NO_SECOND}),
        ("min_place", "ops.ArgMinWithValue(1)(x)[0]", {"order": 0, "dtypes": NUMBERS}),
    ],
    shapes=((2, 5, 3),),
)
