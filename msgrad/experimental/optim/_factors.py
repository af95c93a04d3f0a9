"""Schedulers that multiply the rates of all groups by one factor."""

import bisect
import collections
from typing import Any

from ..._contracts import check
from ...engine.refusal import refuse, require
from ._schedule import LRScheduler


class ByFactor(LRScheduler):
    """A scheduler with one factor for all groups; a subclass defines the factor of an epoch.

    ``_factor_(epoch)`` is relative to the previous epoch, ``_share_(epoch)`` to the initial rate.
    """

    _factor_: Any
    _share_: Any

    def get_lr(self):
        """The rates of this epoch."""
        factor = self._factor_(self.last_epoch.item())
        return [rate * factor for rate in self._last_lr]

    def _get_closed_form_lr(self):
        share = self._share_(self.last_epoch.item())
        return [rate * share for rate in self.base_lrs]


class StepLR(ByFactor):
    """Multiplies the rate by ``gamma`` every ``step_size`` epochs.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        step_size (int): Default: none.
        gamma (float): Default: ``0.1``.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.5)
        >>> scheduler.step()
        True
    Source: mindspore.experimental.optim.lr_scheduler.StepLR
    """

    def __init__(self, optimizer, step_size, gamma=0.1, last_epoch=-1):
        self.step_size = require(step_size, int, "StepLR", "step_size")
        self.gamma = require(gamma, float, "StepLR", "gamma")
        super().__init__(optimizer, last_epoch)

    def _factor_(self, epoch):
        return self.gamma if epoch and epoch % self.step_size == 0 else 1.0

    def _share_(self, epoch):
        return self.gamma ** (epoch // self.step_size)


class LinearLR(ByFactor):
    """Scales the rate linearly from ``start_factor`` to ``end_factor`` in ``total_iters`` epochs.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        start_factor (float): in ``(0, 1]``. Default: ``1 / 3``.
        end_factor (float): in ``[0, 1]``. Default: ``1.0``.
        total_iters (int): Default: ``5``.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.LinearLR(optimizer, start_factor=0.5)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.05
    Source: mindspore.experimental.optim.lr_scheduler.LinearLR
    """

    def __init__(self, optimizer, start_factor=1.0 / 3, end_factor=1.0, total_iters=5, last_epoch=-1):
        if not 0 < start_factor <= 1:
            refuse(ValueError, "LinearLR", "start_factor", "in (0, 1]", start_factor)
        if not 0 <= end_factor <= 1:
            refuse(ValueError, "LinearLR", "end_factor", "in [0, 1]", end_factor)
        self.start_factor, self.end_factor = start_factor, end_factor
        self.total_iters = require(total_iters, int, "LinearLR", "total_iters")
        super().__init__(optimizer, last_epoch)

    def _factor_(self, epoch):
        if epoch == 0:
            return self.start_factor
        if epoch > self.total_iters:
            return 1.0
        rise = self.end_factor - self.start_factor
        return 1.0 + rise / (self.total_iters * self.start_factor + (epoch - 1) * rise)

    def _share_(self, epoch):
        rise = self.end_factor - self.start_factor
        return self.start_factor + rise * min(self.total_iters, epoch) / self.total_iters


class ExponentialLR(ByFactor):
    """Multiplies the rate by ``gamma`` in every epoch.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        gamma (float): Default: none.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.5)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.ExponentialLR
    """

    def __init__(self, optimizer, gamma, last_epoch=-1):
        self.gamma = require(gamma, float, "ExponentialLR", "gamma")
        super().__init__(optimizer, last_epoch)

    def _factor_(self, epoch):
        return self.gamma if epoch else 1.0

    def _share_(self, epoch):
        return self.gamma**epoch


class PolynomialLR(ByFactor):
    """Multiplies the initial rate by ``(1 - epoch / total_iters) ** power``.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        total_iters (int): Default: ``5``.
        power (float): non-negative. Default: ``1.0``.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.PolynomialLR(optimizer, total_iters=4)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.PolynomialLR
    """

    def __init__(self, optimizer, total_iters=5, power=1.0, last_epoch=-1):
        self.power = check.non_negative_float(power, "power", "PolynomialLR")
        self.total_iters = require(total_iters, int, "PolynomialLR", "total_iters")
        super().__init__(optimizer, last_epoch)

    def _factor_(self, epoch):
        if epoch == 0 or epoch > self.total_iters:
            return 1.0
        return ((1 - epoch / self.total_iters) / (1 - (epoch - 1) / self.total_iters)) ** self.power

    def _share_(self, epoch):
        return (1 - min(self.total_iters, epoch) / self.total_iters) ** self.power


class ConstantLR(ByFactor):
    """Multiplies the rate by ``factor`` for the first ``total_iters`` epochs.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        factor (float): in ``[0, 1]``. Default: ``1 / 3``.
        total_iters (int): Default: ``5``.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.ConstantLR(optimizer, factor=0.5)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.05
    Source: mindspore.experimental.optim.lr_scheduler.ConstantLR
    """

    def __init__(self, optimizer, factor=1.0 / 3, total_iters=5, last_epoch=-1):
        if not 0 <= factor <= 1:
            refuse(ValueError, "ConstantLR", "factor", "in [0, 1]", factor)
        self._factor = factor
        self.total_iters = require(total_iters, int, "ConstantLR", "total_iters")
        super().__init__(optimizer, last_epoch)

    def _factor_(self, epoch):
        if epoch == 0:
            return self._factor
        return 1 / self._factor if epoch == self.total_iters else 1.0

    def _share_(self, epoch):
        return 1.0 if epoch >= self.total_iters else self._factor


class MultiStepLR(ByFactor):
    """Multiplies the rate by ``gamma`` at each milestone.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        milestones (list[int]): the epochs; one listed twice counts twice.
        gamma (float | int): Default: ``0.1``.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2, 4])
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.MultiStepLR
    """

    def __init__(self, optimizer, milestones, gamma=0.1, last_epoch=-1):
        for position, each in enumerate(require(milestones, list, "MultiStepLR", "milestones")):
            require(each, int, "MultiStepLR", f"milestones[{position}]")
        self.gamma = require(gamma, (float, int), "MultiStepLR", "gamma")
        self.milestones = collections.Counter(milestones)
        super().__init__(optimizer, last_epoch)

    def _factor_(self, epoch):
        return float(self.gamma ** self.milestones[int(epoch)])

    def _share_(self, epoch):
        return float(self.gamma ** bisect.bisect_right(sorted(self.milestones.elements()), epoch))
