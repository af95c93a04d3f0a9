"""Hooks on gradients: recorded as Programs of their own, so that they run inside the compiled backward pass.

A hook is recorded when the function it was registered in has been: then the gradient that it gets can be computed if it
wants to look at its value, and the recorded hook is attached to the hooked value wherever that value was used.
"""

import itertools

from ..engine import execute, staging
from ..engine.handle import Handle, Promise, scope
from ..engine.trace import Trace
from ..engine.transform import Hook, Vjp

_MSG_NOT_CALLABLE = "Expected a callable hook function, but got {}."
_ids = itertools.count()


class TensorHookHandle:
    """Removes a Tensor's hook again.

    Example:
        >>> handle = x.register_hook(lambda grad: grad * 2)
        >>> handle.remove()
    Source: mindspore.Tensor.register_hook
    """

    def __init__(self, registry, key):
        self._registry = registry
        self._key = key

    def remove(self):
        """Takes the hook away; gradients computed from now on do not pass it."""
        if self._registry.pop(self._key, None) is not None:
            staging.invalidate()


_TensorHookHandle = TensorHookHandle


def register(tensor, hook):
    """Registers ``hook(gradient) -> new gradient or None`` on a Tensor.

    On a value computed in an open recording the hook belongs to that value; on any other Tensor (an input, a Parameter)
    it belongs to the object, until it is removed.
    """
    if not callable(hook):
        raise TypeError(_MSG_NOT_CALLABLE.format(f"{type(hook).__name__}"))
    state = tensor.state()
    if type(state) is Promise and state.index < 0 and not staging.Policy.staged:
        tensor = _source(state, tensor)  # a stand-in: the hook belongs to the input itself
    if type(state) is Promise and (state.index >= 0 or staging.Policy.staged):
        registry = state.trace.hooks.setdefault(state.index, {})
    else:
        registry = tensor._hooks = tensor._hooks or {}
        staging.invalidate()
    key = next(_ids)
    registry[key] = hook
    return TensorHookHandle(registry, key)


def _source(state, tensor):
    source = state.trace.leaf_handles[~state.index]
    return tensor if source is None else source


class _GradientTrace(Trace):
    """The recording of a hook: its placeholder is the gradient, which is computed when the hook looks at it."""

    def __init__(self, site, outer, gradient):
        super().__init__(site, outer)
        self.gradient = gradient

    def placeholder_value(self, position):
        return self.gradient()


def collect(trace, outs, given, cotangents):
    """Records the hooks of a recorded function, last value first, as its backward pass would meet them.

    Args:
        trace (Trace): the open recording.
        outs (tuple[int]): the differentiated outputs.
        given (bool): whether cotangents are given, and ``cotangents`` (list of Handle) which.
    Returns:
        tuple of ``(index, Hook)``.
    """
    registries = dict(trace.hooks)
    for position, handle in enumerate(trace.leaf_handles):
        if handle is not None and handle._hooks:
            registries[~position] = {**handle._hooks, **registries.get(~position, {})}
    if not registries:
        return ()
    rules = []
    for index in sorted(registries, reverse=True):
        for hook in list(registries[index].values()):

            def gradient(index=index, rules=tuple(rules)):
                op = Vjp.of(trace.step, (), (index,), outs, rules, given)
                leaves = [trace.leaf_value(position) for position in range(op.leaf_count)]
                return execute.launch_transform(op, leaves + [c.array() for c in cotangents], "hook")[0]

            rule = _recorded(trace, index, hook, gradient)
            if rule is not None:
                rules.append((index, rule))
    return tuple(rules)


def _recorded(trace, index, hook, gradient):
    inner = scope.trace = _GradientTrace("hook", trace, gradient)
    try:
        placeholder = inner.placeholder(trace.aval_of(index))
        result = hook(placeholder)
        if result is None:
            return None
        if not isinstance(result, Handle):
            error = TypeError if staging.Policy.staged else RuntimeError
            raise error(f"Tensor hook should be return Tensor, but get type: {type(result).__name__}.")
        out = inner.place(result)
    finally:
        scope.trace = trace
    return Hook.of(inner.step, out, links_of(inner, trace))


def links_of(inner, trace):
    """Where the leaves of a rule recorded inside ``trace`` come from, as `Hook` and `Rule` take them."""
    links = []
    for position, (state, handle) in enumerate(zip(inner.leaf_states, inner.leaf_handles, strict=True)):
        if state is None:
            links.append(("cotangent", position))
        else:
            links.append(("value", trace.place(handle, state)))
    return tuple(links)
