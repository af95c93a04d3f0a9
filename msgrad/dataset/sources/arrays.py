"""Datasets of small images that fit into memory: MNIST, CIFAR and datasets in their formats."""

import functools
import glob
import os
from typing import Any

import numpy as np

from ..mappable import Mappable
from ..samplers import sampler_of
from . import _files

IMAGES, _LABELS = 2051, 2049  # the magic number of MNIST image files


class ArraysDataset(Mappable):
    """Rows of arrays that are loaded on first use.

    A subclass defines the names in ``_columns`` and, in ``_read``, an array for each.
    """

    _columns: Any
    _read: Any

    _usages = ("train", "test", "all")

    def __init__(
        self,
        dataset_dir,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        owner = type(self).__name__
        self.dataset_dir = _files.folder(dataset_dir, owner)
        self.usage = _files.usage(usage, self._usages, owner)
        self._begin_with(sampler, num_samples, shuffle, num_shards, shard_id, num_parallel_workers, cache)

    def _begin(self, arguments):
        """The constructor of a row."""
        names = ("sampler", "num_samples", "shuffle", "num_shards", "shard_id", "num_parallel_workers")
        self._begin_with(*[arguments[name] for name in names], arguments.get("cache"))

    def _begin_with(self, sampler, num_samples, shuffle, num_shards, shard_id, num_parallel_workers, cache):
        chosen = sampler_of(type(self).__name__, sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(chosen, num_parallel_workers, cache)

    def _names(self):
        return list(self._columns)

    @functools.cached_property
    def _arrays(self):
        return self._read()

    def _length(self):
        return len(self._arrays[0])

    def _row(self, index):
        return tuple([array[index, ...] for array in self._arrays])

    def _class_of(self, index):
        """The class of a row (int), for samplers that need it."""
        return int(self._arrays[1][index])

    def num_classes(self):
        return len(np.unique(self._arrays[1]))

    def _matching_files(self, pattern):
        """The files of the folder whose names match, sorted.

        Raises:
            RuntimeError: if there are none.
        """
        return _files.matching(type(self).__name__, self.dataset_dir, pattern)


class MnistDataset(ArraysDataset):
    """MNIST: ``image``, uint8 of ``(28, 28, 1)``, and ``label``, uint32.

    Args:
        dataset_dir (str): the folder of its four files.
        usage (str): ``'train'``, ``'test'`` or ``'all'``, which of the two are there. Default: ``None``, all.
        num_samples (int): the number of rows. Default: ``None``, all.
        num_parallel_workers (int): without effect here. Default: ``None``.
        shuffle (bool): whether to shuffle the rows. Default: ``None``, True.
        sampler (Sampler | iterable): selects the rows. Default: ``None``.
        num_shards, shard_id (int): the number of shards, and the one to read. Default: ``None``.
        cache (None): not supported.
    Raises:
        ValueError: if there is no such folder, or arguments contradict each other.  RuntimeError: while reading, if a
            file is missing or damaged.
    Source: mindspore.dataset.MnistDataset
    """

    _columns = ("image", "label")
    _prefixes = {"train": "train", "test": "t10k"}

    def _read(self):
        parts = ("train", "test") if self.usage == "all" else (self.usage,)
        parts = [part for part in parts if self._is_there(self._prefixes[part])] or parts[:1]
        read = [self._part(self._prefixes[part]) for part in parts]
        return tuple([np.concatenate(arrays) for arrays in zip(*read, strict=True)])

    def _is_there(self, prefix):
        return bool(glob.glob(os.path.join(glob.escape(self.dataset_dir), f"{prefix}-images-idx3-ubyte")))

    def _part(self, prefix):
        [image_file], [label_file] = (
            self._matching_files(f"{prefix}-{kind}-ubyte")[:1] for kind in ("images-idx3", "labels-idx1")
        )
        images = numbers(image_file, IMAGES, 3, type(self).__name__)[..., None]
        labels = numbers(label_file, _LABELS, 1, type(self).__name__).astype(np.uint32)
        if len(images) != len(labels):
            raise _files.damaged(type(self).__name__, label_file, f"{len(labels)} labels for {len(images)} images")
        return images, labels


def numbers(path, magic, axes, owner, dtype: Any = np.uint8):
    """The array of a file in MNIST's format: a magic number, the lengths of the axes, the elements.

    Raises:
        RuntimeError: if it does not begin with ``magic``, or its size does not match its header.
    """
    data = np.fromfile(_files.existing_file(path, owner), np.uint8)
    head: Any = np.frombuffer(data[: 4 + 4 * axes].tobytes(), ">u4").tolist() if len(data) >= 4 + 4 * axes else [None]
    if head[0] != magic:
        raise _files.damaged(owner, path, f"it does not begin with {magic}")
    body = data[4 + 4 * axes :]
    if len(body) != int(np.prod(head[1:], dtype=object)) * np.dtype(dtype).itemsize:
        raise _files.damaged(owner, path, f"{len(body)} bytes are not those of the shape {head[1:]}")
    return body.view(dtype).reshape(head[1:])


class FashionMnistDataset(MnistDataset):
    """Fashion-MNIST, in MNIST's format: see `MnistDataset`.  Source: mindspore.dataset.FashionMnistDataset"""


class KMnistDataset(MnistDataset):
    """KMNIST, in MNIST's format: see `MnistDataset`.  Source: mindspore.dataset.KMnistDataset"""


class EMnistDataset(MnistDataset):
    """EMNIST, in MNIST's format.

    Args:
        dataset_dir (str): the folder of its files.
        name (str): the split: ``'byclass'``, ``'bymerge'``, ``'balanced'``, ``'letters'``, ``'digits'``, ``'mnist'``.
        usage, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as for `MnistDataset`.
    Source: mindspore.dataset.EMnistDataset
    """

    def __init__(
        self,
        dataset_dir,
        name,
        usage=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        splits = ("byclass", "bymerge", "balanced", "letters", "digits", "mnist")
        self.name = _files.usage(name, splits, "EMnistDataset")
        self._prefixes = {part: f"emnist-{self.name}-{part}" for part in ("train", "test")}
        super().__init__(
            dataset_dir, usage, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache
        )


class Cifar10Dataset(ArraysDataset):
    """CIFAR-10 in its binary version: ``image``, uint8 of ``(32, 32, 3)``, and ``label``, uint32.

    Args:
        dataset_dir (str): the folder of ``data_batch_1.bin``, ..., ``test_batch.bin``.
        usage, num_samples, num_parallel_workers, shuffle, sampler, num_shards, shard_id, cache: as for `MnistDataset`.
    Source: mindspore.dataset.Cifar10Dataset
    """

    _columns = ("image", "label")
    _patterns = {"train": "data_batch_*.bin", "test": "test_batch.bin"}

    def _read(self):
        parts = ("train", "test") if self.usage == "all" else (self.usage,)
        width = len(self._columns) - 1 + 3072
        rows = []
        for path in [path for part in parts for path in self._matching_files(self._patterns[part])]:
            data = np.fromfile(path, np.uint8)
            if len(data) % width:
                raise _files.damaged(type(self).__name__, path, f"{len(data)} bytes are no rows of {width}")
            rows.append(data.reshape(-1, width))
        rows = np.concatenate(rows)
        labels = [rows[:, column].astype(np.uint32) for column in range(width - 3072)]
        images = np.ascontiguousarray(rows[:, width - 3072 :].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        return images, *labels


class Cifar100Dataset(Cifar10Dataset):
    """CIFAR-100 in its binary version: ``image``, ``coarse_label`` and ``fine_label``: see `Cifar10Dataset`.

    Source: mindspore.dataset.Cifar100Dataset
    """

    _columns = ("image", "coarse_label", "fine_label")
    _patterns = {"train": "train.bin", "test": "test.bin"}

    def _class_of(self, index):
        return int(self._arrays[2][index])
