"""Every optimizer against MindSpore's figures: ten steps, in both modes and operation by operation."""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad.engine import report
from msgrad.experimental import optim
from tests.eager import run_eagerly
from tests.golden._figures import encoded
from tests.nn.optim_cases import CASES, STEPS, by_numpy, run

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "optim.json").read_text())
BY_NAME = {case.name: case for case in CASES}
GOLDEN |= {
    case.name: {"steps": [[encoded(each) for each in step] for step in by_numpy(case)]}
    for case in CASES
    if case.reference and case.name not in GOLDEN
}


def check(case, result):
    """Compares what `run` returns with the figures."""
    expected = GOLDEN[case.name]
    assert result["slots"] == expected.get("slots", result["slots"])
    for actual, step in zip(result["steps"], expected["steps"], strict=True):
        for array, figure in zip(actual, step, strict=True):
            figure = np.array(figure["data"]).reshape(figure["shape"])
            assert array.dtype == case.dtype
            np.testing.assert_allclose(array, figure, rtol=0, atol=case.rtol * max(1, np.abs(figure).max()))


def test_every_row_has_figures():
    assert sorted(GOLDEN) == sorted(BY_NAME)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_figures(case, mode):
    counts = []
    check(case, run(case, ms, after=lambda _: counts.append(report()["programs compiled"])))
    assert counts[3] == counts[-1]  # no step compiles anything when two have been made


def eager_figures():
    return {case.name: run(case, ms) for case in CASES if case.workload == "quadratic"}


def test_figures_operation_by_operation():
    for name, results in run_eagerly("tests.nn.test_optimizers", "eager_figures").items():
        check(BY_NAME[name], results)


def _trained(make, w, g, count=3):
    parameter = Parameter(Tensor(w), name="w")
    optimizer = make([parameter])
    for _ in range(count):
        optimizer((Tensor(g),))
    return parameter.asnumpy()


W = np.array([[1.0, -2.0], [0.5, 3.0]], np.float32)
G = np.array([[0.1, 0.2], [-0.3, 0.4]], np.float32)


def test_lamb_which_mindspore_computes_on_ascend_alone(mode):
    w, m, v = W, 0.0, 0.0
    for step in (1, 2, 3):
        m, v = 0.9 * m + 0.1 * G, 0.99 * v + 0.01 * G**2
        move = m / (1 - 0.9**step) / (np.sqrt(v / (1 - 0.99**step)) + 1e-6) + 0.1 * w
        w = w - 0.05 * np.linalg.norm(w) / np.linalg.norm(move) * move
    actual = _trained(lambda p: nn.Lamb(p, 0.05, 0.9, 0.99, weight_decay=0.1), W, G)
    np.testing.assert_allclose(actual, w, rtol=1e-5)


@pytest.mark.parametrize("clip", [False, True])
def test_lars_which_mindspore_computes_on_ascend_alone(mode, clip):
    w, moment = W, 0.0
    for _ in range(3):
        length = np.linalg.norm(w)
        trust = 0.5 * length / (np.linalg.norm(G) + 0.1 * length + 1e-5)
        trust = min(trust / 0.2, 1) if clip else trust
        moment = 0.9 * moment + trust * (G + 0.1 * w)
        w = w - 0.2 * moment
    actual = _trained(lambda p: nn.LARS(nn.Momentum(p, 0.2, 0.9, 0.1), coefficient=0.5, use_clip=clip), W, G)
    np.testing.assert_allclose(actual, w, rtol=1e-5)


def test_lars_leaves_biases_alone():
    bias = Parameter(Tensor([1.0, 1.0]), name="bias")
    nn.LARS(nn.SGD([bias], 1.0, loss_scale=2.0))((Tensor([1.0, 0.5]),))
    assert bias.asnumpy().tolist() == [0.5, 0.75]


def test_adagrad_keeps_its_sums_where_they_are_not_to_change():
    actual = _trained(lambda p: nn.Adagrad(p, 0.25, 0.1, update_slots=False), W, G)
    np.testing.assert_allclose(actual, W - 3 * 0.1 * G / 0.5, rtol=1e-5)


@pytest.mark.parametrize("kind", [nn.FTRL, nn.AdamOffload, nn.Lamb], ids=lambda kind: kind.__name__)
def test_half_precision_where_mindspore_has_no_kernel(kind):
    one = Parameter(Tensor(W.astype(np.float16)), name="w")
    optimizer = kind([one], learning_rate=0.1)
    for _ in range(STEPS):
        optimizer((Tensor(G.astype(np.float16)),))
    assert {str(each.dtype) for each in optimizer.get_parameters() if each.name.endswith(".w")} == {"Float16"}
    expected = _trained(lambda p: kind(p, learning_rate=0.1), W, G, STEPS)
    np.testing.assert_allclose(one.asnumpy(), expected, atol=0.02)


P = [Parameter(Tensor(W), name="w")]
ERRORS = [  # call, MindSpore's exception type, what the message has
    (lambda: nn.Adam(P, beta1=1.0), ValueError, "For 'Adam', the 'beta1' must be a float in (0, 1), but got 1.0"),
    (lambda: nn.Adam(P, beta2=1), TypeError, "For 'Adam', the 'beta2' must be a float, but got 1 (int)"),
    (lambda: nn.Adam(P, eps=0.0), ValueError, "For 'Adam', the 'eps' must be a float above 0"),
    (lambda: nn.Adam(P, use_nesterov=1), TypeError, "For 'Adam', the 'use_nesterov' must be a bool"),
    (lambda: nn.Adam(P, lazy=True), KeyError, "the other keyword arguments can be 'use_lazy' and 'use_offload'"),
    (lambda: nn.Adam(P, use_lazy=True, use_offload=True), ValueError, "the 'use_lazy' must be False where"),
    (lambda: nn.Adam(P, use_lazy=True, use_amsgrad=True), ValueError, "For 'Adam', the 'use_amsgrad' must be False"),
    (lambda: nn.LazyAdam(P, weight_decay=1), TypeError, "For 'LazyAdam', the 'weight_decay' must be a float"),
    (lambda: nn.AdamWeightDecay(P, beta1=0.0), ValueError, "For 'AdamWeightDecay', the 'beta1' must be a float in"),
    (lambda: nn.AdaMax(P, eps=-1.0), ValueError, "For 'AdaMax', the 'eps' must be a non-negative float"),
    (lambda: nn.Adagrad(P, accum=-1.0), ValueError, "For 'Adagrad', the 'accum' must be a non-negative float"),
    (lambda: nn.Adagrad(P, update_slots=1), TypeError, "For 'Adagrad', the 'update_slots' must be a bool"),
    (lambda: nn.ProximalAdagrad(P, l1=-1.0), ValueError, "the 'l1' must be a non-negative float"),
    (lambda: nn.Adadelta(P, rho=1.5), ValueError, "For 'Adadelta', the 'rho' must be a float in [0, 1]"),
    (lambda: nn.AdaFactor(P, 0.1), ValueError, "the 'learning_rate' must be None with 'relative_step'"),
    (lambda: nn.AdaFactor(P, eps=(0.1,)), ValueError, "For 'AdaFactor', the 'eps' must be a tuple or list of two"),
    (lambda: nn.AdaFactor(P, 0.1, relative_step=False, warmup_init=True), ValueError, "needs 'relative_step'"),
    (lambda: nn.ASGD(P, lambd=1), TypeError, "For 'ASGD', the 'lambd' must be a float"),
    (lambda: nn.FTRL(P, lr_power=0.5), ValueError, "For 'FTRL', the 'lr_power' must be a float in [-inf, 0]"),
    (lambda: nn.FTRL(P, learning_rate=[0.1, 0.2]), ValueError, "the 'learning_rate' must be one for all steps"),
    (lambda: nn.Lamb(P, 0.1, beta1=2.0), ValueError, "For 'Lamb', the 'beta1' must be a float in (0, 1)"),
    (lambda: nn.LARS(P), TypeError, "For 'LARS', the 'optimizer' must be an Optimizer"),
    (lambda: nn.RMSProp(P, epsilon=0.0), ValueError, "For 'RMSProp', the 'epsilon' must be a float above 0"),
    (lambda: nn.RMSProp(P, centered=1), TypeError, "For 'RMSProp', the 'centered' must be a bool"),
    (lambda: nn.Rprop(P, etas=[0.5, 1.2]), TypeError, "For 'Rprop', the 'etas' must be a tuple of two floats"),
    (lambda: nn.Rprop(P, etas=(0.5, 1.0)), ValueError, "For 'Rprop', the 'etas[1]' must be a float in (1, inf)"),
    (lambda: nn.Rprop(P, step_sizes=(1.0, 0.5)), ValueError, "For 'Rprop', the 'step_sizes' must be the smallest step"),
    (lambda: nn.Adam(P)((Tensor(G), Tensor(G))), RuntimeError, "For 'Adam', the 'gradients' must be 1 Tensors"),
    (lambda: nn.Adam(P)((Tensor(G[:1]),)), ValueError, "the 'gradients' must be of the shapes of their Parameters"),
    (lambda: nn.SGD(P, 0.1)((Tensor(G[:1]),)), RuntimeError, "the 'gradients' must be of the shapes"),
    (lambda: nn.SGD(P, 0.1, weight_decay=0.1)((Tensor(G[:1]),)), ValueError, "the 'gradients' must be of the shapes"),
    (lambda: nn.Momentum(P, 0.1, 0.9)(Tensor(G)), RuntimeError, "For 'Momentum', the 'gradients' must be a tuple"),
    (lambda: nn.Momentum(P, 0.1, 0.9)((None,)), TypeError, "For 'Momentum', the 'gradients' must be a tuple of"),
    (lambda: nn.Adam(P)(None), RuntimeError, "For 'Adam', the 'gradients' must be a tuple of Tensors, but got None"),
    (
        lambda: nn.LARS(nn.SGD(P))([]),
        RuntimeError,
        "For 'LARS', the 'gradients' must be 1 Tensors, one for each Paramet",
    ),
    (lambda: nn.LARS(nn.SGD(P))(Tensor(G)), RuntimeError, "For 'LARS', the 'gradients' must be a tuple of Tensors"),
    (lambda: optim.Adam(P, 0.1)((Tensor(G), Tensor(G))), RuntimeError, "For 'Adam', the 'gradients' must be 1 Tensors"),
    (lambda: optim.Optimizer(P, {}), TypeError, "For 'Optimizer', the 'lr' must be a float or an int or a Tensor, but"),
    (lambda: optim.SGD([{"params": P, "lr": None}], 0.1), TypeError, "For 'Optimizer', the 'lr' must be a float or an"),
]


@pytest.mark.parametrize(("call", "error", "text"), ERRORS)
def test_errors(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)
