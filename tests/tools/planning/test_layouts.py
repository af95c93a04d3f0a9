"""Layouts over several chips, in a process that has as many devices."""

import json
import pathlib
import subprocess
import sys

import pytest

from msgrad.tools.planning.targets import place_of
from msgrad.tools.planning.topology import environment

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHIPS, WIDTH, INNER, BATCH = 4, 512, 1024, 64
SCRIPT = f"""
import json, sys
import numpy as np
import msgrad as ms
from msgrad import Tensor, nn, ops
from tests.tools.planning.planned import plan_of

def script():
    net = nn.SequentialCell(nn.Dense({WIDTH}, {INNER}), nn.ReLU(), nn.Dense({INNER}, {WIDTH}))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
    for _ in range(9):
        x = Tensor(np.ones(({BATCH}, {WIDTH}), np.float32))
        step(x, x)

layouts = None, "data", "fsdp", "tensor"
print(json.dumps([plan_of(script, on="cpu:{CHIPS}", layout=name, compiles=True) for name in layouts]))
"""


@pytest.fixture(scope="module")
def plans():
    variables = environment(place_of(f"cpu:{CHIPS}"))
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=ROOT, env=variables)
    assert ran.returncode == 0, ran.stderr
    names = "alone", "data", "fsdp", "tensor"
    return dict(zip(names, json.loads(ran.stdout.splitlines()[-1]), strict=True))


WEIGHTS = 4 * 2 * WIDTH * INNER


@pytest.mark.parametrize(
    ("name", "chips", "parts"), [("alone", 1, 1), ("data", CHIPS, 1), ("fsdp", CHIPS, CHIPS), ("tensor", CHIPS, CHIPS)]
)
def test_a_chip_holds_its_part_of_the_parameters(plans, name, chips, parts):
    (program,) = plans[name]["programs"]
    biases = 4 * (WIDTH + INNER)
    assert program["chips"] == chips and program["compiled"] and program["refusal"] is None
    for kind in ("parameter", "optimizer"):
        assert WEIGHTS / parts <= program["memory"][kind] <= WEIGHTS / parts + biases + 1000


@pytest.mark.parametrize(
    ("name", "kinds"),
    [("alone", set()), ("data", {"all-reduce"}), ("fsdp", {"all-gather"}), ("tensor", {"all-reduce"})],
)
def test_chips_exchange_what_the_layout_needs(plans, name, kinds):
    (program,) = plans[name]["programs"]
    found = {each["kind"]: each for each in program["collectives"]}
    assert kinds <= set(found) and bool(kinds) == bool(found)
    if name == "data":
        assert found["all-reduce"]["bytes"] >= WEIGHTS and found["all-reduce"]["seconds"] > 0


def test_operations_are_divided_among_the_chips(plans):
    seconds = {name: plan["step"]["compute"] for name, plan in plans.items()}
    assert seconds["data"] == pytest.approx(seconds["alone"] / CHIPS, rel=0.05)
