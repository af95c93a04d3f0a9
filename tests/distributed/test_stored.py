"""What an earlier launch of the same program compiled: each rank finds its own, and traces nothing."""

import re

import pytest

from .launching import launch


def _run(folder, tiers):
    """The losses of each rank, and its counts as a dict."""
    ended = launch(folder, 2, "stored.py", MSGRAD_CACHE=str(folder / "cache"), MSGRAD_TIERS=tiers)
    assert ended.status == 0, ended.text
    losses = sorted(re.findall(r"rank \d: \[.*\]", ended.text))
    counts = [dict(re.findall(r"(\w+)=(\d+)", line)) for line in re.findall("rank .: traced.*", ended.text)]
    return losses, counts


@pytest.mark.parametrize("tiers", ["on", "off"])
def test_every_rank_finds_what_it_compiled(tiers, tmp_path):
    losses, first = _run(tmp_path, tiers)
    assert all(int(each["compiled"]) >= 1 and each["found"] == "0" and int(each["traced"]) > 1 for each in first)
    again, second = _run(tmp_path, tiers)
    assert again == losses
    assert second == [{"traced": "0", "compiled": each["compiled"], "found": each["compiled"]} for each in first]
