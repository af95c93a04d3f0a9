"""`Dataset`: a node of a pipeline, which is an immutable tree.

A node defines the names of its columns (``_names``), the number of its rows (``_count``), and how to read them:
``_open`` takes a `Run` and returns a function that yields one epoch of rows each time it is called; a row is a tuple of
the columns' values. Operations (``batch``, ``map``, ...) are methods that make a node that reads from this one.
"""

import contextlib
import functools
import json
import types
from typing import Any

from .._contracts import check
from .._contracts.contracts import Bool, NonNegativeInt
from .._contracts.enforcement import enforced
from ..engine.refusal import refuse, require
from ._pipeline import values
from ._pipeline.arguments import counted, workers
from ._pipeline.column_table import ColumnTable
from ._pipeline.description import Described, tree
from ._pipeline.failures import pipeline_error
from ._pipeline.run import Run
from ._pipeline.stacking import common_shape
from .iterators import DictIterator, TupleIterator

_MSG_EPOCHS = "Syntax error: for '{}', the 'num_epochs' must be -1 or a positive int, but got {}."


# What the methods of `Dataset` make and call. Its files import this one, so each gives its own here (`register`); the
# package imports them all.
registered = types.SimpleNamespace()


def register(each):
    """Makes a class or function known to the methods of `Dataset` under its name; a decorator."""
    setattr(registered, each.__name__, each)
    return each


def _enforced(function):
    """A method with the contracts in its annotations enforced."""
    return enforced(function, function.__name__)


@contextlib.contextmanager
def one_epoch(dataset):
    """A context manager that yields the rows of one epoch of ``dataset`` and ends their run."""
    run = Run()
    with run.closing:
        yield dataset._open(run)()


class Dataset(Described):
    """A node of a pipeline.

    Args:
        children (Dataset | list[Dataset]): the nodes that it reads from. Default: ``None``, none.
        num_parallel_workers (int): the number of its threads or processes. Default: ``None``, from the settings.
        cache (None): MindSpore's cache server is not supported.
    Attributes:
        children (list[Dataset]): the nodes that it reads from.
    Source: mindspore.dataset.Dataset
    """

    _keeps_rows = False  # whether it has a row for each row of the only node that it reads from, in the same order

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

    def _table(self):
        """The names in the order of MindSpore's table of columns (ColumnTable)."""
        return self.children[0]._table() if self.children else ColumnTable(self._names())

    def _count(self):
        """The number of rows of an epoch (int), or None if it is only known by reading them."""
        return self.children[0]._count()

    def _open(self, run):
        raise NotImplementedError

    def _sharded(self):
        """Whether only a shard of a source is read."""
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
        """Whether there are rows; if their number is unknown, only one row is read."""
        count = self._count() if self.dataset_size is None else self.dataset_size
        return self._first is not None if count is None else count > 0

    def create_dict_iterator(self, num_epochs=-1, output_numpy=False, do_copy=False):
        """Iterates over the rows as dicts by column.

        Args:
            num_epochs (int): the number of epochs. Default: ``-1``, unlimited.
            output_numpy (bool): whether the values are NumPy arrays instead of Tensors; strings always are. Default:
                ``False``.
            do_copy (bool): without effect: Tensors are always copies. Default: ``False``.
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
        """Iterates over the rows as lists of the values of ``columns`` (default: all); see `create_dict_iterator`.

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
            raise pipeline_error(_MSG_EPOCHS.format(owner, num_epochs))
        require(output_numpy, bool, owner, "output_numpy")
        require(do_copy, bool, owner, "do_copy")

    def get_dataset_size(self) -> int:
        """The number of rows (after ``batch``: batches) of an epoch, an int.

        Source: mindspore.dataset.Dataset.get_dataset_size
        """
        if self.dataset_size is None:
            self.dataset_size = self._count()
        if self.dataset_size is None:
            with one_epoch(self) as rows:
                self.dataset_size = sum(1 for _ in rows)
        return self.dataset_size

    def get_col_names(self) -> list[str]:
        """The names of the columns, a list of str.  Source: mindspore.dataset.Dataset.get_col_names"""
        return list(self._names())

    def output_shapes(self, estimate=False) -> list[Any]:
        """The shape of each column's values, a list of lists of int.

        Args:
            estimate (bool): whether to read all rows and return None for lengths that vary. Default: ``False``, the
                shapes of the first row.
        Source: mindspore.dataset.Dataset.output_shapes
        """
        check.boolean(estimate, "estimate", "output_shapes")
        if not estimate:
            return [values.shape(value) for value in self._first or ()]
        with one_epoch(self) as rows:
            common = None
            for row in rows:
                shapes = [values.shape(value) for value in row]
                pairs = zip(common or shapes, shapes, strict=True)
                common = [common_shape(*pair) for pair in pairs]
        return common or []

    def output_types(self) -> list[Any]:
        """The NumPy dtype of each column's values, a list.  Source: mindspore.dataset.Dataset.output_types"""
        return [values.kind(value) for value in self._first or ()]

    def get_batch_size(self) -> int:
        """The batch size, an int; 1 without ``batch``.

        Source: mindspore.dataset.Dataset.get_batch_size
        """
        return self.children[0].get_batch_size() if self.children else 1

    def get_repeat_count(self) -> int:
        """The count of ``repeat``, an int; 1 without.  Source: mindspore.dataset.Dataset.get_repeat_count"""
        return self.children[0].get_repeat_count() if self.children else 1

    def num_classes(self) -> int | None:
        """The number of classes of a source, an int, or None.  Source: mindspore.dataset.Dataset.num_classes"""
        return self.children[0].num_classes() if self.children else None

    def get_class_indexing(self) -> dict[str, Any]:
        """The number of each class by its name, a dict.  Source: mindspore.dataset.Dataset.get_class_indexing"""
        return self.children[0].get_class_indexing() if self.children else {}

    @property
    def input_indexs(self):
        """The network inputs of the columns: a hint for MindSpore's sink mode, without effect; at first ``()``,
        or that of the first input node.

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
        """The functions that release each ``sync_wait``, by its name: ``(num_batch=None, data=None)``."""
        return {name: each for child in self.children for name, each in child.get_sync_notifiers().items()}

    def disable_sync(self):
        """Disables each ``sync_wait``."""
        for child in self.children:
            child.disable_sync()

    def is_shuffled(self) -> bool:
        """Whether the rows are shuffled, a bool."""
        return self._shuffled()

    def is_sharded(self) -> bool:
        """Whether only a shard of the source is read, a bool."""
        return self._sharded()

    def reset(self):
        """Does nothing: every iterator starts at the beginning.  Source: mindspore.dataset.Dataset.reset"""

    def get_init_step(self) -> int:
        """The step at which iterators start, an int."""
        return self._step

    def set_init_step(self, init_step):
        """Makes iterators start at a step (int): the rows before it are skipped in the first epoch."""
        self._step = init_step

    def to_json(self, filename=""):
        """The tree of nodes as dicts.

        Args:
            filename (str): a file to write it to as JSON. Default: ``''``, none.
        Returns:
            dict: ``op_type``, ``children``, and the arguments of each node; functions and arrays only by name.
        Source: mindspore.dataset.Dataset.to_json
        """
        require(filename, str, "to_json", "filename")
        description = tree(self)
        if filename:
            with open(filename, "w", encoding="utf-8") as file:
                json.dump(description, file, indent=2)
        return description

    # -- operations ---------------------------------------------------------------------------------------------------
    # Each makes a node that reads from this one. Its class extends this one, so it is imported inside the method.

    def map(self, operations, input_columns=None, output_columns=None, num_parallel_workers=None, **kwargs):
        """Applies functions and transforms to columns, in sequence.

        Args:
            operations (callable | list[callable]): functions of as many values as there are columns, which return a
                value, or a tuple for several columns; transforms of `mindspore.dataset.transforms` and ``vision``.
            input_columns (str | list[str]): the inputs of the first operation. Default: ``None``, as many of the first
                columns as it takes.
            output_columns (str | list[str]): the names of the results. Default: ``None``, those of the input.
            num_parallel_workers (int): the number of threads, or processes. Default: ``None``, from the settings.
            kwargs: ``python_multiprocessing`` (bool, ``False``): processes instead of threads; ``callbacks``
                (DSCallback or a list of them); ``max_rowsize``, ``offload``, ``cache``: without effect here, and None.
        Returns:
            MapDataset.
        Raises:
            RuntimeError: while reading, if a function raises (with its traceback) or gives another number of columns.
            TypeError, ValueError: for other arguments.
        Example:
            >>> dataset = mindspore.dataset.NumpySlicesDataset([1, 2], ["x"], shuffle=False)
            >>> dataset = dataset.map(lambda x: x * 10, ["x"])
            >>> [int(row["x"]) for row in dataset.create_dict_iterator(num_epochs=1)]
            [10, 20]
        Source: mindspore.dataset.Dataset.map
        """
        return registered.MapDataset(self, operations, input_columns, output_columns, num_parallel_workers, **kwargs)

    @_enforced
    def batch(self, batch_size, drop_remainder: Bool = False, num_parallel_workers=None, **kwargs):
        """Combines rows into batches: each column gets a new first axis.

        Args:
            batch_size (int | callable): the number of rows; or a function of a `BatchInfo` that returns it.
            drop_remainder (bool): whether to drop an incomplete last batch. Default: ``False``.
            num_parallel_workers (int): the number of threads or processes that call ``per_batch_map``. Default:
                ``None``, from the settings.
            kwargs: ``per_batch_map`` (callable): of as many lists of values as there are ``input_columns`` and a
                `BatchInfo`, which returns as many lists or arrays as there are ``output_columns``; ``input_columns``,
                ``output_columns`` (str | list[str]); ``python_multiprocessing`` (bool): processes instead of threads;
                ``max_rowsize``: without effect here.
        Returns:
            BatchDataset.
        Raises:
            TypeError: if ``batch_size`` is neither.  ValueError: if it is below 1.  RuntimeError: while reading, if the
                values of a column differ in shape or dtype.
        Example:
            >>> dataset = mindspore.dataset.NumpySlicesDataset([1, 2, 3], ["x"], shuffle=False).batch(2)
            >>> [row["x"].tolist() for row in dataset.create_dict_iterator(num_epochs=1)]
            [[1, 2], [3]]
        Source: mindspore.dataset.Dataset.batch
        """
        return registered.BatchDataset(self, batch_size, drop_remainder, num_parallel_workers, **kwargs)

    @_enforced
    def padded_batch(self, batch_size, drop_remainder: Bool = False, num_parallel_workers=None, pad_info=None):
        """Combines rows into batches, with the values of a column padded to one shape.

        Args:
            batch_size, drop_remainder, num_parallel_workers: as for ``batch``.
            pad_info (dict): by column, the shape (None for the longest of the batch) and the value to pad with, or None
                for the longest and 0; ``{}`` means that for all columns. Default: ``None``, nothing is padded.
        Returns:
            PaddedBatchDataset.
        Example:
            >>> rows = [(np.array([1]),), (np.array([2, 3]),)]
            >>> dataset = mindspore.dataset.GeneratorDataset(rows, ["x"], shuffle=False)
            >>> next(dataset.padded_batch(2, pad_info={"x": ([3], -1)}).create_tuple_iterator())[0].tolist()
            [[1, -1, -1], [2, 3, -1]]
        Source: mindspore.dataset.Dataset.padded_batch
        """
        return registered.PaddedBatchDataset(self, batch_size, drop_remainder, num_parallel_workers, pad_info)

    @_enforced
    def bucket_batch_by_length(
        self, column_names, bucket_boundaries, bucket_batch_sizes, element_length_function=None, pad_info=None,
        pad_to_bucket_boundary: Bool = False, drop_remainder: Bool = False,
    ):  # fmt: skip
        """Combines rows of similar length into batches.

        Args:
            column_names (str | list[str]): the inputs of ``element_length_function``; without it, one column.
            bucket_boundaries (list[int]): the lengths at which buckets begin, strictly increasing.
            bucket_batch_sizes (list[int]): the batch size of each bucket, one more than boundaries.
            element_length_function (callable): returns the length of a row. Default: ``None``, the column's first axis.
            pad_info (dict): as for ``padded_batch``. Default: ``None``, as ``{}``.
            pad_to_bucket_boundary (bool): whether None in ``pad_info`` is the largest length of the bucket instead of
                the batch. Default: ``False``.
            drop_remainder (bool): whether to drop incomplete last batches. Default: ``False``.
        Returns:
            BucketBatchByLengthDataset.
        Raises:
            TypeError, ValueError: for other arguments.
        Source: mindspore.dataset.Dataset.bucket_batch_by_length
        """
        lengths = column_names, bucket_boundaries, bucket_batch_sizes, element_length_function
        return registered.BucketBatchByLengthDataset(self, *lengths, pad_info, pad_to_bucket_boundary, drop_remainder)

    def shuffle(self, buffer_size):
        """Shuffles the rows: each is drawn at random from a buffer of the next rows.

        Args:
            buffer_size (int): at least 2; with the size of the dataset the shuffle is uniform.
        Returns:
            ShuffleDataset.
        Raises:
            TypeError: if it is not an int.  ValueError: if it is below 2.
        Source: mindspore.dataset.Dataset.shuffle
        """
        return registered.ShuffleDataset(self, buffer_size)

    def repeat(self, count=None):
        """Repeats the rows, running the preceding pipeline again each time.

        Args:
            count (int): the number of repetitions; -1 or None: unlimited. Default: ``None``.
        Returns:
            RepeatDataset.
        Raises:
            TypeError: if it is not an int.  ValueError: if it is 0 or below -1.
        Source: mindspore.dataset.Dataset.repeat
        """
        return registered.RepeatDataset(self, count)

    @_enforced
    def skip(self, count: NonNegativeInt) -> "Dataset":
        """Skips the first ``count`` rows (int).  Source: mindspore.dataset.Dataset.skip"""
        return registered.SkipDataset(self, count)

    def take(self, count=-1) -> "Dataset":
        """Keeps the first ``count`` rows (int), -1 for all.

        Raises:
            TypeError: if it is not an int.  ValueError: if it is 0 or below -1.
        Source: mindspore.dataset.Dataset.take
        """
        return self if counted("take", count) == -1 else registered.TakeDataset(self, count)

    def filter(self, predicate, input_columns=None, num_parallel_workers=None):
        """Keeps the rows for which a predicate is true.

        Args:
            predicate (callable): a function of the values of ``input_columns`` that returns a bool.
            input_columns (str | list[str]): its inputs. Default: ``None``, all columns.
            num_parallel_workers (int): without effect here. Default: ``None``.
        Returns:
            FilterDataset.
        Source: mindspore.dataset.Dataset.filter
        """
        return registered.FilterDataset(self, predicate, input_columns, num_parallel_workers)

    @_enforced
    def split(self, sizes, randomize: Bool = True):
        """Splits the rows into several datasets.

        Args:
            sizes (list[int] | list[float]): the size of each part: numbers of rows that add up to all, or fractions
                that add up to 1.
            randomize (bool): whether to shuffle the rows first, once. Default: ``True``. The parts of a source with
                random access are always disjoint; those of other shuffled datasets only with ``config.set_seed``.
        Returns:
            tuple of Dataset.
        Raises:
            ValueError: for other sizes.  RuntimeError: if they do not match the number of rows.
        Example:
            >>> dataset = mindspore.dataset.NumpySlicesDataset(list(range(10)), ["x"])
            >>> [part.get_dataset_size() for part in dataset.split([0.8, 0.2])]
            [8, 2]
        Source: mindspore.dataset.Dataset.split
        """
        return registered.split(self, sizes, randomize)

    def zip(self, datasets) -> "Dataset":
        """Zips the rows of this and another dataset, or several in a tuple.

        Source: mindspore.dataset.Dataset.zip
        """
        if not isinstance(datasets, (tuple, Dataset)):
            refuse(TypeError, "zip", "datasets", "a dataset or a tuple of them", datasets)
        return registered.ZipDataset((self, *(datasets if isinstance(datasets, tuple) else (datasets,))))

    def concat(self, datasets) -> "Dataset":
        """Appends another dataset, or several in a list, with the same columns; so does ``+``.

        Source: mindspore.dataset.Dataset.concat
        """
        if not isinstance(datasets, (list, Dataset)):
            refuse(TypeError, "concat", "datasets", "a dataset or a list of them", datasets)
        return registered.ConcatDataset([self, *(datasets if isinstance(datasets, list) else [datasets])])

    def __add__(self, datasets):
        return self.concat(datasets)

    def flat_map(self, func):
        """Replaces each row by the rows of a dataset.

        Args:
            func (callable): a function of the values of a row that returns a Dataset. Its errors are raised unchanged.
        Returns:
            FlatMapDataset.
        Raises:
            TypeError: if ``func`` is not a function; while reading, if it cannot take a row or does not return a
                Dataset.
        Source: mindspore.dataset.Dataset.flat_map
        """
        if not callable(func):
            refuse(TypeError, "flat_map", "func", "a function", func)
        return registered.FlatMapDataset(self, func)

    def project(self, columns) -> "Dataset":
        """Selects columns, in the order of ``columns`` (str | list[str]).

        Source: mindspore.dataset.Dataset.project
        """
        return registered.ProjectDataset(self, columns)

    def rename(self, input_columns, output_columns) -> "Dataset":
        """Renames columns: ``input_columns`` to as many ``output_columns`` (str | list[str]).

        Raises:
            ValueError: if their numbers differ.
        Source: mindspore.dataset.Dataset.rename
        """
        return registered.RenameDataset(self, input_columns, output_columns)

    def apply(self, apply_func):
        """``apply_func(self)``, which must be a dataset.

        Raises:
            TypeError: if it is not a dataset, or ``apply_func`` not a function.
        Source: mindspore.dataset.Dataset.apply
        """
        if not callable(apply_func):
            refuse(TypeError, "apply", "apply_func", "a function", apply_func)
        return require(apply_func(self), Dataset, "apply", "result of the apply_func")

    def sync_wait(self, condition_name, num_batch=1, callback=None):
        """Makes the pipeline wait for ``sync_update`` after each ``num_batch`` rows.

        Args:
            condition_name (str): a name for the wait.
            num_batch (int): the number of batches, or of rows, if no ``batch`` follows. Default: ``1``.
            callback (callable): called by ``sync_update`` with its ``data``. Default: ``None``.
        Returns:
            SyncWaitDataset.
        Raises:
            RuntimeError: if the pipeline has a wait of that name; while reading, if the wait takes longer than
                ``config.get_callback_timeout()`` seconds.
        Source: mindspore.dataset.Dataset.sync_wait
        """
        return registered.SyncWaitDataset(self, condition_name, num_batch, callback)

    def sync_update(self, condition_name, num_batch=None, data=None):
        """Resumes a ``sync_wait`` of this pipeline.

        Args:
            condition_name (str): its name.
            num_batch (int): for how many batches. Default: ``None``, its ``num_batch``.
            data (object): the argument of its callback. Default: ``None``.
        Raises:
            RuntimeError: if there is no such name, or ``num_batch`` is not positive.
        Source: mindspore.dataset.Dataset.sync_update
        """
        registered.notify(self, condition_name, num_batch, data)

    def save(self, file_name, num_files=1, file_type="mindrecord"):
        """Writes the rows of one epoch to MindRecord files, which `MindDataset` reads.

        Ints of other dtypes become int32 or int64, float16 float32; strings and bytes are single values.

        Args:
            file_name (str): the path; an existing file is replaced.
            num_files (int): the number of files. Default: ``1``.
            file_type (str): ``'mindrecord'``. Default: ``'mindrecord'``.
        Raises:
            ValueError: for another type.  RuntimeError: if a column has values that the files cannot hold.
        Source: mindspore.dataset.Dataset.save
        """
        registered.save(self, file_name, num_files, file_type)

    def _split_part(self, start, count, key, randomize):
        """``count`` rows from ``start`` on; ``randomize``: of a random order determined by ``key`` (int)."""
        whole = registered.FixedOrderDataset(self, key) if randomize else self
        return whole.skip(start).take(count)
