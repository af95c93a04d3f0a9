"""Says where the time of a recorded step goes: ``python -m tests.benchmarks.breakdown [WORKLOAD]``.

The parts are timed by wrapping the functions where they begin, which adds about a microsecond to a step:

- recording: the user's Python, each operation one lookup in the tree of recorded steps;
- key: closing the recording: which values outlive it, which gradients are asked, and the look-up of the transform;
- launch: the compiled program, JAX's own dispatch included;
- wrapping: all the rest, mostly making Tensors of the results.
"""

import collections
import functools
import importlib
import sys
import time

STEPS = 3000


def timed(owner, name, part, spent):
    """Replaces ``owner.name`` by itself with its time added to ``spent[part]``."""
    inner = getattr(owner, name)

    @functools.wraps(inner)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        try:
            return inner(*args, **kwargs)
        finally:
            spent[part] += time.perf_counter() - start

    setattr(owner, name, wrapper)


def measure(workload):
    """Returns ``{part: seconds per step}`` of a workload whose outermost call is a gradient, in PYNATIVE_MODE."""
    import msgrad.alias

    msgrad.alias.install()
    from msgrad.autodiff.record import Recording
    from msgrad.engine import execute

    grad = importlib.import_module("msgrad.autodiff.grad")  # the package has a function of this name
    spent = collections.Counter()
    timed(Recording, "call", "recording", spent)
    timed(grad, "pullback", "key", spent)
    timed(execute, "launch_transform", "launch", spent)
    step = importlib.import_module(f"tests.benchmarks.workloads.{workload}").mindspore_step()
    for _ in range(STEPS // 10):
        step()
    spent.clear()
    start = time.perf_counter()
    for _ in range(STEPS):
        step()
    total = time.perf_counter() - start
    spent["wrapping"] = total - sum(spent.values())
    return {part: spent[part] / STEPS for part in ("recording", "key", "launch", "wrapping")}


def main(workload="mlp_small"):
    parts = measure(workload)
    total = sum(parts.values())
    for part, seconds in {**parts, "in all": total}.items():
        sys.stdout.write(f"{part:10} {seconds * 1e6:7.1f} µs  {seconds / total:5.0%}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
