"""Custom reverse rules: ``Cell.bprop``, ``custom_vjp``, ``_Function``, gradient hooks of Cells, ``recompute``."""

import inspect

from ..engine import dtypes, record
from ..engine.handle import Handle, scope
from ..engine.lifting import is_inexact
from ..engine.record import is_differentiating
from ..engine.staging import Policy
from ..engine.trace import apply, wrap
from ..engine.transform import IDENTITY, Checkpoint, Custom, Vjp
from ..tensor.tensor import Tensor
from . import backward
from ._check import MSG_NO_BROADCAST, can_broadcast, vector
from .record import Recording, mapped, tensors_in


def call_with_rule(forward, pull, args, site, parameters=(), is_sparse=lambda: False):
    """Calls ``forward(*args)`` with ``pull(args, output, cotangent)`` as its reverse rule.

    Args:
        forward (callable): the function.
        pull (callable): gets the arguments as ``forward`` got them, the output, and the cotangent in the output's
            nest; it returns a sequence of one gradient (or None) for each argument, then for each of ``parameters``.
        args (tuple): the arguments; gradients flow to the Tensors among them.
        site (str): its name in messages.
        parameters (sequence of Parameter): what else the rule gives gradients for.
        is_sparse (callable): asked after ``forward``, whether the cotangent of an unused output is None, not zeros.
    Returns:
        What ``forward`` returns.
    """
    with record.part(site, opaque=True) as trace:
        recording = Recording(trace)
        inner, output = recording.call(lambda *inner: (inner, _fresh(forward(*inner))), args, {}, range(len(args)))
        trace.join()
        out = mapped(lambda tensor: wrap(tensor.state()), output)  # as it is now, whatever becomes of the Tensors
        operands = {position: ~index for position, index in recording.inputs.items()}
        owned = [~index for index in map(trace.place, parameters) if index < 0]
        shapes = {operand: trace.aval_of(~operand)[0] for operand in (*operands.values(), *owned)}

        def rule(cotangents):
            gradients = pull(inner, out, _refilled(out, iter(cotangents)))
            found = {operand: gradients[position] for position, operand in operands.items()}
            found.update(zip(owned, gradients[len(inner) :], strict=False))
            return {k: _fitted(found[k], shapes[k]) for k in found if found[k] is not None}

        emit = _prepared(trace, out, rule)
    emit(is_sparse())
    return output


def _prepared(trace, output, rule, keeps=False):
    """Prepares an open part, whose ``rule`` is recorded now or when the recording around it is differentiated.

    Returns:
        callable: puts the closed part into the recording around it.
    """
    outer = trace.outer
    outs = [trace.place(tensor) for tensor in tensors_in(output)]
    keep = tuple([promise.index for promise in trace.live()])
    if outer.deferred is None:
        op = backward.custom(trace, keep, outs, rule)
        return lambda is_sparse=False: record.emit(trace, op)
    op = Custom.of(trace.step, keep, None)

    def emit(is_sparse=False):
        record.emit(trace, op, forget=not keeps)
        first = outer.step.node.first
        places = tuple([outer.place(tensor) for tensor in tensors_in(output)])
        forget = trace.forget if keeps else _nothing
        outer.deferred.append(backward.Deferred(first, places, rule, is_sparse, forget))

    return emit


def _nothing():
    pass


def _fresh(output):
    """``output`` with each Tensor as a value of its own, so that an input returned as it is has its own cotangent."""
    return mapped(lambda tensor: apply(IDENTITY, (tensor,)), output)


def _refilled(nest, tensors):
    """``nest`` with the next of ``tensors`` in place of each Tensor."""
    if isinstance(nest, Handle):
        return next(tensors)
    if type(nest) in (tuple, list):
        return type(nest)([_refilled(item, tensors) for item in nest])
    return nest


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
    return gradients


def _fitted(gradient, shape):
    """What a rule returned for a Tensor of ``shape`` as a Tensor of that shape: what broadcasting added is summed."""
    if isinstance(gradient, (bool, int, float)):
        gradient = Tensor(gradient)
    if not isinstance(gradient, Handle):
        raise TypeError(f"Unreasonable data type: {type(gradient)}.")
    given = gradient.aval[0]
    if given == shape:
        return gradient
    if not can_broadcast(shape, given):
        raise RuntimeError(MSG_NO_BROADCAST.format(vector(given), vector(shape)))
    extra = len(given) - len(shape)
    stretched = [extra + axis for axis, size in enumerate(shape) if size == 1]
    return gradient.sum((*range(extra), *stretched)).reshape(shape)


def call_recomputed(cell, args, kwargs):
    """Calls a Cell whose intermediate values are computed anew in the backward pass (``jax.checkpoint``)."""
    return recomputed(cell.construct, args, kwargs, type(cell).__name__)


def recomputed(fn, args, kwargs, site):
    """Calls ``fn`` under ``jax.checkpoint``."""
    if not is_differentiating():
        return fn(*args, **kwargs)
    saving, scope.saving = scope.saving, None  # nothing in it is kept
    try:
        with record.part(site) as trace:
            output = fn(*args, **kwargs)
            trace.join()
            op = Checkpoint.of(trace.step, tuple([promise.index for promise in trace.live()]))
    finally:
        scope.saving = saving
    record.emit(trace, op)
    return output


def call_hooked(cell, fn, args):
    """Calls ``fn(*args)``, a Cell's forward pass, with the Cell's backward hooks on its gradients."""
    if not is_differentiating():
        return fn(*args)
    with record.part(type(cell).__name__, defers=True) as trace:
        recording = Recording(trace)
        output = recording.call(lambda *inner: _fresh(fn(*inner)), args, {}, range(len(args)))
        trace.join()
        out = mapped(lambda tensor: wrap(tensor.state()), output)
        outs = tuple([trace.place(tensor) for tensor in tensors_in(out)])
        inputs = list(recording.inputs.values())

        def rule(cotangents):
            return _through_hooks(cell, trace, outs, inputs, cotangents)

        emit = _prepared(trace, out, rule, keeps=True)
    emit()
    return output


def _through_hooks(cell, trace, outs, inputs, cotangents):
    """The gradients by operand of a recorded call of ``cell``, through the Cell's backward hooks."""
    registered = cell._cell_hooks
    grad_output = tuple(cotangents)
    for hook in list(registered.backward_pre.values()):
        result = hook.fn(cell, grad_output)
        if result is not None:
            grad_output = result if isinstance(result, tuple) else (result,)
            if len(grad_output) != len(outs):
                raise TypeError(
                    f"The backward pre hook return value size is {len(grad_output)} not equal to expect output size "
                    f"{len(outs)}"
                )
            _check_hooked(grad_output, [trace.aval_of(index) for index in outs], "hook_backward_pre_grad")
    gradients = _pulled(trace, outs, grad_output)
    grad_input = tuple([gradients.get(index) for index in inputs])
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
        _check_hooked(grad_input, [trace.aval_of(index) for index in inputs], "hook_backward_grad")
    gradients.update({index: g for index, g in zip(inputs, grad_input, strict=True) if index in gradients})
    return {~index: g for index, g in gradients.items()}


def _check_hooked(gradients, avals, hook):
    """Raises unless a Cell's hook returned gradients of the shapes and dtypes of what they belong to."""
    for gradient, (shape, dtype) in zip(gradients, avals, strict=True):
        if not isinstance(gradient, Handle):
            kind = type(gradient).__name__
            raise TypeError(f"The output type of function: {hook} should be a tensor but got {kind}.")
        if gradient.aval != (shape, dtype):
            expected, given = (f"Tensor shape:[{vector(s)}]{dtypes.of(d)}" for s, d in ((shape, dtype), gradient.aval))
            raise ValueError(
                f"The output type of function: {hook} is not consistent with the expected, it should be {expected}, "
                f"but got {given}"
            )


def _pulled(trace, outs, cotangents):
    """Records the gradients of a recorded part by all its leaves, in the recording that is open now."""
    inner = scope.trace
    wrt = tuple([~i for i in range(len(trace.leaf_states)) if is_inexact(trace.aval_of(~i)[1])])
    rules = backward.collect(trace, wrt, outs, True, cotangents)
    op = Vjp.of(trace.step, (), wrt, outs, rules, True)
    ids = [inner.place(handle, state) for handle, state in zip(trace.leaf_handles, trace.leaf_states, strict=True)]
    made = inner.record((op, (), *ids, *[inner.place(cotangent) for cotangent in cotangents]))
    return dict(zip(wrt, made, strict=True))
