"""The modes of MindSpore, for the tests that ask for them, and a bound for what JAX keeps of thousands of tests.

A test in PYNATIVE_MODE, or without a mode, has the tiers that a user has: what it launches once is run by NumPy. In
GRAPH_MODE everything is compiled by XLA, so that what is tested in both modes is tested in both tiers.

XLA optimizes the graph of each program as it does for users, but not the machine code: most programs of the tests run
once, and take 2.4 times longer to compile with it. ``XLA_FLAGS= python -m pytest`` optimizes that too, as the processes
that tests start always do.
"""

import collections
import itertools
import os

import jax
import jaxlib
import pytest

import msgrad as ms
from msgrad._common import seeding
from msgrad._random import streams
from msgrad.engine.execution import disk_cache
from msgrad.engine.execution.tiers import Tiers
from msgrad.engine.recording.program import Step

from .tuning import Contexts, collect_less_garbage

disk_cache.Private.folder = None  # entries, of which there would be many, are found again only until a source changes
os.environ["MSGRAD_QUIET"] = "1"  # no line on standard error, which tests compare, because many of them compile
_tests = itertools.count(1)
_SEVERAL = ("tests/distributed/", "tests/parallel/")  # tests of several processes or devices, of some seconds each
_MACHINE_CODE = "--xla_backend_optimization_level=0 --xla_cpu_use_fusion_emitters=false"

# Read in jaxlib 0.10.2; another version may not know the second flag, and ends the process at a flag that it lacks.
if "XLA_FLAGS" not in os.environ and jaxlib.__version__.startswith("0.10."):
    os.environ["XLA_FLAGS"] = _MACHINE_CODE
    jax.devices()  # which reads the flags, once
    del os.environ["XLA_FLAGS"]


Contexts.share()
collect_less_garbage()


def pytest_configure(config):
    """Keeps the order of files that `pytest_collection_modifyitems` gives: xdist runs those of few tests last."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False


def pytest_collection_modifyitems(items):
    """Puts files of many tests first, and marks the first case of each test ``quick``, except those that wait.

    The files that run last are short then, and a worker waits less for the other at the end.
    """
    lengths = collections.Counter()
    for item in items:
        lengths[item.path] += 20 if item.nodeid.startswith(_SEVERAL) else 1
    items.sort(key=lambda item: (-lengths[item.path], item.path))
    seen = set()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name not in seen and not name.startswith(_SEVERAL):
            seen.add(name)
            item.add_marker("quick")


@pytest.fixture(autouse=True)
def _bounded_memory():
    """Drops what JAX has compiled every so many tests; a worker would grow to several GB.

    What msgrad has recorded goes when it has half of its bound: in the middle of a test it would be compiled once more
    than the test counts.
    """
    yield
    if next(_tests) % 500 == 0:
        jax.clear_caches()
        Contexts.renew()
    if Step.grown > Step.limit // 2:
        Step.grown = Step.limit + 1


@pytest.fixture(autouse=True)
def _own_seed():
    """Ends the effect of ``set_seed`` with the test that called it: seeded and unseeded operations draw otherwise."""
    yield
    if seeding._Global.seed is not None:
        seeding._Global.seed = None
        streams.restart(None)


@pytest.fixture
def compiled(monkeypatch):
    """Compiles everything at its first launch."""
    monkeypatch.setattr(Tiers, "allowed", False)


def _in_mode(name):
    before = ms.get_context("mode"), Tiers.allowed
    ms.set_context(mode=getattr(ms, name))
    Tiers.allowed = Tiers.allowed and name == "PYNATIVE_MODE"
    yield name
    ms.set_context(mode=before[0])
    Tiers.allowed = before[1]


@pytest.fixture(params=["PYNATIVE_MODE", "GRAPH_MODE"])
def mode(request):
    """Runs the test in both modes; its value is the mode's name."""
    yield from _in_mode(request.param)


@pytest.fixture
def graph_mode():
    """Runs the test in GRAPH_MODE."""
    yield from _in_mode("GRAPH_MODE")
