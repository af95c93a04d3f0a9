"""Tensors made from shapes and numbers."""

from .case import rows

CONSTANTS = rows(
    [
        ("zeros", "ops.zeros((2, 3))", {"faces": ("ops.Zeros()((2, 3), ms.float32)", "ops.zeros(Tensor([2, 3]))")}),
        ("ones", "ops.ones((2, 3))", {"faces": ("ops.Ones()((2, 3), ms.float32)", "ops.ones(Tensor([2, 3]))")}),
        ("ones_int", "ops.ones(3, ms.int32)", {"faces": ("ops.zeros(3, ms.int32) + 1", "ops.Ones()((3,), ms.int32)")}),
        (
            "full",
            "ops.full((2, 3), 1.5, dtype=ms.float32)",
            {
                "faces": (
                    "ops.fill(ms.float32, (2, 3), 1.5)",
                    "ops.Fill()(ms.float32, (2, 3), 1.5)",
                    "ops.FillV2()((2, 3), Tensor(1.5, ms.float32))",
                    "ops.full_like(ops.zeros((2, 3)), 1.5)",
                )
            },
        ),
        ("full_default", "ops.full((2,), 1.5)", {}),
        ("fill_int", "ops.fill(ms.int32, (2,), 7)", {"faces": ("ops.full_like(ops.zeros((2,)), 7, dtype=ms.int32)",)}),
        (
            "arange",
            "ops.arange(1, 8, 3)",
            {"faces": ("ops.range(1, 8, 3)", "ops.Range()(1, 8, 3)", "ops.arange(start=1, end=8, step=3)")},
        ),
        (
            "arange_down",
            "ops.arange(2, -1.5, -0.5)",
            {"faces": ("ops.range(2.0, -1.5, -0.5)", "ops.Range()(2.0, -1.5, -0.5)")},
        ),
        ("arange_half", "ops.arange(5, dtype=ms.float16)", {}),
        (
            "linspace",
            "ops.linspace(0.5, 3, 5)",
            {"faces": ("ops.linspace(Tensor(0.5), Tensor(3.0), 5)", "ops.LinSpace()(Tensor(0.5), Tensor(3.0), 5)")},
        ),
        ("logspace", "ops.logspace(Tensor(-1.0), Tensor(2.0), 4)", {"faces": ("ops.logspace(-1.0, 2.0, 4)",)}),
        ("logspace_half", "ops.logspace(Tensor(0.55), Tensor(3.03), 4, dtype=ms.float16)", {}),
        ("logspace_of_halves", "ops.logspace(Tensor(0.55, ms.float16), Tensor(3.03, ms.float16), 4)", {}),
        ("eye", "ops.eye(2, 3)", {"faces": ("ops.Eye()(2, 3, ms.float32)",)}),
        ("eye_int", "ops.eye(2, dtype=ms.int32)", {"faces": ("ops.Eye()(2, 2, ms.int32)",)}),
        ("tril_indices", "ops.tril_indices(3, 4, 1)", {}),
        ("triu_indices", "ops.triu_indices(4, 3, -1, dtype=ms.int32)", {}),
        ("scalar_to_tensor", "ops.scalar_to_tensor(2)", {"faces": ("ops.ScalarToTensor()(2, ms.float32)",)}),
        ("scalar_to_tensor_int", "ops.scalar_to_tensor(2, ms.int32)", {}),
        (
            "tuple_to_array",
            "ops.tuple_to_array((1, 2))",
            {"faces": ("ops.TupleToArray()((1, 2))", "ops.tuple_to_array(range(1, 3))")},
        ),
        ("tuple_to_array_float", "ops.tuple_to_array((1.5, 2.0))", {"faces": ("ops.TupleToArray()((1.5, 2.0))",)}),
    ],
    shapes=(),
    order=0,
)

OF_TENSORS = rows(
    [
        ("zeros_like_int", "ops.zeros_like(x, dtype=ms.int32)", {"order": 0}),
        ("ones_like_half", "ops.ones_like(x, dtype=ms.float16)", {"order": 0}),
        ("fill_of_tensor", "ops.FillV2()((2, 3), x[1, 2]) * x", {}),
        ("full_like", "ops.full_like(x, 1.5) * x", {"dtypes": ("float16", "float64")}),
        (
            "one_hot_axis",
            "ops.one_hot(Tensor([2, 0]), 3, x[0, 0], x[0, 1], 0)",
            {
                "faces": ("ops.OneHot(0)(Tensor([2, 0]), 3, x[0, 0], x[0, 1])",),
                "golden_order": 0,
                "reason": "the derivatives of MindSpore 2.10 by the two values are 0",
            },
        ),
        ("vander", "ops.vander(x)", {"shapes": ((3,),)}),
        ("vander_five", "ops.vander(x, 5)", {"shapes": ((3,),)}),
        (
            "linspace_of_tensors",
            "ops.linspace(x[0, 0], x[0, 1], 4)",
            {
                "faces": ("ops.LinSpace()(x[0, 0], x[0, 1], 4)",),
                "golden_order": 0,
                "reason": "the derivatives of MindSpore 2.10 by the two ends are 0",
            },
        ),
        (
            "logspace_of_tensors",
            "ops.logspace(x[0, 0], x[0, 1], 4, 2, dtype=ms.float64)",
            {
                "reference": "np.logspace(x[0, 0], x[0, 1], 4, base=2)",
                "reason": "MindSpore 2.10 rounds it to float16 on the way, and has no derivative of it",
            },
        ),
    ]
)

CASES = CONSTANTS + OF_TENSORS

ERRORS = [
    ("ops.full(2, 3)", TypeError, "the 'size' must be"),
    ("ops.full((-2,), 3)", ValueError, "the 'shape' must be"),
    ("ops.eye(-1)", ValueError, "the 'n' must be"),
    ("ops.zeros((2,), 'int32')", TypeError, "the 'dtype' must be"),
    ("ops.linspace(0, 1, 0)", ValueError, "the 'num' must be"),
]
