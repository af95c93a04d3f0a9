"""Custom reverse rules: ``Cell.bprop``, ``custom_vjp``, ``_Function``, gradient hooks of Cells, ``recompute``.

The function and its rule are both recorded; JAX gets them as one ``jax.custom_vjp`` of two Programs. A rule that looks
at values (prints a gradient, branches on it) runs in Python during an uncompiled backward pass instead.
"""

import inspect

import jax
import jax.numpy as jnp

from ..engine import record
from ..engine.handle import Handle, scope
from ..engine.record import is_differentiating
from ..engine.staging import Policy
from ..engine.trace import Trace, apply
from ..engine.transform import IDENTITY, Checkpoint, HostRule, Rule, is_inexact
from ..tensor.tensor import Tensor
from ._check import MSG_NO_BROADCAST, vector
from .record import Recording, mapped, tensors_in


class _NeedsValue(BaseException):
    """A rule looks at a value while it is recorded."""


class _RuleTrace(Trace):
    def placeholder_value(self, position):
        raise _NeedsValue("The value of a cotangent is needed while its rule is recorded.")


def call_with_rule(forward, backward, args, site, parameters=()):
    """Calls ``forward(*args)`` with ``backward(args, output, cotangent)`` as its reverse rule.

    Args:
        forward (callable): the function.
        backward (callable): gets the arguments as ``forward`` got them, the output, and the cotangent in the output's
            nest; it returns a sequence of one gradient (or None) for each argument, then for each of ``parameters``.
        args (tuple): the arguments; gradients flow to the Tensors among them.
        site (str): its name in messages.
        parameters (sequence of Parameter): what else the rule gives gradients for.
    Returns:
        What ``forward`` returns.
    """
    with record.part(site, opaque=True) as trace:
        recording = Recording(trace)
        inner, output = recording.call(lambda *inner: (inner, _fresh(forward(*inner))), args, {}, range(len(args)))
        op = _recorded_rule(recording, inner, output, backward, parameters)
        if op is None:
            op = _host_rule(recording, inner, output, backward)
        del inner
    record.emit(trace, op)
    return output


def _fresh(output):
    """``output`` with each Tensor as a value of its own, so that an input returned as it is has its own cotangent."""
    return mapped(lambda tensor: apply(IDENTITY, (tensor,)), output)


def _recorded_rule(recording, inner, output, backward, parameters):
    """The `Rule` of a recorded function, or None when ``backward`` needs values."""
    trace = recording.trace
    inner_trace = scope.trace = _RuleTrace(trace.site, trace)
    outs = {}
    try:

        def placeholder(tensor):
            made = inner_trace.placeholder(tensor.aval)
            outs[len(inner_trace.leaf_states) - 1] = tensor
            return made

        gradients = backward(inner, output, mapped(placeholder, output))
        given = []
        for position, index in recording.inputs.items():
            if isinstance(gradients[position], Handle):
                given.append((~index, inner_trace.place(gradients[position])))
        for parameter, gradient in zip(parameters, gradients[len(inner) :], strict=False):
            index = trace.place(parameter)
            if isinstance(gradient, Handle) and index < 0:
                given.append((~index, inner_trace.place(gradient)))
    except _NeedsValue:
        return None
    finally:
        scope.trace = trace
    links = []
    for position, (state, handle) in enumerate(zip(inner_trace.leaf_states, inner_trace.leaf_handles, strict=True)):
        if state is None:
            links.append(("cotangent", trace.place(outs[position])))
        else:
            links.append(("value", trace.place(handle, state)))
    del gradients, placeholder
    return Rule.of(trace.step, recording.live(), inner_trace.step, tuple(links), tuple(given))


def _host_rule(recording, inner, output, backward):
    trace = recording.trace
    outs = [trace.place(tensor) for tensor in tensors_in(output)]
    places = {position: ~index for position, index in recording.inputs.items()}
    template = [None if position in places else value for position, value in enumerate(inner)]
    program = trace.step.close()
    nest = mapped(lambda tensor: None, output)

    def reverse(leaves, seeds):
        args = list(template)
        for position, leaf in places.items():
            args[position] = Tensor._wrap(leaves[leaf])
        values = iter([Tensor._wrap(value) for value in program.replay(leaves, outs)])
        cotangents = iter([Tensor._wrap(seeds[index]) for index in outs])
        gradients = backward(tuple(args), _refilled(nest, values), _refilled(nest, cotangents))
        result = [None] * len(leaves)
        for position, leaf in places.items():
            if isinstance(gradients[position], Handle):
                result[leaf] = gradients[position].array()
        return result

    return HostRule.of(trace.step, recording.live(), outside_of_recordings(reverse))


def _refilled(nest, tensors):
    """``nest`` with the next of ``tensors`` in place of each None."""
    if nest is None:
        return next(tensors)
    if type(nest) in (tuple, list):
        return type(nest)([_refilled(item, tensors) for item in nest])
    return nest


def outside_of_recordings(fn):
    """``fn``, run as if no recording were open: its operations happen at once."""

    def run(*args):
        trace, scope.trace = scope.trace, None
        try:
            return fn(*args)
        finally:
            scope.trace = trace

    return run


def call_bprop(cell, args, kwargs):
    """Calls a Cell whose ``bprop`` gives its gradient."""
    if not is_differentiating():
        return cell.construct(*args, **kwargs)
    if kwargs or not Policy.staged:
        bound = inspect.signature(cell.construct).bind(*args, **kwargs)
        bound.apply_defaults()
        args = bound.args

    def backward(inner, output, cotangent):
        return _checked(cell.bprop(*inner, output, cotangent), inner, cell)

    parameters = () if Policy.staged else tuple(getattr(cell, "internal_params", ()))
    return call_with_rule(cell.construct, backward, args, type(cell).__name__, parameters)


def _checked(gradients, inner, cell):
    if Policy.staged and not isinstance(gradients, tuple):
        raise TypeError(f"For bprop function, output should be a tuple, but got {type(gradients).__name__}.")
    gradients = tuple(gradients) if isinstance(gradients, (tuple, list)) else (gradients,)
    if not gradients and not Policy.staged:
        raise RuntimeError("Hook fn grad output is empty!")
    if len(gradients) < len(inner):
        if Policy.staged:
            raise RuntimeError(
                "The output size of the 'bprop' must match the number of parameters in its corresponding primal "
                f"function '{type(cell).__name__}()' : {len(gradients)} vs. {len(inner)}."
            )
        raise RuntimeError(f"Grad size should lager than forward inputs, but got {len(gradients)} vs {len(inner)}")
    for gradient, value in zip(gradients, inner, strict=False):
        if isinstance(gradient, Handle) and isinstance(value, Handle):
            _check_shape(gradient.aval[0], value.aval[0])
    return gradients


def _check_shape(shape, expected):
    if shape != expected and not (len(shape) == 0 or shape == (1,)):
        raise RuntimeError(MSG_NO_BROADCAST.format(vector(shape), vector(expected)))


def call_recomputed(cell, args, kwargs):
    """Calls a Cell whose intermediate values are computed anew in the backward pass (``jax.checkpoint``)."""
    return recomputed(cell.construct, args, kwargs, type(cell).__name__)


def recomputed(fn, args, kwargs, site):
    """Calls ``fn`` under ``jax.checkpoint``."""
    if not is_differentiating():
        return fn(*args, **kwargs)
    with record.part(site, opaque=True) as trace:
        output = fn(*args, **kwargs)
        op = Checkpoint.of(trace.step, tuple([promise.index for promise in trace.live()]))
    record.emit(trace, op)
    return output


def call_hooked(cell, fn, args):
    """Calls ``fn(*args)``, a Cell's forward pass, with the Cell's backward hooks on its gradients.

    The hooks are Python functions that users write to look at gradients; they run during an uncompiled backward pass.
    """
    if not is_differentiating():
        return fn(*args)
    with record.part(type(cell).__name__) as trace:
        recording = Recording(trace)
        output = recording.call(lambda *inner: _fresh(fn(*inner)), args, {}, range(len(args)))
        outs = [trace.place(tensor) for tensor in tensors_in(output)]
        inputs = [~index for index in recording.inputs.values()]
        program = trace.step.close()

        def reverse(leaves, seeds):
            return _through_hooks(cell, program, outs, inputs, leaves, seeds)

        op = HostRule.of(trace.step, recording.live(), outside_of_recordings(reverse))
    record.emit(trace, op)
    return output


def _through_hooks(cell, program, outs, inputs, leaves, seeds):
    registered = cell._cell_hooks
    grad_output = tuple([Tensor._wrap(seeds[index]) for index in outs])
    for hook in list(registered.backward_pre.values()):
        result = hook.fn(cell, grad_output)
        if result is not None:
            grad_output = result if isinstance(result, tuple) else (result,)
    active = [i for i, leaf in enumerate(leaves) if is_inexact(leaf.dtype)]

    def forward(*values):
        operands = list(leaves)
        for i, value in zip(active, values, strict=True):
            operands[i] = value
        return program.replay(operands, outs)

    results, pull = jax.vjp(forward, *[leaves[i] for i in active])
    pulled = pull([jnp.asarray(g.array(), r.dtype) for g, r in zip(grad_output, results, strict=True)])
    gradients = dict(zip(active, pulled, strict=True))
    grad_input = tuple([Tensor._wrap(gradients.get(i, jnp.zeros_like(leaves[i]))) for i in inputs])
    for hook in list(registered.backward.values()):
        result = hook.fn(cell, grad_input, grad_output)
        if result is None:
            continue
        result = result if isinstance(result, tuple) else (result,)
        if len(result) != len(grad_input):
            what = "input size" if Policy.staged else "expect grad input size"
            raise TypeError(
                f"The backward hook return value size is {len(result)} not equal to {what} {len(grad_input)}"
            )
        grad_input = result
    for i, gradient in zip(inputs, grad_input, strict=True):
        if i in gradients:
            gradients[i] = gradient.array()
    return [gradients.get(i) for i in range(len(leaves))]
