"""Tensors with dynamic shapes: they declare the shapes that a network takes, and have no values."""

from .. import _upcalls
from ..engine.handle import Unknown
from .tensor import Tensor

_MSG_NO_VALUES = (
    "This Tensor has unknown lengths (shape {}) and no values: it only declares an input (Cell.set_inputs, "
    "mindspore.enable_dynamic). Compute with a Tensor that has values: net(Tensor(array))."
)


class Symbol:
    """A dynamic length and its constraints: it is ``divisor * n + remainder`` for a positive ``n``.

    Args:
        max (int): the largest length; no limit if it is below ``min``. Default: ``0``.
        min (int): the smallest. Default: ``1``.
        divisor, remainder (int): see above. Default: ``1`` and ``0``.
        unique (bool): whether this object stands for the same length everywhere. Default: ``False``.
        kwargs: without effect, as in MindSpore.
    Raises:
        TypeError: if an argument has another type.  ValueError: if one is out of range.
    Example:
        >>> Tensor(shape=[mindspore.Symbol(divisor=8), 3], dtype=mindspore.float32).symbolic_shape
        [{'divisor': 8}, 3]
    Source: mindspore.Symbol
    """

    def __init__(self, max=0, min=1, divisor=1, remainder=0, unique=False, **kwargs):
        for name, value in (("max", max), ("min", min), ("divisor", divisor), ("remainder", remainder)):
            if not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"For 'Symbol', the '{name}' must be an int, but got {value!r}.")
        if not isinstance(unique, bool):
            raise TypeError(f"For 'Symbol', the 'unique' must be a bool, but got {unique!r}.")
        for name, value in (("min", min), ("divisor", divisor)):
            if value <= 0:
                raise ValueError(f"For 'Symbol', the '{name}' must be positive, but got {value}.")
        if not 0 <= remainder < divisor:
            raise ValueError(f"For 'Symbol', the 'remainder' must be in the range [0, {divisor}), but got {remainder}.")
        self.max = max
        self.min = min
        self.divisor = divisor
        self.remainder = remainder
        self.unique = unique

    def to_dict(self):
        """The constraints beyond MindSpore's defaults, as a dict.  Source: mindspore.Symbol.to_dict"""
        properties = {}
        if self.max > self.min:
            properties["max"] = self.max
        if self.min > self.divisor + self.remainder:
            properties["min"] = self.min
        if self.divisor != 1:
            properties["divisor"] = self.divisor
        if self.remainder:
            properties["remainder"] = self.remainder
        if self.unique:
            properties["id"] = id(self)
        return properties

    def __str__(self):
        return str(self.to_dict())

    def allows(self, length):
        """Whether a length meets the constraints (bool)."""
        return self.why_not(length) is None

    def why_not(self, length):
        """The constraint that a length violates (str), or None."""
        if length < self.min:
            return f"at least {self.min}"
        if self.max >= self.min and length > self.max:
            return f"at most {self.max}"
        if length % self.divisor != self.remainder or length < self.divisor + self.remainder:
            return f"{self.divisor} * n + {self.remainder} with a positive n"
        return None


class Placeholder(Tensor):
    """A shape and a dtype without values: ``Tensor(shape=[None, 3], dtype=mindspore.float32)``."""

    __slots__ = ()

    size = nbytes = 0

    @property
    def symbolic_shape(self):
        """The lengths, dicts for Symbols; None without Symbols.  Source: mindspore.Tensor.symbolic_shape"""
        symbols = self._own_state_().symbols
        if not any(isinstance(length, Symbol) for length in symbols):
            return None
        return [length.to_dict() if isinstance(length, Symbol) else length for length in symbols]

    @property
    def symbols(self):
        """The lengths passed to the constructor: ints, Symbols, -1."""
        return self._own_state_().symbols

    def lengths_for(self, rank):
        """The lengths of a Tensor of this rank: `symbols`, or all unknown where the rank is."""
        return (-1,) * rank if self.symbols == (-2,) else self.symbols

    def _state_(self, is_cropped=True):
        """Raises ValueError: there are no values."""
        raise ValueError(_MSG_NO_VALUES.format(self.shape))

    def __repr__(self):
        values = "\n" if self.ndim > 1 else " "
        return f"Tensor(shape={list(self.shape)}, dtype={self.dtype}, value={values})"

    __str__ = __repr__

    def __deepcopy__(self, memodict):
        return self

    __copy__ = copy = clone = lambda self: self

    def __reduce__(self):
        return _unpickled, (self.dtype, self._own_state_().symbols)

    @staticmethod
    def is_for(shape):
        """Whether a shape has dynamic lengths."""
        return any(n is None or isinstance(n, Symbol) or (isinstance(n, int) and n < 0) for n in shape)

    @staticmethod
    def become(tensor, shape, dtype):
        """Turns a new Tensor into a placeholder of a shape (tuple) and a NumPy dtype.

        Raises:
            TypeError: if a length is not an int, None or Symbol.  ValueError: if one is below -2.
        """
        for length in shape:
            if length is not None and (not isinstance(length, (int, Symbol)) or isinstance(length, bool)):
                raise TypeError(
                    f"For 'Tensor', each length of 'shape' must be an int, None or a Symbol, but got {length!r}."
                )
            if isinstance(length, int) and (length < -2 or (length == -2 and len(shape) > 1)):
                raise ValueError(
                    f"For 'Tensor', each length of 'shape' must be at least 0, or None or -1 where it is unknown, or "
                    f"the shape (-2,) where the rank is, but got {shape}."
                )
        symbols = tuple(-1 if length is None else length for length in shape)
        tensor.__class__ = Placeholder
        lengths = tuple(-1 if isinstance(n, Symbol) else n for n in symbols)
        tensor._start_with_(Unknown(lengths, dtype, symbols))


def _unpickled(dtype, symbols):
    return Tensor(dtype=dtype, shape=symbols)


_upcalls.fill(Placeholder=Placeholder)
