"""Every row of `layer_cases`, run operation by operation and uncompiled, has the same figures.

A file of its own, so that one worker makes the figures.
"""

import pytest

from ..eager import figures_by_name, run_eagerly, selected
from ..layer_cases import CASES
from .rows import by_name, check_figures, figures_of

CALLED = [case for case in CASES if case.spec]


def figures(names):
    """The figures of the rows of these names, by name."""
    return figures_by_name([case for case in CALLED if case.name in names], figures_of)


@pytest.fixture(scope="module")
def eager_figures(request):
    return run_eagerly(__name__, "figures", selected(request))


@by_name(CALLED)
def test_eager(case, eager_figures):
    assert not isinstance(eager_figures[case.name], str), eager_figures[case.name]
    check_figures(case, eager_figures[case.name])
