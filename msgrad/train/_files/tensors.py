"""``.safetensors`` files, read and written by the package safetensors."""

import binascii
import io
import json

import numpy as np

from ...engine import dtypes
from ...engine.refusal import refuse
from ...tensor.tensor import Tensor
from .atomic import replacing
from .messages import DamagedError

_BY_CODE = {
    "BOOL": dtypes.bool_, "U8": dtypes.uint8, "I8": dtypes.int8, "U16": dtypes.uint16, "I16": dtypes.int16,
    "U32": dtypes.uint32, "I32": dtypes.int32, "U64": dtypes.uint64, "I64": dtypes.int64, "F16": dtypes.float16,
    "BF16": dtypes.bfloat16, "F32": dtypes.float32, "F64": dtypes.float64, "C64": dtypes.complex64,
    "F8_E4M3": dtypes.float8_e4m3fn, "F8_E5M2": dtypes.float8_e5m2,
}  # fmt: skip

_MSG_INSTALL = 'Files of safetensors need the package safetensors: pip install "msgrad[safetensors]"'


def encoded(values, sealed=False, remove_redundancy=None):
    """The bytes of a file of Tensors (dict, by name), sorted by name, with a CRC in the metadata if ``sealed``."""
    arrays = {}
    for name in sorted(values):
        if isinstance(values[name], str):
            refuse(TypeError, "save_checkpoint", f"save_obj['{name}']", "a Tensor, in this format", values[name])
        arrays[name] = values[name].values()
    metadata = {"format": "ms"}
    if remove_redundancy is not None:
        metadata["remove_redundancy"] = str(remove_redundancy)
    if sealed:
        metadata["crc_num"] = str(_crc_of(arrays.items()))
    return _library().numpy.save(arrays, metadata if arrays else None)


def write(path, data):
    """Writes the bytes that `encoded` returned."""
    with replacing(path) as file:
        file.write(data)


def read(source, check, wanted=None):
    """The Tensors of a file by name, those whose names are ``wanted``.

    Args:
        source (str | io.BytesIO): the path, or the file in memory.
        check (bool): whether to verify the CRC, if the file has one.
        wanted (callable): ``wanted(name)`` returns whether to read it. Default: all.
    Raises:
        DamagedError: if the file has another format, its CRC is wrong, or msgrad does not have one of its dtypes.
    """
    library = _library()
    if isinstance(source, io.BytesIO):
        data = source.getvalue()
    else:
        with open(source, "rb") as file:
            data = file.read()
    try:
        entries = library.deserialize(data)
    except library.SafetensorError as error:
        raise DamagedError(str(error)) from None
    arrays = {name: _array(name, fields) for name, fields in sorted(entries)}
    if check and _written_crc(data) not in (None, str(_crc_of(arrays.items()))):
        raise DamagedError("its CRC does not match its content")
    return {name: Tensor(array) for name, array in arrays.items() if wanted is None or wanted(name)}


def _array(name, fields):
    dtype = _BY_CODE.get(fields["dtype"])
    if dtype is None:
        raise DamagedError(f"'{name}' has the dtype {fields['dtype']!r}, which msgrad cannot hold")
    return np.frombuffer(fields["data"], dtype.numpy).reshape(fields["shape"])


def _written_crc(data):
    """The CRC in the metadata of a file that the package has read, a str, or None."""
    length = int.from_bytes(data[:8], "little")
    return (json.loads(data[8 : 8 + length]).get("__metadata__") or {}).get("crc_num")


def _crc_of(arrays):
    crc = 0
    for name, array in arrays:
        crc = binascii.crc32(array.tobytes(), binascii.crc32(name.encode(), crc))
    return crc


def _library():
    try:
        import safetensors
        import safetensors.numpy
    except ImportError:
        raise ImportError(_MSG_INSTALL) from None
    return safetensors
