"""Reuse of the forward pass by the gradient that follows it in a graph. Figures are MindSpore 2.10's."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, ParameterTuple, Tensor, nn, ops
from msgrad.engine import report

X, Y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.full((2, 3), 2, np.float32))


class Counting(nn.Cell):
    """Adds up the means of its inputs."""

    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(1.0), name="w")
        self.sum = Parameter(Tensor(0.0), name="sum", requires_grad=False)

    def construct(self, x):
        ops.assign_add(self.sum, x.mean())
        return (x * self.w + self.sum).mean()


class Step(nn.Cell):
    """A step of a training as programs write it; ``statements`` is the body of its construct."""

    def __init__(self, statements):
        super().__init__(auto_prefix=False)
        self.net = Counting()
        self.weights = ParameterTuple(self.net.trainable_params())
        self.by_weights = ops.GradOperation(get_by_list=True)
        self.with_sens = ops.GradOperation(get_by_list=True, sens_param=True)
        self.valued = ops.value_and_grad(self.net, None, self.weights)
        made = {"ops": ops}
        exec(f"def construct(self, x, y):\n    {statements}\n    return loss, gradients", made)
        self.made = made["construct"]

    def construct(self, x, y):
        return self.made(self, x, y)


GRADIENTS = "gradients = self.by_weights(self.net, self.weights)"
ROWS = [  # the statements, the sums after two steps in a graph and elsewhere, the losses of the steps in a graph
    (f"loss = self.net(x); {GRADIENTS}(x)", [1, 2], [2, 4], [2, 3]),
    ("loss = self.net(x); gradients = self.with_sens(self.net, self.weights)(x, loss)", [1, 2], [2, 4], [2, 3]),
    ("loss = self.net(x); gradients = self.valued(x)[1]", [1, 2], [2, 4], [2, 3]),
    ("loss = self.net(x); gradients = ops.grad(self.net)(x)", [1, 2], [2, 4], [2, 3]),
    (f"loss = self.net(x); {GRADIENTS}(y)", [3, 6], [3, 6], [2, 5]),
    (f"loss = self.net(x + 1); {GRADIENTS}(x + 1)", [4, 8], [4, 8], [4, 8]),
    (f"self.net(x); loss = self.net(x); {GRADIENTS}(x)", [3, 6], [3, 6], [3, 6]),
    (f"loss = self.net(y); self.net(x); {GRADIENTS}(x)", [4, 8], [4, 8], [4, 8]),
    (f"self.net(x); loss = self.net(y); {GRADIENTS}(x)", [4, 8], [4, 8], [5, 9]),
    ("loss = self.net(x); gradients = self.net(x)", [2, 4], [2, 4], [2, 4]),
    (f"{GRADIENTS}(x); loss = {GRADIENTS[12:]}(x)[0]", [2, 4], [2, 4], [1, 1]),
    (f"loss = self.net(x); x = y if loss > 100 else x; {GRADIENTS}(x)", [2, 4], [2, 4], [2, 4]),
]


@pytest.mark.parametrize(("statements", "merged", "sums", "losses"), ROWS)
def test_what_a_network_writes_in_a_step(statements, merged, sums, losses, mode):
    step = Step(statements)
    expected = merged if mode == "GRAPH_MODE" else sums
    for k in range(2):
        loss, _ = step(X, Y)
        assert step.net.sum.item() == expected[k]
        if mode == "GRAPH_MODE":
            assert loss.item() == losses[k]


def test_what_jit_compiles_inside_of_a_call_is_a_graph(mode):
    step = Step(ROWS[0][0])
    step.made = ms.jit(step.made)
    assert [step(X, Y)[0].item() for _ in range(2)] == [2, 3]
    assert step.net.sum.item() == 2


def test_a_merged_step_is_compiled_once(graph_mode):
    step = Step(ROWS[0][0])
    step(X, Y)
    compiled = report()["programs compiled"]
    for _ in range(3):
        step(X, Y)
    assert report()["programs compiled"] == compiled
    assert step.net.sum.item() == 4


def test_after_an_error_nothing_is_written(graph_mode):
    step = Step(f"loss = self.net(x); {GRADIENTS}(x); loss = ops.matmul(x, y)")
    with pytest.raises(RuntimeError, match="of length 3 along its last axis but one"):
        step(X, Y)
    assert step.net.sum.item() == 0
