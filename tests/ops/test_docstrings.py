"""The docstring of every operation and of each of its faces: complete, and its example gives what it shows."""

import pytest

from msgrad import ops
from msgrad.ops._core.faces import FUNCTIONS, METHODS, PRIMITIVES

from ..examples import complaints
from ..helpers import assert_each

ops.import_all()
FACES = {
    **{
        f"ops.{name}": face
        for name, face in {**FUNCTIONS, **PRIMITIVES}.items()
        if not name.startswith("_") and not isinstance(face, ops.Primitive)
    },
    **{f"Tensor.{name}": face for name, face in METHODS.items() if not name.startswith("_")},
}
SECTIONS = ("Returns:", "Example:", "Source: mindspore.")


def test_docstrings_are_complete():
    assert_each(check_complete, {name: (face.__doc__ or "",) for name, face in FACES.items()})


def check_complete(text):
    assert text.strip(), "no docstring"
    assert not [title for title in SECTIONS if title not in text]


@pytest.mark.parametrize("name", sorted(FACES))
def test_example_gives_what_it_shows(name):
    assert not complaints(name, FACES[name].__doc__)
