"""Run by `test_stored`: operations, gradients and whole calls in both tiers, and how many traces and compilations."""

import hashlib

import jax
import numpy as np

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution.execute import report
from msgrad.engine.execution.tiers import Tiers

_TRACED = "/jax/core/compile/jaxpr_trace_duration"
events, digest = [], hashlib.sha256()
jax.monitoring.register_event_duration_secs_listener(lambda event, duration, **_: events.append(event))


def traces():
    """How often JAX has traced anything."""
    return events.count(_TRACED)


def note(*tensors):
    for tensor in tensors:
        digest.update(tensor.asnumpy().tobytes())


def main(width):
    rng = np.random.default_rng(width)
    x = Tensor(rng.normal(size=(4, width)).astype(np.float32))
    note(ops.softmax(x), x[1:], x + 1, x.T.reshape(-1, 2, 2))
    dense = nn.Dense(width, 1, weight_init="ones")
    image = Tensor(rng.normal(size=(1, 2, 6, width)).astype(np.float32))
    pool = nn.SequentialCell(nn.Conv2d(2, 3, 3, weight_init="ones"), nn.ReLU(), nn.MaxPool2d(2, 2))
    note(*ms.value_and_grad(lambda x: (dense(x) ** 2).sum())(x), ms.grad(lambda x: pool(x).sum())(image))
    note(ms.vmap(lambda row: ops.tanh(row).sum())(x))
    note(ms.grad(ms.grad(lambda x: (x**3).sum()))(Tensor(2.0)))
    note(not_covered(x))


@ms.jit
def not_covered(x):
    """A call with an operation that NumPy cannot run."""
    return ops.digamma(ops.relu(x))


class Large(nn.Cell):
    """One whose Parameter is written over."""

    def __init__(self):
        super().__init__()
        self.total = Parameter(Tensor(np.zeros(1 << 15, np.float32)), name="total")

    @ms.jit
    def construct(self, x):
        self.total += x
        return self.total.sum()


ms.set_seed(1)
main(7)  # by NumPy
Tiers.allowed = False
main(9)
net = Large()
for turn in range(3):
    note(net(Tensor(np.full(1 << 15, turn, np.float32))), net.total)
before = traces()
note(ms.grad(ms.from_jax(lambda x: x * x.sum()))(Tensor([1.0, 2.0])))  # which only this process knows
unkeyed, counts = traces() - before, report()
compiled = counts["programs compiled"] + counts["operations compiled"]
print(digest.hexdigest())
print(f"traces={traces()} unkeyed={unkeyed} compiled={compiled} found={counts['found on disk']}")
