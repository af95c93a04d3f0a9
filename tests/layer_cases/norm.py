"""Batch, instance, layer and group norm."""

from .case import NO_KERNEL, rows

LINE, IMAGE, VOLUME = "f[3,4,5]", "f[3,4,3,2]", "f[2,4,3,2,2]"

BATCH = rows(
    [
        ("batch_norm1d", "nn.BatchNorm1d(4)", "f[3,4]"),
        ("batch_norm1d_line", "nn.BatchNorm1d(4, 1e-3, 0.7)", LINE),
        ("batch_norm2d", "nn.BatchNorm2d(4)", IMAGE),
        ("batch_norm2d_frozen", "nn.BatchNorm2d(4, affine=False, moving_mean_init='ones')", IMAGE),
        ("batch_norm2d_always", "nn.BatchNorm2d(4, use_batch_statistics=True)", IMAGE),
        ("batch_norm2d_never", "nn.BatchNorm2d(4, use_batch_statistics=False)", IMAGE),
        ("batch_norm3d", "nn.BatchNorm3d(4)", VOLUME),
        ("sync_batch_norm", "nn.SyncBatchNorm(4)", IMAGE),
    ],
    rtol=1e-4,
    reason="MindSpore adds in another order",
)

OTHERS = rows(
    [
        ("layer_norm", "nn.LayerNorm([4, 2], 2, 2)", "f[3,5,4,2]"),
        ("layer_norm_last", "nn.LayerNorm((4,), epsilon=1e-5)", "f[3,4]"),
        ("group_norm", "nn.GroupNorm(2, 4)", IMAGE),
        ("group_norm_frozen", "nn.GroupNorm(2, 4, 1e-3, False, 'zeros', 'ones')", LINE),
        ("lrn", "nn.LRN(1, 1.0, 0.1, 0.7)", IMAGE),
    ],
    rtol=1e-4,
    reason="MindSpore adds in another order",
)

LAYER = "(x - x.mean({0}, keepdims=True)) / np.sqrt(x.var({0}, keepdims=True) + np.float32({1}))"
EACH = "({0}) * gamma.reshape({1}) + beta.reshape({1})"
ELSEWHERE = rows(
    [
        (
            "layer_norm_ext",
            "nn.LayerNormExt((4, 2))",
            "f[3,4,2]",
            {"reference": f"{LAYER.format((1, 2), 1e-5)} * weight + bias"},
        ),
        (
            "layer_norm_ext_plain",
            "nn.LayerNormExt(4, 1e-3, bias=False)",
            "f[3,4]",
            {"reference": f"{LAYER.format(1, 1e-3)} * weight"},
        ),
        (
            "layer_norm_ext_bare",
            "nn.LayerNormExt([4], elementwise_affine=False)",
            "f[3,4]",
            {"reference": LAYER.format(1, 1e-5)},
        ),
        (
            "instance_norm1d",
            "nn.InstanceNorm1d(4)",
            LINE,
            {"reference": EACH.format(LAYER.format(2, 1e-5), (4, 1))},
        ),
        (
            "instance_norm2d",
            "nn.InstanceNorm2d(4, 1e-3, 0.3)",
            IMAGE,
            {"reference": EACH.format(LAYER.format((2, 3), 1e-3), (4, 1, 1))},
        ),
        (
            "instance_norm3d",
            "nn.InstanceNorm3d(4, affine=False)",
            VOLUME,
            {"reference": EACH.format(LAYER.format((2, 3, 4), 1e-5), (4, 1, 1, 1))},
        ),
    ],
    rtol=1e-4,
    reason=NO_KERNEL,
)

CASES = BATCH + OTHERS + ELSEWHERE

ERRORS = [
    ("nn.BatchNorm2d(0)", ValueError, "For 'BatchNorm2d', the 'num_features' must be a positive int"),
    ("nn.BatchNorm2d(2, momentum=2)", ValueError, "For 'BatchNorm2d', the 'momentum' must be in the range [0, 1]"),
    ("nn.BatchNorm2d(2)(ops.ones((2, 2)))", ValueError, "For 'BatchNorm2d', the 'x' must be of 4 axes"),
    (
        "nn.BatchNorm1d(2)(ops.ones((2, 2), ms.int32))",
        TypeError,
        "For 'BatchNorm', the 'input_x' must be a Tensor of float",
    ),
    ("nn.BatchNorm1d(2).set_train()(ops.ones((2, 2), ms.uint8))", TypeError, "the 'input_x' must be a Tensor of float"),
    ("nn.LayerNorm((2,))(ops.ones((2, 2), ms.int32))", TypeError, "For 'LayerNorm', the 'input_x' must be a Tensor of"),
    ("nn.GroupNorm(1, 2)(ops.ones((2, 2, 2, 2), ms.int32))", TypeError, "the 'input' must be a Tensor of float"),
    ("nn.BatchNorm3d(2)(ops.ones((2, 2)))", ValueError, "For 'BatchNorm3d', the 'x' must be of 5 axes"),
    ("nn.SyncBatchNorm(2, process_groups=3)", ValueError, "For 'SyncBatchNorm', the 'process_groups' must be a list"),
    ("nn.SyncBatchNorm(2, process_groups=[0])", TypeError, "For 'SyncBatchNorm', the 'process_groups' must be a list"),
    ("nn.SyncBatchNorm(2, process_groups=[(0,)])", ValueError, "the 'process_groups' must be a list of lists of ints"),
    ("nn.SyncBatchNorm(2, process_groups=[['a']])", TypeError, "the 'process_groups' must be a list of lists of ints"),
    ("nn.SyncBatchNorm(2, process_groups=[[0, 1]])", ValueError, "the 'process_groups' must be of different ranks be"),
    ("nn.SyncBatchNorm(2, process_groups=[[0], [0]])", ValueError, "the 'process_groups' must be of different ranks"),
    ("nn.InstanceNorm2d(2, eps=1)", TypeError, "For 'InstanceNorm2d', the 'eps' must be a"),
    ("nn.InstanceNorm2d(2)(ops.ones((1, 3, 2, 2)))", ValueError, "For 'InstanceNorm', the 'gamma' must be of shape"),
    ("nn.LayerNorm(4)", TypeError, "For 'LayerNorm', the 'normalized_shape' must be a tuple or list"),
    ("nn.LayerNormExt([])", ValueError, "For 'LayerNormExt', the 'normalized_shape' must be of at least one"),
    ("nn.GroupNorm(2, 3)", ValueError, "For 'GroupNorm', the 'num_channels' must be divisible by 2 groups"),
    ("nn.GroupNorm(2, 4, eps=1)", TypeError, "For 'GroupNorm', the 'eps' must be a"),
]
