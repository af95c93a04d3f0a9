"""Exports networks as programs, and loads them."""

import io
import os

from ..engine.refusal import refuse, require
from ..nn.graph_cell import exported
from ._exported import checked, opened
from ._files import cipher, mindir
from ._files.records import DamagedError
from ._onnx.exporting import export as export_onnx

_FORMATS = ("AIR", "ONNX", "MINDIR")
_ENDING = ".mindir"
_CIPHER = ("enc_key", "enc_mode")
_MSG_AIR = "For 'export', 'AIR' is for Ascend's own tools: use 'MINDIR', which every machine with msgrad runs."
_MSG_NO_CIPHER = "Encrypt the file yourself, or use 'MINDIR'."
_MSG_MISSING = "For 'load', the 'file_name' must be a file that exists, but there is none at {}."
_MSG_DAMAGED = "For 'load', the file {} cannot be read: {}."
_MSG_KEY = "For 'load', the file {} cannot be decrypted: the 'dec_key' or the 'dec_mode' is wrong."


def export(net, *inputs, file_name, file_format, **kwargs):
    """Exports a network to a file as a compiled program with its Parameters.

    ``'MINDIR'`` is a program for XLA on CPU, CUDA and TPU, of the network in its current mode (training or evaluation).
    `load` reads it; MindSpore does not. ``'ONNX'`` is for other tools, see `mindspore.onnx.export`.

    Args:
        net (Cell | function): what to export.
        inputs (Tensor): its arguments; their shapes and dtypes count. ``Tensor(shape=[None, 3], dtype=...)`` makes
            an axis dynamic; the network's computation must not depend on its length.
        file_name (str): the path; ``.mindir`` or ``.onnx`` is added if it is missing.
        file_format (str): ``'MINDIR'`` or ``'ONNX'``.
        kwargs: ``enc_key`` (bytes) and ``enc_mode`` (str) as for `save_checkpoint`, for ``'MINDIR'``.
    Raises:
        TypeError, ValueError: for other values, and for a network that returns anything but Tensors.
        RuntimeError: for ``'ONNX'``, as `mindspore.onnx.export`.
        ImportError: without the package flatbuffers, of the extra ``export``; for ``'ONNX'``, those of ``onnx``.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/dense.mindir"
        >>> ms.export(nn.Dense(2, 3), ops.ones((1, 2)), file_name=path, file_format="MINDIR")
        >>> nn.GraphCell(ms.load(path))(ops.ones((1, 2))).shape
        (1, 3)
    Source: mindspore.export
    """
    if file_format not in _FORMATS:
        refuse(ValueError, "export", "file_format", f"one of {_FORMATS}", file_format)
    if file_format == "AIR":
        raise ValueError(_MSG_AIR)
    require(file_name, str, "export", "file_name")
    for name in kwargs:
        if name not in _CIPHER:
            refuse(ValueError, "export", "kwargs", f"out of {_CIPHER}", name)
    key, mode = kwargs.get("enc_key"), kwargs.get("enc_mode", "AES-GCM")
    if key is not None:
        if file_format == "ONNX":
            refuse(ValueError, "export", "enc_key", "None for 'ONNX'", key, _MSG_NO_CIPHER)
        cipher.check("export", key, mode, "enc")
    if file_format == "ONNX":
        export_onnx(net, *inputs, file_name=file_name)
        return
    graph = exported(net, checked(net, inputs))
    with opened(file_name, _ENDING) as file:
        if key is None:
            mindir.write(file, graph)
            return
        plain = io.BytesIO()
        mindir.write(plain, graph)
        plain.seek(0)
        for block in cipher.sealed(plain, key, mode):
            file.write(block)


def load(file_name, **kwargs):
    """Loads a file written by `export`, for `GraphCell`.

    Loading runs no code from the file; calling the GraphCell runs its program by XLA.

    Args:
        file_name (str): the path, which ends with ``.mindir``.
        kwargs: ``dec_key`` (bytes) and ``dec_mode`` (str), what it was encrypted with.
    Returns:
        Graph.
    Raises:
        ValueError: if the file is missing or has another format.  RuntimeError: if it is damaged.
        ImportError: without the package flatbuffers, of the extra ``export``.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/double.mindir"
        >>> ms.export(lambda x: x * 2, Tensor([1.0]), file_name=path, file_format="MINDIR")
        >>> nn.GraphCell(ms.load(path))(Tensor([3.0])).tolist()
        [6.0]
    Source: mindspore.load
    """
    if not isinstance(file_name, str):
        refuse(ValueError, "load", "file_name", "a str", file_name)
    if not file_name.endswith(_ENDING):
        refuse(ValueError, "load", "file_name", f"a path that ends with {_ENDING!r}", file_name)
    path = os.path.realpath(file_name)
    if not os.path.isfile(path):
        raise ValueError(_MSG_MISSING.format(path))
    try:
        return mindir.read(_content(path, kwargs.get("dec_key"), kwargs.get("dec_mode", "AES-GCM")))
    except DamagedError as error:
        raise RuntimeError(_MSG_DAMAGED.format(path, error)) from None
    except cipher.WrongKeyError:
        raise RuntimeError(_MSG_KEY.format(path)) from None


def _content(path, key, mode):
    with open(path, "rb") as file:
        if key is None:
            data = file.read()
            if cipher.is_sealed(data):
                raise DamagedError("it is encrypted: give the 'dec_key'")
            return data
        cipher.check("load", key, mode, "dec")
        return cipher.opened(file, os.path.getsize(path), key, mode).getvalue()
