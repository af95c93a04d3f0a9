"""Whole networks, unmodified MindSpore code: Parameters and outputs against MindSpore's."""

import json
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

from ..helpers import assert_close
from ..networks import NAMES, TRAINED

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIGURES = ROOT / "tests" / "golden"
GOLDEN, LEARNT = (json.loads((FIGURES / file).read_text()) for file in ("networks.json", "trained_networks.json"))
RUN = """
import runpy
import msgrad.alias
msgrad.alias.install()
runpy.run_module("tests.networks.{}", None, "__main__")
"""


def said(script, name):
    """What a process of its own says of a network: there, ``mindspore`` is msgrad."""
    ran = subprocess.run(
        [sys.executable, "-c", RUN.format(script), name],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)[name]


@pytest.fixture(scope="module", params=NAMES)
def network(request):
    """The name of a network, and what is said of it."""
    return request.param, said("describe", request.param)


def test_parameters_are_the_reference_s(network):
    name, actual = network
    assert actual["parameters"] == GOLDEN[name]["parameters"]


def test_figures_are_the_reference_s(network):
    name, actual = network
    for key, rtol in (("evaluated", 1e-3), ("loss", 1e-3), ("norms", 2e-2)):
        assert_close(np.array(actual[key]), np.array(GOLDEN[name][key]), rtol=rtol, atol=2e-5)


@pytest.mark.parametrize("name", TRAINED)
def test_network_learns_as_the_reference_does(name):
    actual = said("train", name)
    assert actual["parameters"] == LEARNT[name]["parameters"]
    assert_close(np.array(actual["losses"]), np.array(LEARNT[name]["losses"]), rtol=1e-5)
