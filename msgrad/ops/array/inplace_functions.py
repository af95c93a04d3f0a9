"""In-place functions, equivalent to the methods of `inplace`."""

from .._core.define import composite
from .._core.faces import METHODS
from .._core.families import body
from . import inplace  # noqa: F401  the methods that the rows name
from .stop_gradient import stop_gradient

_DOC = """`{plain}` in place.

    Args:
        {arguments}
    Returns:
        {result}
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> {example}
        {value}
    Source: mindspore.ops.{name}
    """
_INPUT = "input (Tensor): what to write to."


def _row(text, method, plain, example, value, arguments=_INPUT, result="Tensor, ``input``."):
    """Defines a function that calls a Tensor method, or a function of the Tensor."""
    run = METHODS[method] if isinstance(method, str) else method
    fields = {"plain": plain, "example": example, "value": value, "arguments": arguments, "result": result}
    return composite()(body(text, run, _DOC, **fields))


def _stop(input):
    input._write_(stop_gradient(input))


_row("tanh_(input: Array)", "tanh_", "tanh", "ops.tanh_(Tensor([0.0])).tolist()", "[0.0]")
_row("erfinv_(input: Array)", "erfinv_", "erfinv", "ops.erfinv_(Tensor([0.0])).tolist()", "[0.0]")
_row("inplace_sigmoid(input: Array)", "sigmoid_", "sigmoid", "ops.inplace_sigmoid(Tensor([0.0])).tolist()", "[0.5]")
_row(
    "clamp_(input: Array, min=None, max=None)",
    "clamp_",
    "clamp",
    "ops.clamp_(Tensor([1.0, 5.0]), 2, 3).tolist()",
    "[2.0, 3.0]",
    arguments=f"{_INPUT}\n        min, max (Tensor | Number | None): the bounds, at least one. Default: ``None``.",
)
_row(
    "stop_gradient_(input: Array)",
    _stop,
    "stop_gradient",
    "ops.stop_gradient_(Tensor([2.0])) is None",
    "True",
    result="None; from then on ``input`` is a constant, through which no gradient flows.",
)
