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

    _of: Any
    _but: Any

    def __instancecheck__(cls, value):
        return isinstance(value, cls._of) and not isinstance(value, cls._but)


class SourceDataset(metaclass=_Kind):
    """A source of rows: a pipeline that does not read from another one."""

    _of, _but = (MappableDataset, RowsDataset), ()


class VisionBaseDataset(metaclass=_Kind):
    """A pipeline that may contain images: any but those of text or audio only."""

    _of, _but = Dataset, (TextsDataset, TextFileDataset, SoundsDataset)


class TextBaseDataset(metaclass=_Kind):
    """A pipeline that may contain text: any."""

    _of, _but = Dataset, ()
