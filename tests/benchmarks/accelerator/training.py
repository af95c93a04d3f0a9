"""A part: a training step of one network in one version and precision, with Momentum.

    python -m tests.benchmarks.accelerator.training {gpt2,resnet50} {graph,pynative,jax,torch} PRECISION [--small]

msgrad's versions are MindSpore programs as users write them; JAX's is by hand; PyTorch's is eager, with its own
attention, and with float32 weights under autocast for bf16.
"""

import importlib
import sys
import time

from . import precision as precisions
from .turns import best, device, peak_of_jax, say, wait_for_turn

RATE, MOMENTUM = 0.01, 0.9
WARM, TIMED = 5, 10  # steps before those that are timed, and these, three times


def mindspore_step(work, sizes, precision, mode):
    import msgrad.alias

    msgrad.alias.install()
    import mindspore as ms
    from mindspore import Tensor, nn

    ms.set_context(mode=getattr(ms, f"{mode.upper()}_MODE"))
    ms.set_seed(0)
    precisions.set_in_mindspore(precision)
    network, loss = work.mindspore_loss(sizes)
    if precision == "bf16":
        network = ms.amp.auto_mixed_precision(network, "O2", dtype=ms.bfloat16)
    optimizer = nn.Momentum(network.trainable_params(), RATE, MOMENTUM)
    gradient = ms.value_and_grad(lambda x, y: loss(network, x, y), None, optimizer.parameters)

    def step(x, y):
        value, gradients = gradient(x, y)
        optimizer(gradients)
        return value

    if mode == "graph":
        step = ms.jit(step)
    x, y = map(Tensor, work.data(sizes))
    return (lambda: step(x, y)), (lambda loss: float(loss.asnumpy())), peak_of_jax


def jax_step(work, sizes, precision):
    import functools

    import jax
    import jax.numpy as jnp

    precisions.set_in_jax(precision)
    p, state, loss = work.jax_loss(sizes, precision)

    @functools.partial(jax.jit, donate_argnums=(0, 1, 2))
    def step(p, moments, state, x, y):
        (value, state), gradients = jax.value_and_grad(loss, has_aux=True)(p, state, x, y)
        moments = jax.tree.map(lambda m, g: MOMENTUM * m + g, moments, gradients)
        return jax.tree.map(lambda p, m: p - RATE * m, p, moments), moments, state, value

    carried = [p, jax.tree.map(jnp.zeros_like, p), state]
    x, y = map(jnp.asarray, work.data(sizes))

    def run():
        *carried[:], value = step(*carried, x, y)
        return value

    return run, float, peak_of_jax


def torch_step(work, sizes, precision):
    import torch

    where = "cuda" if torch.cuda.is_available() else "cpu"
    precisions.set_in_torch(precision)
    torch.backends.cudnn.benchmark = True
    network, x, y = work.torch_network(sizes, where)
    optimizer = torch.optim.SGD(network.parameters(), RATE, MOMENTUM, fused=where == "cuda" or None)

    def step():
        optimizer.zero_grad(set_to_none=True)
        with torch.autocast(where, torch.bfloat16, enabled=precision == "bf16"):
            loss = torch.nn.functional.cross_entropy(network(x).float(), y)
        loss.backward()
        optimizer.step()
        return loss

    def peak():
        return round(torch.cuda.max_memory_allocated() / 2**20) if where == "cuda" else None

    return step, (lambda loss: loss.item()), peak


def main(name, version, precision, *options):
    work, is_small = importlib.import_module(f".{name}", __package__), "--small" in options
    sizes = work.SMALL if is_small else work.FULL
    if version == "torch":
        step, read, peak = torch_step(work, sizes, precision)
    elif version == "jax":
        step, read, peak = jax_step(work, sizes, precision)
    else:
        step, read, peak = mindspore_step(work, sizes, precision, version)
    start = time.perf_counter()
    first = read(step())
    wait_for_turn(first=time.perf_counter() - start, **({} if version == "torch" else {"device": device()}))
    for _ in range(1 if is_small else WARM):
        last = step()
    read(last)
    seconds = best(step, read, 1 if is_small else TIMED)
    say(ms=seconds * 1e3, peak=peak(), losses=[first, read(step())])


if __name__ == "__main__":
    main(*sys.argv[1:])
