"""Registers a Cell's hooks. `calling` runs forward hooks, ``msgrad.autodiff.custom`` backward hooks."""

import itertools
import weakref
from typing import Any

from ...autodiff import saved_tensors_hooks
from ...engine.calls import staging
from ...engine.refusal import refuse, require
from ...tensor.parameter import Parameter
from .part import Part

_ids = itertools.count()
_MSG_IN_GRAPH = (
    "Failed to compile in GRAPH_MODE: hooks of a Cell are not {} in 'construct' or a function of jit. Do it before the "
    "call."
)


class HookHandle:
    """The handle of a registered hook; `remove` removes the hook.

    Source: mindspore.common.hook_handle.HookHandle
    """

    def __init__(self, cell=None, registry: Any = None):
        self._cell = None if cell is None else weakref.ref(cell)
        self._registry = registry
        self.handle_id = next(_ids)

    def remove(self):
        """Removes the hook; does nothing the second time.

        Raises:
            RuntimeError: in a graph.
        Example:
            >>> handle = net.register_forward_hook(lambda cell, inputs, output: output * 2)
            >>> handle.remove()
        """
        if staging.is_in_graph():
            raise RuntimeError(_MSG_IN_GRAPH.format("removed"))
        cell = self._cell and self._cell()
        if cell is not None and self._registry.pop(self.handle_id, None) is not None:
            cell._refresh_fast_path_()
            staging.invalidate()


class Hook:
    """A registered hook and its call options."""

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
        self.parameter = None  # a function; each Parameter may have its own as ``_forward_hook``
        self.saved = None  # the pack and unpack hooks

    def __bool__(self):
        return any((self.forward_pre, self.forward, self.backward_pre, self.backward, self.parameter, self.saved))


class HookMethods(Part):
    """The part of Cell that registers hooks."""

    def register_forward_pre_hook(self, hook_fn, *, prepend=False, with_kwargs=False):
        """Registers ``hook_fn(cell, inputs) -> None | new inputs``, called before ``construct``.

        Args:
            hook_fn (function): gets the positional inputs as a tuple; its result, if not None, replaces them (a
                single value means a tuple of one).
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
        return self._add_hook_("forward_pre", Hook(hook_fn, with_kwargs), prepend)

    def register_forward_hook(self, hook_fn, *, prepend=False, with_kwargs=False, always_call=False):
        """Registers ``hook_fn(cell, inputs, output) -> None | new output``, called after ``construct``.

        On a Cell with a ``bprop`` this has no effect: the returned handle does nothing.

        Args:
            hook_fn (function): its result, if not None, replaces the output.
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
        return self._add_hook_("forward", Hook(hook_fn, with_kwargs, always_call), prepend)

    def register_backward_pre_hook(self, hook_fn):
        """Registers ``hook_fn(cell, grad_output) -> None | new grad_output`` on the gradient of the output.

        Args:
            hook_fn (function): gets and returns a tuple of Tensors; a bare Tensor means a tuple of one.
        Returns:
            HookHandle.
        Raises:
            TypeError: if ``hook_fn`` cannot be called.
        Example:
            >>> handle = net.register_backward_pre_hook(lambda cell, grad_output: (grad_output[0] * 2,))
        Source: mindspore.nn.Cell.register_backward_pre_hook
        """
        return self._add_hook_("backward_pre", Hook(hook_fn))

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
        return self._add_hook_("backward", Hook(hook_fn))

    def register_parameter_forward_hook(self, hook):
        """Replaces the Parameters of this Cell and its sub-cells by a function of them, in GRAPH_MODE and `jit`.

        In PYNATIVE_MODE it has no effect, as in MindSpore. Parameters in lists and tuples are not replaced.

        Args:
            hook (function | list[dict]): a function of a Parameter that returns a Tensor, for all Parameters; or rows
                ``{"params": [Parameter, ...], "hook": function}``, which take precedence for their Parameters.
        Raises:
            TypeError: for anything else.  ValueError: if a row lacks a key.
        Example:
            >>> net.register_parameter_forward_hook(lambda parameter: parameter * 2)
        Source: mindspore.nn.Cell.register_parameter_forward_hook
        """
        if not isinstance(hook, list):
            self._hooks_().parameter = _function(hook)
        elif hook:
            for parameter, function in list(_of_rows(hook)):
                parameter._forward_hook = function
            self._hooks_().parameter = self._hooks_().parameter or _unchanged
        self._hooks_changed_()

    def register_saved_tensors_hooks(self, pack_hook, unpack_hook):
        """Applies `mindspore.saved_tensors_hooks` to the values that ``construct`` saves for the backward pass.

        Args:
            pack_hook, unpack_hook (function): as for `mindspore.saved_tensors_hooks`.
        Raises:
            TypeError: if a hook is not callable; at the call in GRAPH_MODE.
        Example:
            >>> net.register_saved_tensors_hooks(lambda x: x.asnumpy(), Tensor)
        Source: mindspore.nn.Cell.register_saved_tensors_hooks
        """
        saved_tensors_hooks(pack_hook, unpack_hook)
        self._hooks_().saved = pack_hook, unpack_hook
        self._hooks_changed_()

    def _hooks_(self) -> Any:
        if self._cell_hooks_ is None:
            self.__dict__["_cell_hooks_"] = Hooks()
        return self._cell_hooks_

    def _hooks_changed_(self):
        self._refresh_fast_path_()
        staging.invalidate()

    def _add_hook_(self, kind, hook, is_first=False):
        if staging.is_in_graph():
            raise RuntimeError(_MSG_IN_GRAPH.format("registered"))
        if not callable(hook.fn):
            refuse(TypeError, "Cell", "hook_fn", "a function", hook.fn)
        registry = getattr(self._hooks_(), kind)
        handle = HookHandle(self, registry)
        later = dict(registry) if is_first else {}
        if is_first:
            registry.clear()
        registry[handle.handle_id] = hook
        registry.update(later)
        self._hooks_changed_()
        return handle


def _function(hook):
    if not callable(hook):
        expected = "a function, or a list of dicts that have one"
        refuse(TypeError, "register_parameter_forward_hook", "hook", expected, hook)
    return hook


def _unchanged(parameter):
    return parameter


def _of_rows(rows):
    """The pairs of a Parameter and its hook in the rows of `register_parameter_forward_hook`."""
    owner = "register_parameter_forward_hook"
    for row in rows:
        require(row, dict, owner, "hook's row")
        if not {"params", "hook"} <= row.keys():
            refuse(ValueError, owner, "hook's row", "a dict with the keys 'params' and 'hook'", list(row))
        for parameter in row["params"]:
            yield require(parameter, Parameter, owner, "params"), _function(row["hook"])
