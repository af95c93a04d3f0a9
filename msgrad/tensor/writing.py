"""Reading and writing parts of a Tensor, and writing all of it in place."""

import sys
import weakref

from ..engine import staging
from ..engine.handle import Handle, Promise, scope
from ..engine.trace import wrap
from ..engine.views import link
from . import indexing

_MSG_INPUT = (
    "Can not modify tensor id of input tensor from network by assign value: it is an input of the function that is "
    "being differentiated. Work on a copy: x = x.copy()."
)
_MSG_SOURCE = "{}(): argument '{}' (position 1) must be Tensor, not {}. Make a Tensor of it first."
_MSG_COPY = (
    "For 'InplaceCopy', the shape of 'value' must broadcast to the shape of 'variable', but got the shape of 'value': "
    "{}, and the shape of 'variable': {}."
)
_MSG_ITEM = (
    "Only tensor which shape is (1,) support 1 arg that means omit index, but the tensor shape is {} and got 1 input."
)


class _Part:
    """Where a Tensor was taken out of another one inside a recording, so that ``x[0][1] = v`` reaches ``x``.

    A view at the cost of one small object: it keeps no Tensor alive, and sees nothing that is written to the other one
    later, which inside recordings no view does.
    """

    __slots__ = ("owner", "above", "index")

    def __init__(self, owner, index):
        above = owner._base
        self.owner = weakref.ref(owner)
        self.above = above if type(above) is _Part else None
        self.index = index

    def write_through(self, state):
        """Puts ``state``, the part's new value, into the Tensor that it was taken out of."""
        owner = self.owner()
        if owner is not None:
            _check_is_no_input(owner)
            owner.write(indexing.set(owner, self.index, wrap(state)))
        elif self.above is not None:
            self.above.write_through(indexing.set(self.above.current(), self.index, wrap(state)).state())

    def current(self):
        """The part as a Tensor."""
        owner = self.owner()
        return indexing.get(self.above.current() if owner is None else owner, self.index)


class Written(Handle):
    """What of Tensor reads and writes parts of it, or all of it in place."""

    __slots__ = ()

    def __getitem__(self, index):
        result = indexing.get(self, index)
        if result is self:
            return result
        if scope.trace is not None:
            if indexing.is_view(index):
                result._base = _Part(self, index)
            return result
        return link(
            self,
            result,
            lambda base: indexing.get(base, index),
            lambda base, view: indexing.set(base, index, view),
            follows=indexing.is_view(index),
        )

    def __setitem__(self, index, value):
        _check_is_no_input(self)
        if type(self._base) is _Part and staging.Policy.staged:
            if sys.getrefcount(self) > _UNNAMED or _lends(sys._getframe(1), self):
                self._base = None  # in GRAPH_MODE, y = x[0] is a Tensor of its own
        self.write(indexing.set(self, index, value))

    def copy_(self, src, non_blocking=False):
        """Writes the values of ``src``, broadcast and cast, into this Tensor.

        Args:
            src (Tensor): a shape that broadcasts to this Tensor's.
            non_blocking (bool): without effect on the result. Default: ``False``.
        Returns:
            Tensor, this one.
        Raises:
            TypeError: if ``src`` is no Tensor.  RuntimeError: if it does not broadcast.
        Example:
            >>> Tensor([1, 2]).copy_(Tensor([7.9, -8.9])).tolist()
            [7, -8]
        Source: mindspore.Tensor.copy_
        """
        if not isinstance(src, Handle):
            raise TypeError(_MSG_SOURCE.format("copy_", "src", type(src).__name__))
        try:
            src = src.astype(self.dtype).broadcast_to(self.shape)
        except ValueError:
            raise RuntimeError(_MSG_COPY.format(src.aval[0], self.aval[0])) from None
        self.write(src)
        return self

    def assign_value(self, value):
        """Gives this Tensor the value, shape and dtype of another.

        Args:
            value (Tensor): the new value.
        Returns:
            Tensor, this one.
        Raises:
            TypeError: if ``value`` is no Tensor.
        Example:
            >>> Tensor([1, 2]).assign_value(Tensor([[0.5]])).tolist()
            [[0.5]]
        Source: mindspore.Tensor.assign_value
        """
        if not isinstance(value, Handle):
            raise TypeError(_MSG_SOURCE.format("assign_value", "value", type(value).__name__))
        self._renew(value)
        return self

    def _renew(self, value):
        """Gives this Tensor a value in storage of its own: views and NumPy arrays that share the old one keep it."""
        self.leave_storage()
        self.write(value)

    def set_dtype(self, dtype):
        """Casts this Tensor in place.

        Args:
            dtype (mindspore.dtype): the new dtype.
        Returns:
            mindspore.dtype, the new one.
        Raises:
            TypeError: if ``dtype`` is no dtype.
        Example:
            >>> Tensor([1.5]).set_dtype(mindspore.int32)
            mindspore.int32
        Source: mindspore.Tensor.set_dtype, mindspore.Parameter.set_dtype
        """
        self.write(self.astype(dtype))
        return dtype

    def itemset(self, *args):
        """A Tensor like this one with one element replaced; this one stays.

        Args:
            args: the position, an int that counts the elements or a tuple with an int for each axis, which a Tensor of
                one element may omit; then the Number, which is cast.
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
            raise IndexError(_MSG_ITEM.format(shape))
        index = position[0] if position else 0
        if isinstance(index, tuple):
            if len(index) != len(shape):
                raise IndexError(f"Tuple index len({len(index)}) is not same to tensor dimension({len(shape)})")
            return indexing.set(self, index, value)
        if not -self.size <= index < self.size:
            raise IndexError(f"index {index} is out of bounds for axis 0 with size {self.size}")
        return indexing.set(self.reshape(-1), index, value).reshape(shape)


def _check_is_no_input(tensor):
    state = tensor._state
    if type(state) is Promise and state.is_input() and not staging.Policy.staged:
        raise RuntimeError(_MSG_INPUT)


class _Counted:
    """Counts the references to an object that only an expression holds, as ``__setitem__`` sees them."""

    def __setitem__(self, index, value):
        value.append(sys.getrefcount(self))


def _lends(frame, tensor):
    """Whether a local variable of ``frame`` is ``tensor`` and no reference counts it, as from Python 3.14 on."""
    return sys.version_info >= (3, 14) and any(value is tensor for value in frame.f_locals.values())


def _unnamed_count():
    counts = []
    _Counted()[0] = counts
    return counts[0]


_UNNAMED = _unnamed_count()
