"""Losses: regression, cross entropy, margins."""

from .case import NO_KERNEL, NO_SECOND, rows

CLASSES = "Tensor([2, 0])"
SCORES = ((2, 3),)
FLOATS = ("float16", "float64")

DISTANCES = rows(
    [
        ("mse_loss", "ops.mse_loss(x, y)", {"faces": ("ops.mse_loss(x, y, 'mean')",)}),
        ("mse_loss_layer", "nn.MSELoss()(x, y)", {"exact_slope": False}),
        ("mse_loss_broadcast", "ops.mse_loss(x, y, 'none')", {"shapes": ((2, 3), (3,))}),
        ("l1_loss", "ops.l1_loss(x, y)", {"faces": ("nn.L1Loss()(x, y)",)}),
        ("l1_loss_sum", "ops.l1_loss(x, y, reduction='sum')", {}),
        (
            "smooth_l1_loss",
            "ops.smooth_l1_loss(x, y, 0.7)",
            {
                "faces": ("ops.SmoothL1Loss(0.7)(x, y)", "nn.SmoothL1Loss(0.7)(x, y)"),
                "dtypes": FLOATS,
                "reason": NO_SECOND,
            },
        ),
        (
            "smooth_l1_loss_mean",
            "ops.smooth_l1_loss(x, y, reduction='mean')",
            {"faces": ("ops.SmoothL1Loss(1.0, 'mean')(x, y)",), "reason": NO_SECOND},
        ),
        (
            "huber_loss",
            "ops.huber_loss(x, y)",
            {"faces": ("ops.huber_loss(x, y, 'mean', 1.0)", "nn.HuberLoss()(x, y)")},
        ),
        ("huber_loss_none", "ops.huber_loss(x, y, 'none', 0.7)", {}),
        ("huber_loss_broadcast", "ops.huber_loss(x, y, 'sum')", {"shapes": ((2, 3), (3,))}),
        (
            "mse_loss_ext",
            "ops.mse_loss_ext(x, y)",
            {"reference": "np.mean((x - y) ** 2)", "reason": NO_KERNEL},
        ),
        (
            "l2_loss",
            "ops.L2Loss()(x)",
            {"shapes": ((2, 3),), "dtypes": ("float16",), "reason": NO_SECOND},
        ),
        ("gaussian_nll_loss", "ops.gaussian_nll_loss(x, y, z)", "f[2,3] f[2,3] f[2,3](0.1,2)", {}),
        (
            "gaussian_nll_loss_full",
            "ops.gaussian_nll_loss(x, y, z, True, 0.5, 'none')",
            "f[2,3] f[2,3] f[2,1](0.1,2)",
            {},
        ),
    ],
    shapes=((2, 3), (2, 3)),
)

CLASSIFICATION = rows(
    [
        ("cross_entropy", f"ops.cross_entropy(x, {CLASSES})", {"reason": NO_SECOND}),
        (
            "cross_entropy_weighted",
            f"ops.cross_entropy(x, {CLASSES}, y)",
            {"shapes": ((2, 3), (3,)), "reason": NO_SECOND},
        ),
        (
            "cross_entropy_smooth",
            f"ops.cross_entropy(x, {CLASSES}, reduction='none', label_smoothing=0.2)",
            {"reason": NO_SECOND},
        ),
        (
            "cross_entropy_ignored",
            f"ops.cross_entropy(x, {CLASSES}, ignore_index=2, reduction='sum')",
            {"reason": NO_SECOND},
        ),
        ("cross_entropy_of_probabilities", "ops.cross_entropy(x, y)", {"shapes": ((2, 3), (2, 3))}),
        (
            "cross_entropy_of_a_column",
            "ops.cross_entropy(x, Tensor([[1], [2]]), reduction='none')",
            {"reason": NO_SECOND},
        ),
        (
            "cross_entropy_of_flat_images",
            "ops.cross_entropy(x, Tensor([[[1, 0]], [[2, 2]]]), reduction='none')",
            {"shapes": ((2, 3, 2),), "reason": NO_SECOND},
        ),
        (
            "cross_entropy_of_images",
            "ops.cross_entropy(x, Tensor([[1, 0], [2, 2]]))",
            {"shapes": ((2, 3, 2),), "reason": NO_SECOND},
        ),
    ],
    shapes=SCORES,
    domain=(0.2, 2.0),
)

LIKELIHOOD = rows(
    [
        ("nll_loss", "ops.nll_loss(x, y)", "f[2,3] i[2]<3", {"reason": NO_SECOND}),
        ("nll_loss_of_a_column", "ops.nll_loss(x, y, z)", "f[2,3] i[2,1]<3 f[3](0.2,2)", {"reason": NO_SECOND}),
        ("nll_loss_weighted", "ops.nll_loss(x, y, z, 1)", "f[2,3] i[2]<3 f[3](0.2,2)", {"reason": NO_SECOND}),
        (
            "nll_loss_smooth",
            "ops.nll_loss(x, y, None, -100, 'none', 0.2)",
            "f[2,3] i[2]<3",
            {"reason": NO_SECOND},
        ),
        ("nll_loss_of_images", "ops.nll_loss(x, y, reduction='sum')", "f[2,3,2] i[2,2]<3", {"reason": NO_SECOND}),
        (
            "nll_loss_primitive",
            "ops.NLLLoss()(x, y, z)[0]",
            "f[2,3] i32[2]<3 f[3](0.2,2)",
            {"golden_order": 0, "reason": "MindSpore 2.10 has no derivative with respect to the weights"},
        ),
        (
            "nll_loss_weight",
            "ops.NLLLoss('sum', 1)(x, y, z)[1]",
            "f[2,3] i32[2]<3 f[3](0.2,2)",
            {"order": 0, "reason": "MindSpore 2.10 has no derivative of the weight"},
        ),
        (
            "softmax_cross_entropy",
            "ops.SoftmaxCrossEntropyWithLogits()(x, y)[0]",
            "f[2,3] f[2,3](0.1,1)",
            {"order": 1, "exact_slope": False, "reason": "the labels have no derivative in MindSpore"},
        ),
        (
            "softmax_cross_entropy_slope",
            "ops.SoftmaxCrossEntropyWithLogits()(x, y)[1]",
            "f[2,3] f[2,3](0.1,1)",
            {"order": 0},
        ),
        (
            "sparse_softmax_cross_entropy",
            "ops.SparseSoftmaxCrossEntropyWithLogits()(x, y)",
            "f[2,3] i32[2]<3",
            {
                "faces": ("nn.SoftmaxCrossEntropyWithLogits(True, 'mean')(x, y)",),
                "exact_slope": False,
                "reason": NO_SECOND,
            },
        ),
        (
            "sparse_softmax_cross_entropy_slope",
            "ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(x, y)",
            "f[2,3] i32[2]<3",
            {"order": 0},
        ),
        (
            "sigmoid_cross_entropy",
            "ops.SigmoidCrossEntropyWithLogits()(x, y)",
            "f[2,3] f[2,3](0.1,1)",
            {"order": 1, "golden_order": 0, "reason": "the labels have no derivative in MindSpore"},
        ),
        (
            "bce",
            "ops.binary_cross_entropy(x, y)",
            "f[2,3](0.1,0.9) f[2,3](0.1,0.9)",
            {"faces": ("ops.BinaryCrossEntropy()(x, y)",), "golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "bce_weighted",
            "ops.binary_cross_entropy(x, y, z, 'none')",
            "f[2,3](0.1,0.9) f[2,3](0.1,0.9) f[2,3](0.1,2)",
            {"faces": ("ops.BinaryCrossEntropy('none')(x, y, z)",), "golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "bce_with_logits",
            "ops.binary_cross_entropy_with_logits(x, y, z, u)",
            "f[2,3] f[2,3](0.1,0.9) f[3](0.1,2) f[3](0.1,2)",
            {"faces": ("ops.BCEWithLogitsLoss()(x, y, z, u)",), "golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "bce_with_logits_plain",
            "ops.binary_cross_entropy_with_logits(x, y, reduction='sum')",
            "f[2,3] f[2,3](0.1,0.9)",
            {"faces": ("ops.BCEWithLogitsLoss('sum')(x, y)",), "golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "kl_div",
            "ops.kl_div(x, y)",
            "f[2,3] f[2,3](0.1,0.9)",
            {"faces": ("ops.KLDivLoss()(x, y)",), "golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "kl_div_of_batch",
            "ops.kl_div(x, y, 'batchmean')",
            "f[2,3] f[2,3](-1,0.9)",
            {"faces": ("ops.KLDivLoss('batchmean')(x, y)",), "golden_order": 0, "reason": NO_SECOND},
        ),
        ("kl_div_none", "ops.kl_div(x, y, 'none')", "f[2,3] f[2,3](-1,0.9)", {"golden_order": 0, "reason": NO_SECOND}),
        (
            "multilabel_soft_margin_loss",
            "ops.multilabel_soft_margin_loss(x, y)",
            "f[2,3] f[2,3](0.1,0.9)",
            {"golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "multilabel_soft_margin_loss_broadcast",
            "ops.multilabel_soft_margin_loss(x, y, reduction='none')",
            "f[2,3] f[1,3](0.1,0.9)",
            {"golden_order": 0, "reason": NO_SECOND},
        ),
        (
            "multilabel_soft_margin_loss_weighted",
            "ops.multilabel_soft_margin_loss(x, y, z, 'none')",
            "f[2,3] f[2,3](0.1,0.9) f[3](0.1,2)",
            {"golden_order": 0, "reason": NO_SECOND},
        ),
    ]
)

MARGINS = rows(
    [
        ("margin_ranking_loss", "ops.margin_ranking_loss(x, y, z, 0.4)", "f[4] f[4] f[4](0.5,2)", {}),
        ("margin_ranking_loss_broadcast", "ops.margin_ranking_loss(x, y, z, 0.4)", "f[4,3] f[4,1] f[3](0.5,2)", {}),
        ("hinge_embedding_loss", "ops.hinge_embedding_loss(x, ops.sign(y), 0.5, 'none')", "f[2,3] f[2,3]", {}),
        (
            "cosine_embedding_loss",
            "ops.cosine_embedding_loss(x, y, 2 * z - 1, 0.2)",
            "f[4,3] f[4,3] i[4]<2",
            {"golden_order": 1, "reason": "MindSpore 2.10's second derivative is rounded away"},
        ),
        (
            "multi_margin_loss",
            "ops.multi_margin_loss(x, y)",
            "f[4,3] i[4]<3",
            {"faces": ("ops.MultiMarginLoss()(x, y)",), "reason": NO_SECOND},
        ),
        (
            "multi_margin_loss_squared",
            "ops.MultiMarginLoss(2, 0.5, 'none')(x, y, z)",
            "f[4,3] i[4]<3 f[3](0.1,2)",
            {"golden_order": 0, "reason": "MindSpore 2.10 has no derivative with respect to the weights"},
        ),
        (
            "soft_margin_loss",
            "ops.soft_margin_loss(x, y)",
            "f[2,3] f[2,3]",
            {
                "faces": ("ops.SoftMarginLoss()(x, y)",),
                "reference": "np.mean(np.log1p(np.exp(-x * y)))",
                "reason": NO_KERNEL,
            },
        ),
        (
            "multilabel_margin_loss",
            "ops.multilabel_margin_loss(x, ops.stack((y, y * 0 - 1), 1))",
            "f[3,2] i[3]<2",
            {
                "faces": ("ops.MultilabelMarginLoss()(x, ops.stack((y, y * 0 - 1), 1))[0]",),
                "reference": "np.mean(np.maximum(1 - x[np.arange(3), y] + x[np.arange(3), 1 - y], 0) / 2)",
                "reason": NO_KERNEL,
            },
        ),
        (
            "triplet_margin_loss",
            "ops.triplet_margin_loss(x, y, z)",
            "f[4,3] f[4,3] f[4,3]",
            {
                "reference": "np.mean(np.maximum(np.linalg.norm(x - y + 1e-6, axis=1)"
                " - np.linalg.norm(x - z + 1e-6, axis=1) + 1, 0))",
                "reason": NO_KERNEL,
            },
        ),
        (
            "triplet_margin_loss_swapped",
            "ops.triplet_margin_loss(x, y, z, 2.0, 1, 0.5, True, 'none')",
            "f[4,3] f[4,3] f[4,3]",
            {
                "faces": ("ops.TripletMarginLoss(1, True, 0.5, 'none')(x, y, z, Tensor(2.0))",),
                "reference": "np.maximum(abs(x - y + np.float32(0.5)).sum(1) - np.minimum("
                "abs(x - z + np.float32(0.5)).sum(1), abs(y - z + np.float32(0.5)).sum(1)) + 2, 0)",
                "reason": NO_KERNEL,
            },
        ),
    ]
)

CASES = DISTANCES + CLASSIFICATION + LIKELIHOOD + MARGINS

ERRORS = [
    ("ops.l1_loss(Tensor([1.0]), Tensor([1.0]), 'a')", ValueError, "For 'l1_loss', the 'reduction' must be one of"),
    ("ops.smooth_l1_loss(Tensor([1.0]), Tensor([1.0, 2.0]))", ValueError, "For 'SmoothL1Loss', the 'target' must be"),
    ("ops.smooth_l1_loss(Tensor([1.0]), Tensor([1.0]), -1.0)", RuntimeError, "the 'beta' must be at least 0"),
    ("ops.huber_loss(Tensor([1.0]), Tensor([1.0]), 'mean', -1.0)", ValueError, "the 'delta' must be above 0"),
    ("ops.huber_loss(Tensor([1.0]), Tensor([1.0]), 'mean', 'a')", TypeError, "For 'huber_loss', the 'delta'"),
    (
        "ops.cross_entropy(Tensor([[1.0, 2.0]]), Tensor([0]), Tensor([1.0, 2.0, 3.0]))",
        ValueError,
        "the 'weight' must be of shape (2,), one for each class",
    ),
    ("ops.cross_entropy(Tensor([[1.0, 2.0]]), Tensor([0]), reduction='a')", ValueError, "'reduction' must be one of"),
    ("ops.cross_entropy(Tensor([[1.0, 2.0]]), Tensor([0]), None, 'a')", TypeError, "'ignore_index' must be an int"),
    ("ops.cross_entropy(ops.ones((4, 3)), Tensor([[0, 1, 2, 0]]))", ValueError, "the 'target' must be of shape (4,)"),
    (
        "ops.cross_entropy(ops.ones((4, 3, 2)), Tensor([0, 1, 2, 0]))",
        ValueError,
        "the 'target' must be of shape (4, 2)",
    ),
    ("ops.nll_loss(Tensor([[1.0]]), Tensor([[1.0]]))", TypeError, "For 'nll_loss', the 'target' must be"),
    ("ops.BinaryCrossEntropy('a')(Tensor([0.5]), Tensor([0.5]))", ValueError, "'reduction' must be one of"),
    ("ops.multi_margin_loss(Tensor([[1.0]]), Tensor([0]), 3)", ValueError, "For 'MultiMarginLoss', the 'p' must be"),
    ("ops.hinge_embedding_loss(Tensor([1.0]), Tensor([1]))", TypeError, "For 'HingeEmbeddingLoss', the 'targets'"),
    (
        "ops.margin_ranking_loss(Tensor([1.0]), Tensor([1]), Tensor([1.0]))",
        TypeError,
        "the 'input2' must be of the dtype",
    ),
    (
        "ops.margin_ranking_loss(Tensor([1.0]), Tensor([1.0]), Tensor([1]))",
        TypeError,
        "For 'margin_ranking_loss', the 'target' must be of the dtype",
    ),
]
