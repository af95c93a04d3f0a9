"""Writes of a ``bprop`` or a hook: at each call, undone by an error, and never lost."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

X = Tensor(np.float32([1, 2]))
ONES = Tensor(np.float32([1, 1]))
BATCH = Tensor(np.float32([[1, 2], [3, 4]]))
NO_VALUE = "writes a gradient to a Tensor where that gradient has no value"


class _Writes(nn.Cell):
    """A linear function whose backward pass multiplies by 5 and adds ``step(dout)`` to ``n``."""

    def __init__(self, step):
        super().__init__()
        self.n = Parameter(Tensor(np.zeros(2, np.float32)), name="n", requires_grad=False)
        self.step = step

    def construct(self, x):
        return x * 1


class Rule(_Writes):
    def bprop(self, x, out, dout):
        ops.assign_add(self.n, self.step(dout))
        return (5 * dout,)


class TensorHook(_Writes):
    def construct(self, x):
        y = x * 1

        def hook(gradient):
            ops.assign_add(self.n, self.step(gradient))
            return gradient * 5

        y.register_hook(hook)
        return y


class CellHook(_Writes):
    def __init__(self, step):
        super().__init__(step)
        self.register_backward_hook(self.write)

    @staticmethod
    def write(cell, grad_input, grad_output):
        ops.assign_add(cell.n, cell.step(grad_output[0]))
        return (grad_input[0] * 5,)


def recomputed(cell):
    class Block(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cell = cell

        def construct(self, x):
            return self.cell(x)

    block = Block()
    block.recompute()
    return block


# A name, the gradient to take, and what `n` has gained after a call: of a constant, and of the gradient.
KNOWN = [
    ("grad", lambda cell: ms.grad(cell), [1, 1], [1, 1]),
    ("value_and_grad", lambda cell: ms.value_and_grad(cell), [1, 1], [1, 1]),
    ("GradOperation", lambda cell: ops.GradOperation()(cell), [1, 1], [1, 1]),
    ("vjp", lambda cell: lambda x: ms.vjp(cell, x)[1](x), [1, 1], [1, 2]),
    ("recompute", lambda cell: ms.grad(recomputed(cell)), [1, 1], [1, 1]),
    ("twice", lambda cell: ms.grad(lambda x: cell(x) + cell(x) * 2), [2, 2], [3, 3]),
    ("second order", lambda cell: ms.grad(lambda x: ms.grad(cell)(x) * x), [1, 1], [1, 1]),
    ("closed over", lambda cell: ms.grad(lambda x: ms.grad(lambda t: cell(x) * t * t)(ONES)), [1, 1], [2, 2]),
    ("jit", lambda cell: ms.jit(lambda x: ms.grad(cell)(x)), [1, 1], [1, 1]),
]
UNKNOWN = [
    ("jvp", lambda cell: lambda x: ms.jvp(cell, x, ONES), X),
    ("jacrev", lambda cell: ms.jacrev(cell), X),
    ("jacfwd", lambda cell: ms.jacfwd(cell), X),
    ("grad of vmap", lambda cell: ms.grad(ms.vmap(cell)), BATCH),
]
KINDS = [Rule, TensorHook, CellHook]


def values(cell):
    return cell.n.asnumpy().tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "make", "constant", "gradient"), KNOWN, ids=[row[0] for row in KNOWN])
@pytest.mark.parametrize("step", ["constant", "gradient"])
def test_a_write_happens_at_each_call(kind, name, make, constant, gradient, step, mode):
    cell = kind({"constant": lambda dout: Tensor(np.float32([1, 1])), "gradient": lambda dout: dout}[step])
    gained = np.float32({"constant": constant, "gradient": gradient}[step])
    f = make(cell)
    for calls in (1, 2, 3):
        f(X)
        assert values(cell) == (gained * calls).tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "make", "x"), UNKNOWN, ids=[row[0] for row in UNKNOWN])
def test_a_write_of_a_gradient_that_has_no_value_is_an_error(kind, name, make, x, mode):
    cell = kind(lambda dout: dout)
    with pytest.raises(RuntimeError, match=NO_VALUE):
        make(cell)(x)
    assert values(cell) == [0, 0]
    cell.step = lambda dout: Tensor(np.float32([1, 1]))
    make(cell)(x)
    assert values(cell) == [1, 1]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("step", [lambda dout: dout, lambda dout: ONES], ids=["gradient", "constant"])
def test_a_write_in_a_mapped_gradient_is_an_error(kind, step, mode):
    cell = kind(step)
    with pytest.raises(RuntimeError, match=f"{NO_VALUE}|A Parameter is written to inside 'vmap'"):
        ms.vmap(ms.grad(cell))(BATCH)
    assert values(cell) == [0, 0]


@pytest.mark.parametrize("take", [ms.grad, lambda cell: lambda x: ms.vjp(cell, x)[1](x)], ids=["grad", "vjp"])
def test_an_error_undoes_what_was_written_before(take, mode):
    class Fails(Rule):
        def bprop(self, x, out, dout):
            super().bprop(x, out, dout)
            raise ValueError("boo")

    class FailsLater(nn.Cell):
        def __init__(self):
            super().__init__()
            self.writes, self.fails = Rule(lambda dout: dout), Fails(lambda dout: dout)

        def construct(self, x):
            return self.writes(self.fails(x))

    net = FailsLater()
    with pytest.raises(ValueError, match="^boo$"):
        take(net)(X)
    assert values(net.writes) == values(net.fails) == [0, 0]


def test_a_rule_sees_what_an_earlier_one_wrote(mode):
    class Scales(Rule):
        def bprop(self, x, out, dout):
            ops.assign_add(self.n, dout)
            return (self.n * dout,)

    cell = Scales(None)
    assert ms.grad(lambda x: cell(cell(x)))(X).asnumpy().tolist() == [2, 2]
    assert values(cell) == [2, 2]
    assert ms.grad(lambda x: cell(cell(x)))(X).asnumpy().tolist() == [18, 18]


def test_what_a_rule_wrote_outlives_the_gradient_around_it(mode):
    cell = Rule(lambda dout: dout)

    def f(x):
        gradient = ms.grad(cell)(x)
        return gradient * cell.n * x

    assert ms.grad(f)(X).asnumpy().tolist() == [5, 5]
    assert values(cell) == [1, 1]


def test_numpy_arrays_see_what_a_rule_writes():
    shared = np.zeros(2, np.float32)
    tensor = Tensor.from_numpy(shared)

    class Writes(nn.Cell):
        def construct(self, x):
            return x * x

        def bprop(self, x, out, dout):
            ops.assign(tensor, dout * 3)
            return (dout,)

    ms.grad(Writes())(X)
    assert shared.tolist() == [3, 3]
