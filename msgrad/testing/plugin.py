"""A pytest plugin, ``-p msgrad.testing.plugin``: runs a MindSpore program's own tests on msgrad, in a mode.

It is loaded only by name, so that the test suites of other programs in the same environment never import msgrad.
"""

from ..alias import install
from ..context import GRAPH_MODE, PYNATIVE_MODE, set_context
from ..engine.execution.tiers import Tiers

_MODES = {"pynative": PYNATIVE_MODE, "graph": GRAPH_MODE, "eager": PYNATIVE_MODE}


def pytest_addoption(parser):
    parser.getgroup("msgrad").addoption(
        "--msgrad-mode",
        choices=_MODES,
        default="pynative",
        help="the mode in which each test starts; eager is PYNATIVE_MODE operation by operation, uncompiled",
    )


def pytest_load_initial_conftests(early_config):
    """Makes ``mindspore`` importable before the suite's conftest.py files, which may import it."""
    Tiers.compiles = Tiers.compiles and early_config.known_args_namespace.msgrad_mode != "eager"
    install()


def pytest_report_header(config):
    return f"msgrad: mindspore is msgrad, in mode {config.getoption('msgrad_mode')}"


def pytest_runtest_setup(item):
    """Sets the mode before each test, which may set another."""
    set_context(mode=_MODES[item.config.getoption("msgrad_mode")])
