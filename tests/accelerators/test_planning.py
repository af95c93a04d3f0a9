"""`msgrad plan` of a small program by the real compilers, for each target."""

import json
import subprocess
import sys

import pytest

from msgrad.tools.planning.targets import TARGETS

from .compiler import ROOT

pytestmark = pytest.mark.accelerators
WIDTH, BATCH = 256, 64
SCRIPT = f"""
import numpy as np
import mindspore as ms
from mindspore import Tensor, nn
net = nn.SequentialCell(nn.Dense({WIDTH}, {WIDTH}), nn.ReLU(), nn.Dense({WIDTH}, {WIDTH})).to_float(ms.bfloat16)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
for _ in range(9):
    x = Tensor(np.ones(({BATCH}, {WIDTH}), np.float32))
    step(x, x)
"""
SEVERAL = ["h100:4", "v5e:2x2"]
PROCESSES = """
ms.communication.init()
ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True)
net = nn"""


def planned(script, place, folder, *options):
    """The plan of a script, and its only program."""
    if not TARGETS[place.partition(":")[0]].has_compiler():
        pytest.skip("its compiler is not installed")
    (folder / "train.py").write_text(script)
    command = [sys.executable, "-m", "msgrad", "plan", str(folder / "train.py"), "--on", place, *options, "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=500)
    assert ran.returncode == 0, ran.stderr
    plan = json.loads(ran.stdout)
    (program,) = plan["programs"]
    return plan, program


@pytest.mark.parametrize("place", SEVERAL)
def test_processes_add_up_their_gradients(place, tmp_path):
    plan, program = planned(SCRIPT.replace("\nnet = nn", PROCESSES, 1), place, tmp_path)
    assert plan["processes"] == program["chips"] == 4 and program["compiled"] and program["refusal"] is None
    parameters = 4 * 2 * (WIDTH * WIDTH + WIDTH)
    assert parameters <= program["memory"]["parameter"] <= parameters + 100
    (total,) = [each for each in program["collectives"] if each["kind"] == "all-reduce"]
    assert total["bytes"] == parameters and total["seconds"] > 0
    assert program["flops"].get("bf16") == 2 * BATCH * WIDTH * WIDTH * 5


@pytest.mark.parametrize("place", [*TARGETS, *SEVERAL])
def test_a_training_step_is_planned(place, tmp_path):
    layout = ["--try", "fsdp"] if ":" in place else []
    _, program = planned(SCRIPT, place, tmp_path, *layout)
    chips = 4 if layout else 1
    assert program["compiled"] and program["refusal"] is None and program["chips"] == chips
    matrices = 4 * 2 * WIDTH * WIDTH // chips
    assert matrices <= program["memory"]["parameter"] <= matrices + 4 * 2 * WIDTH + 100
    assert program["flops"].get("bf16") == 2 * BATCH * WIDTH * WIDTH * 5 and program["time"]["total"] > 0
    assert bool(program["collectives"]) == (chips > 1)
    assert any(row["path"].endswith("0") for row in program["layers"])
