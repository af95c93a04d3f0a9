"""Published datasets of images with bounding boxes."""

import os

import numpy as np

from . import _files
from ._image_files import ImageFilesDataset
from ._rows import source

_ROAD_USERS = ("Car", "Cyclist", "DontCare", "Misc", "Pedestrian", "Person_sitting", "Tram", "Truck", "Van")
_ROAD_COLUMNS = {  # their dtypes and positions in a line, from the second field on
    "label": (np.uint32, slice(0, 1)),
    "truncated": (np.float32, slice(1, 2)),
    "occluded": (np.uint32, slice(2, 3)),
    "alpha": (np.float32, slice(3, 4)),
    "bbox": (np.float32, slice(4, 8)),
    "dimensions": (np.float32, slice(8, 11)),
    "location": (np.float32, slice(11, 14)),
    "rotation_y": (np.float32, slice(14, 15)),
}


def _roads(self):
    part = {"train": "training", "test": "testing"}[self.usage]
    rows = []
    for path in _files.matching("KITTIDataset", self.dataset_dir, f"data_object_image_2/{part}/image_2/*.png"):
        name = f"data_object_label_2/{part}/label_2/{os.path.basename(path).removesuffix('.png')}.txt"
        rows.append((path,) if self.usage == "test" else (path, *_objects(name, self._lines(name))))
    return rows


def _objects(name, lines):
    try:
        rows = [[_ROAD_USERS.index(kind), *map(float, rest)] for kind, *rest in map(str.split, lines)]
        table = np.array(rows, np.float64).reshape(len(rows), 15)
    except ValueError as error:
        raise _files.damaged("KITTIDataset", name, error) from error
    return [
        table[:, column].astype(np.int64 if dtype == np.uint32 else dtype).astype(dtype)
        for dtype, column in _ROAD_COLUMNS.values()
    ]


KITTIDataset = source(
    ImageFilesDataset,
    "KITTIDataset(dataset_dir, usage=None, IMAGES)",
    "KITTI, road users: ``image``, uint8, and, except in the test split, a row for each object in ``label`` and "
    "``occluded``, uint32, ``truncated``, ``alpha``, ``bbox``, ``dimensions``, ``location``, ``rotation_y``, float32.",
    "``data_object_image_2`` and ``data_object_label_2``",
    {"usage": ("test", "train")},
    _names=lambda self: ["image"] if self.usage == "test" else ["image", *_ROAD_COLUMNS],
    _listed=_roads,
    num_classes=lambda self: None,
)

_FACE_COLUMNS = ("bbox", "blur", "expression", "illumination", "occlusion", "pose", "invalid")


def _crowds(self):
    if self.usage == "test":
        names = self._lines("wider_face_split/wider_face_test_filelist.txt")
        return [(f"{self.dataset_dir}/WIDER_test/images/{name}",) for name in names]
    rows = []
    for part in ("train", "val") if self.usage == "all" else (self.usage.replace("valid", "val"),):
        name = f"wider_face_split/wider_face_{part}_bbx_gt.txt"
        lines = iter(self._lines(name))
        try:
            for path in lines:
                count = int(next(lines))
                table = np.array([next(lines).split() for _ in range(max(count, 1))], np.int32).reshape(-1, 10)
                columns = table[:, :4], *table[:, 4:].T
                rows.append((f"{self.dataset_dir}/WIDER_{part}/images/{path}", *columns))
        except (ValueError, StopIteration) as error:
            raise _files.damaged("WIDERFaceDataset", f"{self.dataset_dir}/{name}", repr(error)) from error
    return rows


WIDERFaceDataset = source(
    ImageFilesDataset,
    "WIDERFaceDataset(dataset_dir, usage=None, IMAGES)",
    "WIDER FACE: ``image``, uint8, and, except in the test split, for each face ``bbox``, ``blur``, ``expression``, "
    "``illumination``, ``occlusion``, ``pose`` and ``invalid``, int32.",
    "``WIDER_train``, ``WIDER_val``, ``WIDER_test`` and ``wider_face_split``",
    {"usage": ("train", "test", "valid", "all")},
    _names=lambda self: ["image"] if self.usage == "test" else ["image", *_FACE_COLUMNS],
    _listed=_crowds,
)
