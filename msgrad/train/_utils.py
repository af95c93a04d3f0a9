"""Helpers of training that programs import from MindSpore's private modules."""

import os

from ..engine.refusal import refuse, require


def require_instance(value, types, argument):
    """``value``, an instance of ``types``, for arguments whose other types are a ValueError in MindSpore.

    Args:
        value (object): what was given.
        types (type | tuple[type]): what it must be.
        argument (str): its name in the error.
    Raises:
        ValueError: if it is not.
    """
    if not isinstance(value, types):
        raise ValueError(f"The parameter '{argument}' must be isinstance of {types}, but got {value}.")
    return value


def make_directory(path, arg_name="path"):
    """The absolute path of a folder, which is created if it is missing.

    Args:
        path (str): the folder.
        arg_name (str): its name in errors. Default: ``'path'``.
    Returns:
        str.
    Raises:
        TypeError: if it is not a str.  ValueError: if it is empty.
    """
    if not require(path, str, "make_directory", arg_name).strip():
        refuse(ValueError, "make_directory", arg_name, "the path of a folder", path)
    path = os.path.realpath(path)
    os.makedirs(path, exist_ok=True)
    return path


_make_directory = make_directory
