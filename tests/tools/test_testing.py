"""`msgrad.testing`: equal results pass, others fail with the position; the pytest plugin."""

import os
import pathlib
import re
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops, testing
from msgrad.testing import assert_close, assert_modes_agree, assert_same, check_gradients, random_like
from msgrad.testing.comparison import difference, largest_error

from ..examples import complaints

ROOT = pathlib.Path(__file__).parents[2]
X = np.float32([[0.5, -1.0], [2.0, 0.25]])


@pytest.mark.parametrize("name", testing.__all__)
def test_example_gives_what_it_shows(name):
    assert not complaints(name, getattr(testing, name).__doc__)


BFLOAT = jnp.bfloat16
DIFFERENT = {  # (actual, expected): what, index, error, count
    "values": (np.float32([[1, 2], [3, 9]]), np.float32([[1, 2], [3, 4]]), ("values", (1, 1), 5.0, 1)),
    "beyond the tolerance": (np.float64([0.0, 1e6 + 30]), np.float64([1.0, 1e6]), ("values", (1,), 30.0, 2)),
    "one NaN": (np.float32([np.nan, 1]), np.float32([0, 1]), ("values", (0,), np.inf, 1)),
    "the other infinity": (np.float32([np.inf]), np.float32([-np.inf]), ("values", (0,), np.inf, 1)),
    "integers": (np.int64([2**62, 1]), np.int64([2**62 + 1, 1]), ("values", (0,), 0.0, 1)),
    "bools": (np.array(True), np.array(False), ("values", (), 1.0, 1)),
    "complex": (np.complex64([1 + 2j]), np.complex64([1 - 1j]), ("values", (0,), 3.0, 1)),
    "bfloat16": (jnp.ones(1, BFLOAT), jnp.zeros(1, BFLOAT), ("values", (0,), 1.0, 1)),
    "dtype": (np.float32(1), np.float64(1), ("dtype", (), np.inf, 0)),
    "shape": (np.zeros((1, 2)), np.zeros(2), ("shape", (), np.inf, 0)),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_a_difference_has_its_place(case):
    actual, expected, wanted = DIFFERENT[case]
    result = difference(actual, expected, 1e-5, 1e-6)
    assert (result.what, result.index, result.error, result.count) == wanted
    assert difference(expected, expected, 0.0, 0.0) is None
    if result.what == "values":
        assert largest_error(actual, expected) == result.error
        assert_close(result.actual, np.asarray(actual)[result.index].item())


def test_nests_say_which_item_differs():
    actual = {"loss": Tensor([1.0]), "rest": (Tensor([2.0]), [Tensor(3.0)])}
    assert_close(actual, {"loss": np.float32([1]), "rest": (np.float32([2]), [np.float32(3)])})
    with pytest.raises(AssertionError, match=re.escape("['rest'][1][0]: 3 at [], expected 4")):
        assert_close(actual, {"loss": np.float32([1]), "rest": (np.float32([2]), [np.float32(4)])})
    with pytest.raises(AssertionError, match=re.escape("y: items ['loss'], expected ['loss', 'rest']")):
        assert_close({"loss": 1}, actual, name="y")


def test_the_same_function_passes_in_all_shapes_and_dtypes(mode):
    def fn(x, y):
        return ops.exp(x) * y, {"sum": (x + y).sum()}

    def jax_fn(x, y):
        return jnp.exp(x) * y, {"sum": (x + y).sum()}

    assert_same(fn, jax_fn, X, X[0], shapes=[((3, 1), (1, 2))], dtypes=["float64"])
    assert_same(ops.relu, jax.nn.relu, shapes=[((),)], dtypes=["float16", "bfloat16"], order=1)
    assert_same(lambda x, n: x.sum(n), lambda x, n: x.sum(n), X, 1)
    assert_same(ops.bitwise_and, jnp.bitwise_and, np.int32([6, 5]), np.int32([3, 4]), shapes=[((3,), (3,))])


WRONG = {
    "output": (lambda x: x * x, lambda x: x * jnp.abs(x), "float32(2, 2): output: 1 at [0, 1], expected -1; 1 of 4"),
    "nest": (lambda x: (x, x), lambda x: (x, 2 * x), "output[1]: 2 at [1, 0], expected 4"),
    "dtype": (lambda x: x > 0, lambda x: 1 * (x > 0), "output: dtype bool, expected int64"),
    "shape": (lambda x: x, lambda x: x[None], "output: shape (2, 2), expected (1, 2, 2)"),
    "gradient": (lambda x: ops.stop_gradient(x) * x, lambda x: x * x, "gradient by input 0: "),
    "second": (
        lambda x: ops.stop_gradient(x) * x * 2 - ops.stop_gradient(x * x), lambda x: x * x, "second derivative",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_another_function_is_refused(case):
    fn, jax_fn, message = WRONG[case]
    with pytest.raises(AssertionError, match=re.escape(message)):
        assert_same(fn, jax_fn, X)


class Doubling(nn.Cell):
    """Its bprop gives twice the gradient, or the right one."""

    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def construct(self, x):
        return x * x

    def bprop(self, x, out, dout):
        return (self.factor * x * dout,)


def test_gradients_beside_finite_differences(mode):
    check_gradients(Doubling(2.0), X)
    check_gradients(nn.SequentialCell(nn.Dense(2, 3), nn.GELU(approximate=False), nn.Dense(3, 1)), X)
    check_gradients(lambda x, n, flag: (ops.sin(x) * n if flag else x, ops.cos(x)), X, np.int32(3), True)
    check_gradients(ops.relu, X, order=1)
    check_gradients(ops.tanh, random_like(Tensor(np.zeros((9, 9)))))


def test_a_wrong_gradient_is_refused():
    with pytest.raises(AssertionError, match=r"gradient of the output by input 0: .* at \[1, 0\], expected"):
        check_gradients(Doubling(4.0), X)
    with pytest.raises(AssertionError, match="second derivative of output 1 by input 0"):
        check_gradients(lambda x: (x, ops.stop_gradient(x) * x * 2 - ops.stop_gradient(x * x)), X)
    with pytest.raises(AssertionError, match="gradient of the output by Parameter 'weight'"):
        check_gradients(Detached(), X)
    with pytest.raises(ValueError, match="'output 0' must be float64 for float64 inputs, but got mindspore.float32"):
        check_gradients(lambda x: x.astype(ms.float32), X)
    with pytest.raises(ValueError, match="'inputs' must be Tensors of floats among others"):
        check_gradients(lambda x: x, np.int32(3))


class Detached(nn.Cell):
    """A Dense whose weight gets no gradient."""

    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor(X), name="weight")

    def construct(self, x):
        return ops.matmul(x, ops.stop_gradient(self.weight))


def test_modes_that_agree_leave_the_cell_as_it_was(mode):
    net = nn.SequentialCell(nn.Dense(2, 2), nn.BatchNorm1d(2), nn.Dropout(p=0.5)).set_train()
    before, state = [each.asnumpy().copy() for each in net.get_parameters()], ms.get_rng_state().asnumpy()
    assert_modes_agree(net, X)
    assert_close([each.asnumpy() for each in net.get_parameters()], before, 0, 0)
    assert_close(ms.get_rng_state(), state)
    assert ms.get_context("mode") == getattr(ms, mode)


def test_modes_that_do_not_agree_are_refused():
    def fn(x):
        return x * (1.0 if ms.get_context("mode") == ms.PYNATIVE_MODE else 2.0)

    with pytest.raises(AssertionError, match=re.escape("GRAPH_MODE and PYNATIVE_MODE: ['output'][0]: 4 at [1, 0]")):
        assert_modes_agree(fn, X)


def test_random_values_are_like_the_others():
    tensors = (Tensor(X), [Tensor([3, 9]), Tensor([True])], {"half": Tensor(X, ms.float16)})
    drawn = random_like(tensors, seed=2)
    assert_close(drawn, random_like(tensors, seed=2), 0, 0)
    assert not np.array_equal(drawn[0].asnumpy(), random_like(tensors, seed=3)[0].asnumpy())
    assert (drawn[0].dtype, drawn[1][1].dtype, drawn[2]["half"].dtype) == (ms.float32, ms.bool_, ms.float16)
    assert drawn[1][0].asnumpy().min() >= 0 and drawn[1][0].asnumpy().max() <= 9
    net = nn.BatchNorm1d(8)
    assert ms.load_param_into_net(net, random_like(net, seed=1)) == ([], [])
    assert net.moving_variance.asnumpy().min() > 0 > net.moving_mean.asnumpy().min()


SUITE = """
import mindspore as ms
import pytest
from mindspore import Tensor, ops


def test_mode():
    assert hasattr(ms.version, "__msgrad_version__") and ms.get_context("mode") == ms.{mode}
    ms.set_context(mode=1 - ms.{mode})


def test_mode_again():
    from msgrad.engine.execution.tiers import Tiers
    assert ms.get_context("mode") == ms.{mode} and Tiers.compiles is {compiles}
    assert (Tensor([1.0]) + 1).asnumpy() == [2.0]
"""


def pytest_run(folder, *arguments):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTEST_ADDOPTS": ""}
    environment.pop("MSGRAD_EAGER", None)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "msgrad.testing.plugin",
        "-q",
        "-p",
        "no:cacheprovider",
        *arguments,
    ]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("option", "mode", "compiles"),
    [("graph", "GRAPH_MODE", True), ("eager", "PYNATIVE_MODE", False)],
)
def test_the_plugin_runs_a_suite_in_a_mode(tmp_path, option, mode, compiles):
    (tmp_path / "conftest.py").write_text("import mindspore\n")
    (tmp_path / "test_suite.py").write_text(SUITE.format(mode=mode, compiles=compiles))
    ran = pytest_run(tmp_path, f"--msgrad-mode={option}")
    assert ran.returncode == 0, ran.stdout
    assert "2 passed" in ran.stdout


def test_the_plugin_refuses_another_mode(tmp_path):
    assert pytest_run(tmp_path, "--msgrad-mode=other").returncode == 4
