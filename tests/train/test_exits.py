"""Training that ends early (on request, by Ctrl-C, by SIGKILL), and the run that resumes it."""

import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys

import numpy as np
import pytest

import msgrad as ms
from msgrad import nn, train
from msgrad.dataset import NumpySlicesDataset
from msgrad.train import BackupAndRestore, FlopsUtilizationCollector, OnRequestExit

PROGRAM = pathlib.Path(__file__).parent / "resumed_training.py"
EPOCHS = 2


def data(count=6):
    random_values = np.random.default_rng(0)
    x = random_values.random((2 * count, 4), np.float32)
    return NumpySlicesDataset({"x": x, "y": x[:, :2]}, shuffle=False).batch(2)


def model():
    net = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
    return net, ms.Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"mae"})


class At(train.Callback):
    """Does something after a step, and counts steps."""

    def __init__(self, step, act):
        super().__init__()
        self.step, self.act, self.steps = step, act, 0

    def on_train_step_end(self, run_context):
        self.steps += 1
        if self.steps == self.step:
            self.act()

    def on_eval_step_end(self, run_context):
        self.act()


def ask():
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_signal_ends_training_and_the_next_run_goes_on(tmp_path):
    handler = signal.getsignal(signal.SIGTERM)
    at, (net, first) = At(3, ask), model()
    first.train(2, data(), callbacks=[at, OnRequestExit(directory=str(tmp_path), file_name="n")])
    assert at.steps == 3 and signal.getsignal(signal.SIGTERM) is handler
    assert sorted(os.listdir(tmp_path / "rank_0")) == ["n_train.ckpt", "n_train.mindir"]
    saved = ms.load_checkpoint(str(tmp_path / "rank_0" / "n_train.ckpt"))
    assert (saved["step_num"].item(), saved["epoch_num"].item()) == (3, 1)
    assert (saved["weight"].asnumpy() == net.weight.asnumpy()).all()
    again, second = model()
    begun = []
    start = train.LambdaCallback(on_train_step_begin=lambda context: begun.append(again.weight.asnumpy().copy()))
    second.train(1, data(), callbacks=[OnRequestExit(directory=str(tmp_path), file_name="n"), start])
    assert (begun[0] == net.weight.asnumpy()).all()


def test_a_signal_ends_evaluating(tmp_path):
    callback = OnRequestExit(directory=str(tmp_path), save_mindir=False)
    model()[1].eval(data(), callbacks=[At(1, ask), callback])
    assert os.listdir(tmp_path / "rank_0") == ["Net_eval.ckpt"]


def test_a_file_ends_training(tmp_path, capsys):
    file = tmp_path / "config.json"
    at = At(2, lambda: file.write_text(json.dumps({"GracefulExit": 1})))
    file.write_text("no JSON")
    callback = OnRequestExit(save_mindir=False, directory=str(tmp_path), config_file=str(file))
    model()[1].train(1, data(), callbacks=[at, callback])
    assert at.steps == 2 and os.listdir(tmp_path / "rank_0") == ["Net_train.ckpt"]


def test_nothing_is_saved_if_nobody_asks(tmp_path):
    model()[1].train(1, data(), callbacks=OnRequestExit(directory=str(tmp_path)))
    assert os.listdir(tmp_path / "rank_0") == []


def test_backup_and_restore(tmp_path):
    def fail():
        raise ArithmeticError

    whole, straight = model()
    straight.train(2, data())
    with pytest.raises(ArithmeticError):
        model()[1].train(2, data(), callbacks=[At(7, fail), BackupAndRestore(str(tmp_path))])
    assert os.listdir(tmp_path) == ["backup.ckpt"]
    net, again = model()
    again.train(1, data(), callbacks=BackupAndRestore(str(tmp_path), save_freq=5))
    assert (net.weight.asnumpy() == whole.weight.asnumpy()).all() and os.listdir(tmp_path) == []
    model()[1].train(1, data(), callbacks=BackupAndRestore(str(tmp_path), delete_checkpoint=False))
    assert os.listdir(tmp_path) == ["backup.ckpt"]


def test_flops(graph_mode, capsys):
    model()[1].train(1, data(3), callbacks=FlopsUtilizationCollector(3, 1e9))
    first, *lines = capsys.readouterr().out.splitlines()
    flops = float(re.search(r"Full model flops is ([\d.]+), Full hardware flops is \1, Shard model", first)[1])
    # two products, of 2 x 4 x 2 multiplications and additions each, and what is done to each number
    assert 2 * 2 * (2 * 4 * 2) <= flops < 4 * 2 * 2 * (2 * 4 * 2)
    assert len(lines) == 2
    assert all(re.fullmatch(r"Train per step time: +[\d.]+ ms mfu:[\d.]+% hfu:[\d.]+%", line) for line in lines)


@pytest.mark.parametrize(
    "make, error, message",
    [
        (lambda d: OnRequestExit(sig=signal.SIGKILL, directory=d), ValueError, "'sig' must be"),
        (lambda d: OnRequestExit(save_ckpt=1, directory=d), TypeError, "'save_ckpt' must be"),
        (lambda d: OnRequestExit(directory=1), TypeError, "'directory' must be"),
        (lambda d: BackupAndRestore(1), TypeError, "'backup_dir' must be"),
        (lambda d: BackupAndRestore(d, 0), ValueError, "'save_freq' must be"),
        (lambda d: FlopsUtilizationCollector(0), ValueError, "'data_size' must be"),
        (lambda d: FlopsUtilizationCollector(1, enable_ma_collector=True), ValueError, "'enable_ma_collector' must"),
    ],
)
def test_wrong_arguments(make, error, message, tmp_path):
    with pytest.raises(error, match=message):
        make(str(tmp_path))


def test_flops_are_of_compiled_calls():
    with pytest.raises(ValueError, match="use GRAPH_MODE"):
        model()[1].train(1, data(), callbacks=FlopsUtilizationCollector(3))


class Runs:
    """Runs of the program in turn; each goes on from the last checkpoint in its folder."""

    def __init__(self, cache):
        environment = {**os.environ, "PYTHONPATH": str(PROGRAM.parents[2]), "MSGRAD_CACHE": str(cache)}
        command = [sys.executable, str(PROGRAM), str(EPOCHS)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        self.process = subprocess.Popen(command, env=environment, text=True, **pipes)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()

    def whole(self, folder):
        """What a run that nobody ends prints last."""
        status, lines = self.ended(folder, 0, 0, 0)
        assert status == 0
        return lines[-1]

    def ended(self, folder, number, steps, seconds):
        """A run that gets a signal some ``seconds`` after so many ``steps``: its status, and what it printed."""
        self.process.stdin.write(f"{folder} {number} {steps} {seconds}\n")
        self.process.stdin.flush()
        lines = [self.process.stdout.readline().strip()]
        while not lines[-1].startswith("exit"):
            lines.append(self.process.stdout.readline().strip())
            assert lines[-1], lines
        check(folder)
        return int(lines[-1].split()[1]), lines[:-1]


def check(folder):
    """The newest checkpoint loads, whatever else is there."""
    files = sorted(folder.glob("*.ckpt"), key=os.path.getmtime)
    if files:
        assert "weight" in ms.load_checkpoint(str(files[-1]))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    runs = Runs(tmp_path_factory.mktemp("cache"))
    yield runs
    runs.close()


@pytest.fixture(scope="module")
def whole(runs, tmp_path_factory):
    return runs.whole(tmp_path_factory.mktemp("whole"))


def test_killed_runs_leave_checkpoints_and_give_the_same_numbers(runs, whole, tmp_path):
    draw = random.Random(0)
    ends = [(draw.randint(1, 30), draw.random() * 0.005) for _ in range(4)]  # well before the 200th step
    assert [runs.ended(tmp_path, signal.SIGKILL, *end)[0] for end in ends] == [-signal.SIGKILL] * 4
    assert runs.whole(tmp_path) == whole


def test_an_interrupted_run_ends_its_callbacks_and_goes_on(runs, whole, tmp_path):
    status, lines = runs.ended(tmp_path, signal.SIGINT, 1, 0)
    assert status == 1 and lines[-1] == "ended"
    assert runs.whole(tmp_path) == whole
