"""Error messages for arguments, all of one form."""

from typing import Any, NoReturn

import jax
import numpy as np

from .dtypes import DType, of
from .handle import Handle
from .pytrees import tensors_in
from .user_code import called


class InWords(str):
    """A description that `refuse` shows in place of the value."""


def refuse(error, owner, argument, expected, got, hint="") -> NoReturn:
    """Raises ``error`` with a message of the common form.

    Args:
        error (type): MindSpore's exception type.
        owner (str): the operation or layer, by MindSpore's name.
        argument (str): the parameter.
        expected (str): what it must be.
        got (object): what was given: the value, or `InWords` where the value is secret, long or unknown.
        hint (str): what to do about it, a sentence. Default: ``""``.
    Example:
        >>> refuse(ValueError, "Dense", "in_channels", "a positive int", -1)
        Traceback (most recent call last):
        ValueError: For 'Dense', the 'in_channels' must be a positive int, but got -1 (int).
    """
    sentence = f"For '{called(owner)}', the '{argument}' must be {expected}, but got {shown(got)}."
    raise error(f"{sentence} {hint}" if hint else sentence)


def require(value, types, owner, argument, hint="") -> Any:
    """Returns ``value`` if it is an instance of ``types``; else raises. A bool is an int only if ``types`` has bool.

    Args:
        value (object): what was given.
        types (type | tuple[type]): what it must be.
        owner, argument, hint (str): as for `refuse`.
    Raises:
        TypeError: if it is not.
    Example:
        >>> require("1", (int, float), "Pad", "value")
        Traceback (most recent call last):
        TypeError: For 'Pad', the 'value' must be an int or a float, but got '1' (str).
    """
    types = types if isinstance(types, tuple) else (types,)
    if not isinstance(value, types) or type(value) is bool and int in types and bool not in types:
        refuse(TypeError, owner, argument, any_of(types), value, hint)
    return value


def any_of(types):
    """Names of ``types`` joined by "or", for messages.

    Example:
        >>> any_of((int, float))
        'an int or a float'
    """
    return " or ".join(f"{'an' if kind.__name__[0] in 'aeiouAEIO' else 'a'} {kind.__name__}" for kind in types)


def shown(value):
    """A value as shown in messages: short, with its type where that may be the fault.

    Example:
        >>> shown((2, "a"))
        "(2, 'a') (tuple)"
    """
    if isinstance(value, InWords):
        return str(value)
    if isinstance(value, Handle):
        shape, dtype = value.aval
        return f"a {type(value).__name__} of shape {shape} and dtype {of(dtype)}"
    if isinstance(value, jax.Array):
        if not isinstance(value.dtype, np.dtype):
            return f"a random key of JAX's, of dtype {value.dtype}"
        return f"a Tensor of shape {value.shape} and dtype {of(value.dtype)}"
    if isinstance(value, (tuple, list, dict)) and tensors_in(value):  # whose values may not be known yet
        items = value.values() if isinstance(value, dict) else value
        return f"a {type(value).__name__} of {', '.join(sorted({type(item).__name__ for item in items}))}"
    if isinstance(value, type):
        return value.__name__
    if isinstance(value, DType):
        return repr(value)
    text = " ".join(repr(value).split())
    return f"{text if len(text) < 80 else text[:77] + '...'} ({type(value).__name__})"
