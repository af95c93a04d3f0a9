"""A pytest plugin: ``--msgrad-mode pynative|graph|eager`` runs a MindSpore program's own tests on msgrad.

It stands beside the package, so that suites that do not give the option never import it.
"""

import os

_MODES = {"pynative": "PYNATIVE_MODE", "graph": "GRAPH_MODE", "eager": "PYNATIVE_MODE"}


def pytest_addoption(parser):
    parser.getgroup("msgrad").addoption(
        "--msgrad-mode",
        choices=_MODES,
        help="let `import mindspore` give msgrad, and start each test in this mode; eager is PYNATIVE_MODE operation "
        "by operation, uncompiled",
    )


def pytest_load_initial_conftests(early_config):
    """Before the suite's conftest.py files, which may import mindspore."""
    mode = early_config.known_args_namespace.msgrad_mode
    if mode is not None:
        if mode == "eager":
            os.environ["MSGRAD_EAGER"] = "1"
        from msgrad.alias import install

        install()


def pytest_report_header(config):
    mode = config.getoption("msgrad_mode")
    return None if mode is None else f"msgrad: mindspore is msgrad, in mode {mode}"


def pytest_runtest_setup(item):
    """Each test starts in the mode; one that sets another has that."""
    mode = item.config.getoption("msgrad_mode")
    if mode is not None:
        import msgrad

        msgrad.set_context(mode=getattr(msgrad, _MODES[mode]))
