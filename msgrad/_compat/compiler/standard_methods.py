"""``mindspore._extends.parse.standard_method``: functions of MindSpore's parser for methods, operators and builtins.

Most are Tensor methods of the same name. Functions for lists, dicts and MapTensors in a graph, and the parser's own
checks, are not supported.
"""

import builtins
import functools
import operator

import numpy as np

from ... import ops
from ...tensor.sparse import COOTensor, CSRTensor
from ...tensor.tensor import Tensor

_METHODS = frozenset(
    "acos acosh add addbmm addcdiv addcmul addmm addmm_ addmv addr adjoint amax amin aminmax angle argmax "
    "argmax_with_value argmin argmin_with_value argsort argwhere asin asinh astype atan atan2 atanh baddbmm bernoulli "
    "bernoulli_ bincount bitwise_and bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor bmm broadcast_to "
    "cauchy ceil cholesky cholesky_inverse cholesky_solve choose chunk clamp clamp_ clip col2im conj copy copy_ "
    "copysign cos cosh count_nonzero cov cross cummax cummin cumprod cumsum data deg2rad delete_ det diag diagflat "
    "diagonal diagonal_scatter diff digamma div dot dsplit eigvals eq equal erf erfc erfinv erfinv_ exp expand "
    "expand_dims expm1 exponential_ fill fill_diagonal fills flatten flip fliplr flipud float_power floor "
    "floor_divide fmax fmin fmod fold frac gather gather_elements gather_nd ge geqrf ger greater greater_equal gt H "
    "hardshrink heaviside histc hsplit hypot i0 igamma igammac imag index_add index_add_ index_fill index_put "
    "index_put_ index_select inner inplace_update inv inverse invert is_complex is_floating_point is_signed isclose "
    "isfinite isinf isnan isneginf isposinf isreal item itemset lcm ldexp le lerp less less_equal lgamma log log10 "
    "log1p log2 log_matrix_determinant log_normal logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not "
    "logical_or logical_xor logit logsumexp lstsq lu_solve masked_fill masked_scatter masked_select matmul "
    "matrix_determinant matrix_power max maximum mean median min minimum mm move_to moveaxis movedim msort mT mul "
    "multinomial multiply mvlgamma nan_to_num nanmean nanmedian nanquantile nansum narrow ndimension ne neg negative "
    "new_ones new_zeros nextafter nonzero norm normal_ not_equal numel orgqr ormqr outer permute positive pow prod "
    "ptp put_ qr quantile rad2deg random_categorical ravel real reciprocal register_hook remainder renorm repeat "
    "repeat_interleave reshape reshape_as resize reverse reverse_sequence roll rot90 rsqrt scatter searchsorted "
    "select select_scatter sgn short sigmoid sign sign_ signbit sin sinc sinh slice_scatter slogdet soft_shrink "
    "softmax sort split sqrt square squeeze std sub subtract sum sum_to_size swapaxes swapdims t T take tan tanh "
    "tanh_ tensor_scatter_add tensor_scatter_max tensor_scatter_min tensor_scatter_mul tensor_scatter_sub "
    "tensor_split tile to to_ to_coo to_csr tolist top_k topk trace transpose tril triu true_divide trunc type_as "
    "unbind unfold uniform uniform_ unique_consecutive unique_with_pad unsorted_segment_max unsorted_segment_min "
    "unsorted_segment_prod unsqueeze var view view_as vsplit where xdivy xlogy zero_".split()
)
_OF_TENSORS = {
    "T_": "T", "all_": "all", "any_": "any", "expand_tensor_as": "expand_as", "inplace_scatter_add": "scatter_add_",
    "itemsize_": "itemsize", "nbytes_": "nbytes", "round_": "round", "size_": "size", "strides_": "strides",
    "tensor_sactter_div": "tensor_scatter_div", "value_": "value",
    **{f"to_{name}": name for name in "bfloat16 bool byte double float half int long".split()},
}  # fmt: skip
_OF_SPARSE = {
    **{f"coo_{name}": (COOTensor, name) for name in "abs add astype coalesce to_csr to_dense to_tuple".split()},
    **{
        f"csr_{name}": (CSRTensor, name)
        for name in "abs add astype mm mv sum to_coo to_dense to_tuple".split()
    },
    "sparse_ndim_": (COOTensor, "ndim"), "sparse_size_": (COOTensor, "size"),
}  # fmt: skip
_OF_PYTHON = {
    "_getitem": operator.getitem, "and_": operator.and_, "enumerate_": enumerate, "float_floordiv": operator.floordiv,
    "getitem": operator.getitem, "hasattr": builtins.hasattr, "min_list_tuple": min, "ms_len": len, "ms_max": max,
    "ms_max_one_element": max, "ms_min": min, "ms_min_one_element": min, "ms_sum": sum, "ms_zip": zip,
    "or_": operator.or_, "scalar_floordiv": operator.floordiv, "scalar_truediv": operator.truediv,
    "uadd": operator.pos, "usub": operator.neg,
    **{f"{name}_func": getattr(builtins, name) for name in "bool dict float int list str tuple".split()},
    **dict.fromkeys(
        "bool_ float_bool func_bool int_bool ms_hasnext none_bool real_bool_ str_bool tensor_bool".split(), bool
    ),
    **{f"slice_get_{name}": operator.attrgetter(name) for name in ("start", "step", "stop")},
}  # fmt: skip

__all__ = []


def __getattr__(name):
    if name in _METHODS or name in _OF_TENSORS:
        return _method(Tensor, _OF_TENSORS.get(name, name))
    if name in _OF_SPARSE:
        return _method(*_OF_SPARSE[name])
    if name in _OF_PYTHON:
        return _OF_PYTHON[name]
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")


def _method(kind, name):
    method = getattr(kind, name)
    return method if callable(method) else operator.attrgetter(name)


def _infer_out_shape(*shapes):
    """The shape that Tensors of some shapes are broadcast to."""
    return np.broadcast_shapes(*shapes)


def _setitem(data, index, value):
    """``data`` after ``data[index] = value``."""
    data[index] = value
    return data


setitem = _setitem


csr_softmax = ops.csr_softmax


def exist_tensor(data):
    """Whether one of the items is a Tensor."""
    return get_tensor_num(data) > 0


def filter_(fun, iter_):
    """The items for which a function is true, as a list."""
    return list(filter(fun, iter_))


def get_tensor_num(data):
    """The number of items that are Tensors."""
    return sum(isinstance(each, Tensor) for each in data)


def hypermap_dynamic_list(func, *inputs):
    """The list of a function of the items of sequences."""
    return [func(*items) for items in zip(*inputs, strict=True)]


def hypermap_dynamic_tuple(func, *inputs):
    """The tuple of a function of the items of sequences."""
    return tuple(hypermap_dynamic_list(func, *inputs))


def max_tensor(*data):
    """The largest elements of Tensors."""
    return functools.reduce(ops.maximum, data)


def min_tensor(*data):
    """The smallest elements of Tensors."""
    return functools.reduce(ops.minimum, data)


def ms_next(xs):
    """The first item, and the others."""
    return xs[0], xs[1:]


def sequence_index(sequence, target, start=None, end=None):
    """The index of an item, from ``start`` to ``end``."""
    return sequence.index(target, *[each for each in (start, end) if each is not None])
