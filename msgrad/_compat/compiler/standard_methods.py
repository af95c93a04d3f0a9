"""``mindspore._extends.parse.standard_method``: Tensor methods as functions, for MindSpore's parser.

Its other functions, such as those for tuples in a graph, are not supported.
"""

from ...tensor.tensor import Tensor

_METHODS = frozenset(
    "acos acosh add addbmm addcdiv addcmul addmm adjoint amax amin aminmax argmax argmax_with_value argmin "
    "argmin_with_value argsort argwhere asin asinh astype atan atan2 atanh baddbmm bincount bitwise_and "
    "bitwise_left_shift bitwise_or bitwise_right_shift bitwise_xor bmm ceil cholesky_solve chunk clamp clip conj copy "
    "copy_ copysign cos cosh count_nonzero cov cummax cummin cumprod cumsum deg2rad det diag diagflat diagonal diff "
    "digamma div dot eigvals eq equal erf erfc erfinv exp expand_dims expm1 fill flatten fliplr flipud float_power "
    "floor floor_divide fmax fmod frac ge geqrf ger greater greater_equal gt hardshrink heaviside histc hsplit hypot "
    "i0 igamma igammac imag inner inv inverse invert is_complex is_floating_point is_signed isclose isfinite isinf "
    "isnan isneginf isposinf isreal itemset lcm ldexp le lerp less less_equal lgamma log log10 log1p log2 "
    "log_matrix_determinant logaddexp logaddexp2 logcumsumexp logdet logical_and logical_not logical_or logical_xor "
    "logit logsumexp lstsq matmul matrix_determinant matrix_power max maximum mean median min minimum mm moveaxis "
    "movedim msort mul multiply mvlgamma nan_to_num nanmean nanmedian nansum ndimension ne neg negative new_ones "
    "new_zeros nextafter nonzero norm not_equal numel outer permute positive pow prod ptp qr rad2deg ravel real "
    "reciprocal remainder repeat repeat_interleave reshape reshape_as resize rsqrt searchsorted sgn short sigmoid "
    "sign signbit sin sinc sinh slice_scatter slogdet soft_shrink softmax sort split sqrt square squeeze std sub "
    "subtract sum sum_to_size swapaxes swapdims t take tan tanh tensor_split tile to to_coo to_csr tolist top_k topk "
    "trace transpose tril triu true_divide trunc type_as unbind unique_consecutive unsqueeze var view view_as vsplit "
    "xdivy xlogy".split()
)

__all__ = []


def __getattr__(name):
    if name in _METHODS:
        return getattr(Tensor, name)
    raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
