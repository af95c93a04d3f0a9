"""MindSpore's base classes of pipelines, for ``isinstance``."""

from typing import Any

from .mappable import Mappable as MappableDataset
from .node import Dataset
from .sources.lines import RowsDataset, TextFileDataset
from .sources.sounds import SoundsDataset
from .sources.texts import TextsDataset

__all__ = ["MappableDataset", "SourceDataset", "TextBaseDataset", "VisionBaseDataset"]


class _Kind(type):
    """A metaclass: instances are the pipelines of some classes, except those of others."""

    of: Any
    but: Any

    def __instancecheck__(cls, value):
        return isinstance(value, cls.of) and not isinstance(value, cls.but)


class SourceDataset(metaclass=_Kind):
    """A source of rows: a pipeline that does not read from another one."""

    of, but = (MappableDataset, RowsDataset), ()


class VisionBaseDataset(metaclass=_Kind):
    """A pipeline that may contain images: any but those of text or audio only."""

    of, but = Dataset, (TextsDataset, TextFileDataset, SoundsDataset)


class TextBaseDataset(metaclass=_Kind):
    """A pipeline that may contain text: any."""

    of, but = Dataset, ()
