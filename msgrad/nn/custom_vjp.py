"""``custom_vjp``: a function and its reverse rule."""

from typing import Any

from ..autodiff.custom import call_with_rule
from ..autodiff.mode_rules import mode_rules
from ..engine.calls.pure import guarded
from ..engine.recording.record import is_differentiating
from .cell import Cell


class custom_vjp(Cell):
    """A function with a user-defined reverse rule, as a Cell; a decorator.

    ``f.defbwd(bwd)`` sets the rule ``bwd(*inputs, out, dout)``, which returns one gradient for each input.

    Raises:
        TypeError: when it is differentiated without a rule.
    Example:
        >>> @custom_vjp
        ... def f(x):
        ...     return x * x
        >>> f.defbwd(lambda x, out, dout: (dout * 5,))
        >>> ms.grad(f)(Tensor([3.0])).tolist()
        [5.0]
    Source: mindspore.ops.function.grad.grad_func.custom_vjp
    """

    def __init__(self, fn):
        super().__init__()
        self.fn = fn
        self.bwd: Any = None
        self.__name__ = fn.__name__
        self.__wrapped__ = fn

    def defbwd(self, bwd):
        """Sets the reverse rule ``bwd(*inputs, out, dout)``."""
        self.bwd = bwd

    def construct(self, *args):
        """Calls the function; inside a gradient, with the rule."""
        if not is_differentiating():
            return guarded(self.fn(*args), f"the custom_vjp of '{self.__name__}'")
        if self.bwd is None:
            raise TypeError(
                f"For 'custom_vjp', the function '{self.__name__}' has no rule yet. Give it one: "
                f"{self.__name__}.defbwd(rule), with rule(*inputs, out, dout)."
            )

        def backward(inner, output, cotangent):
            return mode_rules().check_gradients(self.bwd(*inner, output, cotangent), inner, self.__name__)

        return call_with_rule(self.fn, backward, args, self.__name__)
