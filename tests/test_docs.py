"""The pages of ``docs``: their Python blocks run, in order, as one program of a new process."""

import pathlib
import re
import subprocess
import sys

import pytest

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


NEEDS = {"jax.md": ["optax", "orbax.checkpoint"]}  # packages that msgrad does not need


@pytest.mark.parametrize(
    "page",
    ["contributing.md", "jax.md", "porting.md", "sharding.md", "testing.md", "to_jax.md", "tools.md", "weights.md"],
)
def test_blocks_run(page, tmp_path):
    for package in NEEDS.get(page, []):
        pytest.importorskip(package)
    program = "\n".join(BLOCK.findall((DOCS / page).read_text()))
    assert program
    done = subprocess.run(
        [sys.executable, "-m", "msgrad", "run", "-"], input=program, cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
