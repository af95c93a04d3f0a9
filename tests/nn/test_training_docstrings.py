"""The docstrings of optimizers, schedules, training steps and mixed precision: complete, with examples that run."""

import doctest
import importlib
import inspect
import textwrap

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, amp, boost, nn, ops
from msgrad.experimental import optim
from msgrad.nn.utils import no_init_parameters
from msgrad.ops.doc import Doc

PLACES = "amp boost experimental.optim experimental.optim.lr_scheduler nn.dynamic_lr nn.utils nn.wrap nn.optim"
learning_rate_schedule = importlib.import_module("msgrad.nn.learning_rate_schedule")
LearningRateSchedule = learning_rate_schedule.LearningRateSchedule
MODULES = {place: importlib.import_module(f"msgrad.{place}") for place in PLACES.split()}
PUBLIC = {
    f"{place}.{name}": getattr(module, name)
    for place, module in MODULES.items()
    for name in module.__all__
    if not inspect.ismodule(getattr(module, name))
}
PUBLIC |= {
    name: kind
    for name, kind in vars(learning_rate_schedule).items()
    if inspect.isclass(kind) and issubclass(kind, LearningRateSchedule) and not name.startswith("_")
}


def names():
    """What examples refer to."""
    net = nn.Dense(2, 1)
    groups = optim.SGD(nn.Dense(2, 1).trainable_params(), 0.1)
    return {
        "mindspore": ms, "ms": ms, "nn": nn, "ops": ops, "np": np, "amp": amp, "boost": boost, "optim": optim,
        "Tensor": Tensor, "Parameter": Parameter, "no_init_parameters": no_init_parameters,
        "LearningRateSchedule": LearningRateSchedule, "net": net, "x": Tensor([[1.0, 2.0]]),
        "y": Tensor([[0.5]]), "optimizer": nn.SGD(net.trainable_params(), 0.1), "groups": groups,
    }  # fmt: skip


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_docstring_is_complete_and_its_example_runs(name):
    text = PUBLIC[name].__doc__ or ""
    assert "Source: mindspore." in text
    example = textwrap.dedent(Doc(text).sections.get("Example", "")).strip()
    given = names()
    if "lr_scheduler" in name or "schedul" in example:
        given["optimizer"] = given["groups"]
    test = doctest.DocTestParser().get_doctest(example + "\n", given, name, None, None)
    shown = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=shown.append)
    assert not shown, "".join(shown)
