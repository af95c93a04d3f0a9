"""What a file has under a name: its shape and dtype, and its numbers, which may not be read yet."""


class Entry:
    """An array of a file.

    Attributes:
        shape (tuple[int]), dtype (numpy.dtype): of the array.
        place (object): equal for entries that are one array in the file; None where a file cannot say.
    """

    place = None

    def __init__(self, shape, dtype):
        self.shape = tuple(shape)
        self.dtype = dtype

    def values(self):
        """The numbers, as an array."""
        raise NotImplementedError


class Held(Entry):
    """An array in memory."""

    def __init__(self, array):
        super().__init__(array.shape, array.dtype)
        self._array = array

    def values(self):
        """The numbers, as an array."""
        return self._array
