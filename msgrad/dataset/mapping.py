"""``map``: applies functions and transforms to columns."""

from typing import Any

from .._contracts import check
from ..engine.refusal import refuse
from . import config
from ._pipeline import values
from ._pipeline.arguments import columns_or_none
from ._pipeline.column_table import ColumnTable
from ._pipeline.draws import Lane, begin_row, mixed
from ._pipeline.failures import broken, user_error
from ._pipeline.processes import Processes
from ._pipeline.threads import Threads
from .callbacks import Calls, DSCallback
from .node import Dataset, register
from .transforms.base import Transform
from .transforms.composing import Compose

_MSG_COUNT = "the functions give {} columns, but the 'output_columns' are {}"


@register
class MapDataset(Dataset):
    """A dataset with mapped columns: see `map`.  Source: mindspore.dataset.MapDataset"""

    _keeps_rows = True

    def __init__(
        self,
        input_dataset,
        operations=None,
        input_columns=None,
        output_columns=None,
        num_parallel_workers=None,
        python_multiprocessing=False,
        cache=None,
        callbacks=None,
        max_rowsize=None,
        offload=None,
    ):
        super().__init__(input_dataset, num_parallel_workers, cache)
        operations = operations if isinstance(operations, (list, tuple)) else [operations]
        for operation in operations:
            if not callable(operation):
                refuse(ValueError, "map", "operations", "functions, or objects that can be called", operation)
        self.operations = list(operations)
        self.input_columns = columns_or_none(input_columns, "map", "input_columns")
        self.output_columns = columns_or_none(output_columns, "map", "output_columns")
        self.python_multiprocessing = check.boolean(python_multiprocessing, "python_multiprocessing", "map")
        self.callbacks = callbacks if isinstance(callbacks, list) else [callbacks] if callbacks else []
        for callback in self.callbacks:
            if not isinstance(callback, DSCallback):
                refuse(TypeError, "map", "callbacks", "a DSCallback or a list of them", callback)

    def _taken(self):
        before = self.children[0]._names()
        names = before[:1] if self.input_columns is None else self.input_columns
        for name in names:
            if name not in before:
                raise broken("map", f"there is no column '{name}' among {before}")
        return names

    def _names(self):
        return names_after(self.children[0]._names(), self._taken(), self.output_columns)

    def _table(self):
        return table_after(self.children[0]._table(), self._taken(), self.output_columns)

    def _open(self, run):
        batch_column = run.batch_columns.pop(self, None)
        child = self.children[0]._open(run)
        before, inputs = self.children[0]._names(), self._taken()
        change = _Change(_joined(self.operations), before, inputs, self.output_columns)
        mode = config.get_error_samples_mode()
        change.is_tolerant = mode != config.ErrorSamplesMode.RETURN
        is_alone = not change.is_tolerant and not self.python_multiprocessing  # and no row is lost
        change.batch_column = batch_column if is_alone and isinstance(change.last, Transform) else None
        if run.seed is not None and not self.python_multiprocessing:
            workers = 1 if config.get_debug_mode() else self.num_parallel_workers
            change.lanes = [Lane(run.seed, number, workers == 1) for number in range(workers)]
        keys, pool = run.epochs("map"), self._pool(change.keyed, run)

        slots = 0  # counted over all epochs: workers take turns with rows and with ends of epochs

        def given(key):
            nonlocal slots
            for number, row in enumerate(child()):
                yield mixed(key, number), slots, row
                slots += 1
            slots += 1

        def rows():
            changed = pool(given(next(keys).bits()), slots)
            return _tolerant(changed, mode) if change.is_tolerant else changed

        return rows

    def _pool(self, change, run):
        """The workers of an epoch; none with callbacks or in debug mode, which need rows one by one in this thread."""
        if self.callbacks:
            calls = Calls(self.callbacks)
            return lambda rows, slot: calls.around(rows, change)
        if config.get_debug_mode():
            return Threads(change, 0, run).rows
        if self.python_multiprocessing:
            processes = Processes(change, self.num_parallel_workers, run, "map")
            return lambda rows, slot: processes.rows(rows)
        return Threads(change, self.num_parallel_workers, run, has_lanes=run.seed is not None).rows


class _Change:
    """The function that ``map`` applies to a row.

    Args:
        operations (list[callable]): in sequence, one at least.
        names_before, inputs (list[str]): the columns of the row, and the inputs of the first operation.
        new_names (list[str] | None): the names of the last operation's results.
    Attributes:
        batch_column: the memory of batches for the last operation's results, or None.
    """

    lanes: Any

    def __init__(self, operations, names_before, inputs, new_names):
        *earlier, self.last = operations
        self.earlier = [getattr(each, "_in_map", each) for each in earlier]
        self.batch_column = None
        self.indices = [names_before.index(name) for name in inputs]
        self.count = len(inputs if new_names is None else new_names)
        after = names_after(names_before, inputs, new_names)
        outputs = inputs if new_names is None else new_names
        self.is_in_place = after == names_before and list(outputs) == list(inputs)
        # The index in `results + row` of each column of the new row.
        position_of = {name: self.count + index for index, name in enumerate(names_before) if name not in inputs}
        position_of |= {name: index for index, name in enumerate(outputs)}
        self.order = [position_of[name] for name in after]
        self.is_tolerant = False
        self.lanes = [None]

    def keyed(self, number, keyed_row):
        """The new row, from a key, a slot and a row; None for a row that failed, if failures are tolerated."""
        key, slot, row = keyed_row
        begin_row(key, self.lanes[slot % len(self.lanes)])
        try:
            return self.apply(number, row)
        except Exception as error:
            if self.is_tolerant:
                return None
            raise user_error("map", error, number) from error
        finally:
            begin_row(None)

    def apply(self, number, row):
        given = tuple([row[index] for index in self.indices])
        for operation in self.earlier:
            result = operation(*given)
            given = result if isinstance(result, tuple) else (result,)
        if self.batch_column is None:
            result = getattr(self.last, "_in_map", self.last)(*given)
        else:
            result = self.last._written(self.batch_column.memory(number), *given)
        results = values.cells(result)
        if len(results) != self.count:
            raise broken("map", _MSG_COUNT.format(len(results), self.count))
        if self.is_in_place:
            new = list(row)
            for index, value in zip(self.indices, results, strict=True):
                new[index] = value
            return tuple(new)
        results += row
        return tuple([results[index] for index in self.order])


def _joined(operations):
    """The operations, with adjacent ones fused where possible."""
    joined = []
    for each in _parts(operations):
        combined = joined[-1]._joined(each) if joined and isinstance(joined[-1], Transform) else None
        if combined is not None:
            joined[-1] = combined
        else:
            joined.append(each._begun() if isinstance(each, Transform) else each)
    return joined


def _parts(operations):
    """The operations, with those of each `Compose` in its place."""
    for each in operations:
        yield from _parts(each.transforms) if type(each) is Compose else (each,)


def names_after(before, inputs, outputs):
    """The column names after replacing ``inputs`` by ``outputs``.

    If their numbers are equal, columns keep their positions; otherwise the new ones come first.
    """
    if outputs is None or list(outputs) == list(inputs):
        return list(before)
    if len(outputs) == len(inputs):
        return renamed(before, inputs, outputs, "map")
    return _distinct(list(outputs) + [name for name in before if name not in inputs], "map")


def table_after(table, inputs, outputs):
    """The ColumnTable after replacing ``inputs`` by ``outputs``."""
    if outputs is None or list(outputs) == list(inputs):
        return table
    if len(outputs) == len(inputs):
        return table.replaced(inputs, outputs)
    return ColumnTable([*outputs, *table.without(inputs)])


def renamed(before, inputs, outputs, owner):
    """The names ``before``, with ``outputs`` in place of ``inputs``."""
    new = dict(zip(inputs, outputs, strict=True))
    return _distinct([new.get(name, name) for name in before], owner)


def _distinct(names, owner):
    if len(set(names)) < len(names):
        raise broken(owner, f"a name of the columns {names} appears twice")
    return names


def _tolerant(rows, mode):
    """``rows`` without failed ones, which are None, or with each replaced by the last good row."""
    last = None
    for row in rows:
        if row is not None:
            last = row
            yield row
        elif mode == config.ErrorSamplesMode.REPLACE and last is not None:
            yield last
