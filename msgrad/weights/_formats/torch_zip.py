"""Files of ``torch.save`` since torch 1.6: a zip archive with a pickle, and a record of bytes for each storage."""

import io
import struct
import zipfile
import zlib

from ...train._files import contents
from ...train._files.messages import DamagedError
from . import pickled
from .storages import BUILDERS, Storage, dtype_of

START = b"PK\x03\x04"
_PICKLE = "data.pkl"
_HEADER = 30  # bytes, of a record, before its name
_MOST_OF_A_PICKLE = 1 << 30  # bytes
_MSG_PROGRAM = "it is a TorchScript program; in torch: torch.save(torch.jit.load(path).state_dict(), other_path)"


def read(file, size):
    """The pickled value, with a `Stored` for each tensor.

    Args:
        file (binary file): it must stay open until the numbers are read.
        size (int): of the file, in bytes.
    Raises:
        DamagedError: if it is no such archive, is damaged, or cannot be read here.
    """
    archive = _Archive(file, size)
    order = archive.text("byteorder", "little")
    if order != "little":
        raise DamagedError(f"its numbers have the byte order {order[:20]!r}, but msgrad reads 'little'")
    storages = {}

    def persistent(value):
        if not isinstance(value, tuple) or len(value) < 5 or value[0] != "storage":
            raise DamagedError("its pickle refers to something other than a storage")
        _, kind, key, _, length = value[:5]
        if not isinstance(kind, pickled.Name) or not isinstance(key, str):
            raise DamagedError("its pickle refers to a storage without a name")
        if key not in storages:
            storages[key] = Storage(key, dtype_of(kind), length, archive.storage)
        return storages[key]

    pickle = archive.record(_PICKLE, _MOST_OF_A_PICKLE)
    value = pickled.read(io.BytesIO(pickle), len(pickle), BUILDERS, persistent)
    archive.check(storages.values())
    return value


class _Archive:
    """Records of a zip archive by name. None is unpacked to a path, and none may be compressed."""

    def __init__(self, file, size):
        self._file = file
        self._size = size
        try:
            records = {each.filename: each for each in zipfile.ZipFile(file).infolist()}
        except (zipfile.BadZipFile, ValueError, NotImplementedError, struct.error, OSError, EOFError, OverflowError):
            raise DamagedError("its table of records is broken or cut off") from None
        roots = [name.removesuffix(_PICKLE) for name in records if name.rpartition("/")[2] == _PICKLE]
        if any(name.endswith("/constants.pkl") or "/code/" in name for name in records):
            raise DamagedError(_MSG_PROGRAM)
        if len(roots) != 1:
            raise DamagedError(f"it is a zip archive with {len(roots)} records data.pkl, but torch writes one")
        self._records = {name.removeprefix(roots[0]): each for name, each in records.items()}

    def text(self, name, default):
        """A short record as a str."""
        return str(self.record(name, 64), "ascii", "replace").strip() if name in self._records else default

    def record(self, name, most):
        """The bytes of a record, at most so many."""
        entry = self._entry(name)
        if entry.file_size > most:
            raise DamagedError(f"its record {name} has {entry.file_size} bytes")
        return self._content(name).tobytes()

    def check(self, storages):
        """Raises DamagedError unless each storage has its bytes, and they do not overlap."""
        spans = []
        for storage in storages:
            entry = self._entry(f"data/{storage.key}")
            if entry.file_size != storage.length * storage.dtype.itemsize:
                expected = storage.length * storage.dtype.itemsize
                raise DamagedError(f"its storage {storage.key} has {entry.file_size} bytes in place of {expected}")
            spans.append((entry.header_offset, entry.header_offset + _HEADER + entry.file_size))
        ends = 0
        for start, end in sorted(spans):
            if start < ends or end > self._size:
                raise DamagedError("its storages overlap, or are cut off")
            ends = end

    def storage(self, storage):
        """The bytes of a storage."""
        return self._content(f"data/{storage.key}")

    def _entry(self, name):
        entry = self._records.get(name)
        if entry is None:
            raise DamagedError(f"it has no record {name}")
        if entry.compress_type != zipfile.ZIP_STORED or entry.file_size != entry.compress_size or entry.flag_bits & 1:
            raise DamagedError(f"its record {name} is compressed or encrypted, which torch never does")
        return entry

    def _content(self, name):
        entry = self._entry(name)
        self._file.seek(max(entry.header_offset, 0))
        header = self._file.read(_HEADER)
        if entry.header_offset < 0 or len(header) != _HEADER or not header.startswith(START):
            raise DamagedError(f"its record {name} is not where the table says")
        start = entry.header_offset + _HEADER + sum(struct.unpack("<HH", header[-4:]))
        if start + entry.file_size > self._size:
            raise DamagedError(f"its record {name} is cut off")
        content = contents.read(self._file, start, entry.file_size)
        if entry.CRC and zlib.crc32(content) != entry.CRC:  # torch can be told not to compute it
            raise DamagedError(f"the CRC of its record {name} does not match its content")
        return content
