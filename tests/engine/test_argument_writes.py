"""Writes of a function to its arguments reach the caller's Tensors. Expected values are MindSpore 2.10's."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from tests.helpers import assert_each


def tensor(*values, dtype=np.float32):
    return Tensor(np.array(values, dtype))


def add_then_set(x, y):
    x.add_(y)
    x[0] = 9.0
    return x * 1


def set_then_add(x, y):
    x[0] = 9.0
    x.add_(y)
    return x * 1


def both_names(x, y):
    z = x
    z += y
    return x * 1


def remainder(x, y):
    x %= y - 4.5
    return x * 1


def on_condition(x, y):
    if x.sum() > 0:
        ops.assign(x, y)
    return x + 1


def in_steps(x, y):
    for _ in range(3):
        ops.assign_add(x, y)
    return x * 1


def derived(x, y):
    z = x * 2
    ops.assign(z, y)
    return z + 1


ROWS = {
    # what runs in a graph at x = [1, 2], y = [5, 6]: the result, and x after it, both as MindSpore answers
    "assign": (lambda x, y: ops.assign(x, y) + 1, [6, 7], [5, 6]),
    "Assign": (lambda x, y: ops.Assign()(x, y) + 1, [6, 7], [5, 6]),
    "add_": (lambda x, y: x.add_(y) * 1, [6, 8], [6, 8]),
    "copy_": (lambda x, y: x.copy_(y) * 2, [10, 12], [5, 6]),
    "ScatterAdd": (lambda x, y: ops.ScatterAdd()(x, Tensor([0]), y[:1]) * 1, [6, 2], [6, 2]),
    "ApplyMomentum": (lambda x, y: ops.ApplyMomentum()(x, y, 0.5, tensor(2, 2), 1.0) * 1, [-2.5, -2], [-2.5, -2]),
    "add_then_set": (add_then_set, [9, 8], [6, 8]),
    "set_then_add": (set_then_add, [14, 8], [1, 2]),
    "both_names": (both_names, [6, 8], [6, 8]),
    "remainder": (remainder, [0, 0.5], [0, 0.5]),
    "on_condition": (on_condition, [6, 7], [5, 6]),
    "in_steps": (in_steps, [16, 20], [16, 20]),
    "derived": (derived, [6, 7], [1, 2]),
}


def check_row(function, expected, after):
    compiled = ms.jit(function)
    for _ in range(2):  # the second call runs the Plan with another Tensor
        x, y = tensor(1, 2), tensor(5, 6)
        assert compiled(x, y).tolist() == expected
        assert x.tolist() == after


def test_writes_reach_the_callers_tensor():
    assert_each(check_row, ROWS)


class First(nn.Cell):
    """Writes to a Tensor in a container."""

    def construct(self, pair, y):
        ops.assign(pair[0], y)
        return pair[0] * 2


def test_in_containers_and_keywords(mode):
    x, y = tensor(1, 2), tensor(5, 6)
    assert First()((x, tensor(0)), y=y).tolist() == [10, 12]
    assert x.tolist() == [5, 6]


def test_under_gradients(mode):
    x, y = tensor(1, 2), tensor(5, 6)

    def loss(x, y):
        return (ops.assign_add(x, y) ** 2).sum()

    assert ms.grad(loss)(x, y).tolist() == [12, 16]
    assert x.tolist() == [6, 8]


def test_one_tensor_twice():
    compiled = ms.jit(lambda x, z, y: (ops.assign(x, y), z + 1)[1])
    x, z, y = tensor(1, 2), tensor(3, 4), tensor(5, 6)
    assert compiled(x, z, y).tolist() == [4, 5]
    x = tensor(1, 2)
    assert compiled(x, x, y).tolist() == [6, 7]  # the Plan for two Tensors is not that for one
    assert compiled(tensor(1, 2), z, y).tolist() == [4, 5]


def test_views_of_the_argument_follow():
    x = tensor(1, 2, 3)
    part = x[1:]
    compiled = ms.jit(lambda x: x.add_(1) * 1)
    compiled(x)
    assert (x.tolist(), part.tolist()) == ([2, 3, 4], [3, 4])


def test_failed_call_leaves_the_argument():
    x = tensor(1, 2)

    def fails(x):
        x.add_(1)
        raise KeyError("after the write")

    with pytest.raises(KeyError):
        ms.jit(fails)(x)
    assert x.tolist() == [1, 2]


def augmented(x, y):
    z = x * 1
    z += y
    z *= y
    return z


DTYPES = {
    # the Tensor, the operand, and the result in a graph; MindSpore casts the operand first
    "float16": (tensor(1, 2, dtype=np.float16), tensor(5, 6), ms.float16, [30, 48]),
    "a float beside ints": (tensor(1, 2, dtype=np.int32), 1.5, ms.int32, [2, 3]),
    "floats beside ints": (tensor(1, 2, dtype=np.int32), tensor(1.5, 2), ms.int32, [2, 8]),
    "another shape": (tensor(1), tensor(5, 6), ms.float32, [30, 42]),
}


def check_dtype(x, y, dtype, expected):
    result = ms.jit(augmented)(x, y)
    assert result.dtype == dtype
    assert result.tolist() == expected


def test_augmented_assignment_keeps_the_dtype():
    assert_each(check_dtype, DTYPES)
