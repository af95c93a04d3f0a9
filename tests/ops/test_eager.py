"""Every row of `op_cases`, run operation by operation and uncompiled, has the same figures.

A file of its own, so that one worker makes the figures; they take a process some minutes.
"""

import jax
import pytest

from ..eager import run_eagerly
from ..op_cases import CASES
from .rows import by_name, check_derivatives, check_values, derivatives_of, values_of


def all_figures():
    """Returns values and derivatives of all rows by name, or the text of the error that one raised."""
    figures = {}
    for k, case in enumerate(CASES):
        if k % 100 == 0:
            jax.clear_caches()  # of some GB
        try:
            figures[case.name] = values_of(case), derivatives_of(case)
        except Exception as error:  # one row must not hide the others
            figures[case.name] = f"{type(error).__name__}: {error}"
    return figures


@pytest.fixture(scope="module")
def eager_figures():
    return run_eagerly(__name__, "all_figures")


@by_name(CASES)
def test_eager(case, eager_figures):
    figures = eager_figures[case.name]
    assert not isinstance(figures, str), figures
    check_values(case, figures[0])
    check_derivatives(case, figures[1])
