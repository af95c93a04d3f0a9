"""What MindSpore 2.10 says of the networks of this folder, and the comparison with it."""

import json
import pathlib

import numpy as np

from ..helpers import assert_close

FIGURES = pathlib.Path(__file__).resolve().parents[1] / "golden"
GOLDEN, LEARNT = (json.loads((FIGURES / file).read_text()) for file in ("networks.json", "trained_networks.json"))
TOLERANCES = {"evaluated": 1e-3, "loss": 1e-3, "norms": 2e-2}


def assert_same_parameters(name, said):
    """Asserts that what `describe` or `train` says of a network has the names, shapes and dtypes of its Parameters."""
    assert said["parameters"] == (GOLDEN.get(name) or LEARNT[name])["parameters"]


def assert_same_figures(name, said, looser=1):
    """Asserts that it has the values of the reference; ``looser`` is for devices that sum in another order."""
    if name in LEARNT:
        assert_close(np.array(said["losses"]), np.array(LEARNT[name]["losses"]), rtol=1e-5 * looser)
        return
    for key, rtol in TOLERANCES.items():
        assert_close(np.array(said[key]), np.array(GOLDEN[name][key]), rtol=rtol, atol=2e-5 * looser)
