"""The note on an exception that leaves a Cell: where it was raised, and what came in."""

import gc
import re
import traceback
import weakref

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Dense(4, 6), nn.Dense(5, 2))

    def construct(self, x):
        return self.layers(x)


class Net(nn.Cell):
    def __init__(self, raising=None):
        super().__init__()
        self.fc, self.block, self.raising = nn.Dense(3, 4), Block(), raising

    def construct(self, x):
        if self.raising is not None:
            raise self.raising
        return self.block(self.fc(x))


net = Net()
x = Tensor(np.ones((2, 3), np.float32))


def _raised(call):
    with pytest.raises(Exception) as raised:
        call()
    return raised.value


def _notes(error):
    return getattr(error, "__notes__", [])


def _gradient(cell):
    return ms.value_and_grad(cell, None, cell.trainable_params())


class WithLoss(nn.Cell):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def construct(self, x):
        return self.network(x).sum()


CALLS = {
    "a call": (lambda: net(x), "net"),
    "a gradient": (lambda: _gradient(net)(x), "net"),
    "a gradient of a function": (lambda: ms.grad(lambda x: net(x).sum())(x), "net"),
    "a jit": (lambda: ms.jit(lambda x: net(x))(x), "net"),
    "a local variable": (lambda: Net()(x), "Net"),
    "a training step": (
        lambda: nn.TrainOneStepCell(WithLoss(Net()), nn.SGD(net.trainable_params()))(x),
        "WithLoss.network",
    ),
    "a training step of a global variable": (
        lambda: nn.TrainOneStepCell(WithLoss(net), nn.SGD(net.trainable_params()))(x),
        "net",
    ),
    "compile": (lambda: net.compile(x), "net"),
}


@pytest.mark.parametrize("name", CALLS)
def test_the_note_names_the_inner_cell_and_its_inputs_once(mode, name):
    call, root = CALLS[name]
    error = _raised(call)
    assert type(error) is ValueError and str(error).startswith("For 'Dense', the 'weight' must be of length 6 ")
    assert _notes(error) == [f"In the Cell {root}.block.layers.1 (Dense), called with Float32(2, 6)."]
    assert traceback.format_exception(error)[-1].startswith("In the Cell ")


class Own(Exception):
    """An exception of the user's."""


@pytest.mark.parametrize("error", [Own("own"), ValueError("own"), KeyboardInterrupt()], ids=repr)
def test_what_the_user_s_code_raises_has_no_note(error):
    with pytest.raises(type(error)) as raised:
        Net(error)(x)
    assert raised.value is error and _notes(error) == []


class Applying(nn.Cell):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def construct(self, x, *rest):
        return self.fn(x)


def _own(_):
    raise Own


FAILING = {
    "the user's class": (lambda x: next(map(_own, [x])), False),
    "the end of an iterator": (lambda x: next(iter([])), False),
    "Python's own": (lambda x: x.shape[9], True),
    "NumPy's": (lambda x: np.ones(2).reshape(3), True),
}


@pytest.mark.parametrize("name", FAILING)
def test_which_exceptions_have_a_note(name):
    fn, is_noted = FAILING[name]
    expected = ["In the Cell Applying (Applying), called with Float32(2, 3), Float32(2, 3), Float32(2, 3)."]
    assert _notes(_raised(lambda: Applying(fn)(x, [x, {"a": x}]))) == (expected if is_noted else [])


def test_an_exception_raised_again_by_another_cell_keeps_its_note():
    error = _raised(lambda: net(x))
    notes = [*_notes(error)]
    assert _raised(lambda: Net(error)(x)) is error and _notes(error) == notes and len(notes) == 1


class Catching(nn.Cell):
    """Catches an exception of an inner Cell."""

    def __init__(self):
        super().__init__()
        self.net, self.caught = Net(), []

    def construct(self, x):
        try:
            return self.net(x)
        except ValueError as error:
            self.caught.append(error)
        return x


def test_an_exception_that_is_caught_within_has_no_note():
    cell = Catching()
    cell(x)
    assert [_notes(error) for error in cell.caught] == [[]]


class Making(nn.Cell):
    """Calls a Cell that it does not hold, and many Tensors."""

    def construct(self, x):
        return Block()(ops.relu(x))


def test_a_cell_that_no_other_holds_goes_by_its_class():
    assert _notes(_raised(lambda: Making()(x))) == [
        "In the Cell Making > Block.layers.0 (Dense), called with Float32(2, 3)."
    ]


def test_many_tensors_are_cut():
    (note,) = _notes(_raised(lambda: Applying(lambda x: x.shape[9])(x, [x] * 9)))
    assert len(re.findall(r"Float32\(2, 3\)", note)) == 8 and note.endswith(" and 2 more Tensors.")


class Broken(Net):
    """A Cell whose own method fails once ``construct`` runs."""

    def construct(self, x):
        self.cells_and_names = None
        return super().construct(x)


def test_what_fails_in_the_note_does_not_hide_the_exception():
    error = _raised(lambda: Broken()(x))
    assert type(error) is ValueError and str(error).startswith("For 'Dense'") and _notes(error) == []


def test_the_note_keeps_no_tensor_alive():
    beside, given = Tensor(np.ones(3, np.float32)), Tensor(np.ones((2, 3), np.float32))
    cell = Applying(lambda x: x.shape[9])
    references = weakref.ref(beside), weakref.ref(given)
    gc.disable()  # so that a cycle would show
    try:
        try:
            cell(given)
        except IndexError as error:
            assert len(_notes(error)) == 1
        del beside, given
        assert [reference() for reference in references] == [None, None]
    finally:
        gc.enable()


@pytest.mark.parametrize("value", [[1.0], None, "a", 3, (Tensor(1.0),)], ids=lambda value: type(value).__name__)
@pytest.mark.parametrize(
    "layer",
    [nn.Conv1d(2, 3, 3), nn.Conv2dTranspose(2, 3, 3), nn.BatchNorm1d(2), nn.InstanceNorm2d(2), nn.Softmax2d()],
    ids=lambda layer: type(layer).__name__,
)
def test_an_argument_that_is_no_tensor_is_named(layer, value, mode):  # MindSpore raises TypeErrors, too
    for cell in (layer, nn.SequentialCell(layer)):
        error = _raised(lambda cell=cell: cell(value))
        assert type(error) is TypeError and error.__suppress_context__
        assert str(error).startswith(f"For '{type(layer).__name__}', the 'x' must be a Tensor, but got ")


def test_an_attribute_error_of_the_users_code_stays_one():
    class Ranked(nn.Cell):
        def construct(self, x):
            return x.ndim

    assert type(_raised(lambda: nn.SequentialCell(Ranked())([1]))) is AttributeError
