"""Activations of `mint.nn.functional`."""

from .. import ops
from .._contracts.contracts import Array, Axis, Dtype
from ..engine.fusion import MODULES
from ..ops._core.define import op
from ..ops.nn.activation import _elu
from ..ops.nn.softmax import log_softmax_ext
from ._dialect import FUNCTIONAL, MINT, SPECIAL, in_place, or_in_place

FUNCTIONAL.share("hardshrink hardsigmoid hardswish mish prelu selu sigmoid softplus softshrink tanh")
FUNCTIONAL.face(or_in_place(_elu), "elu(input, alpha=1.0, inplace=False)")
FUNCTIONAL.face(ops.gelu, "gelu(input, *, approximate='none')")
FUNCTIONAL.face(ops.glu, "glu(input, dim=-1)")
FUNCTIONAL.face(or_in_place(ops.hardtanh), "hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False)")
FUNCTIONAL.face(ops.leaky_relu, "leaky_relu(input, negative_slope=0.01)", negative_slope="alpha")
FUNCTIONAL.face(log_softmax_ext, "log_softmax(input, dim=None, *, dtype=None)")
FUNCTIONAL.face(ops.logsigmoid, "logsigmoid(input)")
FUNCTIONAL.face(or_in_place(FUNCTIONAL.face(ops.relu, "_relu(input)")), "relu(input, inplace=False)")
FUNCTIONAL.face(or_in_place(ops.relu6), "relu6(input, inplace=False)")
FUNCTIONAL.face(or_in_place(ops.silu), "silu(input, inplace=False)")
FUNCTIONAL.face(or_in_place(ops.threshold), "threshold(input, threshold, value, inplace=False)", threshold="thr")
MINT.face(ops.softmax, "softmax(input, dim, *, dtype=None)")
SPECIAL.share("log_softmax", FUNCTIONAL)

_ELU = "\n        alpha (float): the factor below 0. Default: ``1.0``."
_BOUNDS = "\n        min_val, max_val (int | float): the bounds. Default: ``-1``, ``1``."
_THRESHOLD = "\n        threshold, value (int | float): elements that are not above the first become the second."
in_place(
    FUNCTIONAL,
    "elu_(input: Array, alpha: Real = 1.0)",
    _elu,
    "mint.nn.functional.elu_(Tensor([2.0])).tolist()",
    "[2.0]",
    phrase="`elu`",
    arguments=_ELU,
)
in_place(
    FUNCTIONAL,
    "hardtanh_(input: Array, min_val: Real = -1, max_val: Real = 1)",
    ops.hardtanh,
    "mint.nn.functional.hardtanh_(Tensor([2.0])).tolist()",
    "[1.0]",
    arguments=_BOUNDS,
)
in_place(FUNCTIONAL, "relu_(input: Array)", ops.relu, "mint.nn.functional.relu_(Tensor([-2.0])).tolist()", "[0.0]")
in_place(
    FUNCTIONAL, "sigmoid_(input: Array)", ops.sigmoid, "mint.nn.functional.sigmoid_(Tensor([0.0])).tolist()", "[0.5]"
)
in_place(
    FUNCTIONAL,
    "threshold_(input: Array, threshold: Real, value: Real)",
    ops.threshold,
    "mint.nn.functional.threshold_(Tensor([1.0, 3.0]), 2, 0).tolist()",
    "[0.0, 3.0]",
    arguments=_THRESHOLD,
)


@op(dialect=FUNCTIONAL)
def softmax(input: Array, dim: Axis | None = None, dtype: Dtype | None = None):
    """Softmax: exponentials along ``dim``, divided by their sum.

    Args:
        input (Tensor): any shape, a float dtype, or any if ``dtype`` is given.
        dim (int | None): Default: ``None``, which is 0 for ranks 0, 1 and 3, else 1.
        dtype (mindspore.dtype | None): to which ``input`` is cast first. Default: ``None``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> mint.nn.functional.softmax(Tensor([[0.0, 0.0]])).tolist()
        [[0.5, 0.5]]
    Source: mindspore.mint.nn.functional.softmax
    """
    return ops.softmax(input, (0 if input.ndim in (0, 1, 3) else 1) if dim is None else dim, dtype=dtype)


MODULES[softmax.op] = MODULES[ops.softmax.op]
