"""Recorded products of batches of matrices, whichever way they are written."""

from typing import Any, NamedTuple

from ...engine.static import Hole
from ..linalg.matmul import _batch_product, _einsum, matmul


class Operand(NamedTuple):
    """A value, by its index, and the order of its axes in which it is used."""

    index: int
    axes: tuple

    def swapped(self):
        return self._replace(axes=(*self.axes[:-2], self.axes[-1], self.axes[-2]))


class Product(NamedTuple):
    """``left @ right`` without broadcasting, whose axes are then taken in the order of ``result``."""

    left: Operand
    right: Operand
    result: tuple

    def is_in_order(self):
        return self.result == tuple(range(len(self.result)))


def arguments(node) -> Any:
    """The arguments of a Node's operation by name: an index for an operand, else the value itself."""
    names = list(node.op.signature.parameters)
    if not node.static:
        return dict(zip(names, node.inputs, strict=False))
    args, kwargs = node.static
    operands = iter(node.inputs)
    values = [_filled(value, operands) for value in args]
    return {**dict(zip(names, values, strict=False)), **{name: _filled(value, operands) for name, value in kwargs}}


def _filled(value, operands):
    if isinstance(value, Hole):
        return next(operands)
    return tuple([_filled(each, operands) for each in value]) if isinstance(value, tuple) else value


def product_of(node, graph):
    """The `Product` of a Node; None if it is none of two operands with the same batch."""
    read = _READERS.get(node.op)
    if read is None or len(node.inputs) != 2:
        return None
    ranks = [len(graph.aval_of(index)[0]) for index in node.inputs]
    product = read(node, *ranks) if len(set(ranks)) == 1 and ranks[0] > 1 else None
    if product is None:
        return None
    left, right = [lengths(each, graph)[:-2] for each in (product.left, product.right)]
    return product if left == right else None


def lengths(operand, graph):
    """The shape of an operand with its axes in order."""
    shape = graph.aval_of(operand.index)[0]
    return tuple([shape[axis] for axis in operand.axes])


def _of_matrices(node, rank, _):
    given = arguments(node)
    left, right = [Operand(index, tuple(range(rank))) for index in node.inputs]
    left = left.swapped() if given.get("transpose_a", False) else left
    right = right.swapped() if given.get("transpose_b", False) else right
    return Product(left, right, tuple(range(rank)))


def _of_equation(node, *_):
    operands, _, result = arguments(node)["equation"].replace(" ", "").partition("->")
    terms = operands.split(",")
    if len(terms) != 2 or any(len(set(each)) != len(each) or not each.isalpha() for each in (*terms, result)):
        return None
    first, second = terms
    batch = [each for each in result if each in first and each in second]
    rows = [each for each in first if each in result and each not in second]
    columns = [each for each in second if each in result and each not in first]
    summed = [each for each in first if each in second and each not in result]
    if not len(rows) == len(columns) == len(summed) == 1 or len(first) != len(second) or len(first) != len(batch) + 2:
        return None
    left = Operand(node.inputs[0], tuple(map(first.index, [*batch, *rows, *summed])))
    right = Operand(node.inputs[1], tuple(map(second.index, [*batch, *summed, *columns])))
    order = [*batch, *rows, *columns]
    return Product(left, right, tuple(map(order.index, result)))


_READERS = {matmul.op: _of_matrices, _batch_product.op: _of_matrices, _einsum.op: _of_equation}
