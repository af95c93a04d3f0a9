"""`Sound`, the base of audio transforms, and the contracts of their arguments."""

import functools

import numpy as np

from ..._contracts import check
from ..._contracts.choices import Instance
from ..._contracts.kinds import Static
from ...engine.refusal import refuse
from ..transforms.base import Transform
from . import enums

_MOST = 2**31 - 1


class Sound(Transform):
    """A transform of a sound, an array with axes ``<..., *axes>``, computed in floats.

    A subclass defines ``_sound``, a function of a float32 or float64 array. The result is float64 for float64 and
    float32 for any other dtype.

    Attributes:
        _axes (str): the last axes of the array, by name; ``complex`` has length 2, the real and the imaginary part.
        _is_of_floats (bool): whether it takes floats only.
        _takes_lists (bool): whether it also takes values that NumPy converts to arrays.
    """

    _axes = "time"
    _is_of_floats = False
    _takes_lists = False

    def _taken(self, value):
        if self._takes_lists:
            return super()._taken(value)
        raise TypeError(
            f"For '{type(self).__name__}', the sound must be a NumPy array, but got {type(value).__name__}. "
            "Pass np.array(...), or Tensor.asnumpy()."
        )

    def _apply(self, value):
        axes = self._axes.split()
        if value.ndim < len(axes) or (axes[-1] == "complex" and value.shape[-1] != 2):
            self._fail(f"the array must have the axes <..., {', '.join(axes)}>, but got the shape {value.shape}.")
        if value.dtype.kind not in ("f" if self._is_of_floats else "fiub"):
            self._fail(f"the array must be of {'floats' if self._is_of_floats else 'numbers'}, but got {value.dtype}.")
        if value.size == 0:
            self._fail(f"the array has no elements: its shape is {value.shape}.")
        return self._converted(value)

    def _converted(self, value):
        """The result for a checked array, in the result's dtype."""
        floats = value if value.dtype == np.float64 else value.astype(np.float32)
        return cast(self._sound(floats), floats.dtype)

    def _sound(self, value):
        """The new value."""
        raise NotImplementedError


def cast(result, dtype):
    """An array, or each of a tuple of them, in a dtype."""
    if isinstance(result, tuple):
        return tuple([cast(each, dtype) for each in result])
    return np.asarray(result, dtype, order="C")


def _within(interval, kind, value, arg_name, owner):
    if isinstance(value, bool) or not isinstance(value, int if kind == "an int" else (int, float)):
        refuse(TypeError, owner, arg_name, kind, value)
    if not check.is_within(interval, value):
        refuse(ValueError, owner, arg_name, f"{kind} in {interval}", value)
    return value


def Within(interval):  # noqa: N802  it reads as a type: ``Q: Within("(0, 1]")``
    """A Python int or float in an interval, written as for `FloatWithin`.

    Example:
        >>> Within("(0, 1]").take(1, "Q", "BandBiquad")
        1
    """
    return Static(functools.partial(_within, interval, "a number"), int, float)


def IntFrom(minimum, maximum=_MOST):  # noqa: N802  it reads as a type
    """A Python int from ``minimum`` to ``maximum``.

    Example:
        >>> IntFrom(1).take(400, "n_fft", "Spectrogram")
        400
    """
    return Static(functools.partial(_within, f"[{minimum}, {maximum}]", "an int"), int)


def _not_zero(kind, value, arg_name, owner):
    if kind.take(value, arg_name, owner) == 0:
        refuse(ValueError, owner, arg_name, "another number than 0", value)
    return value


def NotZero(kind):  # noqa: N802  it reads as a type
    """Another contract, without 0."""
    return Static(functools.partial(_not_zero, kind), *kind.types)


def _flag(value, arg_name, owner):
    if not isinstance(value, bool):
        refuse(TypeError, owner, arg_name, "a bool", value)
    return value


def _coefficients(value, arg_name, owner):
    if not isinstance(value, (list, tuple)):
        refuse(TypeError, owner, arg_name, "a list or tuple of numbers", value)
    for each in value:
        AnyReal.take(each, arg_name, owner)
    return value


# MindSpore stores numbers as float32, and accepts those below its largest int.
AnyReal = Within("[-16777216, 16777216]")
Positive = Within("(0, 16777216]")
NotNegative = Within("[0, 16777216]")
Count = IntFrom(1)
CountOrZero = IntFrom(0)
AnyInt = IntFrom(-_MOST - 1)
Rate = NotZero(AnyInt)
Flag = Static(_flag, bool)
Coefficients = Static(_coefficients, list, tuple)
Border = Instance(enums.BorderType)
Window = Instance(enums.WindowType)
