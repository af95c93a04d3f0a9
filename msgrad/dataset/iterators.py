"""Iterators over pipelines: a thread prefetches ``config.get_prefetch_size()`` rows."""

import atexit
import collections
import itertools
import threading
import weakref
from typing import Any

import jax
import numpy as np

from ..engine import host
from ..engine.handle import Handle
from ..tensor.tensor import Tensor
from . import config
from ._pipeline.failures import pipeline_error
from ._pipeline.run import Run

_MSG_ENDED = (
    "Exception thrown from dataset pipeline: the {} epochs that the iterator was made for are over. Make another one, "
    "or give a greater 'num_epochs'."
)
_MSG_STOPPED = "The iterator was stopped: make another one."
# Seconds between two looks for a Ctrl-C. One that arrives while this thread lets go of the interpreter's lock, or that
# another thread receives, does not wake a thread that waits for a lock (CPython 3.11 to 3.13).
_INTERRUPT_CHECK = 0.5
_live = weakref.WeakSet()


class _Rows:
    """A bounded queue of one epoch's rows between the thread that makes them and the one that reads them."""

    def __init__(self, size):
        self.size = size
        self.ready = collections.deque()
        self.changed = threading.Condition()
        self.is_over = self.is_left = False
        self.error = None

    def put(self, row):
        """Adds a row when there is space; returns whether more are wanted."""
        with self.changed:
            while len(self.ready) >= self.size and not self.is_left:
                self.changed.wait()
            self.ready.append(row)
            self.changed.notify_all()
            return not self.is_left

    def end(self, error=None):
        with self.changed:
            self.is_over, self.error = True, error
            self.changed.notify_all()

    def take(self):
        """The next row; StopIteration at the end of the epoch, or the pipeline's error."""
        with self.changed:
            while not self.ready and not self.is_over:
                self.changed.wait(_INTERRUPT_CHECK)
            if self.ready:
                row = self.ready.popleft()
                self.changed.notify_all()
                return row
        if self.error is not None:
            raise self.error
        raise StopIteration

    def leave(self):
        """Signals that no more rows are wanted."""
        with self.changed:
            self.is_left = True
            self.ready.clear()
            self.changed.notify_all()


def _produce(epoch, change, rows, device):
    """Fills ``rows`` with one epoch, each row converted for the user.

    So batches go to the ``device`` from this thread, while the one that reads them runs the last step. The device is
    that of the reader, for whom alone its ``with jax.default_device(...)`` holds.
    """
    produced: Any = None
    try:
        with jax.default_device(device):
            produced = epoch()
            for row in produced:
                if not rows.put(change(row)):
                    break
        rows.end()
    except BaseException as error:
        rows.end(error)
    finally:
        if hasattr(produced, "close"):
            produced.close()


class Iterator:
    """The base of iterators; iterating again yields the next epoch.

    Args:
        dataset (Dataset): the last node of the pipeline.
        num_epochs (int): the number of epochs, -1 for any number.
        output_numpy (bool): whether values are NumPy arrays.
    Attributes:
        dataset (Dataset): the argument.
    """

    _rows: Any
    _leaving: Any

    def __init__(self, dataset, num_epochs, output_numpy):
        self.dataset = dataset
        self._names = list(dataset._names())
        self._num_epochs, self._epoch = num_epochs, 0
        self._value = _as_numpy if output_numpy else _as_tensor
        self._skipped = dataset.get_init_step()
        self._run = Run()
        try:
            self._open = dataset._open(self._run)
        except BaseException:
            self._run.closing.close()
            raise
        self._rows = self._thread = None
        self._is_stopped = False
        # Also called when the iterator is garbage-collected: threads and processes must not outlive it.
        self._finalizer = weakref.finalize(self, self._run.closing.close)
        _live.add(self)

    def __iter__(self):
        return self

    def __next__(self):
        if self._rows is None:
            self._begin()
        try:
            return self._rows.take()
        except StopIteration:
            self._leave()
            raise
        except BaseException as error:
            if self._rows is not None and error is self._rows.error:
                self.stop()
            raise

    def _begin(self):
        if self._is_stopped:
            raise pipeline_error(_MSG_STOPPED)
        size, skipped = self._epoch_start()
        self._run.epoch = self._epoch
        self._epoch += 1
        if self._num_epochs != -1 and self._epoch > self._num_epochs:
            raise pipeline_error(_MSG_ENDED.format(self._num_epochs))
        epoch = self._open
        if skipped:
            epoch = _skipping(epoch, skipped)
        self._rows = rows = _Rows(size)
        self._leaving = weakref.finalize(self, rows.leave)  # the thread must not keep the iterator alive
        if config.get_debug_mode():
            rows.size = float("inf")
            _produce(epoch, self._row_maker(), rows, host.current_device())
            return
        arguments = epoch, self._row_maker(), rows, host.current_device()
        self._thread = threading.Thread(target=_produce, args=arguments, daemon=True, name="msgrad-dataset")
        self._thread.start()

    def _epoch_start(self):
        """The number of rows to prefetch, and the number of rows of the epoch to skip."""
        skipped = 0
        if self._skipped:
            epochs, skipped = divmod(self._skipped, self.dataset.get_dataset_size() or self._skipped + 1)
            self._run.skip_epochs(epochs)
            self._epoch += epochs
            self._skipped = 0
        return config.get_prefetch_size(), skipped

    def _row_maker(self):
        raise NotImplementedError

    def get_col_names(self):
        """The names of the columns, a list of str."""
        return list(self._names)

    def stop(self):
        """Ends the pipeline and its workers.  Source: mindspore.dataset.Dataset.create_dict_iterator"""
        self._is_stopped = True
        self._leave()
        self._finalizer()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(0.5)  # a blocked source keeps the thread alive; it is a daemon

    release = stop

    def _leave(self):
        """Leaves the epoch; its finalizer, too, which would keep an error of it, and by that the iterator, alive."""
        if self._rows is not None:
            self._leaving()
            self._rows = None


class DictIterator(Iterator):
    """Yields rows as dicts by column.  Source: mindspore.dataset.Dataset.create_dict_iterator"""

    def _row_maker(self):
        names, change = self._names, self._value
        return lambda row: {name: change(value) for name, value in zip(names, row, strict=True)}


class TupleIterator(Iterator):
    """Yields rows as lists of values.  Source: mindspore.dataset.Dataset.create_tuple_iterator"""

    def _row_maker(self):
        change = self._value
        return lambda row: [change(value) for value in row]


def _skipping(epoch, count):
    return lambda: itertools.islice(epoch(), count, None)


def _as_tensor(value):
    if isinstance(value, np.ndarray):
        return value if value.dtype.kind in "US" else _transferred(value)
    if isinstance(value, (int, float, bool, str, np.generic)):
        return _as_tensor(np.asarray(value))
    return _in_nest(value, _as_tensor)


def _transferred(array):
    """A Tensor on its device, also a small one, which would stay with the host until something takes it."""
    tensor: Any = Tensor(array)
    tensor._shows_memory_ = True  # as MindSpore prints it, by NumPy
    if not host.is_cpu(host.current_device()):
        tensor._array_()
    return tensor


def _as_numpy(value):
    if isinstance(value, np.ndarray):
        return host.long_long(value)
    if isinstance(value, (int, float, bool, str, bytes, np.generic)):
        return host.long_long(np.asarray(value))
    if isinstance(value, Handle):
        return value.asnumpy()
    return _in_nest(value, _as_numpy)


def _in_nest(value, change):
    if isinstance(value, dict):
        return {name: change(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)([change(item) for item in value])
    return value


@atexit.register
def _stop_all():
    for iterator in list(_live):
        iterator.stop()
