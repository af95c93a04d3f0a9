"""The exact programs, with which those of many sizes are compared."""

import pytest

from msgrad.engine.execution import families, tiers
from msgrad.engine.recording.program import Step


@pytest.fixture
def exact(monkeypatch):
    """Runs a function without padding, each program by NumPy."""

    def run(fn, *args):
        with monkeypatch.context() as patch:
            patch.setattr(tiers.Tiers, "allowed", True)  # compiling each would take most of the test's time
            patch.setattr(families, "ALLOWED", False)
            patch.setattr(Step, "_roots", {})
            return fn(*args)

    return run
