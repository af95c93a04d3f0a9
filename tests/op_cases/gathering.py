"""Gather: reading at indices given by Tensors; the most common operations are in `array`."""

from .case import NO_SECOND, rows

PLACES = "Tensor([[2, 0], [1, 1]])"

CASES = rows(
    [
        (
            "take",
            "ops.take(x, Tensor([[4, 0], [0, 5]]))",
            {"dtypes": ("float16", "float64", "int32"), "reference": "np.take(x, [[4, 0], [0, 5]])"},
        ),
        (
            "gather_batch",
            "ops.gather(x, Tensor([[2, 0], [1, 1]]), 1, 1)",
            {"faces": (f"ops.Gather(1)(x, {PLACES}, 1)",)},
        ),
        ("gather_d_first_axis", "ops.gather_d(x, 0, Tensor([[1, 0], [0, 0], [1, 1]]))", {"reason": NO_SECOND}),
        (
            "gather_nd_rows",
            "ops.gather_nd(x, Tensor([[1], [0], [1]]))",
            {"faces": ("ops.GatherNd()(x, Tensor([[1], [0], [1]]))",)},
        ),
    ]
)
