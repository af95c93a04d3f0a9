"""Published datasets of image pairs: segmentation masks, super-resolution."""

import json
import os

import numpy as np

from ...engine.refusal import refuse
from . import _files
from ._image_files import ImageFilesDataset, files, folders
from ._rows import source

_KINDS = {"instance": "instanceIds.png", "semantic": "labelIds.png", "color": "color.png", "polygon": "polygons.json"}
_CITY_PARTS = {"fine": ("test", "val", "all", "train"), "coarse": ("train_extra", "val", "all", "train")}


def _begin_cities(self, arguments):
    if self.usage not in _CITY_PARTS[self.quality_mode]:
        refuse(ValueError, "CityscapesDataset", "usage", f"one of {list(_CITY_PARTS[self.quality_mode])}", self.usage)
    ImageFilesDataset._begin(self, arguments)


def _cities(self):
    quality = {"fine": "gtFine", "coarse": "gtCoarse"}[self.quality_mode]
    parts = (self.usage,)
    if self.usage == "all":
        parts = ("train", "test", "val") if self.quality_mode == "fine" else ("train", "train_extra", "val")
    rows = []
    for part in parts:
        for city in folders(os.path.join(self.dataset_dir, "leftImg8bit", part), "CityscapesDataset"):
            for path in files(city, (".png",)):
                stem = os.path.basename(path).removesuffix("leftImg8bit.png")
                name = (
                    f"{self.dataset_dir}/{quality}/{part}/{os.path.basename(city)}/{stem}{quality}_{_KINDS[self.task]}"
                )
                rows.append((path, _files.existing_file(name, "CityscapesDataset")))
    return rows


def _city(self, index):
    path, target = self._list[index]
    if self.task != "polygon":
        return self._image(path), self._image(target)
    with open(target, encoding="utf-8") as file:
        return self._image(path), np.array(json.dumps(json.load(file), separators=(",", ":"), ensure_ascii=False))


CityscapesDataset = source(
    ImageFilesDataset,
    "CityscapesDataset(dataset_dir, usage='train', quality_mode='fine', task='instance', MAYBE_IMAGES)",
    "Cityscapes, streets: ``image`` and ``task``, uint8; the polygons as a str of JSON.",
    "``leftImg8bit`` and ``gtFine`` or ``gtCoarse``",
    {
        "usage": ("train_extra", "test", "val", "all", "train"),
        "quality_mode": ("coarse", "fine"),
        "task": ("semantic", "polygon", "color", "instance"),
    },
    _columns=("image", "task"),
    _begin=_begin_cities,
    _listed=_cities,
    _row=_city,
)

_SCALES = {"bicubic": (2, 3, 4, 8), "unknown": (2, 3, 4), "mild": (4,), "difficult": (4,), "wild": (4,)}


def _begin_sizes(self, arguments):
    if self.scale not in _SCALES[self.downgrade]:
        expected = f"one of {list(_SCALES[self.downgrade])} with the downgrade {self.downgrade!r}"
        refuse(ValueError, "DIV2KDataset", "scale", expected, self.scale)
    ImageFilesDataset._begin(self, arguments)


def _sizes(self):
    rows = []
    for part in ("train", "valid") if self.usage == "all" else (self.usage,):
        if self.scale == 8:
            folder, ending = f"DIV2K_{part}_LR_x8", "x8"
        elif self.downgrade in ("bicubic", "unknown"):
            folder, ending = f"DIV2K_{part}_LR_{self.downgrade}/X{self.scale}", f"x{self.scale}"
        else:
            folder, ending = f"DIV2K_{part}_LR_{self.downgrade}", f"x4{self.downgrade[0]}"
        for path in _files.matching("DIV2KDataset", self.dataset_dir, f"DIV2K_{part}_HR/*.png"):
            stem = os.path.basename(path).removesuffix(".png")
            small = f"{self.dataset_dir}/{folder}/{stem}{ending}.png"
            rows.append((path, _files.existing_file(small, "DIV2KDataset")))
    return rows


DIV2KDataset = source(
    ImageFilesDataset,
    "DIV2KDataset(dataset_dir, usage='train', downgrade='bicubic', scale=2, MAYBE_IMAGES)",
    "DIV2K, images in high and low resolution: ``hr_image`` and ``lr_image``, uint8.",
    "``DIV2K_train_HR``, ``DIV2K_train_LR_bicubic``, ...",
    {
        "usage": ("valid", "all", "train"),
        "downgrade": ("unknown", "mild", "difficult", "wild", "bicubic"),
        "scale": (3, 4, 8, 2),
    },
    _columns=("hr_image", "lr_image"),
    _begin=_begin_sizes,
    _listed=_sizes,
    _row=lambda self, index: tuple(map(self._image, self._list[index])),
)
