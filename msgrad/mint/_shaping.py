"""Shapes, axes and indices; concatenation and splitting."""

from .. import ops
from .._contracts.choices import OneOf
from .._contracts.contracts import Array, Int
from ..ops._core.define import composite, op
from ..ops.array.concatenation import concat
from ..ops.array.diagonals import matrix_or_diagonal
from ..ops.array.rearrange import _select_position, narrow_along
from ..ops.array.reshaping import joined_axes
from ..ops.index.index_write import _index_add_scaled
from ..ops.index.scattering import tensor_scatter_elements
from ._dialect import MINT

MINT.share("""
    broadcast_to cross dstack flip hstack masked_select nonzero ravel reshape roll swapaxes t take tile triu tril unbind
    unsqueeze
""")
MINT.face(concat, "cat(tensors, dim=0)")
MINT.face(concat, "concat(tensors, dim=0)")
MINT.face(ops.chunk, "chunk(input, chunks, dim=0)")
MINT.face(joined_axes, "flatten(input, start_dim=0, end_dim=-1)")
MINT.face(ops.gather_d, "gather(input, dim, index)")
MINT.face(_index_add_scaled, "index_add(input, dim, index, source, *, alpha=1)")
MINT.face(ops.index_select, "index_select(input, dim, index)")
MINT.face(narrow_along, "narrow(input, dim, start, length)")
MINT.face(ops.permute, "permute(input, dims)")
MINT.face(
    ops.repeat_interleave, "repeat_interleave(input, repeats, dim=None, *, output_size=None)", hints=("output_size",)
)
MINT.face(ops.scatter, "scatter(input, dim, index, src)")
MINT.face(
    tensor_scatter_elements,
    "scatter_add(input, dim, index, src)",
    fixed={"reduction": "add"},
    index="indices",
    src="updates",
)
MINT.face(_select_position, "select(input, dim, index)")
MINT.face(ops.split, "split(tensor, split_size_or_sections, dim=0)")
MINT.face(ops.squeeze, "squeeze(input, dim)")
MINT.face(ops.stack, "stack(tensors, dim=0)")
MINT.face(ops.swapaxes, "transpose(input, dim0, dim1)")
MINT.overload(
    "where", (ops.where, "(condition, input, other)"), (ops.nonzero, "(condition)", {"fixed": {"as_tuple": True}})
)


@op(dialect=MINT)
def diag(input: Array, diagonal: Int = 0):
    """A matrix with a vector on one of its diagonals, or a diagonal of a matrix.

    Args:
        input (Tensor): one axis or two.
        diagonal (int): 0 the main one, positive above it, negative below. Default: ``0``.
    Returns:
        Tensor of the same dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if there are other axes.
    Example:
        >>> mint.diag(Tensor([[1, 2], [3, 4]]), 1).tolist()
        [2]
    Source: mindspore.mint.diag
    """
    return matrix_or_diagonal(input, diagonal, "input")


@composite(dialect=MINT)
def meshgrid(*tensors, indexing: OneOf("xy", "ij", None) = None):
    """Coordinate matrices of a grid: each vector repeated along the axes of the others.

    Args:
        tensors (Tensor, ... | tuple[Tensor] | list[Tensor]): vectors.
        indexing (str | None): ``'ij'``, axes in the order of the vectors, or ``'xy'``, the first two swapped.
            Default: ``None``, which is ``'ij'``.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError: if they are not Tensors.  ValueError: for another ``indexing``.
    Example:
        >>> [each.tolist() for each in mint.meshgrid(Tensor([1, 2]), Tensor([3]))]
        [[[1], [2]], [[3], [3]]]
    Source: mindspore.mint.meshgrid
    """
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tensors[0]
    return ops.meshgrid(*tensors, indexing=indexing or "ij")
