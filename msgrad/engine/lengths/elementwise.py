"""Rules of elementwise primitives: padding stays padding, whatever is in it."""

from .layout import Padded

# Of those that give 0 for 0, the padding stays 0: nothing that sums over it needs a mask.
_KEEPING_ZERO = frozenset(
    "neg convert_element_type copy copy_p abs sign sqrt cbrt sin tan tanh sinh asin asinh atan atanh expm1 log1p erf "
    "real imag conj floor ceil round reduce_precision add sub add_any or and xor max min square stop_gradient".split()
)
_OTHERS = (
    "exp exp2 log cos cosh acos acosh logistic erfc erf_inv lgamma digamma polygamma rsqrt is_finite not clz "
    "population_count pow integer_pow mul div rem atan2 nextafter shift_left shift_right_logical "
    "shift_right_arithmetic eq ne lt le gt ge select_n clamp complex igamma igammac igamma_grad_a random_gamma_grad "
    "mulhi bessel_i0e bessel_i1e regularized_incomplete_beta zeta threefry2x32 lt_to le_to eq_to "
    "optimization_barrier".split()
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


RULES = dict.fromkeys([*_KEEPING_ZERO, *_OTHERS], _elementwise)
