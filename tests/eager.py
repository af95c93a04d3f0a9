"""Runs a function of a test module in a process of its own, operation by operation and uncompiled."""

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

_RUN = """
import importlib, pickle, sys
from tests import tuning
function = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])
tuning.tune()
results = function()
with open(sys.argv[3], "wb") as file:
    pickle.dump(results, file)
"""


def run_eagerly(module, function):
    """Returns what ``function()`` of ``module`` (names) returns under MSGRAD_EAGER=1; it must be picklable.

    A process of its own reads the variable; the fixture ``uncompiled`` does the same within a test.
    """
    root = pathlib.Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "results"
        environment = {**os.environ, "MSGRAD_EAGER": "1"}
        subprocess.run([sys.executable, "-c", _RUN, module, function, str(path)], cwd=root, env=environment, check=True)
        return pickle.loads(path.read_bytes())
