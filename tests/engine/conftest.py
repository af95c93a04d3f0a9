"""The tests of the engine count what is compiled, so that it compiles everything at the first launch."""

import pytest


@pytest.fixture(autouse=True)
def _compiled(compiled):
    """What `compiled` does."""
