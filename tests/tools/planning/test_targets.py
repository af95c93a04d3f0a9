"""The table of targets, and how ``--on`` names them."""

import re

import pytest

from msgrad.tools.planning.counting import KINDS
from msgrad.tools.planning.targets import TARGETS, place_of


@pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
def test_a_target_has_all_figures_and_their_source(target):
    assert set(target.peaks) == set(KINDS) and min(target.peaks.values()) > 0
    assert target.memory > 2**33 and target.bandwidth > 1e11 and target.link > 0
    assert re.search(r"\b20\d\d\b", target.source)
    assert target.platform != "cuda" or f"device_memory_size: {target.memory}" in target.gpu_text()
    assert bool(target.extra) == (target.platform != "cpu")


@pytest.mark.parametrize("name", sorted(TARGETS.keys() - {"cpu"}))
def test_the_figures_of_a_target_agree_with_each_other(name):
    target, peaks = TARGETS[name], TARGETS[name].peaks
    assert peaks["f16"] == peaks["bf16"] and peaks["i8"] == pytest.approx(2 * peaks["bf16"], rel=0.01)
    assert peaks["tf32"] == pytest.approx(peaks["bf16"] / (2 if target.platform == "cuda" else 3), rel=0.01)
    assert target.link < target.bandwidth < peaks["f32"]
    if target.platform == "cuda":  # each unit multiplies and adds in a cycle
        known = target.described
        assert 2e9 * known["cores"] * known["fpus"] * known["clock"] == pytest.approx(peaks["f32"], rel=0.01)
        nominal = {"h100": 80, "h200": 141e9 / 2**30, "a100": 80, "l4": 24}[name]  # GiB
        assert 0.9 < target.memory / 2**30 / nominal < 1.07


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
