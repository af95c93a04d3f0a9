"""The standing of a name that a program uses: available, with a difference, or missing; and who removed it."""

import dataclasses
import functools
import importlib.resources
import importlib.util
import types
import warnings

import numpy as np

from ..._compat import numpy_names
from ...version import __version__
from . import python_names
from .differences import concerning
from .lookup import look_up

HERE, DIFFERENT, MISSING = "here", "here with a difference", "not here"

_MSG_DROPPED = "MindSpore {} does not have it"
_MSG_PUT_BACK = "removed in NumPy {}, restored by msgrad: write {}"
_MSG_LACKING = "msgrad has no such name"
_MSG_NUMPY = "NumPy {} does not have it"
_ELSEWHERE = ["mindspore", "mindspore.ops", "mindspore.nn", "mindspore.mint", "mindspore.numpy", "mindspore.train"]


@dataclasses.dataclass(frozen=True)
class Standing:
    """The standing of a name.

    Attributes:
        name (str): the part of the name that can be resolved; the rest are attributes of a value.
        kind (str): `HERE`, `DIFFERENT` or `MISSING`.
        note (str): a remark: what to use instead.
        differences (tuple of Difference): the entries of docs/differences.md.
        gone_from (str | None): who has removed it: ``"MindSpore"``, ``"NumPy"`` or ``"Python"``.
        is_importable (bool): whether it can be imported: a name that is left out can, and raises when it is called.
    """

    name: str
    kind: str
    note: str = ""
    differences: tuple = ()
    gone_from: str | None = None
    is_importable: bool = True


@functools.cache
def standing(name):
    """The `Standing` of a dotted name of ``mindspore``, ``numpy`` or Python; None if there is nothing to report."""
    if ".*." in name:
        name = _through_star(name)
    if name is None:
        return None
    root = name.partition(".")[0]
    if root == "mindspore":
        return _of_mindspore(name)
    return _of_numpy(name) if root == "numpy" else _of_python(name)


def _through_star(name):
    """The full name of ``a.*.b`` if ``from a import *`` binds ``b``, else None."""
    module, _, rest = name.partition(".*.")
    looked_up = look_up(module)
    public = getattr(looked_up.value, "__all__", None) or [n for n in dir(looked_up.value) if n[0] != "_"]
    return f"{module}.{rest}" if rest.partition(".")[0] in public else None


def _of_mindspore(name):
    looked_up = look_up(name)
    gone_from = "MindSpore" if _is_dropped(looked_up.name) else None
    dropped = [_MSG_DROPPED.format(__version__)] if gone_from else []
    if looked_up.error is not None:
        note = "; ".join(dropped + _instead(looked_up)) or _MSG_LACKING
        return Standing(looked_up.name, MISSING, note, (), gone_from, looked_up.is_importable)
    differences = concerning(looked_up.name, looked_up.value)
    return Standing(looked_up.name, DIFFERENT if differences else HERE, "".join(dropped), differences, gone_from)


def _instead(looked_up):
    """msgrad's note on a missing name, or else where msgrad has another object of that name."""
    reason = looked_up.error.partition(": ")[2]  # msgrad's errors read "what is missing: what to do"
    if reason:
        return [reason]
    last = looked_up.name.rpartition(".")[2]
    candidates = [f"{module}.{last}" for module in _ELSEWHERE]
    there = [name for name in candidates if name != looked_up.name and look_up(name).error is None]
    return [f"there is {' and '.join(there)}"] if there else []


@functools.cache
def _dropped():
    """Names that public programs use and that MindSpore has removed (or never had)."""
    text = importlib.resources.files("msgrad.tools.checking").joinpath("dropped_names.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


def _is_dropped(name):
    while name:
        if name in _dropped():
            return True
        name = name.rpartition(".")[0]
    return False


def _of_numpy(name):
    _, *parts = name.split(".")
    today = numpy_names.spelling_today(parts[0]) if parts else None
    if today is not None:
        return Standing(f"numpy.{parts[0]}", HERE, _MSG_PUT_BACK.format(np.__version__, today), gone_from="NumPy")
    value, path = np, "numpy"
    for part in parts:
        if not isinstance(value, (types.ModuleType, type)):
            return None
        path = f"{path}.{part}"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                value = getattr(value, part)
        except AttributeError as error:
            if hasattr(value, "__path__") and importlib.util.find_spec(f"{value.__name__}.{part}"):
                return None  # a module that is not imported yet is not imported for this
            note = _MSG_NUMPY.format(np.__version__) if "has no attribute" in str(error) else str(error)
            return Standing(path, MISSING, note, (), "NumPy", is_importable=False)
    return None


def _of_python(name):
    change = python_names.gone(name)
    if change is None:
        return None
    gone, note, is_missing = change
    return Standing(gone, MISSING if is_missing else HERE, note, (), "Python", not is_missing)
