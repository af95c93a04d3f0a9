"""Published classification datasets, with classes by folder or list."""

import itertools
import os

import numpy as np

from ...engine.refusal import require
from . import _files
from ._image_files import ImageFilesDataset, files, folders, numbered
from ._rows import source

Caltech256Dataset = source(
    ImageFilesDataset,
    "Caltech256Dataset(dataset_dir, IMAGES)",
    "Caltech-256, images of 257 classes: ``image``, uint8, and ``label``, int32.",
    "the folders of the classes",
    _listed=lambda self: numbered(folders(self.dataset_dir, "Caltech256Dataset"), np.int32, (".jpg", ".jpeg")),
)


def _letters(self):
    part = "images_background" if self.background else "images_evaluation"
    alphabets = folders(os.path.join(self.dataset_dir, part), "OmniglotDataset")
    letters = itertools.chain.from_iterable(folders(each, "OmniglotDataset") for each in alphabets)
    return numbered(letters, np.int32)


OmniglotDataset = source(
    ImageFilesDataset,
    "OmniglotDataset(dataset_dir, background=None, IMAGES)",
    "Omniglot, letters of 50 alphabets: ``image``, uint8, and ``label``, int32.",
    "``images_background`` and ``images_evaluation``, with a folder for each alphabet, with one for each letter",
    {"background": (False, True)},
    _listed=_letters,
)


def _sentiments(self):
    parts = ("test", "train", "val") if self.usage == "all" else (self.usage,)
    rows = []
    for part in parts:
        path = os.path.join(self.dataset_dir, "valid" if part == "val" else part)
        rows += numbered(folders(path, "RenderedSST2Dataset"), np.uint32, (".png",))
    return rows


RenderedSST2Dataset = source(
    ImageFilesDataset,
    "RenderedSST2Dataset(dataset_dir, usage=None, IMAGES)",
    "Rendered SST-2, sentences as images: ``image``, uint8, and ``label``, uint32, 1 for a positive one.",
    "``train``, ``test`` and ``valid``, each with ``negative`` and ``positive``",
    {"usage": ("train", "val", "test", "all")},
    _listed=_sentiments,
)


def _begin_rooms(self, arguments):
    require(self.classes, (list, type(None)), "LSUNDataset", "classes")
    ImageFilesDataset._begin(self, arguments)


def _rooms(self):
    owner = "LSUNDataset"
    if self.usage == "test":
        return [(path, np.array(0, np.uint32)) for path in files(os.path.join(self.dataset_dir, "test"))]
    endings = {"train": ("_train",), "valid": ("_val",), "all": ("_train", "_val")}[self.usage]
    if self.classes is None:
        folders_of_rooms = [path for path in folders(self.dataset_dir, owner) if path.endswith(endings)]
    else:
        wanted = [self.dataset_dir + "/" + name + ending for name in self.classes for ending in endings]
        folders_of_rooms = [path for path in wanted if os.path.isdir(path)]
    return numbered(folders_of_rooms, np.uint32, (".jpg", ".jpeg", ".png", ".bmp", ".webp"))


LSUNDataset = source(
    ImageFilesDataset,
    "LSUNDataset(dataset_dir, usage=None, classes=None, IMAGES)",
    "LSUN, scenes of ten classes: ``image``, uint8, and ``label``, uint32.",
    "``test`` and, for each class, folders that end in ``_train`` and ``_val``",
    {
        "usage": ("train", "test", "valid", "all"),
        "classes": "(list[str]): the classes that are read. Default: ``None``, all.",
    },
    _begin=_begin_rooms,
    _listed=_rooms,
)


def _dishes(self):
    parts = ("train", "test") if self.usage == "all" else (self.usage,)
    names = [line for part in parts for line in self._lines(f"meta/{part}.txt")]
    return [(f"{self.dataset_dir}/images/{name}.jpg", np.array(name.partition("/")[0])) for name in names]


Food101Dataset = source(
    ImageFilesDataset,
    "Food101Dataset(dataset_dir, usage=None, IMAGES)",
    "Food-101, dishes: ``image``, uint8, and ``label``, the name of the dish.",
    "``images`` and ``meta``",
    {"usage": ("train", "test", "all")},
    _listed=_dishes,
    num_classes=lambda self: len({str(label) for _, label in self._list}),
)


def _scenes(self):
    rows = []
    for number, name in enumerate(self._lines("ClassName.txt")):
        folder = self.dataset_dir + name
        if not os.path.isdir(folder):
            raise _files.damaged("SUN397Dataset", folder, "there is no such folder")
        rows += [(path, np.array(number, np.uint32)) for path in files(folder, (".jpg", ".jpeg"))]
    return rows


SUN397Dataset = source(
    ImageFilesDataset,
    "SUN397Dataset(dataset_dir, IMAGES)",
    "SUN397, scenes: ``image``, uint8, and ``label``, uint32, the index of its line in the list of classes.",
    "``ClassName.txt`` and the folders that it lists",
    _listed=_scenes,
)


def _places(self):
    size = "256" if self.small else "large"
    kind = self.usage.removeprefix("train-")
    folder = f"val_{size}" if kind == "val" else f"data_{size}_{kind}"
    rows = []
    for line in self._lines(f"places365_{self.usage.replace('-', '_')}.txt"):
        name, _, number = line.rpartition(" ")
        rows.append((f"{self.dataset_dir}/{folder}/{name.strip('/')}", np.array(int(number), np.uint32)))
    return rows


Places365Dataset = source(
    ImageFilesDataset,
    "Places365Dataset(dataset_dir, usage=None, small=True, decode=False, ROWS)",
    "Places365, scenes: ``image``, uint8, and ``label``, uint32.",
    "the lists ``places365_train_standard.txt``, ... and the folders ``data_256_standard``, ``val_256``, ...",
    {"usage": ("train-challenge", "val", "train-standard"), "small": (False, True)},
    _listed=_places,
)


def _people(self):
    folder = {"original": "lfw", "funneled": "lfw_funneled", "deepfunneled": "lfw-deepfunneled"}[self.image_set]

    def image(name, number):
        return f"{self.dataset_dir}/{folder}/{name}/{name}_{int(number):04}.jpg"

    stem = self.task
    parts = {"train": ("DevTrain",), "test": ("DevTest",), "all": ("DevTrain", "DevTest"), "10fold": ("",)}[self.usage]
    entries = [line.split("\t") for part in parts for line in self._lines(f"{stem}{part}.txt")]
    if self.task == "pairs":
        rows = []
        for name, number, *rest in (entry for entry in entries if len(entry) > 2):
            other = rest if len(rest) == 2 else (name, *rest)
            rows.append((image(name, number), image(*other), np.array(len(rest) == 1, np.uint32)))
        return rows
    numbers = {line.split("\t")[0]: index for index, line in enumerate(self._lines("lfw-names.txt"))}
    return [
        (image(name, number), np.array(numbers[name], np.uint32))
        for name, count in (entry for entry in entries if len(entry) == 2)
        for number in range(1, int(count) + 1)
    ]


def _faces(self, index):
    *paths, label = self._list[index]
    return (*map(self._image, paths), label)


LFWDataset = source(
    ImageFilesDataset,
    "LFWDataset(dataset_dir, task=None, usage=None, image_set=None, IMAGES)",
    "Labelled faces in the wild: ``image``, uint8, and ``label``, uint32, the person; or ``image1``, ``image2`` and "
    "``label``, uint32, 1 for one person.",
    "``lfw-names.txt``, ``people.txt``, ``pairsDevTrain.txt``, ... and of the folder of images",
    {
        "task": ("pairs", "people"),
        "usage": ("10fold", "train", "test", "all"),
        "image_set": ("original", "deepfunneled", "funneled"),
    },
    _names=lambda self: ["image1", "image2", "label"] if self.task == "pairs" else ["image", "label"],
    _listed=_people,
    _row=_faces,
)


class ReviewsDataset(ImageFilesDataset):
    """Rows of text files."""

    def _begin(self, arguments):
        super()._begin(arguments | {"decode": False})

    def _image(self, path):
        with open(path, encoding="utf-8") as file:
            return np.array(file.read())


def _reviews(self):
    parts = ("train", "test") if self.usage == "all" else (self.usage,)
    return [
        (path, np.array(number, np.int32))
        for part in parts
        for number, kind in ((1, "pos"), (0, "neg"))
        if os.path.isdir(f"{self.dataset_dir}/{part}/{kind}")
        for path in files(f"{self.dataset_dir}/{part}/{kind}", (".txt",))
    ]


IMDBDataset = source(
    ReviewsDataset,
    "IMDBDataset(dataset_dir, usage=None, ROWS)",
    "Reviews of films: ``text``, a str, and ``label``, int32, 1 for a positive one.",
    "``train`` and ``test``, each with ``pos`` and ``neg``",
    {"usage": ("train", "test", "all")},
    _columns=("text", "label"),
    _listed=_reviews,
)
