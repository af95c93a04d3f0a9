"""Schedules in rows: text over ``nn``, or over ``s`` (``experimental.optim.lr_scheduler``) and ``o``, an optimizer.

``tests/golden/make_optim.py`` takes the figures from MindSpore, the tests compute them with msgrad.
"""

import numpy as np

LISTS = {  # name: a list of rates
    "piecewise": "nn.piecewise_constant_lr([2, 5, 10], [0.1, 0.05, 0.01])",
    "exponential": "nn.exponential_decay_lr(0.1, 0.9, 6, 2, 1)",
    "exponential_stair": "nn.exponential_decay_lr(0.1, 0.9, 9, 2, 2, True)",
    "natural": "nn.natural_exp_decay_lr(0.1, 0.9, 6, 2, 1)",
    "natural_stair": "nn.natural_exp_decay_lr(0.1, 0.9, 9, 2, 2, True)",
    "inverse": "nn.inverse_decay_lr(0.1, 0.5, 6, 1, 2)",
    "inverse_stair": "nn.inverse_decay_lr(0.1, 0.5, 6, 1, 2, is_stair=True)",
    "cosine": "nn.cosine_decay_lr(0.01, 0.1, 6, 2, 2)",
    "polynomial": "nn.polynomial_decay_lr(0.1, 0.01, 6, 2, 2, 0.5)",
    "polynomial_update": "nn.polynomial_decay_lr(0.1, 0.01, 9, 1, 2, 0.5, True)",
    "warmup": "nn.warmup_lr(0.1, 6, 2, 2)",
}
STEPPED = {  # name: a schedule, and what its ``step`` takes in turn
    "step": ("s.StepLR(o, 2, 0.5)", [None] * 6),
    "step_to": ("s.StepLR(o, 2, 0.5)", [None, 4, None, 1]),
    "linear": ("s.LinearLR(o, 0.5, total_iters=4)", [None] * 6),
    "linear_to": ("s.LinearLR(o, 0.5, total_iters=4)", [3, None]),
    "exponential": ("s.ExponentialLR(o, 0.5)", [None] * 4),
    "polynomial": ("s.PolynomialLR(o, 4, 2.0)", [None] * 6),
    "constant": ("s.ConstantLR(o, 0.5, 4)", [None] * 6),
    "multi_step": ("s.MultiStepLR(o, [2, 4, 4], 0.5)", [None] * 6),
    "lambda": ("s.LambdaLR(o, lambda epoch: 0.95 ** epoch)", [None] * 4),
    "lambdas": ("s.LambdaLR(o, [lambda epoch: epoch // 3, lambda epoch: 0.9 ** epoch])", [None] * 6),
    "multiplicative": ("s.MultiplicativeLR(o, lambda epoch: 0.95)", [None] * 4),
    "cosine": ("s.CosineAnnealingLR(o, 3, 0.001)", [None] * 8),
    "restarts": ("s.CosineAnnealingWarmRestarts(o, 2, 2)", [None] * 8),
    "restarts_to": ("s.CosineAnnealingWarmRestarts(o, 2)", [None, 5, None]),
    "cyclic": ("s.CyclicLR(o, 0.1, 0.3, 2, 3)", [None] * 8),
    "cyclic_halved": ("s.CyclicLR(o, [0.1, 0.05], [0.3, 0.2], 2, mode='triangular2')", [None] * 8),
    "cyclic_faded": ("s.CyclicLR(o, 0.1, 0.3, 2, mode='exp_range', gamma=0.9)", [None] * 8),
    "sequential": ("s.SequentialLR(o, [s.ConstantLR(o, 0.1, 2), s.ExponentialLR(o, 0.9)], [3])", [None] * 6),
    "plateau": ("s.ReduceLROnPlateau(o, 'min', patience=0, cooldown=1)", [1.0, 2.0, 3.0, 4.0, 5.0, 0.5, 0.6]),
    "plateau_max": ("s.ReduceLROnPlateau(o, 'max', 0.5, 1, 0.2, 'abs', 0, [0.03, 0.0])", [1.0, 1.1, 1.0, 0.9, 2.0]),
}  # fmt: skip


def rates_of(name, ms):
    """The rates of the two groups at the beginning and after each step (list of list of float)."""
    text, steps = STEPPED[name]
    parameters = [ms.Parameter(ms.Tensor(np.ones(2, np.float32)), name=word) for word in ("a", "b")]
    groups = [{"params": parameters[:1]}, {"params": parameters[1:], "lr": 0.05}]
    optimizer = ms.experimental.optim.SGD(groups, 0.2)
    scheduler = eval(text, {"s": ms.experimental.optim.lr_scheduler, "o": optimizer})
    shown = []
    for step in [..., *steps]:
        if step is not ...:
            scheduler.step(*([] if step is None else [step]))
        shown.append([float(group["lr"].asnumpy()) for group in optimizer.param_groups])
    return shown
