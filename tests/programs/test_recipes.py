"""The recipes of `docs/contributing.md`, followed in a copy of the repository, end with tests that pass."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
_SECTION = re.compile(r"^## (.*?)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
TESTS = "tests/ops tests/nn tests/dataset/test_accepted_images.py"
TESTED = (r"test_values\.py.*\[.*bell", r"test_rows\.py.*bells", r"test_optimizers\.py.*signed", r"\[Inverted")
NAMES = "bell or bells or Bells or signed or Signed or Inverted or every_transform or every_row or complete"


class Copy:
    """A copy of the repository, in which files are added and changed."""

    def __init__(self, path):
        self.path = path
        for name in ("msgrad", "tests", "docs"):
            # The generator writes over files of msgrad; what is compiled of them is found by their times.
            link = _link if name in ("tests", "docs") else shutil.copy2
            shutil.copytree(ROOT / name, path / name, copy_function=link)
        shutil.copy(ROOT / "pyproject.toml", path)

    def write(self, name, text):
        (self.path / name).unlink(missing_ok=True)  # a link to the original
        (self.path / name).write_text(text)

    def insert(self, name, mark, row):
        """Inserts a row below the line that contains ``mark``."""
        text = (self.path / name).read_text()
        assert text.count(mark) == 1, (name, mark)
        self.write(name, text.replace(mark, f"{mark}\n{row}"))

    def run(self, *arguments):
        settings = os.environ | {"MSGRAD_CACHE": "off", "PYTHONPATH": str(self.path)}
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=self.path, capture_output=True, text=True, env=settings)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
        return done.stdout


def _link(source, target):
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy(source, target)


def recipes():
    """The code of each section that defines something, and its rows of tables."""
    sections = dict(_SECTION.findall((ROOT / "docs/contributing.md").read_text()))
    for title in ("An operation", "A layer", "An optimizer", "A dataset transform"):
        text = sections[title]
        (code,) = [block for block in _BLOCK.findall(text) if re.search(r"^(class|def) ", block, re.MULTILINE)]
        yield code, re.findall(r"^    (\S[^\n]*)$", _BLOCK.sub("", text), re.MULTILINE)


@pytest.fixture
def copy(tmp_path):
    return Copy(tmp_path)


def test_recipes_end_with_tests_that_pass(copy):
    (bell, (bell_row,)), (bells, (bells_row,)), (signed, (signed_row,)), (inverted, inverted_rows) = recipes()
    copy.write("msgrad/ops/math/bell.py", bell)
    copy.insert("tests/op_cases/elementwise.py", "ALGEBRAIC = rows(\n    [", bell_row)
    copy.write("msgrad/nn/basic/bells.py", bells)
    copy.insert("tests/layer_cases/basic.py", "PASSING = rows(\n    [", bells_row)
    copy.write("msgrad/nn/optim/signed.py", signed)
    copy.insert("tests/nn/optim_cases.py", "CASES = [", signed_row)
    copy.write("msgrad/dataset/vision/inverted.py", inverted)
    package = "msgrad/dataset/vision/__init__.py"
    copy.insert(package, '"""``mindspore.dataset.vision``: image transforms."""', "from .inverted import Inverted")
    copy.insert(package, "__all__ = [", '    "Inverted",')
    copy.insert("msgrad/dataset/vision/_accepted_images.py", "ACCEPTED = {", inverted_rows[0])
    copy.insert("tests/dataset/cases/references.py", "ROWS = [", inverted_rows[1])
    copy.run("-m", "tests.golden.make_stubs")
    assert "class Signed(" in (copy.path / "msgrad/nn/_stubs/optim.pyi").read_text()
    report = copy.run("-m", "pytest", "-qrA", "-p", "no:cacheprovider", *TESTS.split(), "-k", NAMES)
    for test in TESTED:
        assert re.search(rf"PASSED .*{test}", report), test
