"""Resolves dotted names as a program's imports and attribute reads would."""

import dataclasses
import functools
import importlib
import types
import warnings

from ...ops.legacy.left_out import LeftOut


@dataclasses.dataclass(frozen=True)
class Found:
    """The result of resolving a name.

    Attributes:
        name (str): the resolved part: up to the missing name, or up to a value, whose attributes are not checked.
        value: the object of that name.
        error (str | None): if it is missing, the error text a program would get, else None.
        is_importable (bool): whether the name exists: a name that is left out imports, and raises at its use.
    """

    name: str
    value: object = None
    error: str | None = None
    is_importable: bool = True


@functools.cache
def look_up(name):
    """Resolves a dotted name, starting from its root module."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return _look_up(name)


def _look_up(name):
    root, *parts = name.split(".")
    value, path = importlib.import_module(root), root
    for part in parts:
        # `mindspore.common.tensor` is both a function and a module.
        parent = value if isinstance(value, (types.ModuleType, type)) else _module(path)
        if parent is None:
            break
        path = f"{path}.{part}"
        try:
            value = getattr(parent, part)
            if isinstance(value, types.ModuleType) and value.__name__ == f"msgrad{path.removeprefix('mindspore')}":
                value = importlib.import_module(path)  # a package of msgrad's own is not one of MindSpore's
        except ImportError as error:
            return Found(path, error=str(error), is_importable=False)
        except AttributeError as error:
            value = _module(path) if isinstance(parent, types.ModuleType) else None
            if value is None:
                return Found(path, error=str(error), is_importable=False)
        if isinstance(value, LeftOut):
            return Found(path, error=value.__doc__)
    return Found(path, value)


def _module(path):
    """The module at ``path``, imported if it is not yet; None if there is none."""
    try:
        return importlib.import_module(path)
    except ImportError:
        return None
