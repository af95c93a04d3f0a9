"""Operations and Programs without their numbers: what those of several sizes have in common."""

import enum
import functools
from typing import Any

LARGEST_EXACT = 8  # ints up to it may be axes, ranks or groups; larger ones are sizes


def split(*parts, exact=LARGEST_EXACT):
    """Splits ``parts`` into their structure without sizes, hashable, and the sizes in order, a tuple of int.

    Ints up to ``exact`` are no sizes.
    """
    numbers = []
    return _structure(parts, numbers, exact), tuple(numbers)


class Split:
    """The split parts of an operation, made and hashed once for all recordings that have it.

    Attributes:
        structure, numbers (tuple): what `split` gives, where all ints but 0 are numbers.
    """

    __slots__ = ("structure", "numbers", "_hash")

    def __init__(self, *parts):
        self.structure, self.numbers = split(*parts, exact=0)
        self._hash = hash(self.structure)

    def __eq__(self, other):
        return self is other or (type(other) is Split and self.structure == other.structure)

    def __hash__(self):
        return self._hash


@functools.lru_cache(4096)
def split_aval(*aval):
    """The `Split` of a value's type, such as a shape and a dtype: a model has hundreds of operands of few types."""
    return Split(*aval)


def _structure(value, numbers, largest_exact):
    """The structure of a value that is no int; its sizes are added to ``numbers``."""
    kind = type(value)
    if kind is Split:
        numbers.extend(value.numbers)
        return value
    if kind in _PLAIN:
        return kind, repr(value)  # 1, 1.0 and True are equal, as are 0.0 and -0.0
    if kind is tuple or kind is list:
        items: list[Any] = [kind]
        for each in value:  # its ints without a call: most are the lengths of a shape
            if type(each) is Split:  # as most items of a Program are
                numbers += each.numbers
                items.append(each)
            elif type(each) is not int:
                items.append(_structure(each, numbers, largest_exact))
            elif -largest_exact <= each <= largest_exact:
                items.append(each)
            else:
                numbers.append(each)
                items.append(_SIZE)
        return tuple(items)
    parts = getattr(kind, "family_parts", None)
    if parts is None:
        return value
    exact, sized = parts(value)
    if not _is_plain(exact):
        raise TypeError("a part that is an object, such as a user's function")
    return (kind, exact, _structure(sized, numbers, largest_exact))


def _is_plain(value):
    """Whether a value keeps nothing alive and is the same in each recording."""
    if isinstance(value, tuple):
        return _NUMBERS.issuperset(map(type, value)) or all(map(_is_plain, value))
    return value is None or isinstance(value, (int, float, str, enum.Enum))


def resized(value, numbers, exact=LARGEST_EXACT) -> Any:
    """``value``, parts of a member, with the sizes of another one, an iterator in the order of `split`."""
    kind = type(value)
    if kind is int:
        return value if -exact <= value <= exact else next(numbers)
    if kind is tuple or kind is list:
        return kind([resized(each, numbers, exact) for each in value])
    return value


def operations_of(value):
    """The operations in a Program or transform op, as `OperationRule` takes them.

    Without those that JAX traces anew at each use: they choose among formulations of one function.
    """
    program = getattr(value, "program", value)
    for node in program.nodes:
        if hasattr(type(node.op), "family_parts"):
            yield from operations_of(node.op)
        elif not node.op.retraced:
            yield node.op, node.static, node.fn.operands, program.precision


_PLAIN = (bool, float, complex)
_NUMBERS = {int, float, bool}
_SIZE = object()  # stands for a size in a structure
