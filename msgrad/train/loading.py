"""Checkpoints: Parameters read from files."""

import concurrent.futures
import glob
import io
import os
from typing import Any

from ..engine.refusal import InWords, refuse, require
from ..tensor.parameter import Parameter
from ._files import cipher, records, tensors, values
from ._utils import require_instance
from .load_params import load_param_into_net
from .saving import FORMATS

_OWNER = "load_checkpoint"
_MSG_MISSING = "For 'load_checkpoint', the 'ckpt_file_name' must be a file that exists, but there is none at {}."
_MSG_DAMAGED = "For 'load_checkpoint', the file {} is not a checkpoint, or damaged: {}."
_MSG_KEY = (
    "For 'load_checkpoint', the file {} cannot be decrypted: the 'dec_key' or the 'dec_mode' is wrong, or the file "
    "has been changed."
)
_MSG_SEALED = "For 'load_checkpoint', the file {} is encrypted: give the 'dec_key'."
_MSG_EMPTY = (
    "For 'load_checkpoint', no Parameter of {} was read: it is empty, or 'choice_func', 'filter_prefix' or "
    "'specify_prefix' exclude every Parameter."
)


def load_checkpoint(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
    crc_check=False,
    remove_redundancy=False,
    format="ckpt",
) -> dict[str, Any]:
    """Reads the Parameters of a file that `save_checkpoint`, or MindSpore, wrote.

    No code in the file is run. A file that is damaged, truncated or of another format raises a ValueError with its
    path.

    Args:
        ckpt_file_name (str | io.BytesIO): the path, which ends with the format; or, for safetensors, a file in memory.
        net (Cell): gets the Parameters, see `load_param_into_net`. Default: ``None``.
        strict_load (bool): for `load_param_into_net`. Default: ``False``.
        filter_prefix, specify_prefix (str | list[str] | tuple[str]): prefixes of names to skip, and of the only names
            to read; prefer ``choice_func``. Default: ``None``.
        dec_key (bytes), dec_mode (str): the key and mode of the encryption. Default: ``None``, ``'AES-GCM'``.
        choice_func (callable): ``choice_func(name)`` returns whether to read it. Default: ``None``, all.
        crc_check (bool): whether to verify the CRC-32, if the file has one. Default: ``False``.
        remove_redundancy (bool): for several devices, without effect on one. Default: ``False``.
        format (str): ``'ckpt'`` or ``'safetensors'``. Default: ``'ckpt'``.
    Returns:
        dict[str, Parameter | str] by name; a str where one was appended.
    Raises:
        TypeError: for arguments of other types.
        ValueError: for other values; if the file is missing or damaged, or all of its names are skipped.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/dense.ckpt"
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> ms.load_checkpoint(path, choice_func=lambda name: name == "bias")
        {'bias': Parameter (name=bias, shape=(3,), dtype=Float32, requires_grad=True)}
    Source: mindspore.load_checkpoint
    """
    source = _checked_source(ckpt_file_name, format)
    wanted = _choice(_prefixes(specify_prefix), _prefixes(filter_prefix), choice_func)
    require_instance(crc_check, bool, "crc_check")
    require_instance(remove_redundancy, bool, "remove_redundancy")
    if choice_func is not None and not callable(choice_func):
        sentence = f"For '{_OWNER}', the 'choice_func' must be a function of a Parameter's name."
        raise ValueError(f"'{type(choice_func).__name__}' object is not callable. {sentence}")
    if dec_key is not None:
        if format == "safetensors":
            refuse(ValueError, _OWNER, "dec_key", "None, if the 'format' is 'safetensors'", InWords("a key"))
        cipher.check(_OWNER, dec_key, dec_mode, "dec")
    try:
        if format == "safetensors":
            parameters = {name: Parameter(tensor) for name, tensor in tensors.read(source, crc_check, wanted).items()}
        else:
            parameters = {
                name: _parameter(name, value) for name, value in _read(source, crc_check, wanted, dec_key, dec_mode)
            }
    except records.DamagedError as error:
        raise ValueError(_MSG_DAMAGED.format(source, error)) from None
    except cipher.WrongKeyError:
        raise ValueError(_MSG_KEY.format(source)) from None
    if not parameters:
        raise ValueError(_MSG_EMPTY.format(source))
    if net is not None:
        load_param_into_net(net, parameters, strict_load, remove_redundancy)
    return parameters


class _Loaded:
    """The future that `load_checkpoint_async` returns: ``result()`` waits for the Parameters."""

    def __init__(self, executor, future):
        self._executor = executor
        self._future = future

    def result(self):
        """The result of `load_checkpoint`, or its error."""
        try:
            return self._future.result()
        finally:
            self._executor.shutdown()


def load_checkpoint_async(
    ckpt_file_name,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
):
    """Begins `load_checkpoint` in a thread; the format is that of the path's ending.

    Args:
        ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func: as there.
    Returns:
        an object whose ``result()`` waits for the Parameters, and returns or raises what `load_checkpoint` does.
    Example:
        >>> import tempfile
        >>> path = tempfile.mkdtemp() + "/dense.ckpt"
        >>> ms.save_checkpoint(nn.Dense(2, 3), path)
        >>> sorted(ms.load_checkpoint_async(path).result())
        ['bias', 'weight']
    Source: mindspore.load_checkpoint_async
    """
    format = "safetensors" if str(ckpt_file_name).endswith(".safetensors") else "ckpt"
    executor = concurrent.futures.ThreadPoolExecutor(1)
    arguments = ckpt_file_name, net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func
    return _Loaded(executor, executor.submit(load_checkpoint, *arguments, format=format))


def load_segmented_checkpoints(
    ckpt_file_dir,
    net=None,
    strict_load=False,
    filter_prefix=None,
    dec_key=None,
    dec_mode="AES-GCM",
    specify_prefix=None,
    choice_func=None,
):
    """Reads all ``.ckpt`` files of a folder as one, in the order of their names.

    Args:
        ckpt_file_dir (str): the folder.
        net, strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func: as for `load_checkpoint`.
    Returns:
        dict[str, Parameter | str] by name.
    Raises:
        TypeError: if the folder is not a str.  ValueError: if there is none, or as `load_checkpoint`.
    Example:
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> ms.save_checkpoint(nn.Dense(2, 3, has_bias=False), folder + "/0.ckpt")
        >>> list(ms.load_segmented_checkpoints(folder))
        ['weight']
    Source: mindspore.load_segmented_checkpoints
    """
    owner = "load_segmented_checkpoints"
    require(ckpt_file_dir, str, owner, "ckpt_file_dir")
    if not os.path.isdir(ckpt_file_dir):
        refuse(ValueError, owner, "ckpt_file_dir", "a folder that exists", ckpt_file_dir)
    parameters = {}
    for path in sorted(glob.glob(os.path.join(glob.escape(ckpt_file_dir), "*.ckpt"))):
        options = strict_load, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func
        parameters |= load_checkpoint(path, net, *options)
    return parameters


def _read(path, check, wanted, key, mode):
    """``(name, value)`` of each wanted entry of a ``.ckpt`` file."""
    size = os.path.getsize(path)
    with open(path, "rb") as file:
        is_sealed = cipher.is_sealed(file.read(4))
        file.seek(0)
        if is_sealed and key is None:
            raise ValueError(_MSG_SEALED.format(path))
        if key is not None:
            file = cipher.opened(file, size, key, mode)
            size = len(file.getbuffer())
        for record in records.read(file, size, check, wanted):
            yield record.name, values.value(record)


def _parameter(name, value):
    return value if isinstance(value, str) else Parameter(value, name=name)


def _checked_source(name, format):
    if format not in FORMATS:
        refuse(ValueError, _OWNER, "format", f"one of {FORMATS}", format)
    if isinstance(name, io.BytesIO):
        if format == "ckpt":
            refuse(TypeError, _OWNER, "ckpt_file_name", "a path, if the 'format' is 'ckpt'", name)
        return name
    require(name, str, _OWNER, "ckpt_file_name")
    if not name.endswith(format):
        refuse(ValueError, _OWNER, "ckpt_file_name", f"a path that ends with the 'format', {format!r}", name)
    path = os.path.realpath(name)
    if not os.path.isfile(path):
        raise ValueError(_MSG_MISSING.format(path))
    return path


def _prefixes(prefixes):
    """The prefixes of names as a tuple, or None."""
    if prefixes is None:
        return None
    require(prefixes, (str, list, tuple), _OWNER, "prefix")
    prefixes = (prefixes,) if isinstance(prefixes, str) else tuple(prefixes)
    for prefix in prefixes:
        require(prefix, str, _OWNER, "prefix")
    if not prefixes or "" in prefixes:
        refuse(ValueError, _OWNER, "prefix", "one or more prefixes of names", prefixes)
    return prefixes


def _choice(specified, left_out, choice_func):
    """A function ``name -> whether to read it``; the prefixes are applied before ``choice_func``."""
    if specified is None and left_out is None:
        return choice_func
    return lambda name: (not specified or name.startswith(specified)) and not (left_out and name.startswith(left_out))
