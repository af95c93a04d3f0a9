"""Profilers record steps and report the slowest operations."""

import pathlib

import pytest

import msgrad as ms
from msgrad import ops, profiler
from msgrad.engine.execution import tiers
from msgrad.profiler import ProfilerAction, ProfilerLevel, schedule


def work():
    return ops.matmul(ops.ones((64, 64)), ops.ones((64, 64))).sum().asnumpy()


def recordings(folder):
    return sorted(pathlib.Path(folder).glob("plugins/profile/*/*.trace.json.gz"))


def test_a_profiler_of_1x(tmp_path, capsys):
    profiled = ms.Profiler(output_path=str(tmp_path), profiler_level=ProfilerLevel.Level0, profile_memory=True)
    profiled.add_metadata("model", "none")
    work()
    profiled.analyse()
    shown = capsys.readouterr().out
    assert shown.startswith("operation")
    assert f"tensorboard --logdir {tmp_path}" in shown
    assert len(shown.splitlines()) > 3
    assert len(recordings(tmp_path)) == 1
    assert (tmp_path / "profiler_metadata.json").read_text() == '{"model": "none"}'
    name = shown.splitlines()[1].split()[0]
    assert profiled.op_analyse(name)[name]["count"] >= 1
    ms.Profiler.offline_analyse(str(tmp_path))
    assert capsys.readouterr().out == shown


def test_what_numpy_would_compute_is_recorded(tmp_path, monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", True)
    x = ops.ones((2, 2))
    with ms.Profiler(output_path=str(tmp_path)) as profiled:
        ops.tanh(x).asnumpy()
        assert not tiers.Tiers.allowed
    assert any("tanh" in name for name in profiled.op_analyse(["tanh", "wrapped_tanh"]))
    assert tiers.Tiers.allowed is tiers.TIERED


def test_steps_of_a_schedule(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    saved = []
    with profiler.profile(schedule=schedule(wait=1, active=1, repeat=2), on_trace_ready=saved.append) as profiled:
        for _ in range(6):
            work()
            profiled.step()
    assert len(saved) == 2
    assert recordings(tmp_path / "data")


def test_a_handler_names_the_folder(tmp_path, capsys):
    handler = profiler.tensorboard_trace_handler(str(tmp_path))
    with profiler.profile(on_trace_ready=handler):
        work()
    assert recordings(tmp_path)
    assert "operation" in capsys.readouterr().out


def test_one_at_a_time(tmp_path):
    with ms.Profiler(output_path=str(tmp_path)), pytest.raises(RuntimeError, match="recording already"):
        ms.Profiler(output_path=str(tmp_path))


@pytest.mark.parametrize(
    ("plan", "expected"),
    [
        ({"wait": 0, "active": 1}, [3, 3, 3, 3]),
        ({"wait": 1, "warmup": 1, "active": 2}, [0, 1, 2, 3, 0]),
        ({"wait": 1, "active": 1, "repeat": 1, "skip_first": 2}, [0, 0, 0, 3, 0, 0]),
    ],
)
def test_plans(plan, expected):
    assert [schedule(**plan)(step) for step in range(len(expected))] == [ProfilerAction(value) for value in expected]


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: schedule(wait=-1, active=1), ValueError, "the 'wait' must be"),
        (lambda: schedule(wait=1, active=0), ValueError, "the 'active' must be"),
        (lambda: ms.Profiler(output_path=3), TypeError, "the 'output_path' must be a str"),
        (lambda: ms.Profiler(start_profile=3), TypeError, "the 'start_profile' must be a bool"),
        (lambda: profiler.profile(schedule=3), TypeError, "the 'schedule' must be a function"),
        (lambda: profiler.mstx.mark(3), TypeError, "the 'message' must be a str"),
        (lambda: profiler.tensorboard_trace_handler(3), TypeError, "the 'dir_name' must be"),
    ],
)
def test_errors(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)
