"""What is matched with a Parameter: an array of a file, a third of one, or three of them joined."""

import numpy as np


class Whole:
    """An array of a file.

    Attributes:
        name (str): by which it is matched.
        names (tuple[str]): of the arrays in the file.
        shape (tuple[int]), dtype (numpy.dtype): of the piece.
        words (str): what the report says of it; empty for a whole array.
        place (object): equal for pieces that are one array in the file; or None.
        is_transposed (bool): whether it is known to be transposed.
    """

    words = ""
    is_transposed = False

    def __init__(self, name, entry):
        self.name = name
        self.names = (name,)
        self.shape = entry.shape
        self.dtype = entry.dtype
        self.place = entry.place
        self._entry = entry

    def values(self):
        """The numbers, as an array."""
        return self._entry.values()

    def put(self, array, arrays):
        """Writes the piece's numbers into ``arrays`` (dict), which has those of the file by name."""
        arrays[self.names[0]][...] = array


class Third:
    """A third of an array along an axis: its query, key or value. The attributes are those of a `Whole`."""

    place = None

    def __init__(self, name, source, entry, which, axis):
        length = entry.shape[axis] // 3
        self.name = name
        self.names = (source,)
        self.shape = tuple([length if k == axis else each for k, each in enumerate(entry.shape)])
        self.dtype = entry.dtype
        self.words = f"third {which + 1} of 3"
        self.is_transposed = axis == 1
        self._entry = entry
        self._index = (*[slice(None)] * axis, slice(which * length, (which + 1) * length))

    def values(self):
        """The numbers, as an array."""
        return self._entry.values()[self._index]

    def put(self, array, arrays):
        """As of a `Whole`."""
        arrays[self.names[0]][self._index] = array


class Joined:
    """Three arrays of one shape, one below the other. The attributes are those of a `Whole`."""

    place = None
    words = "three joined"
    is_transposed = False

    def __init__(self, name, entries):
        first = next(iter(entries.values()))
        self.name = name
        self.names = tuple(entries)
        self.shape = (3 * first.shape[0], *first.shape[1:])
        self.dtype = first.dtype
        self._entries = entries

    def values(self):
        """The numbers, as an array."""
        return np.concatenate([entry.values() for entry in self._entries.values()])

    def put(self, array, arrays):
        """As of a `Whole`."""
        for name, part in zip(self.names, np.split(array, 3), strict=True):
            arrays[name][...] = part
