"""Checkpoints: Parameters written to files."""

import io
import logging
import os
import threading

import numpy as np

from .._common.seeding import Generator
from .._sharding.parts import own_part
from ..engine.refusal import InWords, refuse, require
from ..nn.cell import Cell
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from ._files import cipher, records, tensors, values
from ._files.atomic import replacing
from ._utils import require_instance

FORMATS = ("ckpt", "safetensors")
_OWNER = "save_checkpoint"
_MSG_FOLDER = "For 'save_checkpoint', the 'ckpt_file_name' must be the path of a file, but there is a folder at {}."

_writer = None  # the thread that writes, or wrote, the last checkpoint
_starting = threading.Lock()
_failures = []  # the error of a thread that failed to write a checkpoint, until it is raised
_logger = logging.getLogger("msgrad")


def save_checkpoint(
    save_obj,
    ckpt_file_name,
    integrated_save=True,
    async_save=False,
    append_dict=None,
    enc_key=None,
    enc_mode="AES-GCM",
    choice_func=None,
    crc_check=False,
    format="ckpt",
    **kwargs,
):
    """Writes Parameters to a file that MindSpore can read.

    The write is atomic: an existing file stays until the new one is complete.

    Args:
        save_obj (Cell | list[Parameter] | list[dict] | dict[str, Parameter | str | numpy.ndarray]): what to save; a
            dict in a list has ``name`` and ``data``.
        ckpt_file_name (str): the path; the format is added as its ending if it is missing.
        integrated_save (bool): whether Parameters of a Cell that several processes share are whole in the file, which
            takes all these processes; else each writes its own parts. Default: ``True``.
        async_save (bool | str): whether to return at once and write in a thread; ``'process'`` also uses a thread.
            Default: ``False``.
        append_dict (dict[str, int | float | bool | str | Tensor | Generator]): further values. Default: ``None``.
        enc_key (bytes): the encryption key, 16, 24 or 32 bytes; needs the extra ``encryption``. Default: ``None``.
        enc_mode (str): ``'AES-GCM'``, ``'AES-CBC'`` or ``'SM4-CBC'``. Default: ``'AES-GCM'``.
        choice_func (callable): ``choice_func(name)`` returns whether to save it. Default: ``None``, all.
        crc_check (bool): whether to add a CRC-32 of the content. Default: ``False``.
        format (str): ``'ckpt'`` or ``'safetensors'``. Default: ``'ckpt'``.
        kwargs: ``incremental``, ``global_step_num`` (without effect here) and ``remove_redundancy``, which
            is stored in the metadata of safetensors files.
    Raises:
        TypeError, ValueError: for other arguments.  IsADirectoryError: if the path is a folder.  OSError: if it cannot
            be written to.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/dense.ckpt"
        >>> ms.save_checkpoint(nn.Dense(2, 3), path, append_dict={"epoch": 4})
        >>> sorted(ms.load_checkpoint(path))
        ['bias', 'epoch', 'weight']
    Source: mindspore.save_checkpoint
    """
    if format not in FORMATS:
        refuse(ValueError, _OWNER, "format", f"one of {FORMATS}", format)
    path = _checked_path(save_obj, ckpt_file_name, format)
    require(integrated_save, bool, _OWNER, "integrated_save")
    require(async_save, (bool, str), _OWNER, "async_save")
    if isinstance(async_save, str) and async_save not in ("process", "thread"):
        refuse(ValueError, _OWNER, "async_save", "a bool, 'process' or 'thread'", async_save)
    require_instance(crc_check, bool, "crc_check")
    require_instance(kwargs.get("remove_redundancy"), (type(None), bool), "remove_redundancy")
    if format == "safetensors" and enc_key is not None:
        refuse(ValueError, _OWNER, "enc_key", "None, if the 'format' is 'safetensors'", InWords("a key"))
    if enc_key is not None:
        cipher.check(_OWNER, enc_key, enc_mode, "enc")
    parameters = _chosen(save_obj, choice_func)
    if not integrated_save:
        parameters = {name: own_part(value) for name, value in parameters.items()}
    parameters = _joined(parameters, _appended(append_dict))
    if format == "safetensors":
        arguments = tensors.write, path, tensors.encoded(parameters, crc_check, kwargs.get("remove_redundancy"))
    else:
        parts = [values.record(name, value) for name, value in parameters.items()]
        arguments = _write, path, parts, crc_check, enc_key, enc_mode
    if async_save:
        _start(*arguments)
    else:
        _raise_failure()
        write, *rest = arguments
        write(*rest)


def async_ckpt_thread_status():
    """Whether a checkpoint is being written in a thread. Source: mindspore.async_ckpt_thread_status"""
    return _writer is not None and _writer.is_alive()


def wait_for_writer():
    """Waits for the checkpoint that is being written in a thread, if there is one.

    Raises:
        OSError: the error of the last write, once.
    """
    if _writer is not None:
        _writer.join()
    _raise_failure()


def _raise_failure():
    """Raises the error of a checkpoint written in a thread, if it was not raised yet."""
    if _failures:
        raise _failures.pop()


def _start(write, *arguments):
    """Writes in a thread, after an earlier one has finished; Python waits for it at exit."""
    global _writer
    with _starting:
        wait_for_writer()
        _writer = threading.Thread(target=_run, args=(write, *arguments), name="asyn_save_ckpt")
        _writer.start()


def _run(write, path, *arguments):
    try:
        write(path, *arguments)
    except Exception as error:
        _logger.error(
            "The checkpoint %s was not written: %s. The next save, or the end of training, raises this.", path, error
        )
        _failures.append(error)


def _write(path, parts, sealed, key, mode):
    with replacing(path) as file:
        if key is None:
            records.write(file, parts, sealed)
            return
        plain = io.BytesIO()
        records.write(plain, parts, sealed)
        plain.seek(0)
        for block in cipher.sealed(plain, key, mode):
            file.write(block)


def _checked_path(save_obj, name, format):
    require(save_obj, (Cell, list, dict), _OWNER, "save_obj")
    require(name, str, _OWNER, "ckpt_file_name")
    path = os.path.realpath(name)
    if os.path.isdir(path):
        raise IsADirectoryError(_MSG_FOLDER.format(path))
    return path if path.endswith(format) else f"{path}.{format}"


def _chosen(save_obj, choice_func):
    """The values of ``save_obj`` to save, by name."""
    if isinstance(save_obj, Cell):
        parameters = {parameter.name: parameter for _, parameter in save_obj.parameters_and_names()}
    elif isinstance(save_obj, list):
        named = list(map(_named, save_obj))
        parameters = dict(named)
        if len(parameters) < len(named):
            refuse(ValueError, _OWNER, "save_obj", "a list whose names differ", [name for name, _ in named])
    else:
        parameters = {_checked_name(name): _savable(name, value) for name, value in save_obj.items()}
    return {name: value for name, value in parameters.items() if choice_func is None or choice_func(name)}


def _named(item):
    if isinstance(item, Parameter):
        return item.name, item
    if not isinstance(item, dict) or not {"name", "data"} <= set(item):
        refuse(TypeError, _OWNER, "save_obj", "a list of Parameters, or of dicts with 'name' and 'data'", item)
    name = _checked_name(item["name"])
    return name, require(item["data"], Tensor, _OWNER, f"save_obj['{name}']")


def _checked_name(name):
    return require(name, str, _OWNER, "name in the save_obj")


def _savable(name, value):
    if isinstance(value, np.ndarray):
        return Tensor(value)
    return require(value, (Tensor, str), _OWNER, f"save_obj['{name}']")


def _joined(parameters, appended):
    """Merges both dicts; a name in both is an error, since one value would be lost."""
    shared = sorted(parameters.keys() & appended.keys())
    if shared:
        refuse(ValueError, _OWNER, "append_dict", "a dict without names of the save_obj", shared)
    return parameters | appended


def _appended(append_dict):
    """The values to save in addition to ``save_obj``: Tensors and strings by name."""
    appended = {}
    for name, value in (require(append_dict, (dict, type(None)), _OWNER, "append_dict") or {}).items():
        require(name, str, _OWNER, "name in the append_dict")
        kinds = (int, float, bool, str, Tensor, Generator)
        require(value, kinds, _OWNER, f"append_dict['{name}']")
        if isinstance(value, Generator):
            value = value.get_state()
        appended[name] = value if isinstance(value, (str, Tensor)) else Tensor(value)
    return appended
