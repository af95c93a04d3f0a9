"""Searching sorted sequences, elements by rank, flat indices and coordinates."""

from .case import rows

EDGES = "Tensor([-1.0, 0.0, 1.0])"
NO_KERNEL = "MindSpore 2.10 has a kernel of it for one row each alone"

CASES = (
    rows(
        [
            ("bucketize", "ops.bucketize(x, [-1.0, 0.0, 1.0])", {"dtypes": ("float64", "int32")}),
            (
                "bucketize_right",
                "ops.bucketize(x, [-1.0, 0.0, 1.0], right=True)",
                {"faces": ("ops.Bucketize([-1.0, 0.0, 1.0])(x)",)},
            ),
            (
                "searchsorted",
                f"ops.searchsorted({EDGES}, x)",
                {
                    "faces": (f"{EDGES}.searchsorted(x).long()", f"ops.SearchSorted()({EDGES}, x)"),
                    "reference": "np.searchsorted([-1.0, 0.0, 1.0], x)",
                    "reason": NO_KERNEL,
                },
            ),
            (
                "searchsorted_right",
                "ops.searchsorted(y, x, right=True)",
                "f[2,3] f[2,3]",
                {"reference": "np.stack([np.searchsorted(b, a, 'right') for a, b in zip(x, y)])", "reason": NO_KERNEL},
            ),
            ("lower_bound", "ops.LowerBound()(y, x)", "f[2,3] f[2,1]", {}),
            ("upper_bound", "ops.UpperBound(ms.int64)(y, x)", "f[2,3] f[2,1]", {}),
            ("unravel_index", "ops.UnravelIndex()(x, Tensor([2, 3, 4]))", "i[5]<24", {}),
            ("invert_permutation", "x * ops.InvertPermutation()((2, 0, 1))[0]", {}),
        ],
        order=0,
    )
    + rows(
        [
            ("list_diff", "ops.ListDiff()(x, Tensor([1, 3]))[0]", "i[5]<5", {}),
            ("list_diff_places", "ops.ListDiff()(x, Tensor([1, 3]))[1]", "i[5]<5", {}),
            ("sub_and_filter", "ops.SubAndFilter()(x, 3, 1)[1]", "i[6]<5", {}),
        ],
        order=0,
        looks=True,
    )
    + rows(
        [
            (
                "nth_element",
                "ops.NthElement()(x, 1)",
                {"golden_order": 0, "reason": "MindSpore 2.10 has no derivative of it"},
            ),
        ],
    )
)

ERRORS = [
    ("ops.bucketize(Tensor([1.0]), 2.0)", TypeError, "the 'boundaries' must be"),
    ("ops.searchsorted(Tensor([1.0]), Tensor([1.0]), right=True, side='left')", ValueError, "the 'side' must be"),
]
