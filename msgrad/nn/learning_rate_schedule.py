"""Learning rates that depend on the step: Cells from the step counter to the rate."""

import math

from .. import ops
from ..engine import dtypes
from ..ops import check
from .cell import Cell


class LearningRateSchedule(Cell):
    """The base class: ``construct(global_step)`` gives the learning rate.

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
    """A rate with a decay rate, in steps of ``decay_steps``, whole ones if ``is_stair``."""

    def __init__(self, learning_rate, decay_rate, decay_steps, is_stair=False):
        super().__init__()
        name = self.cls_name
        self.learning_rate = _positive_float(learning_rate, "learning_rate", name)
        self.decay_rate = _positive_float(decay_rate, "decay_rate", name)
        self.decay_steps = check.positive_int(decay_steps, "decay_steps", name)
        if not isinstance(is_stair, bool):
            raise TypeError(
                f"For '{name}', the type of 'is_stair' should be 'bool', but got type '{type(is_stair).__name__}'."
            )
        self.is_stair = is_stair

    def _periods(self, global_step):
        periods = global_step.astype(dtypes.float32) / self.decay_steps
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
    """``learning_rate * exp(-decay_rate * step)``; a stair holds the step for ``decay_steps`` of them.

    Args: as for `ExponentialDecayLR`.
    Source: mindspore.nn.NaturalExpDecayLR
    """

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = global_step.astype(dtypes.float32)
        if self.is_stair:
            step = ops.floor(step / self.decay_steps) * self.decay_steps
        return self.learning_rate * ops.exp(-self.decay_rate * step)


class InverseDecayLR(_Decay):
    """``learning_rate / (1 + decay_rate * step / decay_steps)``.

    Args: as for `ExponentialDecayLR`.
    Source: mindspore.nn.InverseDecayLR
    """

    def construct(self, global_step):
        """The rate at ``global_step``."""
        return self.learning_rate / (1 + self.decay_rate * self._periods(global_step))


class CosineDecayLR(LearningRateSchedule):
    """From ``max_lr`` down to ``min_lr`` along half a cosine, over ``decay_steps`` steps.

    Args:
        min_lr, max_lr (float): ``0 <= min_lr < max_lr``.
        decay_steps (int): positive.
    Example:
        >>> round(nn.CosineDecayLR(0.01, 0.1, 4)(Tensor(2, mindspore.int32)).item(), 4)
        0.055
    Source: mindspore.nn.CosineDecayLR
    """

    def __init__(self, min_lr, max_lr, decay_steps):
        super().__init__()
        self.min_lr = _nonnegative_float(_float_argument(min_lr, "min_lr", self.cls_name), "min_lr", self.cls_name)
        self.max_lr = _positive_float(max_lr, "max_lr", self.cls_name)
        if min_lr >= max_lr:
            raise ValueError(
                "For 'CosineDecayLR', the 'max_lr' must be greater than the 'min_lr', "
                f"but got 'max_lr' value: {max_lr}, 'min_lr' value: {min_lr}."
            )
        self.decay_steps = check.positive_int(decay_steps, "decay_steps", self.cls_name)

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = ops.minimum(global_step.astype(dtypes.float32), float(self.decay_steps))
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1 + ops.cos(math.pi / self.decay_steps * step))


class PolynomialDecayLR(LearningRateSchedule):
    """``(learning_rate - end_learning_rate) * (1 - step / decay_steps) ** power + end_learning_rate``.

    Args:
        learning_rate (float): positive.
        end_learning_rate (float): not negative.
        decay_steps (int), power (float): positive.
        update_decay_steps (bool): whether ``decay_steps`` becomes the next multiple of itself once it is reached; else
            the rate stays at the end. Default: ``False``.
    Source: mindspore.nn.PolynomialDecayLR
    """

    def __init__(self, learning_rate, end_learning_rate, decay_steps, power, update_decay_steps=False):
        super().__init__()
        name = self.cls_name
        self.learning_rate = _positive_float(learning_rate, "learning_rate", name)
        end = _float_argument(end_learning_rate, "end_learning_rate", name)
        self.end_learning_rate = _nonnegative_float(end, "end_learning_rate", name)
        self.decay_steps = check.positive_int(decay_steps, "decay_steps", name)
        self.power = _positive_float(power, "power", name)
        self.update_decay_steps = check.boolean(update_decay_steps, "update_decay_steps", name)

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = global_step.astype(dtypes.float32)
        steps = float(self.decay_steps)
        if self.update_decay_steps:
            steps = steps * ops.maximum(ops.ceil(step / steps), 1.0)
        rest = 1 - ops.minimum(step, steps) / steps
        return (self.learning_rate - self.end_learning_rate) * ops.pow(rest, self.power) + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    """``learning_rate * min(step, warmup_steps) / warmup_steps``.

    Args:
        learning_rate (float): not negative.
        warmup_steps (int): positive.
    Example:
        >>> round(nn.WarmUpLR(0.2, 2)(Tensor(1, mindspore.int32)).item(), 4)
        0.1
    Source: mindspore.nn.WarmUpLR
    """

    def __init__(self, learning_rate, warmup_steps):
        super().__init__()
        rate = _float_argument(learning_rate, "learning_rate", self.cls_name)
        self.learning_rate = _nonnegative_float(rate, "learning_rate", self.cls_name)
        self.warmup_steps = check.positive_int(warmup_steps, "warmup_steps", self.cls_name)

    def construct(self, global_step):
        """The rate at ``global_step``."""
        step = ops.minimum(global_step.astype(dtypes.float32), float(self.warmup_steps))
        return self.learning_rate * step / self.warmup_steps


def _float_argument(value, name, owner):
    if not isinstance(value, float):
        raise TypeError(
            f"For '{owner}', the argument '{name}' must be type of float, but got '{name}' type: {type(value)}."
        )
    return value


def _positive_float(value, name, owner):
    if not isinstance(value, float):
        raise TypeError(f"For '{owner}', the '{name}' must be float, but got '{type(value).__name__}'")
    if value <= 0:
        raise ValueError(
            f"For '{owner}', the '{name}' must be float and must > 0, but got '{value}' with type 'float'."
        )
    return value


def _nonnegative_float(value, name, owner):
    if value < 0:
        raise ValueError(
            f"For '{owner}', the '{name}' must be float and must >= 0, but got '{value}' with type 'float'."
        )
    return value
