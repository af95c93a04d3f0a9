"""Writes files as ``torch.save`` does: a zip archive with a pickle of a dict of tensors, and their bytes."""

import zipfile

import numpy as np

from ...train._files.atomic import replacing
from .storages import STORAGES

_ALIGNED = 64  # bytes, where torch lets the bytes of a storage begin
_HEADER = 30  # bytes, of a record, before its name
_ROOT = "archive/"
_PERMISSIONS = 0o644


def write(path, arrays):
    """Writes a dict of arrays, by name; those that are one object share a storage.

    Args:
        path (str): of the file.
        arrays (dict[str, numpy.ndarray]): of dtypes that torch has.
    """
    storages = {}
    for array in arrays.values():
        storages.setdefault(id(array), (str(len(storages)), np.asarray(array, order="C")))
    with replacing(path, _PERMISSIONS) as file, zipfile.ZipFile(file, "w") as archive:
        _add(file, archive, "data.pkl", _pickle({name: storages[id(array)] for name, array in arrays.items()}))
        _add(file, archive, "byteorder", b"little")
        for key, array in storages.values():
            _add(file, archive, f"data/{key}", array.reshape(-1).view(np.uint8).data)
        _add(file, archive, "version", b"3\n")


def _add(file, archive, name, content):
    record = zipfile.ZipInfo(_ROOT + name)
    begin = file.tell() + _HEADER + len(record.filename) + 4
    padding = -begin % _ALIGNED
    record.extra = b"FB" + padding.to_bytes(2, "little") + b"Z" * padding
    archive.writestr(record, content)


def _pickle(tensors):
    """A pickle of protocol 2 of ``(key, array)`` by name, as torch writes it."""
    parts = [b"\x80\x02ccollections\nOrderedDict\n)R("]
    for name, (key, array) in tensors.items():
        elements = [stride // array.itemsize for stride in array.strides]
        storage = b"(" + _text("storage") + b"ctorch\n%sStorage\n" % STORAGES[array.dtype.name].encode()
        storage += _text(key) + _text("cpu") + _int(array.size) + b"tQ"
        tensor = b"ctorch._utils\n_rebuild_tensor_v2\n(" + storage + _int(0)
        tensor += _ints(array.shape) + _ints(elements) + b"\x89ccollections\nOrderedDict\n)RtR"
        parts.append(_text(name) + tensor)
    return b"".join([*parts, b"u."])


def _text(text):
    data = text.encode()
    return b"X" + len(data).to_bytes(4, "little") + data


def _int(number):
    data = number.to_bytes(number.bit_length() // 8 + 1, "little", signed=True)
    return b"\x8a" + bytes([len(data)]) + data


def _ints(numbers):
    return b"(" + b"".join(map(_int, numbers)) + b"t"
