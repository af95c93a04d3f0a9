"""Datasets of image files: folders of classes, manifests, VOC, COCO, CelebA."""

import functools
import json
import os
from typing import Any

import numpy as np

from ..._contracts import check
from ...engine.refusal import refuse, require
from ..mappable import Mappable
from ..samplers import sampler_of
from ..vision.decoding import decoded
from . import _files

_EXTENSIONS = (".jpg", ".jpeg", ".png", ".bmp", ".gif", ".tif", ".tiff", ".ppm", ".webp")


class ImagesDataset(Mappable):
    """Rows with an image file: its bytes, or the image.

    A subclass defines the names of the columns and, in ``_listed``, the path of each row's image and its other values.
    """

    _listed: Any
    _decrypt: Any

    def __init__(self, choice, decode, decrypt, num_parallel_workers, cache):
        owner = type(self).__name__
        self.decode = check.boolean(decode, "decode", owner)
        if decrypt is not None and not callable(decrypt):
            refuse(TypeError, owner, "decrypt", "a function", decrypt)
        self._decrypt = decrypt
        super().__init__(sampler_of(owner, *choice), num_parallel_workers, cache)

    @functools.cached_property
    def _list(self):
        listed = self._listed()
        if not listed:
            raise RuntimeError(f"For '{type(self).__name__}', there are no images in its arguments.")
        return listed

    def _length(self):
        return len(self._list)

    def _row(self, index):
        path, *rest = self._list[index]
        return (self._image(path), *rest)

    def _image(self, path):
        if self._decrypt is not None:
            data = np.frombuffer(self._decrypt(path), np.uint8)
        else:
            data = _files.contents(path, type(self).__name__)
        return decoded(data, type(self).__name__) if self.decode else data

    def _class_of(self, index):
        """The class of a row (int), for samplers that need it."""
        return int(self._list[index][1])


class ImageFolderDataset(ImagesDataset):
    """A folder of images for each class: ``image``, uint8, and ``label``, int32.

    Args:
        dataset_dir (str): the folder that contains the folders.
        num_samples (int): the number of rows. Default: ``None``, all.
        num_parallel_workers (int): the number of reading threads. Default: ``None``, from the settings.
        shuffle (bool): whether to shuffle the rows. Default: ``None``, True.
        sampler (Sampler | iterable): selects the rows. Default: ``None``.
        extensions (list[str]): the extensions of the files to read. Default: ``None``, those of images.
        class_indexing (dict[str, int]): the number of each class by its folder. Default: ``None``, in sorted order.
        decode (bool): whether to decode ``image``; otherwise it is the file's bytes. Default: ``False``.
        num_shards, shard_id (int): the number of shards, and the one to read. Default: ``None``.
        cache (None): not supported.
        decrypt (callable): returns the bytes for a path, instead of the file's. Default: ``None``.
    Raises:
        ValueError: if there is no such folder, or arguments contradict each other.  RuntimeError: while reading, if
            there are no images, or one cannot be decoded.
    Source: mindspore.dataset.ImageFolderDataset
    """

    def __init__(
        self,
        dataset_dir,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        extensions=None,
        class_indexing=None,
        decode=False,
        num_shards=None,
        shard_id=None,
        cache=None,
        decrypt=None,
    ):
        self.dataset_dir = _files.folder(dataset_dir, "ImageFolderDataset")
        self.extensions = _endings(extensions, "ImageFolderDataset") or _EXTENSIONS
        self.class_indexing = _numbered(class_indexing, "ImageFolderDataset")
        choice = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(choice, decode, decrypt, num_parallel_workers, cache)

    def _names(self):
        return ["image", "label"]

    def get_class_indexing(self):
        if self.class_indexing is None:
            folders = sorted(entry.name for entry in os.scandir(self.dataset_dir) if entry.is_dir())
            return {name: number for number, name in enumerate(folders)}
        return self.class_indexing

    def num_classes(self):
        return len(self.get_class_indexing())

    def _listed(self):
        listed = []
        for name, number in sorted(self.get_class_indexing().items()):
            for base, _, files in sorted(os.walk(os.path.join(self.dataset_dir, name))):
                paths = [os.path.join(base, file) for file in sorted(files) if file.lower().endswith(self.extensions)]
                listed += [(path, np.array(number, np.int32)) for path in paths]
        return listed


class ManifestDataset(ImagesDataset):
    """Images that a manifest lists, a JSON object on each line: ``image``, uint8, and ``label``, int32.

    Args:
        dataset_file (str): the manifest.
        usage (str): the lines to read. Default: ``'train'``.
        num_samples, num_parallel_workers, shuffle, sampler, class_indexing, decode, num_shards, shard_id, cache: as for
            `ImageFolderDataset`.
    Source: mindspore.dataset.ManifestDataset
    """

    def __init__(
        self,
        dataset_file,
        usage="train",
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        sampler=None,
        class_indexing=None,
        decode=False,
        num_shards=None,
        shard_id=None,
        cache=None,
    ):
        self.dataset_file = _files.file(dataset_file, "ManifestDataset")
        self.usage = _files.usage(usage, ("eval", "inference", "train"), "ManifestDataset")
        self.class_indexing = _numbered(class_indexing, "ManifestDataset")
        choice = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(choice, decode, None, num_parallel_workers, cache)

    def _names(self):
        return ["image", "label"]

    @functools.cached_property
    def _lines(self):
        """The path and the names of the classes of each image."""
        lines = []
        with open(self.dataset_file, encoding="utf-8") as file:
            for number, line in enumerate(file):
                try:
                    entry = json.loads(line)
                    if entry["usage"] == self.usage:
                        classes = [each["name"] for each in entry.get("annotation", [])]
                        lines.append((entry["source"].removeprefix("file://"), classes))
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    raise _files.damaged(
                        "ManifestDataset", self.dataset_file, f"line {number + 1}: {error!r}"
                    ) from error
        return lines

    def get_class_indexing(self):
        if self.class_indexing is None:
            return {
                name: number
                for number, name in enumerate(sorted({each for _, classes in self._lines for each in classes}))
            }
        return self.class_indexing

    def num_classes(self):
        return len(self.get_class_indexing())

    def _listed(self):
        numbers = self.get_class_indexing()
        listed = [(path, [numbers[name] for name in names if name in numbers]) for path, names in self._lines]
        return [
            (path, np.array(classes[0] if len(classes) == 1 else classes, np.int32))
            for path, classes in listed
            if classes
        ]


class CelebADataset(ImagesDataset):
    """CelebA: ``image``, uint8, and ``attr``, 40 numbers 0 or 1 of uint32.

    Args:
        dataset_dir (str): the folder of the images, of ``list_attr_celeba.txt`` and ``list_eval_partition.txt``.
        num_parallel_workers, shuffle, sampler, decode, extensions, num_samples, num_shards, shard_id, cache, decrypt:
            as for `ImageFolderDataset`.
        usage (str): ``'train'``, ``'valid'``, ``'test'`` or ``'all'``. Default: ``'all'``.
    Source: mindspore.dataset.CelebADataset
    """

    def __init__(
        self,
        dataset_dir,
        num_parallel_workers=None,
        shuffle=None,
        usage="all",
        sampler=None,
        decode=False,
        extensions=None,
        num_samples=None,
        num_shards=None,
        shard_id=None,
        cache=None,
        decrypt=None,
    ):
        self.dataset_dir = _files.folder(dataset_dir, "CelebADataset")
        self.usage = _files.usage(usage, ("train", "valid", "test", "all"), "CelebADataset")
        self.extensions = _endings(extensions, "CelebADataset")
        choice = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(choice, decode, decrypt, num_parallel_workers, cache)

    def _names(self):
        return ["image", "attr"]

    def _class_of(self, index):
        raise RuntimeError("For 'CelebADataset', there are no classes to sample from.")

    def _listed(self):
        path = _files.file(os.path.join(self.dataset_dir, "list_attr_celeba.txt"), "CelebADataset", "dataset_dir")
        with open(path, encoding="utf-8") as file:
            rows = [line.split() for line in file.read().splitlines()[2:]]
        parts = self._parts()
        listed = []
        for name, *signs in rows:
            if (parts is None or name in parts) and (not self.extensions or name.lower().endswith(self.extensions)):
                attributes = (np.array(signs, np.int64) > 0).astype(np.uint32)
                listed.append((os.path.join(self.dataset_dir, name), attributes))
        return listed

    def _parts(self):
        """The names of the images of the usage, or None for all."""
        if self.usage == "all":
            return None
        path = _files.file(os.path.join(self.dataset_dir, "list_eval_partition.txt"), "CelebADataset", "dataset_dir")
        wanted = str(("train", "valid", "test").index(self.usage))
        with open(path, encoding="utf-8") as file:
            return {name for name, part in (line.split() for line in file if line.strip()) if part == wanted}


def _endings(extensions, owner):
    for each in require(extensions, (list, tuple, type(None)), owner, "extensions") or ():
        require(each, str, owner, "extensions")
    return tuple([each.lower() for each in extensions or ()])


def _numbered(class_indexing, owner):
    for name, number in (require(class_indexing, (dict, type(None)), owner, "class_indexing") or {}).items():
        require(name, str, owner, "class_indexing")
        require(number, int, owner, "class_indexing")
    return class_indexing
