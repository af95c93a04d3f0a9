"""What `set_data`, `assign_value` and ``p.data = x`` share, as MindSpore 2.10 has it in both modes."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad import dataset as ds
from msgrad.engine.execution import donation


def given(*numbers, name="p"):
    return Parameter(Tensor(np.array(numbers, np.float32)), name=name)


def values(*tensors):
    return [tensor.tolist() for tensor in tensors]


class Adding(nn.Cell):
    """Adds its input to ``a`` and returns the sum of ``b``."""

    def __init__(self):
        super().__init__()
        self.a = given(1, 2, name="a")
        self.b = given(0, 0, name="b")

    def construct(self, x):
        ops.assign(self.a, self.a + x)
        return self.b.sum()


ONES = Tensor(np.ones(2, np.float32))


@pytest.mark.parametrize("take", [Parameter.set_data, Parameter.assign_value, lambda x, y: setattr(x, "data", y)])
@pytest.mark.parametrize("make", [lambda y: y, Tensor, lambda y: y.data], ids=["Parameter", "Tensor", "data"])
def test_writes_reach_both(take, make, mode):
    y = given(1, 2)
    source, x = make(y), given(0, 0)
    take(x, source)
    y[0] = 7.0
    assert values(x, y, source) == [[7.0, 2.0]] * 3
    ops.assign(x, Tensor([9.0, 9.0]))
    assert values(x, y, source) == [[9.0, 9.0]] * 3
    nn.SGD([y], 0.5)((ONES,))
    assert values(x, y, source) == [[8.5, 8.5]] * 3
    x.asnumpy()[0] = 1.0
    assert values(x, y, source) == [[1.0, 8.5]] * 3


def test_data_of_a_tensor_can_be_assigned():
    x, y = Tensor([0.0, 0.0]), Tensor([1.0, 2.0])
    x.data = y
    y[0] = 7.0
    assert values(x) == [[7.0, 2.0]]


def test_new_data_leaves_the_old_behind():
    x, y, view_of = given(0, 0), given(1, 2), given(0, 0)
    view = view_of.view(-1)
    view_of.set_data(y)
    x.set_data(y)
    x.set_data(Tensor([5.0, 5.0]))
    y[0] = 3.0
    assert values(x, y, view, view_of) == [[5.0, 5.0], [3.0, 2.0], [0.0, 0.0], [3.0, 2.0]]


@pytest.mark.parametrize("copied", [lambda y: y.copy(), lambda y: y * 1, lambda y: y.value(), lambda y: y.int()])
def test_copies_and_other_dtypes_are_not_shared(copied):
    x, y = given(0, 0), given(1, 2)
    x.set_data(copied(y))
    y[0] = 3.0
    assert values(x) == [[1.0, 2.0]]


def test_a_row_of_a_matrix():
    matrix, x = given([1, 2], [3, 4]), given(0, 0)
    x.set_data(matrix[1])
    matrix[1, 0] = 9.0
    x[1] = 5.0
    assert values(x, matrix) == [[9.0, 5.0], [[1.0, 2.0], [9.0, 5.0]]]


def test_a_chain():
    x, y, z = given(0, 0), given(1, 2), given(3, 4)
    x.set_data(y)
    y.set_data(z)
    z[0] = 5.0
    assert values(x, y, z) == [[1.0, 2.0], [5.0, 4.0], [5.0, 4.0]]


def test_a_temporary_leaves_no_trace():
    x = given(0, 0)
    x.set_data(Tensor([1.0, 2.0]))
    ops.assign(x, Tensor([3.0, 4.0]))
    assert x._view is None


# In GRAPH_MODE the second calls run a kept Plan, which was made for other storage.
@pytest.mark.parametrize("is_recorded_before", [False, True])
def test_a_cell_that_reads_and_writes_them(is_recorded_before, mode):
    net, actual = Adding(), []
    if is_recorded_before:
        net(ONES)
        ops.assign(net.a, Tensor([1.0, 2.0]))
    net.b.set_data(net.a)
    for _ in range(2):
        actual += [float(net(ONES)), *values(net.a, net.b)]
    net.b.set_data(Tensor([0.0, 0.0]))
    for _ in range(2):
        actual += [float(net(ONES)), *values(net.a, net.b)]
    last = [0.0, [4.0, 5.0], [0.0, 0.0], 0.0, [5.0, 6.0], [0.0, 0.0]]
    assert actual == [5.0, [2.0, 3.0], [2.0, 3.0], 7.0, [3.0, 4.0], [3.0, 4.0], *last]


@pytest.mark.parametrize("sink", [False, True])
def test_a_dict_that_was_loaded_follows_the_network(sink, mode):
    net = nn.Dense(2, 1, weight_init="zeros", has_bias=False)
    loaded = {"weight": Parameter(Tensor(np.ones((1, 2), np.float32)), name="weight")}
    ms.load_param_into_net(net, loaded)
    data = ds.NumpySlicesDataset((np.ones((4, 2), np.float32), np.ones((4, 1), np.float32)), shuffle=False).batch(2)
    model = ms.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.25))
    model.train(1, data, dataset_sink_mode=sink)
    assert values(net.weight, loaded["weight"]) == [[[0.5, 0.5]]] * 2


class Tied(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = given(1, 2, name="first")
        self.second = given(0, 0, name="second")
        self.second.set_data(self.first)

    def construct(self, x):
        return (self.first * x + 2 * self.second * x).sum()


def test_an_optimizer_of_both_updates_one_after_the_other(mode):
    net = Tied()
    step = nn.TrainOneStepCell(net, nn.SGD(net.trainable_params(), 0.5))
    for _ in range(2):
        step(ONES)
    assert values(net.first, net.second) == [[-2.0, -1.0]] * 2


def test_old_values_of_both_are_donated(monkeypatch, mode):
    copied = []
    monkeypatch.setattr(donation, "_copied", lambda array: copied.append(array) or array + 0)
    net, other = Adding(), Parameter(ops.ones((256, 256)), name="other")
    net.a.set_data(other)
    net(ops.ones((256, 256)))
    copied.clear()
    net(ops.ones((256, 256)))
    assert not copied and float(other[0, 0]) == float(net.a[0, 0]) == 3.0


@pytest.mark.parametrize("make", [lambda: given(1), lambda: Tensor([1.0])], ids=["Parameter", "Tensor"])
@pytest.mark.parametrize("data", [3, None, np.ones(2)], ids=["int", "None", "array"])
def test_data_must_be_a_tensor(make, data):
    with pytest.raises(TypeError, match="must be a Tensor"):
        make().data = data
