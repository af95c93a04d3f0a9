"""Memory of a process whose shapes are all new: ``python -m tests.benchmarks.shapes``.

Each workload runs in a process of its own; plain JAX keeps what it compiles, and is beside it for as many shapes as
fit into the time.
"""

import argparse
import json
import subprocess
import sys

import numpy as np

SHAPES = 5000


def operations():
    import msgrad as ms

    return lambda n: (ms.Tensor(np.ones(n, np.float32)) * 2 + 1).asnumpy()


def gradients():
    import msgrad as ms

    net = ms.nn.SequentialCell(ms.nn.Dense(8, 16), ms.nn.ReLU(), ms.nn.Dense(16, 1))
    step = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())
    return lambda n: step(ms.Tensor(np.ones((n, 8), np.float32)))[0].asnumpy()


def jax_operations():
    import jax

    double, more = jax.jit(lambda x: x * 2), jax.jit(lambda x: x + 1)
    return lambda n: np.asarray(more(double(np.ones(n, np.float32))))


WORKLOADS = {
    "msgrad, two operations": (operations, 1.0),
    "msgrad, a gradient of two layers": (gradients, 0.2),
    "jax.jit, two operations": (jax_operations, 0.2),
}


def resident():
    """The memory of this process, in MB."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096 / 1e6


def measure(name, shapes):
    make, share = WORKLOADS[name]
    run = make()
    start, largest, count = resident(), 0, int(shapes * share)
    for n in range(2, count + 2):
        run(n)
        largest = max(largest, resident())
    return {"shapes": count, "start": start, "largest": largest, "end": resident()}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.shapes", description=__doc__.partition(":")[0])
    parser.add_argument("--shapes", type=int, default=SHAPES, help=f"of the first workload (default: {SHAPES})")
    parser.add_argument("--worker", choices=WORKLOADS, help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.worker:
        sys.stdout.write(json.dumps(measure(args.worker, args.shapes)) + "\n")
        return
    for name in WORKLOADS:
        command = [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.shapes", "--worker", name]
        ran = subprocess.run([*command, f"--shapes={args.shapes}"], capture_output=True, text=True, check=True)
        figures = json.loads(ran.stdout.splitlines()[-1])
        sys.stdout.write("{}: {shapes} shapes, {start:.0f} MB, at most {largest:.0f} MB\n".format(name, **figures))


if __name__ == "__main__":
    main()
