"""`swap_tensors` exchanges contents; `frombuffer` shares memory. Expected values are MindSpore 2.10's."""

import array

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops


def test_classes_names_and_attributes_are_exchanged():
    tensor, parameter = Tensor([1.0, 2.0]), Parameter(Tensor([[3]]), name="p")
    tensor.mark = "m"
    ms.swap_tensors(tensor, parameter)
    assert type(tensor) is Parameter and tensor.name == "p" and tensor.tolist() == [[3]]
    assert type(parameter) is Tensor and parameter.mark == "m" and parameter.tolist() == [1.0, 2.0]
    assert not hasattr(tensor, "mark")
    ms.swap_tensors(t1=tensor, t2=tensor)
    assert tensor.tolist() == [[3]]


def test_views_follow_their_storage():
    first, second = Tensor([1.0, 2.0]), Tensor([3])
    view = first[0:1]
    ms.swap_tensors(first, second)
    view[0] = 7
    assert second.tolist() == [7.0, 2.0] and first.tolist() == [3]
    second[0] = 8
    assert view.tolist() == [8.0]
    ms.swap_tensors(second, view)
    second[0] = 9
    assert view.tolist() == [9.0, 2.0] and second.tolist() == [9.0]


def test_host_buffers_follow():
    values = np.array([1.0, 2.0])
    first, second = Tensor.from_numpy(values), Tensor([3])
    ms.swap_tensors(first, second)
    values[0] = 5
    assert second.tolist() == [5.0, 2.0] and first.tolist() == [3]


def test_a_cell_computes_with_what_its_parameter_has_become(mode):
    net, x = nn.Dense(2, 1, "ones", has_bias=False), Tensor([[1.0, 2.0]])
    other = Parameter(ops.zeros((1, 2)), name="other")
    assert net(x).tolist() == [[3.0]]
    ms.swap_tensors(net.weight, other)
    assert net(x).tolist() == [[0.0]]
    assert [name for name, each in net.parameters_and_names() if each.name == "other"] == ["weight"]
    (gradient,) = ms.grad(net, None, [net.weight])(x)
    assert gradient.tolist() == [[1.0, 2.0]]


def test_what_cannot_be_exchanged_is_refused():
    class Marked(Tensor):
        __slots__ = ("mark",)

    x = Tensor([1.0])
    with pytest.raises(RuntimeError, match=r"same __slots__, but they are \['_state', 'mark'\] and"):
        ms.swap_tensors(Marked([1.0]), x)
    ms.swap_tensors(Marked([1.0]), Marked([2.0]))  # whose slots are unset
    with pytest.raises(TypeError, match="must be a Tensor, but got 1"):
        ms.swap_tensors(x, 1)

    def f(y):
        ms.swap_tensors(x, Tensor([2.0]))
        return x * y

    for call in (ms.grad(f), ms.jit(f)):
        with pytest.raises(RuntimeError, match="call it outside of them"):
            call(Tensor([3.0]))
    assert x.tolist() == [1.0]


@pytest.mark.parametrize(
    ("buffer", "arguments", "expected"),
    [
        (b"\1\0\2\0", (ms.int16,), [1, 2]),
        (b"\1\0\2\0\3\0", (ms.int16, 2, 2), [2, 3]),
        (b"\0\1\0", (ms.int16, -1, 1), [1]),
        (b"\1\0\2", (ms.bool_,), [True, False, True]),
        (b"\x80\x3f", (ms.bfloat16,), [1.0]),
        (array.array("i", [1, 2]), (ms.int32,), [1, 2]),
        (memoryview(b"\1\2"), (ms.uint8,), [1, 2]),
        (np.arange(4, dtype=np.float32).reshape(2, 2), (ms.float32,), [0, 1, 2, 3]),
        (np.ones(1, np.complex64), (ms.complex64,), [1]),
    ],
)
def test_frombuffer(buffer, arguments, expected):
    made = ms.frombuffer(buffer, *arguments)
    assert made.dtype == arguments[0] and made.tolist() == expected


def test_frombuffer_shares_memory():
    buffer = bytearray([1, 0, 0, 0, 2, 0, 0, 0])
    made = ms.frombuffer(buffer, ms.int32)
    buffer[0] = 9
    assert made.tolist() == [9, 2]
    made[1] = 5
    assert buffer[4] == 5
    assert repr(made) == "Tensor(shape=[2], dtype=Int32, value= [9, 5])"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((b"\1\2\3", ms.int16), "'buffer' must be of whole elements of 2 bytes after the offset, but got 3 bytes"),
        ((b"\1\2\3", ms.int16, 2), "'buffer' must be of 2 elements of 2 bytes after the offset, but got 3 bytes"),
        ((b"\1\2", ms.int16, 0), "'count' must be positive, or -1, but got 0"),
        ((b"\1\2", ms.int16, -2), "'count' must be positive, or -1, but got -2"),
        ((b"\1\2", ms.int16, -1, 2), "'offset' must be from 0 to less than the 2 bytes, but got 2"),
        ((b"\1\2", ms.int16, -1, -1), "'offset' must be from 0"),
        ((b"", ms.int16), "'offset' must be from 0 to less than the 0 bytes"),
        (("ab", ms.int16), "'buffer' must be an object with a buffer, but got str"),
        ((np.zeros(4)[::2], ms.float64), "'buffer' must be contiguous"),
        ((b"\1\2", np.int16), "'dtype' must be a mindspore dtype"),
        ((b"\1\2", ms.string), "'dtype' must be a mindspore dtype"),
    ],
)
def test_what_frombuffer_refuses(arguments, sentence):
    with pytest.raises(RuntimeError, match=sentence):
        ms.frombuffer(*arguments)
    with pytest.raises(TypeError, match="'count' must be an int"):
        ms.frombuffer(b"ab", ms.int8, 1.0)
