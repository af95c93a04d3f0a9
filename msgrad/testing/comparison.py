"""Comparison of values, used by msgrad's own tests, users' tests and ``msgrad compare``."""

import dataclasses

import jax.numpy as jnp
import numpy as np

from ..engine.handle import Handle
from ..engine.pytrees import items_of


@dataclasses.dataclass(frozen=True)
class Difference:
    """The difference of two arrays: in ``dtype``, ``shape`` or ``values``.

    ``index`` is that of the element farthest beyond the tolerance, ``actual`` and ``expected`` its two values (or the
    two dtypes, the two shapes), ``error`` the largest absolute error, ``count`` how many of ``size`` elements differ.
    """

    what: str
    actual: object
    expected: object
    index: tuple = ()
    error: float = float("inf")
    count: int = 0
    size: int = 0

    def __str__(self):
        if self.what != "values":
            return f"{self.what} {self.actual}, expected {self.expected}"
        return (
            f"{self.actual:.7g} at {list(self.index)}, expected {self.expected:.7g}; "
            f"{self.count} of {self.size} elements differ, by {self.error:.3g} at most"
        )


def difference(actual, expected, rtol, atol):
    """The `Difference` of two arrays, or None.

    Floats are the same if they differ by at most ``atol + rtol * |expected|``; NaN equals NaN, and an infinity itself.
    Integers and bools are the same if they are equal.
    """
    actual, expected = as_array(actual), as_array(expected)
    if actual.dtype != expected.dtype:
        return Difference("dtype", actual.dtype, expected.dtype)
    if actual.shape != expected.shape:
        return Difference("shape", actual.shape, expected.shape)
    excess, distance = _excess(actual, expected, rtol, atol)
    wrong = excess > 0
    if not wrong.any():
        return None
    index = np.unravel_index(np.argmax(excess), excess.shape)
    return Difference(
        "values", actual[index].item(), expected[index].item(), tuple(map(int, index)), float(distance.max()),
        int(wrong.sum()), wrong.size,
    )  # fmt: skip


def largest_error(actual, expected):
    """The largest absolute error of two arrays of the same shape; infinite where just one is NaN or infinite."""
    _, distance = _excess(as_array(actual), as_array(expected), 0.0, 0.0)
    return float(distance.max(initial=0.0))


def _excess(actual, expected, rtol, atol):
    """The error of each element beyond the tolerance, and the error; 0 where they are the same."""
    if not jnp.issubdtype(expected.dtype, jnp.inexact):
        distance = np.where(actual == expected, 0.0, np.abs(_wide(actual) - _wide(expected)))
        return np.where(actual == expected, 0.0, np.maximum(distance, 1.0)), distance
    left, right = _wide(actual), _wide(expected)
    same = (left == right) | (np.isnan(left) & np.isnan(right))
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.where(same, 0.0, np.nan_to_num(np.abs(left - right), nan=np.inf, posinf=np.inf))
        allowed = np.where(np.isfinite(right), atol + rtol * np.abs(right), 0.0)
        excess = np.where(distance <= allowed, 0.0, np.nan_to_num(distance - allowed, nan=np.inf, posinf=np.inf))
    return excess, distance


def _wide(array):
    """The array in the widest dtype of its kind, in which differences are exact enough."""
    if jnp.issubdtype(array.dtype, jnp.complexfloating):
        return array.astype(np.complex128)
    return array.astype(np.float64)


def as_array(value):
    """The NumPy array of a Tensor, an array or a number."""
    return value._values_() if isinstance(value, Handle) else np.asarray(value)


def assert_close(actual, expected, rtol=1e-5, atol=1e-6, name=""):
    """Asserts that two Tensors or arrays, or two pytrees of them, are the same, dtypes and shapes included.

    Args:
        actual, expected (Tensor | array | number | tuple | list | dict): the two values.
        rtol, atol (float): floats may differ by ``atol + rtol * |expected|``; integers and bools must be equal. NaN
            equals NaN, and an infinity only itself. Default: ``1e-5``, ``1e-6``.
        name (str): a name of the value, for the message. Default: ``""``.
    Raises:
        AssertionError: if they differ; it says which of them, at which index and by how much.
    Example:
        >>> msgrad.testing.assert_close(Tensor([1.0, 2.5]), np.float32([1.0, 2.0]), name="y")
        Traceback (most recent call last):
        AssertionError: y: 2.5 at [1], expected 2; 1 of 2 elements differ, by 0.5 at most
    """
    items = items_of(expected)
    if items is not None and items_of(actual) is not None:
        actual_items = items_of(actual)
        keys = list(expected) if isinstance(expected, dict) else range(len(items))
        actual_keys = list(actual) if isinstance(actual, dict) else range(len(actual_items))
        if list(actual_keys) != list(keys):
            raise AssertionError(f"{_prefix(name)}items {list(actual_keys)}, expected {list(keys)}")
        for key, left, right in zip(keys, actual_items, items, strict=True):
            assert_close(left, right, rtol, atol, f"{name}[{key!r}]")
        return
    differing = difference(actual, expected, rtol, atol)
    if differing is not None:
        raise AssertionError(f"{_prefix(name)}{differing}")


def _prefix(name):
    return f"{name}: " if name else ""
