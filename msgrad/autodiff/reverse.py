"""Reverse mode with a cotangent given later: ``vjp`` and ``nn.Vjp`` over ``jax.vjp``."""

import inspect
import warnings
from typing import Any

from ..engine.calls import staging
from ..engine.execution import execute
from ..engine.handle import Handle, scope
from ..engine.recording import record
from ..engine.recording.results import wrap
from ..engine.transforms import chain
from ..engine.transforms.transform import Call
from ._check import MSG_AUX, check_aux_flag, check_function, split_aux
from .backward import put
from .events import has_events
from .forward import as_tuple
from .gradients import choose_outputs, matched, nested_like, pullback, weights_in
from .record import Recording, mapped, tensors_in


def vjp(fn, *inputs, weights=None, has_aux=False) -> tuple[Any, ...]:
    """Computes ``fn(*inputs)`` and the function that pulls cotangents back.

    The MindSpore 1.6 form ``vjp(fn, (x, y), v) -> (output, gradients)`` is recognised by its arguments: a tuple of as
    many inputs as ``fn`` takes, followed by the cotangent.

    Args:
        fn (Cell | function): what to differentiate.
        inputs (Tensor | tuple): the point.
        weights (Parameter | list | tuple | None): Parameters to differentiate by as well. Default: ``None``.
        has_aux (bool): only the first output is differentiated, the others are returned. Default: ``False``.
    Returns:
        tuple: ``(output, pull)``, with aux ``(output, pull, aux)``. ``pull(*cotangents)`` gives a tuple of one gradient
        for each Tensor input, and ``(that, by weights)`` with weights.
    Raises:
        TypeError: if an input is not a Tensor or tuple.  ValueError: if ``has_aux`` finds a single output.
    Example:
        >>> output, pull = ms.vjp(lambda x: x * x, Tensor([3.0]))
        >>> pull(Tensor([1.0]))[0].tolist()
        [6.0]
    Source: mindspore.vjp, mindspore.ops.vjp
    """
    check_aux_flag(has_aux)
    if _is_first_form(fn, inputs, weights):
        return _vjp_at(fn, as_tuple(inputs[0]), inputs[1])
    for value in inputs:
        if not isinstance(value, (Handle, tuple, list)):
            raise TypeError("The inputs must be Tensors, or tuples or lists of Tensors.")
    check_function(fn, "vjp", TypeError)
    if staging.Policy.staged:  # the graph of `pull` computes the function again
        output = staging.call(fn, inputs, {}, execute.site_of(fn)[0], staging.Memo())
        recorded = None
    else:
        output, recorded = _recorded(fn, inputs, has_aux)
    value, aux = split_aux(output, has_aux, MSG_AUX)
    return (value, _Pull(fn, inputs, weights, has_aux, recorded), *aux)


def _recorded(fn, inputs, has_aux):
    """The computed output of ``fn``, and its Recording, to be differentiated later."""
    with record.part(execute.site_of(fn)) as trace:
        recording = Recording(trace)
        output = recording.call(fn, inputs, {}, range(len(inputs)))
        value, _ = split_aux(output, has_aux, MSG_AUX)
        choose_outputs(recording, value)
        recording.outputs = tensors_in(mapped(lambda tensor: wrap(tensor._state_()), value))
        segments = chain.Chain(trace, ()) if chain.is_wanted(trace) else None
        if segments is None:
            recording.join()
            op = Call.of(trace.step, trace.live_indices())
    if segments is not None:
        segments.compute()
    elif scope.trace is not None and has_events(trace):
        trace.is_kept = True
        put(trace, op)  # an outer gradient runs the hooks and rules when it flows through the output
    else:
        record.emit(trace, op, forget=False)
    trace.writes.clear()  # the function's assignments happen once, here
    return output, recording


def _is_first_form(fn, inputs, weights):
    """Whether a call of `vjp` has the form of MindSpore 1.6: ``(inputs, v)``, inputs being what ``fn`` takes."""
    if len(inputs) != 2 or weights is not None or not isinstance(inputs[0], (tuple, list)):
        return False
    if not isinstance(inputs[1], (Handle, tuple, list)):
        return False
    try:
        signature = inspect.signature(getattr(fn, "construct", fn))
        signature.bind(*inputs[0])
    except (TypeError, ValueError):
        return False
    return (
        len(inputs[0]) == sum(p.default is p.empty for p in signature.parameters.values())
        and len(inputs[0]) != 2
        or (len(inputs[0]) == 2 and all(isinstance(item, Handle) for item in inputs[0]))
    )


def gradients_of_call(fn, inputs, cotangent, weights, has_aux, writes=True):
    """``(output, gradients by input, gradients by weight)`` for one cotangent; ``writes``: keep what ``fn`` writes."""
    with record.part(execute.site_of(fn)) as trace:
        recording = Recording(trace)
        output = recording.call(fn, inputs, {}, range(len(inputs)))
        value, _ = split_aux(output, has_aux, MSG_AUX)
        choose_outputs(recording, value, cotangent)
        if not writes and not recording.takes_over:
            trace.rollback()
            trace.writes.clear()
        pulled = pullback(recording, weights_in(weights) if weights is not None else ())
    by_input, by_weight = pulled.run()
    return output, tuple([by_input[k] for k in sorted(by_input)]), by_weight


class _Pull:
    """The function that `vjp` returns: cotangents to gradients."""

    recorded: Any

    def __init__(self, fn, inputs, weights, has_aux, recorded):
        self.fn = fn
        self.recorded = recorded  # the Recording of the first call, or None
        self.inputs = inputs
        self.weights = weights
        self.has_aux = has_aux
        self.calls = 0
        self.memo = staging.Memo()

    def __call__(self, *cotangents):
        if not cotangents or not all(isinstance(c, (Handle, tuple, list, dict)) for c in cotangents):
            raise TypeError("The inputs must be Tensors, or tuples or lists of Tensors.")
        self.calls += 1
        if self.calls == 2 and not staging.Policy.staged:
            warnings.warn(
                "The function that 'vjp' returned is called again, and computes the forward pass again.",
                RuntimeWarning,
                stacklevel=2,
            )
        cotangent = cotangents[0] if len(cotangents) == 1 else cotangents
        if self.recorded is None:
            # `vjp` has called the function: its state, such as BatchNorm's statistics, has been updated already.
            arguments = self.fn, self.inputs, cotangent, self.weights, self.has_aux
            _, by_input, by_weight = gradients_of_call(*arguments, writes=False)
        else:
            by_input, by_weight = self._first(cotangent)
        if self.weights is None:
            return by_input
        return by_input, nested_like(self.weights, by_weight)

    def _first(self, cotangent):
        recording, weights = self.recorded, self.weights
        recording.cotangents = matched(cotangent, recording.outputs)
        self.recorded = None
        recording.trace.outer = scope.trace
        pulled = pullback(recording, weights_in(weights) if weights is not None else ())
        by_input, by_weight = pulled.run()
        return tuple([by_input[k] for k in sorted(by_input)]), by_weight


def _vjp_at(fn, inputs, cotangent):
    output, by_input, _ = gradients_of_call(fn, inputs, cotangent, None, False)
    return output, (by_input[0] if len(by_input) == 1 else by_input)


class Vjp:
    """A network with its pullback: ``Vjp(network)(*inputs, v)``.

    Args:
        fn (Cell | function): the network.
        The call takes the inputs and then ``v``: a Tensor for one output, a tuple for several.
    Returns:
        tuple: ``(output, gradients)``; bare for one input, a tuple for several.
    Example:
        >>> output, gradient = nn.Vjp(nn.ReLU())(Tensor([1.0, -1.0]), Tensor([2.0, 2.0]))
        >>> gradient.tolist()
        [2.0, 0.0]
    Source: mindspore.nn.Vjp
    """

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, *args):
        return _vjp_at(self.fn, args[:-1], args[-1])
