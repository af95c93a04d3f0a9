"""One compiler for each kind of device and process of pytest."""

import pytest

from .compiler import Compiler
from .target import KINDS


@pytest.fixture(scope="session", params=KINDS)
def compiler(request):
    compiler = Compiler(request.param)
    yield compiler
    compiler.end()
