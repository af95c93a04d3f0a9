"""The docstring of every operation and of each of its faces: complete, and its example gives what it shows."""

import doctest
import textwrap

import numpy as np
import pytest

import msgrad
from msgrad import Parameter, Tensor, initializer, nn, ops
from msgrad.ops.doc import Doc
from msgrad.ops.faces import FUNCTIONS, METHODS, PRIMITIVES

NAMES = {
    "mindspore": msgrad, "ms": msgrad, "ops": ops, "nn": nn, "np": np, "Tensor": Tensor, "Parameter": Parameter,
    "initializer": initializer,
}  # fmt: skip
FACES = {
    **{
        f"ops.{name}": face
        for name, face in {**FUNCTIONS, **PRIMITIVES}.items()
        if not name.startswith("_") and not isinstance(face, ops.Primitive)
    },
    **{f"Tensor.{name}": face for name, face in METHODS.items()},
}
SECTIONS = ("Returns:", "Example:", "Source: mindspore.")


@pytest.mark.parametrize("name", sorted(FACES))
def test_docstring_is_complete(name):
    text = FACES[name].__doc__ or ""
    assert text.strip(), "no docstring"
    assert not [title for title in SECTIONS if title not in text]


@pytest.mark.parametrize("name", sorted(FACES))
def test_example_gives_what_it_shows(name):
    example = textwrap.dedent(Doc(FACES[name].__doc__).sections.get("Example", "")).strip()
    test = doctest.DocTestParser().get_doctest(example + "\n", dict(NAMES), name, None, None)
    shown = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=shown.append)
    assert not shown, "".join(shown)
