"""Learning rate schedulers: each ``step()`` writes the rates of an optimizer's groups."""

import bisect
import math

from ... import ops
from ..._contracts import check
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ._cyclic_schedules import CosineAnnealingLR, CosineAnnealingWarmRestarts, CyclicLR
from ._factors import ConstantLR, ExponentialLR, LinearLR, MultiStepLR, PolynomialLR, StepLR
from ._schedule import LRScheduler, each_group
from .optimizer import Optimizer

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


class LambdaLR(LRScheduler):
    """Multiplies the initial rate by a function of the epoch.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        lr_lambda (function | list[function]): of the epoch, a Tensor; one, or one for each group.
        last_epoch (int): Default: ``-1``.
    Raises:
        ValueError: for another number of functions.
    Example:
        >>> scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 0.95**epoch)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.LambdaLR
    """

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = each_group(optimizer, lr_lambda, "LambdaLR", "lr_lambda")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of this epoch."""
        return [rate * fn(self.last_epoch) for fn, rate in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(LRScheduler):
    """Multiplies the rate in every epoch by a function of the epoch.

    Args: as for `LambdaLR`.
    Raises:
        ValueError: for another number of functions.
    Example:
        >>> scheduler = optim.lr_scheduler.MultiplicativeLR(optimizer, lambda epoch: 0.95)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.MultiplicativeLR
    """

    def __init__(self, optimizer, lr_lambda, last_epoch=-1):
        self.lr_lambdas = each_group(optimizer, lr_lambda, "MultiplicativeLR", "lr_lambda")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of this epoch."""
        if self.last_epoch.item() <= 0:
            return [rate * 1.0 for rate in self._last_lr]
        return [rate * fn(self.last_epoch) for fn, rate in zip(self.lr_lambdas, self._last_lr, strict=True)]


class SequentialLR:
    """Runs several schedulers one after the other.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        schedulers (list[LRScheduler]): of that optimizer.
        milestones (list[int]): the epochs at which the next one begins.
        last_epoch (int): Default: ``-1``.
    Raises:
        ValueError: for schedules of another optimizer, or another number of milestones.
    Example:
        >>> parts = [optim.lr_scheduler.ConstantLR(optimizer, 0.1, 2), optim.lr_scheduler.ExponentialLR(optimizer, 0.9)]
        >>> scheduler = optim.lr_scheduler.SequentialLR(optimizer, parts, milestones=[2])
    Source: mindspore.experimental.optim.lr_scheduler.SequentialLR
    """

    def __init__(self, optimizer, schedulers, milestones, last_epoch=-1):
        if any(each.optimizer is not optimizer for each in schedulers):
            refuse(ValueError, "SequentialLR", "schedulers", "schedules of the 'optimizer'", schedulers)
        if len(milestones) != len(schedulers) - 1:
            refuse(ValueError, "SequentialLR", "milestones", f"{len(schedulers) - 1} ints", milestones)
        self.optimizer, self._schedulers, self.milestones = optimizer, schedulers, milestones
        self.last_epoch = Parameter(Tensor(float(last_epoch + 1), dtypes.float32), name="last_epoch_SequentialLR")
        for group in optimizer.param_groups:
            ops.assign(group["lr"], group["initial_lr"])
        for each in schedulers:
            ops.assign_sub(each.last_epoch, Tensor(1.0, dtypes.float32))
        schedulers[0].step()
        self._last_lr = schedulers[0]._last_lr

    def step(self):
        """Writes the rates of the next epoch."""
        ops.assign_add(self.last_epoch, Tensor(1.0, dtypes.float32))
        epoch = int(self.last_epoch.item())
        index = bisect.bisect_right(self.milestones, epoch)
        begins = index > 0 and self.milestones[index - 1] == epoch
        self._schedulers[index].step(*([0] if begins else []))

    def get_last_lr(self):
        """The rates of the groups (list[Tensor])."""
        return [rate.value() for rate in self._last_lr]


class ReduceLROnPlateau:
    """Multiplies the rate by ``factor`` when a metric has not improved for more than ``patience`` epochs.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        mode (str): ``'min'`` or ``'max'``: whether a lower or a higher metric is better. Default: ``'min'``.
        factor (float): below 1. Default: ``0.1``.
        patience (int): Default: ``10``.
        threshold (float): the smallest improvement. Default: ``1e-4``.
        threshold_mode (str): ``'rel'`` or ``'abs'``: whether it is relative or absolute. Default: ``'rel'``.
        cooldown (int): the epochs after a change that are not counted. Default: ``0``.
        min_lr (float | list[float]): the smallest rate, of each group. Default: ``0``.
        eps (float): the smallest change. Default: ``1e-8``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, patience=2)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.ReduceLROnPlateau
    """

    def __init__(
        self,
        optimizer,
        mode="min",
        factor=0.1,
        patience=10,
        threshold=1e-4,
        threshold_mode="rel",
        cooldown=0,
        min_lr=0,
        eps=1e-8,
    ):
        if factor >= 1:
            refuse(ValueError, "ReduceLROnPlateau", "factor", "below 1", factor)
        self.optimizer = require(optimizer, Optimizer, "ReduceLROnPlateau", "optimizer")
        self.mode = check.one_of(mode, ("min", "max"), "mode", "ReduceLROnPlateau")
        self.threshold_mode = check.one_of(threshold_mode, ("rel", "abs"), "threshold_mode", "ReduceLROnPlateau")
        self.min_lrs = each_group(optimizer, min_lr, "ReduceLROnPlateau", "min_lr")
        self.factor, self.patience, self.threshold = factor, patience, threshold
        self.cooldown, self.eps = cooldown, eps
        self.best = math.inf if mode == "min" else -math.inf
        self.wait = self.cooldown_counter = 0
        self.last_epoch = Parameter(Tensor(0, dtypes.int32), name="last_epoch_ReduceLROnPlateau")
        self._last_lr = [group["lr"] for group in optimizer.param_groups]

    def step(self, metrics):
        """Takes the metric of an epoch (number | Tensor), and writes the rates of the next epoch; returns True."""
        current = float(metrics)
        ops.assign_add(self.last_epoch, Tensor(1, dtypes.int32))
        if self._is_better(current):
            self.best, self.wait = current, 0
        else:
            self.wait += 1
        if self.in_cooldown():
            self.cooldown_counter, self.wait = self.cooldown_counter - 1, 0
        if self.wait > self.patience:
            for rate, minimum in zip(self._last_lr, self.min_lrs, strict=True):
                old = rate.item()
                new = max(old * self.factor, minimum)
                if old > new + self.eps:
                    ops.assign(rate, new)
            self.cooldown_counter, self.wait = self.cooldown, 0
        return True

    def in_cooldown(self):
        """Whether the cooldown is still running (bool)."""
        return self.cooldown_counter > 0

    def get_last_lr(self):
        """The rates of the groups (list[Tensor])."""
        return [rate.value() for rate in self._last_lr]

    def _is_better(self, current):
        step = self.threshold if self.mode == "max" else -self.threshold
        bound = self.best * (1 + step) if self.threshold_mode == "rel" else self.best + step
        return current > bound if self.mode == "max" else current < bound
