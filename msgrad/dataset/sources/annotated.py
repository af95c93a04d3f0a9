"""Datasets of images with annotations: VOC and COCO."""

import json
import os
import xml.etree.ElementTree

import numpy as np

from ..._contracts import check
from ...engine.refusal import refuse
from . import _files
from .images import ImagesDataset, _numbered


class VOCDataset(ImagesDataset):
    """Pascal VOC: segmentation or detection.

    Args:
        dataset_dir (str): the folder of ``JPEGImages``, ``Annotations``, ``ImageSets``, ``SegmentationClass``.
        task (str): ``'Segmentation'``: columns ``image`` and ``target``, uint8; or ``'Detection'``: ``image``, ``bbox``
            (float32: left, top, width, height), ``label``, ``difficult`` and ``truncate`` (uint32). Default:
            ``'Segmentation'``.
        usage (str): the name of the list in ``ImageSets``. Default: ``'train'``.
        class_indexing (dict[str, int]): the number of each class, for detection. Default: ``None``, alphabetical.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache, decrypt: as for
            `ImageFolderDataset`.
        extra_metadata (bool): whether to add a column ``_meta-filename``. Default: ``False``.
    Source: mindspore.dataset.VOCDataset
    """

    def __init__(
        self,
        dataset_dir,
        task="Segmentation",
        usage="train",
        class_indexing=None,
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        decode=False,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
        extra_metadata=False,
        decrypt=None,
    ):
        self.dataset_dir = _files.folder(dataset_dir, "VOCDataset")
        if task not in ("Segmentation", "Detection"):
            refuse(ValueError, "VOCDataset", "task", "'Segmentation' or 'Detection'", task)
        kind = "Segmentation" if task == "Segmentation" else "Main"
        self.task = task
        self._file = _files.file(os.path.join(dataset_dir, "ImageSets", kind, f"{usage}.txt"), "VOCDataset", "usage")
        self.class_indexing = _numbered(class_indexing, "VOCDataset")
        if task == "Segmentation" and class_indexing is not None:
            refuse(ValueError, "VOCDataset", "class_indexing", "None for a segmentation", class_indexing)
        self.extra_metadata = check.boolean(extra_metadata, "extra_metadata", "VOCDataset")
        choice = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(choice, decode, decrypt, num_parallel_workers, cache)

    def _names(self):
        names = (
            ["image", "target"] if self.task == "Segmentation" else ["image", "bbox", "label", "difficult", "truncate"]
        )
        return names + ["_meta-filename"] * self.extra_metadata

    def get_class_indexing(self):
        if self.task == "Segmentation":
            return {}
        if self.class_indexing is None:
            names = {name for image in self._images() for name, *_ in self._objects(image)}
            self.class_indexing = {name: number for number, name in enumerate(sorted(names))}
        return self.class_indexing

    def _images(self):
        with open(self._file, encoding="utf-8") as file:
            return [line.split()[0] for line in file if line.strip()]

    def _listed(self):
        listed = [(os.path.join(self.dataset_dir, "JPEGImages", f"{name}.jpg"), name) for name in self._images()]
        if self.task == "Segmentation":
            return listed
        numbers = self.get_class_indexing()
        return [pair for pair in listed if any(name in numbers for name, *_ in self._objects(pair[1]))]

    def _row(self, index):
        path, name = self._list[index]
        if self.task == "Segmentation":
            row = self._image(path), self._image(os.path.join(self.dataset_dir, "SegmentationClass", f"{name}.png"))
        else:
            row = self._image(path), *self._boxes(name)
        return (*row, np.array(name)) if self.extra_metadata else row

    def _boxes(self, image):
        numbers = self.get_class_indexing()
        rows = [(box, numbers[name], *flags) for name, box, *flags in self._objects(image) if name in numbers]
        boxes, *rest = zip(*rows, strict=True)
        return np.array(boxes, np.float32), *[np.array(each, np.uint32)[:, None] for each in rest]

    def _objects(self, image):
        """The class, the box, and the flags difficult and truncated of each object of an image."""
        path = _files.file(os.path.join(self.dataset_dir, "Annotations", f"{image}.xml"), "VOCDataset", "dataset_dir")
        try:
            tree = xml.etree.ElementTree.parse(path)
            objects = []
            for each in tree.getroot().iter("object"):
                left, top, right, bottom = (
                    float(each.findtext(f"bndbox/{name}", "")) for name in ("xmin", "ymin", "xmax", "ymax")
                )
                flags = [int(each.findtext(name) or 0) for name in ("difficult", "truncated")]
                objects.append((each.findtext("name"), [left, top, right - left, bottom - top], *flags))
        except (xml.etree.ElementTree.ParseError, AttributeError, TypeError, ValueError) as error:
            raise _files.damaged("VOCDataset", path, repr(error)) from error
        return objects


_COCO = {
    "Detection": ("bbox", "category_id", "iscrowd"),
    "Stuff": ("segmentation", "iscrowd"),
    "Keypoint": ("keypoints", "num_keypoints"),
    "Panoptic": ("bbox", "category_id", "iscrowd", "area"),
    "Captioning": ("captions",),
}


class CocoDataset(ImagesDataset):
    """COCO: detection, segmentation, keypoints or captions.

    Args:
        dataset_dir (str): the folder of the images.
        annotation_file (str): the annotations, JSON.
        task (str): ``'Detection'`` (columns ``image``, ``bbox`` of float32, ``category_id`` and ``iscrowd`` of uint32),
            ``'Stuff'`` (``segmentation``, ``iscrowd``), ``'Keypoint'`` (``keypoints``, ``num_keypoints``),
            ``'Panoptic'`` (``bbox``, ``category_id``, ``iscrowd``, ``area``) or ``'Captioning'`` (``captions``).
            Default: ``'Detection'``.
        num_samples, num_parallel_workers, shuffle, decode, sampler, num_shards, shard_id, cache, decrypt: as for
            `ImageFolderDataset`.
        extra_metadata (bool): whether to add a column ``_meta-filename``. Default: ``False``.
    Source: mindspore.dataset.CocoDataset
    """

    def __init__(
        self,
        dataset_dir,
        annotation_file,
        task="Detection",
        num_samples=None,
        num_parallel_workers=None,
        shuffle=None,
        decode=False,
        sampler=None,
        num_shards=None,
        shard_id=None,
        cache=None,
        extra_metadata=False,
        decrypt=None,
    ):
        self.dataset_dir = _files.folder(dataset_dir, "CocoDataset")
        self.annotation_file = _files.file(annotation_file, "CocoDataset", "annotation_file")
        if task not in _COCO:
            refuse(ValueError, "CocoDataset", "task", f"one of {list(_COCO)}", task)
        self.task, self.extra_metadata = task, check.boolean(extra_metadata, "extra_metadata", "CocoDataset")
        choice = (sampler, num_samples, shuffle, num_shards, shard_id)
        super().__init__(choice, decode, decrypt, num_parallel_workers, cache)

    def _names(self):
        return ["image", *_COCO[self.task], *["_meta-filename"] * self.extra_metadata]

    def _content(self):
        try:
            with open(self.annotation_file, encoding="utf-8") as file:
                return json.load(file)
        except ValueError as error:
            raise _files.damaged("CocoDataset", self.annotation_file, error) from error

    def get_class_indexing(self):
        indexing = {}
        for each in self._content().get("categories", []):
            indexing[each["name"]] = [each["id"]] + ([each["isthing"]] if self.task == "Panoptic" else [])
        return indexing

    def _listed(self):
        content, rows = self._content(), {}
        try:
            files = {each["id"]: each["file_name"] for each in content["images"]}
            for each in content["annotations"]:
                if self.task == "Panoptic":
                    rows.setdefault(each["image_id"], []).extend(map(self._fields, each["segments_info"]))
                else:
                    rows.setdefault(each["image_id"], []).append(self._fields(each))
            listed = []
            for number, objects in rows.items():
                name = files[number]
                path = os.path.join(self.dataset_dir, name)
                meta = [np.array(os.path.splitext(name)[0])] * self.extra_metadata
                listed.append((path, *map(_column, _COCO[self.task], zip(*objects, strict=True)), *meta))
        except (KeyError, TypeError, ValueError) as error:
            raise _files.damaged("CocoDataset", self.annotation_file, repr(error)) from error
        return listed

    def _fields(self, entry):
        if self.task == "Captioning":
            return (entry["caption"],)
        return [entry.get(name, 0) if name == "iscrowd" else entry[name] for name in _COCO[self.task]]


def _column(name, values):
    """The values of one column of an image, one row for each annotation."""
    if name == "captions":
        return np.array(values)[:, None]
    if name == "segmentation":
        outlines = [np.concatenate(each) if isinstance(each, list) else each["counts"] for each in values]
        longest = max(map(len, outlines))
        padded = np.full((len(outlines), longest), -1, np.float32)
        for row, outline in zip(padded, outlines, strict=True):
            row[: len(outline)] = outline
        return padded
    array = np.array(values, np.float32 if name in ("bbox", "keypoints") else np.uint32)
    return array if array.ndim == 2 else array[:, None]
