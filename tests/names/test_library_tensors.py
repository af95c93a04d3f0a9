"""Behaviour of mindnlp 0.5: it replaces methods of Tensor, writes to memory, and makes Primitives it never calls."""

import ctypes

import numpy as np
import pytest

from msgrad import Generator, Tensor, experimental, grad, ops
from msgrad._compat.common.registers import StubTensor, _TensorMeta
from msgrad._compat.compiler import c_expression
from msgrad._compat.compiler.executors import _MindsporeFunctionExecutor
from msgrad._compat.ops import generators, inner_primitives, left_out_primitives
from msgrad._compat.parallel.communication import Backend
from msgrad._compat.train import model_parts
from msgrad.ops._core.faces import PRIMITIVES


def test_msgrad_keeps_the_methods_that_a_library_replaces(monkeypatch):
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    monkeypatch.setattr(Tensor, "__getitem__", lambda self, index: PRIMITIVES["SelectView"]()(self, index, 0))
    monkeypatch.setattr(Tensor, "__mul__", lambda self, other: "theirs")
    monkeypatch.setattr(Tensor, "shape", property(lambda self: list(self._shape)))
    assert x[1].asnumpy().tolist() == [3.0, 4.0] and x * 2 == "theirs" and x.shape == [2, 2]
    assert grad(lambda x: ops.LogSoftmax()(x)[0].sum())(x).asnumpy().shape == (2, 2)
    monkeypatch.undo()
    assert (x * 2).shape == (2, 2)


def test_a_method_is_replaced_twice_and_put_back(monkeypatch):
    own = Tensor.abs
    for answer in ("first", "second"):
        monkeypatch.setattr(Tensor, "abs", lambda self, answer=answer: answer)
        assert Tensor([-1]).abs() == answer
    monkeypatch.undo()
    assert Tensor.abs is own and Tensor([-1]).abs().tolist() == [1]


def test_astype_is_written_with_to(monkeypatch):
    monkeypatch.setattr(Tensor, "to", lambda self, dtype: ("theirs", dtype))
    assert Tensor([1.5]).astype("int32")[0] == "theirs"
    assert Tensor([1.5]).astype("float32", copy=False).tolist() == [1.5]


def test_subclasses_keep_their_own_methods():
    class Kind(_TensorMeta):
        def __instancecheck__(cls, instance):
            return isinstance(instance, Tensor) and str(instance.dtype) == cls.wanted

    class Ints(Tensor, metaclass=Kind):
        wanted = "Int64"

        def sum(self):
            return "theirs"

    Ints.max = lambda self: "theirs"
    assert isinstance(Tensor([1]), Ints) and not isinstance(Tensor([1.0]), Ints)
    assert Ints([1]).sum() == Ints([1]).max() == "theirs"


def test_memory_may_be_written_to_at_once():
    x, base = Tensor([1.0, 2.0]), Tensor([1.0, 2.0])
    new = np.array([5.0, 6.0], np.float32)
    ctypes.memmove(x._data_ptr(), new.ctypes.data, new.nbytes)
    assert (x + 1).tolist() == [6.0, 7.0] and (base + 1).tolist() == [2.0, 3.0]


def test_state_of_the_primitive_of_generators():
    seed, offset = Tensor(0), Tensor(0)
    call = generators.Generator().set_device("CPU")

    def numbers(command, *arguments):
        return [each.asnumpy().tolist() for each in call(command, (seed, offset, *arguments))]

    assert numbers(generators.MANUAL_SEED, Tensor(7))[:2] == [7, 0]
    assert numbers(generators.STEP, 12)[:2] == [7, 0] and numbers(generators.STEP, 5)[:2] == [7, 12]
    state = call(generators.GET_STATE, (seed, offset))[2]
    assert state.asnumpy().tolist() == [7, *[0] * 7, 17, *[0] * 7]
    assert numbers(generators.SEED)[0] == numbers(generators.INITIAL_SEED)[0]
    assert numbers(generators.SET_STATE, state)[:2] == [7, 17]
    with pytest.raises(ValueError, match="For 'Generator', the 'cmd' must be one of the ints 0 to 5"):
        call(6, (seed, offset))


def test_step_of_a_generator():  # the figures are MindSpore 2.10's
    generator = Generator().manual_seed(7)
    steps = [[each.tolist() for each in generator._step(Tensor(12))] for _ in range(2)]
    assert steps == [[7, 0], [7, 12]]
    assert generator.get_state().asnumpy().tolist() == [7, *[0] * 7, 24, *[0] * 7]
    with pytest.raises(RuntimeError, match="Invalid tensor input: Step"):
        generator._step(12)


@pytest.mark.parametrize("kind", [ops.GeSwitch, left_out_primitives.InplaceRandom, left_out_primitives.GeluGradExt])
def test_primitives_that_are_left_out_can_be_made(kind):
    made = kind().set_device("Ascend")
    assert made.attrs == {"primitive_target": "Ascend"} and made.name in kind.__name__
    with pytest.raises(NotImplementedError, match=f"'{kind.__name__}' is left out of msgrad: "):
        made(Tensor([1.0]))


def test_memory_without_values():
    assert inner_primitives.INNER["Empty"]()((2, 3)).shape == (2, 3)
    assert c_expression._empty_instance((2, 3), dtype=Tensor(1).dtype, device="CPU").dtype == Tensor(1).dtype


def test_names_of_backends():
    assert Backend("HCCL") == Backend.HCCL == "hccl"
    with pytest.raises(ValueError, match="For 'Backend', the 'name' must be one of"):
        Backend("gloo")


SELECTED = [  # the figures are MindSpore 2.10's
    ((Tensor([1.0, 2.0]), -1e9), "Float32", [1.0, -1e9]),
    ((3, Tensor([1.0, 2.0])), "Float32", [3.0, 2.0]),
    ((Tensor([1, 2]), 1.5), "Float32", [1.0, 1.5]),
    ((Tensor([1, 2]), True), "Int64", [1, 1]),
    ((1, 2), "Int64", [1, 2]),
]


@pytest.mark.parametrize("operands, dtype, expected", SELECTED)
def test_select_takes_numbers(operands, dtype, expected):
    actual = ops.Select()(Tensor([True, False]), *operands)
    assert (str(actual.dtype), actual.tolist()) == (dtype, expected)


def test_axes_of_a_norm_are_given():
    with pytest.raises(TypeError, match="For 'LpNorm', the 'axis' must be"):
        ops.LpNorm(None)(Tensor([1.0, 2.0]))


def test_names_of_training_loops():
    x = Tensor([1.0])
    assert model_parts._transfer_tensor_to_tuple(x) == (x,) and model_parts._transfer_tensor_to_tuple([x]) == [x]
    assert model_parts._StepSync().step_end(None) is None
    assert StubTensor.reshape is Tensor.reshape and not isinstance(x, StubTensor)
    assert _MindsporeFunctionExecutor(lambda x: x * 2, 0)(x).tolist() == [2.0]
    with pytest.raises(NotImplementedError, match="MapParameter' is left out of msgrad: "):
        experimental.MapParameter()
