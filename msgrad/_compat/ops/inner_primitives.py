"""Internal Primitives used by old programs: of ``_inner_ops``, ``sparse_ops`` and similar modules.

`_ROWS` has a row for each: the Primitive, its result as a function of inputs and attributes, and a description.
"""

import functools

import numpy as np

from ... import dtype as dtypes
from ... import ops
from ..._contracts import check
from ...ops._core.tables import Table
from ...scipy.linalg import eigh
from ...tensor.tensor import Tensor
from .gradients import called
from .inner import define
from .region_pooling import psroi_pooling
from .sparse_primitives import ROWS as _SPARSE

INNER = Table()  # the Primitives by name


def _shift(x, coming, periods, axis, fill_value):
    """Shifts elements along an axis; the fill value is an input, or an attribute as in MindSpore 1.x."""
    number = next((each for each in (coming, fill_value) if each is not None), np.nan)
    number = number.asnumpy() if isinstance(number, Tensor) else number
    periods = int(np.clip(periods, -x.shape[axis], x.shape[axis]))
    shape = [abs(periods) if each == axis % x.ndim else length for each, length in enumerate(x.shape)]
    coming = Tensor(np.full(shape, number), x.dtype)
    joined = ops.cat((coming, x) if periods >= 0 else (x, coming), axis)
    return ops.narrow(joined, axis, max(-periods, 0), x.shape[axis])


def _copy_slices(x, value, begin, end, strides):
    """``x`` with a slice of it replaced by a value."""
    place = tuple(slice(*each) for each in zip(begin, end, strides, strict=True))
    x = x.copy()
    x[place] = value
    return x


_SEQUENCES = {dtypes.list_: list, dtypes.tuple_: tuple}


def _is_instance(inst, type_):
    """Whether a value is of a type: list, tuple, or one of numbers, ``int_`` and ``float_`` among them."""
    if not isinstance(type_, dtypes.Type):
        check.refuse(TypeError, "IsInstance", "type_", "a type of mindspore.dtype", type_)
    if type_ in _SEQUENCES:
        return isinstance(inst, _SEQUENCES[type_])
    return dtypes._issubclass_(dtypes.get_py_obj_dtype(inst), type_)


def _is_subclass(sub_type, type_):
    for name, each in (("sub_type", sub_type), ("type_", type_)):
        if not isinstance(each, dtypes.Type):
            check.refuse(TypeError, "IsSubClass", name, "a type of mindspore.dtype", each)
    return dtypes._issubclass_(sub_type, type_)


def _eigh(A, compute_eigenvectors, lower):  # noqa: N803
    return eigh(A, lower=lower, eigvals_only=not compute_eigenvectors)


def _update_cache(input_x, indices, updates, max_num):
    """Writes rows; those with an index out of range are dropped."""
    kept = np.flatnonzero((indices.asnumpy() >= 0) & (indices.asnumpy() < int(np.asarray(max_num).reshape(()))))
    rows = Tensor(kept)
    input_x[indices.reshape(-1)[rows]] = updates.reshape((-1, *input_x.shape[1:]))[rows]
    return ops.zeros((1,), input_x.dtype)


_ROWS = [
    ("ConvertToDynamic(is_dynamic_rank=False)(input)", lambda input: input, "its input, as it is"),
    ("Eigh(compute_eigenvectors=True, lower=True)(A)", _eigh, "eigenvalues and eigenvectors of a Hermitian matrix"),
    ("Empty()(size: Shape, dtype: ANY = None, device: ANY = None, pin_memory: ANY = False)",
     lambda size, dtype: ops.zeros(size, dtype or dtypes.float32), "a Tensor whose values do not count: zeros"),
    ("IsInstance()(inst: ANY, type_: ANY)", _is_instance, "whether a value is of a type"),
    ("IsSubClass()(sub_type: ANY, type_: ANY)", _is_subclass, "whether a type is another one, or of its kind"),
    ("Load()(variable, u: ANY = None)", lambda variable: variable.copy(), "the value of a Parameter"),
    ("PSROIPooling(spatial_scale, group_size, output_dim)(features, rois)", psroi_pooling,
     "position-sensitive pooling of regions"),
    ("SequenceAddN()(inputs: Arrays)", lambda inputs: ops.addn(inputs), "the sum of Tensors"),
    ("SequenceAddOffset()(shape_0: ANY, shape_1: ANY)", lambda shape_0: (0, len(shape_0)),
     "where two sequences begin, one behind the other"),
    ("Shift(periods=1, axis=-1, fill_value=None)(x, coming: ANY = None)", _shift,
     "a Tensor whose elements have moved along an axis"),
    ("TensorCopySlices()(x, value, begin: Shape, end: Shape, strides: Shape)", _copy_slices,
     "a Tensor with a value in the place of a slice"),
    ("UpdateCache()(input_x, indices, updates, max_num: ANY)", _update_cache, "rows written, but those out of range"),
    *_SPARSE,
]  # fmt: skip

for _text, _function, _what in _ROWS:
    define(INNER, "mindspore.ops.operations", _text, functools.partial(called, _function), _what)
globals().update(INNER)
