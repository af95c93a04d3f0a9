"""``.safetensors`` files: eight bytes, the length of a header; the header, in JSON; the arrays, one after another."""

import binascii
import io
import json
import math
from typing import Any

import numpy as np

from ...engine import dtypes
from ...engine.refusal import refuse
from ...tensor.tensor import Tensor
from . import contents
from .atomic import replacing
from .messages import DamagedError

_BY_CODE = {
    "BOOL": dtypes.bool_, "U8": dtypes.uint8, "I8": dtypes.int8, "U16": dtypes.uint16, "I16": dtypes.int16,
    "U32": dtypes.uint32, "I32": dtypes.int32, "U64": dtypes.uint64, "I64": dtypes.int64, "F16": dtypes.float16,
    "BF16": dtypes.bfloat16, "F32": dtypes.float32, "F64": dtypes.float64, "C64": dtypes.complex64,
    "F8_E4M3": dtypes.float8_e4m3fn, "F8_E5M2": dtypes.float8_e5m2,
}  # fmt: skip
_CODES = {dtype: code for code, dtype in _BY_CODE.items()}
_ALIGNED = 8  # bytes, to which the header is padded
_MOST_OF_A_HEADER = 100_000_000  # bytes, as in the package safetensors


def encoded(values, sealed=False, remove_redundancy=None, framework="ms"):
    """The parts of a file of Tensors (dict, by name), in their memory; the metadata has a CRC if ``sealed``."""
    arrays = {}
    for name in sorted(values):
        value = values[name]
        if isinstance(value, str) or value.dtype not in _CODES:
            refuse(TypeError, "save_checkpoint", f"save_obj['{name}']", "a Tensor of a dtype of this format", value)
        arrays[name] = np.ascontiguousarray(value._values_()).reshape(-1).view(np.uint8)
    metadata = {"format": framework}
    if remove_redundancy is not None:
        metadata["remove_redundancy"] = str(remove_redundancy)
    if sealed:
        metadata["crc_num"] = str(_crc_of(arrays.items()))
    header: dict[str, Any] = {"__metadata__": metadata} if arrays else {}
    end = 0
    ordered = sorted(arrays, key=lambda name: -values[name].dtype.numpy.itemsize)  # so that each array is aligned
    for name in ordered:
        start, end = end, end + arrays[name].size
        shape, code = list(values[name].shape), _CODES[values[name].dtype]
        header[name] = {"dtype": code, "shape": shape, "data_offsets": [start, end]}
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNED)
    return [len(text).to_bytes(8, "little") + text, *[memoryview(arrays[name]) for name in ordered]]


def write(path, parts):
    """Writes the parts that `encoded` returned."""
    with replacing(path) as file:
        for part in parts:
            file.write(part)


def read(source, check, wanted=None):
    """The Tensors of a file by name, those whose names are ``wanted``.

    Args:
        source (str | io.BytesIO): the path, or the file in memory.
        check (bool): whether to verify the CRC, if the file has one.
        wanted (callable): ``wanted(name)`` returns whether to read it. Default: all.
    Raises:
        DamagedError: if the file has another format, its CRC is wrong, or msgrad does not have one of its dtypes.
    """
    # One of our own for a file in memory, whose position is the user's.
    with io.BytesIO(source.getvalue()) if isinstance(source, io.BytesIO) else open(source, "rb") as file:
        header, start = _header_of(file)
        crc = (header.pop("__metadata__", None) or {}).get("crc_num")
        entries = {name: _entry(name, fields) for name, fields in sorted(header.items())}
        _check_places(entries.values(), file.seek(0, io.SEEK_END) - start)
        is_checked = check and crc is not None
        arrays = {
            name: contents.read(file, start + first, last - first)
            for name, (first, last, *_) in entries.items()
            if is_checked or wanted is None or wanted(name)
        }
    if is_checked and crc != str(_crc_of(arrays.items())):
        raise DamagedError("its CRC does not match its content")
    return {
        name: Tensor(content.view(entries[name][2].numpy).reshape(entries[name][3]))
        for name, content in arrays.items()
        if wanted is None or wanted(name)
    }


def _header_of(file):
    """The header of a file (dict), and where its arrays begin."""
    length = int.from_bytes(file.read(8), "little")
    text = file.read(length) if length <= _MOST_OF_A_HEADER else b""
    if len(text) != length:
        raise DamagedError("it ends within its header")
    try:
        header = json.loads(text)
    except (ValueError, RecursionError):
        raise DamagedError("its header is not JSON") from None
    metadata = header.get("__metadata__") if isinstance(header, dict) else 0
    if not isinstance(metadata, (dict, type(None))):
        raise DamagedError("its header is not a dict of arrays")
    return header, 8 + length


def _check_places(entries, size):
    """Raises DamagedError unless the arrays follow each other and have ``size`` bytes."""
    end = 0
    for first, last, _, _ in sorted(entries, key=lambda entry: entry[:2]):
        if first != end:
            raise DamagedError("its arrays do not follow each other")
        end = last
    if end != size:
        raise DamagedError(f"its arrays have {size} bytes in place of {end}")


def _entry(name, fields):
    """Where an array begins and ends, its dtype and shape."""
    try:
        code, shape, (first, last) = fields["dtype"], tuple(fields["shape"]), fields["data_offsets"]
        are_lengths = all([type(each) is int and each >= 0 for each in (*shape, first, last)])
    except (KeyError, TypeError, ValueError):
        are_lengths = False
    if not are_lengths:
        raise DamagedError(f"its header does not say the dtype, shape and data_offsets of '{name}'")
    dtype = _BY_CODE.get(code) if isinstance(code, str) else None
    if dtype is None:
        raise DamagedError(f"'{name}' has the dtype {code!r}, which msgrad cannot hold")
    if last - first != math.prod(shape) * dtype.numpy.itemsize:
        raise DamagedError(f"'{name}' is of shape {shape} and {code}, but has {last - first} bytes")
    return first, last, dtype, shape


def _crc_of(contents):
    crc = 0
    for name, content in contents:
        crc = binascii.crc32(content, binascii.crc32(name.encode(), crc))
    return crc
