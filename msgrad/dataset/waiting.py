"""`WaitedDSCallback`: synchronizes ``map`` with training."""

import threading

from ..train.callback import Callback  # imports upwards, since it is a callback of both
from . import config
from .callbacks import DSCallback

_MSG_LATE = (
    "For '{}', training has not ended its {} within {} seconds. Give the callback to Model.train, too, or allow more "
    "with dataset.config.set_callback_timeout."
)


class WaitedDSCallback(Callback, DSCallback):
    """The base of callbacks that ``map`` calls before an epoch or step, after training has finished the previous one.

    Pass one object both to ``map`` and to `Model.train`. A subclass defines ``sync_epoch_begin`` and
    ``sync_step_begin`` as needed; they take training's `RunContext` and the pipeline's. They are called from the second
    epoch, or step, on.

    Args:
        step_size (int): the number of rows of a step, usually the batch size. Default: ``1``.
    Raises:
        RuntimeError: while reading, if training takes longer than ``config.get_callback_timeout()`` seconds.
    Source: mindspore.dataset.WaitedDSCallback
    """

    def __init__(self, step_size=1):
        DSCallback.__init__(self, step_size)
        self._ends = {"epoch": _End(), "step": _End()}

    def sync_epoch_begin(self, train_run_context, ds_run_context):
        """Called before an epoch of the pipeline, after training has finished the previous one."""

    def sync_step_begin(self, train_run_context, ds_run_context):
        """Called before a step of the pipeline, after training has finished the previous one."""

    def epoch_end(self, run_context):
        """Called by training."""
        self._ends["epoch"].come(run_context)

    def step_end(self, run_context):
        """Called by training."""
        self._ends["step"].come(run_context)

    def end(self, run_context):
        """Called by training at its end: stops all waiting."""
        for each in self._ends.values():
            each.is_last = True
            each.come(run_context)

    def ds_epoch_begin(self, ds_run_context):
        """Called by ``map``."""
        if ds_run_context.cur_epoch_num > 1 and self._defines("sync_epoch_begin"):
            self.sync_epoch_begin(self._waited("epoch"), ds_run_context)

    def ds_step_begin(self, ds_run_context):
        """Called by ``map``."""
        if ds_run_context.cur_step_num > self.step_size and self._defines("sync_step_begin"):
            self.sync_step_begin(self._waited("step"), ds_run_context)

    def _defines(self, name):
        return getattr(type(self), name) is not getattr(WaitedDSCallback, name)

    def _waited(self, name):
        seconds = config.get_callback_timeout()
        if not self._ends[name].wait(seconds):
            raise RuntimeError(_MSG_LATE.format(type(self).__name__, name, seconds))
        return self._ends[name].context


class _End:
    """A condition for the end of each epoch or step."""

    def __init__(self):
        self.context, self.is_last, self._has_come = None, False, threading.Event()

    def come(self, context):
        self.context = context
        self._has_come.set()

    def wait(self, seconds):
        has_come = self._has_come.wait(seconds)
        if not self.is_last:
            self._has_come.clear()
        return has_come
