"""Matrices, triangles, diagonals, grids of indices, and window functions."""

import jax.numpy as jnp
import numpy as np

from .. import ops
from .._contracts import check
from .._contracts.contracts import Array, Axis, Bool, Int, Ints, NonNegativeInt, PositiveInt
from .._contracts.kinds import accepted
from ..engine import errors
from ..engine.dtypes import float32, int32
from ..ops._core.families import body
from ..ops.array.diagonals import matrix_or_diagonal
from ..tensor.numbers import constant
from ..tensor.promotion import reduction_dtype
from ._creation import arange, linspace
from ._dialect import NAMES, AnyDtype, Like, composite, face, op, promoted

# -- matrices -------------------------------------------------------------------------------------------------------


@composite()
def eye(N: NonNegativeInt, M: NonNegativeInt | None = None, k: Int = 0, dtype: AnyDtype = float32):
    """A matrix with ones on a diagonal and zeros elsewhere.

    Args:
        N, M (int): its shape. Default: ``None``, ``N``.
        k (int): the diagonal, above 0 for one above the main one. Default: ``0``.
        dtype (mindspore.dtype | str | type): Default: ``float32``.
    Returns:
        Tensor of shape ``(N, M)``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.eye(2, 3, 1).tolist()
        [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    Source: mindspore.numpy.eye
    """
    with errors.of_memory():
        return constant(np.eye(N, M, k, dtype.numpy))


face(eye, "identity(n, dtype=float32)")


@composite()
def tri(N: NonNegativeInt, M: NonNegativeInt | None = None, k: Int = 0, dtype: AnyDtype = float32):
    """A matrix with ones on and below a diagonal and zeros above.

    Args:
        N, M (int): its shape. Default: ``None``, ``N``.
        k (int): the diagonal, above 0 for one above the main one. Default: ``0``.
        dtype (mindspore.dtype | str | type): Default: ``float32``.
    Returns:
        Tensor of shape ``(N, M)``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ms.numpy.tri(2).tolist()
        [[1.0, 0.0], [1.0, 1.0]]
    Source: mindspore.numpy.tri
    """
    return constant(np.tri(N, M, k, dtype.numpy))


_TRIANGLE = """The elements on and {side} a diagonal of a matrix, zeros elsewhere.

    Args:
        m (Tensor): shape ``(*, M, N)``, or ``(N,)``, which counts as rows of a square matrix.
        k (int): the diagonal, above 0 for one above the main one. Default: ``0``.
    Returns:
        Tensor of the dtype of ``m``.
    Raises:
        TypeError: if ``k`` is not an int.  ValueError: if ``m`` has no axis.
    Example:
        >>> ms.numpy.{name}([[1, 2], [3, 4]]).tolist()
        {value}
    Source: mindspore.numpy.{name}
    """


def _triangle(name, keep, side, value):
    def compute(m, k):
        return keep(m if m.ndim else check.refuse(ValueError, name, "m", "of one axis or more", m), k)

    return op()(body(f"{name}(m: Like, k: Int = 0)", compute, _TRIANGLE, NAMES, side=side, value=value))


def _lower(m, k):
    rows, columns = (m.shape * 2)[-2:]
    return jnp.where(jnp.tri(rows, columns, k, dtype=bool), m, jnp.zeros((), m.dtype))


def _upper(m, k):
    rows, columns = (m.shape * 2)[-2:]
    return jnp.where(jnp.tri(rows, columns, k - 1, dtype=bool), jnp.zeros((), m.dtype), m)


_triangle("tril", _lower, "below", "[[1, 0], [3, 4]]")
_triangle("triu", _upper, "above", "[[1, 2], [0, 4]]")

# -- diagonals ------------------------------------------------------------------------------------------------------


@op()
def diag(v: Like, k: Int = 0):
    """A diagonal of a matrix, or a matrix of one.

    Args:
        v (Tensor): a matrix, or a vector.
        k (int): the diagonal, above 0 for one above the main one. Default: ``0``.
    Returns:
        Tensor, 1-d or 2-d.
    Raises:
        TypeError: if ``k`` is not an int.  ValueError: if ``v`` has neither one nor two axes.
    Example:
        >>> ms.numpy.diag([[1, 2], [3, 4]], 1).tolist()
        [2]
    Source: mindspore.numpy.diag
    """
    return matrix_or_diagonal(v, k, "v")


face(ops.diagflat, "diagflat(v: Like, k=0)", k="offset")
face(ops.diagonal, "diagonal(a: Like, offset=0, axis1=0, axis2=1)")


@op()
def trace(a: Like, offset: Int = 0, axis1: Axis = 0, axis2: Axis = 1, dtype: AnyDtype | None = None):
    """The sum of a diagonal.

    Args:
        a (Tensor): two axes or more.
        offset (int): the diagonal, above 0 for one above the main one. Default: ``0``.
        axis1, axis2 (int): the axes of the matrices. Default: ``0``, ``1``.
        dtype (mindspore.dtype | str | type): of the result. Default: ``None``: int64 for ints other than
            uint64.
    Returns:
        Tensor without these axes.
    Raises:
        RuntimeError: if there are fewer than two axes.  ValueError: if there are no such axes.
    Example:
        >>> ms.numpy.trace(Tensor([[1.0, 2.0], [3.0, 4.0]])).item()
        5.0
    Source: mindspore.numpy.trace
    """
    if a.ndim < 2:
        check.refuse(RuntimeError, "trace", "a", "of two axes or more", a.shape)
    axis1, axis2 = check.axis(axis1, a.ndim, "axis1", "trace"), check.axis(axis2, a.ndim, "axis2", "trace")
    dtype = reduction_dtype("Tensor.trace", a.dtype, dtype and dtype.numpy)
    return jnp.trace(a, offset, axis1, axis2, dtype=dtype)


# -- indices ------------------------------------------------------------------------------------------------------

_POSITIONS = """The positions of the {kind} triangle of a matrix, row by row.

    Args:
        n, m (int): the shape of the matrix. Default: ``None``, ``n`` columns.
        k (int): the diagonal that bounds it. Default: ``0``.
    Returns:
        tuple of two Tensors of int32: rows and columns.
    Raises:
        TypeError: if an argument is not a number.
    Example:
        >>> [each.tolist() for each in ms.numpy.{name}(1)]
        [[0], [0]]
    Source: mindspore.numpy.{name}
    """
_POSITIONS_FROM = """The positions of the {kind} triangle of a matrix, row by row.

    Args:
        arr (Tensor): the matrix.
        k (int): the diagonal that bounds it. Default: ``0``.
    Returns:
        tuple of two Tensors of int32: rows and columns.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``arr`` is not a matrix.
    Example:
        >>> [each.tolist() for each in ms.numpy.{name}([[7]])]
        [[0], [0]]
    Source: mindspore.numpy.{name}
    """


def _positions(chosen, n, k, m):
    n, m = int(np.ceil(n)), int(np.ceil(n if m is None else m))
    rows, columns = np.indices((n, m), dtype=np.int32)
    is_inside = chosen(columns, rows + k)
    return constant(rows[is_inside]), constant(columns[is_inside])


def _positions_from(name, chosen, arr, k):
    if arr.ndim != 2:
        check.refuse(ValueError, name, "arr", "a matrix", arr)
    return _positions(chosen, arr.shape[0], k, arr.shape[1])


def _of_triangle(name, name_from, chosen, kind):
    def positions(n, k, m):
        return _positions(chosen, n, k, m)

    def positions_from(arr, k):
        return _positions_from(name_from, chosen, arr, k)

    composite()(body(f"{name}(n: Real, k: Real = 0, m: Real | None = None)", positions, _POSITIONS, kind=kind))
    composite()(body(f"{name_from}(arr: Like, k: Real = 0)", positions_from, _POSITIONS_FROM, NAMES, kind=kind))


_of_triangle("tril_indices", "tril_indices_from", np.less_equal, "lower")
_of_triangle("triu_indices", "triu_indices_from", np.greater_equal, "upper")


@composite()
def diag_indices(n: PositiveInt, ndim: NonNegativeInt = 2):
    """The indices of the main diagonal of an array with equal axes.

    Args:
        n (int): their length.
        ndim (int): how many there are. Default: ``2``.
    Returns:
        tuple of ``ndim`` Tensors of int32.
    Raises:
        TypeError: if an argument is not an int.
    Example:
        >>> [each.tolist() for each in ms.numpy.diag_indices(2)]
        [[0, 1], [0, 1]]
    Source: mindspore.numpy.diag_indices
    """
    return (arange(n),) * ndim


@composite()
def ix_(*args):
    """Open mesh: several index vectors, each along its own axis.

    Args:
        args (Tensor): of one axis each.
    Returns:
        tuple of Tensors, which broadcast to the grid of all positions.
    Raises:
        TypeError: if one is not a Tensor.  ValueError: if one has not one axis.
    Example:
        >>> [each.shape for each in ms.numpy.ix_(Tensor([0, 1]), Tensor([2, 3, 4]))]
        [(2, 1), (1, 3)]
    Source: mindspore.numpy.ix_
    """
    for arr in args:
        if accepted(Array, arr, "args", "ix_").ndim != 1:
            check.refuse(ValueError, "ix_", "args", "made of Tensors of one axis", arr.shape)
    return tuple(meshgrid(*args, sparse=True, indexing="ij"))


@composite()
def meshgrid(*xi, sparse: Bool = False, indexing="xy"):
    """The coordinates of the points of a grid.

    Args:
        xi (Tensor): the coordinates along each axis.
        sparse (bool): whether each result has one axis that is longer than 1. Default: ``False``.
        indexing (str): ``'xy'``, the first two axes are swapped, or ``'ij'``. Default: ``'xy'``.
    Returns:
        list of Tensors, one for each coordinate.
    Raises:
        TypeError: if an argument has a wrong type, or for another ``indexing``.
    Example:
        >>> [each.tolist() for each in ms.numpy.meshgrid(Tensor([1, 2]), Tensor([3]))]
        [[[1, 2]], [[3, 3]]]
    Source: mindspore.numpy.meshgrid
    """
    if indexing not in ("xy", "ij"):
        check.refuse(TypeError, "meshgrid", "indexing", "'xy' or 'ij'", indexing)
    xi = [accepted(Array, each, "xi", "meshgrid").reshape(-1) for each in xi]
    order = list(range(len(xi)))
    if indexing == "xy" and len(xi) > 1:
        order[:2] = 1, 0
    shape = tuple([xi[axis].shape[0] for axis in order])
    grids = [
        each.reshape(tuple([-1 if k == axis else 1 for k in range(len(xi))]))
        for each, axis in zip(xi, order, strict=True)
    ]
    return grids if sparse else [ops.broadcast_to(each, shape) for each in grids]


@composite()
def indices(dimensions: Ints, dtype: AnyDtype = int32, sparse: Bool = False):
    """The indices of the elements of an array.

    Args:
        dimensions (tuple[int] | list[int]): its shape.
        dtype (mindspore.dtype | str | type): Default: ``int32``.
        sparse (bool): whether each result has one axis that is longer than 1. Default: ``False``.
    Returns:
        list of Tensors, one for each axis.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> [each.tolist() for each in ms.numpy.indices((1, 2))]
        [[[0, 0]], [[0, 1]]]
    Source: mindspore.numpy.indices
    """
    return meshgrid(*[arange(length, dtype=dtype) for length in dimensions], sparse=sparse, indexing="ij")


class _Grid:
    """A grid of points defined by slices: ``mgrid[0:2, 0:1:5j]``; an imaginary step is the number of points.

    Example:
        >>> ms.numpy.mgrid[0:2, 0:3].shape, [each.shape for each in ms.numpy.ogrid[0:2, 0:3]]
        ((2, 2, 3), [(2, 1), (1, 3)])
    Source: mindspore.numpy.mgrid, mindspore.numpy.ogrid
    """

    def __init__(self, sparse):
        self.sparse = sparse

    def __getitem__(self, keys):
        keys = (keys,) if isinstance(keys, slice) else keys
        grids = meshgrid(*map(_line, keys), sparse=self.sparse, indexing="ij")
        if len(grids) == 1:
            return grids[0]
        return grids if self.sparse else ops.stack(promoted(grids))


def _line(key):
    for end in (key.start, key.stop):
        check.integer(end, "keys", "mgrid")
    if isinstance(key.step, complex):
        return linspace(key.start, key.stop, int(abs(key.step)))
    return arange(key.start, key.stop, key.step or 1)


mgrid, ogrid = _Grid(sparse=False), _Grid(sparse=True)

# -- of vectors -----------------------------------------------------------------------------------------------------


@op()
def vander(x: Like, N: NonNegativeInt | None = None, increasing: Bool = False):
    """The powers of the elements.

    Args:
        x (Tensor): a vector.
        N (int): how many powers. Default: ``None`` or 0, the length of ``x``.
        increasing (bool): whether they increase. Default: ``False``.
    Returns:
        Tensor of shape ``(len(x), N)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``x`` is not a vector, or ``N`` is below 0.
    Example:
        >>> ms.numpy.vander([2.0], 3).tolist()
        [[4.0, 2.0, 1.0]]
    Source: mindspore.numpy.vander
    """
    if x.ndim != 1:
        check.refuse(ValueError, "vander", "x", "a vector", x)
    return jnp.vander(x, N or None, increasing)


_WINDOW = """The {kind} window.

    Args:
        M (int): how many elements.
    Returns:
        Tensor of float32.
    Raises:
        TypeError: if ``M`` is not an int.
    Example:
        >>> ms.numpy.{name}(1).tolist()
        [1.0]
    Source: mindspore.numpy.{name}
    """


def _window(name, shape, kind):
    def compute(M):  # noqa: N803  MindSpore's name
        return constant(shape(M).astype(np.float32))

    composite()(body(f"{name}(M: Int)", compute, _WINDOW, kind=kind))


_window("bartlett", np.bartlett, "Bartlett")
_window("blackman", np.blackman, "Blackman")
_window("hamming", np.hamming, "Hamming")
_window("hanning", np.hanning, "Hann")
