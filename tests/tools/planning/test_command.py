"""The command, as users call it."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

import msgrad
from msgrad.tools.planning import report
from msgrad.tools.planning.command import main

ENVIRONMENT = os.environ | {"PYTHONPATH": str(pathlib.Path(msgrad.__file__).parents[1])}
SCRIPT = """
import sys
import numpy as np
from mindspore import Tensor, nn
print("arguments", sys.argv[1:])
net = nn.Dense(512, 512)
step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Momentum(net.trainable_params(), 0.1, 0.9))
for width in (512, 500):
    step(Tensor(np.ones((64, width), np.float32)), Tensor(np.ones((64, 512), np.float32)))
"""

FAULTS = [
    ([], "it needs a script"),
    (["script.py"], "it needs a target, such as `--on h100`"),
    (["script.py", "--on", "h10"], "Did you mean 'h100'?"),
    (["nowhere.py", "--on", "cpu"], "can't open file 'nowhere.py'"),
    (["script.py", "--on", "cpu", "--steps", "0"], "must be positive"),
    (["script.py", "--on", "cpu", "--batch", "0"], "must be positive"),
    (["script.py", "--on", "cpu", "--step", "3"], "did you mean --steps?"),
]


@pytest.mark.parametrize(("arguments", "says"), FAULTS, ids=[" ".join(arguments) for arguments, _ in FAULTS])
def test_a_wrong_command_line_is_one_sentence(arguments, says, tmp_path, monkeypatch):
    (tmp_path / "script.py").write_text("")
    monkeypatch.chdir(tmp_path)
    assert says in main(arguments)


def test_a_script_that_fails_shows_its_error_and_the_plan_so_far(tmp_path):
    (tmp_path / "train.py").write_text(SCRIPT)
    arguments = ["plan", "train.py", "--on", "cpu", "--json", "--epochs", "3", "--", "--steps", "9"]
    command = [sys.executable, "-m", "msgrad", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=ENVIRONMENT)
    plan = json.loads(ran.stdout)
    assert "arguments ['--epochs', '3', '--steps', '9']" in ran.stderr and "Traceback" in ran.stderr
    assert ran.returncode == 1 and plan["error"]["type"] == "ValueError" and plan["error"]["line"] == "train.py:9"
    (program,) = plan["programs"]
    assert program["compiled"] and program["launches"] == 1 and program["memory"]["parameter"] >= 4 * 512 * 513


def test_the_time_of_a_step_is_told_in_units_that_fit():
    step = {"flops": {"f32": 3_650.0, "other": 5_100.0}, "bytes": 17_200, "bound": "memory", "links": 0.0}
    times = {"seconds": 5.1e-9, "compute": 1.3e-10, "memory": 5.1e-9}
    _, _, small = report._time({"steps": 1, "step": step | times})
    assert small.strip() == "8.75 kilo-operations (3.65 in f32), 17.2 kB moved"
    units = [report.duration(each) for each in (2.0, 0.63, 1e-4, 9.9e-5, 5.1e-9)]
    assert units == ["2.00 s", "630 ms", "0.1 ms", "99 us", "5.1 ns"]
