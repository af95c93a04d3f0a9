"""Registration of hooks on Tensors; `backward` runs them."""

import itertools

from ..engine import staging
from ..engine.handle import Promise

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
    home = state.trace
    source = home.owner.leaf_handles[~home.links[~state.index]]
    return tensor if source is None else source
