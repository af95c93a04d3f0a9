"""Sources of random rows."""

import numpy as np

from ...engine.refusal import refuse, require
from .. import config
from ..mappable import Mappable
from ..samplers import sampler_of
from ..schema import Schema
from ._rows import source

_DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64")
_MOST_ROWS, _LONGEST = 1000, 8


class DrawnDataset(Mappable):
    """Random rows, each from its own generator, so that a row is the same whenever it is read."""

    def _begin(self, arguments):
        names = ("sampler", "num_samples", "shuffle", "num_shards", "shard_id")
        chosen = sampler_of(type(self).__name__, *[arguments.get(name) for name in names])
        super().__init__(chosen, arguments["num_parallel_workers"], arguments["cache"])


def _begin_images(self, arguments):
    owner = "FakeImageDataset"
    for name in ("num_images", "num_classes"):
        if require(arguments[name], int, owner, name) < 1:
            refuse(ValueError, owner, name, "a positive int", arguments[name])
    lengths = tuple(require(self.image_size, (tuple, list), owner, "image_size"))
    if len(lengths) != 3 or any(not isinstance(length, int) or length < 1 for length in lengths):
        refuse(ValueError, owner, "image_size", "three positive ints", self.image_size)
    require(self.base_seed, int, owner, "base_seed")
    self._classes = arguments["num_classes"]
    DrawnDataset._begin(self, arguments)


def _image(self, index):
    generator = np.random.default_rng(abs(self.base_seed) + index)
    label = generator.integers(self._classes, dtype=np.uint32)
    return generator.integers(0, 256, tuple(self.image_size), np.uint8), np.array(label)


FakeImageDataset = source(
    DrawnDataset,
    "FakeImageDataset(num_images=1000, image_size=(224, 224, 3), num_classes=10, base_seed=0, ROWS)",
    "Images of random points: ``image``, uint8, and ``label``, uint32.",
    arguments={
        "num_images": "(int): how many there are. Default: ``1000``.",
        "image_size": "(tuple): height, width and channels. Default: ``(224, 224, 3)``.",
        "num_classes": "(int): how many labels. Default: ``10``.",
        "base_seed": "(int): of the first image. Default: ``0``.",
    },
    _begin=_begin_images,
    _names=lambda self: ["image", "label"],
    _length=lambda self: self.num_images,
    _row=_image,
    _class_of=lambda self, index: int(self._row(index)[1]),
    num_classes=lambda self: self._classes,
)


def _begin_rows(self, arguments):
    owner = "RandomDataset"
    schema = require(self.schema, (str, Schema, type(None)), owner, "schema")
    names = require(self.columns_list, (list, type(None)), owner, "columns_list")
    generator = np.random.default_rng(config.get_seed())
    if schema is None:
        self._columns = {name: _drawn_column(generator) for name in names or ["c0"]}
    else:
        described = (Schema(schema) if isinstance(schema, str) else schema).columns
        described = {each["name"]: (each["type"], tuple(each.get("shape", ()))) for each in described}
        for name in names or ():
            if name not in described:
                refuse(ValueError, owner, "columns_list", f"made of {list(described)}, the columns of the schema", name)
        self._columns = {name: described[name] for name in names or described}
    total = require(self.total_rows, (int, type(None)), owner, "total_rows")
    self._total = int(generator.integers(1, _MOST_ROWS)) if total is None else total
    DrawnDataset._begin(self, arguments | {"shuffle": arguments["shuffle"] or False})


def _drawn_column(generator):
    shape = generator.integers(1, _LONGEST, generator.integers(0, 3))
    return str(generator.choice(_DTYPES)), tuple(shape.tolist())


def _values(self, index):
    generator = np.random.default_rng((config.get_seed(), index))
    return tuple([_drawn(generator, np.dtype(kind), shape) for kind, shape in self._columns.values()])


def _drawn(generator, dtype, shape):
    if dtype.kind == "f":
        return generator.standard_normal(shape).astype(dtype)
    if dtype.kind == "b":
        return generator.integers(0, 2, shape).astype(dtype)
    limits = np.iinfo(dtype)
    return np.asarray(generator.integers(limits.min, limits.max, shape, dtype, endpoint=True))


RandomDataset = source(
    DrawnDataset,
    "RandomDataset(total_rows=None, schema=None, columns_list=None, num_samples=None, num_parallel_workers=None, "
    "cache=None, shuffle=None, num_shards=None, shard_id=None)",
    "Random values of columns that a schema describes: ints of all sizes, normal floats.",
    arguments={
        "total_rows": "(int): how many rows there are. Default: ``None``, a random number.",
        "schema": "(str | Schema): the columns. Default: ``None``, of random dtypes and shapes.",
        "columns_list": "(list[str]): the columns that are made. Default: ``None``, all; without a schema ``c0``.",
    },
    _begin=_begin_rows,
    _names=lambda self: list(self._columns),
    _length=lambda self: self._total,
    _row=_values,
)
