"""The argument ``weights``: what is accepted, and which have a gradient. Expected values are MindSpore 2.10's."""

import warnings

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, ParameterTuple, Tensor, nn
from msgrad.tensor.param_info import ParamInfo

VALUES = np.array([1, 1, 2], np.float32)


class Weight(Tensor):
    """A library's own Parameter: a Tensor with a `ParamInfo`."""

    def __init__(self, data, requires_grad=True):
        super().__init__(data)
        self.param_info = ParamInfo()
        self.param_info.name = "weight"
        self.param_info.parameter_shape = list(self.shape)
        self.param_info.requires_grad = requires_grad


class OwnParameter(Parameter):
    """A subclass of Parameter."""


def gradient(weight, weights):
    x = Tensor(np.array([1, 1, np.sqrt(2)], np.float32))

    def loss():
        return (weight * x * x).sum()

    return ms.value_and_grad(loss, None, weights)()[1]


@pytest.mark.parametrize("kind", [Parameter, OwnParameter, Weight])
@pytest.mark.parametrize("nest", [lambda w: w, lambda w: [w], lambda w: (w,)], ids=["bare", "list", "tuple"])
def test_weights_have_gradients(mode, kind, nest):
    weight = kind(Tensor(VALUES) if kind is not Weight else VALUES)
    actual = gradient(weight, nest(weight))
    actual = actual if isinstance(actual, Tensor) else actual[0]
    np.testing.assert_allclose(actual.asnumpy(), [1, 1, 2], rtol=1e-6)


def test_a_parameter_tuple():
    weight = Parameter(Tensor(VALUES), name="w")
    (actual,) = gradient(weight, ParameterTuple([weight]))
    np.testing.assert_allclose(actual.asnumpy(), [1, 1, 2], rtol=1e-6)


def test_frozen_weights_have_zeros():
    for weight in (Weight(VALUES, requires_grad=False), Parameter(Tensor(VALUES), requires_grad=False)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert gradient(weight, [weight])[0].asnumpy().tolist() == [0, 0, 0]


def test_a_plain_tensor_warns():
    weight = Tensor(VALUES)
    with pytest.warns(UserWarning, match="plain Tensor among the weights"):
        assert gradient(weight, [weight])[0].asnumpy().tolist() == [0, 0, 0]


def test_a_plain_tensor_is_refused_in_graphs(graph_mode):
    weight = Tensor(VALUES)
    with pytest.raises(RuntimeError, match="one is a plain Tensor"):
        gradient(weight, [weight])


def test_non_differentiable_outputs():
    class Constant(ms._Function):
        @staticmethod
        def forward(ctx, x):
            one, two = x * 1, x * 2
            ctx.mark_non_differentiable(one)
            return one, two

        @staticmethod
        def backward(ctx, one, two):
            return one + two

    class Alone(Constant):
        @staticmethod
        def forward(ctx, x):
            out = x * 1
            ctx.mark_non_differentiable(out)
            return out

        @staticmethod
        def backward(ctx, gradient):
            return gradient

    x = Tensor(VALUES)
    assert ms.grad(lambda x: Alone.apply(x).sum())(x).asnumpy().tolist() == [0, 0, 0]
    assert ms.grad(lambda x: sum(out.sum() for out in Constant.apply(x)))(x).asnumpy().tolist() == [1, 1, 1]


@pytest.mark.parametrize(
    ("stranger", "in_graph"),
    [(1, ValueError), ("w", ValueError), (None, TypeError), (nn.Dense(1, 1), TypeError), ([1], ValueError)],
)
def test_what_is_no_parameter_among_the_weights_is_refused(stranger, in_graph, mode):
    weight = Parameter(Tensor(VALUES), name="weight")
    kind = RuntimeError if ms.get_context("mode") == ms.PYNATIVE_MODE else in_graph
    for weights in ([stranger], (weight, stranger)):
        for transform in (ms.grad, ms.value_and_grad):
            with pytest.raises(kind, match="The weights must be Parameters, but one of them is") as caught:
                transform(lambda x: (x * weight).sum(), None, weights)(Tensor(VALUES))
            assert caught.type is kind


@pytest.mark.parametrize("stranger", [1, "w"])
def test_what_is_no_parameter_in_a_dict_of_weights_is_refused_in_a_graph(stranger, graph_mode):
    with pytest.raises(ValueError, match="but one of them is"):
        ms.grad(lambda x: x.sum(), None, {"a": stranger})(Tensor(VALUES))
