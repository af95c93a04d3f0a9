"""MindSpore's internal Primitives on tuples and lists, computed by Python.

Programs import them as ``mindspore.ops.operations._sequence_ops.SequenceAdd`` and so on.
"""

from ...tensor.tensor import Tensor
from .._core.faces import primitive
from .._core.tables import Table


def _inserted(items, position, value):
    return [*items[:position], value, *items[position:]]


def _place(items, target, start=None, end=None):
    return items.index(target, *(each for each in (start, end) if each is not None))


def _zeros(items):
    return type(items)([type(each)(0) for each in items])


# function, Primitive, description
_ROWS = [
    (lambda target, sequence: target in sequence, "InSequence()(target, sequence)", "Whether an item is in it."),
    (lambda items, value: [*items, value], "ListAppend()(items, value)", "A list with one more item."),
    (_inserted, "ListInsert()(items, position, value)", "A list with an item inserted at a position."),
    (Tensor, "ListToTensor()(x, dtype)", "A Tensor of the items."),
    (lambda x, y: x + y, "SequenceAdd()(x, y)", "Two sequences, one behind the other."),
    (lambda sequence, target: sequence.count(target), "SequenceCount()(sequence, target)", "How often it is there."),
    (_place, "SequenceIndex()(sequence, target, start=None, end=None)", "The first index of an item."),
    (lambda items: max(items), "SequenceMax()(items)", "The largest item."),
    (lambda items: min(items), "SequenceMin()(items)", "The smallest item."),
    (lambda sequence, scalar: sequence * scalar, "SequenceMul()(sequence, scalar)", "A sequence several times."),
    (lambda sequence, start, stop, step: sequence[start:stop:step], "SequenceSlice()(sequence, start, stop, step)",
     "A part of a sequence."),
    (_zeros, "SequenceZerosLike()(items)", "The zero of each item's type."),
    (lambda x: x.item(), "TensorToScalar()(x)", "The number in a Tensor of one element."),
    (lambda x: x.tolist(), "TensorToList()(x)", "The elements of a Tensor as a list."),
    (Tensor, "TupleToTensor()(x, dtype)", "A Tensor of the items."),
    (lambda x, y: x <= y, "list_le()(x, y)", "Whether one list comes before the other, or is equal."),
    (lambda x, y: x < y, "list_lt()(x, y)", "Whether one list comes before the other."),
    (lambda x, y: x >= y, "list_greater_equal()(x, y)", "Whether one list comes after the other, or is equal."),
    (lambda x, y: x > y, "list_greater_than()(x, y)", "Whether one list comes after the other."),
    (lambda x, y: x <= y, "tuple_le()(x, y)", "Whether one tuple comes before the other, or is equal."),
    (lambda x, y: x < y, "tuple_lt()(x, y)", "Whether one tuple comes before the other."),
    (lambda x, y: x >= y, "tuple_greater_equal()(x, y)", "Whether one tuple comes after the other, or is equal."),
    (lambda x, y: x > y, "tuple_greater_than()(x, y)", "Whether one tuple comes after the other."),
    (lambda items: len(items), "sequence_len()(items)", "How many items there are."),
]  # fmt: skip

INNER = Table()  # every one by name
for _function, _text, _summary in _ROWS:
    primitive(_function, _text, table=INNER, module=__name__)
    _made = INNER[_text.partition("(")[0]]
    _made.__doc__ = f"{_summary}\n\nSource: mindspore.ops.operations._sequence_ops.{_made.__name__}"
globals().update(INNER)

__all__ = [*INNER]
