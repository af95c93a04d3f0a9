"""NumPy computes random jaxprs of each family as XLA does; ``python -m tests.fuzz.tiers`` draws more of them."""

import pytest

from ..fuzz.jaxprs import FAMILIES, draw
from ..fuzz.tiers import differences

SEEDS = range(4)


@pytest.mark.usefixtures("in_body")
@pytest.mark.parametrize("family", FAMILIES)
def test_both_tiers_agree(family):
    assert not [(seed, *each) for seed in SEEDS for each in differences(draw(family, seed))]
