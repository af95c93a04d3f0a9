"""Loading Parameters into networks. Expected values are MindSpore 2.10's."""

import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn


def parameter(values, dtype=ms.float32):
    return Parameter(Tensor(values, dtype), name="0.weight")


def network():
    return nn.SequentialCell(nn.Dense(1, 1, weight_init="zeros"))


@pytest.mark.parametrize("dtype", [ms.float32, ms.float16, ms.bfloat16, ms.float64])
def test_load_casts_between_float_dtypes(dtype):
    net = network()
    assert ms.load_param_into_net(net, {"0.weight": parameter([[1.5]], dtype)}) == (["0.bias"], [])
    assert (net[0].weight.asnumpy().tolist(), net[0].weight.dtype) == ([[1.5]], ms.float32)


def test_names_that_do_not_fit_are_returned():
    assert ms.load_param_into_net(network(), {"q": parameter([[1.0]])}) == (["0.weight", "0.bias"], ["q"])


@pytest.mark.parametrize(
    ("value", "strict", "message"),
    [
        (
            parameter([[1.0, 2.0]]),
            False,
            "For 'load_param_into_net', the 'parameter_dict['0.weight']' must be of the shape (1,",
        ),
        (
            parameter([[1]], ms.int32),
            False,
            "For 'load_param_into_net', the 'parameter_dict['0.weight']' must be of the dtype",
        ),
        (
            parameter([[1.5]], ms.float16),
            True,
            "For 'load_param_into_net', the 'parameter_dict['0.weight']' must be of the dtype",
        ),
    ],
)
def test_misfits(value, strict, message):
    net = network()
    with pytest.raises(RuntimeError) as caught:
        ms.load_param_into_net(net, {"0.weight": value}, strict)
    assert message in str(caught.value)
    assert net[0].weight.asnumpy().tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, {}), "For 'load_param_into_net', the 'net' must be a Cell"),
        (
            (network(), 3),
            "For 'load_param_into_net', the 'parameter_dict' must be a dict",
        ),
        ((network(), {}, 3), "For 'load_param_into_net', the 'strict_load' must be a bool"),
        (
            (network(), {"0.weight": Tensor([[1.0]])}),
            "For 'load_param_into_net', the 'parameter_dict['0.weight']' must be a Parameter",
        ),
    ],
)
def test_argument_errors(arguments, message):
    with pytest.raises(TypeError) as caught:
        ms.load_param_into_net(*arguments)
    assert str(caught.value).startswith(message)
