"""The base class of callbacks, and the context that they are called with."""

import contextlib

import numpy as np

from ... import log
from ...engine.refusal import refuse, require
from ...tensor.tensor import Tensor

_MSG_ENTERED = "A callback's __enter__ should return a Callback; %s returned something else, so the original is called."


class RunContext:
    """The context of a callback: the run's arguments and state, and a way to stop it.

    Args:
        original_args (dict): the run's arguments and state; `Model` passes one whose keys are attributes as well.
    Raises:
        TypeError: if it is not a dict.
    Example:
        >>> context = ms.RunContext({"cur_epoch_num": 4})
        >>> context.request_stop()
        >>> context.original_args()["cur_epoch_num"], context.get_stop_requested()
        (4, True)
    Source: mindspore.train.RunContext
    """

    def __init__(self, original_args):
        self._original_args = require(original_args, dict, "RunContext", "original_args")
        self._stop_requested = False

    def original_args(self):
        """The run's arguments and state (dict). Source: mindspore.train.RunContext.original_args"""
        return self._original_args

    def request_stop(self):
        """Stops training, or evaluation, after this step. Source: mindspore.train.RunContext.request_stop"""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether `request_stop` has been called. Source: mindspore.train.RunContext.get_stop_requested"""
        return self._stop_requested


class InternalCallbackParam(dict):
    """A run's arguments and state, as a dict or by attribute; as in MindSpore, a missing attribute raises KeyError."""

    def __getattr__(self, key):
        return self[key]

    def __setattr__(self, key, value):
        self[key] = value


class Callback:
    """The base class of callbacks: `Model` calls their methods at each stage of training and evaluation.

    A subclass defines some of ``on_train_begin``, ``on_train_epoch_begin``, ``on_train_step_begin``,
    ``on_train_step_end``, ``on_train_epoch_end``, ``on_train_end`` and the same with ``on_eval``; each takes a
    `RunContext`. The older names without these prefixes are called for both. A callback is also a context manager,
    entered for the run.

    Example:
        >>> class Steps(ms.Callback):
        ...     def on_train_step_end(self, run_context):
        ...         print(run_context.original_args().cur_step_num)
    Source: mindspore.train.Callback
    """

    def __enter__(self):
        return self

    def __exit__(self, *error):
        """Called after the run, with its exception if there was one."""

    def begin(self, run_context):
        """Before the first epoch. Source: mindspore.train.Callback.begin"""

    def epoch_begin(self, run_context):
        """Before each epoch. Source: mindspore.train.Callback.epoch_begin"""

    def epoch_end(self, run_context):
        """After each epoch. Source: mindspore.train.Callback.epoch_end"""

    def step_begin(self, run_context):
        """Before each step. Source: mindspore.train.Callback.step_begin"""

    def step_end(self, run_context):
        """After each step. Source: mindspore.train.Callback.step_end"""

    def end(self, run_context):
        """After the last epoch. Source: mindspore.train.Callback.end"""

    def on_train_begin(self, run_context):
        """Before training. Source: mindspore.train.Callback.on_train_begin"""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context):
        """Before each epoch of training. Source: mindspore.train.Callback.on_train_epoch_begin"""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context):
        """After each epoch of training. Source: mindspore.train.Callback.on_train_epoch_end"""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context):
        """Before each step of training. Source: mindspore.train.Callback.on_train_step_begin"""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context):
        """After each step of training. Source: mindspore.train.Callback.on_train_step_end"""
        self.step_end(run_context)

    def on_train_end(self, run_context):
        """After training. Source: mindspore.train.Callback.on_train_end"""
        self.end(run_context)

    def on_eval_begin(self, run_context):
        """Before evaluating. Source: mindspore.train.Callback.on_eval_begin"""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context):
        """Before the pass over the data of an evaluation. Source: mindspore.train.Callback.on_eval_epoch_begin"""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context):
        """After the pass over the data of an evaluation. Source: mindspore.train.Callback.on_eval_epoch_end"""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context):
        """Before each step of an evaluation. Source: mindspore.train.Callback.on_eval_step_begin"""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context):
        """After each step of an evaluation. Source: mindspore.train.Callback.on_eval_step_end"""
        self.step_end(run_context)

    def on_eval_end(self, run_context):
        """After evaluating. Source: mindspore.train.Callback.on_eval_end"""
        self.end(run_context)


_STEP_EVENTS = {"on_train_step_begin", "on_train_step_end", "step_begin", "step_end"}


def observes_steps(callback):
    """Whether a callback acts at each step, and is not told of launches of many steps (by its method ``_launched``)."""
    for each in (callback, *type(callback).__mro__):
        if each is Callback:
            break
        if not _STEP_EVENTS.isdisjoint(vars(each)):
            return "_launched" not in vars(each)
    return False


EVENTS = tuple(name for name in vars(Callback) if not name.startswith("_"))


class CallbackManager(Callback):
    """Combines several callbacks: enters, calls and exits them in order."""

    def __init__(self, callbacks):
        items = callbacks if isinstance(callbacks, list) else [] if callbacks is None else [callbacks]
        for callback in items:
            if not isinstance(callback, Callback):
                refuse(TypeError, "Model", "callbacks", "a Callback or a list of them", callback)
        self._callbacks = list(items)
        self._stack = contextlib.ExitStack()

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self._callbacks = [_entered(stack, callback) for callback in self._callbacks]
            self._stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        return self._stack.__exit__(*error)


def _entered(stack, callback):
    target = stack.enter_context(callback)
    if isinstance(target, Callback):
        return target
    log.warning(_MSG_ENTERED, type(callback).__name__)
    return callback


def _to_all(event):
    def call(self, run_context):
        for callback in self._callbacks:
            getattr(callback, event)(run_context)

    call.__name__ = event
    call.__doc__ = f"Calls ``{event}`` of each."
    return call


for _event in EVENTS:
    setattr(CallbackManager, _event, _to_all(_event))


def loss_in(outputs):
    """The loss in the output of a training network: a float, or the first of several results unchanged."""
    if isinstance(outputs, (tuple, list)):
        return outputs[0] if isinstance(outputs[0], Tensor) else outputs
    return float(np.mean(outputs.asnumpy())) if isinstance(outputs, Tensor) else outputs


def set_cur_net(net):
    """Does nothing: callbacks save the network that they are given. Subclasses of MindSpore's callbacks may call it."""
