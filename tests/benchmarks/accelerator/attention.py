"""A part: attention without a mask, forward and gradient, in bf16: ``... .attention {ops,flash,jax,torch} [--small]``.

``ops`` is written by hand in `mindspore.ops`, ``flash`` is `ops.flash_attention_score`, ``jax`` is JAX's with cuDNN,
``torch`` is PyTorch's own. One element of the last result is read: the rest would take longer than the step.
"""

import sys

import numpy as np

from .turns import best, device, peak_of_jax, say, wait_for_turn

BATCH, HEADS, WIDTH = 4, 16, 64
LENGTHS = (1024, 4096)


def arrays(length, is_small):
    """Query, key, value and the direction of the gradient."""
    shape = (1, 2, length // 64, WIDTH) if is_small else (BATCH, HEADS, length, WIDTH)
    random = np.random.default_rng(0)
    return [random.standard_normal(shape, np.float32) for _ in range(4)]


def mindspore_step(version, values):
    import msgrad.alias

    msgrad.alias.install()
    import mindspore as ms
    from mindspore import Tensor, ops

    *inputs, direction = [Tensor(value).astype(ms.bfloat16) for value in values]
    heads = values[0].shape[1]

    def by_hand(query, key, value):
        scores = ops.matmul(query, key.swapaxes(-1, -2)) * WIDTH**-0.5
        return ops.matmul(ops.softmax(scores.astype(ms.float32), -1).astype(value.dtype), value)

    def flash(query, key, value):
        return ops.flash_attention_score(query, key, value, heads, scalar_value=WIDTH**-0.5, input_layout="BNSD")

    attention = by_hand if version == "ops" else flash
    gradient = ms.grad(lambda *inputs: (attention(*inputs) * direction).sum(), (0, 1, 2))
    step = ms.jit(lambda *inputs: gradient(*inputs))
    return (lambda: step(*inputs)), (lambda results: results[0][0, 0, 0, 0].asnumpy())


def jax_step(values):
    import jax
    import jax.numpy as jnp

    *inputs, direction = [jnp.asarray(value, jnp.bfloat16).swapaxes(1, 2) for value in values]

    def loss(query, key, value):
        return (jax.nn.dot_product_attention(query, key, value, implementation="cudnn") * direction).sum()

    step = jax.jit(jax.grad(loss, (0, 1, 2)))
    return (lambda: step(*inputs)), (lambda results: np.asarray(results[0][0, 0, 0, 0]))


def torch_step(values):
    import torch

    where = "cuda" if torch.cuda.is_available() else "cpu"
    *inputs, direction = [torch.tensor(value, device=where, dtype=torch.bfloat16) for value in values]
    inputs = [value.requires_grad_() for value in inputs]

    def step():
        return torch.autograd.grad(torch.nn.functional.scaled_dot_product_attention(*inputs), inputs, direction)

    return step, (lambda results: results[0][0, 0, 0, 0].item())


def main(version, *options):
    is_small, steps = "--small" in options, {}
    for length in LENGTHS:
        values = arrays(length, is_small)
        if version == "torch":
            steps[length] = torch_step(values)
        else:
            steps[length] = jax_step(values) if version == "jax" else mindspore_step(version, values)
    for step, read in steps.values():
        read(step())
    wait_for_turn(**({} if version == "torch" else {"device": device()}))
    for length, (step, read) in steps.items():
        best(step, read, 3, rounds=1)
        say(**{str(length): best(step, read, 2 if is_small else 20) * 1e3})
    if version == "torch":
        import torch

        say(peak=round(torch.cuda.max_memory_allocated() / 2**20) if torch.cuda.is_available() else None)
    else:
        say(peak=peak_of_jax())


if __name__ == "__main__":
    main(*sys.argv[1:])
