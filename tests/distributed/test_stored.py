"""What an earlier launch of the same program compiled: each rank finds its own, and traces nothing."""

import re

from .launching import launch


def _run(folder):
    """The losses of each rank, and its counts as a dict."""
    ended = launch(folder, 2, "stored.py", MSGRAD_CACHE=str(folder / "cache"), MSGRAD_TIERS="off")
    assert ended.status == 0, ended.text
    losses = sorted(re.findall(r"rank \d: \[.*\]", ended.text))
    counts = [dict(re.findall(r"(\w+)=(\d+)", line)) for line in re.findall("rank .: traced.*", ended.text)]
    return losses, counts


def test_every_rank_finds_what_it_compiled(tmp_path):
    losses, first = _run(tmp_path)
    assert all(int(each["compiled"]) >= 2 and each["found"] == "0" and int(each["traced"]) > 5 for each in first)
    again, second = _run(tmp_path)
    assert again == losses
    assert second == [{"traced": "0", "compiled": each["compiled"], "found": each["compiled"]} for each in first]
