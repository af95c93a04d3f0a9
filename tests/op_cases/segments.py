"""Segment reductions."""

from .case import NO_SECOND, rows

IDS = "Tensor([1, 0, 1, 3], ms.int32)"
SORTED = "Tensor([0, 0, 1, 3])"
OURS = "MindSpore 2.10 has no derivative of it on a CPU"

CASES = rows(
    [
        (
            "unsorted_segment_sum",
            f"ops.unsorted_segment_sum(x, {IDS}, 4)",
            {"faces": (f"ops.UnsortedSegmentSum()(x, {IDS}, 4)",), "dtypes": ("float64", "int32")},
        ),
        (
            "unsorted_segment_sum_of_elements",
            "ops.unsorted_segment_sum(x, Tensor([[0, 1, 0], [2, -1, 1], [0, 0, 0], [1, 1, 1]]), 3)",
            {},
        ),
        (
            "unsorted_segment_max",
            f"ops.unsorted_segment_max(x, {IDS}, 4)[:2]",
            {
                "faces": (f"ops.UnsortedSegmentMax()(x, {IDS}, 4)[:2]", f"x.unsorted_segment_max({IDS}, 4)[:2]"),
                "dtypes": ("int32",),
                "reason": NO_SECOND,
            },
        ),
        (
            "unsorted_segment_min",
            f"ops.unsorted_segment_min(x, {IDS}, 4)[:2]",
            {
                "faces": (f"ops.UnsortedSegmentMin()(x, {IDS}, 4)[:2]", f"x.unsorted_segment_min({IDS}, 4)[:2]"),
                "dtypes": ("int32",),
                "reason": NO_SECOND,
            },
        ),
        (
            "unsorted_segment_prod",
            f"ops.unsorted_segment_prod(x, {IDS}, 4)",
            {
                "faces": (f"ops.UnsortedSegmentProd()(x, {IDS}, 4)", f"x.unsorted_segment_prod({IDS}, 4)"),
                "dtypes": ("int32",),
                "domain": (0.5, 2.0),
                "reason": NO_SECOND,
            },
        ),
        ("segment_sum", f"ops.SegmentSum()(x, {SORTED})", {"order": 1, "reason": OURS, "dtypes": ("int32",)}),
        ("segment_mean", f"ops.SegmentMean()(x, {SORTED})", {"order": 1, "reason": OURS}),
        ("segment_prod", f"ops.SegmentProd()(x, {SORTED})", {"order": 1, "reason": OURS, "domain": (0.5, 2.0)}),
        ("segment_max", f"ops.SegmentMax()(x, {SORTED})", {"order": 1, "reason": OURS}),
        ("segment_min", f"ops.SegmentMin()(x, {SORTED})", {"order": 1, "reason": OURS}),
        (
            "sparse_segment_mean",
            "ops.sparse_segment_mean(x, Tensor([0, 1, 1]), Tensor([0, 0, 2]))",
            {"order": 1, "reason": OURS},
        ),
    ],
    shapes=((4, 3),),
)

ERRORS = [
    ("ops.unsorted_segment_sum(Tensor([1.0]), Tensor([0, 1]), 2)", ValueError, "the 'segment_ids' must be"),
    ("ops.unsorted_segment_sum(Tensor([1.0]), Tensor([0]), 0)", ValueError, "the 'num_segments' must be"),
    ("ops.unsorted_segment_sum(Tensor([1.0]), Tensor([0.5]), 1)", TypeError, "the 'segment_ids' must be"),
]
