"""The docstring of every public name of nn: it names its source, and its example gives what it shows."""

import pytest

from msgrad import nn
from msgrad.ops.legacy.left_out import LeftOut

from ..examples import complaints
from ..helpers import assert_each

NAMES = [name for name in nn.__all__ if not isinstance(getattr(nn, name), LeftOut)]


def test_docstrings_are_complete():
    assert_each(check_complete, {name: (name,) for name in NAMES})


def check_complete(name):
    text = getattr(nn, name).__doc__ or ""
    assert f"Source: mindspore.nn.{name}" in text
    assert "Example:" in text


@pytest.mark.parametrize("name", NAMES)
def test_example_gives_what_it_shows(name):
    assert not complaints(name, getattr(nn, name).__doc__)
