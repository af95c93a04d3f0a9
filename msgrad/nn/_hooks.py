"""Registration of a Cell's hooks. Forward ones run in `_calling`, backward ones in ``msgrad.autodiff.custom``."""

import itertools
import weakref

from ..engine import staging
from ..engine.refusal import refuse

_ids = itertools.count()


class HookHandle:
    """What registering a hook returns; `remove` takes the hook away again.

    Source: mindspore.common.hook_handle.HookHandle
    """

    def __init__(self, cell=None, registry=None):
        self._cell = None if cell is None else weakref.ref(cell)
        self._registry = registry
        self.handle_id = next(_ids)

    def remove(self):
        """Removes the hook; does nothing the second time.

        Example:
            >>> handle = net.register_forward_hook(lambda cell, inputs, output: output * 2)
            >>> handle.remove()
        """
        cell = self._cell and self._cell()
        if cell is not None and self._registry.pop(self.handle_id, None) is not None:
            cell._refresh_fast_path()
            staging.invalidate()


class Hook:
    """A registered hook and how it wants to be called."""

    __slots__ = ("fn", "with_kwargs", "always_call")

    def __init__(self, fn, with_kwargs=False, always_call=False):
        self.fn = fn
        self.with_kwargs = with_kwargs
        self.always_call = always_call


class Hooks:
    """The hooks of one Cell, in the order in which they run."""

    def __init__(self):
        self.forward_pre = {}
        self.forward = {}
        self.backward_pre = {}
        self.backward = {}

    def __bool__(self):
        return bool(self.forward_pre or self.forward or self.backward_pre or self.backward)


class Hooked:
    """The part of Cell that registers hooks."""

    def register_forward_pre_hook(self, hook_fn, *, prepend=False, with_kwargs=False):
        """Registers ``hook_fn(cell, inputs) -> None | new inputs``, called before ``construct``.

        Args:
            hook_fn (function): gets the positional inputs as a tuple; what it returns, if not None, replaces them (a
                single value is taken for a tuple of one).
            prepend (bool): whether it runs before the hooks registered earlier. Default: ``False``.
            with_kwargs (bool): call it as ``hook_fn(cell, args, kwargs)``, for None or ``(new args, new kwargs)``.
                Default: ``False``.
        Returns:
            HookHandle.
        Raises:
            TypeError: if ``hook_fn`` cannot be called.
        Example:
            >>> handle = net.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 2,))
        Source: mindspore.nn.Cell.register_forward_pre_hook
        """
        return self._add_hook("forward_pre", Hook(hook_fn, with_kwargs), prepend)

    def register_forward_hook(self, hook_fn, *, prepend=False, with_kwargs=False, always_call=False):
        """Registers ``hook_fn(cell, inputs, output) -> None | new output``, called after ``construct``.

        A Cell with a ``bprop`` takes none: the handle returned does nothing.

        Args:
            hook_fn (function): what it returns, if not None, replaces the output.
            prepend (bool): whether it runs before the hooks registered earlier. Default: ``False``.
            with_kwargs (bool): call it as ``hook_fn(cell, args, kwargs, output)``. Default: ``False``.
            always_call (bool): call it with output None when ``construct`` raises, too. Default: ``False``.
        Returns:
            HookHandle.
        Raises:
            TypeError: if ``hook_fn`` cannot be called.
        Example:
            >>> handle = net.register_forward_hook(lambda cell, inputs, output: output * 2)
        Source: mindspore.nn.Cell.register_forward_hook
        """
        if self.has_bprop:
            return HookHandle()
        return self._add_hook("forward", Hook(hook_fn, with_kwargs, always_call), prepend)

    def register_backward_pre_hook(self, hook_fn):
        """Registers ``hook_fn(cell, grad_output) -> None | new grad_output`` on the gradient of the output.

        Args:
            hook_fn (function): gets and returns a tuple of Tensors; a bare Tensor is taken for a tuple of one.
        Returns:
            HookHandle.
        Raises:
            TypeError: if ``hook_fn`` cannot be called.
        Example:
            >>> handle = net.register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 2,))
        Source: mindspore.nn.Cell.register_backward_pre_hook
        """
        return self._add_hook("backward_pre", Hook(hook_fn))

    def register_backward_hook(self, hook_fn):
        """Registers ``hook_fn(cell, grad_input, grad_output) -> None | new grad_input``.

        Args:
            hook_fn (function): gets the gradients of the Tensor inputs and of the output, as tuples; it returns None or
                a gradient for each Tensor input.
        Returns:
            HookHandle.
        Raises:
            TypeError: if ``hook_fn`` cannot be called.
        Example:
            >>> handle = net.register_backward_hook(lambda cell, grad_input, grad_output: (grad_input[0] * 2,))
        Source: mindspore.nn.Cell.register_backward_hook
        """
        return self._add_hook("backward", Hook(hook_fn))

    def _add_hook(self, kind, hook, is_first=False):
        if not callable(hook.fn):
            refuse(TypeError, "Cell", "hook_fn", "a function", hook.fn)
        if self._cell_hooks is None:
            self.__dict__["_cell_hooks"] = Hooks()
        registry = getattr(self._cell_hooks, kind)
        handle = HookHandle(self, registry)
        others = dict(registry) if is_first else {}
        if is_first:
            registry.clear()
        registry[handle.handle_id] = hook
        registry.update(others)
        self._refresh_fast_path()
        staging.invalidate()
        return handle
