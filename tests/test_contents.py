"""Names that `msgrad`, `ops` and `nn` import on demand: tables of contents, and rows that are made on first use."""

import pickle
import subprocess
import sys

import pytest

import msgrad
from msgrad import Tensor, nn, ops
from msgrad._names import on_demand
from msgrad.ops._core import faces
from msgrad.ops._core.tables import Members, Table

_WRITTEN = """
import jax.extend
def refuse(primitive, *args, **kwargs):
    raise AssertionError(f"an import computes {primitive}, which under jax.jit gives a tracer")
jax.extend.core.Primitive.bind = refuse
from tests.golden.stubs.contents import TABLE, written
assert TABLE.read_text() == written(), "python -m tests.golden.make_stubs would change the table"
"""
_STUBS = """
from tests.golden.make_stubs import present, written
texts = written()
assert texts.keys() == present(), sorted(map(str, texts.keys() ^ present()))
changed = [str(path) for path, text in texts.items() if path.read_text() != text]
assert not changed, f"python -m tests.golden.make_stubs would change {changed}"
"""


def run(program):
    """Runs a program in a process of its own, which has imported nothing yet."""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert not ran.returncode, ran.stderr[-2000:]
    return ran.stdout


def test_the_contents_are_those_of_the_files_whose_import_computes_nothing():
    run(_WRITTEN)


def test_the_stubs_are_what_the_files_define():
    run(_STUBS)


@pytest.mark.parametrize("module", ["ops", "nn"])
def test_a_name_that_is_defined_and_not_in_the_table_says_what_to_run(module, monkeypatch):
    package = getattr(msgrad, module)
    table = package._ELSEWHERE if module == "ops" else package._ON_DEMAND
    assert "make_stubs" not in str(pytest.raises(AttributeError, table.get, "no_such_name").value)
    monkeypatch.setattr(on_demand, "_defined", lambda path: {"no_such_name"})
    assert "make_stubs" in str(pytest.raises(AttributeError, table.get, "no_such_name").value)


def test_the_files_of_operations_and_layers_are_searched_for_definitions():
    assert {"softmax", "Softmax", "ReduceSum"} <= on_demand._defined("msgrad.ops")
    assert {"Dense", "ELU"} <= on_demand._defined("msgrad.nn")


@pytest.mark.parametrize("table", [name for name, each in vars(faces).items() if isinstance(each, Table)])
def test_every_face_can_be_made(table):
    for name, made in vars(faces)[table].items():
        assert made is vars(faces)[table][name]


@pytest.mark.parametrize("module", [msgrad, ops, nn], ids=lambda module: module.__name__)
def test_every_name_that_is_listed_is_there(module):
    assert {*module.__all__} <= {*dir(module)}
    assert [name for name in module.__all__ if not hasattr(module, name)] == []
    assert not hasattr(module, "no_such_name")


def test_an_import_imports_what_every_program_needs():
    modules = run("import sys, msgrad; print(*sys.modules)").split()
    others = ("amp", "dataset", "mint", "nn.dense", "numpy", "ops.math.reduction", "scipy", "tools", "train")
    assert not {f"msgrad.{name}" for name in others} & {*modules}


def test_what_is_not_imported_yet_behaves_as_what_is():
    run(
        "import pickle, pydoc, inspect, msgrad.alias; msgrad.alias.install()\n"
        "import mindspore as ms\n"
        "assert pickle.loads(pickle.dumps(ms.ops.Add)) is ms.ops.Add\n"
        "assert 'Momentum' in dir(ms.nn) and 'relu' in dir(ms.ops) and 'load_checkpoint' in dir(ms)\n"
        "assert str(inspect.signature(ms.Tensor.sum)).startswith('(self, dim=None, keepdim=False')\n"
        "assert 'Hyperbolic' in pydoc.render_doc(ms.Tensor.tanh)\n"
        "assert ms.nn.loss.MSELoss is ms.nn.MSELoss and ms.train.serialization.load_checkpoint is ms.load_checkpoint\n"
        "import mindspore.ops.operations as P\n"
        "assert P.MatMul is ms.ops.MatMul\n"
        "class Doubled(ms.Tensor):\n"
        "    def add(self, other):\n"
        "        return super().add(other) * 2\n"
        "assert Doubled([1.0]).add(ms.Tensor([2.0])).tolist() == [6.0]\n"
        "assert (ms.Tensor([1.0]) == 1).tolist() == [True] and len({ms.Tensor([1.0]), ms.Tensor([1.0])}) == 2\n"
    )


def test_a_face_is_made_when_it_is_asked_for():
    class Owner:
        pass

    made = []
    table = Members(Owner)
    table.define("answer", lambda: made.append("answer") or property(lambda self: 42))
    assert "answer" in table and list(table) == ["answer"] and not made
    assert Owner().answer == 42 and isinstance(Owner.answer, property)
    assert made == ["answer"] and pickle.loads(pickle.dumps(Tensor([1.0]))).tolist() == [1.0]
    del table["answer"]
    assert not hasattr(Owner, "answer") and not table
