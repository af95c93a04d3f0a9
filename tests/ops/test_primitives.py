"""User-defined Primitives: results, their own gradients, registered implementations."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops

X = Tensor([1.0, 2.0])


class Tripled(ops.PrimitiveWithInfer):
    """Computed by NumPy, with a gradient of its own: ten times the cotangent for each unit of the output."""

    @ops.prim_attr_register
    def __init__(self, factor=3.0):
        pass

    def vm_impl(self, x):
        return Tensor(x.asnumpy() * np.float32(self.factor))

    def bprop(self, x, output, cotangent):
        return (cotangent * output * 10,)


class Squared(ops.Primitive):
    """With a gradient given by `get_bprop`, as programs of 1.x have it."""

    @ops.prim_arg_register
    def __init__(self):
        pass

    def vm_impl(self, x):
        return x * x

    def get_bprop(self):
        return lambda x, output, cotangent: (cotangent * 100,)


class Doubled(ops.Primitive):
    """Without rules: it is differentiated as it computes."""

    def __init__(self):
        super().__init__("Doubled")

    def vm_impl(self, x):
        return x * 2


class Net(nn.Cell):
    def __init__(self, primitive):
        super().__init__()
        self.primitive = primitive

    def construct(self, x):
        return self.primitive(x) * 2


ROWS = [
    (Tripled(), [6.0, 12.0], [60.0, 120.0]),
    (Squared(), [2.0, 8.0], [200.0, 200.0]),
    (Doubled(), [4.0, 8.0], [4.0, 4.0]),
    (ops.Morph(lambda x: x * x, None, None), [2.0, 8.0], [4.0, 8.0]),
    (ops.Morph(lambda x: x * x, None, None, lambda x, output, cotangent: (x * 7,)), [2.0, 8.0], [7.0, 14.0]),
]


@pytest.mark.parametrize("primitive, value, derivative", ROWS, ids=lambda each: repr(each)[:30])
def test_value_and_gradient(primitive, value, derivative, mode):
    net = Net(primitive)
    for _ in range(2):  # the second call finds what the first one has compiled
        assert net(X).tolist() == value
        assert ms.grad(net)(X).tolist() == derivative
    (gradient,) = ms.vjp(net, X)[1](Tensor([1.0, 1.0]))
    assert gradient.tolist() == derivative


def test_too_few_gradients(mode):
    primitive = ops.Morph(lambda x, y: x * y, None, None, lambda x, y, output, cotangent: (x,))
    with pytest.raises(RuntimeError, match="Morph"):
        ms.grad(lambda x: primitive(x, x))(X)


def test_what_is_registered_is_computed():
    class Registered(ops.Primitive):
        @ops.prim_attr_register
        def __init__(self, factor):
            pass

    with pytest.raises(RuntimeError, match="there is nothing to run"):
        Registered(3)(X)

    @ops.vm_impl_registry.register(Registered)
    def compute(primitive):
        return lambda x: x * primitive.factor

    assert Registered(3)(X).tolist() == [3.0, 6.0]
    assert ops.get_vm_impl_fn(Registered(4))(X).tolist() == [4.0, 8.0]
    assert ops.get_vm_impl_fn("nothing of this name") is None


def test_grad_of_the_inside():
    def function(x, y):
        return x * x * y

    x, y = X, Tensor([3.0, 4.0])
    assert [each.tolist() for each in ops._Grad(get_all=True)(function)(x, y)] == [[6.0, 16.0], [1.0, 4.0]]
    value, gradient = ops._Grad(get_by_position=True, get_value=True)(function, None, 1)(x, y)
    assert (value.tolist(), gradient.tolist()) == ([3.0, 16.0], [1.0, 4.0])
    net = nn.Dense(2, 1)
    (gradient,) = ops._Grad(get_by_list=True)(net, ms.ParameterTuple([net.weight]))(x)
    assert gradient.tolist() == [[1.0, 2.0]]
    assert ops._Vmap()(lambda x: x * x, 0, 0)(x).tolist() == [1.0, 4.0]
