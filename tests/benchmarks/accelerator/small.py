"""A part: what costs Python's time and latencies: ``... .small {msgrad,torch}``.

A small operation; a turn of a loop on values, forward and with its gradient; an MLP beside `jax.jit`, in turns.
"""

import sys
import time

import numpy as np

from .. import worker, workloads
from .turns import best, device, say, wait_for_turn

OPERATIONS = 300  # launched before the last result is read
TURNS = 100
WARM_SECONDS = 1.0
VERSIONS = ("msgrad PYNATIVE", "msgrad GRAPH", "jax.jit")


def operation(x):
    """Launches ``x + x`` many times."""

    def run():
        for _ in range(OPERATIONS):
            y = x + x
        return y

    return run


def loop(x):
    """Reads a value at each turn."""

    def run():
        y, turn = x, 0
        while y.sum() < 1e9 and turn < TURNS:
            y, turn = y * 1.001 + 0.001, turn + 1
        return y

    return run


def array():
    return np.ones((8, 16), np.float32)


def torch_parts():
    import torch

    x = torch.tensor(array(), device="cuda" if torch.cuda.is_available() else "cpu")
    return {"torch operation": (operation(x), OPERATIONS), "torch loop": (loop(x), TURNS)}, lambda y: y.cpu().numpy()


def msgrad_parts():
    import jax.numpy as jnp
    from mindspore import Tensor

    x, gradient = Tensor(array()), workloads.maker("msgrad PYNATIVE")(workloads.load("loop_100"))
    return {
        "msgrad operation": (operation(x), OPERATIONS),
        "jax operation": (operation(jnp.asarray(array())), OPERATIONS),
        "msgrad loop": (loop(x), TURNS),
        "msgrad loop with gradient": (lambda: gradient()[0], TURNS),
    }, worker.numpy_of


def perceptrons():
    """The step of an MLP of each version."""
    steps = {}
    for version in VERSIONS:
        worker.choose_mode(version)
        steps[version] = workloads.maker(version)(workloads.load("mlp_medium"))
    return steps


def warm(run, read):
    """Runs until everything that will be compiled is."""
    start = time.perf_counter()
    while time.perf_counter() - start < WARM_SECONDS:
        read(run())


def main(library):
    steps = {}
    if library == "torch":
        parts, read = torch_parts()
    else:
        worker.prepare("msgrad PYNATIVE")
        worker.choose_mode("msgrad PYNATIVE")
        parts, read = msgrad_parts()
        steps = perceptrons()
    for version, step in steps.items():
        worker.choose_mode(version)
        warm(step, lambda results: worker.numpy_of(results[0]))
    worker.choose_mode("msgrad PYNATIVE" if steps else library)
    for run, _ in parts.values():
        warm(run, read)
    wait_for_turn(**({} if library == "torch" else {"device": device()}))
    for name, (run, count) in parts.items():
        say(**{name: best(run, read, 1, rounds=5) / count * 1e6})
    seconds = {version: [] for version in steps}
    for _ in range(5):
        for version, step in steps.items():
            worker.choose_mode(version)
            seconds[version].append(worker.timed(step, 100) / 100)
    say(**{f"MLP {version}": min(each) * 1e6 for version, each in seconds.items()})


if __name__ == "__main__":
    main(*sys.argv[1:])
