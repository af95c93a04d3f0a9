"""Every row of `layer_cases`, run operation by operation and uncompiled, has the same figures.

A file of its own, so that one worker makes the figures.
"""

import jax
import pytest

from ..eager import run_eagerly
from ..layer_cases import CASES
from .rows import by_name, check_figures, figures_of

CALLED = [case for case in CASES if case.spec]


def all_figures():
    """The figures of all rows by name, or the text of the error that one raised."""
    figures = {}
    for k, case in enumerate(CALLED):
        if k % 100 == 0:
            jax.clear_caches()  # of some GB
        try:
            figures[case.name] = figures_of(case)
        except Exception as error:  # one row must not hide the others
            figures[case.name] = f"{type(error).__name__}: {error}"
    return figures


@pytest.fixture(scope="module")
def eager_figures():
    return run_eagerly(__name__, "all_figures")


@by_name(CALLED)
def test_eager(case, eager_figures):
    assert not isinstance(eager_figures[case.name], str), eager_figures[case.name]
    check_figures(case, eager_figures[case.name])
