"""Sink mode: many steps in one launch equal single steps; on an accelerator callbacks see them as one."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import nn, train
from msgrad.dataset import GeneratorDataset
from msgrad.engine.calls import looping
from msgrad.engine.execution import execute
from msgrad.nn._cell import calling
from msgrad.train._model_processes import _observes_steps


class Net(nn.Cell):
    """Draws (dropout), keeps state of its own (moving averages) and, if asked, counts its calls in Python."""

    def __init__(self, prints=False):
        super().__init__()
        self.dense = nn.Dense(4, 6, weight_init="ones")
        self.norm = nn.BatchNorm1d(6)
        self.drop = nn.Dropout(p=0.5)
        self.out = nn.Dense(6, 2, weight_init="ones")
        self.prints = prints

    def construct(self, x):
        if self.prints:
            print("called")
        return self.out(self.drop(self.norm(self.dense(x))))


def seeded(**options):
    ms.set_seed(1)
    return Net(**options)


def data(sizes=(3, 3, 3, 3, 3)):
    random = np.random.default_rng(0)
    rows = [(random.random((n, 4), np.float32), random.random((n, 2), np.float32)) for n in sizes]
    return GeneratorDataset(rows, ["data", "label"], shuffle=False)


class Seen(train.Callback):
    """What callbacks are told: the event, and the numbers of the step and the epoch."""

    def __init__(self):
        super().__init__()
        self.events = []

    def on_train_step_begin(self, run_context):
        self._add("begin", run_context.original_args())

    def on_train_step_end(self, run_context):
        self._add("end", run_context.original_args())

    def _add(self, name, facts):
        self.events.append((name, facts.cur_epoch_num, facts.cur_step_num, facts.batch_num))


def trained(sinks, dataset=None, sink_size=-1, net=None, epochs=2, callbacks=None, learning_rate=0.1):
    net = net or seeded()
    optimizer = nn.Momentum(net.trainable_params(), learning_rate, 0.9)
    model = ms.Model(net, nn.MSELoss(), optimizer)
    ms.set_seed(2)
    model.train(epochs, dataset or data(), callbacks, dataset_sink_mode=sinks, sink_size=sink_size)
    return [parameter.asnumpy() for parameter in model.train_network.get_parameters()]


def assert_equal(many, one_by_one):
    for one, other in zip(many, one_by_one, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("sizes", [(3, 3, 3, 3, 3), (3, 3, 3, 2), (3, 2, 3, 2), (3,)], ids=str)
def test_steps_are_the_same(sizes, graph_mode, monkeypatch):
    monkeypatch.setattr(looping, "MOST_TURNS", 3)
    assert_equal(trained(True, data(sizes)), trained(False, data(sizes)))


def test_a_rate_that_changes_from_step_to_step(graph_mode):
    rates = [0.5, 0.1, 0.3, 0.2, 0.4]
    assert_equal(trained(True, epochs=1, learning_rate=rates), trained(False, epochs=1, learning_rate=rates))


def test_many_steps_are_one_launch(graph_mode):
    trained(True)
    before = execute.report()["launches"]
    trained(True, epochs=1)
    many = execute.report()["launches"] - before
    trained(False, epochs=1)
    assert execute.report()["launches"] - before - many == many + 4


def test_one_launch_is_bounded(sink_mode, monkeypatch):
    lengths = []
    over = looping.Repeated.over
    monkeypatch.setattr(looping.Repeated, "over", lambda self, rows: lengths.append(len(rows)) or over(self, rows))
    monkeypatch.setattr(looping, "MOST_BYTES", 2 * 3 * (4 + 2) * 4)
    trained(True, epochs=1, sink_size=6)
    assert lengths == [2, 2, 2]


class Writes(nn.Cell):
    """Writes Parameters, parts of them, and a Tensor that a list keeps; one Parameter is written alone, never read."""

    def __init__(self):
        super().__init__()
        self.table = ms.Parameter(ms.ops.zeros((3, 4)), name="table")
        self.count = ms.Parameter(ms.Tensor(0), name="count")
        self.last = ms.Parameter(ms.ops.zeros(4), name="last")
        self.kept = []

    def construct(self, x, y):
        self.table[0] = x.sum(0)
        self.table[1] += self.table[0]
        ms.ops.assign(self.last, x[0])
        ms.ops.assign_add(self.count, ms.Tensor(1))
        self.kept[:] = [x * 2]
        return self.table.sum() + self.count


def test_whatever_a_call_writes(graph_mode):
    many, one_by_one = Writes(), Writes()
    batches = list(data().create_tuple_iterator(num_epochs=1))
    last = calling.each(many, batches, len(batches))
    for batch in batches:
        expected = one_by_one(*batch)
    assert last == expected and (many.kept[0] == one_by_one.kept[0]).all()
    for actual, wanted in zip(many.get_parameters(), one_by_one.get_parameters(), strict=True):
        assert (actual == wanted).all()


def test_callbacks_see_one_step_on_an_accelerator(sink_mode):
    seen = Seen()
    trained(True, callbacks=seen)
    assert seen.events == [("begin", 1, 5, 5), ("end", 1, 5, 5), ("begin", 2, 10, 5), ("end", 2, 10, 5)]


def test_an_epoch_has_sink_size_steps_and_data_go_on_on_an_accelerator(sink_mode):
    seen = Seen()
    many = trained(True, data((3, 3, 3)), 2, callbacks=seen, epochs=3)
    assert [event[1:] for event in seen.events if event[0] == "end"] == [(1, 2, 2), (2, 4, 2), (3, 6, 2)]
    assert_equal(many, trained(False, data((3, 3, 3)), epochs=2))


def test_neither_a_cpu_nor_pynative_mode_sinks(mode):
    seen = Seen()
    trained(True, callbacks=seen, epochs=1)
    assert [event[2:] for event in seen.events] == [(step, 5) for step in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)]


def test_callbacks_are_told_the_sink_size_there(mode, capsys):
    seen = Seen()
    trained(True, callbacks=[seen, ms.LossMonitor()], epochs=1, sink_size=2)
    assert [event[2:] for event in seen.events] == [(step, 2) for step in (1, 1, 2, 2, 3, 3, 4, 4, 5, 5)]
    steps = [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()]
    assert steps == [f"epoch: 1 step: {step}" for step in (1, 2, 1, 2, 1)]


class Epochs(train.Callback):
    """What a callback is told that acts at the ends of epochs only: on a CPU the steps share launches."""

    def __init__(self, stops=False):
        super().__init__()
        self.events, self.stops = [], stops

    def on_train_epoch_begin(self, run_context):
        if self.stops:
            run_context.request_stop()

    def on_train_epoch_end(self, run_context):
        facts = run_context.original_args()
        last = [column.asnumpy() for column in facts.train_dataset_element]
        self.events.append((facts.cur_step_num, facts.batch_num, facts.dataset_sink_mode, last, facts.net_outputs))


def test_an_epoch_has_all_batches_on_a_cpu(graph_mode, capsys):
    def run(sinks):
        epochs = Epochs()
        net = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
        values = trained(sinks, data((3, 3, 3, 2)), 2, net=net, callbacks=[train.LossMonitor(3), epochs])
        return values, [line.rpartition(" ") for line in capsys.readouterr().out.splitlines()], epochs.events

    (many, printed, events), (one_by_one, expected, wanted) = run(True), run(False)
    assert_equal(many, one_by_one)
    assert [line[0] for line in printed] == ["epoch: 1 step: 1, loss is", "epoch: 2 step: 2, loss is"]
    for line, other in zip(printed, expected, strict=True):
        assert float(line[2]) == pytest.approx(float(other[2]), rel=1e-5)
    for event, other in zip(events, wanted, strict=True):
        assert event[:3] == (other[0], 2, False)
        np.testing.assert_array_equal(event[3][0], other[3][0])
        np.testing.assert_allclose(event[4].asnumpy(), other[4].asnumpy(), rtol=1e-5)


def test_training_that_is_stopped_ends_after_one_step_on_a_cpu(graph_mode):
    epochs = Epochs(stops=True)
    trained(True, callbacks=epochs)
    assert [event[0] for event in epochs.events] == [1]


class Prints(train.LossMonitor):
    def step_end(self, run_context):
        print(run_context.original_args().cur_step_num)


class Named:
    def on_train_step_end(self, run_context):
        pass


@pytest.mark.parametrize(
    ("callback", "observes"),
    [
        (train.LossMonitor(), False),
        (train.TimeMonitor(), False),
        (train.TimeMonitor(data_time=True), True),
        (train.ModelCheckpoint(), True),
        (train.EarlyStopping(), False),
        (Epochs(), False),
        (Seen(), True),
        (Prints(), True),
        (type("Mixed", (Named, Epochs), {})(), True),
        (train.LambdaCallback(on_train_step_end=print), True),
    ],
    ids=lambda value: type(value).__name__,
)
def test_steps_run_apart_where_a_callback_observes_them(callback, observes):
    assert _observes_steps(callback) == observes


def test_a_step_that_cannot_be_staged_runs_each_time(graph_mode, capsys):
    many = trained(True, net=seeded(prints=True), epochs=1)
    assert capsys.readouterr().out == "called\n" * 5
    assert_equal(many, trained(False, net=seeded(prints=True), epochs=1))


class Convolves(nn.Cell):
    """Runs step by step on a CPU."""

    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 2, pad_mode="valid", weight_init="ones")

    def construct(self, x):
        return self.conv(x.reshape(-1, 1, 2, 2)).reshape(-1, 2)


def test_convolutions_run_one_by_one_on_a_cpu(graph_mode):
    assert_equal(trained(True, net=Convolves()), trained(False, net=Convolves()))


def test_a_loss_scale_that_changes(graph_mode):
    def scaled(sinks):
        ms.set_seed(1)
        net = nn.Dense(4, 2, weight_init="ones")
        manager = ms.DynamicLossScaleManager(2.0**126, 2, 2)
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=2.0**10)
        model = ms.Model(net, nn.MSELoss(), optimizer, loss_scale_manager=manager)
        model.train(2, data(), dataset_sink_mode=sinks)
        return [parameter.asnumpy() for parameter in model.train_network.get_parameters()]

    assert_equal(scaled(True), scaled(False))


class Wide(nn.Cell):
    """A loss that is too large to keep the values of several steps."""

    def construct(self, output, label):
        return ms.ops.ones(100) * (output - label).mean()


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize("case", ["launches of 3", "one launch", "other sizes", "step by step", "scaled"])
def test_the_loss_monitor_prints_as_without_sinking(case, times, graph_mode, monkeypatch, capsys):
    if case == "launches of 3":
        monkeypatch.setattr(looping, "MOST_TURNS", 3)

    def lines(sinks):
        net = Convolves() if case == "step by step" else nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
        optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9, loss_scale=2.0 if case == "scaled" else 1.0)
        scales = {"loss_scale_manager": ms.DynamicLossScaleManager(2.0, 2, 2)} if case == "scaled" else {}
        model = ms.Model(net, nn.MSELoss(), optimizer, **scales)
        dataset = data((3, 3, 3, 2) if case == "other sizes" else (3,) * 5)
        model.train(2, dataset, [train.LossMonitor(times)], dataset_sink_mode=sinks)
        return [line.split(", loss is ") for line in capsys.readouterr().out.splitlines()]

    many, one_by_one = lines(True), lines(False)
    assert [label for label, _ in many] == [label for label, _ in one_by_one]
    np.testing.assert_allclose([float(loss) for _, loss in many], [float(loss) for _, loss in one_by_one], rtol=1e-5)


def test_steps_of_a_large_loss_run_apart(graph_mode, monkeypatch, capsys):
    monkeypatch.setattr(looping, "MOST_BYTES", 5 * 3 * (4 + 2) * 4)
    net = nn.Dense(4, 2, weight_init="ones")
    ms.Model(net, Wide(), nn.SGD(net.trainable_params(), 0.1)).train(1, data(), train.LossMonitor(), True)
    steps = [line.partition(",")[0] for line in capsys.readouterr().out.splitlines()]
    assert steps == [f"epoch: 1 step: {step}" for step in (1, 2, 3, 4, 5)]


def test_a_loss_monitor_names_the_step_in_a_launch_that_is_not_finite(graph_mode):
    rows = [(np.full((1, 4), scale, np.float32), np.ones((1, 2), np.float32)) for scale in (1, 1, np.inf, 1)]
    dataset = GeneratorDataset(rows, ["data", "label"], shuffle=False)
    monitor = train.LossMonitor(0)
    with pytest.raises(ValueError, match="In epoch: 1 step: 3, loss is NAN or INF"):
        trained(True, dataset, net=nn.Dense(4, 2), callbacks=monitor)


def stepping():
    """A training step of a layer from fixed Parameters."""
    net = nn.Dense(4, 2, weight_init="ones", bias_init="zeros")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
    return step.set_train()


def losses_one_by_one(count):
    step, batches = stepping(), list(data().create_tuple_iterator(num_epochs=1)) * 2
    return [step(*batch).item() for batch in batches[:count]]


def test_data_sink_of_a_compiled_function():
    step = stepping()
    sunk = ms.data_sink(lambda x, y: step(x, y), data(), 3, ms.JitConfig())
    losses = [sunk().item(), sunk().item()]
    np.testing.assert_allclose(losses, losses_one_by_one(6)[2::3], rtol=1e-6)


def test_a_network_connected_with_its_data(mode):
    helper, step = train.DatasetHelper(data(), True, sink_size=3), stepping()
    connected = ms.connect_network_with_dataset(step, helper)
    assert helper.sink_size() == 3
    np.testing.assert_allclose([connected().item(), connected().item()], losses_one_by_one(6)[2::3], rtol=1e-6)
    with pytest.raises(ValueError, match="connected to another network"):
        ms.connect_network_with_dataset(nn.Dense(4, 2), helper)
    with pytest.raises(RuntimeError, match="must be in sink mode"):
        ms.connect_network_with_dataset(step, train.DatasetHelper(data(), False))


def test_steps_in_sink_mode_are_those_of_other_calls(graph_mode):
    net = seeded()
    model = train.Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(1, data(), dataset_sink_mode=True)
    plans = list(model.train_network._plans_.plans)
    model.train(1, data(), dataset_sink_mode=False)
    assert plans and list(model.train_network._plans_.plans) == plans
