"""Breakdown of the time of a recorded step: ``python -m tests.benchmarks.breakdown [WORKLOAD]``.

The workload is one whose outermost call is a gradient, in PYNATIVE_MODE.

The parts are timed by wrapping the functions where they begin, which adds about a microsecond to a step:

- recording: the user's Python, each operation one lookup in the tree of recorded steps;
- key: closing the recording: which values outlive it, which gradients are asked, and the look-up of the transform;
- launch: the compiled program, JAX's own dispatch included;
- wrapping: making Tensors of the results, and all the rest;
- waiting: from the return of the step until its first result is a numpy array.

Of several blocks of steps the fastest is shown.
"""

import argparse
import collections
import functools
import importlib
import sys
import time

WORKLOADS = ("mlp_small", "mlp_medium", "physics")
PARTS = ("recording", "key", "launch", "wrapping", "waiting")
BLOCKS, STEPS = 20, 200


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
    """Returns ``{part: seconds per step}`` of a workload."""
    import msgrad.alias

    msgrad.alias.install()
    from msgrad.autodiff import gradients
    from msgrad.autodiff.record import Recording
    from msgrad.engine.execution import execute

    spent = collections.Counter()
    timed(Recording, "call", "recording", spent)
    timed(gradients, "pullback", "key", spent)
    timed(execute, "launch_transform", "launch", spent)
    step = importlib.import_module(f"tests.benchmarks.workloads.{workload}").mindspore_step()
    return min((_block(step, spent) for _ in range(BLOCKS)), key=lambda parts: sum(parts.values()))


def _block(step, spent):
    spent.clear()
    inside = 0.0
    start = time.perf_counter()
    for _ in range(STEPS):
        before = time.perf_counter()
        results = step()
        inside += time.perf_counter() - before
        results[0].asnumpy()
    spent["waiting"] = time.perf_counter() - start - inside
    spent["wrapping"] = inside - spent["recording"] - spent["key"] - spent["launch"]
    return {part: spent[part] / STEPS for part in PARTS}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.breakdown")
    parser.add_argument("workload", nargs="?", choices=WORKLOADS, default=WORKLOADS[0])
    parts = measure(parser.parse_args().workload)
    total = sum(parts.values())
    for part, seconds in {**parts, "in all": total}.items():
        sys.stdout.write(f"{part:10} {seconds * 1e6:7.1f} µs  {seconds / total:5.0%}\n")


if __name__ == "__main__":
    main()
