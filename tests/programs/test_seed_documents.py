"""The examples of the documents that msgrad was built from run unmodified and print what the documents show.

The documents are not ours to distribute: they are read from the folder that MSGRAD_SEEDS names, or from
``shared/seeds`` beside the checkout. Without them these tests are skipped, and those of the reader itself remain.
"""

import os
import pathlib
import runpy
import sys
import types

import numpy as np
import pytest

import msgrad.alias

msgrad.alias.install()

import mindspore  # noqa: E402  (the alias must be there first)

from ..helpers import assert_close, assert_same_display  # noqa: E402
from .seed_documents import examples, rebreak, reindent  # noqa: E402

BESIDE = pathlib.Path(__file__).resolve().parents[3] / "shared" / "seeds"
FOLDER = pathlib.Path(os.environ.get("MSGRAD_SEEDS", BESIDE))
DOCUMENTS = sorted(FOLDER.glob("*.txt"))
NO_SEEDS = pytest.mark.skipif(not DOCUMENTS, reason=f"no documents in {FOLDER}; set MSGRAD_SEEDS to their folder")
ALL = [example for path in DOCUMENTS for example in examples(path.stem[:3], path.read_text(encoding="utf-8"))]
MINDSPORE = [example for example in ALL if "torch." not in example.code]
TORCH = [example for example in ALL if "torch." in example.code]


@pytest.fixture(autouse=True)
def keep_mode():
    before = mindspore.get_context("mode")
    yield
    mindspore.set_context(mode=before)


def run(example, folder):
    """Runs an example from a file, as a user would, and returns its names."""
    script = folder / "example.py"
    script.write_text(example.code)
    return runpy.run_path(str(script), run_name="__main__")


@NO_SEEDS
@pytest.mark.filterwarnings("ignore:.*device_target")  # a document asks for a GPU, which msgrad answers with a warning
@pytest.mark.parametrize("example", MINDSPORE, ids=lambda example: example.name)
def test_example_prints_what_the_document_shows(example, tmp_path, capsys):
    run(example, tmp_path)
    assert_same_display(capsys.readouterr().out, example.expected)


@NO_SEEDS
def test_documents_hold_the_known_number_of_examples():
    assert len(MINDSPORE) >= 18
    assert len(TORCH) == 1
    assert all(example.expected for example in MINDSPORE)


@pytest.fixture
def torch(monkeypatch):
    """A stand-in for the few names of torch that the document on torch.func uses, over msgrad."""
    from mindspore import Tensor, ops
    from mindspore.graph.api import _no_grad

    import msgrad.func

    random = np.random.default_rng(0)

    def randn(*shape, requires_grad=False):
        sizes = shape[0] if shape and isinstance(shape[0], list) else shape
        return Tensor(random.standard_normal(sizes).astype(np.float32))

    def allclose(left, right):
        return np.allclose(left.asnumpy(), right.asnumpy())

    module = types.ModuleType("torch")
    module.func, module.sin, module.no_grad = msgrad.func, ops.sin, _no_grad
    module.randn, module.rand, module.allclose = randn, randn, allclose
    monkeypatch.setattr(Tensor, "dot", lambda left, right: (left * right).sum())  # MindSpore's is for matrices alone
    monkeypatch.setattr(Tensor, "relu", ops.relu, raising=False)  # MindSpore has none
    monkeypatch.setitem(sys.modules, "torch", module)
    monkeypatch.setitem(sys.modules, "torch.func", msgrad.func)
    return module


@NO_SEEDS
@pytest.mark.parametrize("example", TORCH, ids=lambda example: example.name)
def test_torch_func_example_runs_in_the_func_face(example, torch, tmp_path):
    script = types.SimpleNamespace(code="import torch\n" + example.code)
    names = run(script, tmp_path)  # holds assertions of its own

    weights, samples, targets = (tensor.asnumpy() for tensor in names["inputs"])
    predicted = samples @ weights
    gradient = 2 * (np.maximum(predicted, 0) - targets) * (predicted > 0)
    assert_close(names["grad_weight_per_example"].asnumpy(), gradient[:, None] * samples)

    (by_true, by_predicted), (kept, per_sample) = names["out"]
    error = 0.5 * names["y_preds"].asnumpy() - names["y_true"].asnumpy()
    assert_close(by_true.asnumpy(), -error / 2)
    assert_close(by_predicted.asnumpy(), error / 4)
    assert_close(kept.asnumpy(), names["y_preds"].asnumpy())
    assert_close(per_sample.asnumpy(), error * error)

    one = np.ones((), np.float32)  # d(x - c)/dx, with c constant
    assert_close(torch.func.grad(names["f"])(names["x"]).asnumpy(), one)
    with torch.no_grad():
        assert_close(torch.func.grad(names["f"])(names["x"]).asnumpy(), one)


def test_rebreak_finds_statements_on_one_line():
    flat = "import a.b as c from d import e, f # a remark x = c.g(e) [0] y= x if f else (e, [1]) return x"
    assert rebreak(flat) == [
        "import a.b as c",
        "from d import e, f",
        "x = c.g(e) [0]",
        "y= x if f else (e, [1])",
        "return x",
    ]


def test_reindent_brings_back_blocks():
    flat = (
        "class A(B): def __init__(self): super().__init__() def construct(self, x): y = x return y a = A() print(a(1))"
    )
    assert reindent(rebreak(flat)) == (
        "class A(B):\n"
        "    def __init__(self):\n"
        "        super().__init__()\n"
        "    def construct(self, x):\n"
        "        y = x\n"
        "        return y\n"
        "a = A()\n"
        "print(a(1))\n"
    )


def test_fenced_pieces_vary_the_program_before_them():
    text = (
        "```python import m class N: def f(self): v = 1 return v print(N().f()) ``` ```text 1 ``` "
        "like `a`: ```python z = q ``` so ```python class N: def f(self): return 2 ``` "
        "```python print(N().f()) ``` ```text 2 ``` "
    )
    first, second = examples("d", text)
    assert (first.expected, second.expected) == ("1", "2")
    assert first.code.endswith("print(N().f())\n") and "return 2" not in first.code
    assert second.code.count("print") == 1 and "return 2" in second.code and "z = q" not in second.code


def test_prompts_and_comments_are_read():
    (prompted,) = examples("d", "see: >>> # one >>> def f(x): ... return x >>> print(f( (1, 2) )) (1, 2)")
    assert prompted.code == "def f(x):\n    return x\nprint(f( (1, 2) ))\n"
    assert prompted.expected == "(1, 2)"
    (commented,) = examples("d", "Name: x\nprose it is.\ndef f(x):\nreturn x\nmore prose\nprint (f(1))\n# 1\n# 2\nend")
    assert commented.code == "def f(x):\n    return x\nprint (f(1))\n"
    assert commented.expected == "1\n2"
