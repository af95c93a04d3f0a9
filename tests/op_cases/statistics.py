"""Variance, norms, medians and counts."""

from .case import NO_SECOND, rows

NUMBERS = ("float16", "float64", "int32")
HOLES = "ops.masked_fill(x, x > 1, float('nan'))"
LABELS = "Tensor([3, 1, 3])"

CASES = rows(
    [
        ("logsumexp", "ops.logsumexp(x, 1)", {"faces": ("x.logsumexp(1)",)}),
        ("norm", "ops.norm(x)", {"faces": ("x.norm()",)}),
        ("var", "ops.var(x, 1)", {"faces": ("x.var(1)",)}),
        ("std", "ops.std(x, 1)", {"faces": ("x.std(1)",)}),
        ("var_unbiased", "ops.var(x, (0, 2), 1, True)", {"faces": ("x.var((0, 2), correction=1, keepdim=True)",)}),
        ("std_unbiased", "ops.std(x, (0, 2), 1, True)", {"faces": ("x.std((0, 2), correction=1, keepdim=True)",)}),
        ("std_mean", "ops.std_mean(x, 1)[0] * ops.std_mean(x, 1)[1]", {}),
        ("var_mean", "ops.var_mean(x, 1, 1, True)[0] * ops.var_mean(x, 1, 1, True)[1]", {}),
        ("reduce_std", "ops.ReduceStd(1)(x)[0] * ops.ReduceStd(1)(x)[1]", {}),
        ("reduce_std_biased", "ops.ReduceStd((0, 2), False, True)(x)[0]", {}),
        ("median", "ops.median(x, 1)[0]", {"faces": ("x.median(1)[0]",), "dtypes": NUMBERS[1:], "reason": NO_SECOND}),
        ("median_places", "ops.median(x, 2, True)[1]", {"faces": ("x.median(2, True)[1]",), "order": 0}),
        ("count_nonzero", "ops.count_nonzero(x.int())", {"faces": ("x.int().count_nonzero()",), "order": 0}),
        (
            "count_nonzero_axis",
            "ops.count_nonzero(x, 1)",
            {"faces": ("x.count_nonzero(1)",), "dtypes": NUMBERS, "order": 0},
        ),
        ("nansum", f"ops.nansum({HOLES}, 1)", {"faces": (f"({HOLES}).nansum(1)",)}),
        ("nansum_all", f"ops.nansum({HOLES})", {}),
        ("bincount", f"ops.bincount({LABELS}, x, 5)", {"looks": True, "shapes": ((3,),), "order": 0}),
        ("bincount_plain", f"ops.bincount({LABELS})", {"looks": True, "shapes": (), "order": 0}),
    ],
    shapes=((2, 3, 4),),
)
