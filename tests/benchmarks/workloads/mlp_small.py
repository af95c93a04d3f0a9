"""Three-layer MLP, value_and_grad, batch 8, width 16."""

from . import _mlp

TITLE = "three-layer MLP, value_and_grad, batch 8, width 16"
SIZES = {"widths": (16, 16, 16, 16), "batch": 8}


def mindspore_step():
    return _mlp.mindspore_gradient_step(**SIZES)


def jax_step(compiled):
    return _mlp.jax_gradient_step(**SIZES, compiled=compiled)
