"""The table of targets, and how ``--on`` names them."""

import pytest

from msgrad.tools.planning.counting import KINDS
from msgrad.tools.planning.targets import TARGETS, place_of


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_target_has_all_figures_and_their_source(target):
    assert set(target.peaks) == set(KINDS) and min(target.peaks.values()) > 0
    assert target.memory > 2**33 and target.bandwidth > 1e11 and target.link > 0
    assert any(char.isdigit() for char in target.source)
    assert target.platform != "cuda" or f"device_memory_size: {target.memory}" in target.gpu_text()
    assert bool(target.extra) == (target.platform != "cpu")


@pytest.mark.parametrize(
    ("text", "chips", "shown"),
    [("h100", 1, "h100"), ("H100:8", 8, "h100:8"), ("v5e:4x4", 16, "v5e:4x4"), ("v5p:2x2x2", 8, "v5p:2x2x2")],
)
def test_a_place_is_a_target_and_a_grid_of_chips(text, chips, shown):
    place = place_of(text)
    assert (place.chips, str(place)) == (chips, shown)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("h10", "Did you mean 'h100'?"),
        ("tpu", "There are h100, h200, a100, l4, v5e, v5p, v6e, cpu."),
        ("v5e:4x", "v5e:2x2"),
        ("h100:0", "a number or a grid"),
    ],
)
def test_another_place_is_refused_with_what_there_is(text, says):
    with pytest.raises(ValueError, match="[.2]$") as error:
        place_of(text)
    assert says in str(error.value)
