"""Programs of two and four processes: each checks its own numbers, on every rank."""

import pytest

from .launching import launch


@pytest.mark.parametrize(
    ("count", "program", "arguments"),
    [
        (2, "collectives.py", ()),
        (2, "transforms.py", ("both",)),
        (2, "transforms.py", ("both", "mixed")),
        (2, "training.py", ()),
        (2, "training.py", ("model", "sink", "cell", "mixed")),
        (4, "groups.py", ()),
        (4, "training.py", ("cell",)),
        (2, "semi_auto.py", (".",)),
        (4, "semi_auto.py", (".",)),
    ],
)
def test_program(count, program, arguments, tmp_path):
    ended = launch(tmp_path, count, program, *arguments)
    assert ended.status == 0, ended.text
    assert all(f"rank {rank}: end" in ended.text for rank in range(count)), ended.text
