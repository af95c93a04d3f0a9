"""Gradients by rows: of tables that only sparse lookups use."""

import copy
import pathlib
import pickle

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, RowTensor, Tensor, nn, ops
from msgrad.ops.index import row_gradient
from msgrad.ops.index.row_gradient import RowGradient
from tests.helpers import assert_close
from tests.nn.row_gradient_cases import BATCHES, CASES, made, run, tables_of

GOLDEN = np.load(pathlib.Path(__file__).parents[1] / "golden" / "row_gradients.npz")
# The rows that a batch has not are moved by what is left in memory of the step before.
STALE = {"Adam, Nesterov on CPU"}


def functional(case, ms):
    """As `run`, where the gradients leave one call and are passed to another."""
    net, optimizer = made(*case, ms)
    gradient_of = ms.value_and_grad(net, None, optimizer.parameters)
    for batch in BATCHES:
        _, gradients = gradient_of(Tensor(batch, ms.int32))
        assert type(gradients[0]) is RowGradient
        optimizer(gradients)
        assert gradients[0]._dense is None  # no array of the size of the table
    return tables_of(optimizer)


@pytest.mark.parametrize("name", [name for name in GOLDEN.files if name not in STALE])
def test_steps_are_mindspores(name, mode, monkeypatch):
    monkeypatch.setattr(row_gradient, "_dense", None)
    assert_close(np.stack(run(CASES[name], ms)), GOLDEN[name], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["lazy", "FTRL", "proximal on CPU"])
def test_gradients_are_passed_from_call_to_call_by_rows(name, mode):
    assert_close(np.stack(functional(CASES[name], ms)), GOLDEN[name], rtol=1e-5, atol=1e-6)


def in_one_function(net, optimizer):
    gradient_of = ms.value_and_grad(net, None, optimizer.parameters)

    @ms.jit
    def step(indices):
        loss, gradients = gradient_of(indices)
        optimizer(gradients)
        return loss

    return step


def in_a_function_of_gradients(net, optimizer):
    gradient_of = ms.grad(net, None, optimizer.parameters)
    apply = ms.jit(lambda gradients: optimizer(gradients))
    return lambda indices: apply(gradient_of(indices))


class Gradients(nn.Cell):
    def __init__(self, net, weights):
        super().__init__()
        self.net, self.weights, self.operation = net, weights, ops.GradOperation(get_by_list=True)

    def construct(self, indices):
        return self.operation(self.net, self.weights)(indices)


def from_a_cell(net, optimizer):
    gradient_of = Gradients(net, optimizer.parameters)
    return lambda indices: optimizer(list(gradient_of(indices)))


def with_a_scale(net, optimizer):
    return nn.TrainOneStepWithLossScaleCell(net, optimizer, Tensor(1024.0))


def with_looks(net, optimizer):
    gradient_of = ms.grad(net, None, optimizer.parameters)

    def step(indices):
        gradients = gradient_of(indices)
        copied = copy.deepcopy(gradients[0]), pickle.loads(pickle.dumps(gradients[0])), jax.tree.map(abs, gradients)[0]
        assert all(type(each) is Tensor and each.shape == (6, 2) for each in copied)
        repr(gradients), gradients[0].asnumpy(), ops.clip_by_global_norm(gradients, 1.0)
        optimizer(gradients)

    return step


@pytest.mark.parametrize(
    "made_step", [in_one_function, in_a_function_of_gradients, from_a_cell, with_a_scale, with_looks]
)
def test_steps_are_the_same_however_gradients_are_passed(made_step, mode):
    net, optimizer = made(*CASES["lazy"], ms)
    step = made_step(net, optimizer)
    for batch in BATCHES:
        step(Tensor(batch, ms.int32))
    assert_close(np.stack(tables_of(optimizer)), GOLDEN["lazy"], rtol=1e-5, atol=1e-6)


class Table(nn.Cell):
    """Looks rows up, sparsely or not, and does something else with them and with the table."""

    def __init__(self, lookup, use):
        super().__init__()
        self.table = Parameter(np.arange(12, dtype=np.float32).reshape(6, 2) / 10, name="table")
        self.lookup, self.use = lookup, use

    def construct(self, indices):
        return self.use(self, indices)


def rows_twice(net, indices):
    return (net.lookup(net.table, indices, 0) ** 2).sum() + (net.lookup(net.table, indices[0], 0) ** 3).sum()


def rows_and_table(net, indices):
    return (net.lookup(net.table, indices, 0) ** 2).sum() + (net.table**2).sum()


SPARSE = {"lookup": ops.EmbeddingLookup(), "gather": ops.SparseGatherV2()}
INDICES = {"lookup": [[1, 4], [1, 0]], "gather": [[1, -2], [1, 0]]}


@pytest.mark.parametrize("kind", SPARSE)
@pytest.mark.parametrize("use, is_by_rows", [(rows_twice, True), (rows_and_table, False)])
def test_values_are_those_of_a_dense_gradient(kind, use, is_by_rows, mode):
    indices = Tensor(INDICES[kind], ms.int32)

    def gradient(lookup):
        net = Table(lookup, use)
        return ms.grad(net, None, net.trainable_params())(indices)[0]

    sparse, dense = gradient(SPARSE[kind]), gradient(ops.Gather())
    assert (type(sparse) is RowGradient) == is_by_rows and type(dense) is Tensor
    assert isinstance(sparse, Tensor) and sparse.shape == dense.shape and sparse.dtype == dense.dtype
    assert_close((sparse * 1).asnumpy(), dense.asnumpy(), rtol=1e-6)
    assert_close(sparse.asnumpy(), dense.asnumpy(), rtol=1e-6)


def test_a_row_that_is_not_there_gives_zeros_and_gets_no_gradient():
    net = Table(ops.EmbeddingLookup(), lambda net, indices: (net.lookup(net.table, indices, 0) * 3).sum())
    gradient = ms.grad(net, None, net.trainable_params())(Tensor([5, 6, -1], ms.int32))[0]
    assert gradient.asnumpy().tolist() == [[0, 0]] * 5 + [[3, 3]]


def squares(net, indices):
    return (net.lookup(net.table, indices, 0) ** 2).sum()


def test_a_dense_optimizer_gets_the_dense_gradient():
    tables = []
    for lookup in (ops.EmbeddingLookup(), ops.Gather()):
        net = Table(lookup, squares)
        step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), 0.1, 0.9))
        step(Tensor([[1, 3], [1, 0]], ms.int32))
        tables.append(net.table.asnumpy())
    assert_close(*tables, rtol=1e-6)


def test_what_is_written_to_a_gradient_counts():
    net = Table(ops.EmbeddingLookup(), squares)
    gradient = ms.grad(net, None, net.trainable_params())(Tensor([1, 1], ms.int32))[0]
    before = gradient.asnumpy()
    assert type(gradient) is RowGradient  # a look keeps the rows
    gradient *= 2
    nn.LazyAdam([net.table], 0.1)((gradient,))
    assert type(gradient) is Tensor
    assert_close(gradient.asnumpy(), 2 * before, rtol=1e-6)


def test_a_second_derivative_passes_the_lookup():
    net = Table(ops.EmbeddingLookup(), lambda net, indices: (net.lookup(net.table, indices, 0) ** 3).sum())

    def total(indices):
        return ms.grad(net, None, net.trainable_params())(indices)[0].sum()

    gradient = ms.grad(total, None, net.trainable_params())(Tensor([2, 2], ms.int32))[0]
    assert_close(gradient.asnumpy()[2], 12 * net.table.asnumpy()[2], rtol=1e-6)


def test_users_functions_of_rows_and_their_row_tensors():
    scale = ops.MultitypeFuncGraph("scale")

    @scale.register("Tensor", "RowTensor")
    def _(factor, gradient):
        return RowTensor(gradient.indices, gradient.values * factor, gradient.dense_shape)

    @scale.register("Tensor", "Tensor")
    def _(factor, gradient):
        raise AssertionError

    moments = []
    for factor in (None, 2.0):
        net = Table(ops.EmbeddingLookup(), squares)
        optimizer = nn.LazyAdam([net.table], 0.1)
        gradients = ms.grad(net, None, optimizer.parameters)(Tensor([1, 1], ms.int32))
        if factor:
            gradients = ops.HyperMap()(ops.Partial()(scale, Tensor(factor)), gradients)
            assert type(gradients[0]) is RowTensor
        optimizer(gradients)
        moments.append(optimizer.moment1[0].asnumpy())
    with pytest.raises(ValueError, match="of the shapes of their Parameters"):
        optimizer([RowTensor(Tensor([1]), Tensor([[1.0, 2.0, 3.0]]), (6, 3))])
    assert_close(2 * moments[0], moments[1], rtol=1e-6)
