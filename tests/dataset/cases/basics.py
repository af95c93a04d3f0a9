"""Shared by the cases: a source, and the rows of a dataset.

Cases are pipelines that both MindSpore and msgrad run: a case takes the module ``mindspore.dataset`` and returns
arrays, numbers, strings, and lists and dicts of them. What MindSpore gives is in tests/golden/dataset_*.json.
"""

import sys

import numpy as np


class Squares:
    """A source with random access: rows of an int and of two floats."""

    def __init__(self, length=5):
        self.length = length

    def __len__(self):
        return self.length

    def __getitem__(self, index):
        return np.array(index * index, np.int64), np.array([index, -index], np.float32)


def counted():
    for k in range(4):
        yield (np.array([k]),)


def rows(dataset, **options):
    return list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True, **options))


def numbers(ds, count, name="x", **options):
    return ds.NumpySlicesDataset(list(range(count)), [name], shuffle=False, **options)


def facts(dataset):
    return [
        dataset.get_dataset_size(),
        dataset.get_col_names(),
        dataset.output_shapes(),
        [str(np.dtype(kind)) for kind in dataset.output_types()],
        dataset.get_batch_size(),
        dataset.get_repeat_count(),
    ]


def mindspore(dataset_module):
    return sys.modules[dataset_module.__name__.rpartition(".")[0]]
