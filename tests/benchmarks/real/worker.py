"""The process of one version of a row: ``PYTHON -m tests.benchmarks.real.worker ROW VERSION``.

It prints what its first step took; then, for each line of standard input, what one more step takes, and
its peak memory.
"""

import json
import resource
import sys
import time

from ..accelerator import training
from . import forward
from .rows import ROWS


def prepare(row, version):
    """A step, and a function that waits for its result."""
    work, sizes = row.load()
    if version == "torch":
        return (training.torch_step if row.is_trained else forward.torch_forward)(work, sizes, row.precision)[:2]
    if version == "jax":
        return training.jax_step(work, sizes, row.precision)[:2]
    make = training.mindspore_step if row.is_trained else forward.mindspore_forward
    return make(work, sizes, row.precision, version)[:2]


def timed(step, read):
    wall, processor = time.perf_counter(), time.process_time()
    read(step())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # Linux counts in kB
    return {"processor": time.process_time() - processor, "wall": time.perf_counter() - wall, "memory": memory}


def main(name, version):
    step, read = prepare(ROWS[name], version)
    print(json.dumps(timed(step, read)), flush=True)
    for _ in sys.stdin:
        print(json.dumps(timed(step, read)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
