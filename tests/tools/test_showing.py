"""``msgrad.jaxpr``, ``msgrad show`` and ``msgrad run --explain``: what they print, with the user's lines."""

import os
import pathlib
import subprocess
import sys

import jax
import numpy as np
import pytest

import msgrad
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine import observation
from msgrad.engine.execution import execute
from msgrad.engine.execution.tiers import Tiers
from msgrad.engine.handle import Handle
from msgrad.engine.recording.trace import Trace
from msgrad.tools.explaining import difference, totals
from msgrad.tools.instrumentation import Watch

from ..examples import complaints

# Nothing is read of the folder of compiled programs: JAX warns on standard error of a file that another process writes.
ENVIRONMENT = os.environ | {"PYTHONPATH": str(pathlib.Path(msgrad.__file__).parents[1]), "MSGRAD_CACHE": "off"}
HERE = "test_showing.py"


def line_of(text):
    """``file:line`` of the line of this file that begins with ``text``."""
    lines = pathlib.Path(__file__).read_text().splitlines()
    (number,) = [number for number, line in enumerate(lines, 1) if line.strip().startswith(text)]
    return f"{HERE}:{number}"


class Net(nn.Cell):
    def __init__(self, inputs=3):
        super().__init__()
        self.dense = nn.Dense(inputs, 2)
        self.steps = Parameter(Tensor(0.0), name="steps")

    def construct(self, x):
        hidden = self.dense(x)
        self.steps += 1.0
        return ops.sin(hidden).sum()


@pytest.fixture
def net():
    return Net()


@pytest.fixture(autouse=True)
def _here(monkeypatch):
    monkeypatch.chdir(pathlib.Path(__file__).parent)


X = np.ones((4, 3), np.float32)


def test_a_listing_has_the_lines_and_names_of_what_was_recorded(net):
    shown = msgrad.jaxpr(net, Tensor(X))
    lines = shown.listing().splitlines()
    assert [line.split() for line in lines[:3]] == [
        ["leaf", "0:", "float32[4,3]", "#", "input", "0"],
        ["leaf", "1:", "float32[2,3]", "#", "dense.weight"],
        ["leaf", "2:", "float32[2]", "#", "dense.bias"],
    ]
    origins = {line.partition("= ")[2].partition("(")[0]: line.partition("# ")[2] for line in lines if "= " in line}
    assert origins["Dense"] == line_of("hidden = self.dense(x)")
    assert origins["Sin"] == origins["sum"] == line_of("return ops.sin(hidden)")
    assert len({line.index("  # ") for line in lines}) == 1


def test_a_jaxpr_and_stablehlo_have_them_too(net):
    shown = msgrad.jaxpr(msgrad.grad(net), Tensor(X))
    dense, sine = line_of("hidden = self.dense(x)"), line_of("return ops.sin(hidden)")
    text = str(shown)
    assert f"transpose(jvp(Dense[{dense}]))" in text and f"jvp(Sin[{sine}])" in text
    (cosine,) = [line for line in shown.stablehlo().splitlines() if "stablehlo.cosine" in line]
    assert cosine.endswith(f"// Sin[{sine}]") and "loc(" not in shown.stablehlo()
    assert shown.listing().count(f"# {dense}") == 1 and "    %0: float32[4,2] = Dense(" in shown.listing()


def test_the_jaxpr_is_jax_s_and_computes_the_same():
    shown = msgrad.jaxpr(lambda x, y: ops.sin(x) * y, Tensor(X), Tensor(X))
    (result,) = jax.core.eval_jaxpr(shown.jaxpr.jaxpr, shown.jaxpr.consts, X, X)
    np.testing.assert_allclose(result, np.sin(X) * X, rtol=1e-6)


def test_the_cost_is_xla_s():
    cost = msgrad.jaxpr(lambda x: ops.matmul(x, x), Tensor(np.ones((8, 8), np.float32))).cost()
    assert cost["flops"] >= 2 * 8**3 - 8**2 and cost["arguments"] == cost["results"] == 4 * 8 * 8


def test_the_example():
    assert not complaints("jaxpr", msgrad.jaxpr.__doc__)


def test_nothing_is_written(net):
    msgrad.jaxpr(net, Tensor(X))
    assert net.steps.asnumpy() == 0.0


def test_jaxpr_refuses_what_is_no_program():
    def choose(x):
        return x if x.sum() > 0 else -x

    line = line_of("return x if x.sum() > 0 else -x").replace(".", r"\.")
    with pytest.raises(ValueError, match=rf"For 'jaxpr', the 'fn' must be .* reads values on the host \({line}\)"):
        msgrad.jaxpr(choose, Tensor(X))
    with pytest.raises(TypeError, match="For 'jaxpr', the 'fn' must be a function or a Cell, but got 3"):
        msgrad.jaxpr(3)


def test_a_watch_replaces_nothing_of_the_engine_and_ends():
    functions = Trace.record, Handle._array_, execute.launch, execute.missed, execute.jitted
    with Watch() as outer:
        with pytest.raises(ZeroDivisionError), Watch() as inner:
            assert observation.observer is inner
            assert functions == (Trace.record, Handle._array_, execute.launch, execute.missed, execute.jitted)
            raise ZeroDivisionError
        assert observation.observer is outer
    assert observation.observer is None


def test_a_watch_counts(compiled):
    def looking(x):
        return ops.exp(x) if x.sum() > 0 else x

    net, x = Net(11), Tensor(np.ones((5, 11), np.float32))  # other tests compile no program for it, or for other sizes
    with Watch() as watch:
        for _ in range(3):
            msgrad.value_and_grad(net)(x)
        net(x).asnumpy()  # a value when the call is over is no look
        assert not watch.looks
        msgrad.grad(looking)(x)
        for _ in range(2):
            ops.cos(x)
    assert watch.looks == {line_of("return ops.exp(x) if"): 1}
    (single,) = [each for each in watch.singles.values() if each.names == {"Cos": 2}]
    assert (len(single.compiled), single.interpreted) == (1, 0)
    first = watch.launched[0]
    assert (first.name(), first.kind, first.launches) == ("Net", "vjp", 3)
    assert first.place == line_of("msgrad.value_and_grad(net)(x)") and first.seconds > 0


def test_a_watch_counts_what_numpy_runs(net, monkeypatch):
    monkeypatch.setattr(Tiers, "allowed", True)
    x = Tensor(np.ones((9, 3), np.float32))
    with Watch() as watch:
        for _ in range(2):
            ops.cos(x)
        net(x)
    (single,) = [each for each in watch.singles.values() if each.names == {"Cos": 2}]
    assert (len(single.compiled), single.interpreted) == (0, 2)
    (program,) = watch.launched
    assert (program.launches, program.interpreted, program.compiled) == (1, 1, 0)


def test_totals_name_the_lines_where_shapes_changed(compiled):
    with Watch() as watch:
        for length in (3, 4, 5):
            ops.cos(Tensor(np.ones(length, np.float32)))
    for single in watch.singles.values():
        single.seconds = 7.0
    assert totals(watch.launched, watch.singles) == [
        "",
        "Compiled, or found on disk, in all: programs 0 (0.0 s), operations 3 (7.0 s).",
        f"2 of these operations because shapes changed at {line_of('ops.cos(Tensor(np.ones(length')}: put them into a "
        "Cell or `jit`, or pad to few shapes.",
    ]
    assert totals([], {}) == []


def sine(x):
    return ops.sin(x) * 2.0


def cosine(x):
    return ops.cos(x) * 2.0


def sum_of_rows(x):
    return ops.cumsum(x, 0)


def sum_of_columns(x):
    return ops.cumsum(x, 1)


def sines(x):
    return ops.sin(ops.sin(sine(x)))


def below(x):
    return ops.sin(x) - x


def above(x):
    return x - ops.sin(x)


# Two calls, each a function and the shape of its input, and what is said of how the second differs. Other tests do not
# use these shapes: a program that is known is not new.
DIFFERENCES = [
    ((sine, (1237, 3)), (sine, (1238, 3)), "the shape of input 0: Float32(1238, 3), where it was Float32(1237, 3)"),
    ((sine, (1239,)), (cosine, (1239,)), "structure: operation 0 is Cos (test_showing.py:"),
    ((sum_of_rows, (1241, 2)), (sum_of_columns, (1241, 2)), "a constant: cumsum (test_showing.py:"),
    ((sine, (1242,)), (sines, (1242,)), "structure: 2 operations more, from Sin (test_showing.py:"),
    ((sines, (1243,)), (sine, (1243,)), "structure: 2 operations fewer, from Sin (test_showing.py:"),
    ((below, (1244,)), (above, (1244,)), "structure: operation 1, Sub (test_showing.py:"),
    ((msgrad.grad(sine), (1246,)), (msgrad.grad(sine), (1247,)), "the shape of input 0: Float32(1247,), where it was"),
    ((msgrad.grad(sine), (1248,)), (msgrad.grad(cosine), (1248,)), "structure: operation 0 is Cos (test_showing.py:"),
]


@pytest.mark.parametrize("first, second, expected", DIFFERENCES)
def test_why_it_was_compiled_again(first, second, expected):
    with Watch() as watch:
        for fn, shape in (first, second):
            msgrad.grad(fn)(Tensor(np.ones(shape, np.float32)))  # of a gradient, the second derivative
    before, after = watch.launched
    assert difference(before, after).startswith(expected)


PROGRAM = """\
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn, ops

net = nn.Dense(3, 2)

def loss(x):
    return ops.sin(net(x)).sum()

step = ms.value_and_grad(loss, None, net.trainable_params())
for count in (2, 2, 4):
    step(Tensor(np.ones((count, 3), np.float32)))

class Choosing(nn.Cell):
    def construct(self, x):
        return x * 2 if x.sum() > 0 else x

Choosing()(Tensor([1.0, 2.0]))
ops.cos(Tensor([1.0]))
print("done")
raise SystemExit(3)
"""


@pytest.fixture
def script(tmp_path):
    (tmp_path / "program.py").write_text(PROGRAM)
    return tmp_path


def command(folder, *arguments):
    whole = [sys.executable, "-m", "msgrad", *arguments]
    return subprocess.run(whole, capture_output=True, text=True, cwd=folder, env=ENVIRONMENT)


def test_show_of_a_module_that_compiles_nothing(script):
    (script / "some_module.py").write_text("import sys\nprint(sys.argv[1:])\n")
    ran = command(script, "show", "-m", "some_module", "--jaxpr")
    assert (ran.stdout.splitlines()[0], ran.returncode) == ("['--jaxpr']", 0), ran.stderr
    assert "\nNo program was launched" in ran.stdout


def test_show_of_a_name_that_no_program_has(script):
    ran = command(script, "show", "--only", "los", "program.py")
    assert "No program of 'los' was launched, but of loss, " in ran.stdout


def test_run_explain(script):
    ran = command(script, "run", "--explain", "program.py")
    assert (ran.stdout, ran.returncode) == ("done\n", 3)
    sections = dict(text.split(":\n", 1) if ":\n" in text else (text, "") for text in ran.stderr.strip().split("\n\n"))
    programs, again, singles, looks, memory = [text.splitlines() for text in sections.values()]
    rows = {line.split()[6]: line.split() for line in programs[1:]}
    assert rows["loss"][:4] == ["2", "3", "3", "0"] and rows["loss"][-1] == "program.py:12"
    assert rows["Choosing"][-1] == "program.py:16"
    assert again[0] == "  loss (program.py:12): the shape of input 0: Float32(4, 3), where it was Float32(2, 3)"
    assert [line.split()[-2:] for line in singles[1:]] == [["Cos", "program.py:19"]]
    assert [line.split() for line in looks[1:]] == [["1", "program.py:16"]]
    assert "in arrays at the end" in memory[0] and "the largest program, loss (program.py:12)" in memory[-1]


def test_show(script):
    ran = command(script, "show", "--only", "loss", "--jaxpr", "--stablehlo", "--cost", "program.py")
    assert ran.returncode == 3 and ran.stdout.startswith("done\n"), ran.stderr
    _, first, second = ran.stdout.split("\n== ")
    assert first.startswith("program 1 of 2: loss, launched at program.py:12, vjp: 3 operations, 3 inputs\n")
    assert second.startswith("program 2 of 2: loss, launched at program.py:12, vjp: 3 operations, 3 inputs\n")
    listing, jaxpr, stablehlo, cost = first.split("\n\n-- ")
    assert "= Sin(%0)" in listing and "# program.py:8" in listing
    assert jaxpr.startswith("jaxpr\n") and "Sin[program.py:8]" in jaxpr
    assert stablehlo.startswith("StableHLO\n") and "// Dense[program.py:8]" in stablehlo
    assert cost.startswith("cost\n") and "\nbytes accessed: " in cost
    assert "\n-- " in second
