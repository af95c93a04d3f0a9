"""Rules of reductions over windows, as of pooling: the padding is as what is around the array, and changes nothing."""

import numpy as np

from .layout import Padded
from .reductions import highest, lowest
from .sizes import ONE, NotUniform

_NEUTRAL = {"reduce_window_sum": lambda dtype: 0, "reduce_window_max": lowest, "reduce_window_min": highest}


def _reduce_window(site, value):
    value = _masked(site, value, site.operands[0], _NEUTRAL[site.name](value.array.dtype), site.results[0])
    return [_result(site, site.bind(value.array)[0])]


def _select_and_scatter_add(site, source, value):
    # Windows beyond the true ones add 0.
    source = site.lengths.masked(site.lengths.canonical(source, site.operands[0]), site.operands[0], 0)
    if site.params["select_prim"].name not in _FILL:
        raise NotUniform("elements of windows that are selected otherwise")
    fill = _FILL[site.params["select_prim"].name](value.array.dtype)
    value = _masked(site, value, site.operands[1], fill, site.operands[0])
    return [_result(site, site.bind(source.array, value.array)[0])]


_FILL = {"ge": lowest, "le": highest}


def _masked(site, value, sizes, fill, windows):
    """The operand of the windows; ``windows`` is how many there are along each axis."""
    params = site.params
    if not all([isinstance(low, int) for low, _ in params["padding"]]):
        raise NotUniform("windows whose first position varies")
    pairs = zip(params["window_dimensions"], params["window_strides"], windows, strict=True)
    if any([count != ONE and not (_is_int(width) and _is_int(stride)) for width, stride, count in pairs]):
        raise NotUniform("windows whose width varies")
    return site.lengths.masked(site.lengths.canonical(value, sizes), sizes, fill)


def _result(site, array):
    sizes = site.results[0]
    if array.shape != site.lengths.shape(sizes):
        raise NotUniform("a number of windows that follows another rule")
    return Padded(array, tuple([(size,) for size in sizes]), False)


def _is_int(value):
    return isinstance(value, (int, np.integer))


RULES = {**dict.fromkeys(_NEUTRAL, _reduce_window), "select_and_scatter_add": _select_and_scatter_add}
