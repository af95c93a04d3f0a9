"""Moving and adding axes; asking for shape and dtype."""

from .case import rows

AXES = rows(
    [
        (
            "movedim",
            "ops.movedim(x, (0, 1), (-1, 0))",
            {
                "faces": (
                    "ops.moveaxis(x, (0, 1), (-1, 0))",
                    "x.movedim((0, 1), (-1, 0))",
                    "x.moveaxis((0, 1), (-1, 0))",
                )
            },
        ),
        ("atleast_1d", "ops.atleast_1d(x[1, 2, 3])", {"faces": ("ops.atleast_1d([x, x[1, 2, 3]])[1]",)}),
        ("atleast_2d", "ops.atleast_2d(x[1, 2])", {"faces": ("ops.atleast_2d([x, x[1, 2]])[1]",)}),
        ("atleast_2d_of_number", "ops.atleast_2d(x[1, 2, 3])", {}),
        ("atleast_3d", "ops.atleast_3d(x[1])", {"faces": ("ops.atleast_3d([x, x[1]])[1]",)}),
        ("atleast_3d_of_vector", "ops.atleast_3d(x[1, 2])", {}),
    ],
    shapes=((2, 3, 4),),
)

ASKING = rows(
    [
        (
            "shape",
            "x * ops.shape(x)[2]",
            {
                "faces": (
                    "x * ops.Shape()(x)[2]",
                    "x * ops.dyn_shape(x)[2]",
                    "x * ops.TensorShape()(x)[2]",
                    "x * x.shape[2]",
                )
            },
        ),
        ("rank", "x * ops.rank(x)", {"faces": ("x * ops.Rank()(x)", "x * x.ndim")}),
        (
            "size",
            "x * ops.size(x)",
            {"faces": ("x * ops.Size()(x)", "x * ops.numel(x)", "x * x.numel()", "x * x.size")},
        ),
        (
            "dtype",
            "(x > 0).astype(ops.dtype(x)) * x",
            {
                "faces": ("(x > 0).astype(ops.DType()(x)) * x", "ops.type_as(x > 0, x) * x", "(x > 0).type_as(x) * x"),
                "dtypes": ("float16", "float64", "int32"),
            },
        ),
        (
            "is_floating_point",
            "x + ops.is_floating_point(x)",
            {"faces": ("x + x.is_floating_point()",), "dtypes": ("float16", "float64", "int32")},
        ),
        ("is_complex", "x + ops.is_complex(x.astype(ms.complex64)) - 2 * ops.is_complex(x)", {}),
        ("dyn_shape", "ops.dyn_shape(x)", {"faces": ("ops.TensorShape()(x)",), "order": 0}),
    ],
    shapes=((2, 3, 4),),
)

CASES = AXES + ASKING

ERRORS = [
    ("ops.transpose(Tensor([1]), 0)", TypeError, "the 'dims' must be"),
    ("ops.transpose(ops.ones((1, 2)), (0, 0))", ValueError, "the 'dims' must be"),
    ("ops.squeeze(Tensor([1]), 5)", ValueError, "the 'axis' must be"),
    ("ops.expand_dims(Tensor([1]), True)", TypeError, "the 'axis' must be"),
    ("ops.swapaxes(Tensor([1]), 0, 1.0)", TypeError, "the 'axis1' must be"),
    ("Tensor([1]).mT", ValueError, "must be"),
]
