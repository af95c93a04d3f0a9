"""Views: handles that share storage, as MindSpore's slices and reshapes do.

A `Storage` owns no memory: it is the set of the handles that share it; each has a value of its own, computed when the
view was made. So reading a view costs nothing, and a view keeps no memory of its base. A write costs more: it computes
new values for all other handles of the storage that overlap with it. Reads are many and writes are rare. All new values
are computed before the first is given to its handle, so that neither an error nor an interrupt leaves handles apart.
"""

import functools
import math
import weakref
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from ..handle import Handle, Shared, give, is_concrete, publishing, scope
from .layout import StridedLayout, cut, whole
from .program import Op
from .results import wrap
from .trace import apply

_NONE = {}
_UNSET = object()  # the value of an unassigned slot


class Storage:
    """The handles that share one storage.

    Attributes:
        changes (int): of all Storages, raised when a handle that Plans may know comes to share another one, or none.
    """

    __slots__ = ("base", "members")

    changes = 0

    @staticmethod
    def count_change():
        """Counts a change in which handles share a storage."""
        Storage.changes += 1

    def __init__(self, base):
        self.base = weakref.ref(base)
        self.members: list[Any] = [self.base]

    def exchange(self, first, second):
        """Swaps two handles in the set of those that share it."""
        swapped = {id(first): weakref.ref(second), id(second): weakref.ref(first)}
        self.base = swapped.get(id(self.base()), self.base)
        self.members = [swapped.get(id(reference()), reference) for reference in self.members]

    def alive(self):
        """The handles that share the storage now."""
        handles = []
        for reference in self.members:
            handle = reference()
            view = None if handle is None else handle._view
            # A handle that has left the storage stays listed until the list is cleared.
            if view is not None and view.storage is self:
                handles.append(handle)
        return handles


class View:
    """A handle's storage, and the layout of its elements there.

    Attributes:
        storage (Storage): what it shares.
        layout (StridedLayout): where its elements lie.
        is_whole (bool): whether it stands for a whole Tensor, the first of the storage or an alias of another handle,
            as ``Tensor(tensor)`` is, so that NumPy arrays may see its memory; not what a slice or a reshape gave.
    """

    __slots__ = ("storage", "layout", "is_whole")

    def __init__(self, storage, layout, is_whole):
        self.storage = storage
        self.layout = layout
        self.is_whole = is_whole

    def lend(self, handle, shared):
        """Shares the host buffer of ``handle``, whose View this is, with its aliases."""
        with publishing:
            for each in self.aliases(handle):
                if each.aval == shared.aval and is_concrete(each._state_()):
                    each._take_buffer_(shared)

    def aliases(self, handle):
        """The other handles of the same whole Tensor as ``handle``, which has this View."""
        return [each for each in self.storage.alive() if each is not handle and self._is_alias(each)]

    def _is_alias(self, other):
        view = other._view
        return view is not None and view.is_whole and view.layout == self.layout

    def followers(self, handle):
        """The storage's other handles if all are of the same Tensor as ``handle``, which has this View; else None.

        Without any, the handle forgets the storage, so that the next write to it is faster. Another thread may ask for
        its View at this moment: whoever needs one reads it once.
        """
        if not self.is_whole or self.layout != whole(handle.aval[0]):
            return None
        others = self.storage.alive()
        # A list comprehension, since a training step asks for each Parameter that a checkpoint was loaded into.
        if not all([self._is_alias(each) for each in others]):
            return None
        if len(others) == 1:
            with publishing:  # another thread may make an alias
                if len(self.storage.alive()) == 1:
                    handle._view = None
        return [each for each in others if each is not handle]

    def write(self, handle, value):
        """Gives ``handle``, whose View this is, the value of another in place; the others of the storage follow."""
        if value.aval != handle.aval:
            # A value of another shape or dtype does not fit the storage, so this handle leaves it.
            handle._leave_storage_()
            _publish([(handle, value)])
        else:
            followers = self.followers(handle)
            if followers is None:
                _publish([(handle, value), *_followers(handle, value, self.layout, lambda: value)])
            else:
                _publish([(handle, value), *[(each, value) for each in followers]])

    def write_part(self, handle, value, template, part):
        """As `write`, for a value that differs from the old one in a part only.

        Args:
            handle, value (Handle): the one written to, and its value after that.
            template (tuple): where the part is, as a basic index without operands.
            part (callable): gives a handle on the part's values.
        """
        if self.followers(handle) == []:
            handle._become(value)
        else:
            _publish([(handle, value), *_followers(handle, value, cut(self.layout, template), part)])


def layout_of(handle):
    """The layout of ``handle`` in the storage that it shares; a contiguous one where it shares none."""
    view = handle._view
    return whole(handle.aval[0]) if view is None else view.layout


def are_shared():
    """Whether a view made now shares storage: outside recordings, and in whole calls that are recorded each time."""
    return scope.trace is None or scope.trace.shares


def is_view(handle):
    """Whether ``handle`` was made as a view of another one."""
    view = handle._view
    return view is not None and view.storage.base() is not handle


def link(base, view, layout, is_whole=False):
    """Makes ``view`` share the storage of ``base``, where its elements lie as ``layout`` says, and returns it."""
    with publishing:
        # The first view makes the Storage: most Tensors never have one.
        if base._view is None:
            base._view = View(Storage(base), whole(base.aval[0]), True)
        storage = base._view.storage
        view._view = View(storage, layout, is_whole)
        members = storage.members
        if len(members) % 64 == 63:  # a loop that takes a slice at each turn leaves thousands of dead references
            members = storage.members = [reference for reference in members if reference() is not None]
        members.append(weakref.ref(view))
    return view


def share(handle, source):
    """Gives ``handle`` the value and storage of ``source``, as ``set_data`` does; only where nothing is recorded."""
    with publishing:
        if handle is source or any(each is source for each in handle._aliases_()):
            return
        handle._leave_storage_()
        handle._become(source)
        # What was a base stays one; else the older Tensor becomes it, since ``source`` is often a temporary one.
        base, other = (handle, source) if source._view is None else (source, handle)
        Storage.count_change()
        alias(base, other)


def alias(base, other):
    """Makes ``other``, a handle of the same value, share all of the storage of ``base``, host buffers too."""
    with publishing:
        link(base, other, layout_of(base), True)
        for first, second in ((base, other), (other, base)):
            shared = first._own_state_()
            if type(shared) is Shared and second.aval == shared.aval:
                second._take_buffer_(shared)


def only_has_aliases(handle):
    """Whether all handles that share the storage of ``handle`` stand for the same whole Tensor."""
    view = handle._view
    return view is None or view.followers(handle) is not None


def sharing(handles):
    """Which of ``handles``, all different, share storage, and how: equal for handles that do so in the same way."""
    groups = {}
    for k, handle in enumerate(handles):
        view = handle._view
        if view is not None:
            groups.setdefault(id(view.storage), []).append((k, view.layout))
    return [group for group in groups.values() if len(group) > 1]


def apart(handles):
    """The positions of ``handles`` in lists, none of which has two that share storage; None stands for all of them."""
    if not any([handle._view is not None for handle in handles]):  # in each step of an optimizer
        return [None]
    rounds, turns = [[]], {}
    for k, handle in enumerate(handles):
        turn, view = 0, handle._view
        if view is not None:
            turn = turns[id(view.storage)] = turns.get(id(view.storage), -1) + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append(k)
    return rounds


def is_whole(handle):
    """Whether ``handle`` is a base Tensor or an alias of one, not a slice or reshape."""
    view = handle._view
    return view is None or view.is_whole


def exchange(first, second, slots):
    """Swaps two handles: their classes, attributes, values of ``slots`` (names) and the storages that they share.

    Only where nothing is recorded.
    """
    with publishing:
        for storage in {handle._view.storage for handle in (first, second) if handle._view is not None}:
            storage.exchange(first, second)
        first.__class__, second.__class__ = type(second), type(first)
        first.__dict__, second.__dict__ = second.__dict__, first.__dict__
        for name in slots:
            mine, theirs = (getattr(handle, name, _UNSET) for handle in (first, second))
            for handle, value in ((first, theirs), (second, mine)):
                if value is not _UNSET:
                    setattr(handle, name, value)
                elif hasattr(handle, name):
                    delattr(handle, name)


def seen_in(handle, layout):
    """``as_strided``: a handle's storage in another layout; None if that exceeds the storage.

    Args:
        handle (Handle): one of those that share the storage.
        layout (StridedLayout): counted from the start of the storage.
    Returns:
        tuple of Handle and Handle: one that holds the whole storage, and the values.
    """
    view = handle._view
    base = handle if view is None else view.storage.base()
    if base is None or layout_of(base) != whole(base.aval[0]) or layout.end > math.prod(base.aval[0]):
        return None
    return base, apply(_READ, (base,), (*layout, base.aval[1]))


def with_followers(handles, states):
    """Handles with their new states, and the views that overlap with them with theirs."""
    changed = {id(handle): state for handle, state in zip(handles, states, strict=True)}
    handles_of = {id(handle): handle for handle in handles}
    written, done = set(handles_of), set()
    for handle in handles:
        view = handle._view
        if view is None or id(handle) in done:
            continue
        followers, state = view.followers(handle), changed[id(handle)]
        if followers is None:
            value = wrap(state)
            # With the values so far: where several handles of one storage are written, each must see the writes before
            # its own.
            values = {key: wrap(each) for key, each in changed.items()}
            pairs = _followers(handle, value, view.layout, lambda value=value: value, values)
            pairs = [(other, new._state_()) for other, new in pairs]
        else:
            pairs = [(other, state) for other in followers]
            done.update([id(other) for other in followers if changed.get(id(other)) is state])
        for other, new in pairs:
            if id(other) not in written:
                changed[id(other)], handles_of[id(other)] = new, other
    return list(handles_of.values()), [changed[key] for key in handles_of]


def _publish(pairs):
    state_of = Handle._state_to_give_ if scope.trace is None else scope.trace.adopt
    give([handle for handle, _ in pairs], [state_of(handle._as_sharded_(value)) for handle, value in pairs])


def _followers(handle, value, region, part, values=_NONE):
    """The views that a write to ``handle`` changes, with their new values.

    Args:
        handle, value (Handle): the one written to, and its new value.
        region (StridedLayout): where the new value differs from the old one.
        part (callable): gives a handle on the values there.
        values (dict): values that other handles are to get, by their ids.
    Returns:
        list of (Handle, Handle): a handle that shares the storage, and its new value.
    """
    # In bytes, since a view may have another dtype (``x.view(dtype)``) and so elements of another size.
    first, last = _bytes(region, handle)
    group = [handle]
    for each in handle._view.storage.alive():
        start, end = _span(each)
        if each is not handle and start < last and first < end:
            group.append(each)
    repeats = handle._view.layout.repeats()  # then a write to one element changes others of the same offset
    # Nothing overlaps, as at most writes: no operation at all.
    if len(group) == 1 and not repeats:
        return []
    source, origin = _source(group)
    if source is handle:
        root = value
    else:
        root = _scratch(group, origin, values) if source is None else values.get(id(source), source)
        root = _put(root, origin, part(), region)
    affected = group if repeats else group[1:]
    return [(each, root if _is_same(each, source) else _read(root, origin, each)) for each in affected]


def _is_same(handle, source):
    if handle is source:
        return True
    # An alias needs no operation, and its value is the same array.
    return source is not None and handle._view.layout == source._view.layout and handle.aval == source.aval


def _bytes(layout, handle):
    size = handle.aval[1].itemsize
    return layout.offset * size, layout.end * size


def _span(handle):
    return _bytes(handle._view.layout, handle)


def _source(group):
    """A handle whose value contains all others, or None, and the byte of the storage where it starts."""
    spans = [_span(each) for each in group]
    start, end = min([first for first, _ in spans]), max([last for _, last in spans])
    # To a whole number of the widest elements, so that every offset from here is one in each dtype.
    start -= start % max([each.aval[1].itemsize for each in group])
    for each, span in zip(group, spans, strict=True):
        if span == (start, end) and each._view.layout.is_compact():
            return each, start
    return None, start


def _scratch(group, origin, values):
    """A new root array with the values of ``group``, if no handle contains all others."""
    size = group[0].aval[1].itemsize
    length = max([-(-(_span(each)[1] - origin) // size) for each in group])
    root = apply(_ZEROS, (), (length, group[0].aval[1]))
    for each in group:
        root = _put(root, origin, values.get(id(each), each), each._view.layout)
    return root


def _read(root, origin, handle):
    dtype = handle.aval[1]
    static, operands = _static(handle._view.layout, origin // dtype.itemsize)
    return apply(_READ, (root, *operands), (*static, dtype))


def _put(root, origin, piece, layout):
    static, operands = _static(layout, origin // piece.aval[1].itemsize)
    return apply(_PUT, (root, piece, *operands), static)


def _static(layout, origin):
    """A layout as static arguments and operands; outside recordings the offset is an operand, to share programs."""
    offset = layout.offset - origin
    if scope.trace is not None or not offset:
        return (layout.shape, layout.strides, offset), ()
    return (layout.shape, layout.strides, None), (wrap(np.array(offset)),)


class _RootOp(Op):
    """An operation on a root (the values of a storage, in any shape) at the layout that its static arguments say."""

    __slots__ = ("body",)

    def __init__(self, name, body):
        super().__init__(name)
        self.body = body

    def bind(self, static):
        return functools.partial(self.body, static)


def seen_as(array, dtype):
    """Bitcast of an array to another dtype; the last axis must be divisible."""
    width, other = array.dtype.itemsize, dtype.itemsize
    if width < other:
        array = array.reshape(*array.shape[:-1], -1, other // width)
    result = lax.bitcast_convert_type(array, dtype)
    return result.reshape(*array.shape[:-1], -1) if width > other else result


def _flat(root, dtype):
    flat = root.reshape(-1)
    if dtype == root.dtype:
        return flat
    return seen_as(jnp.pad(flat, (0, -flat.size % max(1, dtype.itemsize // root.dtype.itemsize))), dtype)


def _take(static, root, *start):
    shape, strides, offset, dtype = static
    layout = StridedLayout(shape, strides, *start or (offset,))
    flat, order = _flat(root, dtype), layout.order()
    # An array in sequence is one slice; any other layout is a gather by the offset of each element.
    if order is None:  # the layout lies in the storage: XLA need not clamp
        return flat.at[_offsets(layout)].get(mode="promise_in_bounds")
    sizes = [shape[axis] for axis in order]
    # The offset may be an operand (`_static`), so that slices at all positions are one program.
    run = lax.dynamic_slice(flat, (layout.offset,), (math.prod(shape),))
    return run.reshape(sizes).transpose([order.index(axis) for axis in range(len(order))])


def _write(static, root, piece, *start):
    shape, strides, offset = static
    layout = StridedLayout(shape, strides, *start or (offset,))
    flat, order = _flat(root, piece.dtype), layout.order()
    if order is None:
        # Said unique where it is, since XLA may then write in any order.
        flat = flat.at[_offsets(layout)].set(piece, mode="promise_in_bounds", unique_indices=not layout.repeats())
    else:
        flat = lax.dynamic_update_slice(flat, piece.transpose(order).reshape(-1), (layout.offset,))
    return _flat(flat, root.dtype)[: root.size].reshape(root.shape)


def _offsets(layout):
    offsets = layout.offset
    for axis, stride in enumerate(layout.strides):
        # int64, for a storage may have more than 2**31 elements.
        offsets = offsets + stride * lax.broadcasted_iota(np.int64, layout.shape, axis)
    return offsets


_READ = _RootOp("view", _take)
_PUT = _RootOp("write_view", _write)
_ZEROS = _RootOp("storage", lambda static: jnp.zeros(*static))
