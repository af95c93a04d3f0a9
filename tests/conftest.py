"""The modes of MindSpore, for the tests that ask for them, and a bound for what JAX keeps of thousands of tests.

A test in PYNATIVE_MODE, or without a mode, has the tiers that a user has: what it launches once is run by NumPy. In
GRAPH_MODE everything is compiled by XLA, so that what is tested in both modes is tested in both tiers.

`tuning.py` makes thousands of small programs cheap. XLA does not optimize their machine code; with ``XLA_FLAGS= python
-m pytest`` it does, as always in the processes that run programs of users.
"""

import collections
import itertools
import os
import shutil
import tempfile

import jax
import pytest

import msgrad as ms
from msgrad._common import seeding
from msgrad._random import streams
from msgrad.engine.execution import execute
from msgrad.engine.execution.tiers import Tiers
from msgrad.engine.jax_options import Tracing
from msgrad.engine.recording.program import Step

from .tuning import Contexts, compile_sources, freeze_survivors, tune

os.environ["MSGRAD_QUIET"] = "1"  # no line on standard error, which tests compare, because many of them compile
os.environ.setdefault("MSGRAD_TRACEBACK", "full")  # what fails in a test may be msgrad itself
# The temporary files of this process are removed at its end, but for those of `tmp_path`, which pytest keeps a while.
os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
tempfile.tempdir = _temporary = tempfile.mkdtemp(prefix="msgrad-tests-")
_tests = itertools.count(1)
_SEVERAL = ("tests/distributed/", "tests/parallel/")  # tests of several processes or devices, of some seconds each
# How many usual tests, of 30 ms, take the time of one of these.
_WEIGHTS = {
    "tests/parallel/": 700,
    "tests/distributed/": 100,
    "tests/programs/test_recipes.py": 900,
    "tests/nn/test_networks.py": 40,
    "tests/test_contents.py": 30,
    "tests/programs/test_compat_examples.py": 40,
    "tests/programs/test_random_programs.py": 40,
    "tests/tools/test_main.py": 30,
    "tests/names/test_alias.py": 15,
}

tune()


def pytest_configure(config):
    """Keeps the order of files that `pytest_collection_modifyitems` gives: xdist runs those of few tests last."""
    if hasattr(config.option, "loadscopereorder"):
        config.option.loadscopereorder = False
    if not hasattr(config, "workerinput"):  # before xdist starts the workers
        compile_sources()


def pytest_unconfigure():
    shutil.rmtree(_temporary, ignore_errors=True)


def pytest_collection_modifyitems(items):
    """Puts long files first, and marks the first case of each test ``quick``, except those that wait.

    The files that run last are short then, and a worker waits less for the other at the end.
    """
    lengths = collections.Counter()
    for item in items:
        lengths[item.path] += next((w for start, w in _WEIGHTS.items() if item.nodeid.startswith(start)), 1)
    items.sort(key=lambda item: (-lengths[item.path], item.path))
    seen = set()
    for item in items:
        name = item.nodeid.partition("[")[0]
        if name not in seen and not name.startswith(_SEVERAL):
            seen.add(name)
            item.add_marker("quick")


def pytest_collection_finish():
    """Excludes the collected tests, some 30 objects each, from searches in memory."""
    freeze_survivors()


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
        freeze_survivors()
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
def in_body():
    """Runs the test within msgrad's options of JAX, as the bodies of operations run."""
    with Tracing():
        yield


@pytest.fixture
def compiled(monkeypatch):
    """Compiles everything at its first launch."""
    monkeypatch.setattr(Tiers, "allowed", False)


@pytest.fixture
def uncompiled(monkeypatch):
    """Runs the test operation by operation, as ``MSGRAD_EAGER=1`` does: what NumPy does not cover, JAX runs.

    What is compiled already is out of the test's reach, and what it has NumPy run for good is gone afterwards.
    """
    monkeypatch.setattr(Tiers, "compiles", False)
    monkeypatch.setattr(execute, "_jitted", {})
    monkeypatch.setattr(execute, "_sites", {})
    monkeypatch.setattr(Step, "_roots", {})


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


@pytest.fixture
def sink_mode(graph_mode, monkeypatch):
    """GRAPH_MODE with the sink mode of accelerators, which MindSpore does not have on a CPU."""
    monkeypatch.setattr(ms.Model, "_device_sinks", lambda self: True)
