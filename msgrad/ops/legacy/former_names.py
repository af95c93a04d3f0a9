"""Former names, of MindSpore 1.x and its internal modules, for functions that were renamed."""

from ..._contracts import check
from ..._contracts.contracts import Array
from .._core.define import composite
from .._core.faces import face, primitive
from ..image.resize import bilinear
from ..linalg.addmm import baddbmm
from ..linalg.matmul import einsum
from ..math.arithmetic import mul
from ..math.elementwise import isnan

face(mul, "tensor_muls(input, other)")
face(isnan, "isnan_ext(tensor)")
face(einsum, "einsum_ext(equation, *operands)")
primitive(bilinear, "ResizeBilinear(size, align_corners=False, half_pixel_centers=False)(images)")
face(baddbmm, "baddbmm_ext(input, batch1, batch2, *, beta=1, alpha=1)")


@composite()
def is_nonzero(input: Array):
    """Whether the single element of a Tensor is not 0. It reads values on the host.

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
