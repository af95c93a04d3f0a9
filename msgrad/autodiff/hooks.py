"""Registers hooks on Tensors; `backward` runs them."""

import itertools

from ..engine.calls import staging
from ..engine.calls.pure import guarded
from ..engine.handle import Promise
from ..engine.recording.links import number_of_leaf
from ..ops._core.faces import attach

_MSG_NOT_CALLABLE = "For 'register_hook', the 'hook' must be a function, but got {}."
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
        """Removes the hook: gradients computed from now on do not call it."""
        if self._registry.pop(self._key, None) is not None:
            staging.invalidate()


_TensorHookHandle = TensorHookHandle


def register_hook(self, hook):
    """Registers ``hook(gradient) -> new gradient or None`` on this Tensor's gradient.

    On a value computed in an open recording the hook belongs to that value; on any other Tensor (an input, a Parameter)
    it belongs to the object, until it is removed.

    Args:
        hook (function): None keeps the gradient.
    Returns:
        A handle whose ``remove()`` removes the hook.
    Raises:
        TypeError: if ``hook`` cannot be called.
    Example:
        >>> x = Tensor([1.0])
        >>> handle = x.register_hook(lambda gradient: gradient * 2)
        >>> mindspore.grad(lambda x: x.sum())(x).tolist()
        [2.0]
    Source: mindspore.Tensor.register_hook
    """
    if not callable(hook):
        raise TypeError(_MSG_NOT_CALLABLE.format(f"{type(hook).__name__}"))
    stand_ins = [] if staging.Policy.staged else _sources(self)
    tensor = stand_ins[-1] if stand_ins else self
    state = tensor._state_()
    if type(state) is Promise and (staging.Policy.staged or not _stands_for_itself(tensor, state)):
        registry = state.trace.hooks.setdefault(state.index, {})
        identity = guarded(tensor, "a hook of register_hook")
        if identity is not tensor:
            tensor._write_(identity)
    else:
        registry = tensor._hooks = tensor._hooks or {}
        staging.invalidate()
    for each in stand_ins:  # a gradient with respect to one of them runs the hook as well
        each._hooks = registry
    key = next(_ids)
    registry[key] = hook
    return TensorHookHandle(registry, key)


def hooks(self):
    """The hooks registered on this Tensor by `register_hook` and not removed.

    Returns:
        list of functions.
    Example:
        >>> x = Tensor([1.0])
        >>> x.hooks()
        []
    Source: mindspore.Tensor.hooks
    """
    return list((self._hooks or {}).values())


attach(register_hook, "register_hook")
attach(hooks, "hooks")


def _sources(tensor):
    """``tensor`` and the arguments of recorded functions that it stands for, from the innermost function outwards."""
    sources = [tensor]
    while True:
        state = sources[-1]._state_()
        if type(state) is not Promise or state.index >= 0:
            return sources
        source = _leaf_of(state)
        if source is None or source is sources[-1]:  # an input that is not replaced, such as a Parameter
            return sources
        sources.append(source)


def _leaf_of(state):
    """The Tensor that the leaf with this Promise came from."""
    return state.trace.owner.leaf_handles[number_of_leaf(state.trace.link_of(state.index))]


def _stands_for_itself(tensor, state):
    """Whether ``tensor``, with this state, is an input that the recording does not replace, such as a Parameter."""
    return state.index < 0 and _leaf_of(state) is tensor
