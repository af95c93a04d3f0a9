"""Both modes for the tests that take ``mode``."""

import pytest

import msgrad as ms


@pytest.fixture(params=["pynative", "graph"])
def mode(request):
    """Runs the test in PYNATIVE_MODE and in GRAPH_MODE."""
    ms.set_context(mode=ms.GRAPH_MODE if request.param == "graph" else ms.PYNATIVE_MODE)
    yield request.param
    ms.set_context(mode=ms.PYNATIVE_MODE)
