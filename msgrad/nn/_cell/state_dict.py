"""Buffers, and a Cell's state as a dict."""

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import Any, TypeVar

from ...engine.refusal import refuse, require, shown
from ...tensor.tensor import Tensor
from .hooks import HookHandle
from .part import Part
from .summary import is_taken

_EXTRA_STATE = "_extra_state"

MSG_NO_INIT = (
    "\nCell.__init__ has not run. Begin your __init__ with it:\n    def __init__(self):\n        super().__init__()"
)
MSG_TAKEN = (
    "For '{}', the name '{}' belongs to another attribute of the Cell. Choose another name, or delete that first."
)
_MSG_EXTRA = (
    "The class '{}' has no state besides Parameters and buffers: it overrides neither of the two extra_state methods."
)


_MSG_POSITIONAL = "For 'state_dict', give the arguments by name: state_dict(destination=..., prefix=...)."


def check_name(name, owner, argument):
    """Raises KeyError unless ``name`` is a valid member name: not empty, without a dot."""
    if not name or "." in name:
        refuse(KeyError, owner, argument, "a name without a dot, and not empty", name)


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The names missing in the dict of `load_state_dict`, and its unexpected ones."""

    __slots__ = ()

    def __repr__(self):
        if self.missing_keys or self.unexpected_keys:
            return super().__repr__()
        return "<All keys matched successfully>"


class StateDict(Part):
    """The methods of Cell for buffers (Tensors that are state but not Parameters) and state dicts."""

    T_destination = TypeVar("T_destination", bound=dict)  # the class of the dict that ``state_dict`` returns

    def register_buffer(self, name, tensor, persistent=True):
        """Registers ``tensor`` as a buffer: state that is saved with the Cell but not trained.

        Args:
            name (str): the attribute's name, without a dot.
            tensor (Tensor | None): the value.
            persistent (bool): whether ``state_dict`` holds it. Default: ``True``.
        Raises:
            TypeError: if ``name`` is not a str or ``tensor`` not a Tensor.  KeyError: if the name is invalid or taken.
        Example:
            >>> cell.register_buffer("count", Tensor([0.0]))
        Source: mindspore.nn.Cell.register_buffer
        """
        if "_buffers" not in self.__dict__:
            raise AttributeError(f"For 'register_buffer', the Cell cannot hold a buffer yet.{MSG_NO_INIT}")
        check_name(require(name, str, "register_buffer", "name"), "register_buffer", "name")
        if is_taken(self, name) and name not in self._buffers:
            raise KeyError(MSG_TAKEN.format("register_buffer", name))
        if tensor is not None and not isinstance(tensor, Tensor):
            refuse(TypeError, "register_buffer", "tensor", "a Tensor or None", tensor)
        self._buffers[name] = tensor
        if persistent:
            self._transient_buffers_.discard(name)
        else:
            self._transient_buffers_.add(name)

    def get_sub_cell(self, target):
        """The sub-cell at a path such as ``'encoder.0'``; ``''`` is the Cell itself.

        Returns:
            Cell.
        Raises:
            AttributeError: if there is none, or the attribute is not a Cell.
        Example:
            >>> nn.SequentialCell(nn.ReLU()).get_sub_cell("0")
            ReLU()
        Source: mindspore.nn.Cell.get_sub_cell
        """
        cell = self
        for name in target.split(".") if target else ():
            if not hasattr(cell, name):
                raise AttributeError(f"{cell.cls_name} has no attribute `{name}`")
            cell = getattr(cell, name)
            if not isinstance(cell, StateDict):
                raise AttributeError(f"`{name}` is not an nn.Cell")
        return cell

    def get_buffer(self, target) -> Tensor:
        """The buffer at a path such as ``'norm.count'``.

        Raises:
            AttributeError: if there is none.
        Example:
            >>> cell.register_buffer("count", Tensor([0.0]))
            >>> cell.get_buffer("count").shape
            (1,)
        Source: mindspore.nn.Cell.get_buffer
        """
        path, _, name = target.rpartition(".")
        cell = self.get_sub_cell(path)
        if not hasattr(cell, name):
            raise AttributeError(f"{cell.cls_name} has no attribute `{name}`")
        if name not in cell._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return cell._buffers[name]

    def named_buffers(self, prefix="", recurse=True, remove_duplicate=True) -> Iterator[tuple[str, Tensor]]:
        """Yields ``(path, buffer)``.

        Args:
            prefix (str): put before each path. Default: ``''``.
            recurse (bool): whether to include the sub-cells'. Default: ``True``.
            remove_duplicate (bool): whether to yield a buffer that is registered twice only once. Default: ``True``.
        Source: mindspore.nn.Cell.named_buffers
        """
        seen = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, self)]:
            for name, buffer in cell._buffers.items():
                if buffer is None or (remove_duplicate and id(buffer) in seen):
                    continue
                seen.add(id(buffer))
                yield (f"{path}.{name}" if path else name), buffer

    def buffers(self, recurse=True) -> Iterator[Tensor]:
        """Yields the buffers; see `named_buffers`. Source: mindspore.nn.Cell.buffers"""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_extra_state(self):
        """Override it to add further state to the state dict. Source: mindspore.nn.Cell.get_extra_state"""
        raise RuntimeError(_MSG_EXTRA.format(type(self).__name__))

    def set_extra_state(self, state):
        """Override it to read that state back. Source: mindspore.nn.Cell.set_extra_state"""
        raise RuntimeError(_MSG_EXTRA.format(type(self).__name__))

    def state_dict(self, *args, destination=None, prefix="", keep_vars=False):
        """The Parameters and persistent buffers by path, not copied.

        Args:
            args: the other arguments by position, which MindSpore warns of.
            destination (dict): if given, it is filled and returned.
            prefix (str): put before each path. Default: ``''``.
            keep_vars (bool): without effect, as in MindSpore: Tensors carry no history. Default: ``False``.
        Returns:
            OrderedDict.
        Example:
            >>> list(nn.Dense(2, 3).state_dict())
            ['weight', 'bias']
        Source: mindspore.nn.Cell.state_dict
        """
        if args:
            warnings.warn(_MSG_POSITIONAL, FutureWarning, stacklevel=2)
            given: tuple[Any, ...] = (*args, *(destination, prefix, keep_vars)[len(args) :])
            destination, prefix, keep_vars = given
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()  # what MindSpore's hooks are given: a dict for each Cell
        state, metadata = destination, getattr(destination, "_metadata", {})
        cells = list(_paths(self))
        metadata |= {(prefix + path)[:-1]: {} for path, _ in cells}
        for path, cell in cells:
            for hook in list(cell._hooks_of_("_state_dict_pre_hooks").values()):
                hook(cell, prefix + path, keep_vars)
            for name, member in cell._own_state_():
                state[prefix + path + name] = member
            if type(cell).get_extra_state is not StateDict.get_extra_state:
                state[prefix + path + _EXTRA_STATE] = cell.get_extra_state()
        for path, cell in reversed(cells):
            for hook in list(cell._hooks_of_("_state_dict_hooks").values()):
                _without_result(hook(cell, state, prefix + path, metadata[(prefix + path)[:-1]]), "state_dict")
        return state

    def load_state_dict(self, state_dict, strict=True):
        """Writes the Tensors of a state dict into the Parameters and buffers, cast to their dtypes.

        Args:
            state_dict (dict): Tensors by path, as `state_dict` returns them.
            strict (bool): whether missing and unknown paths are errors. Default: ``True``.
        Returns:
            a pair ``(missing_keys, unexpected_keys)`` of lists of str.
        Raises:
            TypeError: if ``state_dict`` is not a dict.
            RuntimeError: if paths or shapes do not match; then nothing has been written.
        Example:
            >>> net.load_state_dict(other.state_dict())
            <All keys matched successfully>
        Source: mindspore.nn.Cell.load_state_dict
        """
        require(state_dict, dict, "load_state_dict", "state_dict")
        missing, unexpected, errors = [], [], []
        metadata = getattr(state_dict, "_metadata", {})
        state_dict, cells = OrderedDict(state_dict), list(_paths(self))
        for path, cell in cells:
            for hook in list(cell._hooks_of_("_load_state_dict_pre_hooks").values()):
                hook(cell, state_dict, path, metadata.get(path[:-1], {}), True, missing, unexpected, errors)
        targets = dict(_targets(cells))
        missing += [key for key in targets if key not in state_dict]
        unexpected += [key for key in state_dict if key not in targets]
        present = [(key, target, state_dict[key]) for key, target in targets.items() if key in state_dict]
        writes = [(key, target, value) for key, target, value in present if isinstance(target, Tensor)]
        errors += [problem for write in writes if (problem := _misfit(*write))]
        if strict:
            for problem, keys in (("of no Parameter here", unexpected), ("that is missing", missing)):
                if keys:
                    errors.insert(0, f"a path {problem}: {', '.join(keys)}")
        if errors:
            lines = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {self.cls_name}:\n\t{lines}")
        for _, member, value in writes:
            member._write_(value if value.dtype == member.dtype else value.astype(member.dtype))
        for _, target, value in present:
            if not isinstance(target, Tensor):
                target.set_extra_state(value)
        incompatible = _IncompatibleKeys(missing, unexpected)
        for _, cell in reversed(cells):
            for hook in list(cell._hooks_of_("_load_state_dict_post_hooks").values()):
                _without_result(hook(cell, incompatible), "load_state_dict")
        return incompatible

    def register_state_dict_pre_hook(self, hook):
        """Calls ``hook(cell, prefix, keep_vars)`` before `state_dict` reads this Cell; returns a handle.

        Source: mindspore.nn.Cell.register_state_dict_pre_hook
        """
        return self._registered_("_state_dict_pre_hooks", hook)

    def register_state_dict_post_hook(self, hook):
        """Calls ``hook(cell, state_dict, prefix, {})`` when `state_dict` has all of this Cell; returns a handle.

        Example:
            >>> handle = cell.register_state_dict_post_hook(lambda cell, state, prefix, _: state.clear())
            >>> list(cell.state_dict())
            []
            >>> handle.remove()
        Source: mindspore.nn.Cell.register_state_dict_post_hook
        """
        return self._registered_("_state_dict_hooks", hook)

    def register_load_state_dict_pre_hook(self, hook):
        """Calls ``hook(cell, state_dict, prefix, {}, True, missing, unexpected, errors)`` before a dict is loaded.

        It may change the dict, a copy, and the lists. Returns a handle.
        Source: mindspore.nn.Cell.register_load_state_dict_pre_hook
        """
        return self._registered_("_load_state_dict_pre_hooks", hook)

    def register_load_state_dict_post_hook(self, hook):
        """Calls ``hook(cell, (missing_keys, unexpected_keys))`` when a dict has been loaded; returns a handle.

        Source: mindspore.nn.Cell.register_load_state_dict_post_hook
        """
        return self._registered_("_load_state_dict_post_hooks", hook)

    def _hooks_of_(self, kind):
        return self.__dict__.get(kind, {})

    def _registered_(self, kind, hook):
        handle = HookHandle(self, self.__dict__.setdefault(kind, {}))
        self.__dict__[kind][handle.handle_id] = hook
        return handle

    def _own_state_(self):
        """The Parameters and persistent buffers of this Cell alone, by attribute name."""
        for registry in (self._params, self._buffers):
            for name, member in registry.items():
                if member is not None and name not in self._transient_buffers_:
                    yield name, member


def _paths(cell, path=""):
    """Pairs of every Cell and its path with a final dot; a shared Cell once for each path."""
    yield path, cell
    for name, child in cell._cells.items():
        if child is not None:
            yield from _paths(child, f"{path}{name}.")


def _targets(cells):
    """Pairs of each key of a state dict and what reads its value: a Parameter, a buffer, or a Cell with extra state."""
    for path, cell in cells:
        for name, member in cell._own_state_():
            yield path + name, member
        if type(cell).set_extra_state is not StateDict.set_extra_state:
            yield path + _EXTRA_STATE, cell


def _misfit(key, member, value):
    """Why ``value`` cannot be loaded into ``member`` (str), or None."""
    if not isinstance(value, Tensor):
        return f"'{key}' must be a Tensor, but is {shown(value)}"
    if value.shape != member.shape:
        return f"'{key}' must have the shape {member.shape}, but has {value.shape}"
    return None


def _without_result(result, owner):
    if result is not None:
        raise RuntimeError(
            f"For '{owner}', a hook that is called afterwards must return None, but got {shown(result)}."
        )
