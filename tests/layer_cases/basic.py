"""Dense, Flatten, Embedding, and layers that are one operation."""

from .case import NO_KERNEL, rows

PASSING = rows(
    [
        ("flatten", "nn.Flatten()", "f[2,3,2]"),
        ("identity", "nn.Identity()", "f[2,3]"),
        ("one_hot", "nn.OneHot(0, 4, 2.0, -1.0)", "i32[2,3]<4"),
        ("one_hot_half", "nn.OneHot(depth=4, dtype=ms.float16)", "i32[3]<4"),
        ("unflatten", "nn.Unflatten(1, [2, 2])", "f[3,4,2]"),
        ("unflatten_last", "nn.Unflatten(-1, (2, -1))", "f[3,4]"),
        ("sequential", "nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())", "f[4,3]"),
    ]
)

DENSE = rows(
    [
        ("dense", "nn.Dense(3, 2)", "f[4,3]"),
        ("dense_activation", "nn.Dense(3, 2, has_bias=False, activation='relu')", "f[2,4,3]"),
        ("dense_initial", "nn.Dense(100, 400)", ""),
        ("linear", "nn.Linear(3, 2)", "f[2,4,3]"),
        ("linear_bare", "nn.Linear(3, 2, False)", "f[4,3]"),
        ("linear_initial", "nn.Linear(100, 1000)", ""),
        ("bi_dense", "nn.BiDense(3, 4, 2)", "f[5,3] f[5,4]"),
        ("bi_dense_more", "nn.BiDense(3, 4, 2, has_bias=False)", "f[2,5,3] f[2,5,4]"),
        ("bi_dense_initial", "nn.BiDense(16, 16, 1000)", ""),
        ("conv2d_bn_act", "nn.Conv2dBnAct(2, 3, 2, has_bn=True, activation='relu')", "f[2,2,3,3]"),
        ("conv2d_act", "nn.Conv2dBnAct(2, 3, 2, has_bias=True, activation='leakyrelu', alpha=0.3)", "f[2,2,3,3]"),
        ("dense_bn_act", "nn.DenseBnAct(3, 4, has_bn=True, activation='sigmoid')", "f[5,3]"),
        ("dense_bn_act_bare", "nn.DenseBnAct(3, 4)", "f[5,3]"),
        ("time_distributed", "nn.TimeDistributed(nn.Dense(3, 4), 1)", "f[2,5,3]"),
        ("time_distributed_pool", "nn.TimeDistributed(nn.MaxPool2d(2), 2)", "f[2,2,3,4,4]"),
        ("time_distributed_first", "nn.TimeDistributed(nn.Dense(3, 4), 0, 1)", "f[5,2,3]"),
        ("time_distributed_batch", "nn.TimeDistributed(nn.Dense(3, 4), time_axis=1, reshape_with_axis=0)", "f[2,5,3]"),
    ],
    rtol=1e-4,
    reason="MindSpore adds in another order",
)

ROLL = rows(
    [
        ("roll", "nn.Roll((1, -1), (0, 2))", "f[2,3,4]", {"reference": "np.roll(x, (1, -1), (0, 2))"}),
        ("roll_one", "nn.Roll(2, 1)", "f[2,3]", {"reference": "np.roll(x, 2, 1)"}),
    ],
    reason=NO_KERNEL,
)

CLIPPED = (
    "(lambda r: r * 0.7 / np.maximum(np.sqrt((r * r).sum(-1, keepdims=True)), np.float32(0.7)))(embedding_table[x])"
)
SPARSE = {"gradients": False, "reason": "MindSpore's gradient is a RowTensor"}
KEPT = {"without": ("attributes",)}  # a Tensor
EMBEDDING = rows(
    [
        ("embedding", "nn.Embedding(5, 3, padding_idx=1)", "i32[2,2]<5"),
        ("embedding_one_hot", "nn.Embedding(5, 3, True)", "i32[4]<5"),
        ("embedding_initial", "nn.Embedding(50, 40)", ""),
        ("embedding_lookup", "nn.EmbeddingLookup(5, 3)", "i32[2,2]<7", SPARSE),
        (
            "embedding_lookup_bounded",
            "nn.EmbeddingLookup(5, 3, max_norm=0.7)",
            "i32[2,2]<5",
            {"reference": CLIPPED, "reason": "MindSpore's results on a CPU have other norms", **KEPT},
        ),
        ("embedding_lookup_device", "nn.EmbeddingLookup(5, 3, target='DEVICE', sparse=False)", "i32[2,2]<5"),
        ("embedding_ext_initial", "nn.EmbeddingExt(50, 40)", ""),
        ("embedding_ext_frozen", "nn.EmbeddingExt(5, 3, 1, 2.0, _freeze=True)", ""),
        ("embedding_ext", "nn.EmbeddingExt(5, 3)", "i32[2,2]<5", {"reference": "weight[x]", "reason": NO_KERNEL}),
        ("multi_field", "nn.MultiFieldEmbeddingLookup(6, 3, 2)", "i32[2,4]<6 f[2,4](0,1) i32[2,4]<2", SPARSE),
        (
            "multi_field_mean",
            "nn.MultiFieldEmbeddingLookup(6, 3, 2, operator='MEAN')",
            "i32[2,4]<6 f[2,4](0.1,1) i32[2,4]<2",
            SPARSE,
        ),
        (
            "multi_field_max",
            "nn.MultiFieldEmbeddingLookup(6, 3, 2, operator='MAX')",
            "i32[2,4]<6 f[2,4](0.1,1) i32[2,4]<2",
            SPARSE,
        ),
    ]
)

CASES = PASSING + ROLL + DENSE + EMBEDDING

ERRORS = [
    ("nn.Flatten()(3)", TypeError, "For 'Flatten', the 'x' must be a Tensor"),
    ("nn.Unflatten(1.0, (2,))", TypeError, "For 'Unflatten', the 'axis' must be an int"),
    ("nn.Unflatten(1, 2)", TypeError, "For 'Unflatten', the 'unflattened_size' must be a list or a tuple"),
    ("nn.Roll(1.0, 0)", TypeError, "For 'Roll', the 'shift' must be an int or a tuple or a list"),
    ("nn.Roll((1, 2), 0)", ValueError, "For 'Roll', the 'shift' must be as many ints as 'axis' has"),
    ("nn.Linear(0, 1)", ValueError, "For 'Linear', the 'in_features' must be a positive int"),
    ("nn.BiDense(2, 3, 4)(ops.ones((5, 3)), ops.ones((5, 3)))", ValueError, "the 'input1' must be of a last axis"),
    ("nn.BiDense(2, 3, 4)(ops.ones((5, 2)), ops.ones((4, 3)))", ValueError, "the 'input2' must be of the shape (5, 3)"),
    ("nn.Conv2dBnAct(2, 3, 2, activation=3)", TypeError, "For 'Conv2dBnAct', the 'activation' must be a str, a Cell"),
    ("nn.DenseBnAct(2, 3, has_bn=1)", TypeError, "For 'DenseBnAct', the 'has_bn' must be a bool"),
    ("nn.TimeDistributed(3, 1)", TypeError, "For 'TimeDistributed', the 'layer' must be a Cell or a Primitive"),
    ("nn.TimeDistributed(nn.ReLU(), 1)(ops.ones((2, 2)))", ValueError, "the 'inputs' must be of at least 3 axes"),
    ("nn.Embedding(5, 3, padding_idx=5)", ValueError, "For 'Embedding', the 'padding_idx' must be"),
    ("nn.EmbeddingLookup(5, 3, sparse=False)", ValueError, "the 'sparse' must be True where 'target' is 'CPU'"),
    ("nn.EmbeddingExt(5, 3, sparse=True)", ValueError, "For 'EmbeddingExt', the 'sparse' must be False"),
    ("nn.MultiFieldEmbeddingLookup(5, 3, 2, operator='MIN')", ValueError, "the 'operator' must be one of"),
]
