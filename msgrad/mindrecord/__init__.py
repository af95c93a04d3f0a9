"""``mindspore.mindrecord``: files of rows, in MindSpore's own format."""

from .. import alias
from .converters import Cifar10ToMR, Cifar100ToMR, CsvToMR, ImageNetToMR, MnistToMR
from .exceptions import (
    MindRecordException,
    MRMDefineCategoryError,
    MRMDefineIndexError,
    MRMFetchDataError,
    MRMInvalidHeaderSizeError,
    MRMInvalidPageSizeError,
    MRMInvalidSchemaError,
    MRMOpenError,
    MRMOpenForAppendError,
    MRMWriteDatasetError,
    ParamTypeError,
    ParamValueError,
    PathNotExistsError,
)
from .filereader import FileReader
from .filewriter import FAILED, SUCCESS, FileWriter
from .mindpage import MindPage

__all__ = [
    "Cifar100ToMR",
    "Cifar10ToMR",
    "CsvToMR",
    "FAILED",
    "FileReader",
    "FileWriter",
    "ImageNetToMR",
    "MindPage",
    "MindRecordException",
    "MnistToMR",
    "MRMDefineCategoryError",
    "MRMDefineIndexError",
    "MRMFetchDataError",
    "MRMInvalidHeaderSizeError",
    "MRMInvalidPageSizeError",
    "MRMInvalidSchemaError",
    "MRMOpenError",
    "MRMOpenForAppendError",
    "MRMWriteDatasetError",
    "ParamTypeError",
    "ParamValueError",
    "PathNotExistsError",
    "SUCCESS",
]

alias.attach()  # the legacy paths below this package, which is imported after msgrad itself
