"""Writes ``metrics.json``: what MindSpore gives for the expressions of ``tests/train/metric_cases.py``.

    GLOG_v=4 ORACLE_PYTHON tests/golden/make_metrics.py

A value as nested lists, or the type of the exception.
"""

import json
import pathlib
import sys

import numpy as np
from mindspore import Tensor, nn

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from tests.train.metric_cases import REFUSED, VALUES  # noqa: E402  (found above this folder)


def plain(value):
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def outcome(expression):
    try:
        return plain(eval(expression, {"nn": nn, "Tensor": Tensor, "np": np}))
    except Exception as error:
        return f"raises {type(error).__name__}"


results = {expression: outcome(expression) for expression in [*VALUES, *REFUSED]}
lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(value)}" for name, value in results.items())
(HERE / "metrics.json").write_text("{\n" + lines + "\n}\n")
for name in VALUES:
    if isinstance(results[name], str):
        sys.stderr.write(f"{name}: {results[name]}\n")
for name in REFUSED:
    if not str(results[name]).startswith("raises"):
        sys.stderr.write(f"{name}: not refused\n")
