"""Published datasets in MATLAB files, read by SciPy."""

import os

import numpy as np

from . import _files
from ._image_files import ImageFilesDataset, files, folders
from ._rows import source
from .arrays import ArraysDataset

_MSG_MATLAB = "For '{}', MATLAB files are read with SciPy, which is not installed: pip install scipy"


def matlab(path, owner):
    """The variables of a MATLAB file, a dict.

    Raises:
        ImportError: if SciPy is not installed.  RuntimeError: if the file is missing or damaged.
    """
    try:
        from scipy.io import loadmat
    except ImportError:
        raise ImportError(_MSG_MATLAB.format(owner)) from None
    try:
        return loadmat(_files.existing_file(path, owner))
    except (ValueError, TypeError, NotImplementedError, EOFError) as error:
        raise _files.damaged(owner, path, error) from error


_OTHER_NAMES = {
    "Faces": "Faces_2",
    "Faces_easy": "Faces_3",
    "Motorbikes": "Motorbikes_16",
    "airplanes": "Airplanes_Side_2",
}


def _outlined(self):
    rows = []
    folder = os.path.join(self.dataset_dir, "101_ObjectCategories")
    names = [os.path.basename(path) for path in folders(folder, "Caltech101Dataset")]
    names = [name for name in names if name != "BACKGROUND_Google"]
    for number, name in enumerate(names):
        for path in files(os.path.join(folder, name)):
            stem = os.path.basename(path).replace("image", "annotation").replace(".jpg", ".mat")
            outline = f"{self.dataset_dir}/Annotations/{_OTHER_NAMES.get(name, name)}/{stem}"
            rows.append((path, np.array(number), outline))
    return rows


def _outline(self, index):
    path, number, outline = self._list[index]
    row = [self._image(path)]
    if self.target_type != "annotation":
        row.append(number)
    if self.target_type != "category":
        row.append(matlab(outline, "Caltech101Dataset")["obj_contour"])
    return tuple(row)


def _outline_names(self):
    return ["image", *[name for name in ("category", "annotation") if self.target_type in (name, "all")]]


Caltech101Dataset = source(
    ImageFilesDataset,
    "Caltech101Dataset(dataset_dir, target_type=None, PLAIN_IMAGES)",
    "Caltech-101, images of 101 classes: ``image``, uint8, ``category``, int64, and ``annotation``, the points of the "
    "outline, float64.",
    "``101_ObjectCategories`` and ``Annotations``",
    {"target_type": ("annotation", "all", "category")},
    _names=_outline_names,
    _listed=_outlined,
    _row=_outline,
)


def _flowers(self):
    labels = matlab(os.path.join(self.dataset_dir, "imagelabels.mat"), "Flowers102Dataset")["labels"][0]
    parts = matlab(os.path.join(self.dataset_dir, "setid.mat"), "Flowers102Dataset")
    names = {"train": ("trnid",), "test": ("tstid",), "valid": ("valid",), "all": ("trnid", "tstid", "valid")}
    numbers = [int(number) for name in names[self.usage] for number in parts[name][0]]
    return [
        (f"{self.dataset_dir}/jpg/image_{number:05}.jpg", np.array(labels[number - 1] - 1, np.uint32), number)
        for number in numbers
    ]


def _flower(self, index):
    path, label, number = self._list[index]
    if self.task == "Classification":
        return self._image(path), label
    return self._image(path), self._image(f"{self.dataset_dir}/segmim/segmim_{number:05}.jpg"), label


Flowers102Dataset = source(
    ImageFilesDataset,
    "Flowers102Dataset(dataset_dir, task='Classification', usage='all', PLAIN_IMAGES)",
    "Flowers of 102 classes: ``image``, uint8, for the segmentation ``segmentation``, uint8, and ``label``, uint32.",
    "``imagelabels.mat``, ``setid.mat``, ``jpg`` and ``segmim``",
    {"task": ("Segmentation", "Classification"), "usage": ("train", "valid", "test", "all")},
    _names=lambda self: ["image", "segmentation", "label"] if self.task == "Segmentation" else ["image", "label"],
    _listed=_flowers,
    _row=_flower,
    num_classes=lambda self: len({int(label) for _, label, _ in self._list}),
)


def _contours(self):
    names = [
        line
        for part in (("train", "val") if self.usage == "all" else (self.usage,))
        for line in self._lines(f"{part}.txt")
    ]
    return [(f"{self.dataset_dir}/img/{name}.jpg", f"{self.dataset_dir}/cls/{name}.mat") for name in names]


def _contour(self, index):
    path, target = self._list[index]
    contours = matlab(target, "SBDataset")["GTcls"][0][self.task][0]
    if self.task == "Boundaries":
        contours = np.stack([each[0].toarray() for each in contours])
    return self._image(path), contours


SBDataset = source(
    ImageFilesDataset,
    "SBDataset(dataset_dir, task='Boundaries', usage='all', PLAIN_MAYBE_IMAGES)",
    "Semantic boundaries: ``image``, uint8, and ``task``: the boundaries of 20 classes, or the class of each pixel, "
    "uint8.",
    "``img``, ``cls``, ``train.txt``, ``val.txt`` and ``train_noval.txt``",
    {"task": ("Segmentation", "Boundaries"), "usage": ("train", "val", "train_noval", "all")},
    _columns=("image", "task"),
    _listed=_contours,
    _row=_contour,
)


def _house_numbers(self):
    parts = ("train", "test", "extra") if self.usage == "all" else (self.usage,)
    files = [matlab(os.path.join(self.dataset_dir, f"{part}_32x32.mat"), "SVHNDataset") for part in parts]
    labels = np.concatenate([part["y"].ravel() for part in files]).astype(np.uint32)
    return np.concatenate([part["X"].transpose(3, 0, 1, 2) for part in files]), np.where(labels == 10, 0, labels)


SVHNDataset = source(
    ArraysDataset,
    "SVHNDataset(dataset_dir, usage=None, PLAIN_ROWS)",
    "SVHN, digits of house numbers: ``image``, uint8 of ``(32, 32, 3)``, and ``label``, uint32.",
    "``train_32x32.mat``, ``test_32x32.mat`` and ``extra_32x32.mat``",
    {"usage": ("train", "test", "extra", "all")},
    _columns=("image", "label"),
    _read=_house_numbers,
)
