"""Converters of image collections and CSV files to MindRecord files."""

import csv
import os

from ...mindrecord.exceptions import PathNotExistsError
from ...mindrecord.filewriter import FileWriter
from ..sources.arrays import Cifar10Dataset, Cifar100Dataset, MnistDataset
from ..vision import encode_png

_ROWS = 256  # rows written at once


class Converter:
    """The base class: a subclass's ``_files`` yields for each file its path, its schema and its rows."""

    partition_number = 1

    def run(self):
        """Writes the files.

        Raises:
            RuntimeError: if the source is damaged.
        """
        for path, schema, rows in self._files():
            writer, chunk = FileWriter(path, self.partition_number), []
            writer.add_schema(schema)
            for row in rows:
                chunk.append(row)
                if len(chunk) == _ROWS:
                    writer.write_raw_data(chunk)
                    chunk = []
            if chunk:
                writer.write_raw_data(chunk)
            writer.commit()

    transform = run

    def _files(self):
        raise NotImplementedError


def existing_path(path):
    if not os.path.exists(path):
        raise PathNotExistsError(f"There is nothing at {path!r}.")
    return path


def _text(value):
    for kind in (int, float):
        try:
            return kind(value)
        except ValueError:
            continue
    return value


class CsvToMR(Converter):
    """CSV files: the first line determines whether a column is int64, float64 or string.

    Args:
        source (str), destination (str): the paths.
        columns_list (list[str]): the columns to convert. Default: ``None``, all.
        partition_number (int): how many files. Default: ``1``.
    Source: mindspore.mindrecord.CsvToMR
    """

    def __init__(self, source, destination, columns_list=None, partition_number=1):
        self.source, self.destination = existing_path(source), destination
        self.columns_list, self.partition_number = columns_list, partition_number

    def _files(self):
        with open(self.source, encoding="utf-8", newline="") as file:
            lines = list(csv.DictReader(file))
        names = self.columns_list or list(lines[0])
        kinds = {name: type(_text(lines[0][name])) for name in names}
        schema = {name: {"type": {int: "int64", float: "float64", str: "string"}[kind]} for name, kind in kinds.items()}
        yield self.destination, schema, ({name: kinds[name](line[name]) for name in names} for line in lines)


class MnistToMR(Converter):
    """MNIST: ``label``, int64, and ``data``, a PNG file, in ``<destination>_train.mindrecord`` and
    ``_test.mindrecord``.

    Args:
        source (str): the folder of its files.
        destination (str): the path.
        partition_number (int): how many files each. Default: ``1``.
    Source: mindspore.mindrecord.MnistToMR
    """

    def __init__(self, source, destination, partition_number=1):
        self.source, self.destination = existing_path(source), destination
        self.partition_number = partition_number

    def _files(self):
        schema = {"label": {"type": "int64"}, "data": {"type": "bytes"}}
        for part in ("train", "test"):
            dataset = MnistDataset(self.source, part, shuffle=False)
            yield f"{self.destination}_{part}.mindrecord", schema, _image_files(dataset, {"label": "label"})


class Cifar10ToMR(Converter):
    """CIFAR-10 in its binary version: ``id``, ``label``, int64, and ``data``, a PNG file, in ``<destination>`` and
    ``<destination>_test``.

    Args:
        source (str): the folder of its files.
        destination (str): the path.
    Source: mindspore.mindrecord.Cifar10ToMR
    """

    _labels = {"label": "label"}

    def __init__(self, source, destination):
        self.source, self.destination = existing_path(source), destination

    def _dataset(self, part):
        return Cifar10Dataset(self.source, part, shuffle=False)

    def _files(self):
        schema = {
            "id": {"type": "int64"},
            **{name: {"type": "int64"} for name in self._labels},
            "data": {"type": "bytes"},
        }
        for part, ending in (("train", ""), ("test", "_test")):
            rows = _image_files(self._dataset(part), self._labels)
            yield self.destination + ending, schema, ({"id": number, **row} for number, row in enumerate(rows))


class Cifar100ToMR(Cifar10ToMR):
    """CIFAR-100 in its binary version: as `Cifar10ToMR`, with ``fine_label`` and ``coarse_label``.

    Source: mindspore.mindrecord.Cifar100ToMR
    """

    _labels = {"fine_label": "fine_label", "coarse_label": "coarse_label"}

    def _dataset(self, part):
        return Cifar100Dataset(self.source, part, shuffle=False)


class ImageNetToMR(Converter):
    """Folders of images: ``file_name``, ``label``, int32, and ``data``, the bytes of the file.

    Args:
        map_file (str): a file with the name of a folder and its class, a number, in each line.
        image_dir (str): the folder that contains these folders.
        destination (str): the path.
        partition_number (int): how many files. Default: ``1``.
    Source: mindspore.mindrecord.ImageNetToMR
    """

    def __init__(self, map_file, image_dir, destination, partition_number=1):
        self.map_file, self.image_dir = existing_path(map_file), existing_path(image_dir)
        self.destination, self.partition_number = destination, partition_number

    def _files(self):
        schema = {"label": {"type": "int32"}, "data": {"type": "bytes"}, "file_name": {"type": "string"}}
        yield self.destination, schema, self._rows()

    def _rows(self):
        with open(self.map_file, encoding="utf-8") as file:
            classes = [line.split()[:2] for line in file if line.strip()]
        for folder, label in classes:
            for name in sorted(os.listdir(os.path.join(self.image_dir, folder))):
                with open(os.path.join(self.image_dir, folder, name), "rb") as file:
                    yield {"label": int(label), "data": file.read(), "file_name": name}


def _image_files(dataset, labels):
    """The rows of a dataset of images and numbers, with the images as PNG files."""
    for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True):
        numbers = {name: int(row[column]) for name, column in labels.items()}
        yield {**numbers, "data": encode_png(row["image"]).tobytes()}
