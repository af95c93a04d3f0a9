"""Three-layer MLP, value_and_grad, batch 64, width 128."""

from . import _mlp

TITLE = "three-layer MLP, value_and_grad, batch 64, width 128"
SIZES = {"widths": (128, 128, 128, 128), "batch": 64}


def mindspore_step():
    return _mlp.mindspore_gradient_step(**SIZES)


def jax_step(compiled):
    return _mlp.jax_gradient_step(**SIZES, compiled=compiled)
