"""Learning rate schedules: Cells that map the step to the learning rate."""

import math

from .. import ops
from .._contracts.check import refuse
from .._contracts.contracts import Bool, NonNegativeFloat, PositiveFloat, PositiveInt
from .._contracts.enforcement import checked
from ..engine import dtypes
from .cell import Cell

__all__ = [
    "CosineDecayLR", "ExponentialDecayLR", "InverseDecayLR", "NaturalExpDecayLR", "PolynomialDecayLR", "WarmUpLR",
]  # fmt: skip


class LearningRateSchedule(Cell):
    """The base class: ``construct(global_step)`` returns the learning rate.

    Example:
        >>> class Half(LearningRateSchedule):
        ...     def construct(self, global_step):
        ...         return 0.1 * 0.5 ** global_step.astype(mindspore.float32)
    Source: mindspore.nn.learning_rate_schedule.LearningRateSchedule
    """

    def construct(self, global_step):
        """The rate at ``global_step`` (Tensor, int32): a Tensor of the same shape."""
        raise NotImplementedError


class _Decay(LearningRateSchedule):
    """The base of decays by the exponent ``step / decay_steps``, rounded down if ``is_stair``."""

    @checked
    def __init__(
        self,
        learning_rate: PositiveFloat,
        decay_rate: PositiveFloat,
        decay_steps: PositiveInt,
        is_stair: Bool = False,
    ):
        super().__init__()
        self.learning_rate, self.decay_rate = learning_rate, decay_rate
        self.decay_steps, self.is_stair = decay_steps, is_stair

    def _periods(self, global_step):
        periods = ops.cast(global_step, dtypes.float32) / self.decay_steps
        return ops.floor(periods) if self.is_stair else periods


class ExponentialDecayLR(_Decay):
    """``learning_rate * decay_rate ** (step / decay_steps)``.

    Args:
        learning_rate, decay_rate (float): positive.
        decay_steps (int): positive.
        is_stair (bool): whether to round the exponent down. Default: ``False``.
    Example:
        >>> round(nn.ExponentialDecayLR(0.1, 0.9, 4)(Tensor(4, mindspore.int32)).item(), 4)
        0.09
    Source: mindspore.nn.ExponentialDecayLR
    """

    def construct(self, global_step):
        """The rate at ``global_step``."""
        return self.learning_rate * ops.pow(self.decay_rate, self._periods(global_step))


class NaturalExpDecayLR(_Decay):
    """``learning_rate * exp(-decay_rate * step)``; with ``is_stair`` the step is rounded down to ``decay_steps``.

    Args: as for `ExponentialDecayLR`.
    Example:
        >>> round(nn.NaturalExpDecayLR(0.1, 0.9, 4)(Tensor(1, mindspore.int32)).item(), 4)
        0.0407
    Source: mindspore.nn.NaturalExpDecayLR
    """

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = ops.cast(global_step, dtypes.float32)
        if self.is_stair:
            step = ops.floor(step / self.decay_steps) * self.decay_steps
        return self.learning_rate * ops.exp(-self.decay_rate * step)


class InverseDecayLR(_Decay):
    """``learning_rate / (1 + decay_rate * step / decay_steps)``.

    Args: as for `ExponentialDecayLR`.
    Example:
        >>> round(nn.InverseDecayLR(0.1, 0.5, 4)(Tensor(2, mindspore.int32)).item(), 4)
        0.08
    Source: mindspore.nn.InverseDecayLR
    """

    def construct(self, global_step):
        """The rate at ``global_step``."""
        return self.learning_rate / (1 + self.decay_rate * self._periods(global_step))


class CosineDecayLR(LearningRateSchedule):
    """Cosine decay from ``max_lr`` to ``min_lr`` over ``decay_steps`` steps.

    Args:
        min_lr, max_lr (float): ``0 <= min_lr < max_lr``.
        decay_steps (int): positive.
    Example:
        >>> round(nn.CosineDecayLR(0.01, 0.1, 4)(Tensor(2, mindspore.int32)).item(), 4)
        0.055
    Source: mindspore.nn.CosineDecayLR
    """

    @checked
    def __init__(self, min_lr: NonNegativeFloat, max_lr: PositiveFloat, decay_steps: PositiveInt):
        super().__init__()
        if min_lr >= max_lr:
            refuse(ValueError, self.cls_name, "max_lr", f"greater than the 'min_lr', {min_lr}", max_lr)
        self.min_lr, self.max_lr, self.decay_steps = min_lr, max_lr, decay_steps

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = ops.minimum(ops.cast(global_step, dtypes.float32), float(self.decay_steps))
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1 + ops.cos(math.pi / self.decay_steps * step))


class PolynomialDecayLR(LearningRateSchedule):
    """``(learning_rate - end_learning_rate) * (1 - step / decay_steps) ** power + end_learning_rate``.

    Args:
        learning_rate (float): positive.
        end_learning_rate (float): non-negative.
        decay_steps (int), power (float): positive.
        update_decay_steps (bool): whether ``decay_steps`` becomes the next multiple of itself once it is reached; else
            the rate stays at the end. Default: ``False``.
    Example:
        >>> round(nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5)(Tensor(4, mindspore.int32)).item(), 4)
        0.01
    Source: mindspore.nn.PolynomialDecayLR
    """

    @checked
    def __init__(
        self,
        learning_rate: PositiveFloat,
        end_learning_rate: NonNegativeFloat,
        decay_steps: PositiveInt,
        power: PositiveFloat,
        update_decay_steps: Bool = False,
    ):
        super().__init__()
        self.learning_rate, self.end_learning_rate = learning_rate, end_learning_rate
        self.decay_steps, self.power, self.update_decay_steps = decay_steps, power, update_decay_steps

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = ops.cast(global_step, dtypes.float32)
        steps = float(self.decay_steps)
        if self.update_decay_steps:
            steps = steps * ops.maximum(ops.ceil(step / steps), 1.0)
        rest = 1 - ops.minimum(step, steps) / steps
        return (self.learning_rate - self.end_learning_rate) * ops.pow(rest, self.power) + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    """``learning_rate * min(step, warmup_steps) / warmup_steps``.

    Args:
        learning_rate (float): non-negative.
        warmup_steps (int): positive.
    Example:
        >>> round(nn.WarmUpLR(0.2, 2)(Tensor(1, mindspore.int32)).item(), 4)
        0.1
    Source: mindspore.nn.WarmUpLR
    """

    @checked
    def __init__(self, learning_rate: NonNegativeFloat, warmup_steps: PositiveInt):
        super().__init__()
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = ops.minimum(ops.cast(global_step, dtypes.float32), float(self.warmup_steps))
        return self.learning_rate * step / self.warmup_steps
