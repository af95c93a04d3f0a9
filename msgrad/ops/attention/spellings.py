"""Attention as users write it: products, scale, mask, softmax, dropout, products. Recorded so, it runs as `attention`.

The rule begins at the softmax and follows the scores up to the product of queries and keys, and the weights down to
the product with the values. What is outside stays as it is: scaled queries, transposed or repeated keys, how a mask is
made. Inside, every value has one use, and no operand broadcasts the scores.
"""

import math
from typing import Any, NamedTuple

import jax.numpy as jnp

from ...engine.recording.program import Node, Op
from ...engine.recording.rewriting import Match
from ...engine.transforms.lifting import is_inexact
from .._core.calls.casts import CASTS
from ..array.creation import _spread
from ..array.reshaping import reshape
from ..index.selection import _masked_fill, _select
from ..math.arithmetic import add, mul, sub
from ..math.division import _div, true_divide
from ..nn.dropout import _dropout_kernel
from .kernel import attention, pays
from .products import arguments, lengths, product_of
from .steps import Dropped, Filled, FilledElsewhere, Minus, Over, Plus, Times

_FUSED = Op("attention")
_BY_NUMBER = {mul.op: Times, _div.op: Over, true_divide.op: Over}
_BY_BIAS = {add.op: Plus, sub.op: Minus}
_IN_ANY_ORDER = {add.op, mul.op}
_SAME = {*CASTS, reshape.op}


class _Step(NamedTuple):
    """A step as it is recorded: its class, the indices of its operands, and the number of axes of the scores."""

    kind: type
    operands: tuple
    rank: int


class _Upper(NamedTuple):
    """The scores: the product of queries and keys, the steps after it, and the Nodes of all, in order."""

    product: Any
    steps: tuple = ()
    nodes: tuple = ()

    def after(self, node, *step):
        made = (_Step(*step, len(node.avals[0][0])),) if step else ()
        return self._replace(steps=self.steps + made, nodes=(*self.nodes, node))


def recognised(anchor, graph):
    """The `Match` of attention around a softmax, or None."""
    rank, given = len(anchor.avals[0][0]), arguments(anchor)
    if rank not in (2, 3, 4) or given.get("dim", given.get("axis", -1)) not in (-1, rank - 1):
        return None
    upper = _scores(given["input"], anchor, graph)
    lower = upper and _attended(anchor, graph)
    if not lower:
        return None
    product, drop, below = lower
    nodes = [*upper.nodes, anchor, *below]
    operands = (upper.product.left, upper.product.right.swapped(), product.right)
    shapes = [lengths(each, graph) for each in operands]
    scores = [node.avals[0][0] for node in nodes[:-1]]
    lead = next((shape[:2] for shape in scores if len(shape) == 4), (*shapes[0][:-2], 1, 1)[:2])
    dtypes = [graph.aval_of(each.index)[1] for each in operands]
    if not all(map(is_inexact, dtypes)) or not pays(*shapes, dtypes, drop is not None):
        return None
    node, last = nodes[-1], product.result
    fused = _fused(upper.steps, drop, lead, [each.axes for each in operands], last, shapes[0][:-2], node.avals[0][1])
    others = [index for step in upper.steps for index in step.operands]
    inputs = (*[each.index for each in operands], *others, *(drop or ())[:2])
    made = Node(_FUSED, (), inputs, fused, node.first, node.avals, True)
    made.origin = anchor.origin
    return Match(nodes, made)


def _fused(steps, drop, lead, axes, result, batch, dtype):
    """The function of queries, keys, values and the operands of the steps, and of dropout, as they are recorded."""

    def function(*values):
        q, k, v = [
            x.transpose(own).reshape(*lead, *[x.shape[axis] for axis in own[-2:]])
            for x, own in zip(values, axes, strict=False)
        ]
        rest = iter(values[3:])
        made = [step.kind(*[_of_four_axes(next(rest), step.rank, lead) for _ in step.operands]) for step in steps]
        dropped = drop and Dropped((*q.shape[:3], k.shape[2]), next(rest), next(rest), drop[2])
        attended = attention(q, k, v, made, dropped)
        return attended.reshape(*batch, *attended.shape[2:]).transpose(result).astype(dtype)

    return function


def _of_four_axes(x, rank, lead):
    """An operand that broadcasts to scores of ``rank`` axes, as one of four, or of none."""
    if x.size == 1:
        return x.reshape(())
    x = x.reshape((1,) * (rank - x.ndim) + x.shape)
    if rank == 4:
        return x
    return x.reshape(*(lead if rank == 3 and x.shape[0] != 1 else (1, 1)), *x.shape[-2:])


def _scores(index, user, graph) -> Any:
    """The Nodes that compute the scores ``index``, of which ``user`` is the only use: an `_Upper`, or None."""
    node = graph.maker(index)
    if node is None or graph.only_user(node) is not user:
        return None
    product = product_of(node, graph)
    if product is not None:
        return _Upper(product, nodes=(node,)) if product.is_in_order() else None
    for inner, *step in _readings(node, graph):
        if step and graph.aval_of(inner)[0] != node.avals[0][0]:
            continue
        above = _scores(inner, node, graph)
        if above is not None:
            return above.after(node, *step)
    return None


def _readings(node, graph):
    """How a Node may be a step: tuples of the index of the scores, and the step's class and operands if it is one."""
    inputs = node.inputs
    if _is_same(node, graph):
        yield inputs[:1]
    elif node.op in _BY_NUMBER or node.op in _BY_BIAS:
        pairs = [inputs, inputs[::-1]] if node.op in _IN_ANY_ORDER else [inputs]
        for scores, other in pairs:
            if node.op in _BY_BIAS or _is_number(other, graph):
                yield scores, {**_BY_NUMBER, **_BY_BIAS}[node.op], (other,)
    elif node.op is _masked_fill.op:
        if _is_number(inputs[2], graph):
            yield inputs[0], Filled, inputs[1:]
    elif node.op is _select.op:
        condition, chosen, other = inputs[0], *[_number(index, graph) for index in inputs[1:]]
        if _is_number(chosen, graph):
            yield other, Filled, (condition, chosen)
        elif _is_number(other, graph):
            yield chosen, FilledElsewhere, (condition, other)


def _is_number(index, graph):
    return math.prod(graph.aval_of(index)[0]) == 1


def _number(index, graph):
    """The number that fills a Tensor, if it is one of `full`."""
    node = graph.maker(index)
    return node.inputs[0] if node is not None and node.op is _spread.op and _is_number(node.inputs[0], graph) else index


def _is_same(node, graph):
    """Whether a Node only casts floats, or joins or splits the leading axes of matrices."""
    if node.op not in _SAME:
        return False
    (shape, dtype), (before, source) = node.avals[0], graph.aval_of(node.inputs[0])
    if node.op is reshape.op:
        return shape[-2:] == before[-2:] and {len(shape), len(before)} <= {3, 4}
    return is_inexact(dtype) and is_inexact(source)


def _attended(node, graph) -> Any:
    """The use of the weights: their product with the values, the operands of dropout or None, and the Nodes."""
    drop, nodes = None, []
    while True:
        user = graph.only_user(node)
        if user is None:
            return None
        nodes.append(user)
        product = product_of(user, graph)
        if product is not None:
            is_left = product.left.index == node.first != product.right.index
            return (product, drop, nodes) if is_left and product.left.axes == tuple(sorted(product.left.axes)) else None
        if user.op is _dropout_kernel.op and drop is None:
            given = arguments(user)
            if given.get("shared", ()) or graph.aval_of(given["keep_prob"])[1] == jnp.bfloat16:
                return None
            drop = given["key"], given["keep_prob"], given.get("seed")
        elif not _is_same(user, graph):
            return None
        node = user
