"""Programs of several processes: each chip runs that of one, and they exchange gradients."""

import json
import pathlib
import subprocess
import sys

import pytest

from msgrad.tools.planning import report
from msgrad.tools.planning.targets import place_of
from msgrad.tools.planning.topology import environment

ROOT = pathlib.Path(__file__).resolve().parents[3]
CHIPS, WIDTH, INNER, BATCH = 4, 512, 1024, 64
SCRIPT = f"""
import json
import numpy as np
import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.communication import get_group_size, get_rank, init
from tests.tools.planning.planned import plan_of

seen = []

def training(mode, is_by_hand):
    def script():
        init("nccl")
        ms.set_auto_parallel_context(parallel_mode=mode, gradients_mean=True, device_num=get_group_size())
        net = nn.SequentialCell(nn.Dense({WIDTH}, {INNER}), nn.ReLU(), nn.Dense({INNER}, {WIDTH}))
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
        if is_by_hand:
            loss_of, reducer = nn.MSELoss(), nn.DistributedGradReducer(optimizer.parameters)
            gradient = ms.value_and_grad(lambda x, y: loss_of(net(x), y), None, optimizer.parameters)

            def step(x, y):
                loss, gradients = gradient(x, y)
                optimizer(reducer(gradients))
                return loss

        for _ in range(9):
            x = Tensor(np.ones(({BATCH}, {WIDTH}), np.float32))
            loss = ops.AllReduce()(step(x, x))
            ranks = [None] * get_group_size()
            ops.all_gather_object(ranks, get_rank())
            seen.append([float(loss), ranks])
    return script

print(json.dumps({{
    "alone": plan_of(training("stand_alone", False), on="cpu"),
    "compiled": plan_of(training("data_parallel", False), on="cpu:{CHIPS}", count={CHIPS}, compiles=True),
    "estimated": plan_of(training("data_parallel", False), on="h100:{CHIPS}", count={CHIPS}),
    "by hand": plan_of(training("stand_alone", True), on="h100:{CHIPS}", count={CHIPS}),
    "seen": seen,
}}))
"""


@pytest.fixture(scope="module")
def plans():
    variables = environment(place_of(f"cpu:{CHIPS}"))
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, cwd=ROOT, env=variables)
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout.splitlines()[-1])


PARAMETERS = 4 * (2 * WIDTH * INNER + WIDTH + INNER)
TOGETHER = ["compiled", "estimated", "by hand"]


def products(plan):
    return sum([n for kind, n in plan["step"]["flops"].items() if kind != "other"])


@pytest.mark.parametrize("name", TOGETHER)
def test_the_processes_add_up_all_gradients(plans, name):
    plan = plans[name]
    (program,) = [each for each in plan["programs"] if each["collectives"]]
    assert plan["processes"] == program["chips"] == CHIPS and program["refusal"] is None
    assert program["compiled"] == (name == "compiled")
    (total,) = [each for each in program["collectives"] if each["kind"] == "all-reduce"]
    assert (total["chips"], total["count"], total["bytes"]) == (CHIPS, 1, PARAMETERS)
    seconds = 2 * PARAMETERS * (CHIPS - 1) / CHIPS / plan["target"]["link"]
    assert total["seconds"] == pytest.approx(seconds) and plan["step"]["links"] >= total["seconds"]


@pytest.mark.parametrize("name", ["alone", *TOGETHER])
def test_each_chip_runs_the_whole_program_of_a_process(plans, name):
    plan = plans[name]
    memory = plan["programs"][plan["peak_program"]]["memory"]
    for kind in ("parameter", "optimizer"):
        assert PARAMETERS <= memory[kind] <= PARAMETERS + 1000
    assert products(plan) == 2 * BATCH * WIDTH * INNER * 5
    assert plan["step"]["compute"] >= products(plan) / plan["target"]["peaks"]["tf32"]
    assert (plan["processes"] > 1) == (name != "alone")


@pytest.mark.parametrize("name", TOGETHER)
def test_operations_of_a_program_with_collectives_keep_their_cell_and_line(plans, name):
    rows = {path: share for path, line, *share in report.shares(plans[name]) if line}
    assert any(path.endswith("0-2") for path in rows) and sum(map(sum, rows.values())) > 0.9


def test_what_others_would_say_is_what_this_one_says(plans):
    assert [0.0, [0] * CHIPS] in plans["seen"] and [0.0, [0]] in plans["seen"]
