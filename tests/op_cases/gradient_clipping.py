"""Gradient clipping, similarities, covariance, and in-place functions."""

from .case import NO_KERNEL, NO_SECOND, rows

TWO = "f[2,3] f[4]"
ROUNDED = {"golden_order": 1, "exact_slope": False}  # the norm is computed in float32
IN_PLACE = {"reason": NO_KERNEL}

CASES = rows(
    [
        ("clip_by_global_norm", "ops.clip_by_global_norm((x, y), 1.0)[1]", TWO, ROUNDED),
        ("clip_by_global_norm_below", "ops.clip_by_global_norm((x, y), 100)[0]", TWO, ROUNDED),
        ("clip_by_norm", "ops.clip_by_norm([x, y], 1.0)[1]", TWO, {"golden_order": 0}),
        ("clip_by_norm_below", "ops.clip_by_norm((x, y), 100)[0]", TWO, {"golden_order": 0}),
        ("clip_by_norm_greatest", "ops.clip_by_norm(x, 0.5, float('inf'))", {"golden_order": 0}),
        ("clip_by_norm_sum", "ops.clip_by_norm(x, 0.5, 1)", "f[2,3](0.5,2)", {"golden_order": 0}),
        (
            "cosine_similarity",
            "ops.cosine_similarity(x, y)",
            "f[2,3] f[2,3]",
            {"golden_order": 1, "dtypes": ("float16",)},
        ),
        ("cosine_similarity_first", "ops.cosine_similarity(x, y, 0)", "f[2,3] f[2,3]", {"golden_order": 1}),
        ("cosine_similarity_short", "ops.cosine_similarity(x, y, 1, 100.0)", "f[2,3] f[2,3]", {"golden_order": 1}),
        ("cov_of_rows", "ops.cov(x)", {"faces": ("x.cov()",), "dtypes": ("float16", "float64", "int32")}),
        ("cov_of_one_variable", "ops.cov(x, correction=0)", "f[5]", {}),
        ("cov_of_weights", "ops.cov(x, fweights=Tensor([1, 3, 2]), aweights=y)", "f[2,3] f[3](0.5,1)", {}),
        ("bidense", "ops.bidense(x, y, z, u)", "f[2,3] f[2,4] f[5,3,4] f[5]", {}),
        ("bidense_alone", "ops.bidense(x, y, z)", "f[3] f[4] f[5,3,4]", {}),
        ("square_sum_all", "ops.SquareSumAll()(x, y)[1]", "f[2,3] f[2,3]", {"dtypes": ("float16",)}),
        ("cross_primitive", "ops.Cross()(x, y)", "f[2,3] f[2,3]", {"faces": ("ops.Cross(1)(x, y)",)}),
    ],
    reason=NO_SECOND,
) + rows(
    [
        (
            "quantile_primitive",
            "ops.Quantile(1, True)(x, 0.3)",
            {"reference": "np.quantile(x, 0.3, 1, keepdims=True).astype('f')", "order": 1},
        ),
        ("tanh_", "ops.tanh_(x * 1) + x", {"reference": "np.tanh(x) + x"}),
        ("erfinv_", "ops.erfinv_(x - 0) * 0 + x", {"reference": "x", "domain": (-0.5, 0.5)}),
        ("inplace_sigmoid", "ops.inplace_sigmoid(x * 1)", {"reference": "1 / (1 + np.exp(-x))"}),
        ("clamp_", "ops.clamp_(x * 1, -1, 1) * x", {"reference": "np.clip(x, -1, 1) * x"}),
        ("stop_gradient_", "(lambda y: (ops.stop_gradient_(y), y * 1)[1])(x * 1)", {"reference": "x", "order": 0}),
    ],
    **IN_PLACE,
)

ERRORS = [
    ("ops.clip_by_global_norm((Tensor([1.0]),), 0)", ValueError, "the 'clip_norm' must be a number above 0"),
    ("ops.clip_by_global_norm((Tensor([1.0]),), 1.0, 2.0)", ValueError, "the 'use_norm' must be None"),
    ("ops.clip_by_global_norm((1.0,))", TypeError, "the 'x' must be a Tensor, or a list"),
    ("ops.clip_by_global_norm(())", ValueError, "the 'x' must be at least one Tensor"),
    ("ops.clip_by_norm(Tensor([1.0]), 'a')", TypeError, "For 'clip_by_norm', the 'max_norm' must be a number"),
    ("ops.clip_by_norm((Tensor([1.0]), Tensor([1.0], ms.float16)), 1)", TypeError, "Tensors of the same dtype"),
    ("ops.clip_by_norm(Tensor([float('inf')]), 1, 2.0, True)", RuntimeError, "of all 'x' is inf, not finite"),
    ("ops.cosine_similarity(Tensor([[1]]), Tensor([[1]]))", TypeError, "the 'x1' must be a Tensor of float"),
    ("ops.cosine_similarity(Tensor([1.0]), Tensor([1.0]))", ValueError, "the 'dim' must be in the range"),
    ("ops.cov(Tensor([True]))", TypeError, "the 'input' must be a Tensor of int"),
    ("ops.cov(Tensor([1.0]), fweights=Tensor([1.0]))", TypeError, "the 'fweights' must be a Tensor of int"),
    ("ops.cov(Tensor([1.0]), aweights=Tensor([1.0, 2.0]))", ValueError, "the 'aweights' must be of 1 elements"),
    ("ops.bidense(Tensor([1.0]), Tensor([1.0]), Tensor([[1.0]]))", ValueError, "the 'weight' must be of shape"),
    ("ops.SquareSumAll()(Tensor([1.0]), Tensor([1.0, 2.0]))", ValueError, "the 'y' must be of the shape of 'x'"),
    ("ops.Quantile()(Tensor([1.0]), Tensor([[0.5]]))", ValueError, "the 'q' must be of at most one axis"),
]
