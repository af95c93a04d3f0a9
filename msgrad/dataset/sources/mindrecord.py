"""`MindDataset`: the rows of MindRecord files."""

import bisect
import itertools
import os

import numpy as np

from ...engine.refusal import refuse, require
from ...mindrecord.filereader import readers
from .._pipeline.failures import broken
from ..mappable import Mappable
from ..samplers import sampler_of
from ..shuffling import Shuffle
from ._record_orders import record_order


class MindDataset(Mappable):
    """The rows of MindRecord files.

    Args:
        dataset_files (str | list[str]): one of the files of a dataset; or a list of those to read.
        columns_list (list[str]): the columns to read. Default: ``None``, all.
        num_parallel_workers (int): the number of reading threads. Default: ``None``, from the settings.
        shuffle (bool | Shuffle): whether to shuffle the rows. Default: ``None``, True.
        num_shards, shard_id (int): the number of shards, and the one to read. Default: ``None``.
        sampler (Sampler | iterable): selects the rows. Default: ``None``.
        padded_sample (dict): a padding row. Default: ``None``.
        num_padded (int): the number of padding rows. Default: ``None``.
        num_samples (int): the number of rows. Default: ``None``, all.
        cache (None): not supported.
    Raises:
        ValueError: if a file is missing, or arguments contradict each other.  RuntimeError: if a file is damaged, or
            has no such column.
    Source: mindspore.dataset.MindDataset
    """

    def __init__(
        self,
        dataset_files,
        columns_list=None,
        num_parallel_workers=None,
        shuffle=None,
        num_shards=None,
        shard_id=None,
        sampler=None,
        padded_sample=None,
        num_padded=None,
        num_samples=None,
        cache=None,
    ):
        owner = "MindDataset"
        self.dataset_files = require(dataset_files, (str, list), owner, "dataset_files")
        self.columns_list = require(columns_list, (list, type(None)), owner, "columns_list") or None
        if (padded_sample is None) != (num_padded is None):
            raise ValueError("For 'MindDataset', the 'padded_sample' and the 'num_padded' must be given together.")
        if padded_sample is not None and columns_list is None:
            raise RuntimeError("For 'MindDataset', the 'columns_list' must be given with a 'padded_sample'.")
        if shuffle in (Shuffle.FILES, Shuffle.INFILE) and num_samples is not None:
            refuse(ValueError, owner, "num_samples", f"None with {shuffle}", num_samples)
        if num_padded is not None and (isinstance(num_padded, bool) or num_padded < 0):
            refuse(ValueError, owner, "num_padded", "a non-negative int", num_padded)
        for path in dataset_files if isinstance(dataset_files, list) else [dataset_files]:
            if not os.path.isfile(path):
                raise ValueError(f"The file {path} does not exist or permission denied: it cannot be read.")
        self._readers = readers(dataset_files)
        self._ends = list(itertools.accumulate(map(len, self._readers)))
        self._padding = require(padded_sample, (dict, type(None)), owner, "padded_sample")
        self._padded = num_padded or 0
        chosen = sampler_of(owner, sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(chosen, num_parallel_workers, cache)

    def _names(self):
        schema = self._readers[0].schema
        for name in self.columns_list or ():
            if name not in schema:
                raise broken("MindDataset", f"there is no column '{name}' among {sorted(schema)}")
        return self.columns_list or sorted(schema)

    def _length(self):
        return self._ends[-1] + self._padded

    def _epoch_indices(self, draws):
        return record_order(self.sampler, [*self._ends[:-1], self._length()], draws, self)

    def _values(self, index):
        if index >= self._ends[-1]:
            return self._padding
        position = bisect.bisect_right(self._ends, index)
        return self._readers[position].row(index - (self._ends[position - 1] if position else 0), self.columns_list)

    def _row(self, index):
        values, schema = self._values(index), self._readers[0].schema
        return tuple([_array(values[name], schema[name]["type"]) for name in self._names()])

    def __getitem__(self, index):
        if isinstance(index, bool):
            refuse(TypeError, "MindDataset", "index", "an int", index)
        if require(index, int, "MindDataset", "index") < 0:
            refuse(ValueError, "MindDataset", "index", "a non-negative int", index)
        return list(self._row(self._number(index)))

    def _class_of(self, index):
        """The class of a row, for samplers that need it."""
        return self._values(index)[getattr(self.sampler, "class_column", "label")]


def _array(value, kind):
    if isinstance(value, bytes):
        return np.frombuffer(value, f"S{len(value)}") if value else np.array([b""])
    if isinstance(value, str):
        return np.array(value)
    return np.asarray(value, kind)
