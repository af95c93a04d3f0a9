"""Files of ``torch.save`` before torch 1.6: pickles one after another, then the numbers of all storages."""

from ...train._files import contents
from ...train._files.messages import DamagedError
from . import pickled
from .storages import BUILDERS, Storage, dtype_of

START = b"\x80\x02\x8a\nl\xfc\x9cF\xf9 j\xa8P\x19."  # a pickle of a number that says the format
_VERSION = 1001
_LENGTH = 8  # bytes, before the numbers of a storage


def read(file, size):
    """The pickled value, with a `Stored` for each tensor; arguments and errors as of `torch_zip.read`."""
    storages, places = {}, {}

    def numbers(storage):
        return contents.read(file, places[storage.key], storage.length * storage.dtype.itemsize)

    def persistent(value):
        if not isinstance(value, tuple) or len(value) != 6 or value[0] != "storage":
            raise DamagedError("its pickle refers to something other than a storage")
        _, kind, key, _, length, part = value
        if part is not None or not isinstance(kind, pickled.Name) or not isinstance(key, str):
            raise DamagedError("its storages are parts of others: save it with a torch of 0.4 or newer")
        if key not in storages:
            storages[key] = Storage(key, dtype_of(kind), length, numbers)
        return storages[key]

    def following(builders=BUILDERS, persistent=None):
        return pickled.read(file, size, builders, persistent)

    file.seek(len(START))
    version, system = following(), following()
    if version != _VERSION or not isinstance(system, dict):
        raise DamagedError(f"its version is not {_VERSION}")
    if system.get("little_endian") is not True:
        raise DamagedError("its numbers have the byte order 'big', but msgrad reads 'little'")
    value, keys = following(persistent=persistent), following()
    if not isinstance(keys, list) or not all([isinstance(key, str) for key in keys]):
        raise DamagedError("its table of storages is broken")
    place = file.tell()
    for key in keys:
        file.seek(place)
        length = int.from_bytes(file.read(_LENGTH), "little")
        if key not in storages or key in places or length != storages[key].length:
            raise DamagedError(f"its storage {key!r:.40} has another length than its pickle says")
        places[key] = place + _LENGTH
        place += _LENGTH + length * storages[key].dtype.itemsize
    if place > size or places.keys() != storages.keys():
        raise DamagedError("it ends within its numbers")
    return value
