"""Indexed reads and writes of a Tensor, and in-place writes of all of it."""

import weakref

from .._semantics.named_parts import has_name
from ..engine.calls import staging
from ..engine.foreign_tracing import is_tracer
from ..engine.handle import Handle, Promise, scope
from ..engine.recording.layout import part_of, whole
from ..engine.recording.views import are_shared, link, share
from ..engine.refusal import refuse
from . import indexing
from .arrays import taken

_PLAIN = {int, slice, type(None), type(...), bool}  # indices in which there is no array

_MSG_INPUT = (
    "For 'setitem', the Tensor is an input of the function that is being differentiated, which must not be written to. "
    "Work on a copy: x = x.copy()."
)


class _Part:
    """The origin of a Tensor that was indexed out of another one, so that ``x[0][1] = v`` reaches ``x``.

    MindSpore writes a changed part back to its origin. That matters only if the two do not share storage: for a part
    selected by a list or mask, a Tensor that got other storage by such a write, and in differentiated functions, where
    each write gives other storage. It keeps no Tensor alive; ``above`` is the origin of the other Tensor.

    In a graph only ``x[0][1] = v`` reaches ``x``: operations in place on a part change that alone.
    """

    __slots__ = ("owner", "shape", "above", "index")

    def __init__(self, owner, index):
        above = owner._part
        self.shape = owner.aval[0]
        self.owner = weakref.ref(owner)
        self.above = None if above is None or above.above is None and above.owner() is None else above
        self.index = index

    def put_back(self, tensor):
        """Writes ``tensor``, which an operation in place has changed, back to its owner, except in a graph."""
        if not staging.is_in_graph():
            self.write_back(tensor)

    def write_back(self, tensor):
        """Writes ``tensor``, the new value of this part, back to its owner, and that to its own owner."""
        part = self
        while part is not None:
            path, owner = [part], part.owner()
            while owner is None and part.above is not None:
                part = part.above
                path.append(part)
                owner = part.owner()
            if owner is None or owner.aval[0] != part.shape:  # it no longer exists, or has other data
                return
            if not _share(tensor, owner):
                holders = [owner]
                for each in path[:0:-1]:
                    holders.append(indexing.get(holders[-1], each.index))
                for each, holder in zip(path[:-1], holders[:0:-1], strict=True):
                    tensor = indexing.set(holder, each.index, tensor)
                _check_is_no_input(owner)
                owner._assign(path[-1].index, tensor)
            tensor, part = owner, owner._part


def _share(tensor, other):
    views = tensor._view, other._view
    return None not in views and views[0].storage is views[1].storage


class Writes(Handle):
    """The methods of Tensor for indexed reads and writes, and in-place writes of all of it."""

    __slots__ = ()

    def __getitem__(self, index):
        kind = type(index)
        if kind not in _PLAIN and not (kind is tuple and _PLAIN.issuperset(map(type, index))):
            index = taken(index)
        result, position = indexing.read(self, index)
        if result is self:
            return result
        trace = scope.trace
        if position is not None and (trace is None or trace.shares):
            view = self._view
            layout = part_of(whole(self.aval[0]) if view is None else view.layout, position)
            if layout is not None:
                link(self, result, layout)
        if index is not None and not (type(index) is slice and trace is not None and staging.is_in_graph()):
            result._part = _Part(self, index)
        return result

    def _cut(self, index):
        """``self[index]`` as for an operation: without the origin by which later writes are written back."""
        result = self[index]
        result._part = None
        return result

    def __setitem__(self, index, value):
        _check_is_no_input(self)
        if type(index) not in _PLAIN:
            index = taken(index)
        value = taken(value)
        if self._part is not None and self._view is None and staging.is_in_graph() and has_name(self):
            self._part = None
        self._assign(index, value)
        if self._part is not None:
            self._part.write_back(self)

    def _with_item(self, index, value):
        """A Tensor with the values of this one, but ``value`` at ``index``: ``x[index] = value`` in a graph."""
        index, value = taken(index), taken(value)
        if isinstance(value, (list, tuple)):
            self._check_sequence(index, value)
        return indexing.set(self, index, value)

    def _check_sequence(self, index, value):
        """Refuses a list for one element; in a graph one index, which is no tuple, may have it."""
        if (type(index) is tuple or not staging.is_in_graph()) and indexing.selects_one(index, self.aval[0]):
            refuse(ValueError, "setitem", "value", "a number or a Tensor, for one element", value)

    def _assign(self, index, value):
        """Writes to a part of this Tensor. As in MindSpore, this is in place for a basic index outside differentiated
        functions; otherwise the Tensor gets new storage, and views of the old storage are not updated."""
        is_sequence = isinstance(value, (list, tuple))
        if is_sequence:
            self._check_sequence(index, value)
        new, position = indexing.written(self, index, value)
        if new is self:
            return
        new, view = self._stored(new), self._view
        if scope.trace is not None:
            scope.trace.detach(self)  # in a graph, x[0] = v makes another Tensor
        if view is not None and staging.is_in_graph():
            view.write(self, new)
        elif are_shared() and _is_in_place(index, position) and not (is_sequence and type(index) is tuple):
            if view is None:
                self._become(new)
            else:
                view.write_part(self, new, position, lambda: indexing.get(new, index))
        else:
            if view is not None and self._part is not None and self._part.owner() is None:
                view.write(self, new)  # its origin is visible to others only
            self._leave_storage_()
            self._become(new)

    def _stored(self, value):
        """``value`` in the form in which this Tensor stores it."""
        return value

    def copy_(self, src, non_blocking=False):
        """Writes the values of ``src``, broadcast and cast, into this Tensor.

        Args:
            src (Tensor): a shape that broadcasts to this Tensor's.
            non_blocking (bool): without effect on the result. Default: ``False``.
        Returns:
            Tensor, this one.
        Raises:
            TypeError: if ``src`` is not a Tensor.  RuntimeError: if it does not broadcast.
        Example:
            >>> Tensor([1, 2]).copy_(Tensor([7.9, -8.9])).tolist()
            [7, -8]
        Source: mindspore.Tensor.copy_
        """
        src = taken(src)
        if not isinstance(src, Handle):
            refuse(TypeError, "copy_", "src", "a Tensor", src)
        try:
            values = src.astype(self.dtype).broadcast_to(self.shape)
        except ValueError:
            values = None
        if values is None:
            refuse(RuntimeError, "copy_", "src", f"of a shape that broadcasts to {self.shape}", src)
        self._write_(values)
        return self

    def assign_value(self, value):
        """Assigns the value, shape and dtype of another Tensor to this one; outside of Cells they share storage then.

        Args:
            value (Tensor): the new value.
        Returns:
            Tensor, this one.
        Raises:
            TypeError: if ``value`` is not a Tensor.
        Example:
            >>> Tensor([1, 2]).assign_value(Tensor([[0.5]])).tolist()
            [[0.5]]
        Source: mindspore.Tensor.assign_value, mindspore.Tensor.assign_value_cpp
        """
        value = taken(value)
        if not isinstance(value, Handle):
            refuse(TypeError, "assign_value", "value", "a Tensor", value)
        self._take_data(value)
        return self

    assign_value_cpp = assign_value

    def _take_data(self, value):
        """Assigns a Tensor's value and storage: what is written in place to either reaches the other."""
        is_in_call = scope.trace is not None or scope.unrecorded is not None
        if is_in_call or self._sharding is not None or is_tracer(value._state_()):
            self._renew(value)
            return
        self._forget_part(value)
        share(self, value)
        self._update_casts_()

    def _forget_part(self, value):
        if value.aval != self.aval:
            self._part = None

    def _renew(self, value):
        """Assigns a value in new storage: views and NumPy arrays of the old storage are not updated."""
        self._forget_part(value)
        if scope.trace is not None:
            scope.trace.detach(self)
        self._leave_storage_()
        self._become(self._stored(value))
        self._update_casts_()

    def set_dtype(self, dtype):
        """Casts this Tensor in place.

        Args:
            dtype (mindspore.dtype): the new dtype.
        Returns:
            mindspore.dtype, the new one.
        Raises:
            TypeError: if ``dtype`` is not a dtype.
        Example:
            >>> Tensor([1.5]).set_dtype(mindspore.int32)
            mindspore.int32
        Source: mindspore.Tensor.set_dtype, mindspore.Parameter.set_dtype
        """
        self._write_(self.astype(dtype))
        return dtype

    def itemset(self, *args):
        """A copy with one element replaced; this Tensor is unchanged.

        Args:
            args: the index, a flat int or a tuple with an int for each axis, optional for a Tensor of one element; then
                the Number, which is cast.
        Returns:
            Tensor.
        Raises:
            IndexError: if there is no such element.
        Example:
            >>> Tensor([1.0, 2.0]).itemset(0, 5).tolist()
            [5.0, 2.0]
        Source: mindspore.Tensor.itemset
        """
        shape = self.aval[0]
        *position, value = args
        if not position and self.size != 1:
            refuse(IndexError, "itemset", "args", f"a position and a number, since the shape is {shape}", args)
        index = position[0] if position else 0
        if isinstance(index, tuple):
            if len(index) != len(shape):
                refuse(IndexError, "itemset", "args", f"a position of {len(shape)} ints, one for each axis", index)
            return indexing.set(self, index, value)
        if not -self.size <= index < self.size:
            refuse(IndexError, "itemset", "args", f"a position in the range [{-self.size}, {self.size})", index)
        return indexing.set(self.reshape(-1), index, value).reshape(shape)


def _is_in_place(index, position):
    if position is None or index is None or index is True or index is Ellipsis:
        return False
    return all([entry is None or entry[2] > 0 for entry in position])


def _check_is_no_input(tensor):
    state = tensor._own_state_()
    if type(state) is Promise and state.is_input() and not staging.Policy.staged:
        raise RuntimeError(_MSG_INPUT)
