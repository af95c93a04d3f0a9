"""Published datasets of small images that fit into memory."""

import os

import numpy as np

from ..vision._libraries import opencv
from ..vision.decoding import unpacked
from . import _files
from ._rows import source
from .arrays import IMAGES, ArraysDataset, numbers

_QMNIST = {"train": "qmnist-train", "test": "qmnist-test", "test10k": "qmnist-test", "test50k": "qmnist-test"}
_QMNIST_ROWS = {"test10k": slice(0, 10000), "test50k": slice(10000, None)}
_QMNIST_LABELS = 3074  # the magic number of QMNIST's extended label files


def _qmnist(self):
    owner, parts = "QMnistDataset", []
    for part in ("train", "test", "nist") if self.usage == "all" else (self.usage,):
        stem = os.path.join(self.dataset_dir, _QMNIST.get(part, "xnist"))
        images = numbers(f"{stem}-images-idx3-ubyte", IMAGES, 3, owner)[..., None]
        labels = numbers(f"{stem}-labels-idx2-int", _QMNIST_LABELS, 2, owner, ">u4").astype(np.uint32)
        if len(images) != len(labels):
            raise _files.damaged(owner, stem, f"{len(labels)} labels are for {len(images)} images")
        rows = _QMNIST_ROWS.get(part, slice(None))
        parts.append((images[rows], labels[rows, 0] if self.compat else labels[rows]))
    return tuple([np.concatenate(column) for column in zip(*parts, strict=True)])


QMnistDataset = source(
    ArraysDataset,
    "QMnistDataset(dataset_dir, usage=None, compat=True, ROWS)",
    "QMNIST: ``image``, uint8 of ``(28, 28, 1)``, and ``label``, uint32, the digit or all eight numbers of it.",
    "``qmnist-train-images-idx3-ubyte``, ``qmnist-train-labels-idx2-int``, ...",
    {"usage": ("train", "test", "test10k", "test50k", "nist", "all"), "compat": (False, True)},
    _columns=("image", "label"),
    _read=_qmnist,
)

_STL10 = {"train+unlabeled": ("train", "unlabeled"), "all": ("test", "train", "unlabeled")}
_STL10_SHAPE = (-1, 3, 96, 96)


def _stl10(self):
    images, labels = [], []
    for part in _STL10.get(self.usage, (self.usage,)):
        path = _files.existing_file(os.path.join(self.dataset_dir, f"{part}_X.bin"), "STL10Dataset")
        data = np.fromfile(path, np.uint8)
        if len(data) % np.prod(_STL10_SHAPE[1:]):
            raise _files.damaged("STL10Dataset", path, f"{len(data)} bytes are no images of 96 x 96")
        images.append(data.reshape(_STL10_SHAPE).transpose(0, 3, 2, 1))
        if part == "unlabeled":
            labels.append(np.full(len(images[-1]), -1, np.int32))
        else:
            path = _files.existing_file(os.path.join(self.dataset_dir, f"{part}_y.bin"), "STL10Dataset")
            labels.append(np.fromfile(path, np.uint8).astype(np.int32) - 1)
    return np.concatenate(images), np.concatenate(labels)


STL10Dataset = source(
    ArraysDataset,
    "STL10Dataset(dataset_dir, usage=None, ROWS)",
    "STL-10: ``image``, uint8 of ``(96, 96, 3)``, and ``label``, int32, -1 where there is none.",
    "``train_X.bin``, ``train_y.bin``, ``test_X.bin``, ``test_y.bin`` and ``unlabeled_X.bin``",
    {"usage": ("train", "test", "unlabeled", "train+unlabeled", "all")},
    _columns=("image", "label"),
    _read=_stl10,
)


def _semeion(self):
    path = _files.existing_file(os.path.join(self.dataset_dir, "semeion.data"), "SemeionDataset")
    try:
        table = np.loadtxt(path, np.float64, ndmin=2).reshape(-1, 266)
    except ValueError as error:
        raise _files.damaged("SemeionDataset", path, error) from error
    return table[:, :256].reshape(-1, 16, 16).astype(np.uint8), table[:, 256:].argmax(1).astype(np.uint32)


SemeionDataset = source(
    ArraysDataset,
    "SemeionDataset(dataset_dir, ROWS)",
    "Semeion, digits: ``image``, uint8 of ``(16, 16)``, 0 or 1, and ``label``, uint32.",
    "``semeion.data``",
    _columns=("image", "label"),
    _read=_semeion,
)

_SHEET, _PATCH = 1024, 64  # side length in pixels of a sheet, and of an image on it
_MATCHES = "m50_100000_100000_0.txt"


def _patches(self):
    folder, owner = os.path.join(self.dataset_dir, self.name), "PhotoTourDataset"
    with open(_files.existing_file(os.path.join(folder, "info.txt"), owner), encoding="utf-8") as file:
        points = [int(line.split()[0]) for line in file if line.strip()]
    cv2, side, sheets = opencv(), _SHEET // _PATCH, []
    for path in _files.matching(owner, folder, "patches*.bmp"):
        sheet = unpacked(np.fromfile(path, np.uint8), cv2.IMREAD_GRAYSCALE, 1, owner)
        if sheet.shape != (_SHEET, _SHEET):
            raise _files.damaged(owner, path, f"it is not an image of {_SHEET} x {_SHEET}")
        sheets.append(sheet.reshape(side, _PATCH, side, _PATCH).swapaxes(1, 2).reshape(-1, _PATCH, _PATCH, 1))
    images = np.concatenate(sheets)[: len(points)]
    if self.usage == "train":
        return (images,)
    path = _files.existing_file(os.path.join(folder, _MATCHES), owner)
    try:
        table = np.loadtxt(path, np.int64, ndmin=2)
        return images[table[:, 0]], images[table[:, 3]], (table[:, 1] == table[:, 4]).astype(np.uint32)
    except (ValueError, IndexError) as error:
        raise _files.damaged(owner, path, error) from error


PhotoTourDataset = source(
    ArraysDataset,
    "PhotoTourDataset(dataset_dir, name, usage=None, ROWS)",
    "Patches of photographs of three sights, ``(64, 64, 1)``: ``image``, uint8, or for the test ``image1``, "
    "``image2`` and ``matches``, uint32.",
    "the folders of the sights",
    {
        "name": ("notredame", "yosemite", "liberty", "notredame_harris", "yosemite_harris", "liberty_harris"),
        "usage": ("test", "train"),
    },
    _names=lambda self: ["image"] if self.usage == "train" else ["image1", "image2", "matches"],
    _read=_patches,
)
