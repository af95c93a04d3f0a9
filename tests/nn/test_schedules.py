"""Schedules against MindSpore's figures."""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, mint, nn, ops
from msgrad.experimental import optim
from tests.nn.schedule_cases import LISTS, STEPPED, rates_of

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "schedules.json").read_text())


@pytest.mark.parametrize("name", LISTS)
def test_lists(name):
    rates = eval(LISTS[name], {"nn": nn})
    assert {type(rate) for rate in rates} == {float}
    np.testing.assert_allclose(rates, GOLDEN[f"list {name}"], rtol=1e-12)


@pytest.mark.parametrize("name", STEPPED)
def test_steps(name, mode):
    np.testing.assert_allclose(rates_of(name, ms), GOLDEN[f"step {name}"], rtol=3e-6)


def optimizer(rate=0.5):
    return optim.SGD([Parameter(Tensor([1.0, 2.0]), name="w")], rate)


def test_a_rate_that_a_schedule_writes_is_used_and_compiles_nothing(mode):
    made = optimizer()
    scheduler = optim.lr_scheduler.ExponentialLR(made, 0.5)
    for _ in range(3):
        made((Tensor([1.0, 1.0]),))
        scheduler.step()
    assert made.parameters[0].asnumpy().tolist() == [0.125, 1.125]
    assert [rate.item() for rate in scheduler.get_last_lr()] == [0.0625]


def test_rates_by_hand():
    made = optimizer()
    ops.assign(made.param_groups[0]["lr"], 0.25)
    made((Tensor([1.0, 1.0]),))
    made.param_groups[0]["lr"] = 0.5
    made((Tensor([1.0, 1.0]),))
    assert made.parameters[0].asnumpy().tolist() == [0.25, 1.25]


def test_amsgrad_counts_where_mindspore_ignores_it():
    plain, ams = (optim.Adam([Parameter(Tensor([1.0]), name="w")], 0.1, amsgrad=flag) for flag in (False, True))
    for gradient in (1.0, 0.01, 0.01):
        for each in (plain, ams):
            each((Tensor([gradient]),))
    assert ams.parameters[0].item() > plain.parameters[0].item()
    assert ams.max_exp_avg_sq[0].item() > plain.exp_avg_sq[0].item()


def test_groups_and_their_text():
    made = optimizer()
    made.add_param_group({"params": Parameter(Tensor([1.0]), name="b"), "lr": 0.25, "momentum": 0.5})
    assert [rate.name for rate in made.lrs] == ["learning_rate_group_0", "learning_rate_group_1"]
    assert made.group_start_id == [0, 1, 2]
    shared = ["lr: {0}", "maximize: False", "momentum: {1}", "nesterov: False", "weight_decay: 0.0"]
    assert str(made) == text_of(
        "SGD", ["dampening: 0.0", "grad_centralization: False", *shared], (0.5, 0.0), (0.25, 0.5)
    )
    groups = [
        {"params": [Parameter(Tensor([1.0]), name=name)], **rest} for name, rest in (("a", {"lr": 0.25}), ("b", {}))
    ]
    shared.insert(1, "lr_float: {0}")
    made = mint.optim.SGD(groups, lr=0.5, momentum=1)
    assert str(made) == text_of("SGD", ["dampening: 0", *shared], (0.25, 1), (0.5, 1))


def text_of(name, lines, *groups):
    """MindSpore's text of an optimizer, of whose groups the rates and momenta are given."""
    texts = [
        "".join([f"Parameter Group {index}\n", *[f"    {line.format(*group)}\n" for line in lines]])
        for index, group in enumerate(groups)
    ]
    return f"{name} (\n" + "\n".join(texts) + ")"


def test_a_schedule_of_ones_own():
    class Halved(optim.lr_scheduler.LRScheduler):
        def get_lr(self):
            return [rate * 0.5 for rate in self._last_lr]

    made = optimizer()
    scheduler = Halved(made)
    scheduler.step()
    assert made.lrs[0].item() == 0.125


ERRORS = [  # call, MindSpore's exception type, what the message has
    (lambda: nn.piecewise_constant_lr(3, [0.1]), TypeError, "the 'milestone' must be a tuple or list"),
    (lambda: nn.piecewise_constant_lr([3, 4], [0.1]), ValueError, "the 'milestone' must be as long as"),
    (
        lambda: nn.piecewise_constant_lr([3, 2], [0.1, 0.2]),
        ValueError,
        "milestone[1]' must be at least milestone[0], 3",
    ),
    (lambda: nn.exponential_decay_lr(1, 0.9, 6, 2, 1), TypeError, "For 'exponential_decay_lr', the 'learning_rate'"),
    (lambda: nn.exponential_decay_lr(0.1, 0.9, 0, 2, 1), ValueError, "the 'total_step' must be a positive int"),
    (lambda: nn.cosine_decay_lr(0.2, 0.1, 6, 2, 2), ValueError, "the 'max_lr' must be greater than the 'min_lr', 0.2"),
    (lambda: nn.warmup_lr(-0.1, 6, 2, 2), ValueError, "the 'learning_rate' must be a non-negative float"),
    (lambda: optim.Adam([], 0.1), ValueError, "the 'params' must be a list that is not empty"),
    (lambda: optim.Adam(None, 0.1), ValueError, "the 'params' must be a list"),
    (lambda: optim.Adam(3, 0.1), TypeError, "the 'params' must be an Iterable"),
    (lambda: optim.Adam([3], 0.1), TypeError, "the 'params[0]' must be a Parameter"),
    (lambda: optim.SGD([Parameter(Tensor([1.0]))], -1.0), ValueError, "the 'lr' must be at least 0.0"),
    (lambda: optim.SGD([Parameter(Tensor([1.0]))], "a"), TypeError, "the 'lr' must be a float or an int or a Tensor"),
    (lambda: optim.SGD([Parameter(Tensor([1.0]))], Tensor([0.1])), ValueError, "a number or a Tensor without axes"),
    (lambda: optim.Adam([Parameter(Tensor([1.0]))], betas=(1.0, 0.9)), ValueError, "the 'betas[0]' must be a float in"),
    (lambda: optim.Rprop([Parameter(Tensor([1.0]))], etas=(0.5, 1.0)), ValueError, "the 'etas[1]' must be a float in"),
    (lambda: optim.lr_scheduler.StepLR(3, 2), TypeError, "For 'StepLR', the 'optimizer' must be an Optimizer"),
    (lambda: optim.lr_scheduler.StepLR(optimizer(), 2.0), TypeError, "the 'step_size' must be an int"),
    (lambda: optim.lr_scheduler.StepLR(optimizer(), 2, last_epoch=-2), ValueError, "an int from -1 on"),
    (lambda: optim.lr_scheduler.StepLR(optimizer(), 2, last_epoch=1), KeyError, "has no 'initial_lr'"),
    (lambda: optim.lr_scheduler.LinearLR(optimizer(), 0.0), ValueError, "the 'start_factor' must be in (0, 1]"),
    (lambda: optim.lr_scheduler.LambdaLR(optimizer(), [abs, abs]), ValueError, "the 'lr_lambda' must be one, or 1"),
    (lambda: optim.lr_scheduler.CyclicLR(optimizer(), 0.1, 0.2, mode="a"), ValueError, "the 'mode' must be one of"),
    (lambda: optim.lr_scheduler.ReduceLROnPlateau(optimizer(), factor=1.0), ValueError, "the 'factor' must be below 1"),
]


@pytest.mark.parametrize(("call", "error", "text"), ERRORS)
def test_errors(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)


@pytest.mark.parametrize(
    ("schedule", "expected"),  # of MindSpore 2.10
    [
        (lambda: nn.ExponentialDecayLR(0.1, 0.9, 4), 0.09486832469701767),
        (lambda: nn.InverseDecayLR(0.1, 0.5, 4), 0.08000000566244125),
        (lambda: nn.CosineDecayLR(0.01, 0.1, 4), 0.054999999701976776),
        (lambda: nn.PolynomialDecayLR(0.1, 0.01, 4, 0.5), 0.07363960891962051),
        (lambda: nn.WarmUpLR(0.1, 2), 0.10000000149011612),
    ],
)
def test_schedules_of_a_number(schedule, expected):
    np.testing.assert_allclose(schedule()(2).item(), expected, rtol=1e-6)
