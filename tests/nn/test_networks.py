"""Whole networks, unmodified MindSpore code: Parameters and outputs against MindSpore's."""

import json
import pathlib
import subprocess
import sys

import pytest

from ..networks import NAMES, TRAINED
from ..networks.comparison import assert_same_figures, assert_same_parameters
from ..tuning import fast_to_compile

ROOT = pathlib.Path(__file__).resolve().parents[2]
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
        env=fast_to_compile(PYTHONPATH=str(ROOT)),
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
    assert_same_parameters(*network)


def test_figures_are_the_reference_s(network):
    assert_same_figures(*network)


@pytest.mark.parametrize("name", TRAINED)
def test_network_learns_as_the_reference_does(name):
    actual = said("train", name)
    assert_same_parameters(name, actual)
    assert_same_figures(name, actual)
