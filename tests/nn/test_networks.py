"""Whole networks, written for MindSpore and unchanged: their Parameters and what they compute, against its figures."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from ..helpers import assert_close
from ..networks import NAMES

ROOT = pathlib.Path(__file__).resolve().parents[2]
GOLDEN = json.loads((ROOT / "tests" / "golden" / "networks.json").read_text())
RUN = """
import runpy
import msgrad.alias
msgrad.alias.install()
runpy.run_module("tests.networks.describe", None, "__main__")
"""


@pytest.fixture(scope="module", params=NAMES)
def network(request):
    """The name of a network, and what a process of its own says of it: there, ``mindspore`` is msgrad."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN, request.param],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return request.param, json.loads(ran.stdout)[request.param]


def test_parameters_are_the_reference_s(network):
    name, found = network
    assert found["parameters"] == GOLDEN[name]["parameters"]


def test_figures_are_the_reference_s(network):
    name, found = network
    for key, rtol in (("evaluated", 1e-3), ("loss", 1e-3), ("norms", 2e-2)):
        assert_close(np.array(found[key]), np.array(GOLDEN[name][key]), rtol=rtol, atol=2e-5)
