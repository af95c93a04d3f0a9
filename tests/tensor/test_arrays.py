"""``jax.Array``s are taken as Tensors of the same buffer, wherever a Tensor is expected."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
import msgrad.numpy as mnp
from msgrad import Parameter, Tensor, mint, nn, ops
from msgrad.tensor.arrays import taken

A = np.array([[0.5, -1.0, 2.0], [3.0, 0.25, -0.5]], np.float32)
K = np.array([1, 0], np.int32)
X = Tensor(A)
# Each is called with arrays of JAX's, and with Tensors.
CALLS = {
    "unary": lambda a, k: ops.relu(a),
    "binary": lambda a, k: ops.add(a, X),
    "beside a number": lambda a, k: ops.mul(a, 2),
    "reduction": lambda a, k: ops.sum(a, 0),
    "axis": lambda a, k: ops.sum(X, k[1]),
    "list": lambda a, k: ops.concat([a, X]),
    "tuple": lambda a, k: ops.stack((a, a)),
    "shape": lambda a, k: ops.reshape(a, (3, 2)),
    "cast": lambda a, k: ops.cast(a, ms.float16),
    "matmul": lambda a, k: ops.matmul(a, X.T),
    "gather": lambda a, k: ops.gather(X, k, 0),
    "where": lambda a, k: ops.where(a > 0, a, 0.0),
    "clamp": lambda a, k: X.clamp(a, 1),
    "shapes that depend on values": lambda a, k: ops.nonzero(k),
    "sorting": lambda a, k: ops.sort(a)[0],
    "norm": lambda a, k: ops.norm(a),
    "loss": lambda a, k: ops.cross_entropy(a, k),
    "mint": lambda a, k: mint.add(X, a, alpha=2),
    "mint, one of several signatures": lambda a, k: mint.sum(a, 1),
    "numpy": lambda a, k: mnp.add(a, X),
    "Primitive": lambda a, k: ops.Concat(0)((a, X)),
    "method": lambda a, k: X.add(a),
    "operator": lambda a, k: X + a,
    "comparison": lambda a, k: X == a,
    "order": lambda a, k: X < a,
    "product": lambda a, k: X @ a.T,
    "index": lambda a, k: X[k],
    "index in a tuple": lambda a, k: X[k, 1:],
    "mask": lambda a, k: X[a > 0],
    "Cell": lambda a, k: nn.Flatten()(a),
    "Cell of Cells": lambda a, k: nn.SequentialCell(nn.ReLU(), nn.Softmax())(a),
    "loss Cell": lambda a, k: nn.MSELoss()(a, X),
    "indices of a Cell": lambda a, k: nn.Embedding(2, 3, embedding_table="ones")(k),
    "gradient": lambda a, k: ms.grad(lambda x: (x * x).sum())(a),
    "jit": lambda a, k: ms.jit(lambda x: x * 2)(a),
    "vmap": lambda a, k: ms.vmap(lambda x: x * 2)(a),
    "copy_": lambda a, k: X.copy().copy_(a),
    "assign_value": lambda a, k: X.copy().assign_value(a),
    "set_data": lambda a, k: Parameter(X, name="p").set_data(a).value(),
    "assign": lambda a, k: ops.assign(Parameter(X * 2, name="p"), a).value(),
}


@pytest.mark.parametrize("name", CALLS)
def test_an_array_is_taken_as_a_tensor(name, mode):
    actual = CALLS[name](jnp.asarray(A), jnp.asarray(K))
    expected = CALLS[name](Tensor(A), Tensor(K))
    assert type(actual) is type(expected) is Tensor and actual.dtype == expected.dtype
    np.testing.assert_array_equal(actual.asnumpy(), expected.asnumpy())


def test_writes_take_arrays(mode):
    x = X.copy()
    x[0] = jnp.zeros(3)
    x[jnp.asarray(K)] = jnp.float32(5)
    x += jnp.ones(3)
    assert x.tolist() == [[6, 6, 6], [6, 6, 6]]


def test_a_state_of_arrays_is_taken(mode):
    state = jnp.zeros((1, 2, 4)), jnp.ones((1, 2, 4))
    outputs, (h, c) = nn.LSTM(3, 4)(jnp.ones((5, 2, 3)), state)
    assert {type(each) for each in (outputs, h, c)} == {Tensor}


def test_it_is_the_same_buffer():
    array = jnp.asarray(A)
    assert taken(array).data_ptr() == array.unsafe_buffer_pointer()
    assert taken([1, (array, "a")])[1][0].shape == (2, 3) and taken(nothing := [1, (X, "a")]) is nothing


def test_under_a_transform_of_jax():
    net = nn.Dense(3, 4, weight_init="ones")
    assert type(jax.jit(net)(jnp.asarray(A))) is Tensor
    gradient = jax.grad(lambda a: ops.sum(net(ops.relu(a)) * 1.0))(jnp.asarray(A))
    assert isinstance(gradient, jax.Array) and gradient.tolist() == (4 * (A > 0)).tolist()


def test_random_keys_are_refused():
    with pytest.raises(TypeError, match="For 'ReLU', the 'input' must be a Tensor, but got a random key of JAX's"):
        ops.relu(jax.random.key(0))
