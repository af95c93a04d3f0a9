"""Derivatives as Primitives of their own."""

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

ERRORS = [
    ("ops.TanhGrad()(1.0, Tensor([1.0]))", TypeError, "For 'TanhGrad', the 'y' must be a Tensor"),
    ("ops.StridedSliceGrad()(Tensor([1.0]), (4,), (0,), (4,), (2,))", ValueError, "the 'dy' must be of shape (2,)"),
]
