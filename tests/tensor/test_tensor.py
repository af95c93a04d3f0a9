"""Writes into Tensors and their parts, sharing, and JAX. Golden values are in tests/expressions/tensors.py."""

import copy
import gc
import pickle
import weakref

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops


def matrix():
    return Tensor([[1.0, 2.0], [3.0, 4.0]])


# -- writes to parts of parts, in recordings ------------------------------------------------------------------------


def chained(a):
    x = a * 1
    x[0][1] = 7.0
    return (x * x).sum()


def chained_sum(a):
    x = a * 1
    x[0][1] += 7.0
    return (x * x).sum()


def chained_twice(a):
    x = a * 1
    x[0:2][1][0] = a[0, 0] * 3
    return (x * x).sum()


def read_before(a):
    x = a * 1
    y = x[0]
    x[0, 0] = 9.0
    return (y * y).sum()


def named(a):
    x = a * 1
    y = x[0]
    y[1] = 7.0
    return (x * x).sum()


def looped(a):
    x = a * 1
    for row in x:
        row[0] = 5.0
    return (x * x).sum()


# MindSpore 2.10's values.
@pytest.mark.parametrize(
    ("fn", "value", "gradient"),
    [
        (chained, 75.0, [[2.0, 0.0], [6.0, 8.0]]),
        (chained_sum, 107.0, [[2.0, 18.0], [6.0, 8.0]]),
        (chained_twice, 30.0, [[20.0, 4.0], [0.0, 8.0]]),
        (read_before, 5.0, [[2.0, 4.0], [0.0, 0.0]]),
    ],
)
def test_write_to_part_in_recording(mode, fn, value, gradient):
    actual, derivative = ms.value_and_grad(fn)(matrix())
    assert actual.item() == value
    dropped = fn is chained_twice and mode == "GRAPH_MODE"  # nothing is written past a slice alone
    assert derivative.tolist() == ((2 * matrix()).tolist() if dropped else gradient)


# A part that has a name is a view in PYNATIVE_MODE and a Tensor of its own in GRAPH_MODE.
@pytest.mark.parametrize(
    ("fn", "pynative", "graph"),
    [
        (named, (75.0, [[2.0, 0.0], [6.0, 8.0]]), (30.0, [[2.0, 4.0], [6.0, 8.0]])),
        (looped, (70.0, [[0.0, 4.0], [0.0, 8.0]]), (30.0, [[2.0, 4.0], [6.0, 8.0]])),
    ],
)
def test_write_to_named_part_in_recording(mode, fn, pynative, graph):
    actual, gradient = ms.value_and_grad(fn)(matrix())
    assert (actual.item(), gradient.tolist()) == (pynative if mode == "PYNATIVE_MODE" else graph)


def test_write_to_part_of_parameter(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor(np.ones((2, 2), np.float32)), name="w")

        def construct(self, a):
            self.w[0][1] = 5.0
            return (self.w * a).sum()

    net = Net()
    for _ in range(2):
        assert net(Tensor(np.ones((2, 2), np.float32))).item() == 8.0
        assert net.w.tolist() == [[1.0, 5.0], [1.0, 1.0]]


@pytest.mark.parametrize("write", [lambda a: a.__setitem__(0, 7.0), lambda a: a[0].__setitem__(1, 7.0)])
def test_write_to_differentiated_input_is_refused(write):
    x = matrix()
    with pytest.raises(
        RuntimeError,
        match="For 'setitem', the Tensor is an input of the function that is being differentiated,",
    ):
        ms.grad(lambda a: (write(a), a.sum())[1])(x)
    assert x.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_parts_keep_no_tensor_alive():
    class Net(nn.Cell):
        def construct(self, a):
            x = a * 2
            self.gone = weakref.ref(x)
            return x[0]

    net = Net()
    part = net(matrix())
    gc.collect()
    assert net.gone() is None
    assert part.tolist() == [2.0, 4.0]


# -- views outside recordings ---------------------------------------------------------------------------------------


def test_write_to_broadcast_view_shows_in_all_its_copies():
    x = Tensor([1.0, 2.0])
    view = x.broadcast_to((3, 2))
    view[1, 0] = 9.0
    assert x.tolist() == [9.0, 2.0]
    assert view.tolist() == [[9.0, 2.0]] * 3


def test_view_of_parameter_reaches_it():
    p = Parameter(Tensor([[1.0, 2.0]]), name="p")
    p.reshape(2)[0] = 5.0
    assert p.tolist() == [[5.0, 2.0]]


def test_write_in_a_recording_reaches_view_made_before():
    x = matrix()
    row = x[0]

    class Net(nn.Cell):
        def construct(self):
            row[1] = 7.0
            return x.sum()

    assert Net()().item() == 15.0
    assert x.tolist() == [[1.0, 7.0], [3.0, 4.0]]


# -- in place -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("write", "expected"),
    [
        (lambda x: x.add_(1), [[2.0, 3.0], [4.0, 5.0]]),
        (lambda x: x.sub_(Tensor([1.0, 0.0])), [[0.0, 2.0], [2.0, 4.0]]),
        (lambda x: x.mul_(2), [[2.0, 4.0], [6.0, 8.0]]),
        (lambda x: x.div_(2), [[0.5, 1.0], [1.5, 2.0]]),
        (lambda x: x.floor_divide_(2), [[0.0, 1.0], [1.0, 2.0]]),
        (lambda x: x.remainder_(2), [[1.0, 0.0], [1.0, 0.0]]),
        (lambda x: x.clamp_(2, 3), [[2.0, 2.0], [3.0, 3.0]]),
        (lambda x: x.fill_(7), [[7.0, 7.0], [7.0, 7.0]]),
        (lambda x: x.zero_(), [[0.0, 0.0], [0.0, 0.0]]),
        (lambda x: x.sign_(), [[1.0, 1.0], [1.0, 1.0]]),
        (lambda x: x.masked_fill_(x > 2, 0.0), [[1.0, 2.0], [0.0, 0.0]]),
        (lambda x: x.index_add_(0, Tensor([0], ms.int32), Tensor([[1.0, 1.0]])), [[2.0, 3.0], [3.0, 4.0]]),
    ],
)
def test_in_place_method(write, expected):
    x = matrix()
    assert write(x) is x
    assert x.tolist() == expected

    def after(a):
        b = a * 1
        write(b)
        return b

    assert ms.jit(after)(matrix()).tolist() == expected


@pytest.mark.parametrize(
    ("write", "error", "text"),
    [
        (
            lambda: Tensor([1, 2]).add_(Tensor([[1], [2]])),
            ValueError,
            "For 'add_', the 'self' must be of the shape of the result",
        ),
        (
            lambda: Tensor([1, 2]).add_(0.5),
            RuntimeError,
            "For 'add_', the 'self' must be of a dtype that takes Float32",
        ),
        (lambda: Tensor([1, 2]).copy_(3), TypeError, "For 'copy_', the 'src' must be a Tensor"),
        (
            lambda: Tensor([1, 2]).copy_(Tensor([1, 2, 3])),
            RuntimeError,
            "For 'copy_', the 'src' must be of a shape that broadcasts to .2,.",
        ),
        (lambda: Tensor([1, 2]).assign_value(3), TypeError, "For 'assign_value', the 'value' must be a Tensor"),
        (
            lambda: Tensor(b"ab"),
            TypeError,
            "For 'Tensor', the 'input_data' must be a Tensor, an array, a number, or a list or",
        ),
        (lambda: Tensor(shape=(None, 3)), ValueError, "a 'shape' with unknown lengths needs a 'dtype'"),
        (lambda: Tensor([1.5], ms.bfloat16).to_dlpack(), TypeError, "For 'to_dlpack', dtype bfloat16"),
        (
            lambda: Tensor.from_dlpack([1]),
            RuntimeError,
            "For 'from_dlpack', a capsule can be consumed once only, and an array must have",
        ),
        (lambda: ms.from_numpy([1]), TypeError, "Expected a NumPy array"),
        (lambda: Tensor([1]).grad, AttributeError, "'Tensor' object has no attribute 'grad'"),
    ],
)
def test_error(write, error, text):
    with pytest.raises(error, match=text):
        write()


def test_in_place_method_has_gradient():
    def fn(a):
        b = a * 1
        b.mul_(a)
        return b.exp_().sum()

    assert ms.grad(fn)(Tensor([0.5])).item() == pytest.approx(np.exp(0.25), rel=1e-6)


# -- other libraries ------------------------------------------------------------------------------------------------


def test_dlpack_shares_memory():
    x = Tensor([1.0, 2.0])
    y = Tensor.from_dlpack(x.to_dlpack())
    x[0] = 9.0
    y[1] = 7.0
    assert x.tolist() == y.tolist() == [9.0, 7.0]


def test_dlpack_capsule_is_consumed_once():
    capsule = Tensor([1.0]).to_dlpack()
    Tensor.from_dlpack(capsule)
    with pytest.raises(
        RuntimeError,
        match="For 'from_dlpack', a capsule can be consumed once only, and an array must have",
    ):
        Tensor.from_dlpack(capsule)


def test_dlpack_memory_outlives_its_tensor():
    y = Tensor.from_dlpack(Tensor(np.full(1000, 3.0)).to_dlpack())
    gc.collect()
    assert (y + 0).tolist() == [3.0] * 1000


def test_jax_takes_tensors():
    x = matrix()
    assert jnp.sum(jnp.asarray(x)) == 10.0
    doubled = jax.jit(lambda t: t * 2)(x)
    assert type(doubled) is Tensor
    assert doubled.tolist() == [[2.0, 4.0], [6.0, 8.0]]
    gradient = jax.grad(lambda t: (ops.sin(t).sum())._state_())(x)
    np.testing.assert_allclose(gradient.asnumpy(), np.cos(x.asnumpy()), rtol=1e-6)


@pytest.mark.parametrize("dtype", [ms.float32, ms.bfloat16, ms.bool_, ms.int8, ms.complex64])
def test_pickle_and_copies(dtype):
    x = Tensor([0, 1], dtype)
    for other in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert other is not x
        assert (other.dtype, other.tolist()) == (dtype, x.tolist())
