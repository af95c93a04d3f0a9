"""Reduced precision of Cells: `to_float`, mixed precision. Expected values are MindSpore 2.10's."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops


class Updating(nn.Cell):
    """Changes one element of its Parameter, then reads it."""

    def __init__(self, is_trained):
        super().__init__()
        self.p = Parameter(Tensor([1.1, 2.3]), name="p", requires_grad=is_trained)

    def construct(self, x):
        ops.scatter_update(self.p, Tensor([0]), x)
        return self.p * 1


@pytest.mark.parametrize("is_trained", [True, False])
def test_to_float_casts_frozen_parameters_too_and_keeps_what_construct_writes(is_trained, mode):
    net = Updating(is_trained).to_float(ms.float16)
    assert net(Tensor([0.5])).dtype == ms.float16
    assert net.p.dtype == ms.float32 and net.p.asnumpy().tolist() == [0.5, np.float32(2.3)]  # figures are MindSpore's
    layer = nn.Dense(2, 1, weight_init="ones")
    layer.weight.requires_grad = is_trained
    assert layer.to_float(ms.float16)(Tensor([[1.0, 2.0]])).dtype == ms.float16


LOSSES = [nn.MSELoss(), nn.RMSELoss(), nn.DiceLoss(), nn.MultiClassDiceLoss(activation=None), nn.FocalLoss()]


@pytest.mark.parametrize("loss", LOSSES, ids=lambda loss: type(loss).__name__)
def test_a_loss_of_two_float_dtypes_has_their_common_one(loss, mode):
    logits, labels = ops.ones((2, 3)), ops.ones((2, 3))
    assert loss(logits.astype(ms.float16), labels).dtype == ms.float32
    assert loss(logits, labels.astype(ms.float16)).dtype == ms.float32
    assert loss(logits.astype(ms.float16), labels.astype(ms.float16)).dtype == ms.float16
    if isinstance(loss, nn.MSELoss):  # MindSpore has no such kernels for the others
        assert loss(logits.astype(ms.float16), labels.astype(ms.bfloat16)).dtype == ms.float32


@pytest.mark.parametrize("weight", [ms.float16, ms.float32])
def test_the_weight_of_a_focal_loss_counts_for_its_dtype(weight, mode):
    loss, classes = nn.FocalLoss(Tensor([1, 2, 3], weight)), Tensor([[2], [0]])
    logits = Tensor([[0.25, 1.0, -0.5], [2.0, 0.0, 0.5]], ms.float16)
    for labels in (classes, classes.astype(ms.float32)):
        assert loss(logits, labels).dtype == weight
    assert loss(logits, classes).item() == pytest.approx(2.3032908, rel=1e-3)  # MindSpore's, in float16


class Counting(nn.Cell):
    """Writes to a Parameter in several ways, then reads it."""

    def __init__(self, write, value=2049.0):
        super().__init__()
        self.p = Parameter(Tensor([value]), name="p", requires_grad=False)
        self.w = Parameter(Tensor([2.0]), name="w")
        self.slot = Parameter(Tensor([0.0]), name="slot")
        self.write = write

    def construct(self, x):
        return self.write(self, x), self.p * 1, self.w * x


WRITES = {  # with what MindSpore gives for a Parameter of 2049, of which float16 has no form, and 1.0
    "assign_add": (lambda cell, x: ops.assign_add(cell.p, x), 2050.0),
    "assign_add_of_float32": (lambda cell, x: ops.assign_add(cell.p, Tensor([1.0])), 2050.0),
    "assign_sub": (lambda cell, x: ops.assign_sub(cell.p, 2 * x), 2047.0),
    "assign": (lambda cell, x: ops.assign(cell.p, cell.p + x), 2048.0),
    "scatter_add": (lambda cell, x: ops.scatter_add(cell.p, Tensor([0]), x), 2050.0),
    "scatter_nd_add": (lambda cell, x: ops.scatter_nd_add(cell.p, Tensor([[0]]), x), 2050.0),
    "index_add": (lambda cell, x: ops.index_add(cell.p, Tensor([0]), x, 0), 2050.0),
    "momentum": (lambda cell, x: ops.ApplyMomentum()(cell.p, cell.slot, 0.5, x, 0.9), 2048.5),
}


@pytest.mark.parametrize("name", WRITES)
def test_operations_write_to_parameters_themselves_after_to_float(name, mode):
    write, expected = WRITES[name]
    net = Counting(write).to_float(ms.float16)
    result, read, output = net(Tensor([1.0]))
    assert (result.dtype, read.dtype, output.dtype) == (ms.float32, ms.float16, ms.float16)
    assert result.item() == net.p.asnumpy() == expected
    assert read.item() == np.float16(expected)
    gradient = ms.grad(lambda x: net(x)[2], None, [net.w])(Tensor([3.0]))[0]
    assert gradient.dtype == ms.float32 and gradient.item() == 3.0


def test_what_construct_assigns_after_to_float_is_read(mode):
    class Assigning(Counting):
        def construct(self, x):
            self.p = x
            return self.p * 1

    net = Assigning(None).to_float(ms.float16)
    assert net(Tensor([3.0])).item() == net.p.item() == 3.0


@pytest.mark.parametrize("level", ["O1", "O2", "O3"])
def test_mixed_precision_of_a_network_with_frozen_layers(level, mode):
    net = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Dense(32, 1))
    net[0].weight.requires_grad = net[3].weight.requires_grad = False
    net.set_train()
    x = ops.ones((2, 1, 4, 4))
    net = ms.amp.auto_mixed_precision(net, level)
    gradients = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(x)
    assert {each.dtype for each in gradients} == {ms.float32} and len(gradients) == 3


def test_to_float_casts_the_parameters_of_sub_cells_that_construct_uses(mode):
    class Tied(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table = nn.Embedding(5, 2, embedding_table=Tensor(np.arange(10).reshape(5, 2) / 7, ms.float32))

        def construct(self, x):
            return ops.MatMul(transpose_b=True)(self.table(x), self.table.embedding_table)

    net = Tied().to_float(ms.float16)
    assert net(Tensor([1], ms.int32)).dtype == ms.float16
    assert net.table.embedding_table.dtype == ms.float32
    gradient = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())(Tensor([1], ms.int32))[0]
    assert gradient.dtype == ms.float32 and gradient.shape == (5, 2) and gradient.abs().min() > 0


def test_a_gradient_by_the_parameters_inside_a_cell_after_to_float(mode):
    class Inner(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = nn.Dense(2, 1, weight_init="ones")
            self.gradient = ms.grad(lambda x: self.net(x).sum(), None, self.net.trainable_params())

        def construct(self, x):
            return self.gradient(x)[0]

    assert Inner().to_float(ms.float16)(Tensor([[1.0, 2.0]])).tolist() == [[1, 2]]


def test_precision_by_its_inner_name():
    cell, x = nn.Dense(2, 2), Tensor([[1.0, 1.0]])
    kinds = type(cell.get_mixed_precision_type())
    assert cell.get_mixed_precision_type() is kinds.NOTSET
    cell.set_mixed_precision_type(kinds.FP16)
    assert cell(x).dtype == ms.float16 and repr(cell.get_mixed_precision_type()) == "<MixedPrecisionType.FP16: 1>"
    assert cell.to_float(ms.bfloat16).get_mixed_precision_type() is kinds.BF16
    with pytest.raises(TypeError, match="must be a MixedPrecisionType"):
        cell.set_mixed_precision_type(1)
