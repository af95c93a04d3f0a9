"""``mindspore.mindrecord``: reads and writes MindRecord files, MindSpore's format for rows of data."""

from .._names import on_demand as _on_demand
from .config import set_dec_mode, set_enc_key, set_enc_mode
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
    "set_dec_mode",
    "set_enc_key",
    "set_enc_mode",
    "SUCCESS",
    "TFRecordToMR",
]

# The converters read other formats with `mindspore.dataset`, which lies above this package and reads its files.
_ON_DEMAND = _on_demand.OnDemand(
    __name__,
    {
        ".dataset.to_mindrecord.converters": "Cifar100ToMR Cifar10ToMR CsvToMR ImageNetToMR MnistToMR",
        ".dataset.to_mindrecord.tfrecord": "TFRecordToMR",
        ".mindrecord.exceptions": """
            DbConnectionError MRMAddIndexError MRMAddSchemaError MRMBuildSchemaError MRMCloseError MRMCommitError
            MRMDefineBlobError MRMFetchCandidateFieldsError MRMFinishError MRMGenerateIndexError MRMGetMetaError
            MRMIndexGeneratorError MRMInitSegmentError MRMLaunchError MRMReadCategoryInfoError MRMSetHeaderError
            MRMUnsupportedSchemaError MRMValidateDataError ParamMissError UnknownError
        """,
    },
)
__getattr__, __dir__ = _ON_DEMAND.get, _ON_DEMAND.dir
