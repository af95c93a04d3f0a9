"""`Dataset`: a node of a pipeline, which is an immutable tree.

A node says the names of its columns (``_names``), how many rows it has (``_count``), and how it gives them: ``_open``
takes a `Run` and returns a function that gives one epoch of rows each time it is called, each row a tuple of the values
of the columns. What operations do (``batch``, ``map``, ...) is in the file of each, which makes it a method.
"""

import contextlib
import functools
import json

import numpy as np

from .._contracts.contracts import Bool, enforced
from ..engine.refusal import refuse, require
from . import config
from ._pipeline import values
from ._pipeline.description import Described, tree
from ._pipeline.failures import PipelineError
from ._pipeline.run import Run
from .iterators import DictIterator, TupleIterator

_MSG_EPOCHS = "Syntax error: for '{}', the 'num_epochs' must be -1 or a positive int, but got {}."


def method(function):
    """Makes a function a method of every dataset; contracts in its annotations are enforced."""
    made = enforced(function, function.__name__)
    setattr(Dataset, function.__name__, made)
    return made


def one_epoch(dataset):
    """The rows of one epoch of ``dataset`` in a run of their own, as a context manager that ends it."""
    return _one_epoch(dataset)


@contextlib.contextmanager
def _one_epoch(dataset):
    run = Run()
    with run.closing:
        yield dataset._open(run)()


class Dataset(Described):
    """A node of a pipeline.

    Args:
        children (Dataset | list[Dataset]): the nodes that it reads from. Default: ``None``, none.
        num_parallel_workers (int): threads or processes that work for it. Default: ``None``, what the settings say.
        cache (None): MindSpore's cache server is not there.
    Attributes:
        children (list[Dataset]): the nodes that it reads from.
    Source: mindspore.dataset.Dataset
    """

    def __init__(self, children=None, num_parallel_workers=None, cache=None):
        owner = type(self).__name__
        children = [children] if isinstance(children, Dataset) else list(children or [])
        self.children = [require(child, Dataset, owner, "children") for child in children]
        self.parent = []
        self.num_parallel_workers = workers(num_parallel_workers, owner)
        self.dataset_size = None
        self._step = 0
        self._input_indexs = ()
        if cache is not None:
            raise NotImplementedError(f"For '{owner}', the 'cache' must be None: there is no cache server.")

    def _names(self):
        return self.children[0]._names()

    def _count(self):
        """How many rows an epoch has (int), or None if only reading them tells."""
        return self.children[0]._count()

    def _open(self, run):
        raise NotImplementedError

    def _sharded(self):
        """Whether only a part of a source is read."""
        return any(child._sharded() for child in self.children)

    def _shuffled(self):
        return any(child._shuffled() for child in self.children)

    @functools.cached_property
    def _first(self):
        """The first row, or None."""
        with one_epoch(self) as rows:
            return next(iter(rows), None)

    def __iter__(self):
        return self.create_tuple_iterator(num_epochs=1)

    def __len__(self):
        return self.get_dataset_size()

    def __bool__(self):
        """Whether there are rows: where only reading tells how many, one is read, not all."""
        count = self._count() if self.dataset_size is None else self.dataset_size
        return self._first is not None if count is None else count > 0

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=False):
        """Iterates over the rows as dicts by column.

        Args:
            num_epochs (int): how many times it can be iterated over. Default: ``-1``, without end.
            output_numpy (bool): whether the values are NumPy arrays in place of Tensors; strings always are. Default:
                ``False``.
            do_copy (bool): without effect: a Tensor has a copy. Default: ``False``.
        Returns:
            DictIterator.
        Example:
            >>> dataset = mindspore.dataset.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> [int(row["x"]) for row in dataset.create_dict_iterator()]
            [1, 2]
        Source: mindspore.dataset.Dataset.create_dict_iterator
        """
        self._check_iterator("create_dict_iterator", num_epochs, output_numpy, do_copy)
        return DictIterator(self, num_epochs, output_numpy)

    def create_tuple_iterator(self, columns=None, num_epochs=-1, output_numpy=False, do_copy=False):
        """Iterates over the rows as lists of the values of ``columns`` (default: all); else as `create_dict_iterator`.

        Source: mindspore.dataset.Dataset.create_tuple_iterator
        """
        self._check_iterator("create_tuple_iterator", num_epochs, output_numpy, do_copy)
        dataset = self if columns is None else self.project(columns)
        return TupleIterator(dataset, num_epochs, output_numpy)

    @staticmethod
    def _check_iterator(owner, num_epochs, output_numpy, do_copy):
        if isinstance(num_epochs, bool) or not isinstance(num_epochs, int):
            refuse(TypeError, owner, "num_epochs", "an int", num_epochs)
        if num_epochs != -1 and num_epochs < 1:
            raise PipelineError(_MSG_EPOCHS.format(owner, num_epochs))
        require(output_numpy, bool, owner, "output_numpy")
        require(do_copy, bool, owner, "do_copy")

    def get_dataset_size(self):
        """How many rows (after ``batch``: batches) an epoch has, an int.

        Source: mindspore.dataset.Dataset.get_dataset_size
        """
        if self.dataset_size is None:
            self.dataset_size = self._count()
        if self.dataset_size is None:
            with one_epoch(self) as rows:
                self.dataset_size = sum(1 for _ in rows)
        return self.dataset_size

    def get_col_names(self):
        """The names of the columns, a list of str.  Source: mindspore.dataset.Dataset.get_col_names"""
        return list(self._names())

    def output_shapes(self, estimate=False):
        """The shape of each column's values, a list of lists of int.

        Args:
            estimate (bool): whether to read all rows and say None for a length that varies. Default: ``False``, the
                shapes of the first row.
        Source: mindspore.dataset.Dataset.output_shapes
        """
        Bool.take(estimate, "estimate", "output_shapes")
        if not estimate:
            return [values.shape(value) for value in self._first or ()]
        with one_epoch(self) as rows:
            found = None
            for row in rows:
                shapes = [values.shape(value) for value in row]
                found = shapes if found is None else [_common(*pair) for pair in zip(found, shapes, strict=True)]
        return found or []

    def output_types(self):
        """The NumPy dtype of each column's values, a list.  Source: mindspore.dataset.Dataset.output_types"""
        return [values.kind(value) for value in self._first or ()]

    def get_batch_size(self):
        """How many rows are in a batch, an int; 1 without ``batch``.

        Source: mindspore.dataset.Dataset.get_batch_size
        """
        return self.children[0].get_batch_size() if self.children else 1

    def get_repeat_count(self):
        """What ``repeat`` was given, an int; 1 without.  Source: mindspore.dataset.Dataset.get_repeat_count"""
        return self.children[0].get_repeat_count() if self.children else 1

    def num_classes(self):
        """How many classes a source has, an int, or None.  Source: mindspore.dataset.Dataset.num_classes"""
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self):
        """The number of each class by its name, a dict.  Source: mindspore.dataset.Dataset.get_class_indexing"""
        return self.children[0].get_class_indexing() if self.children else {}

    @property
    def input_indexs(self):
        """Which inputs of a network the columns are: a hint for MindSpore's sink mode, without effect; at first ``()``,
        or what the first of the nodes says that it reads from.

        Source: mindspore.dataset.Dataset.input_indexs
        """
        if self._input_indexs != ():
            return self._input_indexs
        return next((child.input_indexs for child in self.children if child.input_indexs != ()), ())

    @input_indexs.setter
    def input_indexs(self, value):
        self._input_indexs = value

    def is_sync(self):
        """Whether a ``sync_wait`` is among the nodes, a bool."""
        return any(child.is_sync() for child in self.children)

    def get_sync_notifiers(self):
        """What lets each ``sync_wait`` go on, functions by its name: ``(num_batch=None, data=None)``."""
        return {name: each for child in self.children for name, each in child.get_sync_notifiers().items()}

    def disable_sync(self):
        """Lets each ``sync_wait`` wait no more."""
        for child in self.children:
            child.disable_sync()

    def is_shuffled(self):
        """Whether rows come in random order, a bool."""
        return self._shuffled()

    def is_sharded(self):
        """Whether only a part of the source is read, a bool."""
        return self._sharded()

    def reset(self):
        """Nothing: every iterator starts at the beginning.  Source: mindspore.dataset.Dataset.reset"""

    def get_init_step(self):
        """The step at which iterators start, an int."""
        return self._step

    def set_init_step(self, init_step):
        """Lets iterators start at a step (int): the rows before it are left out of the first epoch."""
        self._step = init_step

    def to_json(self, filename=""):
        """The tree of nodes as dicts.

        Args:
            filename (str): a file to write it to as JSON. Default: ``''``, none.
        Returns:
            dict: ``op_type``, ``children``, and the arguments of each node; functions and arrays are named only.
        Source: mindspore.dataset.Dataset.to_json
        """
        found = tree(self)
        if filename:
            with open(filename, "w", encoding="utf-8") as file:
                json.dump(found, file, indent=2)
        return found


def workers(given, owner):
    """How many workers: ``given``, or what the settings say.

    Raises:
        TypeError: if it is no int.  ValueError: if it is below 1.
    """
    if given is None:
        return config.get_num_parallel_workers()
    if isinstance(given, bool):
        refuse(TypeError, owner, "num_parallel_workers", "an int", given)
    if require(given, int, owner, "num_parallel_workers") < 1:
        refuse(ValueError, owner, "num_parallel_workers", "a positive int", given)
    return given


def columns(value, owner, argument):
    """Names of columns, given as a str or a list of str, as a list.

    Raises:
        TypeError: if there are others.  ValueError: if a name is empty or comes twice.
    """
    names = [value] if isinstance(value, str) else list(require(value, (str, list, tuple), owner, argument))
    for name in names:
        if not require(name, str, owner, argument):
            refuse(ValueError, owner, argument, "made of names that are not empty", name)
    if len(set(names)) < len(names):
        refuse(ValueError, owner, argument, "made of names that differ", names)
    return names


def _common(one, other):
    if len(one) != len(other):
        raise PipelineError(f"For 'output_shapes', all values must have one rank, but got shapes {one} and {other}.")
    return [length if length == again else None for length, again in zip(one, other, strict=True)]


def stacked(rows, node, joined=np.stack):
    """The rows of a batch as one row, with a new axis in front, which ``joined`` (callable) makes.

    Raises:
        RuntimeError: if the values of a column differ in shape or dtype.
    """
    return tuple([stack(column, node, place, joined) for place, column in enumerate(zip(*rows, strict=True))])


def stack(column, node, place, joined=np.stack):
    """The values of one column as one array."""
    first = column[0]
    if isinstance(first, dict):
        return {name: [item[name] for item in column] for name in first}
    if first.dtype.kind not in "US":
        for value in column:
            if value.shape != first.shape or value.dtype != first.dtype:
                _refuse_uneven(first, value, node, place)
        if not first.shape:
            return np.fromiter(column, first.dtype, len(column))
    elif any(value.shape != first.shape for value in column):
        _refuse_uneven(first, next(value for value in column if value.shape != first.shape), node, place)
    return joined(column)


def _refuse_uneven(first, value, node, place):
    raise PipelineError(
        f"Exception thrown from dataset pipeline: for '{node}', the values of a column must have one shape and dtype "
        f"to be one array, but column {place} has {first.dtype} of shape {first.shape} and {value.dtype} of shape "
        f"{value.shape}. Bring them to one with map(...), or use padded_batch."
    )
