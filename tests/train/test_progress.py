"""`msgrad.ProgressMonitor`: the lines that it shows, with a clock that advances by half a second at each look."""

import itertools
import types

import numpy as np
import pytest

import msgrad as ms
from msgrad import nn
from msgrad.dataset import GeneratorDataset
from msgrad.engine.calls import looping
from msgrad.train.callback import progress


@pytest.fixture
def shown(monkeypatch):
    """The lines, each with the part that is done; None of a line that stays."""
    lines = []

    class Line:
        def is_in_place(self):
            return True

        def show(self, text, share=None):
            lines.append((text, share))

        def end(self, text):
            if text:
                lines.append((text, None))

    seconds = itertools.count(0.0, 0.5)
    monkeypatch.setattr(progress, "StatusLine", Line)
    monkeypatch.setattr(progress, "Pace", lambda *first: type("Due", (), {"is_due": lambda self, is_in_place: True})())
    monkeypatch.setattr(progress, "time", types.SimpleNamespace(monotonic=lambda: next(seconds)))
    return lines


def fitted(sinks=False, epochs=2, initial_epoch=0):
    rows = [(np.ones((4, 2), np.float32), np.zeros((4, 1), np.float32))] * 4
    net = nn.Dense(2, 1, weight_init="ones", bias_init="zeros")
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 1e-9), metrics={"mae"})
    data = GeneratorDataset(rows, ["data", "label"], shuffle=False)
    monitor = ms.ProgressMonitor()
    model.fit(epochs, data, data, callbacks=monitor, dataset_sink_mode=sinks, initial_epoch=initial_epoch)
    return model, data, monitor


def test_a_fit(shown):
    fitted()
    assert shown == [
        ("epoch 1/2, step 1/4, loss 4", 0.25),
        ("epoch 1/2, step 2/4, loss 4, 2.67 samples/s, 0:09 left", 0.5),
        ("epoch 1/2, step 3/4, loss 4, 3.2 samples/s, 0:06 left", 0.75),
        ("epoch 1/2, step 4/4, loss 4, 3.43 samples/s, 0:05 left", 1.0),
        *[(f"evaluation, step {step}/4", step / 4) for step in (1, 2, 3, 4)],
        ("epoch 1/2: 4 steps in 5.0 s, loss 4, 3.43 samples/s; evaluation: mae 2", None),
        ("epoch 2/2, step 1/4, loss 4, 2.67 samples/s, 0:04 left", 0.25),
        ("epoch 2/2, step 2/4, loss 4, 2.86 samples/s, 0:03 left", 0.5),
        ("epoch 2/2, step 3/4, loss 4, 3 samples/s, 0:01 left", 0.75),
        ("epoch 2/2, step 4/4, loss 4, 3.11 samples/s, 0:00 left", 1.0),
        *[(f"evaluation, step {step}/4", step / 4) for step in (1, 2, 3, 4)],
        ("epoch 2/2: 4 steps in 5.0 s, loss 4, 3.11 samples/s; evaluation: mae 2", None),
    ]


def test_launches_of_sink_mode_and_later_epochs(shown, sink_mode, monkeypatch):
    monkeypatch.setattr(looping, "MOST_TURNS", 2)
    fitted(True, epochs=7, initial_epoch=5)
    assert [line for line in shown if "evaluation, " not in line[0]] == [
        ("epoch 6/7, step 2/4, loss 4", 0.5),
        ("epoch 6/7, step 4/4, loss 4, 1.33 steps/s, 0:03 left", 1.0),
        ("epoch 6/7: 4 steps in 3.0 s, loss 4, 1.33 steps/s; evaluation: mae 2", None),
        ("epoch 7/7, step 2/4, loss 4, 1 steps/s, 0:02 left", 0.5),
        ("epoch 7/7, step 4/4, loss 4, 1.2 steps/s, 0:00 left", 1.0),
        ("epoch 7/7: 4 steps in 3.0 s, loss 4, 1.2 steps/s; evaluation: mae 2", None),
    ]


def test_an_evaluation_alone(shown):
    model, data, monitor = fitted(epochs=1)
    del shown[:]
    model.eval(data, callbacks=monitor)
    assert shown[-1] == ("evaluation: 4 steps in 0.5 s, mae 2", None)


def test_it_is_silent_where_nothing_is_due(capsys):
    fitted(epochs=1)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("epoch 1/1: 4 steps in ")


@pytest.mark.parametrize(("seconds", "text"), [(0.4, "0:00"), (59.6, "1:00"), (3599, "59:59"), (3725, "1:02:05")])
def test_the_time_left(seconds, text):
    assert progress._clock(seconds) == text
