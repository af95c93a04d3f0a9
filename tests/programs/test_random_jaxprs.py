"""NumPy computes random jaxprs of each family as XLA does, and padded ones are as exact ones are.

``python -m tests.fuzz.tiers`` and ``python -m tests.fuzz.lengths`` draw more of them.
"""

import pytest

from ..fuzz import lengths
from ..fuzz.jaxprs import FAMILIES, draw
from ..fuzz.tiers import differences

SEEDS = range(4)


@pytest.mark.usefixtures("in_body")
@pytest.mark.parametrize("family", FAMILIES)
def test_both_tiers_agree(family):
    assert not [(seed, *each) for seed in SEEDS for each in differences(draw(family, seed))]


@pytest.mark.usefixtures("in_body")
def test_padded_jaxprs_agree():
    counts, reasons = lengths.reported(["sorting", "positions", "moving", "products"], range(4))
    assert not counts and reasons.total() < 8
