"""Guards: whether what a staged call read when it was recorded, besides its arguments, is unchanged.

A Plan runs without its Python, so a list, dict or attribute that has changed since would go unnoticed. A change during
the recording itself is a side effect: such a call is recorded each time.
"""

import itertools
import operator
import weakref
from typing import Any

from ... import _upcalls
from ..static import freeze
from .reads import PLAIN, Reads, Versions

_call: Any = operator.call
_of_function = operator.attrgetter("__code__")
_of_cell = operator.attrgetter("cell_contents")
_flat = itertools.chain.from_iterable
_NUMBERS = (bool, int, float, complex, str, bytes)


class Guards:
    """The values that are reached from ``roots`` (see `reads`), as they are now.

    ``renewals`` counts how often they were replaced by other values: a Plan is for those of one count.
    """

    renewals = 0

    def __init__(self, roots, is_graph=False):
        reads = Reads(roots, is_graph)
        self.names = reads.names
        # Twice the first name: of a single one `itemgetter` gives no tuple.
        self.getters = [operator.itemgetter(names[0], *names) for _, names in reads.slots]
        self.namespaces = [namespace for namespace, _ in reads.slots]
        self.functions, self.cells = reads.functions, reads.cells
        self.sequences, self.dicts = reads.sequences, reads.dicts
        self.objects, self.arrays = reads.objects, reads.arrays
        self.has_containers = bool(self.sequences or self.dicts or self.objects or self.arrays)
        # Weakly, for the Plans that keep these Guards are kept by them.
        self.versioned = [
            [weakref.ref(each), each._version_, self._attributes(each, own), own] for each, own in reads.versioned
        ]
        self.ids = set(map(id, (*self.sequences, *self.dicts)))
        self.latest, self.values, self.contents = Versions.latest, self._values(), self._contents()

    def hold(self):
        """Whether nothing has changed."""
        # It runs at each staged call, so all loops over values are in C.
        try:
            values = self._values()
        except (KeyError, ValueError):  # deleted
            return False
        if not all(map(operator.is_, values, self.values)):
            if not all(map(_is_same, values, self.values)):
                return False
            self.values = values
        if self.has_containers and not self._contents_hold():
            return False
        return self.latest == Versions.latest or self._versions_hold()

    def renew(self):
        """Takes the values as they are now, after a change; returns False where `reads` has to follow new ones.

        A call that changes its state each time (a Tensor in an attribute or a dict) needs no other walk that way.
        """
        known = set(map(id, (*self.values, *self.contents)))
        try:
            values, contents = self._values(), self._contents()
        except (KeyError, ValueError):
            return False
        new, changed = [*values, *contents], []
        for entry in self.versioned:
            reference, version, before, own = entry
            each = reference()
            if each is None:
                return False
            if each._version_ != version:
                known.update(map(id, before.values()))
                now = self._attributes(each, own)
                new += now.values()
                changed.append((entry, [reference, each._version_, now, own]))
        if not all([isinstance(value, PLAIN) or id(value) in known for value in new]):
            return False
        for entry, renewed in changed:
            entry[:] = renewed
        self.latest, self.values, self.contents = Versions.latest, values, contents
        self.renewals += 1
        return True

    def has(self, value):
        """Whether it is one of the lists, sets or dicts that were there before the call."""
        return id(value) in self.ids

    def _values(self):
        """The values of variables and attributes; always as many."""
        values = list(map(_of_function, self.functions))
        if self.getters:
            values += _flat(map(_call, self.getters, self.namespaces))
        if self.cells:
            values += map(_of_cell, self.cells)
        return values

    def _contents(self):
        """The items of containers."""
        sizes = map(len, (*self.sequences, *self.dicts, *self.objects))
        arrays = [array.tobytes() for array in self.arrays]
        return [*sizes, *_flat(self.sequences), *_flat(self.dicts), *_flat(map(dict.values, self.dicts)), *arrays]

    def _contents_hold(self):
        contents = self._contents()
        if len(contents) != len(self.contents):
            return False
        if not all(map(operator.is_, contents, self.contents)):
            if not all(map(_is_same, contents, self.contents)):
                return False
            self.contents = contents
        return True

    def _versions_hold(self):
        latest = Versions.latest
        for entry in self.versioned:
            reference, version, attributes, own = entry
            each = reference()
            if each is None:
                return False
            if each._version_ != version:
                now = self._attributes(each, own)
                if now.keys() != attributes.keys() or not all(map(_is_same, now.values(), attributes.values())):
                    return False
                entry[1] = each._version_
        self.latest = latest
        return True

    def _attributes(self, each, own):
        """The attributes of a versioned object that a call may read."""
        kind, names = _upcalls.Versioned, self.names
        attributes = vars(each)
        read = [name for name in attributes if name in names or name in own or isinstance(attributes[name], kind)]
        return {name: attributes[name] for name in sorted(read) if name not in kind._uncounted_}


def _is_same(new, old):
    """Whether two values are one object, or equal numbers or texts of one type."""
    return new is old or (type(new) is type(old) and isinstance(new, _NUMBERS) and freeze(new) == freeze(old))


def objects_in(frozen):
    """The objects inside frozen arguments that a call tells apart by identity only."""
    if isinstance(frozen, tuple):
        value = getattr(frozen, "value", None)
        inner = [] if value is None or isinstance(value, (type, *_NUMBERS)) else [value]
        return inner + [each for item in frozen for each in objects_in(item)]
    is_object = hasattr(frozen, "__dict__") and not isinstance(frozen, type)
    return [frozen] if is_object else []
