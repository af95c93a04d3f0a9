"""Training steps of four networks in bfloat16, as MindSpore programs and as JAX code by hand: their memory is compared.

Each module has the network, its data, and both forms: those of the benchmark, and BERT and U-Net. Layers are as wide as
those of the real networks, and fewer, since each repeats the memory of the first. GPT-2 is compiled in full size, too,
and with dropout.
"""

import contextlib

import jax
import jax.numpy as jnp

import msgrad as ms

from ..benchmarks.accelerator import gpt2, resnet50
from . import bert, unet
from .training import MOMENTUM, RATE, Subject, training_step

WORKS = {
    "gpt2": (gpt2, gpt2.FULL | {"layers": 2, "words": 8192}),
    "resnet50": (resnet50, resnet50.FULL | {"batch": 32, "blocks": (1, 1, 1, 1)}),
    "bert": (bert, bert.FULL | {"layers": 2, "words": 8192}),
    "unet": (unet, unet.FULL | {"side": 128}),
}


def by_msgrad(name):
    return _trained(*WORKS[name])


def in_full_size(name):
    work, _ = WORKS[name]
    return _trained(work, work.FULL)


def with_dropout(name):
    work, sizes = WORKS[name]
    return _trained(work, sizes | {"dropout": 0.1})


def _trained(work, sizes):
    network, loss = work.mindspore_loss(sizes)
    return training_step(network, [ms.Tensor(each) for each in work.data(sizes)], "bf16", loss)


def by_jax(name):
    work, sizes = WORKS[name]
    p, state, loss = work.jax_loss(sizes, "bf16")

    def step(trained, *inputs):
        p, moments, state = trained
        (value, state), gradients = jax.value_and_grad(loss, has_aux=True)(p, state, *inputs)
        moments = jax.tree.map(lambda m, g: MOMENTUM * m + g, moments, gradients)
        return value, (jax.tree.map(lambda p, m: p - RATE * m, p, moments), moments, state)

    trained = p, jax.tree.map(jnp.zeros_like, p), state
    return Subject(step, [trained, *work.data(sizes)], is_step=True, options=contextlib.nullcontext)
