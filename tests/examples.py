"""Runs the examples of docstrings.

Beside the modules they may use what a reader would have at hand: ``net``, a network of two inputs and an output, with
its ``optimizer``, inputs ``x`` and labels ``y``, a ``train_step`` and a ``dataset`` of one batch of them.
"""

import doctest
import textwrap

import jax
import jax.numpy as jnp
import numpy as np

import msgrad
from msgrad import Parameter, Tensor, amp, boost, experimental, initializer, mint, nn, ops
from msgrad._contracts.doc import Doc

NAMES = {
    "msgrad": msgrad, "jax": jax, "jnp": jnp,
    "mindspore": msgrad, "ms": msgrad, "ops": ops, "nn": nn, "np": np, "Tensor": Tensor, "Parameter": Parameter,
    "initializer": initializer, "amp": amp, "boost": boost, "mint": mint,
    "optim": experimental.optim, "lr_scheduler": experimental.optim.lr_scheduler,
    "no_init_parameters": nn.utils.no_init_parameters,
}  # fmt: skip


class Batch:
    """A dataset of one batch."""

    def __init__(self, *columns):
        self.columns = columns

    def get_dataset_size(self):
        return 1

    def create_tuple_iterator(self, num_epochs=-1, do_copy=True):
        return iter([self.columns])

    def reset(self):
        """Begins anew: it always does."""


def names(is_experimental):
    """What an example may use."""
    net, x, y = nn.Dense(2, 1), Tensor([[1.0, 2.0]]), Tensor([[1.0]])
    kind = experimental.optim.SGD if is_experimental else nn.SGD
    optimizer = kind(net.trainable_params(), 0.1)
    loss = nn.MSELoss()
    return {
        **NAMES, "net": net, "x": x, "y": y, "optimizer": optimizer, "dataset": Batch(x, y),
        "train_step": lambda inputs, labels: loss(net(inputs), labels),
    }  # fmt: skip


def complaints(name, text):
    """What the example in the docstring ``text`` of ``name`` gives that it does not show; empty if all is well."""
    example = textwrap.dedent(Doc(text).sections.get("Example", "")).strip()
    known = names("experimental" in text) if {"net", "dataset", "optimizer"} & set(_words(example)) else dict(NAMES)
    test = doctest.DocTestParser().get_doctest(example + "\n", known, name, None, None)
    shown = []
    # Without ``verbose`` it looks for pytest's ``-v`` in `sys.argv`.
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=shown.append)
    return "".join(shown)


def _words(text):
    return "".join(each if each.isidentifier() else " " for each in text).split()
