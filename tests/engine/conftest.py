"""The tests of the engine count what is compiled, so that it compiles everything at the first launch."""

import pytest

from msgrad.engine.execution import disk_cache
from msgrad.engine.execution.tiers import Tiers


@pytest.fixture(autouse=True)
def _compiled(compiled):
    """What `compiled` does."""


@pytest.fixture
def interpreted(mode, monkeypatch):
    """Lets NumPy run what is new in both modes: compiling hundreds of segments would take minutes."""
    monkeypatch.setattr(Tiers, "allowed", True)


@pytest.fixture
def stored(tmp_path, monkeypatch):
    """A private folder for entries."""
    monkeypatch.setattr(disk_cache.Private, "folder", str(tmp_path))
    return tmp_path
