"""Gradient Primitives: derivatives as operations of their own."""

from .case import NO_SECOND, rows

POSITIVE, INNER = "f[2,3](0.5,2) f[2,3]", "f[2,3](-0.9,0.9) f[2,3]"
TWO, TURNED = "f[2,3] f[2,3]", "f[2,3] f[2,3](-4,8)"
OURS = {"golden_order": 0}

CASES = rows(
    [
        ("tanh_slope", "ops.TanhGrad()(x, y)", INNER, OURS),
        ("sigmoid_slope", "ops.SigmoidGrad()(x, y)", INNER, OURS),
        ("sqrt_slope", "ops.SqrtGrad()(x, y)", POSITIVE, OURS),
        ("rsqrt_slope", "ops.RsqrtGrad()(x, y)", POSITIVE, OURS),
        ("reciprocal_slope", "ops.ReciprocalGrad()(x, y)", POSITIVE, OURS),
        ("asinh_slope", "ops.AsinhGrad()(x, y)", TWO, OURS),
        ("acosh_slope", "ops.AcoshGrad()(x, y)", POSITIVE, OURS),
        ("abs_slope", "ops.AbsGrad()(x, y)", TWO, OURS),
        ("asin_slope", "ops.AsinGrad()(x, y)", INNER, OURS),
        ("acos_slope", "ops.ACosGrad()(x, y)", INNER, OURS),
        ("atan_slope", "ops.AtanGrad()(x, y)", TWO, OURS),
        ("relu_slope", "ops.ReluGrad()(x, y)", TWO, OURS),
        ("relu6_slope", "ops.ReLU6Grad()(x, y)", TURNED, OURS),
        ("softplus_slope", "ops.SoftplusGrad()(x, y)", TWO, OURS),
        ("silu_slope", "ops.SiLUGrad()(x, y)", TWO, OURS),
        ("hswish_slope", "ops.HSwishGrad()(x, y)", TURNED, OURS),
        ("hsigmoid_slope", "ops.HSigmoidGrad()(x, y)", TURNED, OURS),
    ],
    elementwise=True,
    reason=NO_SECOND,
) + rows(
    [
        (
            "strided_slice_slope",
            "ops.StridedSliceGrad(shrink_axis_mask=1)(x, (2, 4), (1, 0), (2, 4), (1, 2))",
            "f[2]",
            OURS,
        ),
    ],
    reason=NO_SECOND,
)

PROBABILITIES, IMAGES = "f[2,3](0.2,0.8) f[2,3](0.2,0.8) f[2,3]", "f[1,2,4,4] f[1,2,2,2] f[1,2,2,2]"

CASES += rows(
    [
        ("fast_gelu_slope", "ops.FastGeLUGrad()(x, y)", TWO, OURS),
        ("gelu_slope", "ops.GeLUGrad()(x, y, y)", TWO, OURS),
        ("hshrink_slope", "ops.HShrinkGrad(0.25)(x, y)", TWO, OURS),
        ("softshrink_slope", "ops.SoftShrinkGrad(0.25)(x, y)", TWO, OURS),
        ("logit_slope", "ops.LogitGrad(0.1)(x, y)", "f[2,3] f[2,3](0.2,0.8)", OURS),
        ("prelu_slope", "ops.PReLUGrad()(x, y, z)[0]", "f[2,3] f[2,3] f[3]", OURS),
        ("prelu_weight_slope", "ops.PReLUGrad()(x, y, z)[1]", "f[2,3] f[2,3] f[3]", OURS),
        ("kl_div_slope", "ops.KLDivLossGrad('none')(z, x, y)", PROBABILITIES, OURS),
        ("smooth_l1_slope", "ops.SmoothL1LossGrad(0.3)(x, y, z)", PROBABILITIES, OURS),
        (
            "soft_margin_slope",
            "ops.SoftMarginLossGrad('none')(x, y, z)",
            PROBABILITIES,
            {"reference": "-y * z / (1 + np.exp(x * y))"},
        ),
        ("sigmoid_cross_entropy_slope", "ops.SigmoidCrossEntropyWithLogitsGrad()(x, y, z)", PROBABILITIES, OURS),
        ("binary_cross_entropy_slope", "ops.BinaryCrossEntropyGrad('none')(x, y, z)", PROBABILITIES, OURS),
        ("l2_normalize_slope", "ops.L2NormalizeGrad(1)(x, ops.L2Normalize(1)(x), z)", PROBABILITIES, OURS),
        ("lrn_slope", "ops.LRNGrad(1)(y, x, ops.LRN(1)(x))", "f[1,3,2,2] f[1,3,2,2]", OURS),
        ("max_pool_slope", "ops.MaxPoolGrad(2, 2)(x, ops.MaxPool(2, 2)(x), z)", IMAGES, OURS),
        ("avg_pool_slope", "ops.AvgPoolGrad(2, 2)(x, y, z)", IMAGES, OURS),
    ],
    reason=NO_SECOND,
)

ERRORS = [
    ("ops.HShrinkGrad()(Tensor([1.0]), Tensor([1.0, 2.0]))", ValueError, "the 'gradients' must be of shape (2,)"),
    ("ops.TanhGrad()(1.0, Tensor([1.0]))", TypeError, "For 'TanhGrad', the 'y' must be a Tensor"),
    ("ops.StridedSliceGrad()(Tensor([1.0]), (4,), (0,), (4,), (2,))", ValueError, "the 'dy' must be of shape (2,)"),
]
