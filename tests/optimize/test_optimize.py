"""``mindspore.scipy.optimize`` finds what MindSpore finds, counts alike; what it adds: derivatives, constraints."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, log, ops
from msgrad.scipy import fft, linalg, optimize, utils
from msgrad.scipy.optimize._lagrange import minimize_lagrange

from ..helpers import assert_close

GOLDEN = json.loads((pathlib.Path(__file__).resolve().parents[1] / "golden" / "optimize.json").read_text())
_ANSWERS = """
import json
import msgrad as ms
from msgrad.scipy import optimize
from tests.optimize.cases import answers
print(json.dumps(answers(ms, optimize)))
"""
COUNTS = ("success", "failed", "status", "nfev", "njev", "ngev", "nit", "k")


@pytest.fixture(scope="module")
def actual():
    """The optimizers' results, compiled as for users: the number of iterations depends on the last digits."""
    ran = subprocess.run(
        [sys.executable, "-c", _ANSWERS], env=os.environ | {"MSGRAD_TIERS": "off"}, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


@pytest.mark.parametrize("name", GOLDEN)
def test_counts_are_mindspore_s(name, actual):
    assert {key: actual[name].get(key) for key in COUNTS} == {key: GOLDEN[name].get(key) for key in COUNTS}


@pytest.mark.parametrize("name", GOLDEN)
def test_points_are_mindspore_s(name, actual):
    assert list(actual[name]) == list(GOLDEN[name])
    for key in ("x", "a_k", "fun", "f_k", "g_k", "jac"):
        if key in GOLDEN[name]:
            atol = 3e-3 if key == "jac" and not GOLDEN[name]["success"] else 1e-4  # where it did not end, it is large
            assert_close(np.array(actual[name][key]), np.array(GOLDEN[name][key]), rtol=1e-4, atol=atol)


def test_the_point_found_is_differentiated_by_the_arguments(mode):
    def nearest(a):
        return optimize.minimize(lambda x, a: ((x - a**2) ** 2).sum(), Tensor([0.0, 0.0]), (a,), "BFGS").x

    jacobian = ms.jacrev(nearest)(Tensor([1.0, 2.0]))
    assert_close(jacobian.asnumpy(), np.diag([2.0, 4.0]).astype(np.float32), rtol=1e-3, atol=1e-3)


def test_a_function_may_look_at_values(mode):
    actual = optimize.minimize(lambda x: (x**2).sum() if x[0] > 1 else (3 * x**2).sum(), Tensor([2.0]), method="LBFGS")
    assert actual.success and abs(actual.x.item()) < 1e-3


def test_without_effect_is_said(monkeypatch):
    said = []
    monkeypatch.setattr(log, "warning", lambda text, *args: said.append(text % args))
    optimize.minimize(lambda x: (x * x).sum(), Tensor([1.0]), method="BFGS", bounds=[(0, 1)])
    assert said == ["For 'minimize', the 'bounds' has no effect, as in MindSpore 2.10."]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"lower": Tensor([-4.0, -4.0])},
        {"upper": Tensor([4.0, 4.0])},
        {"lower": Tensor([-4.0, -4.0]), "upper": Tensor([4.0, 4.0])},
    ],
)
def test_constraints_hold(options):
    words = {"rounds": 6, "steps": 60, "learning_rate": 0.1, **options}
    keeps = [lambda x: x[0] - 1]
    actual = optimize.minimize(
        lambda x: ((x - 2) ** 2).sum(),
        Tensor([0.5, 0.5]),
        method="lagrange",
        constraints=keeps,
        tol=[0.05],
        options=words,
    )
    assert actual.succeeded and actual.loss_value[0] < 0.05
    assert_close(actual.best_value, np.array([1.0, 2.0], np.float32), rtol=0, atol=0.1)


def test_constraints_may_share_what_they_compute():
    actual = minimize_lagrange(
        lambda x, squares: squares.sum(),
        Tensor([1.0]),
        [lambda x, squares: squares[0] - 4],
        coincide_fun=lambda x: x**2,
        rounds=1,
        steps=3,
    )
    assert actual.succeeded and actual.object_value < 1.0


def test_tolerances_are_as_many_as_constraints():
    with pytest.raises(ValueError, match="For 'minimize', the 'tol' must be one number for each of 1 constraints"):
        minimize_lagrange(abs, Tensor([1.0]), [abs], [1, 2])


@pytest.mark.parametrize(
    "expression, value",
    [
        ("utils._to_tensor(1, [2.0])[1].dtype", ms.float32),
        ("utils._to_tensor(1, dtype=ms.float64).item()", 1.0),
        ("utils._to_scalar(Tensor(2.0))", 2.0),
        ("utils._norm(Tensor([3.0, -4.0])).item()", 5.0),
        ("utils._norm(Tensor([3.0, -4.0]), float('inf')).item()", 4.0),
        ("utils._safe_normalize(Tensor([0.0, 0.0]))[0].tolist()", [0.0, 0.0]),
        ("utils._nd_transpose(Tensor([[1, 2]])).tolist()", [[1], [2]]),
        ("utils._matvec(Tensor([[1.0, 2.0]]), Tensor([3.0, 4.0])).tolist()", [11.0]),
        ("utils._matvec(Tensor([[1.0, 2.0]]).to_csr(), Tensor([3.0, 4.0])).tolist()", [11.0]),
        ("utils._matvec(abs, Tensor([-3.0])).tolist()", [3.0]),
        ("utils.grad(lambda x: x * x)(Tensor(3.0)).item()", 6.0),
    ],
)
def test_a_small_function(expression, value):
    assert eval(expression, {"utils": utils, "Tensor": Tensor, "ms": ms}) == value


def test_a_matrix_that_is_not_square_has_its_factors():
    x = Tensor(np.arange(6, dtype=np.float32).reshape(3, 2))
    p, lower, upper = linalg.lu(x)
    assert_close(ops.matmul(ops.matmul(p.float(), lower), upper).asnumpy(), x.asnumpy())


@pytest.mark.parametrize("transform", [fft.dct, fft.idct, fft.dctn, fft.idctn])
def test_complex_numbers_are_transformed_by_their_parts(transform):
    x = np.array([[1 + 2j, 3, -1j], [2, 1j, 0.5]], np.complex64)
    parts = [transform(Tensor(part)).asnumpy() for part in (x.real, x.imag)]
    assert_close(transform(Tensor(x)).asnumpy(), parts[0] + 1j * parts[1])
