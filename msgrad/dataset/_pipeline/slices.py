"""Sources of the datasets that are given their rows in memory: columns, or rows as dicts."""

import numpy as np

from ...engine.handle import Handle
from ...engine.refusal import refuse, require
from . import values


class Slices:
    """Arrays as a source: a row has their elements at one index.

    Attributes:
        names (list of str): of the columns.
        given (list): the columns as the user gave them.
    """

    def __init__(self, data):
        if type(data).__module__.partition(".")[0] == "pandas":
            data = data.to_dict("list")
        require(data, (list, tuple, dict, np.ndarray), "NumpySlicesDataset", "data")
        if not len(data):
            refuse(ValueError, "NumpySlicesDataset", "data", "made of one array at least, with one row at least", data)
        if isinstance(data, dict):
            self.names, parts = list(data), [_indexable(part) for part in data.values()]
        else:
            parts = list(data) if isinstance(data, tuple) else [data]
            require(parts[0], (list, np.ndarray), "NumpySlicesDataset", "data[0]")
            self.names = [f"column_{position}" for position in range(len(parts))]
        self.given, self.arrays = parts, [_sliceable(part) for part in parts]
        self.length = len(self.arrays[0])
        lengths = [len(part) for part in self.arrays]
        if len(set(lengths)) > 1:
            raise ValueError(f"For 'NumpySlicesDataset', the 'data' must be of equal length, but got {lengths}.")

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return tuple([part[index] for part in self.arrays])


def _indexable(part):
    """``part`` unchanged if it is an array or a sequence, otherwise a list of its items."""
    if isinstance(part, (np.ndarray, Handle, list, tuple)):
        return part
    # MindSpore takes `values` for pandas' attribute of that name, so that a dict is none of its columns.
    if isinstance(part, dict) or not hasattr(part, "__iter__"):
        _refuse_part(part)
    return list(part)


def _sliceable(part):
    """``part`` as a sequence whose items are arrays."""
    if isinstance(part, Handle):
        part = part.asnumpy()
    elif not isinstance(part, np.ndarray):
        if not hasattr(part, "__len__") or not hasattr(part, "__getitem__"):
            _refuse_part(part)
        items = [part[index] for index in range(len(part))]
        try:
            part = np.asarray(items)
        except ValueError:  # rows of several lengths
            return [values.array(item) for item in items]
        if part.dtype == object:  # dicts
            return [values.array(item) for item in items]
    if not part.shape:
        _refuse_part(part)
    part = values.array(part)
    return _Cells(part) if part.ndim == 1 or part.dtype.kind in "US" else part


def _refuse_part(part):
    refuse(TypeError, "NumpySlicesDataset", "data", "made of arrays with a first axis", part)


class _Cells:
    """An array whose items are narrowed arrays (see `values.narrowed`), of 0 axes instead of NumPy scalars."""

    def __init__(self, array):
        self.array, self.shape = array[:, None], array.shape[1:]

    def __len__(self):
        return len(self.array)

    def __getitem__(self, index):
        return values.narrowed(self.array[index].reshape(self.shape))


class PaddingRows:
    """Dicts as a source: each row has the values of the first one's keys."""

    def __init__(self, padded_samples):
        if not padded_samples:
            refuse(ValueError, "PaddedDataset", "padded_samples", "a list that is not empty", padded_samples)
        self.rows = require(padded_samples, list, "PaddedDataset", "padded_samples")
        self.names = list(require(padded_samples[0], dict, "PaddedDataset", "padded_samples[0]"))

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, index):
        row = require(self.rows[index], dict, "PaddedDataset", f"padded_samples[{index}]")
        if not row.keys() >= set(self.names):
            refuse(ValueError, "PaddedDataset", f"padded_samples[{index}]", f"a dict with the keys {self.names}", row)
        return tuple([row[name] for name in self.names])
