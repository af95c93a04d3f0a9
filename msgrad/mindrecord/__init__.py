"""``mindspore.mindrecord``: files of rows, in MindSpore's own format."""

from .config import set_dec_mode, set_enc_key, set_enc_mode
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
from .from_tfrecord import TFRecordToMR
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
    "set_dec_mode",
    "set_enc_key",
    "set_enc_mode",
    "SUCCESS",
    "TFRecordToMR",
]
