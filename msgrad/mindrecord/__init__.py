"""``mindspore.mindrecord``: files of rows, in MindSpore's own format."""

from .exceptions import (
    MindRecordException,
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

__all__ = [
    "FAILED",
    "FileReader",
    "FileWriter",
    "MindRecordException",
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
