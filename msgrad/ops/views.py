"""Operations whose result shares storage with their operand: ``@op(..., view=True)``.

MindSpore's reshapes, transposes and slices are views: outside recordings a write to the Tensor shows in the view, and a
write to the view reaches the Tensor. Inside a recording results are values of their own.
"""

import jax.numpy as jnp

from ..engine.handle import scope
from ..engine.program import Op
from ..engine.trace import apply
from ..engine.views import link


class _PutBack(Op):
    """The base with the changed elements of a view put back.

    Static are the view's operation, its own static part, and which of its results the view is. The operation only
    moves elements, so that it says of the base's positions where each element of the view lies. Elements that did not
    change are left alone: one element of the base may be many of the view (``broadcast_to``).
    """

    __slots__ = ()

    def bind(self, static):
        record, arguments, k = static
        move = record.bind(arguments)

        def view_of(array):
            result = move(array)
            return result if k is None else result[k]

        def put(base, view):
            positions = view_of(jnp.arange(base.size, dtype=jnp.int64).reshape(base.shape))
            places = jnp.where(view != view_of(base), positions, base.size)
            return base.reshape(-1).at[places].set(view, mode="drop").reshape(base.shape)

        return put


_PUT_BACK = _PutBack("PutBack")


def apply_view(record, operands, static=()):
    """As `engine.trace.apply`, for an operation that only moves elements: outside recordings its results are views."""
    result = apply(record, operands, static)
    if scope.trace is None:
        if type(result) is tuple:
            for k, each in enumerate(result):
                _link(record, operands[0], static, each, k)
        else:
            _link(record, operands[0], static, result, None)
    return result


def _link(record, base, static, view, k):
    def read(base):
        result = apply(record, (base,), static)
        return result if k is None else result[k]

    link(base, view, read, lambda base, view: apply(_PUT_BACK, (base, view), (record, static, k)))
