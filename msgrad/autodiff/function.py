"""User-defined rules as objects: ``_Function``, ``InsertGradientOf``, ``HookBackward``, ``recompute``."""

import inspect

from ..engine.calls.pure import guarded
from ..engine.handle import Handle, scope
from ..engine.recording.record import is_differentiating
from ..engine.recording.trace import apply
from ..engine.refusal import refuse
from ..engine.transforms.transform import IDENTITY
from ._check import check_recompute_hint
from .custom import call_with_rule, recomputed
from .record import zeros_of

_MSG_BACKWARD = (
    "The 'backward' of '{}' must return a gradient for each of the {} inputs of its 'forward', but returned {}."
)


class Function:
    """A differentiable function given by its forward and backward pass.

    A subclass defines the static methods ``forward(ctx, *args)`` and ``backward(ctx, *gradients)``; the latter returns
    one gradient for each argument of the former, None for other objects than Tensors. ``ctx`` keeps what the two share:
    ``save_for_backward`` / ``saved_tensors``, any attribute, and ``needs_input_grad``. With a static method
    ``setup_context(ctx, inputs, output)`` the forward pass takes no ``ctx``.

    Example:
        >>> class Double(ms._Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         return x * 2
        ...     @staticmethod
        ...     def backward(ctx, gradient):
        ...         return gradient * 2
        >>> ms.grad(lambda x: Double.apply(x))(Tensor([1.0])).tolist()
        [2.0]
    Source: mindspore._Function, mindspore.common._grad_function._Function
    """

    setup_context = None

    def __init__(self):
        self.saved_tensors = ()
        self.needs_input_grad = ()
        self._constants = []
        self._is_sparse = False

    @staticmethod
    def forward(ctx, *args, **kwargs):
        """The forward pass; a subclass defines it."""
        raise NotImplementedError("A subclass of _Function must define the static method forward(ctx, *inputs).")

    @staticmethod
    def backward(ctx, *grad_outputs):
        """The backward pass; a subclass defines it."""
        raise NotImplementedError("A subclass of _Function must define the static method backward(ctx, *gradients).")

    def save_for_backward(self, *tensors):
        """Keeps Tensors for the backward pass, as ``saved_tensors``."""
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        """Declares outputs through which no gradient flows."""
        self._constants = list(tensors)

    def _mark_outputs(self, output):
        """Stores which outputs of the forward pass were declared non-differentiable."""
        outputs = output if isinstance(output, (tuple, list)) else (output,)
        self._is_constant = [any(each is constant for constant in self._constants) for each in outputs]

    def mark_dirty(self, *tensors):
        """Declares inputs that the forward pass writes to. It has no effect: writes are always recorded."""

    def set_materialize_grads(self, value):
        """Whether the gradient of an unused output arrives as zeros, as it does by default, or as None."""
        self._is_sparse = not value

    @classmethod
    def apply(cls, *args, **kwargs):
        """Calls the function.

        Args: those of ``forward``, without ``ctx``.
        Returns:
            What ``forward`` returns.
        """
        ctx = cls()
        if cls.setup_context is not None:
            bound = inspect.signature(cls.forward).bind(*args, **kwargs)
            bound.apply_defaults()
            args, kwargs = bound.args, {}

        def forward(*inner):
            ctx.needs_input_grad = tuple(isinstance(value, Handle) for value in inner)
            if cls.setup_context is None:
                output = cls.forward(ctx, *inner, **kwargs)
            else:
                output = cls.forward(*inner)
                cls.setup_context(ctx, inner, output)
            ctx._mark_outputs(output)
            return output

        def backward(inner, output, cotangent):
            pairs = zip(ctx._is_constant, _pairs(output, cotangent), strict=True)
            gradients = cls.backward(ctx, *[zeros_of(o) if is_constant else c for is_constant, (o, c) in pairs])
            gradients = gradients if isinstance(gradients, (tuple, list)) else (gradients,)
            if len(gradients) < len(inner):
                raise RuntimeError(_MSG_BACKWARD.format(cls.__name__, len(inner), len(gradients)))
            return gradients

        if not is_differentiating():
            return guarded(forward(*args), f"the backward of '{cls.__name__}'")
        return call_with_rule(forward, backward, args, cls.__name__, is_deep=False, is_sparse=lambda: ctx._is_sparse)


def _pairs(output, cotangent):
    if isinstance(output, (tuple, list)):
        return list(zip(output, cotangent, strict=True))
    return [(output, cotangent)]


class InsertGradientOf:
    """The identity; in the backward pass ``f(gradient)`` replaces the gradient.

    Args:
        f (function): takes a Tensor and returns a Tensor, or None to keep the gradient.
    Example:
        >>> clip = ops.InsertGradientOf(lambda gradient: ops.clamp(gradient, -1.0, 1.0))
        >>> ms.grad(lambda x: clip(x) * 5)(Tensor([1.0])).tolist()
        [1.0]
    Source: mindspore.ops.InsertGradientOf
    """

    def __init__(self, f):
        self.f = f

    def __call__(self, x):
        if scope.trace is None:
            return x
        result = apply(IDENTITY, (x,))
        result.register_hook(self.f)
        return result


class HookBackward:
    """The identity; in the backward pass ``hook_fn((gradient,))`` may replace the gradient.

    Args:
        hook_fn (function): takes a tuple of one Tensor; returns a Tensor, a tuple of one, or None to keep the gradient.
        cell_id (str): a name for messages; without effect on the result. Default: ``""``.
    Raises:
        TypeError: if ``hook_fn`` is not a function, or an input is not a Tensor.
    Example:
        >>> double = ops.HookBackward(lambda gradient: gradient[0] * 2)
        >>> ms.grad(lambda x: double(x) * 3)(Tensor([1.0])).tolist()
        [6.0]
    Source: mindspore.ops.HookBackward
    """

    def __init__(self, hook_fn, cell_id=""):
        if not inspect.isfunction(hook_fn) and not inspect.ismethod(hook_fn):
            refuse(TypeError, "HookBackward", "hook_fn", "a function", hook_fn)
        self.hook_fn = hook_fn
        self.cell_id = cell_id

    def __call__(self, *inputs):
        for value in inputs:
            if not isinstance(value, Handle):
                refuse(TypeError, "HookBackward", "inputs", "Tensors", value)
        results = tuple([self._hooked(value) for value in inputs])
        return results[0] if len(results) == 1 else results

    def _hooked(self, value):
        if scope.trace is None:
            return value

        def hook(gradient):
            result = self.hook_fn((gradient,))
            result = result[0] if isinstance(result, tuple) else result
            if result is not None and not isinstance(result, Handle):
                name = getattr(self.hook_fn, "__name__", "hook_fn")
                raise TypeError(
                    f"The output type of function: {name}, a hook of HookBackward, must be a Tensor or None, but got "
                    f"{type(result).__name__}."
                )
            return result

        copy = apply(IDENTITY, (value,))
        copy.register_hook(hook)
        return copy


def recompute(block, *args, **kwargs):
    """Rematerialization: calls ``block``, whose intermediate values the backward pass recomputes instead of keeping.

    Args:
        block (Cell | function): what to call.
        args: its arguments.
        kwargs: its keyword arguments; hints for several devices (``mp_comm_recompute`` ...) have no effect.
    Returns:
        What ``block`` returns; values and gradients are the same.
    Raises:
        ValueError: if a keyword is none of ``block``'s.
    Example:
        >>> ms.recompute(net, x)
    Source: mindspore.recompute
    """
    parameters = inspect.signature(getattr(block, "construct", block)).parameters
    named = {name for name, p in parameters.items() if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}
    passed = {}
    for name, value in kwargs.items():
        if name in named:
            passed[name] = value
        else:
            check_recompute_hint(name)
    return recomputed(block, args, passed, getattr(block, "__name__", type(block).__name__))
