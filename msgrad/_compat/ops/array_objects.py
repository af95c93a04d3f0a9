"""The objects of Primitives that MindSpore's functions on arrays call: ``array_func.gather_`` is an ``ops.Gather()``.

The name is the Primitive's in snake case, with a trailing ``_``.
"""

import functools

from ... import ops
from . import inner_primitives, left_out_primitives, primitive_objects

_NAMES = frozenset(
    "arange_ arg_max_with_value_ arg_min_with_value_ cast_ diag_ eye_ fills_ fillv2_ flatten_ gather_ gather_d_ "
    "gather_nd_ ger_ index_fill_ lstsq_ non_zero_ ones_ ones_like_ ones_like_ext_ population_count_ range_ rank_ "
    "reduce_max_ reduce_min_ repeat_interleave_int_ repeat_interleave_tensor_ scalar_to_tensor_ scatter_add_ "
    "scatter_nd_ scatter_update_ size_ sort_ext_ tile_ transpose_ tuple_to_array_ type_as_ unique_ "
    "unsorted_segment_max_ unsorted_segment_min_ unsorted_segment_prod_ unsorted_segment_sum_ zeros_like_ "
    "zeros_like_ext_".split()
)
_OTHERS = {
    "chunk_op", "full_like_op", "gather_d_op", "scatter_add_ext_op", "slice_op", "split_tensor_op",
    "split_with_size_op", "tril_ext_op", "unstack_ext_view_op",
}  # fmt: skip
# Those of Primitives that `primitive_objects` has none of, or under another name.
_KINDS = {
    "batch_to_space_nd_v2_": (ops, "BatchToSpaceNDV2"),
    "dynamic_broadcast_to_": (inner_primitives, "DynamicBroadcastTo"),
    "non_zero_ext_": (inner_primitives, "NonZeroExt"),
    "tensor_select_": (ops, "Select"), "tensor_shape_": (ops, "TensorShape"),
    "tuple_to_tensor_": (inner_primitives, "TupleToTensor"),
    **{
        name: (left_out_primitives, kind)
        for name, kind in (
            ("fill_scalar_", "FillScalar"), ("fill_tensor_", "FillTensor"), ("new_ones_", "NewOnes"),
            ("new_zeros_", "NewZeros"), ("scatter_value_", "ScatterValue"), ("unique2_", "Unique2"),
            ("unique_dim_", "UniqueDim"),
        )
    },
}  # fmt: skip

__all__ = []


def __getattr__(name):
    if name in _NAMES:
        return getattr(primitive_objects, f"{name}op")
    if name in _OTHERS:
        return getattr(primitive_objects, name)
    if name in _KINDS:
        return _made(name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


@functools.cache
def _made(name):
    module, kind = _KINDS[name]
    return getattr(module, kind)()
