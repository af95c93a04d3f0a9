"""Rules of elementwise primitives: padding stays padding, whatever is in it."""

from ..interpreter import elementwise
from .layout import Padded
from .sizes import NotUniform

# Of those that give 0 for 0, the padding stays 0: nothing that sums over it needs a mask.
_KEEPING_ZERO = frozenset(
    "neg convert_element_type copy copy_p abs sign sqrt cbrt sin tan tanh sinh asin asinh atan atanh expm1 log1p erf "
    "real imag conj floor ceil round reduce_precision add sub add_any or and xor max min square stop_gradient".split()
)
# Those that NumPy runs, and those that it does not.
_NAMES = {*elementwise.PLAIN, *elementwise.RULES} - {"bitcast_convert_type", "optimization_barrier", "device_put"}
_OTHERS = (
    "bessel_i0e bessel_i1e clz digamma eq_to erf_inv igamma igamma_grad_a igammac le_to lt_to mulhi polygamma "
    "random_gamma_grad reduce_precision regularized_incomplete_beta threefry2x32 zeta".split()
)


def _elementwise(site, *values):
    """Any elementwise primitive; an operand may be a scalar, such as the bounds of ``clamp``, or of length 1."""
    sizes = site.results[0]
    arrays, wide, is_zero = [value.array for value in values], [], site.name in _KEEPING_ZERO
    for k, (value, shape) in enumerate(zip(values, site.operands, strict=True)):
        is_zero = is_zero and value.is_zero and shape == sizes
        if len(shape) == len(sizes):
            axes = [factors if old == new else None for factors, old, new in zip(value.axes, shape, sizes, strict=True)]
            wide.append((k, Padded(value.array, tuple(axes))))
    aligned, axes = site.lengths.aligned([value for _, value in wide], sizes)
    for (k, _), array in zip(wide, aligned, strict=True):
        arrays[k] = array
    return [Padded(result, axes, is_zero) for result in site.bind(*arrays)]


def _bitcast(site, value):
    if site.results[0] != site.operands[0]:
        raise NotUniform("bits that become elements of another width")
    return _elementwise(site, value)


def _passed(site, *values):
    """A primitive that gives its operands, of any shapes."""
    results = site.bind(*[value.array for value in values])
    return [Padded(result, value.axes, value.is_zero) for result, value in zip(results, values, strict=True)]


NAMES = frozenset([*_KEEPING_ZERO, *_NAMES, *_OTHERS])  # of all elementwise primitives
RULES = {
    **dict.fromkeys(NAMES, _elementwise),
    "bitcast_convert_type": _bitcast,
    **dict.fromkeys(["optimization_barrier", "device_put"], _passed),
}
