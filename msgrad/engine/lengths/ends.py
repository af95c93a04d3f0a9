"""The padding at the ends of an operation's array, as the shapes of operands and result tell it.

In gradients of operations with strides that varies with a remainder of a length: numbers such as 0, 1, 1, 0, 1, which
follow other rules as well at a few samples.
"""

from .sizes import ONE, constant


def _of_convolution(params, operands, result):
    numbers, (left, right) = params["dimension_numbers"], operands
    names = "window_strides", "lhs_dilation", "rhs_dilation"
    for axis, (low, _), *steps in _axes(params["padding"], *[params[name] for name in names]):
        inside, window, outside = [spec[axis + 2] for spec in (numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec)]
        yield _end(low, left[inside], right[window], result[outside], *steps)


def _of_windows(params, operands, result):
    names = "window_dimensions", "window_strides", "base_dilation", "window_dilation"
    for axis, (low, _), width, *steps in _axes(params["padding"], *[params[name] for name in names]):
        yield _end(low, operands[0][axis], constant(width), result[axis], *steps)


def _of_pad(params, operands, result):
    for axis, (low, _, between) in _axes(params["padding_config"]):
        yield _end(low, operands[0][axis], ONE, result[axis], 1, between + 1, 1)


def _axes(*columns):
    return zip(range(len(columns[0])), *columns, strict=True)


def _end(low, inside, window, result, stride, inner, outer):
    """The padding after the array along an axis, beside ``low`` before it, with which the last window ends."""
    reach = (result - ONE) * constant(stride) + (window - ONE) * constant(outer)
    return reach - (inside - ONE) * constant(inner) - constant(low)


# The functions of ``(params, shapes of the operands, shape of the result)`` that give the `Size` for each axis, where
# no other parameter varies; by primitive, with the name of the parameter.
ENDS = {
    "conv_general_dilated": ("padding", _of_convolution),
    "pad": ("padding_config", _of_pad),
    **dict.fromkeys(["reduce_window_sum", "reduce_window_max", "reduce_window_min"], ("padding", _of_windows)),
}
