"""Published datasets of images with captions."""

import os
import re

import numpy as np

from . import _files
from ._image_files import ImageFilesDataset
from ._rows import source


def _begin_captions(self, arguments):
    _files.file(self.annotation_file, "FlickrDataset", "annotation_file")
    ImageFilesDataset._begin(self, arguments)


def _captions(self):
    captions = {}
    with open(self.annotation_file, encoding="utf-8") as file:
        for line in filter(None, map(str.rstrip, file)):
            name, has_tab, caption = line.partition("\t")
            if not has_tab:
                raise _files.damaged("FlickrDataset", self.annotation_file, f"there is no tab in {line!r}")
            captions.setdefault(name.rpartition("#")[0], []).append(caption)
    paths = sorted((f"{self.dataset_dir}/{name}", np.array(texts)) for name, texts in captions.items())
    return [pair for pair in paths if os.path.isfile(pair[0])]


FlickrDataset = source(
    ImageFilesDataset,
    "FlickrDataset(dataset_dir, annotation_file, MAYBE_IMAGES)",
    "Flickr8k or Flickr30k, images with captions: ``image``, uint8, and ``annotation``, strings.",
    "the images",
    {"annotation_file": "(str): the file of the captions."},
    _columns=("image", "annotation"),
    _begin=_begin_captions,
    _listed=_captions,
)


def _photographs(self):
    captions = self._lines("SBU_captioned_photo_dataset_captions.txt")
    addresses = self._lines("SBU_captioned_photo_dataset_urls.txt")
    if len(captions) != len(addresses):
        raise _files.damaged(
            "SBUDataset", self.dataset_dir, f"{len(captions)} captions are for {len(addresses)} images"
        )
    rows = []
    for address, caption in zip(addresses, captions, strict=True):
        name = re.sub(r".*?//[^/]*/", "", address).replace("/", "_")
        path = f"{self.dataset_dir}/sbu_images/m_{name}"
        if os.path.isfile(path):
            rows.append((path, np.array(caption)))
    return rows


def _begin_photographs(self, arguments):
    for name in ("captions", "urls"):
        path = os.path.join(arguments["dataset_dir"], f"SBU_captioned_photo_dataset_{name}.txt")
        _files.file(path, "SBUDataset", "dataset_dir")
    ImageFilesDataset._begin(self, arguments)


SBUDataset = source(
    ImageFilesDataset,
    "SBUDataset(dataset_dir, IMAGES)",
    "SBU, photographs with captions: ``image``, uint8, and ``caption``, a str.",
    "``SBU_captioned_photo_dataset_captions.txt``, ``SBU_captioned_photo_dataset_urls.txt`` and ``sbu_images``",
    _columns=("image", "caption"),
    _begin=_begin_photographs,
    _listed=_photographs,
)
