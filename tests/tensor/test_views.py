"""Views and writes: golden values in ``tests/golden/views.json``, and the cost of views."""

import dis
import gc
import json
import pathlib
import sys

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from tests.golden import make_views

ROWS = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "views.json").read_text())


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    path = tmp_path_factory.mktemp("views") / "programs.py"
    path.write_text(make_views.as_module([row[0] for row in ROWS]))
    return make_views.load(path, ms)


# Under gradients a cast of MindSpore's to the dtype that is there shares with the Tensor, unless that is a view; we
# copy, as we do not know there what is a view. Nor do views made there follow operations in place on all of a Tensor.
# MindSpore's x[True] = v leaves one element behind that is all of x; its x[()] under gradients is x itself.
def differs(mode, program):
    there = ("astype", "copy_", "ops.assign", "y = x[()]") if mode == "grad" else ("x[True] = ",)
    return any(text in program for text in there)


@pytest.mark.filterwarnings("ignore:.*different programs:RuntimeWarning")  # they are many, and each is run once
@pytest.mark.parametrize(("mode", "column"), [("call", 1), ("cell", 1), ("grad", 2)])
def test_views_follow_as_in_mindspore(programs, mode, column):
    wrong = []
    for k, row in enumerate(ROWS):
        if row[column] is not None and not differs(mode, row[0]):
            actual = make_views.results(ms, getattr(programs, f"f{k}"), mode)
            if actual != row[column]:
                wrong.append((row[0], row[column], actual))
    assert wrong == []


@pytest.mark.parametrize(
    "same", ["x.astype(ms.float32)", "x.float()", "x.to(ms.float32)", "ops.cast(x, ms.float32)", "ops.depend(x, x)"]
)
@pytest.mark.parametrize("write", ["y[...] = 5.0", "y[:] = 5.0", "y[0] = 5.0", "y[y > 0] = 5.0", "y.assign_value(z)"])
def test_what_is_cast_to_its_own_dtype_is_the_tensor_itself(same, write):
    names = {"ms": ms, "ops": ops, "x": Tensor([1.0, 2.0]), "z": Tensor([5.0, 6.0])}
    exec(f"y = {same}; {write}", names)
    assert names["x"].tolist() == names["y"].tolist() and names["x"][0].item() == 5.0


@pytest.mark.parametrize(
    "view, index, followed",  # MindSpore's figures, equal in both modes
    [
        (lambda x: x[1:], True, True),
        (lambda x: x.reshape(-1), [0], False),
        (lambda x: x.split(1)[0], (Ellipsis, [0]), False),
        (lambda x: x.T, Ellipsis, False),
        (lambda x: x.select(0, 1), Ellipsis, False),
        (lambda x: x.select(0, 1), 0, True),
        (lambda x: x.broadcast_to((2, 2, 3)), 0, True),
        (lambda x: x.T, 0, True),
        (lambda x: x[1:], slice(None), True),
    ],
)
def test_writes_to_a_view_outside_of_graphs_do_not_depend_on_the_mode(view, index, followed, mode):
    x = Tensor([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]])
    y = view(x)
    y[index] = 9
    assert (9 in x.asnumpy()) is followed and 9 in y.asnumpy()


@pytest.mark.parametrize("value, followed", [((9,), False), ([9], False), (Tensor([9.0]), True), (9, True)])
def test_a_list_written_by_a_tuple_of_indices_leaves_the_base_alone(value, followed, mode):
    x = Tensor([[0.0, 1.0], [2.0, 3.0]])
    y = x.T
    y[..., 0] = value
    assert (9 in x.asnumpy()) is followed and y.asnumpy()[:, 0].tolist() == [9, 9]


@pytest.mark.parametrize("index", [0, (0,), (Ellipsis, 0), Tensor(0)])
def test_a_list_is_no_value_of_one_element(index, mode):
    x = Tensor([0.0, 1.0])
    with pytest.raises(ValueError, match="the 'value' must be a number or a Tensor, for one element"):
        x[index] = [9]
    x[index] = Tensor([9.0])  # MindSpore accepts that
    assert x.tolist() == [9, 1]


@pytest.mark.parametrize("copy", ["ops.Identity()(x)", "ops.IdentityN()((x, x))[0]"])
def test_identities_are_copies(copy):
    def loss(x):
        x = x * 2
        y = eval(copy)
        y[0] = 5.0
        return (x * x).sum() + (y * 3).sum()

    x = Tensor([1.0, 2.0])
    eval(copy)[0] = 5.0
    assert x.tolist() == [1.0, 2.0]
    assert ms.grad(loss)(x).tolist() == ms.grad(ms.jit(loss))(x).tolist() == [8.0, 22.0]


IN_A_GRAPH = {  # what `x[index][0] = 9` makes of zeros of shape (2, 2), by MindSpore 2.10
    "0": [[9, 0], [0, 0]],
    "-1": [[0, 0], [9, 0]],
    "0, 0:1": [[9, 0], [0, 0]],
    "..., 1": [[0, 9], [0, 0]],
    "True": [[9, 9], [9, 9]],
    "Tensor(1)": [[0, 0], [9, 0]],
    "[1, 0]": [[0, 0], [9, 9]],
    "Tensor([1, 0])": [[0, 0], [9, 9]],
    "[False, True]": [[0, 0], [9, 9]],
    "Tensor([False, True]), 0": [[0, 0], [9, 0]],
    "0:1, [1, 0]": [[9, 9], [0, 0]],
}


@pytest.mark.parametrize("index, expected", IN_A_GRAPH.items(), ids=IN_A_GRAPH)
def test_functions_that_a_graph_calls_write_to_parts_unless_these_have_names(index, expected):
    """Their code is not rewritten, as that of a graph itself is (`test_subscript_writes`)."""
    place = eval(f"np.s_[{index}]")

    def chained(x):
        x[place][0] = 9
        return x

    def named(x):
        y = x[place]
        y[0] = 9
        return x

    def kept(x):
        parts = [x[place]]
        parts[0][0] = 9
        return x

    zeros = np.zeros((2, 2), np.float32)
    made = ms.jit(lambda x: [function(x + 0) for function in (chained, named, kept)])(Tensor(zeros))
    assert [each.tolist() for each in made] == [expected, [[0, 0], [0, 0]], [[0, 0], [0, 0]]]


# -- what views hold ------------------------------------------------------------------------------------------------


def held():
    """Bytes of the arrays that are alive."""
    gc.collect()
    return sum(array.nbytes for array in jax.live_arrays())


def slid(x):
    for _ in range(99):
        x = x[1:]
    return x


def cut_and_reshaped(x):
    for _ in range(99):
        x = x[1:].reshape(-1, 100)
    return x


@pytest.mark.parametrize("fn", [slid, cut_and_reshaped])
@pytest.mark.parametrize("in_cell", [False, True])
def test_view_holds_no_base(fn, in_cell):
    class Net(nn.Cell):
        def construct(self, x):
            return fn(x * 1.0)

    before = held()
    view = (Net() if in_cell else fn)(Tensor(np.ones((100, 100), np.float32)))
    assert view.shape == (1, 100)
    assert held() - before <= 2 * view.nbytes
    view[0] = 5.0
    assert view.tolist() == [[5.0] * 100]


@pytest.mark.parametrize("step", [lambda y: y.T, lambda y: y[:], lambda y: y.reshape(3, 2), lambda y: y[0:3]])
@pytest.mark.parametrize("is_kept", [False, True])
def test_long_chain_of_views(step, is_kept):
    x = y = Tensor(np.zeros((3, 2), np.float32))
    kept = []
    for _ in range(1500):
        y = step(y)
        if is_kept:
            kept.append(y)
    y[0, 0] = 7.0
    assert x[0, 0].item() == 7.0
    assert all(each[0, 0].item() == 7.0 for each in kept[::100])
    x[...] = 1.0  # gives x other storage; parts of parts of it are put back all the same
    y[2 if y.shape == (3, 2) else 1, 0] = 9.0
    assert (9.0 in x.asnumpy()) == (getattr(y, "_part", None) is not None)


def test_chain_in_a_recording(mode):
    def fn(a):
        x = y = a * 1
        for _ in range(30):
            y = y[0:2]
        y[0] = 7.0
        return x.sum()

    value, gradient = ms.value_and_grad(fn)(Tensor([1.0, 2.0, 3.0]))
    expected = (12.0, [0.0, 1.0, 1.0]) if mode == "PYNATIVE_MODE" else (6.0, [1.0] * 3)
    assert (value.item(), gradient.tolist()) == expected


def test_storage_forgets_its_views():
    x = Tensor(np.zeros(4, np.float32))
    for _ in range(1000):
        x.reshape(2, 2)
    assert len(x._view.storage.members) <= 64


# -- recordings -----------------------------------------------------------------------------------------------------


def test_failed_call_leaves_views_together(mode):
    x = Parameter(Tensor([[1.0, 2.0], [3.0, 4.0]]), name="x")
    row, turned = x[0], x.T

    class Net(nn.Cell):
        def __init__(self, fails):
            super().__init__()
            self.x, self.fails = x, fails

        def construct(self):
            self.x[self.x > 2] = 0.0  # in PYNATIVE_MODE, x has other storage from here on
            self.x[0, 0] = 9.0
            if self.fails:
                raise ValueError("stop")
            return self.x.sum()

    with pytest.raises(ValueError, match="stop"):
        Net(True)()
    x[0, 1] = 5.0
    assert (x.tolist(), row.tolist(), turned.tolist()) == ([[1, 5], [3, 4]], [1, 5], [[1, 3], [5, 4]])


def test_views_follow_what_a_gradient_assigns():
    p = Parameter(Tensor([1.0, 2.0, 3.0, 4.0]), name="p")
    square, tail = p.reshape(2, 2), p[2:]

    def fn(a):
        ops.assign(p, p * a)
        return (p * p).sum()

    assert ms.grad(fn)(Tensor(2.0)).item() == 0.0
    assert (square.tolist(), tail.tolist()) == ([[2.0, 4.0], [6.0, 8.0]], [6.0, 8.0])


def test_view_made_after_a_staged_call_follows_the_next():
    p = Parameter(Tensor([1.0, 2.0, 3.0, 4.0]), name="p")
    early = p.reshape(2, 2)

    @ms.jit
    def double():
        ops.assign(p, p * 2)
        return p.sum()

    double()
    late, tail = early.T, early[1]
    double()
    assert p.tolist() == [4.0, 8.0, 12.0, 16.0]
    assert (late.tolist(), tail.tolist()) == ([[4.0, 12.0], [8.0, 16.0]], [12.0, 16.0])


def test_views_without_a_base_share():
    x = Tensor(np.arange(12, dtype=np.float32).reshape(4, 3))
    upper, lower, column = x[0:3], x[1:4], x[:, 1]
    del x
    upper[1, 1] = 50.0
    lower[1] = 60.0
    assert column.tolist() == [1.0, 50.0, 60.0, 10.0]
    assert upper.tolist()[1:] == lower.tolist()[:2] == [[3.0, 50.0, 5.0], [60.0, 60.0, 60.0]]


@pytest.mark.parametrize("dtype", [ms.int8, ms.float64])
def test_views_of_the_bits_share(dtype):
    x = Tensor(np.arange(1, 9, dtype=np.float32).reshape(2, 4))
    reference = np.arange(1, 9, dtype=np.float32).reshape(2, 4)
    bits, rows = x.view(dtype), x[1]
    seen = reference.view(bits.asnumpy().dtype)
    part, seen_part = bits[:, 1:], seen[:, 1:]
    part[1, 0] = 3.0
    seen_part[1, 0] = 3.0
    rows[3] = 5.0
    reference[1, 3] = 5.0
    np.testing.assert_array_equal(x.asnumpy(), reference)
    np.testing.assert_array_equal(part.asnumpy(), seen_part)


class Interrupt:
    """Raises KeyboardInterrupt in the code that gives handles their values, at the ``at``-th place for a signal."""

    def __init__(self, at):
        self.left, self.before = at, ""

    def __enter__(self):
        sys._getframe().f_trace_opcodes = True  # in Python 3.12 no other frame's has an effect without it
        sys.settrace(self.enter)

    def __exit__(self, kind, error, traceback):
        sys.settrace(None)
        return kind is KeyboardInterrupt

    def enter(self, frame, event, argument):
        code = frame.f_code
        if code.co_filename in _GIVING or code.co_qualname in ("Plan.__call__", "Plan._publish"):
            frame.f_trace_opcodes = True
            return self.step
        return None

    def step(self, frame, event, argument):
        if event == "opcode":
            before, self.before = self.before, dis.opname[frame.f_code.co_code[frame.f_lasti]]
            self.left -= before.startswith(_HANDLING)
            if self.left == 0:
                sys.settrace(None)
                raise KeyboardInterrupt
        return self.step


_HANDLING = ("CALL", "JUMP_BACKWARD", "RESUME")  # the instructions after which Python handles signals
_GIVING = {sys.modules[f"msgrad.engine.{name}"].__file__ for name in ("handle", "recording.views")}


@pytest.mark.parametrize("write", ["staged", "recorded", "eager"])
def test_interrupt_leaves_views_together(write):
    parameters = [Parameter(Tensor([0.0, 0.0]), name=f"p{k}") for k in range(2)]
    views = [view for p in parameters for view in (p, p.reshape(2, 1), p[0:2])]

    class Net(nn.Cell):
        def construct(self):
            for parameter in parameters:
                ops.assign_add(parameter, Tensor([1.0, 1.0]))
            return parameters[0].sum()

    step = {"staged": ms.jit(Net().construct), "recorded": Net(), "eager": Net().construct}[write]
    step()
    views.append(parameters[1].reshape(1, 2))  # one that a Plan does not know
    at, interrupt = 0, Interrupt(0)
    while interrupt.left <= 0:  # until a step is over before its turn comes
        at += 1
        interrupt = Interrupt(at)
        with interrupt:
            step()
        first = [view.reshape(2).tolist() for view in views[:3]]
        second = [view.reshape(2).tolist() for view in views[3:]]
        assert first == first[:1] * len(first), at
        assert second == second[:1] * len(second), at
        assert write == "eager" or first[0] == second[0], at
    assert at > 20
