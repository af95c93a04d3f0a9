"""Comparison of a MindSpore function or Cell with a JAX function."""

import jax
import jax.numpy as jnp
import numpy as np

from .. import autodiff
from ..engine.handle import Handle
from ..engine.host import to_device
from ..engine.jax_options import launched
from ..engine.pytrees import leaves_in
from ..tensor.tensor import Tensor
from ._weighted import dtype_of, is_real, summed
from .comparison import as_array, assert_close
from .drawing import random_like

_TOLERANCES = {"float64": (1e-7, 1e-9), "float32": (1e-4, 1e-5), "bfloat16": (5e-2, 2e-2), "float16": (1e-2, 2e-3)}
_ORDERS = ("output", "gradient", "second derivative")


def assert_same(fn, jax_fn, *inputs, shapes=(), dtypes=(), order=2, rtol=None, atol=None, seed=0):
    """Asserts that a MindSpore function or Cell equals a JAX function in values, first and second derivatives.

    The derivatives are those of a weighted sum of the outputs with respect to each real float input: `mindspore.grad`
    against `jax.grad`. It runs in the current mode, and the JAX function with 64-bit types enabled.

    Args:
        fn (Cell | function): takes and returns Tensors.
        jax_fn (function): takes and returns arrays, in the same structures.
        inputs (Tensor | array | object): the arguments of both; other objects are passed unchanged.
        shapes (list of tuple): further cases: each a tuple of the shapes of the inputs, which are random like
            ``inputs``, or float32 if there are no ``inputs``. Default: ``()``.
        dtypes (tuple | list): float dtypes, NumPy's or their names: each case is run with its float inputs in each.
            Default: ``()``, the dtypes of the inputs.
        order (int): the highest derivative to compare. Default: ``2``.
        rtol, atol (float): the tolerances, as of `assert_close`. Default: those of the least precise float dtype used:
            1e-7 and 1e-9 for float64, 1e-4 and 1e-5 for float32, 1e-2 and 2e-3 for float16, 5e-2 and 2e-2 for bfloat16.
        seed (int): the seed of the random inputs and weights. Default: ``0``.
    Raises:
        AssertionError: if they differ; it says for which case, in which output or derivative, where and by how much.
    Example:
        >>> assert_same = msgrad.testing.assert_same
        >>> assert_same(ops.tanh, jnp.tanh, shapes=[((2, 3),), ((),)], dtypes=["float32", "float64"])
        >>> assert_same(ops.sin, jnp.cos, np.zeros(2, np.float32))
        Traceback (most recent call last):
        AssertionError: float32(2,): output: 0 at [0], expected 1; 2 of 2 elements differ, by 1 at most
    """
    rows = [list(inputs)] if inputs else []
    like = inputs or [np.zeros((), np.float32)] * len(shapes[0] if shapes else ())
    for number, row in enumerate(shapes):
        rows.append([_of_shape(each, shape, seed + number) for each, shape in zip(like, row, strict=True)])
    for row in rows:
        for dtype in dtypes or (None,):
            _assert_same(fn, jax_fn, [_cast(each, dtype) for each in row], order, rtol, atol)


def _of_shape(like, shape, seed):
    array = as_array(like)
    spread = np.resize(array.reshape(-1), shape) if array.size else np.zeros(shape, array.dtype)
    return random_like(Tensor(spread), seed)


def _is_array(value):
    return isinstance(value, (Handle, np.ndarray, jax.Array))


def _cast(value, dtype):
    if not _is_array(value):
        return value
    array = as_array(value)
    return array.astype(jnp.dtype(dtype)) if dtype is not None and is_real(array) else array


def _assert_same(fn, jax_fn, row, order, rtol, atol):
    free = tuple([index for index, value in enumerate(row) if _is_array(value) and is_real(value)])
    about = " ".join([f"{value.dtype}{value.shape}" if _is_array(value) else repr(value) for value in row])
    arrays = [to_device(value) if _is_array(value) else value for value in row]
    tensors = [Tensor(value) if _is_array(value) else value for value in arrays]
    for level in range(order + 1):
        actual, expected = fn(*tensors), launched(jax_fn, *arrays)
        near = _tolerance([*arrays, *leaves_in(expected)], rtol, atol)
        if level:
            for index, left, right in zip(free, actual, expected, strict=True):
                assert_close(left, right, *near, name=f"{about}: {_ORDERS[level]} by input {index}")
        else:
            assert_close(actual, expected, *near, name=f"{about}: output")
        if level == order or not free or not any(map(is_real, leaves_in(expected))):
            return
        fn = autodiff.grad(summed(fn, Tensor, level), free)
        fn = fn if len(free) > 1 else _in_tuple(fn)
        jax_fn = jax.grad(summed(jax_fn, jnp.asarray, level), free)


def _in_tuple(fn):
    return lambda *args: (fn(*args),)


def _tolerance(values, rtol, atol):
    floats = {str(dtype_of(value)) for value in values if hasattr(value, "shape")}
    tolerances = [pair for name, pair in _TOLERANCES.items() if name in floats] or [(0.0, 0.0)]
    default = max(tolerances)
    return default[0] if rtol is None else rtol, default[1] if atol is None else atol
