"""Pooling functions over sliding windows: average, max, Lp."""

import math

from ..._contracts import check
from .._core.define import op
from .._core.families import body
from .._shared.windows import both
from ..math.statistics import floats, root
from .pooling import check_pads, check_rank, max_pool2d_with_indices, max_pool3d_with_indices, mean, window_max

_AVERAGE = """Average pooling over {phrase}: the mean of each window.

    Args:
        input_x (Tensor): shape ``{shape}``, a float dtype.
        kernel_size (int | tuple[int]): sizes of the windows. Default: ``1``.
        stride (int | tuple[int]): their steps. Default: {stride}.
        padding (int | tuple[int]): the padding on both sides. Default: ``0``.
        ceil_mode (bool): whether a last window may extend beyond the end. Default: ``False``.
        count_include_pad (bool): whether padding counts. Default: ``True``.{divisor}
    Returns:
        Tensor of the dtype of ``input_x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, there are other axes, or
            the windows do not fit in.
    Example:
        >>> {example}.shape
        {result}
    Source: mindspore.{source}
    """
_DIVISOR = "\n        divisor_override (int): what sums are divided by, if it is given and not 0. Default: ``{}``."


def _average(name, rank, phrase, shape, stride="1", divisor=""):
    ranks = (rank + 2,) if stride == "1" else (rank + 1, rank + 2)  # the layers take one sample too

    def compute(x, kernel, strides, pad, ceil_mode, counts_padding, divisor=0):
        x = check.dtype(check_rank(name, x, *ranks), "f", "input_x", name)
        return mean(name, x, kernel, strides or kernel, both(pad), ceil_mode, counts_padding, divisor or 0)

    kind = "Lengths" if stride == "1" else "LengthsOrList"
    text = (
        f"{name}(input_x: Array, kernel_size: {kind}({rank}) = 1, stride: {kind}({rank}) | None = {stride}, "
        f"padding: {kind}({rank}, 0) = 0, ceil_mode: Bool = False, count_include_pad: Bool = True"
    ) + (f", divisor_override: NonNegativeInt | None = {divisor})" if divisor else ")")
    fields = {"phrase": phrase, "shape": shape, "ones": (1, 1, *(4,) * rank), "result": (1, 1, *(2,) * rank)}
    if stride == "1":
        example = f"ops.{name}(ops.ones({fields['ones']}), 2, 2)"
        fields |= {"stride": "``1``", "example": example, "source": f"ops.{name}"}
    else:
        layer = f"nn.AvgPool{rank}dExt"
        fields |= {
            "stride": "``None``, ``kernel_size``",
            "example": f"{layer}(2)(ops.ones({fields['ones']}))",
            "source": layer,
        }
    return op(wide=True)(body(text, compute, _AVERAGE, divisor=_DIVISOR.format(divisor) if divisor else "", **fields))


avg_pool1d = _average("avg_pool1d", 1, "one axis", "(N, C, L)")
avg_pool2d = _average("avg_pool2d", 2, "two axes", "(N, C, H, W)", divisor="0")
avg_pool3d = _average("avg_pool3d", 3, "three axes", "(N, C, D, H, W)", divisor="0")
# With the defaults of the layers AvgPool1dExt, AvgPool2dExt, AvgPool3dExt.
avg_pool1d_ext = _average("_avg_pool1d_ext", 1, "one axis", "(N, C, L)", "None")
avg_pool2d_ext = _average("_avg_pool2d_ext", 2, "two axes", "(N, C, H, W)", "None", divisor="None")
avg_pool3d_ext = _average("_avg_pool3d_ext", 3, "three axes", "(N, C, D, H, W)", "None", divisor="None")


_MAX_POOL = """Max pooling over {phrase}: the maximum of each window.

    Args:
        x (Tensor): shape ``{shape}``.
        kernel_size (int | tuple[int]): sizes of the windows.
        stride (int | tuple[int]): their strides. Default: ``None``, ``kernel_size``.
        padding (int | tuple[int]): the padding on both sides, at most half a window. Default: ``0``.
        dilation (int | tuple[int]): the spacing of a window's elements. Default: ``1``.
        return_indices (bool): whether the indices in the flattened axes are returned, too. Default: ``False``.
        ceil_mode (bool): whether a last window may extend beyond the end. Default: ``False``.
    Returns:
        Tensor, or tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, ``x`` has another rank, or
            the windows do not fit in.
    Example:
        >>> ops.{name}(ops.ones({ones}), 2).shape
        {result}
    Source: mindspore.ops.{name}
    """


def _max_pool(name, rank, with_indices, phrase, shape, flags):
    """Defines a function over ``rank`` axes; ``flags`` are its last two parameters, in the reference's order."""

    def compute(x, kernel, stride, padding, dilation, *values):
        options = dict(zip(flags, values, strict=True))
        if options["return_indices"] or any(step > 1 for step in dilation):
            pooled = with_indices(x, kernel, stride, padding, dilation, options["ceil_mode"])
            return pooled if options["return_indices"] else pooled[0]
        check_rank(name, x, rank + 2)
        check_pads(name, kernel, padding)
        return window_max(name, x, kernel, stride or kernel, both(padding), options["ceil_mode"])

    text = (
        f"{name}(x: Array, kernel_size: Lengths({rank}), stride: Lengths({rank}) | None = None, "
        f"padding: Lengths({rank}, 0) = 0, dilation: Lengths({rank}) = 1, "
    ) + f"{flags[0]}: Bool = False, {flags[1]}: Bool = False)"
    fields = {"phrase": phrase, "shape": shape, "ones": (1, 1, *(4,) * rank), "result": (1, 1, *(2,) * rank)}
    return op()(body(text, compute, _MAX_POOL, **fields))


max_pool2d = _max_pool(
    "max_pool2d", 2, max_pool2d_with_indices, "two axes", "(N, C, H, W)", ("return_indices", "ceil_mode")
)
max_pool3d = _max_pool(
    "max_pool3d", 3, max_pool3d_with_indices, "three axes", "(N, C, D, H, W)", ("ceil_mode", "return_indices")
)


def _check_order(order):
    if order <= 0:
        check.refuse(ValueError, "lp_pool", "norm_type", "above 0", order)


_NORM = """Power-average pooling: the norm ``(sum(x^p))^(1/p)`` of each window over {phrase}.

    Args:
        x (Tensor): shape ``{shape}``, a dtype of numbers.
        norm_type (int | float): ``p``, above 0; negative sums have no root: NaN.
        kernel_size (int{tuple}): sizes of the windows.
        stride (int{tuple}): their strides. Default: ``None``, ``kernel_size``.
        ceil_mode (bool): whether a last window may extend beyond the end; what is there counts for the whole window.
            Default: ``False``.
    Returns:
        Tensor of the dtype of ``x``, of ints in float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, there are other axes, or
            the windows do not fit in.
    Example:
        >>> ops.{name}(ops.ones({ones}), 1, 2).shape
        {result}
    Source: mindspore.ops.{name}
    """


def _norm(name, rank, phrase, shape, tuples):
    def compute(x, order, kernel, stride, ceil_mode):
        _check_order(order)
        check_rank(name, x, rank + 1, rank + 2)
        size = math.prod(kernel)
        x = floats(x)
        powers = mean(name, x**order, kernel, stride or kernel, [(0, 0)] * rank, ceil_mode)
        return root(powers * size, order).astype(x.dtype)

    text = (
        f"{name}(x: Array, norm_type: Real, kernel_size: Lengths({rank}), stride: Lengths({rank}) | None = None, "
        "ceil_mode: Bool = False)"
    )
    fields = {"phrase": phrase, "shape": shape, "ones": (1, 1, *(4,) * rank), "result": (1, 1, *(2,) * rank)}
    return op(wide=True)(body(text, compute, _NORM, tuple=tuples, **fields))


lp_pool1d = _norm("lp_pool1d", 1, "one axis", "(N, C, L)`` or ``(C, L)", "")
lp_pool2d = _norm("lp_pool2d", 2, "two axes", "(N, C, H, W)`` or ``(C, H, W)", " | tuple[int]")
