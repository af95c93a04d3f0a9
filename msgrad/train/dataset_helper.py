"""Batches of a dataset for a network: one after the other, or many for one call."""

import functools
import itertools

from ..compiling import jit
from ..engine.refusal import refuse
from ..ops.contracts import Bool, Int, PositiveInt, checked


class DatasetHelper:
    """Iterates over the batches of a dataset, as tuples of Tensors.

    On one device batches need not be sent ahead, so that sink mode gives the same batches.

    Args:
        dataset (Dataset): what to iterate over, with ``create_tuple_iterator`` and ``get_dataset_size``.
        dataset_sink_mode (bool): without effect here. Default: ``True``.
        sink_size (int): a hint for devices that fetch their own data; -1: the whole dataset. Default: ``-1``.
        epoch_num (int): how many times it will be iterated over. Default: ``1``.
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
        self._iterator = dataset.create_tuple_iterator(num_epochs=epoch_num)

    def __iter__(self):
        for batch in self._iterator:
            yield tuple(batch)

    def sink_size(self):
        """How many batches one call of the network takes: 1. Source: mindspore.train.DatasetHelper.sink_size"""
        return 1

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
    """Refuses what is neither -1 nor positive."""
    if sink_size < -1 or sink_size == 0:
        refuse(ValueError, owner, "sink_size", "-1, or a positive int", sink_size)


def data_sink(fn, dataset, sink_size=1, jit_config=None, input_signature=None):
    """A function that calls ``fn`` with the next ``sink_size`` batches of a dataset, again and again.

    Args:
        fn (callable): takes the columns of a batch.
        dataset (Dataset): begins anew when it ends.
        sink_size (int): batches for one call. Default: ``1``.
        jit_config (JitConfig): ``fn`` is compiled if it is given. Default: ``None``.
        input_signature (tuple[Tensor]): a hint for shapes that change, without effect. Default: ``None``.
    Returns:
        function without arguments, which returns what ``fn`` gave for the last batch.
    Raises:
        TypeError, ValueError: if ``sink_size`` is no positive int; ValueError if the dataset has no batch.
    Example:
        >>> step = ms.data_sink(train_step, dataset, sink_size=dataset.get_dataset_size())
        >>> for epoch in range(3):
        ...     loss = step()
    Source: mindspore.data_sink
    """
    PositiveInt.take(sink_size, "sink_size", "data_sink")
    step = fn if jit_config is None else jit(fn, jit_config=jit_config)
    batches = _endless(dataset)

    @functools.wraps(fn)
    def sunk():
        result = None
        for batch in itertools.islice(batches, sink_size):
            result = step(*batch)
        return result

    return sunk


def _endless(dataset):
    while True:
        is_empty = True
        for batch in dataset.create_tuple_iterator(num_epochs=1):
            is_empty = False
            yield batch
        if is_empty:
            refuse(ValueError, "data_sink", "dataset", "of at least one batch", dataset)
