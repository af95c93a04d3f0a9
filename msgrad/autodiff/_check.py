"""Argument checks that the adapters share."""

import numpy as np

from ..engine.staging import Policy

MSG_NO_BROADCAST = (
    "For grad interface or custom function, grad tensor should be broadcast to expected shape, but got {} vs {}"
)


def vector(shape):
    """A shape as MindSpore's messages write it."""
    return f"[const vector]{{{', '.join(map(str, shape))}}}"


def can_broadcast(shape, expected):
    """Whether an array of ``shape`` broadcasts to ``expected``."""
    return len(shape) <= len(expected) and all(a in (1, b) for a, b in zip(shape[::-1], expected[::-1], strict=False))


def check_bool(value, argument, owner):
    """``value`` if it is a bool."""
    if not isinstance(value, bool):
        raise TypeError(f"For '{owner}', the '{argument}' should be bool, but got {type(value).__name__}")
    return value


def check_positions(grad_position, owner):
    """``grad_position`` as a tuple of distinct ints that are not negative."""
    if isinstance(grad_position, int):
        if grad_position < 0:
            raise ValueError("grad_position must be >= 0.")
        return (int(grad_position),)
    if not isinstance(grad_position, tuple):
        raise TypeError(f"For '{owner}', the 'grad_position' must be int or tuple.")
    if not all(isinstance(position, int) for position in grad_position):
        raise TypeError(f"For '{owner}', the element in 'grad_position' must be int.")
    if any(position < 0 for position in grad_position):
        raise ValueError("The element in grad_position must be >= 0.")
    if len(set(grad_position)) != len(grad_position):
        raise ValueError("There are duplicate positions in `grad_position`, please check it")
    return tuple(int(position) for position in grad_position)


def check_callable(fn):
    """Raises unless ``fn`` is a function or Cell: other callables (a partial, a NumPy ufunc) MindSpore refuses too."""
    if callable(fn) and (hasattr(fn, "__name__") or hasattr(fn, "construct")) and not isinstance(fn, np.ufunc):
        return
    kind = type(fn).__name__
    if Policy.staged:
        raise RuntimeError(f"For 'GradOperation', the first argument must be a 'Function' or 'Cell', but got {kind}.")
    if callable(fn):
        raise AttributeError(
            f"'{kind}' object has no attribute '__name__': wrap it in a function, def f(x): return fn(x)."
        )
    raise TypeError(f"The fn should be callable, but got {kind}")


def check_aux_flag(has_aux):
    """Raises unless ``has_aux`` is a bool."""
    if not isinstance(has_aux, bool):
        raise TypeError("The 'has_aux' must be bool type.")


def split_aux(output, has_aux, message):
    """``(differentiated output, (aux,) or ())``: one aux is bare, several are a tuple."""
    if not has_aux:
        return output, ()
    if not isinstance(output, tuple) or len(output) < 2:
        raise ValueError(message)
    rest = tuple(output[1:])
    return output[0], (rest[0] if len(rest) == 1 else rest,)
