"""Metrics, by the figures of MindSpore."""

import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, train

from .metric_cases import REFUSED, VALUES

GOLDEN = json.loads((pathlib.Path(__file__).resolve().parents[1] / "golden" / "metrics.json").read_text())
NAMESPACE = {"nn": nn, "Tensor": Tensor, "np": np}


def assert_same(actual, expected):
    if isinstance(expected, list):
        assert len(actual) == len(expected)
        for ours, theirs in zip(actual, expected, strict=True):
            assert_same(ours, theirs)
    elif isinstance(expected, float):
        assert float(actual) == pytest.approx(expected, rel=1e-6, abs=1e-9, nan_ok=True)
    else:
        assert actual == expected


@pytest.mark.parametrize("expression", VALUES)
def test_value(expression):
    assert_same(eval(expression, NAMESPACE), GOLDEN[expression])


@pytest.mark.parametrize("expression", REFUSED)
def test_refused(expression):
    with pytest.raises(Exception) as raised:
        eval(expression, NAMESPACE)
    assert f"raises {type(raised.value).__name__}" == GOLDEN[expression]


def test_faces():
    from msgrad.train import metrics

    for name in set(nn._ABOVE[".train.metrics"].split()) - {"get_metrics"}:
        assert getattr(ms, name) is getattr(nn, name) is getattr(train, name) is getattr(metrics, name)


def test_occlusion_in_batches():
    image = Tensor(np.arange(12, dtype=np.float32).reshape(1, 3, 4))
    one, four = (nn.OcclusionSensitivity(margin=1, n_batch=n)(nn.Flatten(), image, Tensor([5])) for n in (1, 4))
    assert one.shape == (3, 4)
    assert (one == four).all()
    assert np.flatnonzero(one).tolist() == [5, 6, 9, 10]


def test_several_classes_of_more_samples():
    # MindSpore 2.10 takes rows for columns here.
    scores, classes = np.array([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]]), np.array([0, 0, 1])
    false, true, _ = nn.ROC(class_num=2)(Tensor(scores), Tensor(classes))
    expected = nn.ROC()(Tensor(scores[:, 1]), Tensor(classes))
    assert false[1].tolist() == expected[0].tolist()
    assert true[1].tolist() == expected[1].tolist()


@pytest.mark.parametrize("decrease", ["mean_batch", "sum_channel", "none"])
def test_reductions_to_several_numbers_are_refused(decrease):
    x = Tensor(np.ones((2, 2, 3)))
    with pytest.raises(ValueError):
        nn.ConfusionMatrixMetric(True, "tpr", True, decrease)(x, x)


# As observed in MindSpore: which of them give a NumPy scalar, and which a Python float.
PYTHON_FLOATS = ("nn.Perplexity", "nn.Dice", "nn.ConfusionMatrixMetric")


@pytest.mark.parametrize("expression", [each for each in VALUES if isinstance(GOLDEN[each], float) and GOLDEN[each]])
def test_a_number_is_a_numpy_scalar_that_prints_as_a_number(expression):
    value = eval(expression, NAMESPACE)
    assert isinstance(value, np.float64) is not any(each in expression for each in PYTHON_FLOATS)
    assert repr({"metric": value}) == f"{{'metric': {float(value)}}}"
