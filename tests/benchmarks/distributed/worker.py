"""One process of several of a library; it needs neither JAX nor MindSpore but what it measures.

    worker.py LIBRARY PORT [ADDRESS SIZE RANK]

is started by the library's launcher; JAX has none. It connects with the driver at ``PORT``, runs a first step of LeNet,
and says so. Then it reads lines ``CASE MODE COUNT``, runs a case so often, and answers with the seconds of each call
and what its first call gave.
"""

import json
import socket
import sys
import time

import numpy as np

from tests.benchmarks.distributed import by_hand
from tests.benchmarks.worker import choose_mode, numpy_of
from tests.benchmarks.workloads import load

FIRST = "lenet"  # the step that ends the start


def prepare(library, place):
    """Joins the other processes; the number of this one."""
    if library == "jax":
        address, size, rank = place
        by_hand.join(address, int(size), int(rank))
        return int(rank)
    import mindspore as ms
    from mindspore.communication import get_group_size, get_rank, init

    ms.set_context(device_target="CPU")
    init()
    ms.set_auto_parallel_context(parallel_mode="data_parallel", gradients_mean=True, device_num=get_group_size())
    return get_rank()


def make(library, case, mode, rank):
    """A function that runs a case, ``all_reduce_BYTES`` or the name of a workload, waits, and returns a result."""
    if case.startswith("all_reduce"):
        value = np.full(int(case.rpartition("_")[2]) // 4, rank + 1, np.float32)
        return by_hand.all_reduce(value) if library == "jax" else _all_reduce(value, in_cell=mode == "GRAPH")
    step = by_hand.training(case) if library == "jax" else load(case).mindspore_step()
    return lambda: numpy_of(step()[0])


def _all_reduce(value, in_cell):
    """Waits until the sum is there; to read 64 MB as a NumPy array is another matter."""
    import mindspore as ms
    from mindspore import Tensor, nn, ops

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.add = ops.AllReduce()

        def construct(self, x):
            return self.add(x)

    add, operand = Net() if in_cell else ops.AllReduce(), Tensor(value)

    def run():
        result = add(operand)
        ms.runtime.synchronize()
        return result

    return run


class Case:
    """A function that runs a case once; ``value`` is the first number that its first call gave."""

    def __init__(self, run):
        self.run = run
        self.value = float(numpy_of(run()).ravel()[0])

    def timed(self, count):
        """The seconds of each of ``count`` calls."""
        seconds = []
        for _ in range(count):
            start = time.perf_counter()
            self.run()
            seconds.append(time.perf_counter() - start)
        return seconds


def main(library, port, *place):
    rank = prepare(library, place)  # does not return in MindSpore's scheduler
    with socket.create_connection(("127.0.0.1", int(port))) as driver, driver.makefile("rw") as stream:

        def say(**facts):
            stream.write(json.dumps(facts) + "\n")
            stream.flush()

        mode = "GRAPH"
        choose_mode(f"{library} {mode}")
        cases = {(FIRST, mode): Case(make(library, FIRST, mode, rank))}
        say(rank=rank, value=cases[FIRST, mode].value)
        for line in stream:
            name, mode, count = line.split()
            choose_mode(f"{library} {mode}")
            try:
                if (name, mode) not in cases:
                    cases[name, mode] = Case(make(library, name, mode, rank))
                case = cases[name, mode]
                facts = {"seconds": case.timed(int(count)), "value": case.value}
            except Exception as error:  # the other cases go on
                facts = {"error": f"{type(error).__name__}: {error}".strip().splitlines()[0]}
            say(**facts)


if __name__ == "__main__":
    main(*sys.argv[1:])
