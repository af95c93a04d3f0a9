"""Runs the examples of docstrings."""

import doctest
import textwrap

import numpy as np

import msgrad
from msgrad import Parameter, Tensor, amp, initializer, nn, ops
from msgrad.ops.doc import Doc

NAMES = {
    "mindspore": msgrad, "ms": msgrad, "ops": ops, "nn": nn, "np": np, "Tensor": Tensor, "Parameter": Parameter,
    "initializer": initializer, "amp": amp,
}  # fmt: skip


def training():
    """What examples of training refer to: a network, its input and label, an optimizer."""
    net = nn.Dense(2, 1)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    return {"net": net, "x": Tensor([[1.0, 2.0]]), "y": Tensor([[0.5]]), "optimizer": optimizer}


def complaints(name, text, more=None):
    """What the example in the docstring ``text`` of ``name`` gives that it does not show; empty if all is well.

    ``more`` (dict) is what the example may refer to beside `NAMES`.
    """
    example = textwrap.dedent(Doc(text).sections.get("Example", "")).strip()
    test = doctest.DocTestParser().get_doctest(example + "\n", NAMES | (more or {}), name, None, None)
    shown = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test, out=shown.append)
    return "".join(shown)
