"""`import mindspore`, in separate processes: the alias changes what imports mean."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

from msgrad import alias
from msgrad._names import legacy_paths

INSTALL = "import msgrad.alias; msgrad.alias.install()\n"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(pathlib.Path(alias.__file__).parents[1])}


def python(*arguments, cwd=None):
    return subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=cwd, env=ENVIRONMENT)


# Runs the programs of its input, one a line, each in a fork of a process in which nothing is imported but the alias.
FORKS = f"""
import json, os, sys, traceback
{INSTALL}
for line in sys.stdin:
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        error = ""
        try:
            exec(json.loads(line), {{"__name__": "__main__"}})
        except BaseException:
            error = traceback.format_exc()
        os.write(writes, error.encode())
        os._exit(0)
    os.close(writes)
    with open(reads) as said:
        print(json.dumps(said.read()), flush=True)
    os.waitpid(child, 0)
"""


@pytest.fixture(scope="module")
def check():
    """Runs a program under the alias, and asserts that it ends without an error."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", FORKS], env=ENVIRONMENT, **pipes) as forks:

        def run(code):
            forks.stdin.write(json.dumps(code) + "\n")
            forks.stdin.flush()
            error = json.loads(forks.stdout.readline())
            assert error == "", error

        yield run


def test_modules_are_the_same_objects_under_both_names(check):
    check(
        "import mindspore, mindspore.nn, mindspore.context, mindspore.common.dtype as mstype, msgrad, sys\n"
        "assert mindspore is msgrad and mindspore.nn is msgrad.nn and sys.modules['mindspore.nn'] is msgrad.nn\n"
        "assert mindspore.context is msgrad.context and mstype is msgrad.dtype is mindspore.common.dtype\n"
        "assert (msgrad.nn.__name__, msgrad.nn.__spec__.name) == ('mindspore.nn', 'msgrad.nn')\n"
        "assert (mindspore.__version__, msgrad.__msgrad_version__) == ('2.10.0', '0.1.0')\n"
    )


def test_msgrads_own_modules_after_the_import_of_mindspore(check):
    check("import mindspore\nfrom msgrad import bridge, func, testing, weights\n")


NAMED = """
import importlib, mindspore
attributes = mindspore.mint.nn.functional, mindspore.numpy.fft  # before they are imported by their names
assert [each.__name__ for each in attributes] == ["mindspore.mint.nn.functional", "mindspore.numpy.fft"]
for name in ("context", "log", "version", "common.dtype"):
    try:
        eval(f"mindspore.{name}.absent")
    except AttributeError as error:
        assert str(error) == f"module 'mindspore.{name}' has no attribute 'absent'"
from mindspore.mindrecord import MRMOpenError, ParamTypeError
names = "mint mint.nn.functional mint.linalg dataset dataset.vision ops nn numpy.fft train amp context communication"
for name in [*names.split(), *"scipy.linalg mindrecord nn.probability dtype common".split()]:
    module = importlib.import_module(f"mindspore.{name}")
    texts = [module.__name__, repr(module).partition(" from ")[0]]
    for use in ("module.absent", f"from mindspore.{name} import absent"):
        try:
            exec(use)
        except (AttributeError, ImportError) as error:
            texts.append(str(error).partition(" (")[0])
    assert len(texts) == 4 and all("msgrad" not in text and "mindspore" in text for text in texts), texts
assert mindspore.mint.__spec__.name == "msgrad.mint" and importlib.reload(mindspore.log) is mindspore.log
assert {each.__module__ for each in (MRMOpenError, ParamTypeError)} == {"mindspore.mindrecord.common.exceptions"}
"""


def test_modules_and_errors_have_mindspore_s_names(check):
    check(NAMED)
    ran = python(
        "-c", "import msgrad; assert (msgrad.mint.__name__, msgrad.nn.__name__) == ('msgrad.mint', 'msgrad.nn')"
    )
    assert ran.returncode == 0, ran.stderr


# Forms of import that public programs use, and the object of msgrad that each must give.
IMPORTS = [
    ("from mindspore import Tensor, nn, ops, context", "Tensor", "msgrad.Tensor"),
    ("from mindspore.common.tensor import Tensor", "Tensor", "msgrad.Tensor"),
    ("from mindspore.common import Tensor", "Tensor", "msgrad.Tensor"),
    ("from mindspore.common.parameter import Parameter, ParameterTuple", "Parameter", "msgrad.Parameter"),
    ("from mindspore.common.initializer import initializer", "initializer", "msgrad.initializer.initializer"),
    ("from mindspore.common import dtype as mstype", "mstype.float32", "msgrad.float32"),
    ("from mindspore import dtype as mstype", "mstype.float32", "msgrad.float32"),
    ("import mindspore.common.dtype as mstype", "mstype.float32", "msgrad.float32"),
    ("from mindspore.common import set_seed", "set_seed", "msgrad.set_seed"),
    ("from mindspore.common.seed import set_seed", "set_seed", "msgrad.set_seed"),
    ("from mindspore.common.api import jit, ms_function", "jit", "msgrad.jit"),
    ("from mindspore.common._grad_function import _Function", "_Function", "msgrad._Function"),
    ("from mindspore.common.api import _no_grad", "_no_grad", "msgrad._no_grad"),
    ("from mindspore.graph.api import _no_grad", "_no_grad", "msgrad._no_grad"),
    ("from mindspore.ops import operations as P", "P.MatMul", "msgrad.ops.MatMul"),
    ("import mindspore.ops.operations as P", "P.MatMul", "msgrad.ops.MatMul"),
    ("from mindspore.ops.operations import MatMul", "MatMul", "msgrad.ops.MatMul"),
    ("from mindspore.ops.operations.math_ops import MatMul", "MatMul", "msgrad.ops.MatMul"),
    ("from mindspore.ops import functional as F", "F.matmul", "msgrad.ops.matmul"),
    ("import mindspore.ops.functional as F", "F.stop_gradient", "msgrad.ops.stop_gradient"),
    ("from mindspore.ops import composite as C", "C.GradOperation", "msgrad.ops.GradOperation"),
    ("import mindspore.ops.composite as C", "C.MultitypeFuncGraph", "msgrad.ops.MultitypeFuncGraph"),
    ("from mindspore.ops.composite import GradOperation, HyperMap", "GradOperation", "msgrad.ops.GradOperation"),
    ("from mindspore.ops.primitive import constexpr", "constexpr", "msgrad.ops.constexpr"),
    ("from mindspore.ops.function.grad.grad_func import custom_vjp", "custom_vjp.__module__", "'msgrad.nn.custom_vjp'"),
    ("from mindspore.ops.function.math_func import matmul", "matmul", "msgrad.ops.matmul"),
    ("from mindspore.nn.cell import Cell", "Cell", "msgrad.nn.Cell"),
    ("from mindspore.nn.layer import ReLU", "ReLU", "msgrad.nn.ReLU"),
    ("from mindspore.nn.layer.basic import Dense", "Dense", "msgrad.nn.Dense"),
    ("import mindspore.nn.layer.activation as A", "A.ReLU", "msgrad.nn.ReLU"),
    ("from mindspore.nn.loss.loss import LossBase", "LossBase", "msgrad.nn.LossBase"),
    ("from mindspore.nn.loss import MSELoss", "MSELoss", "msgrad.nn.MSELoss"),
    ("from mindspore.nn.optim import SGD", "SGD", "msgrad.nn.SGD"),
    ("from mindspore.nn.optim.optimizer import Optimizer", "Optimizer", "msgrad.nn.Optimizer"),
    ("from mindspore.nn.wrap.cell_wrapper import WithLossCell", "WithLossCell", "msgrad.nn.WithLossCell"),
    ("import mindspore.nn as nn", "nn.Cell", "msgrad.nn.Cell"),
    ("import mindspore.context as context", "context.GRAPH_MODE", "msgrad.GRAPH_MODE"),
    ("from mindspore.context import ParallelMode", "ParallelMode", "msgrad.ParallelMode"),
    ("from mindspore import log as logger", "logger.warning", "msgrad.log.warning"),
    ("import mindspore as ms", "ms.ops.operations.MatMul", "msgrad.ops.MatMul"),
    ("import mindspore as ms", "ms.common.initializer.One", "msgrad.initializer.One"),
    ("import mindspore", "mindspore.common.parameter.Parameter", "msgrad.Parameter"),
]


def test_forms_of_import_that_programs_use(check):
    lines = [f"check({statement!r}, {name!r}, {expected!r})" for statement, name, expected in IMPORTS]
    check(
        "failed = []\n"
        "def check(statement, name, expected):\n"
        "    names = {}\n"
        "    try:\n"
        "        exec(statement, names)\n"
        "        exec('import msgrad', names)\n"
        "        assert eval(name, names) == eval(expected, names), 'another object'\n"
        "    except Exception as error:\n"
        "        failed.append(f'{statement}: {error!r}')\n"
        + "\n".join([*lines, "assert not failed, '\\n'.join(failed)"])
    )


def test_import_of_everything_from_a_legacy_module(check):
    check(
        "from mindspore.ops.operations import *\n"
        "from mindspore.common import *\n"
        "import msgrad\n"
        "assert MatMul is msgrad.ops.MatMul and Tensor is msgrad.Tensor\n"
        "assert 'MatMul' in dir(__import__('sys').modules['mindspore.ops.operations'])\n"
    )


def test_import_of_everything_gives_what_mindspore_gives(check):
    check(
        "import builtins, sys\n"
        "from mindspore.ops.operations import *\n"
        "from mindspore.ops.operations.array_ops import *\n"
        "from mindspore.common.initializer import *\n"
        "from mindspore.communication.management import *\n"
        "from mindspore.dataset.utils import *\n"
        "from mindspore.nn import wrap, layer\n"
        "from mindspore.nn.wrap import *\n"
        "from mindspore.nn.layer import *\n"
        "assert abs is builtins.abs and range is builtins.range and 'refuse' not in globals()\n"
        "assert wrap.__name__ == 'mindspore.nn.wrap' and layer.__name__ == 'mindspore.nn.layer'\n"
        "assert 'TrainOneStepCell' in wrap.__all__ and 'Conv2d' in layer.__all__ and 'Adam' not in layer.__all__\n"
        "assert 'Adam' in dir(layer) and callable(get_rank) and callable(HeUniform) and callable(LineReader)\n"
    )


def test_everything_that_mindspore_gives_is_told_by_paths_of_ours():
    assert len(alias._star_names()) > 200 and alias._star_names().keys() <= alias.LEGACY.keys()


def test_import_msgrad_as_mindspore_has_the_legacy_paths():
    ran = python(
        "-c",
        "import msgrad as mindspore, sys\n"
        "assert mindspore.ops.operations.MatMul is mindspore.ops.MatMul\n"
        "assert mindspore.common.dtype.float32 is mindspore.float32\n"
        "assert not any(type(finder).__module__ == 'msgrad.alias' for finder in sys.meta_path)\n",
    )
    assert ran.returncode == 0, ran.stderr


def test_what_is_not_there_is_said_in_one_sentence():
    missing = ["mindspore.engine", "mindspore.tensor", "mindspore.ops.operations.nothing"]
    tries = [f"try:\n    import {name}\nexcept ModuleNotFoundError as error:\n    print(error)\n" for name in missing]
    ran = python("-c", INSTALL + "".join(tries) + f"import {missing[0]}")
    said = [f"No module named '{name}': msgrad 0.1.0 does not have this part of MindSpore" for name in missing]
    for line, start in zip(ran.stdout.splitlines(), said, strict=True):
        assert line.startswith(start)
    assert ran.stderr.splitlines()[-1].startswith(f"ModuleNotFoundError: {said[0]}")


def test_a_name_that_is_not_there_is_an_import_error():
    ran = python("-c", INSTALL + "from mindspore.ops.operations import NoSuchOperation")
    assert "ImportError: cannot import name 'NoSuchOperation' from 'mindspore.ops.operations'" in ran.stderr


def test_importing_the_wrong_module_leaves_functions_of_its_name(check):
    check(
        "import mindspore\n"
        "try:\n    import mindspore.tensor\nexcept ModuleNotFoundError:\n    pass\n"
        "from mindspore.common.seed import set_seed\n"
        "from mindspore.common.mutable import mutable\n"
        "assert callable(mindspore.tensor) and callable(mindspore.common.seed) and callable(mindspore.common.mutable)\n"
    )


def test_the_real_mindspore_first_is_a_clear_error(tmp_path):
    (tmp_path / "mindspore.py").write_text("")
    ran = python("-c", "import mindspore\n" + INSTALL, cwd=tmp_path)
    assert "ImportError: The real mindspore is already imported in this process (from " in ran.stderr


def test_installing_comes_before_a_mindspore_that_is_installed(tmp_path):
    (tmp_path / "mindspore.py").write_text("raise SystemExit('the wrong one')")
    ran = python("-c", INSTALL + INSTALL + "import mindspore, msgrad; assert mindspore is msgrad", cwd=tmp_path)
    assert ran.returncode == 0, ran.stderr


def test_pytest_plugin(tmp_path):
    (tmp_path / "conftest.py").write_text("import mindspore\n")
    (tmp_path / "test_it.py").write_text("import mindspore as ms, msgrad\n\ndef test_it():\n    assert ms is msgrad\n")
    ran = python("-m", "pytest", "-q", "-p", "msgrad.alias", str(tmp_path), cwd=tmp_path)
    assert ran.returncode == 0 and "1 passed" in ran.stdout, ran.stdout


def test_probing_for_dunder_names_imports_nothing():
    module = alias.LegacyModule("nowhere", ["no.such.module"])
    assert not hasattr(module, "__file__")
    with pytest.raises(ModuleNotFoundError):
        _ = module.name


def test_no_legacy_path_is_listed_twice():
    rows = [f"{package}.{name}" for package, names, _ in legacy_paths.ROWS for name in names.split()]
    assert len(rows) == len(set(rows))
