"""Exceptions of MindRecord files, by MindSpore's names."""


class MindRecordException(Exception):  # noqa: N818  MindSpore's name
    """The base of these errors.  Source: mindspore.mindrecord.common.exceptions.MindRecordException"""


class ParamValueError(MindRecordException):
    """An argument has a wrong value."""


class ParamTypeError(MindRecordException):
    """An argument has a wrong type."""

    def __init__(self, param_name, expected_type):
        super().__init__(f"The argument '{param_name}' must be a {expected_type}.")


class PathNotExistsError(MindRecordException):
    """There is no such file."""


class MRMOpenError(MindRecordException):
    """A file cannot be opened, or exists already."""


class MRMOpenForAppendError(MindRecordException):
    """A file cannot be opened to be appended to."""


class MRMInvalidHeaderSizeError(MindRecordException):
    """The size of the header is invalid."""


class MRMInvalidPageSizeError(MindRecordException):
    """The size of pages is invalid."""


class MRMInvalidSchemaError(MindRecordException):
    """The schema is invalid."""


class MRMDefineIndexError(MindRecordException):
    """A field cannot be an index."""


class MRMWriteDatasetError(MindRecordException):
    """Rows cannot be written."""


class MRMFetchDataError(MindRecordException):
    """Rows cannot be read."""


class MRMDefineCategoryError(MindRecordException):
    """A field cannot be a category."""
