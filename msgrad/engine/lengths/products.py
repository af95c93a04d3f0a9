"""Rules of matrix products and convolutions: what is summed over is masked in both operands.

Zeros in one of them would not do: the padding of the other may hold NaN or infinity.
"""

from .beginnings import moved
from .layout import Padded
from .sizes import NotUniform
from .template import value_at


def _dot_general(site, left, right):
    (left_contracted, right_contracted), (left_batch, right_batch) = site.params["dimension_numbers"]
    lengths, (left_sizes, right_sizes) = site.lengths, site.operands
    # Pairs of axes that are multiplied element by element need one layout.
    for a, b in zip((*left_contracted, *left_batch), (*right_contracted, *right_batch), strict=True):
        left, right = lengths.paired((left, left_sizes, a), (right, right_sizes, b))
    left = lengths.masked(left, left_sizes, 0, left_contracted)
    right = lengths.masked(right, right_sizes, 0, right_contracted)
    left_free = [k for k in range(len(left_sizes)) if k not in (*left_contracted, *left_batch)]
    right_free = [k for k in range(len(right_sizes)) if k not in (*right_contracted, *right_batch)]
    left_axes, right_axes = lengths.factors(left, left_sizes), lengths.factors(right, right_sizes)
    axes = [left_axes[k] for k in (*left_batch, *left_free)] + [right_axes[k] for k in right_free]
    return [Padded(result, tuple(axes)) for result in site.bind(left.array, right.array)]


def _convolution(site, left, right):
    numbers = site.params["dimension_numbers"]
    lengths, (left_sizes, right_sizes) = site.lengths, site.operands
    left, right = lengths.canonical(left, left_sizes), lengths.canonical(right, right_sizes)
    if not left_sizes[numbers.lhs_spec[1]].is_constant and site.params["feature_group_count"] != 1:
        raise NotUniform("a grouped convolution of a number of channels that varies")
    if site.params["batch_group_count"] != 1 and not left_sizes[numbers.lhs_spec[0]].is_constant:
        raise NotUniform("a grouped convolution of a batch that varies")
    # All but the first axis of the input, and of the kernel, is summed over.
    left = lengths.masked(left, left_sizes, 0, numbers.lhs_spec[1:])
    right = lengths.masked(right, right_sizes, 0, numbers.rhs_spec[1:])
    # With strides, too: what lies beyond the true input is 0, as what is around it.
    array, changed = _moved(site, left.array)
    (result,) = site.bind(array, right.array, **changed)
    if result.shape != lengths.shape(site.results[0]):
        raise NotUniform("a convolution whose result follows another rule")
    return [Padded(result, tuple([(size,) for size in site.results[0]]))]


def _moved(site, array):
    """The input of a convolution, behind its padding where that varies, and the parameters that replace it."""
    params, lengths = site.params, site.lengths
    numbers, padding, dilation = params["dimension_numbers"], params["padding"], list(params["lhs_dilation"])
    if all([isinstance(low, int) for low, _ in padding]):
        return array, {}
    padding = [value_at(each, lengths.bucket) for each in padding]
    for k, (low, _) in enumerate(params["padding"]):
        if not isinstance(low, int):
            axis, window, outside = [spec[k + 2] for spec in (numbers.lhs_spec, numbers.rhs_spec, numbers.out_spec)]
            reach = (lengths.padded(site.results[0][outside]) - 1) * params["window_strides"][k]
            reach += (lengths.padded(site.operands[1][window]) - 1) * params["rhs_dilation"][k] + 1
            array = moved(lengths, array, axis, low, reach, 0, dilation[k] - 1)
            padding[k], dilation[k] = (0, 0), 1
    return array, {"padding": tuple(padding), "lhs_dilation": tuple(dilation)}


RULES = {"dot_general": _dot_general, "conv_general_dilated": _convolution}

# The axes of both operands that are summed over, by the parameters.
CONTRACTED = {
    "dot_general": lambda params: params["dimension_numbers"][0],
    "conv_general_dilated": lambda params: (
        params["dimension_numbers"].lhs_spec[1:],
        params["dimension_numbers"].rhs_spec[1:],
    ),
}
