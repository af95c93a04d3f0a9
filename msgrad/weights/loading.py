"""Weights of other libraries read into a network."""

import contextlib
import os
import re

import numpy as np

from .. import log
from ..engine.refusal import InWords, refuse, require
from ..nn.cell import Cell
from ..tensor.tensor import Tensor
from . import reading
from .attention import pieces_of
from .matching import match
from .report import report_of
from .targets import targets_of

_OWNER = "weights.load"
_MSG_STRICT = (
    "For '{}', the file and the net do not match, so nothing was written. `rename` gives names their counterparts; "
    "strict=False writes what matches.\n{}"
)


def load(net, source, strict=True, rename=None, key=None):
    """Writes the weights of a file of torch, safetensors or Keras into a network's Parameters.

    Names are matched by rules: equal names; MindSpore's names for torch's (``gamma`` is ``weight``); other spellings;
    prefixes such as ``module.``; query, key and value in one array or three. Linear layers that are stored transposed
    (GPT-2, Keras) are turned. What is left is matched by the order of layers, if the file has one and if numbers,
    kinds and shapes agree, and by shapes that occur once. Whatever is ambiguous is left, and the report says so.

    Args:
        net (Cell): the network.
        source (str | os.PathLike | dict[str, Tensor | numpy.ndarray]): a file, see `read`, or arrays by name.
        strict (bool): whether it is an error if a Parameter has no value in the file, a weight of the file no
            Parameter, or both have other shapes. Default: ``True``.
        rename (dict[str, str] | callable): new names of the file's arrays, before anything is matched: a function of
            the name; or regular expressions and what replaces them, as for ``re.sub``. Default: ``None``.
        key (str): as for `read`. Default: ``None``.
    Returns:
        Report: what was matched, by which rule, and what was not; it prints as a table.
    Raises:
        TypeError: if an argument has another type.
        ValueError: if the file cannot be read, or if it does not match and ``strict``; then nothing has been written.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/net.pth"
        >>> net = nn.SequentialCell(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8))
        >>> _ = msgrad.weights.save(net, path)
        >>> report = msgrad.weights.load(net, path)
        >>> report.ok, report.matched[-1].names
        (True, ('1.bias',))
    """
    report = loaded(net, source, strict, rename, key)
    for note in report.notes:
        log.warning("For '%s', %s.", _OWNER, note)
    return report


def loaded(net, source, strict, rename=None, key=None):
    """Does what `load` does, with the same arguments, without warnings."""
    require(strict, bool, _OWNER, "strict")
    with matched(net, source, rename, key, _OWNER) as (matching, report, _):
        if strict and not report.ok:
            raise ValueError(_MSG_STRICT.format(_OWNER, report))
        values = [(each.target.parameter, _value(each)) for each in matching.matches]
    for parameter, value in values:
        parameter.set_data(value)
    return report


@contextlib.contextmanager
def matched(net, source, rename, key, owner):
    """The `Matching` of a file and a network, its Report, and the file's entries; within the block.

    Args:
        net, source, rename, key: as for `load`.
        owner (str): the function that errors name.
    Raises:
        TypeError, ValueError: as for `load`.
    """
    require(net, Cell, owner, "net")
    require(source, (str, os.PathLike, dict), owner, "source")
    is_file = not isinstance(source, dict)
    entered = (
        reading.opened(source, key, owner) if is_file else contextlib.nullcontext(reading.of_arrays(source, owner))
    )
    with entered as entries:
        renamed = _renamed(entries, rename, owner)
        targets = targets_of(net)
        pieces = pieces_of(renamed, [name for target in targets for name in target.names])
        matching = match(pieces, targets, not is_file or reading.has_order(source))
        yield matching, report_of(matching, str(source) if is_file else "the dict", type(net).__name__), renamed


def _value(match):
    """The Tensor that a match gives its Parameter."""
    parameter = match.target.parameter
    array = match.form.to_net(match.piece.values(), match.target.shape)
    return Tensor(np.array(array, parameter.dtype.numpy), parameter.dtype)


def _renamed(entries, rename, owner):
    if rename is None:
        return entries
    if isinstance(rename, dict):
        function = _substitution(rename, owner)
    elif callable(rename):
        function = rename
    else:
        refuse(TypeError, owner, "rename", "a dict of regular expressions, or a function of a name", rename)
    result = {}
    for name, entry in entries.items():
        new = require(function(name), str, owner, f"rename of '{name}'")
        if new in result:
            refuse(ValueError, owner, "rename", "one that gives each name another", InWords(f"{new!r} twice"))
        result[new] = entry
    return result


def _substitution(rename, owner):
    try:
        patterns = [(re.compile(old), new) for old, new in rename.items()]
    except (re.error, TypeError) as error:
        refuse(ValueError, owner, "rename", f"a dict of regular expressions ({error})", rename)

    def function(name):
        for pattern, new in patterns:
            name = pattern.sub(new, name)
        return name

    return function
