"""Cyclic learning rate schedules."""

import math
from typing import Any

from ... import ops
from ...engine import dtypes
from ...engine.refusal import refuse, require
from ...tensor.tensor import Tensor
from ._schedule import LRScheduler, each_group


class CosineAnnealingLR(LRScheduler):
    """Cosine annealing: the rate falls to ``eta_min`` in ``T_max`` epochs along a cosine, and rises again.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        T_max (int): Default: none.
        eta_min (float | int): Default: ``0.0``.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=4)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.CosineAnnealingLR
    """

    def __init__(self, optimizer, T_max, eta_min=0.0, last_epoch=-1):
        self.eta_min = require(eta_min, (float, int), "CosineAnnealingLR", "eta_min")
        self.T_max = require(T_max, int, "CosineAnnealingLR", "T_max")
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of this epoch."""
        epoch, maximum, minimum = self.last_epoch.item(), self.T_max, self.eta_min
        if epoch == 0:
            return [rate * 1.0 for rate in self._last_lr]
        if (epoch - 1 - maximum) % (2 * maximum) == 0:
            rise = (1 - math.cos(math.pi / maximum)) / 2
            return [rate + (base - minimum) * rise for base, rate in zip(self.base_lrs, self._last_lr, strict=True)]
        ratio = (1 + math.cos(math.pi * epoch / maximum)) / (1 + math.cos(math.pi * (epoch - 1) / maximum))
        return [(rate - minimum) * ratio + minimum for rate in self._last_lr]

    def _get_closed_form_lr(self):
        share = (1 + math.cos(math.pi * self.last_epoch.item() / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """Cosine annealing to ``eta_min`` with warm restarts; each cycle is ``T_mult`` times as long as the last.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        T_0 (int): the epochs of the first cycle, positive.
        T_mult (int): positive. Default: ``1``.
        eta_min (float | int): Default: ``0``.
        last_epoch (int): Default: ``-1``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.CosineAnnealingWarmRestarts(optimizer, T_0=2)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.CosineAnnealingWarmRestarts
    """

    def __init__(self, optimizer, T_0, T_mult=1, eta_min=0, last_epoch=-1):
        for name, value in (("T_0", T_0), ("T_mult", T_mult)):
            if not isinstance(value, int) or value < 1:
                refuse(ValueError, "CosineAnnealingWarmRestarts", name, "a positive int", value)
        require(eta_min, (float, int), "CosineAnnealingWarmRestarts", "eta_min")
        self.T_0, self.T_i, self.T_cur = T_0, T_0, last_epoch
        self.T_mult, self.eta_min = T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self):
        """The rates of this epoch."""
        share = (1 + math.cos(math.pi * self.T_cur / self.T_i)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]

    def step(self, epoch=None):
        """Writes the rates of the next epoch, or of ``epoch`` (int | float).

        Raises:
            ValueError: for a negative epoch.
        """
        if epoch is None and self.last_epoch.item() >= 0:
            epoch = self.last_epoch.item() + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur, self.T_i = self.T_cur - self.T_i, self.T_i * self.T_mult
        else:
            epoch = 0 if epoch is None else float(epoch)
            if epoch < 0:
                refuse(ValueError, "CosineAnnealingWarmRestarts", "epoch", "from 0 on", epoch)
            self._jump(epoch)
        ops.assign(self.last_epoch, float(math.floor(epoch)))
        self._write(self.get_lr())

    def _jump(self, epoch):
        if epoch < self.T_0:
            self.T_i, self.T_cur = self.T_0, epoch
        elif self.T_mult == 1:
            self.T_cur = epoch % self.T_0
        else:
            turns = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
            self.T_cur = epoch - self.T_0 * (self.T_mult**turns - 1) / (self.T_mult - 1)
            self.T_i = self.T_0 * self.T_mult**turns


_SCALES = {  # by mode: the scale factor, and whether it is a function of the cycle or of the epoch
    "triangular": (lambda gamma: lambda x: 1.0, "cycle"),
    "triangular2": (lambda gamma: lambda x: 1 / 2.0 ** (x - 1), "cycle"),
    "exp_range": (lambda gamma: lambda x: gamma**x, "iterations"),
}


class CyclicLR(LRScheduler):
    """Cyclical learning rate: linearly from ``base_lr`` to ``max_lr`` and back.

    Args:
        optimizer (Optimizer): of `experimental.optim`.
        base_lr, max_lr (float | list[float]): one, or one for each group.
        step_size_up (int): the epochs of the rising half of a cycle. Default: ``2000``.
        step_size_down (int): the epochs of the falling half. Default: ``None``, as many.
        mode (str): ``'triangular'``; ``'triangular2'`` halves the amplitude in each cycle, ``'exp_range'`` multiplies
            it by ``gamma`` in each epoch. Default: ``'triangular'``.
        gamma (float): Default: ``1.0``.
        scale_fn (function): a scale factor by cycle or epoch, used instead of ``mode``. Default: ``None``.
        scale_mode (str): the argument of ``scale_fn``: ``'cycle'`` or ``'iterations'``. Default: ``'cycle'``.
        last_epoch (int): Default: ``-1``.
    Raises:
        ValueError: for other values.
    Example:
        >>> scheduler = optim.lr_scheduler.CyclicLR(optimizer, base_lr=0.1, max_lr=0.2)
        >>> round(scheduler.get_last_lr()[0].item(), 4)
        0.1
    Source: mindspore.experimental.optim.lr_scheduler.CyclicLR
    """

    scale_fn: Any

    def __init__(
        self,
        optimizer,
        base_lr,
        max_lr,
        step_size_up=2000,
        step_size_down=None,
        mode="triangular",
        gamma=1.0,
        scale_fn=None,
        scale_mode="cycle",
        last_epoch=-1,
    ):
        base = each_group(optimizer, base_lr, "CyclicLR", "base_lr")
        self.max_lrs = each_group(optimizer, max_lr, "CyclicLR", "max_lr")
        if scale_fn is None and mode not in _SCALES:
            refuse(ValueError, "CyclicLR", "mode", f"one of {tuple(_SCALES)}", mode)
        self.mode, self.gamma, self.scale_fn, self.scale_mode = mode, gamma, scale_fn, scale_mode
        if scale_fn is None:
            make, self.scale_mode = _SCALES[mode]
            self.scale_fn = make(gamma)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_step_size = float(step_size_up + down)
        self.step_up_ratio = step_size_up / self.total_step_size
        if last_epoch == -1:
            for rate, group in zip(base, optimizer.param_groups, strict=True):
                ops.assign(group["lr"], rate)
        self._bases = base
        super().__init__(optimizer, last_epoch)
        self.base_lrs = [Tensor(rate, dtypes.float32) for rate in base]

    def get_lr(self):
        """The rates of this epoch."""
        epoch = self.last_epoch.item()
        cycle = math.floor(1 + epoch / self.total_step_size)
        x = 1.0 + epoch / self.total_step_size - cycle
        ratio = self.step_up_ratio
        height = (x / ratio if x <= ratio else (x - 1) / (ratio - 1)) * self.scale_fn(
            cycle if self.scale_mode == "cycle" else epoch
        )
        return [base + (maximum - base) * height for base, maximum in zip(self._bases, self.max_lrs, strict=True)]
