"""Callbacks that print: the loss, the time."""

import math
import time

import numpy as np

from ..._contracts import check
from ..._contracts.check import shown
from ..._contracts.contracts import Bool
from ..._contracts.enforcement import checked
from ...tensor.tensor import Tensor
from ._base import Callback, loss_in

_MSG_TIMES = "The input value must be int, 0 or more, for 'per_print_times' of 'LossMonitor', but got {}."
_MSG_NOT_FINITE = (
    "In epoch: {} step: {}, loss is NAN or INF, here {}. Training ends: look for a learning rate that is too high."
)


class LossMonitor(Callback):
    """Prints the loss: ``epoch: 1 step: 3, loss is 0.25``; after an epoch of `Model.fit` the metrics.

    Args:
        per_print_times (int): the number of steps between prints; 0 prints no loss. Default: ``1``.
    Raises:
        TypeError: if it is not an int.
        ValueError: if it is negative; during training, if the loss is not finite.
    Example:
        >>> facts = {"cur_step_num": 3, "batch_num": 4, "net_outputs": Tensor(0.25)}
        >>> facts = mindspore.train.callback._InternalCallbackParam(facts)
        >>> ms.LossMonitor().step_end(ms.RunContext(facts))
        epoch: 1 step: 3, loss is 0.25
    Source: mindspore.train.LossMonitor
    """

    def __init__(self, per_print_times=1):
        super().__init__()
        is_int = isinstance(per_print_times, int) and not isinstance(per_print_times, bool)
        if not is_int or per_print_times < 0:
            raise (ValueError if is_int else TypeError)(_MSG_TIMES.format(shown(per_print_times)))
        self._per_print_times = per_print_times
        self._last_print_time = 0
        self._told = None  # the last step of which a launch has told

    def step_end(self, run_context):
        """Prints the loss, if it is due. Source: mindspore.train.LossMonitor.step_end"""
        facts = run_context.original_args()
        told, self._told = self._told, None
        if facts.cur_step_num != told:
            self._print(facts, facts.cur_step_num, loss_in(facts.net_outputs))

    def _launched(self, run_context, steps, losses):
        """In sink mode, prints the loss of each step of a launch that is due, as MindSpore does on a CPU."""
        if losses.tensor is not None:
            for step, loss in zip(steps, losses.rows(), strict=True):
                loss = float(np.mean(loss)) if losses.is_alone else Tensor(loss)
                self._print(run_context.original_args(), step, loss)
            self._told = steps[-1]

    def _print(self, facts, step, loss):
        epoch, step_in_epoch = facts.get("cur_epoch_num", 1), (step - 1) % facts.batch_num + 1
        if isinstance(loss, float) and not math.isfinite(loss):
            raise ValueError(_MSG_NOT_FINITE.format(epoch, step_in_epoch, loss))
        if not self._per_print_times:
            return
        if step <= self._last_print_time:  # another run
            self._last_print_time = 0
        if step - self._last_print_time >= self._per_print_times:
            self._last_print_time = step
            print(f"epoch: {epoch} step: {step_in_epoch}, loss is {loss}", flush=True)

    def on_train_epoch_end(self, run_context):
        """Prints the metrics of `Model.fit`. Source: mindspore.train.LossMonitor.on_train_epoch_end"""
        facts = run_context.original_args()
        if facts.get("metrics"):
            print(f"Eval result: epoch {facts.cur_epoch_num}, metrics: {facts.metrics}")


class TimeMonitor(Callback):
    """Prints the time of each epoch: ``Train epoch time: 34.567 ms, per step time: 1.234 ms``.

    Args:
        data_size (int): the number of steps of an epoch, if the run does not give it. Default: ``None``.
        data_time (bool): whether to print the time of waiting for data, too. Default: ``False``.
    Raises:
        TypeError: if ``data_time`` is not a bool, or the number of steps is not known.
    Source: mindspore.train.TimeMonitor
    """

    @checked
    def __init__(self, data_size=None, data_time: Bool = False):
        super().__init__()
        self.data_size = data_size
        self.data_time = data_time
        self.epoch_time = time.time()
        self._waited = 0.0
        self._waits_since = None

    def epoch_begin(self, run_context):
        """Starts the clock. Source: mindspore.train.TimeMonitor.epoch_begin"""
        self.epoch_time = self._waits_since = time.time()
        self._waited = 0.0

    def on_train_step_begin(self, run_context):
        """Stops the clock of waiting for data. Source: mindspore.train.TimeMonitor.on_train_step_begin"""
        if self._waits_since is not None:
            self._waited += time.time() - self._waits_since

    def on_train_step_end(self, run_context):
        """Starts the clock of waiting for data. Source: mindspore.train.TimeMonitor.on_train_step_end"""
        self._waits_since = time.time()

    def epoch_end(self, run_context):
        """Prints the times. Source: mindspore.train.TimeMonitor.epoch_end"""
        facts = run_context.original_args()
        steps = check.positive_int(facts.get("batch_num") or self.data_size, "data_size", "TimeMonitor")
        spent = (time.time() - self.epoch_time) * 1000
        text = f"{facts.get('mode', '').title()} epoch time: {spent:5.3f} ms, per step time: {spent / steps:5.3f} ms"
        if self.data_time:
            text += f" (data time: {self._waited * 1000 / steps:5.3f} ms)"
        print(text, flush=True)
