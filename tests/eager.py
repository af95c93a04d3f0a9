"""Runs a function of a test module in a process of its own, operation by operation and uncompiled."""

import os
import pathlib
import pickle
import subprocess
import sys
import tempfile

import jax

from .tuning import Contexts

_RUN = """
import importlib, pickle, sys
from tests import tuning
with open(sys.argv[3], "rb") as file:
    args = pickle.load(file)
function = getattr(importlib.import_module(sys.argv[1]), sys.argv[2])
tuning.tune()
results = function(*args)
with open(sys.argv[3], "wb") as file:
    pickle.dump(results, file)
"""


def run_eagerly(module, function, *args):
    """Returns what ``function(*args)`` of ``module`` (names) returns under MSGRAD_EAGER=1; it must be picklable.

    A process of its own, because what is compiled before would be used again.
    """
    root = pathlib.Path(__file__).resolve().parents[1]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "args, then results"
        path.write_bytes(pickle.dumps(args))
        environment = {**os.environ, "MSGRAD_EAGER": "1"}
        subprocess.run([sys.executable, "-c", _RUN, module, function, str(path)], cwd=root, env=environment, check=True)
        return pickle.loads(path.read_bytes())


def selected(request):
    """The names of the rows whose tests in the module of ``request`` are to run: ``-k`` may have chosen a few."""
    return {item.callspec.params["case"].name for item in request.session.items if item.module is request.module}


def figures_by_name(cases, figures_of):
    """``figures_of(case)`` by the name of each of ``cases``, or the text of the error that one raised."""
    figures = {}
    for k, case in enumerate(cases):
        if k % 100 == 0:
            jax.clear_caches()  # of some GB
            Contexts.renew()
        try:
            figures[case.name] = figures_of(case)
        except Exception as error:  # one row must not hide the others
            figures[case.name] = f"{type(error).__name__}: {error}"
    return figures
