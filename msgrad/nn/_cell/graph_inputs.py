"""Inputs of exported programs: dtypes, and shapes whose axes may be dynamic."""

import itertools

import jax
import numpy as np

from ...engine.jax_options import spec
from ...engine.refusal import refuse
from ...tensor.placeholder import Placeholder, Symbol

_MSG_RANK = "An exported program is for a certain number of axes: Tensor(shape=[None, 3], ...)."


class Axis(Symbol):
    """A named dynamic axis: axes of the same name have the same length."""

    def __init__(self, name):
        super().__init__(unique=True)
        self.name = name


def specs(tensors):
    """The shapes and dtypes of Tensors in the form of `jax.export`, with a symbol for each dynamic axis.

    Args:
        tensors (sequence of Tensor): a placeholder may have dynamic axes, but its rank must be known. A `Symbol` with
            ``unique=True`` is the same length everywhere.
    """
    lengths = _Lengths()
    texts = [lengths.text(each) if isinstance(each, Placeholder) else None for each in tensors]
    scope = jax.export.SymbolicScope(lengths.constraints)
    return [
        spec(each.aval[0] if text is None else jax.export.symbolic_shape(text, scope=scope), _dtype(each))
        for each, text in zip(tensors, texts, strict=True)
    ]


def fits(expected, actual):
    """Whether the aval ``actual`` matches the aval ``expected``, whose axes may be symbols."""
    (shape, dtype), (lengths, own) = expected, actual
    return (
        dtype == own
        and len(shape) == len(lengths)
        and all(jax.export.is_symbolic_dim(n) or n == m for n, m in zip(shape, lengths, strict=True))
    )


def _dtype(tensor):
    return np.dtype(tensor.aval[1])


class _Lengths:
    """The names of dynamic axes and the constraints on them, in JAX's syntax."""

    def __init__(self):
        self.constraints = []
        self._names = map("n{}".format, itertools.count())
        self._known = {}  # of unique Symbols

    def text(self, placeholder):
        """``"(n0, 3)"``."""
        symbols = placeholder.symbols
        if placeholder.shape == (-2,):
            refuse(ValueError, "export", "inputs", "Tensors of known ranks", placeholder, _MSG_RANK)
        return f"({', '.join(map(self._length, symbols))},)"

    def _length(self, length):
        if isinstance(length, int) and length >= 0:
            return str(length)
        if not isinstance(length, Symbol):
            return next(self._names)
        if length.unique and length in self._known:
            return self._known[length]
        name = length.name if isinstance(length, Axis) else next(self._names)
        text = f"{length.divisor}*{name} + {length.remainder}" if length.divisor > 1 or length.remainder else name
        if length.min > 1:
            self.constraints.append(f"{text} >= {length.min}")
        if length.max >= length.min:
            self.constraints.append(f"{text} <= {length.max}")
        if length.unique:
            self._known[length] = text
        return text
