"""A program ends with Python's exit status, also while XLA computes what nothing refers to any more."""

import os
import pathlib
import subprocess
import sys
import threading
import time

import jax
import numpy as np
import pytest

from msgrad import Tensor, ops
from msgrad.engine.execution import completion

from .endings import PROGRAMS, ended

ROOT = pathlib.Path(__file__).parents[2]


@pytest.mark.parametrize("case", [case for case in PROGRAMS if case[-1]], ids=lambda case: case[0])
def test_a_program_ends_as_in_python(case, tmp_path):
    _, text, *expected, _ = case
    *result, errors = ended(text, "msgrad run", tmp_path)
    assert result == expected, errors


def test_nothing_depends_on_docstrings_or_asserts():
    command = [sys.executable, "-OO", "-m", "tests.programs.without_docstrings", "40"]
    environment = os.environ | {"MSGRAD_EAGER": "1"}
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=ROOT)
    assert ran.stdout == "without docstrings: True\n", ran.stdout + ran.stderr


def _in_a_thread(function):
    thread = threading.Thread(target=lambda: (ops.sin(Tensor(1.0)), function()))
    thread.start()
    thread.join()


@pytest.mark.parametrize("launch", [lambda function: function(), _in_a_thread], ids=["main", "thread"])
def test_a_computation_is_awaited_when_its_results_are_garbage(launch):
    done = []

    def slow(x):
        time.sleep(0.1)
        done.append(x.shape)
        return x

    # The product is work enough that XLA does not run it before the launch returns.
    jitted = jax.jit(lambda x: jax.pure_callback(slow, jax.ShapeDtypeStruct((64, 64), np.float32), x @ x))
    launch(lambda: jitted(np.ones((64, 64), np.float32)).is_deleted())
    completion.wait()
    assert done
