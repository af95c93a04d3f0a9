"""Two processes run known steps in other orders: ``confusing.py FORM ORDER_OF_RANK_0 ORDER_OF_RANK_1``.

The form is ``graph`` (Cells that change a Parameter, in GRAPH_MODE), ``gradient`` (in PYNATIVE_MODE), or ``later``: as
``graph``, but with what is sent, and when it is compared, as on devices where launches are asynchronous.
"""

import sys
import time

import jax
import mindspore as ms
from mindspore import Parameter, nn, ops
from mindspore.communication import get_rank, init

from msgrad.engine.collectives import interpreted

interpreted._WORTH = 0  # NumPy runs programs of any size first, unless MSGRAD_TIERS is off
init()
rank, form = get_rank(), sys.argv[1]
if form == "later":
    jax.default_backend = lambda: "gpu"
LENGTHS = {"a": 2, "b": 2, "c": 100_000, "d": 200_000}
steps = {}


class Step(nn.Cell):
    """A compiled step that changes its Parameter."""

    def __init__(self, op, length):
        super().__init__()
        self.reduce, self.kept = ops.AllReduce(op), Parameter(ops.zeros(length), name="kept")

    def construct(self, value):
        self.kept += self.reduce(value)
        return self.kept * 1


for name, length in LENGTHS.items():
    op = "max" if name == "b" else "sum"
    if form == "gradient":
        reduce = ops.AllReduce(op)
        steps[name] = ms.grad(lambda value, reduce=reduce: (reduce(value) ** 2).sum())
    else:
        steps[name] = Step(op, length)


done = dict.fromkeys(steps, 0)


def check(name, actual, expected):
    if (actual != expected).any():
        print(f"rank {rank}: wrong value {actual[:2]} of step {name}", flush=True)


def run(name):
    result = steps[name](ops.ones(LENGTHS[name]))
    if form == "later":
        print(f"rank {rank}: launched {name}", flush=True)
    result = result.asnumpy()
    done[name] += 1
    total = 1 if name == "b" else 2
    # The gradient of the square is summed over both, or goes where the value is the maximum.
    check(name, result, 4 * total if form == "gradient" else total * done[name])


def check_parameters():
    for name, step in steps.items():
        try:
            check(name, step.kept.asnumpy(), (1 if name == "b" else 2) * done[name])
        except RuntimeError as error:
            # A large one, which the step that failed has overwritten; or no value is to be seen any more.
            assert (LENGTHS[name] > 2 and "deleted" in str(error)) or form == "later", error


ms.set_context(mode=ms.PYNATIVE_MODE if form == "gradient" else ms.GRAPH_MODE)
for name in "abcdabcd":
    run(name)
print(f"rank {rank}: begins {time.time()}", flush=True)
try:
    for name in sys.argv[2 + rank]:
        run(name)
finally:
    if form != "gradient":
        check_parameters()
print(f"rank {rank}: end", flush=True)
