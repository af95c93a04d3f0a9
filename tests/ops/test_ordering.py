"""Sorting many elements on a CPU, as integers, against a stable sort by NumPy."""

import jax
import ml_dtypes
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.ops._shared import ordering

from ..helpers import ON_CPU

SHAPE = 40, 3, 60  # above the least size
DTYPES = "float16 bfloat16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
SPECIAL = np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0


def numbers(dtype):
    """Numbers of all sizes with equal ones among them, and for floats what is ordered otherwise than bits are."""
    rng, kind = np.random.default_rng(1), getattr(np, dtype, None) or getattr(ml_dtypes, dtype)
    if np.dtype(kind).kind in "iu":
        limits = np.iinfo(kind)
        x = rng.integers(limits.min, limits.max, SHAPE, kind, endpoint=True)
        x.flat[::7], x.flat[3::50], x.flat[5::50] = x.flat[0], limits.min, limits.max
        return x
    x = (rng.integers(-40, 40, SHAPE) / 8).astype(kind)
    for start, value in enumerate(SPECIAL):
        x.flat[start::31] = value
    return x


def wide(x):
    """NumPy knows no NaN of bfloat16."""
    return x.astype(np.float32) if x.dtype == ml_dtypes.bfloat16 else x


def stable_order(x, axis, descending):
    if not descending:
        return np.argsort(x, axis, kind="stable")
    return x.shape[axis] - 1 - np.flip(np.argsort(np.flip(x, axis), axis, kind="stable"), axis)


@ON_CPU
@pytest.mark.parametrize("dtype", DTYPES)
def test_equal_elements_keep_their_order(dtype, mode):
    x = numbers(dtype)
    for axis, descending in ((0, False), (2, True)):
        order = stable_order(wide(x), axis, descending)
        values, indices = ops.sort(Tensor(x), axis, descending)
        np.testing.assert_array_equal(indices.asnumpy(), order)
        np.testing.assert_array_equal(wide(values.asnumpy()), wide(np.take_along_axis(x, order, axis)))


@ON_CPU
def test_many_elements_are_sorted_as_integers(graph_mode):
    def sorted_dtypes(count):
        jaxpr = jax.make_jaxpr(ordering.order)(np.zeros(count, np.float32))
        return [[str(each.aval.dtype) for each in eqn.invars] for eqn in jaxpr.eqns if eqn.primitive.name == "sort"]

    with jax.enable_x64(True):
        assert sorted_dtypes(5000) == [["uint64"]]
    x = np.random.default_rng(2).standard_normal(SHAPE).astype(np.float32)
    gradient = ms.grad(lambda x: (ops.sort(x, 0)[0] * Tensor(np.arange(40.0, dtype=np.float32)[:, None, None])).sum())
    np.testing.assert_array_equal(gradient(Tensor(x)).asnumpy(), np.argsort(np.argsort(x, 0), 0))
