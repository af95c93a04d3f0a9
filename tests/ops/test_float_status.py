"""The overflow register of Ascend, which training steps of MindSpore 1.x read. No oracle has it: formulas decide."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine import report
from msgrad.ops import composite as C
from msgrad.ops import functional as F

TRIED = [
    "ops.NPUAllocFloatStatus()()",
    "ops.NPUClearFloatStatus()(x)",
    "ops.NPUGetFloatStatus()(x)",
    "ops.NPUClearFloatStatusV2()(x)",
    "ops.NPUGetFloatStatusV2()(x)",
]
EIGHT = Tensor(np.ones(8, np.float32))


class Step(nn.Cell):
    """A step as public BERT code has it, with a scale of the loss."""

    def __init__(self, network, optimizer, scale):
        super().__init__(auto_prefix=False)
        self.network, self.optimizer, self.scale = network, optimizer, scale
        self.network.set_grad()
        self.grad = C.GradOperation(get_by_list=True, sens_param=True)
        self.alloc_status, self.get_status = ops.NPUAllocFloatStatus(), ops.NPUGetFloatStatus()
        self.clear_status, self.reduce_sum = ops.NPUClearFloatStatus(), ops.ReduceSum(keep_dims=False)
        self.less_equal, self.base = ops.LessEqual(), Tensor(1, ms.float32)

    def construct(self, x, y):
        weights = self.optimizer.parameters
        loss = self.network(x, y)
        init = self.alloc_status()
        init = F.depend(init, loss)
        clear = self.clear_status(init)
        sens = F.depend(F.fill(loss.dtype, loss.shape, self.scale), clear)
        grads = self.grad(self.network, weights)(x, y, sens)
        grads = tuple([grad / self.scale for grad in grads])
        init = F.depend(init, grads)
        init = F.depend(init, self.get_status(init))
        overflow = self.less_equal(self.base, self.reduce_sum(init, (0,)))
        if not overflow:
            self.optimizer(grads)
        return loss, overflow


def test_a_step_with_an_overflow_is_skipped(mode):
    network = nn.Dense(3, 2)
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    step = Step(nn.WithLossCell(network, nn.MSELoss()), optimizer, 1024.0)
    x, y = Tensor(np.ones((4, 3), np.float32)), Tensor(np.zeros((4, 2), np.float32))
    bad = Tensor(np.full((4, 3), 1e38, np.float32))  # the gradient overflows
    seen = []
    for data in (x, bad, x, bad, x):
        before = network.weight.asnumpy().copy()
        overflow = step(data, y)[1].item()
        seen.append((overflow, np.array_equal(before, network.weight.asnumpy())))
    assert seen == [(False, False), (True, True), (False, False), (True, True), (False, False)]
    compiled = report()["programs compiled"]
    assert not step(x, y)[1].item() and step(bad, y)[1].item()
    assert report()["programs compiled"] == compiled


class Asked(nn.Cell):
    def construct(self, x, y):
        first = 1 / x
        cleared = ops.NPUClearFloatStatusV2()(EIGHT.astype(ms.int32))
        second = 1 / y
        status = ops.NPUGetFloatStatusV2()(cleared)
        return first, second, status, cleared


def test_what_was_before_the_clearing_is_forgotten(mode):
    zero, one = Tensor([0.0]), Tensor([1.0])
    for x, y, expected in ((zero, one, 0), (one, zero, 1), (one, one, 0), (zero, zero, 1)):
        _, _, status, cleared = Asked()(x, y)
        assert status.tolist() == [expected] + 7 * [0] and status.dtype == ms.int32 and cleared.tolist() == 8 * [0]


def test_outside_of_a_call():
    status = Tensor(np.ones(8, np.float32))
    assert ops.NPUAllocFloatStatus()().tolist() == 8 * [0]
    assert ops.NPUClearFloatStatus()(status).tolist() == status.tolist() == 8 * [0]
    for get in (ops.NPUGetFloatStatus(), ops.NPUGetFloatStatusV2()):
        with pytest.raises(RuntimeError, match="there is no float status outside of a call: use it in the construct"):
            get(status)
