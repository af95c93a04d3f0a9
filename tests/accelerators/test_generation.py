"""The programs of a generation whose cache grows compile for an accelerator, and are few."""

import importlib.util
import re
import subprocess
import sys

import pytest

from .compiler import ROOT
from .target import KINDS, PACKAGES, environment


@pytest.mark.accelerators
@pytest.mark.parametrize("kind", KINDS)
def test_64_lengths_compile_few_programs(kind):
    if importlib.util.find_spec(PACKAGES[kind]) is None:
        pytest.skip("its compiler is not installed")
    command = [sys.executable, "-W", "ignore", "-m", "tests.accelerators.generation", kind]
    said = subprocess.run(
        command, cwd=ROOT, env=environment(kind), text=True, capture_output=True, check=True, timeout=900
    )
    programs = re.search(r"64 lengths take (\d+) programs", said.stdout)
    assert programs and int(programs[1]) <= 8, said.stdout
