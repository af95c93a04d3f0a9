"""Iterates over a dataset's batches for a network: one per call, or many per call (sink mode)."""

import functools
import itertools
from typing import Any

from .._common.compiling import jit
from .._contracts import check
from .._contracts.contracts import Bool, Int
from .._contracts.enforcement import checked
from ..engine.refusal import refuse
from ..nn._cell import calling
from ..nn.cell import Cell

_MSG_NOT_SINK = (
    "For 'connect_network_with_dataset', the 'dataset_helper' must be in sink mode: make it as "
    "DatasetHelper(dataset, dataset_sink_mode=True)."
)
_MSG_CONNECTED = (
    "For 'connect_network_with_dataset', the dataset is connected to another network already: make a new dataset."
)


class DatasetHelper:
    """Iterates over the batches of a dataset, as tuples of Tensors.

    Iterating over it yields the same batches in sink mode, since batches are not sent ahead. After
    `connect_network_with_dataset` it yields one empty tuple: the network takes the batches itself.

    Args:
        dataset (Dataset): what to iterate over, with ``create_tuple_iterator`` and ``get_dataset_size``.
        dataset_sink_mode (bool): whether `connect_network_with_dataset` accepts it. Default: ``True``.
        sink_size (int): the number of batches per call of that network; -1: the whole dataset. Default: ``-1``.
        epoch_num (int): the number of epochs. Default: ``1``.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> for epoch in range(2):
        ...     for inputs, labels in ms.DatasetHelper(dataset, epoch_num=2):
        ...         loss = train_step(inputs, labels)
    Source: mindspore.train.DatasetHelper
    """

    @checked
    def __init__(self, dataset, dataset_sink_mode: Bool = True, sink_size: Int = -1, epoch_num: Int = 1):
        check_sink_size(sink_size, "DatasetHelper")
        self.dataset = dataset
        self.sinks, self.is_connected = dataset_sink_mode, False
        self._sink_size = sink_size
        self._first_step = dataset.get_init_step() if hasattr(dataset, "get_init_step") else 0
        # The iterator counts the whole epochs before the first step; the caller does not.
        skipped = self._first_step // (dataset.get_dataset_size() or 1) if self._first_step else 0
        self._epochs = -1 if dataset_sink_mode else skipped + epoch_num
        self._iterator = dataset.create_tuple_iterator(num_epochs=self._epochs)
        self._endless = self._again_and_again()

    def __iter__(self):
        return iter([()]) if self.is_connected else self._batches()

    def _batches(self):
        for batch in self._iterator:
            yield list(batch)

    def _again_and_again(self):
        """Yields the batches of epoch after epoch; an exhausted iterator is created again."""
        is_new = True
        while True:
            is_empty = True
            for batch in self._batches():
                is_empty = is_new = False
                yield batch
            if is_empty and is_new:
                refuse(ValueError, "DatasetHelper", "dataset", "of at least one batch", self.dataset)
            if is_empty:
                self._iterator, is_new = self.dataset.create_tuple_iterator(num_epochs=self._epochs), True

    def _going_on_(self, count):
        """The next ``count`` batches; after the last batch the dataset starts again."""
        self._first_step = 0
        return map(tuple, itertools.islice(self._endless, count))  # as the arguments of other calls are

    def _steps_of_call_(self):
        """The number of batches of the network's next call (int): at first the rest of an interrupted call."""
        return self.sink_size() - self._first_step % self.sink_size()

    def sink_size(self):
        """The number of batches per call of the network (int): 1, if not in sink mode.

        Source: mindspore.train.DatasetHelper.sink_size
        """
        if not self.sinks:
            return 1
        return self.dataset.get_dataset_size() if self._sink_size == -1 else self._sink_size

    def types_shapes(self):
        """The dtypes and the shapes of a batch's columns. Source: mindspore.train.DatasetHelper.types_shapes"""
        return self.dataset.output_types(), self.dataset.output_shapes()

    def stop_send(self):
        """Does nothing: no batches are sent ahead. Source: mindspore.train.DatasetHelper.stop_send"""

    def release(self):
        """Does nothing: no batches are sent ahead. Source: mindspore.train.DatasetHelper.release"""

    def continue_send(self):
        """Does nothing: no batches are sent ahead. Source: mindspore.train.DatasetHelper.continue_send"""


def check_sink_size(sink_size, owner):
    """Raises unless the sink size is -1 or positive."""
    if sink_size < -1 or sink_size == 0:
        refuse(ValueError, owner, "sink_size", "-1, or a positive int", sink_size)


def connect_network_with_dataset(network, dataset_helper):
    """A function without arguments that calls a network with the next ``sink_size`` batches of a dataset.

    Args:
        network (Cell): takes the columns of a batch.
        dataset_helper (DatasetHelper): in sink mode.
    Returns:
        Cell, called without arguments; it returns the network's result for the last batch. In GRAPH_MODE many batches
        run in one launch.
    Raises:
        RuntimeError: if the helper is not in sink mode.
        ValueError: if its dataset belongs to another network.
    Example:
        >>> helper = ms.DatasetHelper(dataset, True, sink_size=2)
        >>> network = ms.connect_network_with_dataset(net, helper)
    Source: mindspore.connect_network_with_dataset
    """
    if not dataset_helper.sinks:
        raise RuntimeError(_MSG_NOT_SINK)
    if getattr(dataset_helper.dataset, "__network__", network) is not network:
        raise ValueError(_MSG_CONNECTED)
    dataset_helper.dataset.__network__ = network
    dataset_helper.is_connected = True
    return _Connected(network, dataset_helper)


class _Connected(Cell):
    """A network and the dataset that it takes its batches from. ``watch`` is that of `calling.each`, or None."""

    def __init__(self, network, helper):
        super().__init__(auto_prefix=False, flags=network.get_flags())
        self.network = network
        self.watch = None
        self._helper = helper

    def __getattr__(self, name):
        # Callbacks read ``train_network.optimizer`` where MindSpore, on a CPU, does not connect the network.
        try:
            return super().__getattr__(name)
        except AttributeError:
            if "network" not in self.__dict__:
                raise
            return getattr(self.network, name)

    def __call__(self):
        count = self._helper._steps_of_call_()
        return calling.each(self.network, self._helper._going_on_(count), count, self.watch)


def data_sink(fn, dataset, sink_size=1, jit_config=None, input_signature=None):
    """A function whose each call runs ``fn`` on the next ``sink_size`` batches of a dataset.

    A compiled ``fn`` runs many batches of the same shape in one launch, without returning to Python
    (`engine.calls.looping`).

    Args:
        fn (callable): takes the columns of a batch.
        dataset (Dataset): starts again when it is exhausted.
        sink_size (int): the number of batches per call. Default: ``1``.
        jit_config (JitConfig): if given, ``fn`` is compiled as by `jit`. Default: ``None``.
        input_signature (tuple[Tensor]): a hint for dynamic shapes, without effect. Default: ``None``.
    Returns:
        function without arguments, which returns the result of ``fn`` for the last batch.
    Raises:
        TypeError, ValueError: if ``sink_size`` is not a positive int; ValueError if the dataset has no batch.
    Example:
        >>> step = ms.data_sink(train_step, dataset, sink_size=dataset.get_dataset_size())
        >>> for epoch in range(3):
        ...     loss = step()
    Source: mindspore.data_sink
    """
    check.positive_int(sink_size, "sink_size", "data_sink")
    step: Any = fn if jit_config is None else jit(fn, jit_config=jit_config)
    helper = DatasetHelper(dataset, True, sink_size)

    @functools.wraps(fn)
    def sunk():
        batches = helper._going_on_(sink_size)
        if hasattr(step, "each"):
            return step.each(batches, sink_size)
        result = None
        for batch in batches:
            result = step(*batch)
        return result

    return sunk
