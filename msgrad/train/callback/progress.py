"""A callback that shows how far training is: msgrad's own."""

import numbers
import time
from typing import Any

import numpy as np

from ...engine.execution.status_line import Pace, StatusLine
from ...tensor.tensor import Tensor
from ._base import Callback, loss_in

_SOON = 0.2  # seconds until the first state of a line that is rewritten


class ProgressMonitor(Callback):
    """Progress bar of `Model.train`, `fit` and `eval`: the step, the loss, samples a second, the time left.

    It is written to standard error: in place on a terminal and in a notebook, elsewhere a line every 10 seconds. Each
    epoch ends with a line, which has the metrics of `Model.fit`. The loss is read only when a line is due. Rate and
    time do not count the first step, which compiles. MindSpore has no such callback.

    Example:
        >>> model = ms.Model(net, nn.MSELoss(), optimizer)
        >>> model.train(2, dataset, callbacks=msgrad.ProgressMonitor())
    """

    _first_epoch: Any

    def __init__(self):
        super().__init__()
        self._line = StatusLine()
        self._is_training = False

    def __exit__(self, error_type, *error):
        """Ends a line that is rewritten, but not for an evaluation between epochs."""
        if error_type is not None or not self._is_training:
            self._line.end("")

    # -- training ------------------------------------------------------------------------------------------------------

    def on_train_begin(self, run_context):
        """Starts the clock. Source: mindspore.train.Callback.on_train_begin"""
        self._is_training, self._first_epoch = True, None
        self._speed, self._pace = _Speed(), self._new_pace()

    def on_train_epoch_begin(self, run_context):
        """Starts the clock of the epoch. Source: mindspore.train.Callback.on_train_epoch_begin"""
        facts = run_context.original_args()
        self._first_epoch = self._first_epoch or facts.cur_epoch_num
        self._begun, self._steps_before = time.monotonic(), facts.cur_step_num

    def on_train_step_end(self, run_context):
        """Shows the state, if it is due. Source: mindspore.train.Callback.on_train_step_end"""
        facts = run_context.original_args()
        self._reached(facts, facts.cur_step_num, lambda: facts.net_outputs)

    def _launched(self, run_context, steps, losses):
        """Shows the state in sink mode, after a launch of several steps, if it is due."""
        if losses.tensor is not None:
            self._reached(run_context.original_args(), steps[-1], lambda: losses.rows()[-1])

    def on_train_epoch_end(self, run_context):
        """Shows a line for the epoch. Source: mindspore.train.Callback.on_train_epoch_end"""
        facts = run_context.original_args()
        loss = _loss(facts.net_outputs)  # waits until the last step has run
        steps, seconds = facts.cur_step_num - self._steps_before, time.monotonic() - self._begun
        parts = [f"epoch {self._epoch(facts)}: {steps} steps in {seconds:.1f} s", *loss, *self._rate(facts)]
        evaluated = [f"; evaluation: {_metrics(facts.metrics)}"] if facts.get("metrics") else []
        self._line.end("".join([", ".join(parts), *evaluated]))

    def on_train_end(self, run_context):
        """Ends training. Source: mindspore.train.Callback.on_train_end"""
        self._is_training = False

    def _reached(self, facts, step, outputs):
        if self._speed.is_at(step):  # a launch has told of it
            return
        loss = None if self._speed.is_known() else _loss(outputs())  # which waits until the step has run
        self._speed.reached(step)
        if not self._pace.is_due(self._line.is_in_place()):
            return
        loss = _loss(outputs()) if loss is None else loss
        self._speed.reached(step)
        count = facts.sink_size if facts.dataset_sink_mode else facts.train_dataset.get_dataset_size()
        done = step - (facts.cur_epoch_num - self._first_epoch) * count
        left = self._speed.seconds_for(facts.epoch_num * count - step)
        parts = [f"epoch {self._epoch(facts)}, step {done}/{count}", *loss, *self._rate(facts)]
        self._line.show(
            ", ".join([*parts, *([] if left is None else [f"{_clock(left)} left"])]), min(done / count, 1.0)
        )

    def _epoch(self, facts):
        return f"{facts.cur_epoch_num}/{self._first_epoch - 1 + facts.epoch_num}"

    def _rate(self, facts):
        rate, samples = self._speed.rate(), _samples(facts)
        if rate is None:
            return []
        rate, unit = (rate * samples, "samples/s") if samples else (rate, "steps/s")
        return [f"{rate:.0f} {unit}" if rate >= 100 else f"{rate:.3g} {unit}"]

    # -- evaluation ----------------------------------------------------------------------------------------------------

    def on_eval_begin(self, run_context):
        """Starts the clock. Source: mindspore.train.Callback.on_eval_begin"""
        self._eval_begun, self._pace = time.monotonic(), self._new_pace()

    def on_eval_step_end(self, run_context):
        """Shows the state, if it is due. Source: mindspore.train.Callback.on_eval_step_end"""
        facts = run_context.original_args()
        if self._pace.is_due(self._line.is_in_place()):
            share = facts.cur_step_num / facts.batch_num
            self._line.show(f"evaluation, step {facts.cur_step_num}/{facts.batch_num}", min(share, 1.0))

    def on_eval_end(self, run_context):
        """Shows a line, of `Model.eval`. Source: mindspore.train.Callback.on_eval_end"""
        facts = run_context.original_args()
        if not self._is_training:
            seconds = time.monotonic() - self._eval_begun
            self._line.end(f"evaluation: {facts.cur_step_num} steps in {seconds:.1f} s, {_metrics(facts.metrics)}")

    def _new_pace(self):
        return Pace(_SOON) if self._line.is_in_place() else Pace()


class _Speed:
    """Steps a second, from the end of the first step on."""

    _first: Any
    _latest: Any

    def __init__(self):
        self._first = self._latest = None

    def is_known(self):
        return self._first is not None

    def is_at(self, step):
        return self.is_known() and self._latest[0] == step

    def reached(self, step):
        self._latest = step, time.monotonic()
        self._first = self._first or self._latest

    def rate(self):
        """Steps a second, or None."""
        if not self.is_known() or self._first[0] == self._latest[0]:
            return None
        return (self._latest[0] - self._first[0]) / (self._latest[1] - self._first[1])

    def seconds_for(self, steps):
        rate = self.rate()
        return steps / rate if rate else None


def _samples(facts):
    """How many samples a step has, or None."""
    batch = facts.get("train_dataset_element")
    if batch and isinstance(batch[0], Tensor) and batch[0].shape:
        return batch[0].shape[0]
    get_batch_size = getattr(facts.train_dataset, "get_batch_size", lambda: 1)
    return get_batch_size() if get_batch_size() > 1 else None  # rows may be batches that the user has made


def _loss(outputs):
    loss: Any = loss_in(outputs)
    loss = loss.asnumpy() if isinstance(loss, Tensor) else loss
    return [f"loss {np.mean(loss):.4g}"] if isinstance(loss, (numbers.Number, np.ndarray)) else []


def _metrics(metrics):
    values = {name: f"{value:.4g}" if isinstance(value, float) else value for name, value in metrics.items()}
    return ", ".join([f"{name} {value}" for name, value in values.items()])


def _clock(seconds):
    """``1:02:03`` or ``2:03``."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
