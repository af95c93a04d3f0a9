"""Products with a transposed matrix as users write them, ``x @ weight.T``: recorded so, they run as `product_of_rows`.

The body of `matmul` sees no transpose that was recorded before it, and XLA does not always make it part of the product.
"""

import jax

from ...engine.precision import current, saying
from ...engine.recording.program import Node, Op
from ...engine.recording.rewriting import Match
from ..linalg.products import contracts_rows, product_of_rows
from .axes import _permute, swapaxes, transpose

_PRODUCT = Op("product_of_rows")
_TRANSPOSES = {_permute.op, swapaxes.op, transpose.op}


def recognised(anchor, graph):
    """The `Match` of a product and of the transpose of its right operand, or None."""
    left, right = anchor.inputs
    view, shape = graph.maker(right), graph.aval_of(right)[0]
    if anchor.static or view is None or view.op not in _TRANSPOSES or len(shape) != 2:
        return None
    if not contracts_rows(*graph.aval_of(left)) or graph.only_user(view) is not anchor or not _exchanges(view):
        return None
    function = saying(product_of_rows, current())
    made = Node(_PRODUCT, (), (left, *view.inputs), function, anchor.first, anchor.avals, True)
    made.origin = anchor.origin
    return Match([view, anchor], made)


def _exchanges(view):
    """Whether a Node exchanges the axes of a matrix, rather than keeping their order."""
    return jax.eval_shape(view.op.bind(view.static), jax.ShapeDtypeStruct((1, 2), "float32")).shape == (2, 1)
