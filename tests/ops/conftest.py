import pytest

import msgrad as ms


@pytest.fixture(params=["PYNATIVE_MODE", "GRAPH_MODE"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=getattr(ms, request.param))
    yield request.param
    ms.set_context(mode=before)
