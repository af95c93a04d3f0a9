"""Steps of optimizers in PYNATIVE_MODE: msgrad's own run by a Plan, and anything of the user's runs each time."""

import copy
import gc

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad.engine import report
from msgrad.engine.calls import plan, repeating
from msgrad.ops.optim import parts

STEPS = 7


@pytest.fixture(autouse=True)
def pynative():
    ms.set_context(mode=ms.PYNATIVE_MODE)


def weights(count=2, length=3):
    return [Parameter(Tensor(np.arange(1.0, length + 1, dtype=np.float32)), name=f"w{k}") for k in range(count)]


def gradients(step, count=2, length=3):
    return tuple([Tensor(np.full(length, 0.1 * (step + k), np.float32)) for k in range(count)])


def trained(make, between=lambda optimizer, step: None, steps=STEPS):
    """The values of all Parameters after each of some steps, and the optimizer."""
    optimizer, values = make(weights()), []
    for step in range(steps):
        optimizer(gradients(step))
        between(optimizer, step)
        values += [each.asnumpy().ravel() for each in optimizer.get_parameters()]
    return np.concatenate(values), optimizer


def plans(optimizer):
    repeats = vars(optimizer).get("_repeats_")
    return 0 if repeats is None else len(repeats.plans)


def set_rate(optimizer, step):
    optimizer.learning_rate.set_data(Tensor(0.1 / (step + 1), ms.float32))


def set_decay(optimizer, step):
    optimizer.exec_weight_decay = step % 2 == 0


def set_nesterov(optimizer, step):
    optimizer.use_nesterov = step % 2 == 0


def set_dtype(optimizer, step):
    if step == STEPS - 3:
        optimizer.parameters[1].set_dtype(ms.float16)


def set_beta(optimizer, step):
    optimizer.beta1 = Tensor(0.5 + 0.05 * step, ms.float32)


MAKERS = {
    "momentum": (lambda w: nn.Momentum(w, 0.1, 0.9, weight_decay=0.1), None),
    "rates": (lambda w: nn.Adam(w, [0.1, 0.05, 0.01]), None),
    "groups": (lambda w: nn.SGD([{"params": w[:1], "lr": 0.5}, {"params": w[1:]}], 0.1, 0.9), None),
    "another rate": (lambda w: nn.Momentum(w, 0.1, 0.9), set_rate),
    "another rule": (lambda w: nn.Momentum(w, 0.1, 0.9), set_nesterov),
    "another dtype": (lambda w: nn.SGD(w, 0.1), set_dtype),
    "another beta": (lambda w: nn.Adam(w, 0.1), set_beta),
    "another decay": (lambda w: nn.Momentum(w, 0.1, 0.9, weight_decay=0.1), set_decay),
}


@pytest.mark.parametrize("name", MAKERS)
def test_a_plan_gives_the_same_values(name, monkeypatch):
    make, between = MAKERS[name]
    between = between or (lambda optimizer, step: None)
    values, optimizer = trained(make, between)
    assert plans(optimizer) > 0
    monkeypatch.setattr(repeating, "is_possible", lambda: False)
    recorded, optimizer = trained(make, between)
    assert plans(optimizer) == 0
    np.testing.assert_array_equal(values, recorded)


@pytest.mark.parametrize("length", [3, 1 << 16])  # without and with donation
def test_a_plan_launches_what_the_recorded_steps_have_compiled(compiled, length):
    optimizer = nn.Momentum(weights(length=length), 0.1, 0.9)
    for step in range(2):
        optimizer(gradients(step, length=length))
    before = report()["programs compiled"]
    for step in range(STEPS):
        optimizer(gradients(step, length=length))
    assert report()["programs compiled"] == before and plans(optimizer) == 1


def test_one_tensor_may_be_the_gradient_of_two():
    optimizer, others = nn.SGD(weights(), 0.1), gradients(1)
    for _ in range(STEPS):
        optimizer((others[0], others[0]))
    one, two = [each.asnumpy().copy() for each in optimizer.parameters]
    optimizer(others)
    np.testing.assert_allclose(optimizer.parameters[0].asnumpy(), one - 0.1 * others[0].asnumpy(), rtol=1e-6)
    np.testing.assert_allclose(optimizer.parameters[1].asnumpy(), two - 0.1 * others[1].asnumpy(), rtol=1e-6)


def patched(owner):
    """Replaces ``get_lr`` of an optimizer or of its class by a function of the user's."""

    def make(w, monkeypatch, calls):
        optimizer = nn.Momentum(w, 0.1, 0.9)
        rate, target = optimizer.get_lr(), optimizer if owner == "object" else nn.Momentum
        monkeypatch.setattr(target, "get_lr", lambda *_: calls.append(1) or rate)
        return optimizer

    return make


def scheduled(w, monkeypatch, calls):
    class Schedule(nn.learning_rate_schedule.LearningRateSchedule):
        def construct(self, global_step):
            calls.append(1)
            return Tensor(0.1, ms.float32)

    return nn.Momentum(w, Schedule(), 0.9)


def overridden(w, monkeypatch, calls):
    class Own(nn.Momentum):
        def construct(self, gradients):
            calls.append(1)
            return super().construct(gradients)

    return Own(w, 0.1, 0.9)


USERS = {
    "schedule": scheduled,
    "subclass": overridden,
    "attribute of the object": patched("object"),
    "attribute of the class": patched("class"),
}


@pytest.mark.parametrize("name", USERS)
def test_code_of_the_users_runs_at_each_step(name, monkeypatch):
    calls = []
    trained(lambda w: USERS[name](w, monkeypatch, calls))
    assert len(calls) == STEPS


def test_a_library_that_replaces_the_call_of_cells_sees_each_step(monkeypatch):
    calls, inner = [], nn.Cell.__call__
    monkeypatch.setattr(nn.Cell, "__call__", lambda self, *args: calls.append(1) or inner(self, *args))
    _, optimizer = trained(lambda w: nn.Momentum(w, 0.1, 0.9))
    assert len(calls) == STEPS and plans(optimizer) == 1


def test_a_patch_after_some_steps_is_run(monkeypatch):
    calls, optimizer = [], trained(lambda w: nn.Momentum(w, 0.1, 0.9))[1]
    assert plans(optimizer) == 1
    inner = nn.Momentum.scale_grad
    monkeypatch.setattr(nn.Momentum, "scale_grad", lambda self, each: calls.append(1) or inner(self, each))
    optimizer(gradients(1))
    assert calls == [1]


def test_a_step_that_keeps_changing_is_recorded():
    _, optimizer = trained(lambda w: nn.Momentum(w, 0.1, 0.9), set_nesterov, 4 * STEPS)
    assert optimizer._repeats_.calls < 0


def test_a_copy_has_steps_of_its_own():
    optimizer = trained(lambda w: nn.Momentum(w, 0.1, 0.9))[1]
    copied = copy.deepcopy(optimizer)
    before = optimizer.parameters[0].asnumpy().copy()
    for _ in range(STEPS):
        copied(gradients(1))
    np.testing.assert_array_equal(optimizer.parameters[0].asnumpy(), before)
    assert plans(copied) == 1 and abs(copied.parameters[0].asnumpy() - before).min() > 0


def test_an_error_changes_nothing():
    optimizer = trained(lambda w: nn.Momentum(w, 0.1, 0.9))[1]
    before = [each.asnumpy().copy() for each in optimizer.get_parameters()]
    with pytest.raises(ValueError, match="Optimizer"):
        optimizer(gradients(1, length=4))
    with pytest.raises(RuntimeError, match="gradients"):
        optimizer(gradients(1, count=1))
    for each, values in zip(optimizer.get_parameters(), before, strict=True):
        np.testing.assert_array_equal(each.asnumpy(), values)
    optimizer(gradients(1))
    assert optimizer.global_step.asnumpy().tolist() == [STEPS + 1]


def test_gradients_of_another_kind_are_not_taken_for_the_last_ones():
    def values(last):
        optimizer = trained(lambda w: nn.Momentum(w, 0.1, 0.9))[1]
        optimizer(last)
        return np.concatenate([each.asnumpy() for each in optimizer.parameters])

    def half(gradient):
        return gradient.astype(ms.float16)

    plain = gradients(3)
    expected = values(plain)
    np.testing.assert_array_equal(values(list(plain)), expected)
    np.testing.assert_array_equal(values((Parameter(plain[0]), plain[1])), expected)
    np.testing.assert_allclose(values((plain[0], half(plain[1]))), expected, rtol=1e-3)
    assert np.abs(values((half(plain[0]), plain[1])) - expected).max() > 0


def test_python_looks_for_garbage_again_after_a_step_of_many_parameters(monkeypatch):
    monkeypatch.setattr(plan, "_MANY", 1)
    optimizer = trained(lambda w: nn.Momentum(w, 0.1, 0.9))[1]
    assert gc.isenabled()
    monkeypatch.setattr(plan.Plan, "_publish", lambda *_: gc.isenabled() or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        optimizer(gradients(1))
    assert gc.isenabled()


def test_many_parameters_are_updated_in_parts(monkeypatch):
    def values():
        settings = [{"params": weights(20), "weight_decay": 0.1, "grad_centralization": True}]
        optimizer = nn.Momentum(settings, 0.1, 0.9, loss_scale=2.0)
        for step in range(STEPS):
            optimizer(gradients(step, 20))
        return np.concatenate([each.asnumpy() for each in optimizer.parameters])

    whole = values()
    monkeypatch.setattr(parts.execute, "LARGE", 16)
    monkeypatch.setattr(parts, "PART", 8)
    np.testing.assert_array_equal(values(), whole)
