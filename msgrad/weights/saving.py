"""A network's weights written under the names of torch."""

import os

import numpy as np

from ..engine import dtypes
from ..engine.refusal import refuse, require
from ..nn import Conv1d, Conv1dTranspose, PReLU
from ..nn.cell import Cell
from ..tensor.tensor import Tensor
from ..train._files import tensors
from ._formats import torch_writer
from ._formats.storages import STORAGES
from .loading import matched
from .report import Pair, Report, twins
from .rules import LEAVES, module_and_leaf
from .targets import targets_of

_OWNER = "weights.save"
_TORCH = (".pth", ".pt", ".bin")
_SAFETENSORS = ".safetensors"
_MSG_LIKE = "For 'weights.save', the net and the file 'like' do not match, so nothing was written.\n{}"


def save(net, path, like=None, rename=None, key=None):
    """Writes a network's Parameters to a file that torch loads: ``model.load_state_dict(torch.load(path))``.

    Names end as torch's do: ``weight`` and ``bias`` for ``gamma`` and ``beta`` of a norm, ``running_mean`` and
    ``running_var`` for its moving averages, ``weight`` for the table of an embedding. A weight of `Conv1d` loses
    its axis of length 1. With ``like``, the file gets the names, shapes, dtypes and order of another one.

    Args:
        net (Cell): the network.
        path (str | os.PathLike): ends with ``.pth``, ``.pt`` or ``.bin``, or with ``.safetensors``.
        like (str | os.PathLike): a file of the same model, as torch saves it, see `read`. What has no Parameter here is
            copied from it. Default: ``None``.
        rename (dict[str, str] | callable): of ``like``, as for `load`; names are written as they are in ``like``.
            Default: ``None``.
        key (str): of ``like``, as for `load`. Default: ``None``.
    Returns:
        Report: the name under which each Parameter is written.
    Raises:
        TypeError: if an argument has another type, or a Parameter a dtype that the format has not.
        ValueError: for another ending; if ``like`` cannot be read, or does not match.
        OSError: if the file cannot be written.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/norm.safetensors"
        >>> report = msgrad.weights.save(nn.BatchNorm2d(2), path)
        >>> sorted(msgrad.weights.read(path))
        ['bias', 'running_mean', 'running_var', 'weight']
    """
    require(net, Cell, _OWNER, "net")
    path = os.fspath(require(path, (str, os.PathLike), _OWNER, "path"))
    if not path.endswith((*_TORCH, _SAFETENSORS)):
        refuse(ValueError, _OWNER, "path", f"a path that ends with {', '.join(_TORCH)} or {_SAFETENSORS}", path)
    if like is None:
        arrays, report = _by_torch_names(net, path)
    else:
        arrays, report = _as_in(net, require(like, (str, os.PathLike), _OWNER, "like"), rename, key)
    _write(path, arrays)
    return report


def _by_torch_names(net, path):
    arrays, pairs = {}, []
    for target in targets_of(net):
        array = target.parameter._values_()
        change = ""
        if isinstance(target.cell, (Conv1d, Conv1dTranspose)) and array.ndim == 4:
            array, change = array[:, :, 0], "an axis of length 1 less"
        names = [torch_name(name, target.cell) for name in target.outer]
        arrays |= dict.fromkeys(names, array)
        pairs.append(Pair(target.name, tuple(names), "torch's name", change))
    return arrays, Report(path, type(net).__name__, pairs, [], [], [], {}, [])


def torch_name(name, cell):
    """Torch's name of a Parameter of a Cell."""
    module, leaf = module_and_leaf(name)
    is_known = leaf not in ("gamma", "beta", "w") or "Norm" in type(cell).__name__ or isinstance(cell, PReLU)
    leaf = LEAVES.get(leaf, leaf) if is_known else leaf
    return f"{module}.{leaf}" if module else leaf


def _as_in(net, like, rename, key):
    with matched(net, like, rename, key, _OWNER) as (matching, report, entries):
        if not report.ok:
            raise ValueError(_MSG_LIKE.format(report))
        arrays = {name: np.array(entry.values(), order="C") for name, entry in entries.items()}
        for each in matching.matches:
            array = each.form.to_file(each.target.parameter._values_(), each.piece.shape)
            each.piece.put(array, arrays)
        for piece, first in twins(matching):
            arrays[piece.name] = arrays[first.name]
    return arrays, report


def _write(path, arrays):
    for name, array in arrays.items():
        if array.dtype.name not in STORAGES:
            refuse(TypeError, _OWNER, f"net['{name}']", "of a dtype that torch has", dtypes.of(array.dtype))
    if path.endswith(_SAFETENSORS):
        values = {name: Tensor(array) for name, array in arrays.items()}
        tensors.write(path, tensors.encoded(values, framework="pt"))
    else:
        torch_writer.write(path, arrays)
