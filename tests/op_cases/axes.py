"""Permuting and adding axes; shape and dtype."""

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
    ("ops.ones((1, 2)).transpose(0, None)", TypeError, "For 'transpose', the 'axes' must be"),
    ("ops.ones((1, 2)).transpose('a')", TypeError, "For 'transpose', the 'axes' must be"),
    ("ops.reshape(ops.ones(2), 2)", TypeError, "the 'shape' must be"),
    ("ops.broadcast_to(ops.ones(2), 2)", TypeError, "the 'shape' must be"),
    ("ops.rot90(ops.ones((1, 2)))", TypeError, "rot90() missing 2 required positional arguments: 'k' and 'dims'"),
    ("ops.softmax(ops.ones(2), dim=0)", TypeError, "softmax() got an unexpected keyword argument 'dim'"),
    ("ops.ReLU()()", TypeError, "ReLU.__call__() missing 1 required positional argument: 'input'"),
    ("ops.trace(ops.ones(2))", RuntimeError, "For 'Trace', the 'input' must be"),
    ("ops.ones(2).trace()", RuntimeError, "For 'trace', the 'input' must be"),
    ("mnp.trace(ops.ones(2))", RuntimeError, "For 'trace', the 'a' must be"),
    ("ops.tensor_scatter_sub(Tensor([True]), Tensor([[0]]), Tensor([True]))", TypeError, "For 'tensor_scatter_sub'"),
    ("Tensor([1]).add(Tensor([1]), alpha=0.5)", TypeError, "For 'AddExt', the 'alpha' must be an int"),
    ("Tensor([1]).sub(Tensor([1]), alpha=True)", TypeError, "For 'SubExt', the 'alpha' must be"),
    ("ops.squeeze(Tensor([1]), Tensor([0, 1]).asnumpy())", TypeError, "the 'axis' must be an int"),
    ("Tensor([1]).squeeze(Tensor([0, 1]).asnumpy())", TypeError, "the 'axis' must be an int"),
    ("nn.Conv2d(3, 4, (3, 3, 3))", TypeError, "For 'Conv2d', the 'kernel_size' must be an int from 1 on, or 2 of them"),
    ("nn.Conv2d(3, 4, 0)", ValueError, "For 'Conv2d', the 'kernel_size' must be an int from 1 on, or 2 of them"),
    ("nn.AdaptiveAvgPool2d((1, 2, 3))", ValueError, "For 'AdaptiveAvgPool2d', the 'output_size' must be one"),
    ("nn.WithEvalCell(nn.ReLU(), nn.MSELoss(), 2)", TypeError, "the 'add_cast_fp32' must be a bool"),
    ("nn.CosineDecayLR(0.01, 0.1, 4)('a')", TypeError, "must be a Tensor or a number"),
    ("ops.squeeze(Tensor([1]), 5)", ValueError, "the 'axis' must be"),
    ("ops.expand_dims(Tensor([1]), True)", TypeError, "the 'axis' must be"),
    ("ops.swapaxes(Tensor([1]), 0, 1.0)", TypeError, "the 'axis1' must be"),
    ("Tensor([1]).mT", ValueError, "must be"),
]
