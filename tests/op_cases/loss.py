"""Losses of predictions and targets."""

from .case import NO_SECOND, rows

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
        ("huber_loss", "ops.huber_loss(x, y)", {"faces": ("ops.huber_loss(x, y, 'mean', 1.0)",)}),
        ("huber_loss_none", "ops.huber_loss(x, y, 'none', 0.7)", {}),
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
            "cross_entropy_of_images",
            "ops.cross_entropy(x, Tensor([[1, 0], [2, 2]]))",
            {"shapes": ((2, 3, 2),), "reason": NO_SECOND},
        ),
    ],
    shapes=SCORES,
    domain=(0.2, 2.0),
)

CASES = DISTANCES + CLASSIFICATION
