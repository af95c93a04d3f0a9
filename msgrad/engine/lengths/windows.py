"""Rules of reductions over windows, as of pooling: the padding is as what is around the array, and changes nothing."""

import numpy as np

from .beginnings import moved, moved_back
from .layout import Padded
from .reductions import highest, lowest
from .sizes import ONE, NotUniform
from .template import value_at

_NEUTRAL = {"reduce_window_sum": lambda dtype: 0, "reduce_window_max": lowest, "reduce_window_min": highest}


def _reduce_window(site, value):
    array, changed = _windowed(site, value, site.operands[0], _NEUTRAL[site.name](value.array.dtype), site.results[0])
    return [_result(site, site.bind(array, **changed)[0])]


def _select_and_scatter_add(site, source, value):
    # Windows beyond the true ones add 0.
    lengths, params = site.lengths, site.params
    source = lengths.masked(lengths.canonical(source, site.operands[0]), site.operands[0], 0)
    if params["select_prim"].name not in _FILL:
        raise NotUniform("elements of windows that are selected otherwise")
    fill = _FILL[params["select_prim"].name](value.array.dtype)
    array, changed = _windowed(site, value, site.operands[1], fill, site.operands[0])
    (result,) = site.bind(source.array, array, **changed)
    for axis, (low, _) in enumerate(params["padding"]):
        if not isinstance(low, int):
            result = moved_back(lengths, result, axis, low, lengths.padded(site.results[0][axis]))
    return [_result(site, result)]


_FILL = {"ge": lowest, "le": highest}


def _windowed(site, value, sizes, fill, windows):
    """The operand of the windows, with ``fill`` as padding, and the parameters that are replaced.

    ``windows`` is how many there are along each axis. Where what is before the operand varies, it is moved behind that.
    """
    lengths, params = site.lengths, site.params
    pairs = zip(params["window_dimensions"], params["window_strides"], windows, strict=True)
    if any([count != ONE and not (_is_int(width) and _is_int(stride)) for width, stride, count in pairs]):
        raise NotUniform("windows whose width varies")
    array = lengths.masked(lengths.canonical(value, sizes), sizes, fill).array
    if all([isinstance(low, int) for low, _ in params["padding"]]):
        return array, {}
    ones = (1,) * array.ndim
    between, apart = params.get("base_dilation", ones), params.get("window_dilation", ones)
    padding, dilation = [value_at(each, lengths.bucket) for each in params["padding"]], list(between)
    for axis, (low, _) in enumerate(params["padding"]):
        if not isinstance(low, int):
            width, stride = params["window_dimensions"][axis], params["window_strides"][axis]
            if not (_is_int(width) and _is_int(stride)):
                raise NotUniform("windows whose width and first position vary")
            reach = (lengths.padded(windows[axis]) - 1) * stride + (width - 1) * apart[axis] + 1
            array = moved(lengths, array, axis, low, reach, fill, between[axis] - 1)
            padding[axis], dilation[axis] = (0, 0), 1
    changed = {"padding": tuple(padding), "base_dilation": tuple(dilation)}
    return array, {name: each for name, each in changed.items() if name in params}


def _result(site, array):
    sizes = site.results[0]
    if array.shape != site.lengths.shape(sizes):
        raise NotUniform("a number of windows that follows another rule")
    return Padded(array, tuple([(size,) for size in sizes]), False)


def _is_int(value):
    return isinstance(value, (int, np.integer))


RULES = {**dict.fromkeys(_NEUTRAL, _reduce_window), "select_and_scatter_add": _select_and_scatter_add}
