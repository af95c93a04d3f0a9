"""The order of columns where MindSpore has none: that of the C++ library's hash table, which it keeps them in.

Pipelines of MindSpore know columns by a ``std::unordered_map`` from names to positions. After a ``per_batch_map`` that
returns another number of columns than it takes, the columns that it does not take are in this table's order.
"""

_SIZES = (1, 13, 29, 59, 127, 257, 541, 1109, 2357, 5087)  # numbers of buckets of libstdc++
_WORD, _FACTOR, _SEED = (1 << 64) - 1, 0xC6A4A7935BD1E995, 0xC70F6907


class ColumnTable:
    """The names of columns in the order of a hash table of libstdc++.

    A new name precedes those of its bucket, and where it has none, all others.

    Args:
        names (Iterable[str]): inserted in this order.
    Attributes:
        names (list[str]): in the table's order.
    """

    def __init__(self, names=()):
        self.names, self._size, self._hashes = [], 0, {}
        self._firsts = {}  # the first name of each bucket that has one
        for name in names:
            self.insert(name)

    def insert(self, name):
        """Inserts a name; a full table gets more buckets first, and is filled anew in its order."""
        if len(self.names) >= _SIZES[self._size] and self._size + 1 < len(_SIZES):
            self._size += 1
            names, self.names, self._firsts = self.names, [], {}
            for each in names:
                self._place(each)
        self._hashes[name] = _hash(name)
        self._place(name)

    def replaced(self, old, new):
        """The table without the names ``old``, then with ``new``, as equally many are."""
        table = ColumnTable()
        table.names, table._size, table._hashes = self.without(old), self._size, dict(self._hashes)
        table._firsts = {table._bucket(name): name for name in reversed(table.names)}
        for name in new:
            table.insert(name)
        return table

    def without(self, names):
        """The other names, in the table's order."""
        return [name for name in self.names if name not in names]

    def _bucket(self, name):
        return self._hashes[name] % _SIZES[self._size]

    def _place(self, name):
        bucket = self._bucket(name)
        first = self._firsts.get(bucket)
        self.names.insert(0 if first is None else self.names.index(first), name)
        self._firsts[bucket] = name


def _hash(name):
    """``std::hash`` of a string on a machine of 64 bits: MurmurHash64A."""
    data = name.encode()
    whole = len(data) & ~7
    value = _SEED ^ (len(data) * _FACTOR & _WORD)
    for start in range(0, whole, 8):
        part = int.from_bytes(data[start : start + 8], "little") * _FACTOR & _WORD
        value = (value ^ (_mixed(part) * _FACTOR & _WORD)) * _FACTOR & _WORD
    if whole < len(data):
        value = (value ^ int.from_bytes(data[whole:], "little")) * _FACTOR & _WORD
    return _mixed(_mixed(value) * _FACTOR & _WORD)


def _mixed(value):
    return value ^ (value >> 47)
