"""Runs the examples of docstrings."""

import doctest
import textwrap

import numpy as np

import msgrad
from msgrad import Parameter, Tensor, initializer, nn, ops
from msgrad.ops.doc import Doc

NAMES = {
    "mindspore": msgrad, "ms": msgrad, "ops": ops, "nn": nn, "np": np, "Tensor": Tensor, "Parameter": Parameter,
    "initializer": initializer,
}  # fmt: skip


def complaints(name, text):
    """What the example in the docstring ``text`` of ``name`` gives that it does not show; empty if all is well."""
    example = textwrap.dedent(Doc(text).sections.get("Example", "")).strip()
    test = doctest.DocTestParser().get_doctest(example + "\n", dict(NAMES), name, None, None)
    shown = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=shown.append)
    return "".join(shown)
