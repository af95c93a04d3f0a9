"""What a GPU's compiler refuses for Triton's products is compiled once more, without them."""

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import executables
from tests.refusing import SAID, Compiler

OF_LAYOUT = (
    "INTERNAL: RET_CHECK failure (platforms/xla/service/jellyfish/lowering/custom_ops/xprecision_emitters.cc:78) "
    "Layout::Equal().IgnoreMemorySpace()( operand_shape.layout(), hlo_instruction_->shape().layout()) "
)


class Adding(nn.Cell):
    """Overwrites its Parameter, of so many elements that its memory is used again."""

    def __init__(self):
        super().__init__()
        self.p = Parameter(Tensor(np.ones((256, 256), np.float32)), name="p")

    def construct(self, x):
        before = ops.matmul(self.p, x).sum()
        ops.assign_add(self.p, x)
        return before


def run(number):
    """An operation, a gradient and a Cell's step, of programs that no other test has."""
    x = Tensor(np.full((256, 256), number, np.float32))
    product = ops.matmul(x[:2, :number], x[:number, :3])
    gradient = ms.grad(lambda x: (ops.matmul(x, x) * number).sum())(x[:number, :number])
    cell = Adding()
    for _ in range(2):
        before = cell(x)
    return [each.asnumpy().flat[0] for each in (product, gradient, before, cell.p)]


@pytest.mark.parametrize("is_stored", [True, False])
def test_what_is_refused_is_compiled_without_triton(is_stored, mode, stored, monkeypatch):
    number = 5 + is_stored + 2 * (mode == "GRAPH_MODE")
    expected = [number**3, 2 * number**3, 256**2 * number * (1 + number) * 256, 1 + 2 * number]
    compiler = Compiler()
    monkeypatch.setattr(executables.stored, "is_on", lambda: is_stored)
    with monkeypatch.context() as patch:
        patch.setattr(jax, "jit", compiler)
        actual = run(number)
    assert actual == expected
    assert compiler.made == compiler.refused > 2
    count = compiler.refused
    assert run(number) == expected and compiler.refused == count


@pytest.mark.parametrize(
    ("number", "compiler", "attempts", "message"),
    [
        (1, Compiler(mends=False), 2, r"its compiler has no kernel for the product bf16\[16,4\] of this program\."),
        (2, Compiler("INTERNAL: the fan is broken"), 1, "INTERNAL: the fan is broken$"),
        (3, Compiler(SAID.replace(" dot(", " reduce(")), 1, "INTERNAL: Couldn't find output tile sizes"),
        (4, Compiler(OF_LAYOUT), 1, "a TPU's compiler has no memory layout for a result of complex128 here. Return"),
    ],
    ids=["in vain", "another error", "another operation", "a layout"],
)
def test_it_is_compiled_twice_at_most(number, compiler, attempts, message, monkeypatch):
    cell, x = Adding(), Tensor(np.ones((256, 256), np.float32))
    monkeypatch.setattr(jax, "jit", compiler)
    for fn in (lambda: ops.matmul(x[:number, :9], x[:9, :3]), lambda: cell(ops.cat([x[number:], x[:number]]))):
        compiler.refused = 0
        with pytest.raises(RuntimeError, match=f"^The device failed to compute it: {message}") as caught:
            fn().asnumpy()
        assert type(caught.value) is RuntimeError and caught.value.__suppress_context__
        assert compiler.refused == attempts
    assert cell.p.asnumpy()[0, 0] == 1
