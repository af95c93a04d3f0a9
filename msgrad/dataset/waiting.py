"""`WaitedDSCallback`: what ``map`` and training call, each waiting for the other."""

import threading

from ..train.callback import Callback  # upwards: it is one of both
from . import config
from .callbacks import DSCallback

_MSG_LATE = (
    "For '{}', training has not ended its {} within {} seconds. Give the callback to Model.train, too, or allow more "
    "with dataset.config.set_callback_timeout."
)


class WaitedDSCallback(Callback, DSCallback):
    """The base of callbacks that ``map`` calls before an epoch or a step, after training has ended the one before.

    Give one both to ``map`` and to `Model.train`. A subclass defines what it needs: ``sync_epoch_begin`` and
    ``sync_step_begin`` take what training knows, a `RunContext` of `Model`, and where the pipeline is. They are called
    from the second epoch, or step, on.

    Args:
        step_size (int): how many rows are a step, as a rule the size of a batch. Default: ``1``.
    Raises:
        RuntimeError: while reading, if training takes longer than ``config.get_callback_timeout()`` seconds.
    Source: mindspore.dataset.WaitedDSCallback
    """

    def __init__(self, step_size=1):
        DSCallback.__init__(self, step_size)
        self._ends = {"epoch": _End(), "step": _End()}

    def sync_epoch_begin(self, train_run_context, ds_run_context):
        """Called before an epoch of the pipeline, when training has ended the epoch before."""

    def sync_step_begin(self, train_run_context, ds_run_context):
        """Called before a step of the pipeline, when training has ended the step before."""

    def epoch_end(self, run_context):
        """Called by training."""
        self._ends["epoch"].come(run_context)

    def step_end(self, run_context):
        """Called by training."""
        self._ends["step"].come(run_context)

    def end(self, run_context):
        """Called by training: nothing is waited for any more."""
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
    """The end of an epoch or a step, which comes again and again."""

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
