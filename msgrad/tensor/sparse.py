"""Sparse Tensors: COOTensor, CSRTensor and RowTensor, made of Tensors of indices and values; `ops.sparse` computes."""

import functools

import jax
import numpy as np

from ..engine import dtypes
from ..engine.handle import Handle
from ..engine.pytrees import Composite
from ..engine.refusal import refuse

_INDEX_DTYPES = (np.int16, np.int32, np.int64)


class SparseBase(Composite):
    """The base of sparse Tensors: their parts, in order, and a dense shape."""

    __slots__ = ("_parts", "_shape")
    names = ()

    def __init__(self, *parts, shape, source):
        owner = type(self).__name__
        if source is not None:
            if not isinstance(source, type(self)):
                refuse(TypeError, owner, "source", f"a {owner}", type(source))
            parts, shape = source._parts, source._shape
        else:
            for name, part in zip(self.names, parts, strict=True):
                if not isinstance(part, Handle):
                    refuse(TypeError, owner, name, "a Tensor", type(part))
            if not isinstance(shape, tuple):
                refuse(TypeError, owner, "shape", "a tuple of ints", type(shape))
            if not all(isinstance(length, int) for length in shape):
                refuse(TypeError, owner, "shape", "a tuple of ints", shape)
            if not all(length > 0 for length in shape):
                refuse(ValueError, owner, "shape", "a tuple of positive ints", shape)
        self._parts, self._shape = tuple(parts), shape

    def items(self):
        """Its component Tensors."""
        return self._parts

    def detail(self):
        """What there is besides its components: the class and the dense shape."""
        return type(self), self._shape

    def like(self, parts):
        """A sparse Tensor of the same shape with other parts, unchecked: they may be recorded values."""
        return _rebuilt(type(self), self._shape, parts)

    def with_values(self, values):
        """A sparse Tensor with the same indices and other values."""
        return self.like((*self._parts[:-1], values))

    @property
    def values(self):
        """The stored values, a Tensor. Source: mindspore.COOTensor.values, mindspore.CSRTensor.values"""
        return self._parts[-1]

    @property
    def shape(self):
        """The dense shape. Source: mindspore.COOTensor.shape, mindspore.CSRTensor.shape"""
        return self._shape

    @property
    def dtype(self):
        """The dtype of the values. Source: mindspore.COOTensor.dtype, mindspore.CSRTensor.dtype"""
        return self.values.dtype

    @property
    def size(self):
        """The number of stored values. Source: mindspore.COOTensor.size, mindspore.CSRTensor.size"""
        return self.values.size

    @property
    def itemsize(self):
        """Bytes of one value. Source: mindspore.COOTensor.itemsize, mindspore.CSRTensor.itemsize"""
        return self.values.itemsize

    @property
    def ndim(self):
        """The number of dense axes. Source: mindspore.COOTensor.ndim, mindspore.CSRTensor.ndim"""
        return len(self._shape)

    def to_tuple(self):
        """The parts and the shape, as a tuple. Source: mindspore.COOTensor.to_tuple, mindspore.CSRTensor.to_tuple"""
        return (*self._parts, self._shape)

    def astype(self, dtype):
        """A copy with its values cast to ``dtype``. Source: mindspore.COOTensor.astype, mindspore.CSRTensor.astype"""
        return self.with_values(self.values.astype(dtype))

    def __repr__(self):
        parts = [f"{name}={_shown(part)}" for name, part in zip(self.names, self._parts, strict=True)]
        return f"{type(self).__name__}(shape={list(self._shape)}, dtype={self.dtype!s}, {', '.join(parts)})"


def _shown(tensor):
    """The text of a Tensor inside a sparse one: without commas between its numbers."""
    head, word, numbers = repr(tensor).partition("value=")
    return head + word + numbers.removeprefix(" ").replace(",", "")


class COOTensor(SparseBase):
    """A sparse Tensor in COO format: ``values[k]`` at ``indices[k]``, zeros elsewhere; repeated indices are summed.

    Args:
        indices (Tensor): shape ``(N, ndim)``, int16, int32 or int64.
        values (Tensor): shape ``(N,)``.
        shape (tuple[int]): the dense shape.
        coo_tensor (COOTensor): shared instead of all these. Default: ``None``.
    Raises:
        TypeError: if an argument has a wrong type or dtype.  ValueError: if the shapes do not go together.
    Example:
        >>> mindspore.COOTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3)).to_dense().tolist()
        [[0.0, 2.0, 0.0]]
    Source: mindspore.COOTensor
    """

    __slots__ = ()
    names = ("indices", "values")

    def __init__(self, indices=None, values=None, shape=None, coo_tensor=None):
        super().__init__(indices, values, shape=shape, source=coo_tensor)
        (shape_of_indices, dtype), (lengths, _) = self.indices.aval, self.values.aval
        _check_dtype("COOTensor", "indices", dtype)
        for name, lengths_of_it, rank in (("indices", shape_of_indices, 2), ("values", lengths, 1)):
            if len(lengths_of_it) != rank:
                refuse(ValueError, "COOTensor", name, f"a Tensor of {rank} axes", lengths_of_it)
        if shape_of_indices[0] != lengths[0]:
            refuse(ValueError, "COOTensor", "values", f"{shape_of_indices[0]} numbers, one a position", lengths[0])
        if shape_of_indices[1] != len(self.shape):
            refuse(ValueError, "COOTensor", "shape", f"{shape_of_indices[1]} lengths", self.shape)

    @property
    def indices(self):
        """The indices, a Tensor of shape ``(N, ndim)``. Source: mindspore.COOTensor.indices"""
        return self._parts[0]


class CSRTensor(SparseBase):
    """A sparse Tensor in CSR format: row ``i`` has ``values[indptr[i]:indptr[i + 1]]`` at the matching ``indices``.

    Args:
        indptr (Tensor): shape ``(rows + 1,)``, int16, int32 or int64.
        indices (Tensor): shape ``(N,)``, of the same dtype.
        values (Tensor): shape ``(N, ...)``, the last axes being dense.
        shape (tuple[int]): the dense shape.
        csr_tensor (CSRTensor): shared instead of all these. Default: ``None``.
    Raises:
        TypeError: if an argument has a wrong type or dtype.  ValueError: if the shapes do not go together.
    Example:
        >>> mindspore.CSRTensor(Tensor([0, 0, 1]), Tensor([2]), Tensor([7.0]), (2, 3)).to_dense().tolist()
        [[0.0, 0.0, 0.0], [0.0, 0.0, 7.0]]
    Source: mindspore.CSRTensor
    """

    __slots__ = ()
    names = ("indptr", "indices", "values")

    def __init__(self, indptr=None, indices=None, values=None, shape=None, csr_tensor=None):
        super().__init__(indptr, indices, values, shape=shape, source=csr_tensor)
        pointers, columns, lengths = (part.aval[0] for part in self.items())
        for name, part in zip(("indptr", "indices"), self.items(), strict=False):
            _check_dtype("CSRTensor", name, part.aval[1])
            if len(part.aval[0]) != 1:
                refuse(ValueError, "CSRTensor", name, "a Tensor of one axis", part)
        if len(lengths) != len(self.shape) - 1:
            refuse(ValueError, "CSRTensor", "values", f"of {len(self.shape) - 1} axes", lengths)
        if pointers[0] != self.shape[0] + 1:
            refuse(ValueError, "CSRTensor", "indptr", f"{self.shape[0] + 1} numbers", pointers[0])
        if columns[0] != lengths[0]:
            refuse(ValueError, "CSRTensor", "indices", f"{lengths[0]} numbers, one a value", columns[0])

    @property
    def indptr(self):
        """The start of each row, a Tensor of shape ``(rows + 1,)``. Source: mindspore.CSRTensor.indptr"""
        return self._parts[0]

    @property
    def indices(self):
        """The column of each value, a Tensor. Source: mindspore.CSRTensor.indices"""
        return self._parts[1]


class RowTensor(SparseBase):
    """Some rows of a Tensor: ``values[k]`` is row ``indices[k]``, the others are zeros.

    Args:
        indices (Tensor): shape ``(N,)``, an int dtype.
        values (Tensor): shape ``(N, ...)``.
        shape (tuple[int]): the dense shape.
        row_tensor (RowTensor): shared instead of all these. Default: ``None``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> mindspore.RowTensor(Tensor([1]), Tensor([[2.0]]), (3, 1)).dense_shape
        (3, 1)
    Source: mindspore.RowTensor
    """

    __slots__ = ()
    names = ("indices", "values")

    def __init__(self, indices=None, values=None, shape=None, row_tensor=None):
        super().__init__(indices, values, shape=shape, source=row_tensor)

    @property
    def indices(self):
        """The number of each row, a Tensor. Source: mindspore.RowTensor.indices"""
        return self._parts[0]

    @property
    def dense_shape(self):
        """The dense shape. Source: mindspore.RowTensor.dense_shape"""
        return self._shape


class SparseTensor(COOTensor):
    """The former name of `COOTensor`.

    Args:
        indices (Tensor), values (Tensor), shape (tuple[int]): as for `COOTensor`.
    Example:
        >>> mindspore.SparseTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3)).shape
        (1, 3)
    Source: mindspore.SparseTensor
    """

    __slots__ = ()

    def __init__(self, indices, values, shape):
        super().__init__(indices, values, shape)


def _check_dtype(owner, name, dtype):
    if dtype not in _INDEX_DTYPES:
        refuse(TypeError, owner, name, "a Tensor of int16, int32 or int64", dtypes.of(dtype))


def _rebuilt(cls, shape, parts):
    tensor = cls.__new__(cls)
    tensor._parts, tensor._shape = tuple(parts), shape
    return tensor


for _class in (COOTensor, CSRTensor, RowTensor, SparseTensor):
    jax.tree_util.register_pytree_node(
        _class,
        lambda sparse: (sparse.items(), sparse.shape),
        functools.partial(_rebuilt, _class),
    )
