"""Callbacks that ``map`` calls at the beginning and end of epochs and steps."""

from .._contracts import check


class DSCallback:
    """The base of callbacks of ``map``; their methods take a `RunContext`.

    A subclass defines the methods that it needs.

    Args:
        step_size (int): the number of steps between calls of the step methods. Default: ``1``.
    Raises:
        TypeError: if it is not an int.  ValueError: if it is below 1.
    Source: mindspore.dataset.DSCallback
    """

    def __init__(self, step_size=1):
        self.step_size = check.positive_int(step_size, "step_size", "DSCallback")

    def ds_begin(self, ds_run_context):
        """Called before the first row."""

    def ds_epoch_begin(self, ds_run_context):
        """Called at the beginning of an epoch."""

    def ds_epoch_end(self, ds_run_context):
        """Called at the end of an epoch."""

    def ds_step_begin(self, ds_run_context):
        """Called before a row."""

    def ds_step_end(self, ds_run_context):
        """Called after a row."""


class RunContext:
    """The position of a pipeline.

    Attributes:
        cur_epoch_num (int): the epoch, from 1.
        cur_step_num_in_epoch, cur_step_num (int): the step in its epoch and in total, from 1.
    """

    cur_epoch_num = cur_step_num = cur_step_num_in_epoch = 0


class Calls:
    """Calls callbacks around the rows of one ``map``.

    Args:
        callbacks (list[DSCallback]): to call.
    """

    def __init__(self, callbacks):
        self.callbacks, self.context = callbacks, RunContext()

    def around(self, rows, change):
        """Yields ``change(number, row)`` for each of ``rows`` (iterable): one epoch."""
        context = self.context
        if not context.cur_epoch_num:
            self._call("ds_begin")
        context.cur_epoch_num += 1
        self._call("ds_epoch_begin")
        for number, row in enumerate(rows):
            context.cur_step_num_in_epoch = number + 1
            context.cur_step_num += 1
            self._call("ds_step_begin", number)
            yield change(number, row)
            self._call("ds_step_end", number)
        self._call("ds_epoch_end")

    def _call(self, name, number=0):
        for callback in self.callbacks:
            if number % callback.step_size == 0:
                getattr(callback, name)(self.context)
