"""Private names that programs read, placeholders and hints: MindSpore's answers, and msgrad's own errors."""

import copy
import json
import os
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn
from msgrad._compat import checkparam
from msgrad._compat.checkparam import Rel, Validator
from msgrad._compat.compiler.executors import _cell_graph_executor, _pynative_executor
from msgrad.engine.recording.trace import scope
from msgrad.parallel._auto_parallel_context import auto_parallel_context

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parents[1]
GOLDEN = json.loads((HERE.parent / "golden" / "names.json").read_text())
ASK = (
    "import json, sys, msgrad.alias; msgrad.alias.install(); import name_rows; "
    "sys.stdout.write(json.dumps(name_rows.answers()))"
)


@pytest.fixture(scope="module")
def answers():
    """What msgrad gives for every row, in a process where ``mindspore`` is msgrad."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{HERE}", "GLOG_v": "4"}
    ran = subprocess.run([sys.executable, "-c", ASK], capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("row", GOLDEN)
def test_gives_what_mindspore_gives(row, answers):
    assert answers[row] == GOLDEN[row]


def test_the_golden_file_has_every_row(answers):
    assert list(answers) == list(GOLDEN)


class Counting(nn.Cell):
    """Counts its calls in a Parameter."""

    def __init__(self):
        super().__init__()
        self.count = ms.Parameter(Tensor(0.0), name="count")

    def construct(self, x):
        ms.ops.assign_add(self.count, Tensor(1.0))
        return x * self.count


# -- errors ------------------------------------------------------------------------------------------------------------

REFUSED = [
    (
        lambda: checkparam.check_positive_int(0, "n", "Op"),
        ValueError,
        "For 'Op', the 'n' must be of the type int and g",
    ),
    (
        lambda: checkparam.check_positive_int("a"),
        TypeError,
        "The input value must be of the type int, but got 'a' (str)",
    ),
    (lambda: checkparam.check_bool(1, "flag", "Op"), TypeError, "For 'Op', the 'flag' must be a bool, but got 1 (int)"),
    (
        lambda: checkparam.check_string("c", ["a"], "mode", "Op"),
        ValueError,
        "For 'Op', the 'mode' must be a str, one of",
    ),
    (
        lambda: checkparam.check_int_range(3, 0, 3, Rel.INC_LEFT, "n", "Op"),
        ValueError,
        "in the range [0, 3), but got 3",
    ),
    (lambda: checkparam.check_value_type("x", "a", [int, float], "Op"), TypeError, "the type one of int, float, but"),
    (lambda: checkparam.check("n", 5, "m", 3, Rel.LE, "Op"), ValueError, "For 'Op', the 'n' must be at most m: 3, but"),
    (
        lambda: checkparam.check_subclass("x", ms.int8, ms.float_, "Op"),
        TypeError,
        "For 'Op', the 'x' must be Float, bu",
    ),
    (
        lambda: checkparam.check_int_positive("n", 0, "Op"),
        ValueError,
        "For 'Op', the 'n' must be of the type int and g",
    ),
    (
        lambda: Tensor(shape=(None, 3), dtype=ms.float32) + 1,
        ValueError,
        "This Tensor has unknown lengths (shape (-1, 3)",
    ),
    (lambda: str(ms.Symbol(min=0)), ValueError, "For 'Symbol', the 'min' must be positive, but got 0."),
    (lambda: ms.jit(jit_level="O9"), ValueError, "For 'jit', the 'jit_level' must be one of"),
    (
        lambda: ms.jit(exec_order="x"),
        ValueError,
        "For 'jit', the 'exec_order' must be one of ['bfs', 'dfs'], but got 'x'",
    ),
    (lambda: ms.JitConfig(jit_level="O9"), ValueError, "For 'JitConfig', the 'jit_level' must be one of"),
    (lambda: ms.set_algo_parameters(x=1), ValueError, "For 'algo_parameters', there is no 'x', but algo_approxi_eps"),
    (lambda: auto_parallel_context().set_device_num(8), NotImplementedError, "'device_num' = 8 needs several devices"),
    (lambda: auto_parallel_context().get_nothing(), AttributeError, "auto_parallel_context() has no 'get_nothing'"),
    (
        lambda: _pynative_executor.set_grad_flag(1),
        TypeError,
        "For 'set_grad_flag', the 'flag' must be a bool, but got 1",
    ),
    (lambda: _pynative_executor.check_run(), NotImplementedError, "'_pynative_executor.check_run' is left out of msg"),
    (lambda: nn.ReLU().set_inputs(z=1), ValueError, "For 'ReLU.set_inputs', 'z' is not an argument of 'construct'"),
    (lambda: ms.set_offload_context([]), TypeError, "the 'offload_config' must be a dict"),
]


@pytest.mark.parametrize("refused, error, text", REFUSED)
def test_refusals_say_what_was_expected(refused, error, text):
    with pytest.raises(error, match=re.escape(text)):
        refused()


# -- 1.x ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "row",
    [
        lambda: Validator.check_positive_int(3, "n", "Op") == 3,
        lambda: Validator.check_int_range(3, 0, 5, Rel.INC_NEITHER, "n") == 3,
        lambda: Validator.EQ is Rel.EQ and Validator.check("n", 2, "length", 3, rel=Validator.LE) == 2,
        lambda: Validator.check_string("a", ["a"], "mode") == "a",
        lambda: Validator.check_value_type("x", 1, [int], "Op") == 1,
        lambda: Validator.check_integer("n", 3, 2, Rel.GE, "Op") == 3,
        lambda: Validator.check_float_positive("x", 0.5, "Op") == 0.5,
        lambda: Validator.check_float_legal_value("x", 0.5, "Op") == 0.5,
        lambda: checkparam.check_int_positive(3) == 3,
        lambda: Rel.GE == 6 == checkparam.GE,
    ],
)
def test_names_of_former_versions(row):
    assert row()


def test_names_of_former_layers():
    from msgrad._compat.nn import layers

    assert layers._Loss is nn.LossBase and layers._activation["relu"] is nn.ReLU


# -- executors ---------------------------------------------------------------------------------------------------------


def test_compile_records_without_a_change(mode):
    cell, x = Counting(), Tensor([2.0])
    name, is_new = _cell_graph_executor.compile(cell, x)
    assert is_new and _cell_graph_executor.has_compiled(name) and cell.count.asnumpy() == 0
    assert _cell_graph_executor.compile(cell, x) == (name, False)
    assert cell(x).asnumpy() == 2 and cell.count.asnumpy() == 1
    assert _cell_graph_executor.run(cell, x).asnumpy() == 4 and cell.count.asnumpy() == 2


def test_compile_of_a_cell_that_looks_at_values_leaves_no_trace(mode):
    class Looking(Counting):
        def construct(self, x):
            ms.ops.assign_add(self.count, Tensor(1.0))
            return x * 2 if x.sum() > 0 else x

    cell = Looking()
    cell.compile(Tensor([2.0]))
    assert cell.count.asnumpy() == 0 and scope.trace is None
    assert cell(Tensor([2.0])).asnumpy() == 4 and cell.count.asnumpy() == 1


def test_compile_refuses_what_the_call_would(mode):
    cell = nn.Dense(3, 2)
    with pytest.raises(ValueError):
        _cell_graph_executor.compile(cell, Tensor(np.ones((2, 4), np.float32)))
    assert scope.trace is None and cell(Tensor(np.ones((2, 3), np.float32))).shape == (2, 2)


def test_gradients_are_switched_off_and_on():
    def loss(x):
        y = x * x
        _pynative_executor.set_enable_grad(False)
        constant = x * 3
        _pynative_executor.set_enable_grad(True)
        return (y + constant).sum()

    assert ms.grad(loss)(Tensor([2.0])).tolist() == [4.0]
    _pynative_executor.set_enable_grad(False)
    with pytest.raises(RuntimeError, match="no_grad"):
        ms.grad(loss)(Tensor([2.0]))
    _pynative_executor.set_enable_grad(True)
    with ms._no_grad(), pytest.raises(RuntimeError, match="a `with mindspore._no_grad\\(\\)` block is open"):
        _pynative_executor.set_enable_grad(True)
    assert _pynative_executor.enable_grad() and not _pynative_executor.requires_grad()


# -- placeholders ------------------------------------------------------------------------------------------------------


def test_calls_are_checked_against_a_declaration(graph_mode):
    net = nn.Dense(3, 2)
    net.set_inputs(Tensor(shape=[None, 3], dtype=ms.float32))
    assert [net(Tensor(np.ones((n, 3), np.float32))).shape for n in (1, 4, 1, 2)] == [(1, 2), (4, 2), (1, 2), (2, 2)]
    with pytest.raises(ValueError, match=r"For 'Dense.set_inputs', the input 0 must be of the shape \(-1, 3\)"):
        net(Tensor(np.ones((2, 5), np.float32)))
    net.set_inputs(Tensor(shape=[None, None], dtype=ms.float32))
    with pytest.raises(TypeError, match="must be a Tensor of Float32 as it was declared, but got one of Float16"):
        net(Tensor(np.ones((2, 3), np.float16)))


def test_a_declaration_holds_for_plans_made_before_it(graph_mode):
    net, x = nn.ReLU(), Tensor(np.ones((2, 5), np.float32))
    net(x)
    net.set_inputs(Tensor(shape=[None, 3], dtype=ms.float32))
    with pytest.raises(ValueError, match="as it was declared"):
        net(x)


def test_placeholders_are_copied_and_pickled():
    placeholder = Tensor(shape=[None, ms.Symbol(divisor=8)], dtype=ms.float32)
    for other in (copy.deepcopy(placeholder), copy.copy(placeholder), pickle.loads(pickle.dumps(placeholder))):
        assert other.shape == (-1, -1) and other.symbolic_shape == [-1, {"divisor": 8}] and isinstance(other, Tensor)
    net = nn.Dense(3, 2)
    net.set_inputs(Tensor(shape=[None, 3], dtype=ms.float32))
    assert copy.deepcopy(net).get_inputs()[0].shape == (-1, 3)


@pytest.mark.parametrize("use", [lambda x: x.asnumpy(), lambda x: ms.ops.add(x, x), lambda x: ms.grad(ms.ops.sin)(x)])
def test_placeholders_have_no_values(use, mode):
    with pytest.raises(ValueError, match="This Tensor has unknown lengths"):
        use(Tensor(shape=[None], dtype=ms.float32))
    assert scope.trace is None


# -- jit and hints -----------------------------------------------------------------------------------------------------


def test_jit_of_classes_methods_and_cells():
    @ms.jit
    class Double(nn.Cell):
        def construct(self, x):
            self.calls = getattr(self, "calls", 0) + 1
            return x * 2

    cell = Double()
    assert isinstance(cell, nn.Cell) and cell(Tensor([2.0])).tolist() == [4.0]
    assert ms.jit(nn.ReLU())(Tensor([-2.0])).tolist() == [0.0]
    assert ms.jit(nn.ReLU().construct)(Tensor([-2.0])).tolist() == [0.0]


def test_jit_can_be_turned_off(monkeypatch):
    calls = []
    monkeypatch.setenv("MS_JIT", "0")
    function = ms.jit(lambda x: (calls.append(1), x * 2)[1])
    function(Tensor([1.0]))
    function(Tensor([1.0]))
    assert len(calls) == 2


def test_another_device_in_a_block():
    before = ms.get_current_device()
    with ms.DeviceCtx("CPU"):
        assert ms.get_current_device() == ("CPU", 0)
    assert ms.get_current_device() == before
    with pytest.raises(ValueError, match="device_target"):
        ms.DeviceCtx("XPU").__enter__()


def test_run_check(capsys):
    ms.run_check()
    assert "A product of matrices is right on" in capsys.readouterr().out


def test_offload_hints_are_kept():
    ms.set_offload_context({"offload_param": "cpu"})
    assert ms.get_offload_context() == {"offload_param": "cpu"}
    ms.reset_offload_context()
    assert ms.get_offload_context() == {}


# -- NumPy's former names ----------------------------------------------------------------------------------------------

FORMER = """
import warnings, numpy as np
import msgrad.alias; msgrad.alias.install(); msgrad.alias.install()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from numpy import float_
    assert float_ is np.float64 and np.float is float and np.int is int and np.object is object
    assert np.asscalar(np.array([3])) == 3 and np.isnan(np.NaN) and np.Inf == np.inf == -np.NINF
    assert np.product([2, 3]) == 6 and np.in1d([1, 2], [2]).tolist() == [False, True]
    assert np.mat([[1, 2]]).shape == (1, 2) and np.complex_ is np.complex128 and np.bool8 is np.bool_
    assert np.msort(np.array([2, 1])).tolist() == [1, 2] and np.alen([1, 2]) == 2 and np.rank([[1]]) == 2
    assert np.find_common_type([np.float32, np.int64], []) == np.result_type(np.float32, np.int64)
    assert np.find_common_type([np.float32], [np.float64]) == np.float32
    assert np.find_common_type([np.int8], [np.float64]) == np.float64
    assert np.asfarray([1, 2]).dtype == np.float64 and np.issctype(np.int8) and not np.issctype(3)
    assert np.obj2sctype(np.float32(1)) is np.float32 and np.sctype2char(np.float32) == "f"
    assert np.issubsctype(np.float32, np.floating) and np.float32 in np.sctypes["float"]
    assert np.float is float and np.bool is np.bool_
caught = [w for w in caught if str(w.message).startswith("np.")]
texts = [str(w.message) for w in caught]
assert len(texts) == len(set(texts)) and all(w.category is DeprecationWarning for w in caught), texts
assert any(t.startswith("np.float was removed in NumPy") and "write float" in t for t in texts)
try:
    np.no_such_name
except AttributeError as error:
    assert "no_such_name" in str(error)
"""


def _python(code, **environment):
    environment = os.environ | {"PYTHONPATH": str(ROOT)} | environment
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)


def test_names_that_numpy_dropped_are_put_back_and_warn_once():
    ran = _python(FORMER)
    assert ran.returncode == 0, ran.stderr


def test_numpy_is_left_alone_when_told_so():
    ran = _python("import msgrad.alias; msgrad.alias.install(); import numpy; numpy.asscalar", MSGRAD_NUMPY_NAMES="off")
    assert "AttributeError" in ran.stderr and "asscalar" in ran.stderr
    ran = _python("import msgrad, numpy; numpy.asscalar")
    assert "AttributeError" in ran.stderr


PRINTED = """
import msgrad.alias, numpy as np
{}
msgrad.alias.install()
print([np.float32(1.5), np.bool_(True)], dict(a=np.int64(3)), repr(np.zeros((0, 3))), f"{{np.float64(0.5)!r}}")
"""


def test_numbers_are_printed_as_by_numpy_1():
    assert _python(PRINTED.format("")).stdout == "[1.5, True] {'a': 3} array([], shape=(0, 3), dtype=float64) 0.5\n"
    assert "[np.float32(1.5)" in _python(PRINTED.format("np.set_printoptions(legacy='2.1')")).stdout
    assert "[np.float32(1.5)" in _python(PRINTED.format(""), MSGRAD_NUMPY_NAMES="off").stdout
