"""One compiler for each kind of device and process of pytest."""

import pytest

from .compiler import Compiler


@pytest.fixture(scope="session")
def compiler(request):
    compiler = Compiler(request.param)
    yield compiler
    compiler.end()
