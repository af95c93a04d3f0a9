"""Custom reverse rules: ``Cell.bprop``, ``custom_vjp``, ``_Function``, gradient hooks of Cells, ``recompute``."""

import inspect

from .. import _upcalls
from ..engine.calls.pure import guarded
from ..engine.errors import describe
from ..engine.handle import Handle, scope
from ..engine.pytrees import items_of, leaves_in, like, mapped, tensors_in
from ..engine.recording import record
from ..engine.recording.record import is_differentiating
from ..engine.recording.results import wrap
from ..engine.recording.trace import apply
from ..engine.transforms.transform import IDENTITY, Call, Checkpoint
from ..tensor.broadcasting import can_broadcast
from ..tensor.tensor import Tensor
from . import backward
from ._check import MSG_NO_BROADCAST
from .events import has_events
from .mode_rules import mode_rules
from .record import Recording

_MSG_TOO_FEW = "A reverse rule must return a gradient for each of {1} inputs, but returned {0}."


def call_with_rule(forward, pull, args, site, parameters=(), is_deep=True, is_sparse=lambda: False):
    """Calls ``forward(*args)`` with ``pull(args, output, cotangent)`` as its reverse rule.

    Args:
        forward (callable): the function.
        pull (callable): gets the arguments as ``forward`` got them, the output, and the cotangent in the output's
            structure; it returns a sequence of one gradient (or None) for each argument, in the argument's structure,
            then for each of ``parameters``.
        args (tuple): the arguments.
        site (str): its name in messages.
        parameters (sequence of Parameter): what else the rule gives gradients for.
        is_deep (bool): whether gradients flow to the Tensors in containers among the arguments, too.
        is_sparse (callable): called after ``forward``: whether an unused output's cotangent is None instead of zeros.
    Returns:
        What ``forward`` returns.
    """
    with record.part(site, opaque=True) as trace:
        stand_in = Recording(trace).stand_in
        inner = tuple([mapped(stand_in, arg) if is_deep or isinstance(arg, Handle) else arg for arg in args])
        arg_leaves = [_leaf_indices(arg, trace) if is_deep or isinstance(arg, Handle) else None for arg in inner]
        output = _fresh(forward(*inner))
        trace.join()
        out = mapped(lambda tensor: wrap(tensor._state_()), output)  # a copy, since the Tensors may be written to later
        outs = [trace.place(tensor) for tensor in tensors_in(out)]
        owned = [trace.place(parameter) for parameter in parameters]
        shapes = [trace.aval_of(~position)[0] for position in range(len(trace.leaf_states))]

        def rule(cotangents):
            gradients = {}
            for index, gradient in _matched(arg_leaves, owned, pull(inner, out, _cotangent(out, iter(cotangents)))):
                fitted = _fitted(gradient, shapes[~index])
                gradients[~index] = gradients[~index] + fitted if ~index in gradients else fitted
            return gradients

        op = Call.of(trace.step, trace.live_indices())
    backward.defer(trace, op, outs, rule, is_sparse())
    return output


def _leaf_indices(arg, trace):
    """The index of a Tensor's leaf; for a pytree with Tensors a list of such; None for anything else."""
    if isinstance(arg, Handle):
        return trace.place(arg)
    return [_leaf_indices(leaf, trace) for leaf in leaves_in(arg)] if tensors_in(arg) else None


def _matched(arg_leaves, owned, gradients):
    """Pairs of the index of a leaf and its gradient, as a rule returned it.

    Args:
        arg_leaves (list): of each argument, what `_leaf_indices` gives.
        owned (list of int): the leaves of the Parameters that the rule gives gradients for, besides the arguments.
        gradients (sequence): what the rule returned.
    """
    flat = []
    for k, gradient in enumerate(gradients):
        flat += leaves_in(gradient) if k < len(arg_leaves) and isinstance(arg_leaves[k], list) else [gradient]
    wanted = leaves_in(arg_leaves)
    if len(flat) < len(wanted):
        raise RuntimeError(_MSG_TOO_FEW.format(len(flat), len(wanted)))
    pairs = zip([*wanted, *owned], flat, strict=False)
    return [(index, gradient) for index, gradient in pairs if index is not None and index < 0 and gradient is not None]


def _fresh(output):
    """``output`` with each Tensor replaced by a new value: a returned input then has a separate cotangent."""
    return mapped(lambda tensor: apply(IDENTITY, (tensor,)), output)


def _cotangent(output, cotangents):
    """The pytree of an output with each Tensor replaced by the next of ``cotangents``, anything else by None."""
    if isinstance(output, Handle):
        return next(cotangents)
    items = items_of(output)
    return None if items is None else like(output, [_cotangent(item, cotangents) for item in items])


def call_bprop(cell, args, kwargs):
    """Calls a Cell whose ``bprop`` gives its gradient."""
    if not is_differentiating():
        return guarded(cell.construct(*args, **kwargs), f"the bprop of '{type(cell).__name__}'")
    if kwargs or mode_rules().binds_bprop:
        bound = inspect.signature(cell.construct).bind(*args, **kwargs)
        bound.apply_defaults()
        args = bound.args

    parameters = tuple(getattr(cell, "internal_params", ())) if mode_rules().binds_bprop else ()

    def pull(inner, output, cotangent):
        gradients = cell.bprop(*inner, output, cotangent)
        return mode_rules().check_gradients(gradients, (*inner, *parameters), type(cell).__name__)

    return call_with_rule(cell.construct, pull, args, type(cell).__name__, parameters)


def _call_primitive(compute, rule, args, name):
    """Calls a user-defined Primitive whose ``bprop`` gives its gradient."""
    if not is_differentiating():
        return guarded(compute(*args), f"the bprop of '{name}'")

    def pull(inner, output, cotangent):
        return mode_rules().check_gradients(rule(*inner, output, cotangent), inner, name)

    return call_with_rule(compute, pull, args, name)


_upcalls.fill(called_with_rule=_call_primitive)


def _fitted(gradient, shape):
    """The gradient that a rule returned for a Tensor of ``shape``, summed over broadcast axes to that shape."""
    if isinstance(gradient, (bool, int, float)):
        gradient = Tensor(gradient)
    if not isinstance(gradient, Handle):
        raise TypeError(f"A reverse rule must return Tensors, numbers or None, but returned {type(gradient).__name__}.")
    gradient_shape = gradient.aval[0]
    if gradient_shape == shape:
        return gradient
    if not can_broadcast(shape, gradient_shape):
        raise RuntimeError(MSG_NO_BROADCAST.format(gradient_shape, shape))
    extra = len(gradient_shape) - len(shape)
    stretched = [extra + axis for axis, size in enumerate(shape) if size == 1]
    return gradient.sum((*range(extra), *stretched)).reshape(shape)


def call_recomputed(cell, args, kwargs):
    """Calls a Cell with rematerialization (``jax.checkpoint``): the backward pass recomputes intermediate values."""
    return recomputed(cell.construct, args, kwargs, type(cell).__name__)


def recomputed(fn, args, kwargs, site):
    """Calls ``fn`` under ``jax.checkpoint``."""
    if not is_differentiating():
        return fn(*args, **kwargs)
    saving, scope.saving = scope.saving, None  # it keeps nothing for a backward pass
    try:
        with record.part(site) as trace:
            output = fn(*args, **kwargs)
            trace.join()
            keep = trace.live_indices()
    finally:
        scope.saving = saving
    if has_events(trace):  # its hooks and rules see gradients that have values
        backward.put(trace, Call.of(trace.step, keep), anew=True)
    else:
        record.emit(trace, Checkpoint.of(trace.step, keep))
    return output


def call_hooked(cell, fn, args):
    """Calls ``fn(*args)``, a Cell's forward pass, and applies the Cell's backward hooks to its gradients."""
    if not is_differentiating():
        return guarded(fn(*args), f"the backward hooks of '{type(cell).__name__}'")
    with record.part(type(cell).__name__) as trace:
        recording = Recording(trace)
        output = recording.call(lambda *inner: _fresh(fn(*inner)), args, {}, range(len(args)))
        trace.join()
        outs = tuple([trace.place(tensor) for tensor in tensors_in(output)])
        inputs = list(recording.inputs.values())
        op = Call.of(trace.step, trace.live_indices())

    def through_hooks(cotangents, pull):
        return _through_hooks(cell, trace, outs, inputs, cotangents, pull)

    backward.put(trace, op, outs, through_hooks)
    return output


def _through_hooks(cell, trace, outs, inputs, cotangents, pull):
    """The gradients by operand of a recorded call of ``cell``, through the Cell's backward hooks.

    ``pull`` records the gradients by operand for cotangents of the outputs.
    """
    registered = cell._cell_hooks_
    grad_output = tuple(cotangents)
    for hook in list(registered.backward_pre.values()):
        result = hook.fn(cell, grad_output)
        if result is not None:
            grad_output = _fitting(result, [trace.aval_of(index) for index in outs], "hook_backward_pre_grad")
    gradients = pull(grad_output)
    grad_input = tuple([gradients.get(~index) for index in inputs])
    for hook in list(registered.backward.values()):
        result = hook.fn(cell, grad_input, grad_output)
        if result is not None:
            grad_input = _fitting(result, [trace.aval_of(index) for index in inputs], "hook_backward_grad")
    gradients.update({~index: g for index, g in zip(inputs, grad_input, strict=True) if ~index in gradients})
    return gradients


def _fitting(result, avals, hook):
    """Converts the result of a Cell's hook to a tuple with a gradient for each of ``avals``."""
    gradients = result if isinstance(result, tuple) else (result,)
    if len(gradients) != len(avals):
        raise TypeError(f"For '{hook}', the hook must return {len(avals)} gradients, but returned {len(gradients)}.")
    for gradient, aval in zip(gradients, avals, strict=True):
        if not isinstance(gradient, Handle):
            kind = type(gradient).__name__
            raise TypeError(f"For '{hook}', the hook must return Tensors or None, but returned {kind}.")
        if gradient.aval != aval:
            raise ValueError(
                f"For '{hook}', the hook must return a gradient like its Tensor, {describe([aval])}, but returned "
                f"{describe([gradient.aval])}."
            )
    return gradients
