"""Exceptions of MindRecord files, by MindSpore's names; their texts open as MindSpore's do."""

from .._names.public_modules import is_mindspore

# The module that tracebacks show.
_MODULE = "mindspore.mindrecord.common.exceptions" if is_mindspore() else __name__


class MindRecordException(Exception):  # noqa: N818  MindSpore's name
    """The base of these errors.

    Args:
        detail (str): what happened. Default: ``''``.
    Source: mindspore.mindrecord.common.exceptions.MindRecordException
    """

    __module__ = _MODULE

    _opening_ = "Unknown Error."

    def __init__(self, detail=""):
        super().__init__(detail)
        self.error_msg = f"{self._opening_} {detail}".rstrip()

    def __str__(self):
        return f"[{type(self).__name__}]: {self.error_msg}"


def _error(name, opening):
    """A class of errors whose texts begin with ``opening``."""
    doc = f"{opening}  Source: mindspore.mindrecord.common.exceptions.{name}"
    return type(name, (MindRecordException,), {"_opening_": opening, "__doc__": doc, "__module__": _MODULE})


UnknownError = _error("UnknownError", "Unknown Error.")
ParamValueError = _error("ParamValueError", "Invalid parameter value.")
PathNotExistsError = _error("PathNotExistsError", "Invalid path.")
DbConnectionError = _error("DbConnectionError", "Db connection is error. Detail:")
MRMOpenError = _error("MRMOpenError", "MindRecord File could not open successfully.")
MRMOpenForAppendError = _error("MRMOpenForAppendError", "MindRecord File could not open successfully for append.")
MRMInvalidPageSizeError = _error("MRMInvalidPageSizeError", "Failed to set page size.")
MRMInvalidHeaderSizeError = _error("MRMInvalidHeaderSizeError", "Failed to set header size.")
MRMSetHeaderError = _error("MRMSetHeaderError", "Failed to set header.")
MRMWriteDatasetError = _error("MRMWriteDatasetError", "Failed to write dataset.")
MRMCommitError = _error("MRMCommitError", "Failed to commit.")
MRMLaunchError = _error("MRMLaunchError", "Failed to launch.")
MRMFinishError = _error("MRMFinishError", "Failed to finish.")
MRMCloseError = _error("MRMCloseError", "Failed to close.")
MRMAddSchemaError = _error("MRMAddSchemaError", "Failed to add schema.")
MRMAddIndexError = _error("MRMAddIndexError", "Failed to add index field.")
MRMBuildSchemaError = _error("MRMBuildSchemaError", "Failed to build schema.")
MRMGetMetaError = _error("MRMGetMetaError", "Failed to get meta info.")
MRMIndexGeneratorError = _error("MRMIndexGeneratorError", "Failed to create index generator.")
MRMGenerateIndexError = _error("MRMGenerateIndexError", "Failed to generate index.")
MRMInitSegmentError = _error("MRMInitSegmentError", "Failed to initialize segment.")
MRMFetchCandidateFieldsError = _error("MRMFetchCandidateFieldsError", "Failed to fetch candidate category fields.")
MRMReadCategoryInfoError = _error("MRMReadCategoryInfoError", "Failed to read category information.")
MRMFetchDataError = _error("MRMFetchDataError", "Failed to fetch data by category.")
MRMInvalidSchemaError = _error("MRMInvalidSchemaError", "Schema format is error. Detail:")
MRMValidateDataError = _error("MRMValidateDataError", "Raw data do not match the schema. Detail:")
MRMDefineIndexError = _error("MRMDefineIndexError", "Failed to define index field. Detail:")
MRMDefineBlobError = _error("MRMDefineBlobError", "Failed to define blob field. Detail:")
MRMUnsupportedSchemaError = _error("MRMUnsupportedSchemaError", "Schema is not supported. Detail:")
MRMDefineCategoryError = _error("MRMDefineCategoryError", "Failed to define category field. Detail:")


class ParamTypeError(MindRecordException):
    """An argument has a wrong type."""

    __module__ = _MODULE

    _opening_ = "Invalid parameter type."

    def __init__(self, param_name, expected_type):
        super().__init__(f"The argument '{param_name}' must be a {expected_type}.")


class ParamMissError(MindRecordException):
    """An argument is missing."""

    __module__ = _MODULE

    _opening_ = "Param missing."

    def __init__(self, param_name):
        super().__init__(f"'{param_name}' is required.")
