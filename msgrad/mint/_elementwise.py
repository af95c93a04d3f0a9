"""Elementwise functions of one or more operands, with broadcasting."""

from .. import ops
from .._contracts.contracts import Array, Int
from ..engine.refusal import refuse
from ..ops._core.define import composite
from ..ops.math.arithmetic import _add_scaled
from ..ops.math.elementwise import _bitwise_not
from ..ops.math.logic import _allclose
from ..ops.nn.activation import gelu
from ._dialect import MINT, SPECIAL

MINT.share("""
    abs acos acosh arccos arccosh arcsin arcsinh arctan arctan2 arctanh asin asinh atan atan2 atanh bitwise_and
    bitwise_or bitwise_xor ceil clamp clip cos cosh div divide eq erf erfc erfinv exp exp2 expm1 floor floor_divide fmod
    gcd ge greater greater_equal gt imag isclose isfinite isinf isneginf le lerp less less_equal log log10 log1p log2
    logaddexp logaddexp2 logical_and logical_not logical_or logical_xor lt maximum minimum mul nan_to_num ne neg
    negative not_equal polar pow real reciprocal remainder rsqrt sigmoid sign sin sinc sinh square tan tanh trunc
    xlogy
""")
SPECIAL.share("erfc exp2 expm1 log1p sinc")

MINT.face(_add_scaled, "add(input, other, *, alpha=1)")
MINT.face(ops.subtract, "sub(input, other, *, alpha=1)")
MINT.face(ops.addcdiv, "addcdiv(input, tensor1, tensor2, *, value=1)")
MINT.face(ops.addcmul, "addcmul(input, tensor1, tensor2, *, value=1)")
MINT.face(_bitwise_not, "bitwise_not(input)")
MINT.face(ops.float_power_ext, "float_power(input, exponent)")
MINT.face(ops.frac, "frac(input)")
MINT.face(ops.isnan_ext, "isnan(tensor)")
MINT.face(ops.sqrt, "sqrt(input)")
MINT.face(ops.trunc, "fix(input)")
MINT.face(_allclose, "allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False)")
MINT.face(gelu, "npu_gelu(input, approximate='none')")
SPECIAL.face(ops.round, "round(input)")


@composite(dialect=MINT)
def round(input: Array, *, decimals: Int = 0):
    """Rounds to a number of decimal places, halves to even.

    Args:
        input (Tensor): any shape, a real dtype.
        decimals (int): how many places; negative ones count before the point. Default: ``0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> mint.round(Tensor([125.5]), decimals=-1).tolist()
        [130.0]
    Source: mindspore.mint.round
    """
    if decimals == 0:
        return ops.round(input)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return (ops.round(input * scale) / scale).astype(input.dtype)
    return (ops.round(input / scale) * scale).astype(input.dtype)


@composite(dialect=MINT)
def equal(input: Array, other: Array):
    """Whether two Tensors have the same shape and elements.

    Args:
        input, other (Tensor): of any shape and dtype.
    Returns:
        bool.
    Raises:
        TypeError: if one is not a Tensor.
    Example:
        >>> mint.equal(Tensor([1, 2]), Tensor([1, 2]))
        True
    Source: mindspore.mint.equal
    """
    return input.shape == other.shape and bool(ops.equal(input, other).all())


@composite(dialect=MINT)
def item(input: Array):
    """The single element of a Tensor as a Python number.

    Args:
        input (Tensor): of one element.
    Returns:
        int, float, bool or complex.
    Raises:
        TypeError: if it is not a Tensor.  RuntimeError: if it has another number of elements.
    Example:
        >>> mint.item(Tensor([1.5]))
        1.5
    Source: mindspore.mint.item
    """
    if input.size != 1:
        refuse(RuntimeError, "item", "input", "a Tensor of one element", input)
    return input.item()


@composite(dialect=MINT)
def clone(input: Array):
    """A copy; gradients flow through it.

    Args:
        input (Tensor): any shape and dtype.
    Returns:
        Tensor with storage of its own.
    Raises:
        TypeError: if ``input`` is not a Tensor.
    Example:
        >>> mint.clone(Tensor([1, 2])).tolist()
        [1, 2]
    Source: mindspore.mint.clone
    """
    return input.copy()
