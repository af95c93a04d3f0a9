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
        (parameter([[1.0, 2.0]]), False, "But got its shape (1, 1) in the argument 'net' and shape (1, 2) in the"),
        (parameter([[1]], ms.int32), False, "but got its type Float32 in the argument 'net' and type Int32 in the"),
        (
            parameter([[1.5]], ms.float16),
            True,
            "but got its type Float32 in the argument 'net' and type Float16 in the",
        ),
    ],
)
def test_misfits(value, strict, message):
    net = network()
    with pytest.raises(RuntimeError) as caught:
        ms.load_param_into_net(net, {"0.weight": value}, strict)
    assert str(caught.value).startswith(
        "For 'load_param_into_net', 0.weight in the argument 'net' should have the same"
    )
    assert message in str(caught.value)
    assert net[0].weight.asnumpy().tolist() == [[0.0]]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((3, {}), "For 'load_param_into_net', the argument 'net' should be a Cell, but got <class 'int'>."),
        (
            (network(), 3),
            "For 'load_param_into_net', the argument 'parameter_dict' should be a dict, but got <class 'int'>.",
        ),
        ((network(), {}, 3), "The input value must be a bool, but got int."),
        (
            (network(), {"0.weight": Tensor([[1.0]])}),
            "For 'parameter_dict', the element in the argument 'parameter_dict'",
        ),
    ],
)
def test_argument_errors(arguments, message):
    with pytest.raises(TypeError) as caught:
        ms.load_param_into_net(*arguments)
    assert str(caught.value).startswith(message)
