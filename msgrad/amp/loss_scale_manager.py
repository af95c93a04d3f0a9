"""Loss scale managers, for `Model` and training cells."""

from .._contracts.contracts import PositiveInt, PositiveReal, Real
from .._contracts.enforcement import checked
from ..engine.refusal import refuse
from ..nn.wrap.loss_scale import DynamicLossScaleUpdateCell, FixedLossScaleUpdateCell


class LossScaleManager:
    """The base class: a scale, and how an overflow changes it. Source: mindspore.amp.LossScaleManager"""

    def get_loss_scale(self):
        """The scale. Source: mindspore.amp.LossScaleManager.get_loss_scale"""

    def update_loss_scale(self, overflow):
        """Changes the scale after a step, which had an ``overflow`` or not (bool).

        Source: mindspore.amp.LossScaleManager.update_loss_scale
        """

    def get_update_cell(self):
        """The Cell that changes the scale within a step, or None.

        Source: mindspore.amp.LossScaleManager.get_update_cell
        """


class FixedLossScaleManager(LossScaleManager):
    """A constant loss scale.

    Args:
        loss_scale (float): at least 1; the optimizer's ``loss_scale`` must be the same unless steps are dropped.
            Default: ``128.0``.
        drop_overflow_update (bool): whether a step with an overflow is skipped. Default: ``True``.
    Raises:
        ValueError: for a scale below 1.
    Example:
        >>> amp.FixedLossScaleManager(1024.0, False).get_update_cell() is None
        True
    Source: mindspore.amp.FixedLossScaleManager
    """

    @checked
    def __init__(self, loss_scale: Real = 128.0, drop_overflow_update=True):
        if loss_scale < 1:
            refuse(ValueError, "FixedLossScaleManager", "loss_scale", "at least 1", loss_scale)
        self._loss_scale = loss_scale
        self._drop_overflow_update = drop_overflow_update

    def get_loss_scale(self):
        """The scale. Source: mindspore.amp.FixedLossScaleManager.get_loss_scale"""
        return self._loss_scale

    def get_drop_overflow_update(self):
        """Whether a step with an overflow is skipped (bool).

        Source: mindspore.amp.FixedLossScaleManager.get_drop_overflow_update
        """
        return self._drop_overflow_update

    def get_update_cell(self):
        """A `FixedLossScaleUpdateCell`, or None if no step is skipped.

        Source: mindspore.amp.FixedLossScaleManager.get_update_cell
        """
        return FixedLossScaleUpdateCell(self._loss_scale) if self._drop_overflow_update else None


class DynamicLossScaleManager(LossScaleManager):
    """A dynamic loss scale: it is lowered after an overflow, and raised after a number of steps without one.

    Args:
        init_loss_scale (float): the initial scale, at least 1. Default: ``2**24``.
        scale_factor (int): the factor by which it is lowered and raised, above 0. Default: ``2``.
        scale_window (int): the number of steps without an overflow after which it is raised. Default: ``2000``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> manager = amp.DynamicLossScaleManager(1024)
        >>> manager.update_loss_scale(True)
        >>> manager.get_loss_scale()
        512.0
    Source: mindspore.amp.DynamicLossScaleManager
    """

    _MOST_BAD_STEPS = 1000

    @checked
    def __init__(self, init_loss_scale: Real = 2**24, scale_factor: PositiveReal = 2, scale_window: PositiveInt = 2000):
        if init_loss_scale < 1:
            refuse(ValueError, "DynamicLossScaleManager", "init_loss_scale", "at least 1", init_loss_scale)
        self.loss_scale, self.scale_factor, self.scale_window = init_loss_scale, scale_factor, scale_window
        self.cur_iter, self.last_overflow_iter, self.bad_step = 1, 0, 0

    def get_loss_scale(self):
        """The scale. Source: mindspore.amp.DynamicLossScaleManager.get_loss_scale"""
        return self.loss_scale

    def update_loss_scale(self, overflow):
        """Changes the scale after a step, which had an ``overflow`` or not (bool).

        Raises:
            RuntimeError: after more than 1 000 overflows in succession.
        Source: mindspore.amp.DynamicLossScaleManager.update_loss_scale
        """
        if overflow:
            self.loss_scale = max(self.loss_scale / self.scale_factor, 1)
            self.last_overflow_iter = self.cur_iter
            self.bad_step += 1
        else:
            if (self.cur_iter - self.last_overflow_iter) % self.scale_window == 0:
                self.loss_scale *= self.scale_factor
            self.bad_step = 0
        if self.bad_step > self._MOST_BAD_STEPS:
            raise RuntimeError(f"For 'DynamicLossScaleManager', {self.bad_step} steps in succession had an overflow.")
        self.cur_iter += 1

    def get_drop_overflow_update(self):
        """True: a step with an overflow is skipped.

        Source: mindspore.amp.DynamicLossScaleManager.get_drop_overflow_update
        """
        return True

    def get_update_cell(self):
        """A `DynamicLossScaleUpdateCell` that begins with this scale.

        Source: mindspore.amp.DynamicLossScaleManager.get_update_cell
        """
        return DynamicLossScaleUpdateCell(self.loss_scale, self.scale_factor, self.scale_window)
