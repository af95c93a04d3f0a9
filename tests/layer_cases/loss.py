"""Losses."""

from .case import NO_KERNEL, rows

_SIGNED = "layer({}, Tensor([1, -1, -1, 1]))"
_SIGNED_FLOAT = "layer({}, Tensor([1.0, -1.0, -1.0, 1.0]))"
_LABELS = "layer(x, Tensor([[3, 0, -1, 1], [1, -1, 0, 2]], ms.int32))"
_CTC = "layer(ops.log_softmax(x, -1), y, Tensor([5, 4], ms.int32), Tensor([2, 1], ms.int32))"
_NO_ATTRIBUTES = {"without": ("attributes",), "reason": "MindSpore keeps a Primitive instead"}
_LABELS_HELD = {"call": "layer(x, ops.stop_gradient(y))"}  # MindSpore's derivative with respect to the labels is 0
_TRIPLET = """(lambda d: np.maximum(d(x, y) - (np.minimum(d(x, z), d(y, z)) if {swap} else d(x, z)) + {margin}, 0))(
    lambda a, b: (np.abs(a - b + {eps}) ** {p}).sum(1) ** (1 / {p}))"""
_MULTILABEL = """np.mean(dtype=np.float32, a=[
    sum(max(0, 1 - row[t] + row[k]) for t in targets for k in range(4) if k not in targets) / 4
    for row, targets in ((x[0], (3, 0)), (x[1], (1,)))])"""
_NO_FUNCTION = {"without": ("attributes",), "reason": "the distance is a function"}


def _by(reference):
    return {"reference": reference, "reason": NO_KERNEL}


CASES = rows(
    [
        ("bce", "nn.BCELoss()", "f[2,3](0.1,0.9) f[2,3](0.1,0.9)"),
        (
            "bce_weight",
            "nn.BCELoss(Tensor([[1.0], [3.0]]).broadcast_to((2, 3)), 'none')",
            "f[2,3](0.1,0.9) f[2,3](0,1)",
        ),
        ("bce_logits", "nn.BCEWithLogitsLoss()", "f[2,3] f[2,3](0.1,0.9)"),
        (
            "bce_logits_weights",
            "nn.BCEWithLogitsLoss('sum', Tensor([1.0, 3.0, 2.0]), Tensor([2.0, 1.0, 0.5]))",
            "f[2,3] f[2,3](0.1,0.9)",
        ),
        ("cosine_embedding", "nn.CosineEmbeddingLoss(0.1)", "f[4,3] f[4,3]", {"call": _SIGNED.format("x, y")}),
        (
            "cosine_embedding_none",
            "nn.CosineEmbeddingLoss(reduction='none')",
            "f[4,3] f[4,3]",
            {"call": _SIGNED.format("x, y")},
        ),
        ("cross_entropy", "nn.CrossEntropyLoss()", "f[4,3] i32[4]<3"),
        (
            "cross_entropy_weight",
            "nn.CrossEntropyLoss(Tensor([1.0, 3.0, 2.0]), ignore_index=1, label_smoothing=0.2)",
            "f[4,3,2] i32[4,2]<3",
        ),
        ("cross_entropy_probabilities", "nn.CrossEntropyLoss(reduction='sum')", "f[4,3] f[4,3](0,1)"),
        ("ctc", "nn.CTCLoss()", "f[5,2,4] i32[2,2](1,4)", {"call": _CTC}),
        ("ctc_none", "nn.CTCLoss(1, 'none', True)", "f[5,2,4] i32[2,2](2,4)", {"call": _CTC}),
        (
            "ctc_single",
            "nn.CTCLoss()",
            "f[5,4] i32[2](1,4)",
            {"call": "layer(ops.log_softmax(x, -1), y, Tensor([5], ms.int32), Tensor([2], ms.int32))"},
        ),
        ("dice", "nn.DiceLoss()", "f[2,3](0,1) f[2,3](0,1)"),
        ("dice_smooth", "nn.DiceLoss(0.5)", "f[2,3](0,1) f[2,3](0,1)"),
        ("focal", "nn.FocalLoss()", "f[2,3,2,2] i32[2,1,2,2]<3"),
        ("focal_weight", "nn.FocalLoss(Tensor([0.5, 1.5, 2.0]), 1.5)", "f[4,3,2] i32[4,1,2]<3"),
        ("focal_probabilities", "nn.FocalLoss(Tensor([0.5, 1.5, 2.0]), reduction='none')", "f[2,3] f[2,3](0,1)"),
        ("gaussian_nll", "nn.GaussianNLLLoss()", "f[2,3] f[2,3] f[2,1](0.5,2)"),
        (
            "gaussian_nll_full",
            "nn.GaussianNLLLoss(full=True, eps=1.0, reduction='none')",
            "f[2,3] f[2,3] f[2,3](0.5,2)",
        ),
        ("hinge_embedding", "nn.HingeEmbeddingLoss()", "f[4](0,2)", {"call": _SIGNED_FLOAT.format("x")}),
        ("hinge_embedding_margin", "nn.HingeEmbeddingLoss(2, 'sum')", "f[4](0,2)", {"call": _SIGNED_FLOAT.format("x")}),
        ("huber", "nn.HuberLoss(delta=0.7)", "f[2,3] f[2,3]"),
        ("kl_div", "nn.KLDivLoss()", "f[2,3] f[2,3](0.1,1)", _LABELS_HELD),
        ("kl_div_batch", "nn.KLDivLoss('batchmean')", "f[2,3] f[2,3](0.1,1)", _LABELS_HELD),
        ("l1", "nn.L1Loss()", "f[2,3] f[2,3]"),
        ("l1_ext", "nn.L1LossExt('sum')", "f[2,3] f[2,3]", _by("np.abs(x - y).sum()")),
        ("mae", "nn.MAELoss()", "f[2,3] f[2,3]"),
        ("margin_ranking", "nn.MarginRankingLoss(0.3)", "f[4] f[4]", {"call": _SIGNED_FLOAT.format("x, y")}),
        ("mse", "nn.MSELoss()", "f[2,3] f[3]"),
        ("multi_class_dice", "nn.MultiClassDiceLoss()", "f[2,3,2] f[2,3,2](0,1)"),
        (
            "multi_class_dice_weights",
            "nn.MultiClassDiceLoss(Tensor([[0.5], [1.5], [2.0]]), 1, 'sigmoid')",
            "f[2,3,2] f[2,3,2](0,1)",
        ),
        ("multi_label_soft_margin", "nn.MultiLabelSoftMarginLoss()", "f[2,3] f[2,3](0,1)"),
        (
            "multi_label_soft_margin_weight",
            "nn.MultiLabelSoftMarginLoss(Tensor([0.5, 1.5, 2.0]), 'none')",
            "f[2,3] f[2,3](0,1)",
        ),
        ("multi_margin", "nn.MultiMarginLoss()", "f[4,3] i[4]<3", _NO_ATTRIBUTES),
        (
            "multi_margin_weight",
            "nn.MultiMarginLoss(2, 0.7, 'sum', Tensor([0.5, 1.5, 2.0]))",
            "f[4,3] i[4]<3",
            _NO_ATTRIBUTES,
        ),
        (
            "multilabel_margin",
            "nn.MultilabelMarginLoss()",
            "f[2,4]",
            {"call": _LABELS} | _NO_ATTRIBUTES | _by(_MULTILABEL),
        ),
        ("nll", "nn.NLLLoss()", "f[4,3] i32[4]<3"),
        ("nll_weight", "nn.NLLLoss(Tensor([0.5, 1.5, 2.0]), 1, 'sum')", "f[4,3] i32[4]<3"),
        ("poisson_nll", "nn.PoissonNLLLoss()", "f[2,3] f[2,3](0,4)"),
        ("poisson_nll_full", "nn.PoissonNLLLoss(False, True, 0.1, 'none')", "f[2,3](0.1,2) f[2,3](0,4)"),
        ("rmse", "nn.RMSELoss()", "f[2,3] f[2,3]"),
        (
            "sampled_softmax",
            "nn.SampledSoftmaxLoss(3, 6, 2, (Tensor([4, 0, 5], ms.int32), Tensor([[0.5, 0.2], [0.3, 0.4]]), "
            "Tensor([0.5, 0.6, 0.7])))",
            "f[6,3] f[6] i32[2,2]<6 f[2,3]",
        ),
        ("smooth_l1", "nn.SmoothL1Loss(0.7)", "f[2,3] f[2,3]"),
        (
            "soft_margin",
            "nn.SoftMarginLoss()",
            "f[4]",
            {"call": _SIGNED_FLOAT.format("x")} | _by("np.log1p(np.exp(x * np.float32([-1, 1, 1, -1]))).mean()"),
        ),
        ("softmax_cross_entropy", "nn.SoftmaxCrossEntropyWithLogits()", "f[4,3] f[4,3](0,1)"),
        ("softmax_cross_entropy_sparse", "nn.SoftmaxCrossEntropyWithLogits(True, 'mean')", "f[4,3] i32[4]<3"),
        (
            "triplet_margin",
            "nn.TripletMarginLoss()",
            "f[2,3] f[2,3] f[2,3]",
            _by(_TRIPLET.format(swap=False, margin=1, eps=1e-6, p=2) + ".mean()"),
        ),
        (
            "triplet_margin_swap",
            "nn.TripletMarginLoss(1, True, 1e-3, 'none', 2.5)",
            "f[2,3] f[2,3] f[2,3]",
            _by(_TRIPLET.format(swap=True, margin=2.5, eps=1e-3, p=1)),
        ),
        (
            "triplet_margin_call",
            "nn.TripletMarginLoss()",
            "f[2,3] f[2,3] f[2,3]",
            {"call": "layer(x, y, z, 3.0)"} | _by(_TRIPLET.format(swap=False, margin=3, eps=1e-6, p=2) + ".mean()"),
        ),
        ("triplet_margin_distance", "nn.TripletMarginWithDistanceLoss()", "f[2,3] f[2,3] f[2,3]", _NO_FUNCTION),
        (
            "triplet_margin_distance_own",
            "nn.TripletMarginWithDistanceLoss(ops.SquaredDifference(), True, 'sum', 2.5)",
            "f[2,3] f[2,3] f[2,3]",
            _NO_FUNCTION,
        ),
    ]
)

X = "ops.ones((2, 3))"
ERRORS = [
    ("nn.BCELoss(reduction='x')", ValueError, "For 'BCELoss', the 'reduction' must be"),
    ("nn.BCELoss(3)", TypeError, "For 'BCELoss', the 'weight' must be a Tensor"),
    ("nn.CosineEmbeddingLoss(1)", TypeError, "For 'CosineEmbeddingLoss', the 'margin' must be a float"),
    ("nn.CosineEmbeddingLoss(2.0)", ValueError, "For 'CosineEmbeddingLoss', the 'margin' must be a float in [-1, 1]"),
    ("nn.CrossEntropyLoss()(ops.ones((1, 2)), Tensor([1]))", TypeError, "For 'CrossEntropyLoss', the 'labels' must be"),
    ("nn.CrossEntropyLoss()(ops.ones(2), Tensor([1, 0]))", TypeError, "For 'CrossEntropyLoss', the 'labels' must be"),
    ("nn.CrossEntropyLoss(label_smoothing=1)", TypeError, "the 'label_smoothing' must be a float"),
    ("nn.CrossEntropyLoss(label_smoothing=2.0)", ValueError, "the 'label_smoothing' must be a float in [0, 1]"),
    ("nn.CTCLoss()(ops.ones((5, 4)), ops.ones((2, 2), ms.int32), 1, 1)", ValueError, "'targets' must be of shape"),
    ("nn.DiceLoss(0.0)", ValueError, "For 'DiceLoss', the 'smooth' must be a float above 0"),
    ("nn.DiceLoss(1)", TypeError, "For 'DiceLoss', the 'smooth' must be a float"),
    (f"nn.DiceLoss()({X}, ops.ones(3))", ValueError, "the 'label' must be of the shape of 'logits'"),
    ("nn.FocalLoss(gamma=2)", TypeError, "For 'FocalLoss', the 'gamma' must be a float"),
    (f"nn.FocalLoss({X})", ValueError, "For 'FocalLoss', the 'weight' must be of one axis"),
    (f"nn.FocalLoss()({X}, ops.ones(3))", ValueError, "the 'labels' must be of as many axes"),
    ("nn.GaussianNLLLoss(full=1)", TypeError, "For 'GaussianNLLLoss', the 'full' must be a bool"),
    ("nn.GaussianNLLLoss(eps=0.0)", ValueError, "the 'eps' must be"),
    ("nn.HingeEmbeddingLoss('x')", TypeError, "For 'HingeEmbeddingLoss', the 'margin' must be"),
    ("nn.MultiClassDiceLoss(activation='x')", ValueError, "the 'activation' must be"),
    ("nn.MultiClassDiceLoss(activation=3)", TypeError, "the 'activation' must be a str or a Cell"),
    ("nn.MultiMarginLoss(p=3)", ValueError, "For 'MultiMarginLoss', the 'p' must be"),
    ("nn.NLLLoss(weight=3)", TypeError, "For 'NLLLoss', the 'weight' must be a Tensor"),
    ("nn.NLLLoss(ignore_index=1.0)", TypeError, "For 'NLLLoss', the 'ignore_index' must be an int"),
    (f"nn.PoissonNLLLoss()({X}, 1.0)", TypeError, "For 'PoissonNLLLoss', the 'target' must be a Tensor"),
    ("nn.SampledSoftmaxLoss(5, 4)", ValueError, "the 'num_sampled' must be at most"),
    ("nn.SampledSoftmaxLoss(3, 4, 0)", ValueError, "the 'num_true' must be at least 1"),
    ("nn.SampledSoftmaxLoss(3, 4, seed=-1)", ValueError, "the 'seed' must be at least 0"),
    ("nn.SampledSoftmaxLoss(3, 4, sampled_values=3)", TypeError, "the 'sampled_values' must be a tuple or a list"),
    ("nn.SampledSoftmaxLoss(3, 4, sampled_values=[3])", ValueError, "the 'sampled_values' must be three Tensors"),
    ("nn.TripletMarginWithDistanceLoss(margin=1)", TypeError, "the 'margin' must be a float"),
    ("nn.TripletMarginWithDistanceLoss(swap=1)", TypeError, "the 'swap' must be a bool"),
]
