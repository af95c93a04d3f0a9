"""Parameters under the user's own jax.jit, jax.grad and jax.vmap: those made outside are not written to."""

import copy
import pickle

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

X = jnp.ones((4, 2), jnp.float32)
TRANSFORMS = {
    "jit": jax.jit,
    "vmap": lambda f: lambda x: jax.vmap(f)(x[None]),
    "grad": lambda f: jax.grad(lambda x: f(x).sum()),
    "jit of grad": lambda f: jax.jit(jax.grad(lambda x: f(x).sum())),
}
USES = {
    "call": lambda net, x: net(x),
    "gradient": lambda net, x: ms.grad(lambda t: net(t).sum())(x),
}
WRITES = {
    "assign": lambda p, v: ops.assign(p, v),
    "assign_add": lambda p, v: ops.assign_add(p, v),
    "set_data": lambda p, v: p.set_data(v),
    "item": lambda p, v: p.__setitem__(0, v[1]),
    "method": lambda p, v: p.add_(v),
}


def normalized():
    return nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3)).set_train()


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("transform", TRANSFORMS)
def test_a_closed_over_layer_does_not_keep_its_statistics(transform, use, mode):
    net = normalized()
    before = [each.asnumpy().copy() for each in net.get_parameters()]
    run = TRANSFORMS[transform](lambda x: jnp.asarray(USES[use](net, Tensor(x))))
    with pytest.raises(RuntimeError, match="'1.moving_mean' is written to inside a function that JAX traces"):
        run(X)
    for each, value in zip(net.get_parameters(), before, strict=True):
        np.testing.assert_array_equal(each.asnumpy(), value)
    net.set_train(False)
    assert np.isfinite(run(X)).all()


@pytest.mark.parametrize(
    "make", [lambda p: p, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p)), lambda p: p.clone()]
)
@pytest.mark.parametrize("write", WRITES)
def test_a_parameter_from_outside_is_not_written_to(write, make, mode):
    parameter = make(Parameter(Tensor([1.0, 2.0]), name="p"))

    @jax.jit
    def run(v):
        WRITES[write](parameter, Tensor(v))
        return v

    with pytest.raises(RuntimeError, match="'p' is written to"):
        run(jnp.ones(2, jnp.float32))
    assert parameter.asnumpy().tolist() == [1.0, 2.0]
    WRITES[write](parameter, Tensor([5.0, 5.0]))
    assert parameter.asnumpy()[0] in (5.0, 6.0)


def test_a_cell_that_is_an_argument_is_written_to(mode):
    def run(net, x):
        y = net(Tensor(x))
        return net, jnp.asarray(y)

    net, other = normalized(), normalized()
    for mine, its in zip(net.get_parameters(), other.get_parameters(), strict=True):
        its.set_data(Tensor(mine.asnumpy()))
    after, _ = jax.jit(run)(net, X)
    other(Tensor(X))
    np.testing.assert_allclose(after[1].moving_mean.asnumpy(), other[1].moving_mean.asnumpy(), rtol=1e-6)
    assert net[1].moving_mean.asnumpy().tolist() == [0, 0, 0]


@pytest.mark.parametrize("write", WRITES)
def test_a_parameter_from_inside_is_written_to(write, mode):
    @jax.jit
    def run(v):
        parameter = Parameter(Tensor([1.0, 2.0]), name="p")
        WRITES[write](parameter, Tensor(v))
        return jnp.asarray(parameter)

    assert run(jnp.full(2, 5, jnp.float32))[0] in (5.0, 6.0)


def test_a_value_that_is_known_can_be_assigned_while_jax_traces():
    parameter = Parameter(Tensor([1.0, 2.0]), name="p")

    @jax.jit
    def run(v):
        parameter.set_data(Tensor([3.0, 4.0]))
        return v

    run(X)
    assert parameter.asnumpy().tolist() == [3.0, 4.0]
