"""Every row of `op_cases`, run operation by operation and uncompiled, has the same figures.

A file of its own, so that one worker makes the figures; those of all rows take a process some minutes.
"""

import pytest

from ..eager import figures_by_name, run_eagerly, selected
from ..op_cases import CASES
from .rows import by_name, check_derivatives, check_values, derivatives_of, values_of


def figures(names):
    """Values and derivatives of the rows of these names, by name."""
    return figures_by_name(
        [case for case in CASES if case.name in names], lambda case: (values_of(case), derivatives_of(case))
    )


@pytest.fixture(scope="module")
def eager_figures(request):
    return run_eagerly(__name__, "figures", selected(request))


@by_name(CASES)
def test_eager(case, eager_figures):
    figures = eager_figures[case.name]
    assert not isinstance(figures, str), figures
    check_values(case, figures[0])
    check_derivatives(case, figures[1])
