"""Primitives whose results have the axes of their operands, which are brought into one order."""

import collections

from ..lengths.elementwise import NAMES
from ..separation.inlining import results_of
from .stored import Repeated, Stored, is_moved, natural, size, without

_WINDOWS = ("window_dimensions", "window_strides", "padding")
_DILATED = (*_WINDOWS, "base_dilation", "window_dilation")
# Parameters that are an axis or axes, and those that have an element for each axis.
_AXES = {
    **{"concatenate": ("dimension",), "rev": ("dimensions",)},
    **dict.fromkeys(("split", "cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"), ("axis",)),
}
_BY_AXIS = {
    "pad": ("padding_config",),
    "slice": ("start_indices", "limit_indices", "strides"),
    **dict.fromkeys(("reduce_window_max", "reduce_window_min", "reduce_window_sum"), _DILATED),
    "select_and_scatter_add": _WINDOWS,
}
_REDUCTIONS = tuple(f"reduce_{name}" for name in ("sum", "prod", "max", "min", "and", "or", "xor"))


def _common(values, rank):
    """The order that all operands take: that of a kept one, else the one that transposes the fewest elements."""
    weights = collections.Counter()
    for each in values:
        if len(each.shape) != rank or type(each) is Repeated:
            continue
        if each.is_kept:
            return each.order
        weights[each.order] += size(each) * (1 + is_moved(each))  # of two halves the one with channels last stays
    return max(weights, key=weights.__getitem__) if weights else natural(rank)


def _kept_in_order(equation, values):
    rank, name, params = len(equation.outvars[0].aval.shape), equation.primitive.name, dict(equation.params)
    if name == "bitcast_convert_type" and equation.invars[0].aval.shape != equation.outvars[0].aval.shape:
        return None
    order = _common(values, rank)
    for key in _AXES.get(name, ()):
        axes = params[key]
        params[key] = order.index(axes) if isinstance(axes, int) else tuple(map(order.index, axes))
    for key in _BY_AXIS.get(name, ()):
        if params[key] is not None:
            params[key] = tuple([params[key][axis] for axis in order])
    operands = [each.to(order if len(each.shape) == rank else natural(len(each.shape))) for each in values]
    is_kept = name in NAMES and any([each.is_kept and len(each.shape) == rank for each in values])
    return [Stored(each, order, is_kept) for each in results_of(equation, operands, params)]


def reduced(equation, values):
    """A reduction; its result has the operand's order, without the reduced axes."""
    (value,), axes = values, equation.params["axes"]
    stored = tuple(sorted([value.order.index(axis) for axis in axes]))
    result = equation.primitive.bind(value.to(value.order), **{**equation.params, "axes": stored})
    return [Stored(result, without(value.order, axes))]


RULES = {
    **dict.fromkeys((*NAMES, *_AXES, *_BY_AXIS), _kept_in_order),
    **dict.fromkeys((*_REDUCTIONS, "argmax", "argmin"), reduced),
}
