"""Collectives under gradients, vmap, jit, loops, groups and control flow, in both modes. Run by two processes."""

import sys

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.communication import create_group, get_group_size, get_rank, init

from msgrad.engine.collectives import interpreted

interpreted._WORTH = 0  # NumPy runs programs of any size first
init()
rank, n = get_rank(), get_group_size()
if "mixed" in sys.argv and rank == 1:
    ms.set_deterministic(True)  # compiles what NumPy runs in the others
x = Tensor(np.array([rank + 1.0, 2.0], np.float32))
total = ops.AllReduce()


def check(name, actual, expected):
    actual = np.asarray(actual.asnumpy() if isinstance(actual, Tensor) else actual)
    assert np.allclose(actual, expected, rtol=1e-6), f"{name}: {actual.tolist()}, not {expected}"
    print(f"rank {rank}: {name}", flush=True)


def second_order():
    # f = sum(total(x) ** 2): the gradient is n * 2 * total, that of its sum n * 2 * n, by the other process's too
    first = ms.grad(lambda v: (total(v) ** 2).sum())
    return ms.grad(lambda v: first(v).sum())(x)


def mapped():
    rows = Tensor(np.arange(6).reshape(3, 2).astype(np.float32) + rank)
    return ms.vmap(lambda v: total(v) * v)(rows)


def gradient_of_mapped():
    rows = Tensor(np.arange(6).reshape(3, 2).astype(np.float32) + rank)
    return ms.grad(lambda r: (ms.vmap(lambda v: total(v))(r) * (rank + 1)).sum())(rows)


def forward_mode():
    return ms.jvp(lambda v: total(v * v), x, ops.ones_like(x))[1]


def jacobian():
    return ms.jacrev(lambda v: total(v * v))(x)


def recomputed():
    class Net(nn.Cell):
        def construct(self, v):
            return total(v * v)

    net = Net()
    net.recompute()
    return ms.grad(lambda v: net(v).sum())(x)


class WithBprop(nn.Cell):
    def construct(self, v):
        return v * 2

    def bprop(self, v, out, dout):
        return (total(dout),)


def own_rule():
    net = WithBprop()
    return ms.grad(lambda v: (net(v) * (rank + 1)).sum())(x)


@ms.jit
def jitted(v):
    return total(v) + total(v * v)


def in_a_loop():
    value = x
    while float(total(value).sum()) < 100:
        value = value * 2
    return value


def looks_inside():
    def loss(v):
        out = total(v * v)
        if rank == 0 and float(out.sum()) > 0:
            float((out * 2).sum())
        out = total(out * v)
        if rank == 1:
            str(out)
        return (out * v).sum()

    return ms.grad(loss)(x)


def two_groups():
    alone = f"alone{rank}"
    create_group(alone, [rank])
    create_group("pair", [1, 0])

    def loss(v):
        return (total(v) * ops.AllReduce(group="pair")(v * v) * ops.AllReduce(group=alone)(v)).sum()

    return ms.grad(loss)(x)


class Sums(nn.Cell):
    def __init__(self):
        super().__init__()
        self.kept = Parameter(ops.zeros(2), name="kept", requires_grad=False)

    def construct(self, v):
        self.kept += total(v)
        return self.kept * 1


def state():
    net = Sums()
    return [net(x).asnumpy() for _ in range(3)][-1]


s = np.array([3.0, 4.0])
both = np.array([[1.0, 2.0], [2.0, 2.0]])
own = both[rank]
for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE) if "both" in sys.argv else (ms.PYNATIVE_MODE,):
    ms.set_context(mode=mode)
    check("second order", second_order(), [8.0, 8.0])
    rows = np.arange(6).reshape(3, 2)
    check("vmap", mapped(), (2 * rows + 1) * (rows + rank))
    check("gradient of vmap", gradient_of_mapped(), np.full((3, 2), 3.0))
    check("jvp", forward_mode(), 2 * both.sum(0))
    check("jacobian", jacobian(), np.diag(2 * 2 * own))
    check("recompute", recomputed(), 2 * 2 * own)
    check("a bprop with a collective", own_rule(), [3.0, 3.0])
    check("jit", jitted(x), s + (both**2).sum(0))
    check("jit again", jitted(x), s + (both**2).sum(0))
    check("a loop on values", in_a_loop(), own * 16)
    q = (both**2).sum(0)
    outer = (q * both).sum(0)  # loss_r = sum(outer * v_r): gradients go through both sums
    down = both.sum(0)
    expected = outer + q * down + 2 * own * (both * down).sum(0)
    check("looks on one rank", looks_inside(), expected)
    q = (both**2).sum(0)
    by_total = (q * both).sum(0)
    by_pair = 2 * own * (s * both).sum(0)
    check("two groups in a gradient", two_groups(), by_total + by_pair + s * q)
    check("state", state(), 3 * s)
print(f"rank {rank}: end", flush=True)
