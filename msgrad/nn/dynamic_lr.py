"""Learning rates as lists: one float for each step."""

import math

from .._contracts import check
from .._contracts.contracts import Bool, Float, NonNegativeFloat, PositiveFloat, PositiveInt
from .._contracts.enforcement import enforced
from .._contracts.kinds import accepted
from ..engine.refusal import refuse
from ..ops._core.families import body

__all__ = [
    "cosine_decay_lr",
    "exponential_decay_lr",
    "inverse_decay_lr",
    "natural_exp_decay_lr",
    "piecewise_constant_lr",
    "polynomial_decay_lr",
    "warmup_lr",
]


def _schedule(function):
    """``function`` with its contracts enforced."""
    return enforced(function, function.__name__)


def _epochs(total_step, step_per_epoch):
    return [step // step_per_epoch for step in range(total_step)]


def piecewise_constant_lr(milestone, learning_rates):
    """``learning_rates[i]`` until step ``milestone[i]``.

    Args:
        milestone (tuple | list): positive ints, non-decreasing.
        learning_rates (tuple | list): as many floats.
    Returns:
        list of ``milestone[-1]`` floats.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> nn.piecewise_constant_lr([1, 3], [0.1, 0.05])
        [0.1, 0.05, 0.05]
    Source: mindspore.nn.piecewise_constant_lr
    """
    owner = "piecewise_constant_lr"
    for name, value in (("milestone", milestone), ("learning_rates", learning_rates)):
        if not isinstance(value, (tuple, list)):
            refuse(TypeError, owner, name, "a tuple or list", value)
    if len(milestone) != len(learning_rates):
        refuse(ValueError, owner, "milestone", f"as long as the 'learning_rates', {len(learning_rates)}", milestone)
    rates, last = [], 0
    for index, (step, rate) in enumerate(zip(milestone, learning_rates, strict=True)):
        check.positive_int(step, f"milestone[{index}]", owner)
        accepted(Float, rate, f"learning_rates[{index}]", owner)
        if step < last:
            refuse(ValueError, owner, f"milestone[{index}]", f"at least milestone[{index - 1}], {last}", step)
        rates += [rate] * (step - last)
        last = step
    return rates


_DECAY = """{summary}

    Args:
        learning_rate, decay_rate (float): positive.
        total_step, step_per_epoch, decay_epoch (int): positive.
        is_stair (bool): whether to round the epoch down to a multiple of ``decay_epoch``. Default: ``False``.
    Returns:
        list of ``total_step`` floats.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> [round(rate, 4) for rate in nn.{name}({example})]
        {value}
    Source: mindspore.nn.{name}
    """
_DECAY_TEXT = (
    "(learning_rate: PositiveFloat, decay_rate: PositiveFloat, total_step: PositiveInt, step_per_epoch: PositiveInt, "
    "decay_epoch: PositiveInt, is_stair: Bool = False)"
)


def _decay(name, rate_at, summary, example, value):
    """A schedule whose rate is ``rate_at(learning_rate, decay_rate, epoch, decay_epoch)``."""

    def compute(learning_rate, decay_rate, total_step, step_per_epoch, decay_epoch, is_stair):
        epochs = _epochs(total_step, step_per_epoch)
        if is_stair:
            epochs = [epoch // decay_epoch * decay_epoch for epoch in epochs]
        return [rate_at(learning_rate, decay_rate, epoch, decay_epoch) for epoch in epochs]

    return _schedule(body(f"{name}{_DECAY_TEXT}", compute, _DECAY, summary=summary, example=example, value=value))


exponential_decay_lr = _decay(
    "exponential_decay_lr",
    lambda rate, decay, epoch, period: rate * decay ** (epoch / period),
    "``learning_rate * decay_rate ** (epoch / decay_epoch)``.",
    "0.5, 0.5, 4, 2, 1",
    "[0.5, 0.5, 0.25, 0.25]",
)
natural_exp_decay_lr = _decay(
    "natural_exp_decay_lr",
    lambda rate, decay, epoch, period: rate * math.exp(-decay * epoch),
    "``learning_rate * exp(-decay_rate * epoch)``.",
    "0.1, 0.9, 3, 2, 1",
    "[0.1, 0.1, 0.0407]",
)
inverse_decay_lr = _decay(
    "inverse_decay_lr",
    lambda rate, decay, epoch, period: rate / (1 + decay * (epoch / period)),
    "``learning_rate / (1 + decay_rate * epoch / decay_epoch)``.",
    "0.5, 1.0, 4, 2, 1",
    "[0.5, 0.5, 0.25, 0.25]",
)


@_schedule
def cosine_decay_lr(
    min_lr: NonNegativeFloat,
    max_lr: PositiveFloat,
    total_step: PositiveInt,
    step_per_epoch: PositiveInt,
    decay_epoch: PositiveInt,
):
    """Cosine decay from ``max_lr`` to ``min_lr`` over ``decay_epoch`` epochs.

    Args:
        min_lr, max_lr (float): ``0 <= min_lr < max_lr``.
        total_step, step_per_epoch, decay_epoch (int): positive.
    Returns:
        list of ``total_step`` floats.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> [round(rate, 4) for rate in nn.cosine_decay_lr(0.01, 0.1, 3, 1, 2)]
        [0.1, 0.055, 0.01]
    Source: mindspore.nn.cosine_decay_lr
    """
    if min_lr >= max_lr:
        refuse(ValueError, "cosine_decay_lr", "max_lr", f"greater than the 'min_lr', {min_lr}", max_lr)
    epochs = [min(epoch, decay_epoch) for epoch in _epochs(total_step, step_per_epoch)]
    return [min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * epoch / decay_epoch)) for epoch in epochs]


@_schedule
def polynomial_decay_lr(
    learning_rate: PositiveFloat,
    end_learning_rate: NonNegativeFloat,
    total_step: PositiveInt,
    step_per_epoch: PositiveInt,
    decay_epoch: PositiveInt,
    power: PositiveFloat,
    update_decay_epoch: Bool = False,
):
    """``(learning_rate - end_learning_rate) * (1 - epoch / decay_epoch) ** power + end_learning_rate``.

    Args:
        learning_rate (float): positive.
        end_learning_rate (float): non-negative.
        total_step, step_per_epoch, decay_epoch (int), power (float): positive.
        update_decay_epoch (bool): whether ``decay_epoch`` becomes the next multiple of itself once it is reached; else
            the rate stays at the end. Default: ``False``.
    Returns:
        list of ``total_step`` floats.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> [round(rate, 4) for rate in nn.polynomial_decay_lr(0.1, 0.02, 3, 1, 2, 1.0)]
        [0.1, 0.06, 0.02]
    Source: mindspore.nn.polynomial_decay_lr
    """
    rates = []
    for epoch in _epochs(total_step, step_per_epoch):
        epochs = decay_epoch * max(math.ceil(epoch / decay_epoch), 1) if update_decay_epoch else decay_epoch
        rest = 1 - min(epoch, epochs) / epochs
        rates.append((learning_rate - end_learning_rate) * rest**power + end_learning_rate)
    return rates


@_schedule
def warmup_lr(
    learning_rate: NonNegativeFloat, total_step: PositiveInt, step_per_epoch: PositiveInt, warmup_epoch: PositiveInt
):
    """``learning_rate * min(epoch, warmup_epoch) / warmup_epoch``.

    Args:
        learning_rate (float): non-negative.
        total_step, step_per_epoch, warmup_epoch (int): positive.
    Returns:
        list of ``total_step`` floats.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> nn.warmup_lr(0.5, 4, 1, 2)
        [0.0, 0.25, 0.5, 0.5]
    Source: mindspore.nn.warmup_lr
    """
    epochs = [min(epoch, warmup_epoch) for epoch in _epochs(total_step, step_per_epoch)]
    return [learning_rate * epoch / warmup_epoch for epoch in epochs]
