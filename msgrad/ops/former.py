"""Names of MindSpore 1.x, and of its inner modules, for functions that have other ones today."""

from . import check, reduction
from .arithmetic import add, mul, pow, sub
from .contracts import Array
from .define import composite
from .division import div, floor_div, floor_mod, fmod
from .elementwise import exp, expm1, isnan
from .faces import FUNCTIONS, face
from .logic import greater, greater_equal, less, less_equal
from .products import einsum
from .scaled_sums import baddbmm

face(add, "tensor_add(input, other)")
face(sub, "tensor_sub(input, other)")
face(mul, "tensor_mul(input, other)")
face(mul, "tensor_muls(input, other)")
face(div, "tensor_div(x, y)")
face(pow, "tensor_pow(input, exponent)")
face(pow, "pows(input, exponent)")
face(exp, "tensor_exp(input)")
face(expm1, "tensor_expm1(input)")
face(floor_mod, "tensor_mod(x, y)")
face(floor_mod, "floormod(x, y)")
face(floor_div, "tensor_floordiv(input, other)")
face(floor_div, "floordiv(input, other)")
face(fmod, "truncate_mod(x, y)")
face(greater, "tensor_gt(input, other)")
face(greater_equal, "tensor_ge(input, other)")
face(less, "tensor_lt(input, other)")
face(less_equal, "tensor_le(input, other)")
face(isnan, "isnan_ext(tensor)")
face(einsum, "einsum_ext(equation, *operands)")
face(baddbmm, "baddbmm_ext(input, batch1, batch2, *, beta=1, alpha=1)")
face(FUNCTIONS["_reduce_sum"], "reduce_sum(x, axis=())")
face(reduction.mean, "reduce_mean(x, axis=())")
face(FUNCTIONS["_reduce_max"], "reduce_max(x, axis=())")
face(FUNCTIONS["_reduce_min"], "reduce_min(x, axis=())")


@composite()
def is_nonzero(input: Array):
    """Whether the one element of a Tensor is not 0. It looks at the value.

    Args:
        input (Tensor): one element.
    Returns:
        bool.
    Raises:
        TypeError: if ``input`` is not a Tensor.  ValueError: if it has not one element.
    Example:
        >>> ops.is_nonzero(Tensor([2.0]))
        True
    Source: mindspore.ops.is_nonzero
    """
    if input.size != 1:
        check.refuse(ValueError, "is_nonzero", "input", "of one element", input)
    return bool(input.reshape(()) != 0)
