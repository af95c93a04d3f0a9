"""Kinds of pipelines that ``isinstance`` tells apart, by the names of MindSpore's base classes."""

from .mappable import Mappable as MappableDataset
from .node import Dataset
from .sources.lines import RowsDataset, TextFileDataset
from .sources.sounds import SoundsDataset
from .sources.texts import TextsDataset

__all__ = ["MappableDataset", "SourceDataset", "TextBaseDataset", "VisionBaseDataset"]


class _Kind(type):
    """A class whose instances are the pipelines of some classes, but for those of others."""

    def __instancecheck__(cls, value):
        return isinstance(value, cls.of) and not isinstance(value, cls.but)


class SourceDataset(metaclass=_Kind):
    """A pipeline that rows come from, not one made of another."""

    of, but = (MappableDataset, RowsDataset), ()


class VisionBaseDataset(metaclass=_Kind):
    """A pipeline that may hold images: any that is not of text or sounds alone."""

    of, but = Dataset, (TextsDataset, TextFileDataset, SoundsDataset)


class TextBaseDataset(metaclass=_Kind):
    """A pipeline that may hold texts: any."""

    of, but = Dataset, ()
