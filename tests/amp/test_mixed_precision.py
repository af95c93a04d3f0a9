"""Mixed precision and loss scales. Figures are MindSpore 2.10's, but where it needs another device than a CPU."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, amp, nn, ops
from msgrad.engine import report

X = Tensor(np.linspace(-1, 1, 24).reshape(6, 4).astype(np.float32))
Y = Tensor(np.linspace(0, 1, 12).reshape(6, 2).astype(np.float32))


class Seen(nn.Cell):
    """Notes the dtype of what passes."""

    def __init__(self):
        super().__init__()
        self.dtypes = []

    def construct(self, x):
        self.dtypes.append(x.dtype)
        return x


class Product(nn.Cell):
    def __init__(self):
        super().__init__()
        self.matmul = ops.MatMul()

    def construct(self, x):
        return self.matmul(x, x.T)


def net():
    ms.set_seed(1)
    return nn.SequentialCell(nn.Dense(4, 8), Seen(), nn.BatchNorm1d(8), Seen(), nn.ReLU(), nn.Dense(8, 2), Seen())


DTYPES = {  # level: what a layer, a normalisation and the last layer give, and the whole
    "O0": ([ms.float32, ms.float32, ms.float32], ms.float32),
    "O1": ([ms.float32, ms.float32, ms.float32], ms.float32),
    "O2": ([ms.float16, ms.float16, ms.float16], ms.float32),
    "O3": ([ms.float16, ms.float16, ms.float16], ms.float32),
}


@pytest.mark.parametrize("level", DTYPES)
def test_levels(level, mode):
    plain, network = net(), net()
    seen = [cell for _, cell in network.cells_and_names() if isinstance(cell, Seen)]
    lowered = amp.auto_mixed_precision(network, level)
    output = lowered(X)
    inner, outer = DTYPES[level]
    assert [cell.dtypes[-1] for cell in seen] == inner
    assert output.dtype == outer
    assert {p.dtype for p in lowered.get_parameters()} == {ms.float32}
    difference = np.abs(output.asnumpy() - plain(X).asnumpy()).max()
    assert (difference == 0) if level == "O0" else (0 < difference < 0.02)


def test_o1_lowers_primitives_that_cells_have():
    output = amp.auto_mixed_precision(Product(), "O1")(Tensor([[1.0, 1e-4]]))
    assert output.dtype == ms.float32
    assert output.item() == 1.0  # in float32 it would be 1.00000001


class Named(nn.Cell):
    """Parameters with names of their own."""

    def __init__(self):
        super().__init__()
        self.w = ms.Parameter(Tensor([1.0]), name="scale")
        self.dense = nn.Dense(1, 1)
        self.dense.weight.name = "kernel"
        self.tuple = ms.ParameterTuple([ms.Parameter(Tensor([1.0]), name="member")])

    def construct(self, x):
        return self.dense(x) * self.w


@pytest.mark.parametrize(
    ("lowered", "names"),
    [
        (lambda net: amp.auto_mixed_precision(net, "O1"), ["w", "member", "dense.weight", "dense.bias"]),
        (
            lambda net: amp.custom_mixed_precision(net, white_list=[nn.Conv2d]),
            ["w", "member", "dense.weight", "dense.bias"],
        ),
        (lambda net: amp.auto_mixed_precision(net, "O2"), ["scale", "member", "kernel", "dense.bias"]),
        (lambda net: amp.auto_mixed_precision(net, "auto"), ["scale", "member", "kernel", "dense.bias"]),
    ],
)
def test_white_lists_name_parameters_by_their_paths(lowered, names):
    network = Named()
    assert [parameter.name for parameter in lowered(network).get_parameters()] == names
    assert network.w.name == names[0]


def test_lists():
    assert nn.Dense in amp.get_white_list()
    assert ops.MatMul in amp.get_white_list()
    assert set(amp.get_black_list()) == {nn.BatchNorm1d, nn.BatchNorm2d, nn.BatchNorm3d, nn.LayerNorm}
    amp.get_white_list().clear()
    assert amp.get_white_list()


def test_custom_lists():
    network = amp.custom_mixed_precision(net(), white_list=[nn.BatchNorm1d], dtype=ms.bfloat16)
    assert network(X).dtype == ms.float32
    lowered = net()
    seen = [cell for _, cell in lowered.cells_and_names() if isinstance(cell, Seen)]
    amp.custom_mixed_precision(lowered, black_list=[nn.Dense])(X)
    assert [cell.dtypes[-1] for cell in seen] == [ms.float16] * 3


@pytest.mark.parametrize("level", DTYPES)
def test_training_steps_are_one_program(level, mode):
    network = net()
    network = nn.SequentialCell([cell for cell in network if not isinstance(cell, Seen)])
    step = amp.build_train_network(network, nn.Adam(network.trainable_params(), 0.01), nn.MSELoss(), level=level)
    first = step(X, Y)
    step(X, Y)
    launches = report()["launches"]
    losses = [step(X, Y) for _ in range(24)]
    assert report()["launches"] == launches + 24
    if level == "O2":
        assert isinstance(step, nn.TrainOneStepWithLossScaleCell)
        losses, first = [loss for loss, _, _ in losses], first[0]
    assert losses[-1].item() < first.item()


def test_a_static_scale_is_the_sens_of_the_step():
    network = nn.Dense(4, 2)
    manager = amp.FixedLossScaleManager(64.0, drop_overflow_update=False)
    optimizer = nn.SGD(network.trainable_params(), 0.1, loss_scale=64.0)
    step = amp.build_train_network(network, optimizer, nn.MSELoss(), level="O2", loss_scale_manager=manager)
    assert type(step) is nn.TrainOneStepCell
    assert step.sens == 64.0
    before = step(X, Y).item()
    assert step(X, Y).item() < before


def scaled_step(scale, network=None):
    network = network or nn.Dense(4, 2)
    optimizer = nn.Adam(network.trainable_params(), 0.01)
    return nn.TrainOneStepWithLossScaleCell(nn.WithLossCell(network, nn.MSELoss()), optimizer, scale)


def test_an_overflow_skips_the_step_within_one_program(mode):
    step = scaled_step(nn.DynamicLossScaleUpdateCell(1024, 2, 2))
    bad = Tensor(np.full((6, 4), np.inf, np.float32))
    step(X, Y)
    step(bad, Y)
    launches, compiled = report()["launches"], report()["programs compiled"]
    seen = []
    for data in (X, X, bad, X, X, X):
        before = [p.asnumpy().copy() for p in step.optimizer.get_parameters()]
        _, overflow, scale = step(data, Y)
        after = [p.asnumpy() for p in step.optimizer.get_parameters()]
        same = all(np.array_equal(one, other) for one, other in zip(before, after, strict=True))
        seen.append((overflow.item(), same, scale.item()))
    assert seen == [
        (False, False, 512), (False, False, 512), (True, True, 1024), (False, False, 512), (False, False, 512),
        (False, False, 1024),
    ]  # fmt: skip
    assert (report()["launches"], report()["programs compiled"]) == (launches + 6, compiled)
    assert step.optimizer.global_step.asnumpy().tolist() == [6]


def test_a_scale_as_a_tensor():
    step = scaled_step(Tensor(256.0))
    assert step(X, Y)[2].item() == 256
    step.set_sense_scale(Tensor(2.0))
    assert step(X, Y)[2].item() == 2


class Own(nn.TrainOneStepWithLossScaleCell):
    """A step as model zoos write it."""

    def construct(self, *inputs):
        loss = self.network(*inputs)
        status, scale = self.start_overflow_check(loss, self.scale_sense)
        sens = ops.ones_like(loss) * ops.cast(scale, loss.dtype)
        gradients = self.grad(self.network, self.weights)(*inputs, sens)
        gradients = self.hyper_map(lambda gradient: gradient / scale, gradients)
        condition = self.get_overflow_status(status, self.grad_reducer(gradients))
        if not self.process_loss_scale(condition):
            loss = ops.depend(loss, self.optimizer(gradients))
        return loss, condition, scale


def test_a_step_of_ones_own(mode):
    network = nn.Dense(4, 2)
    optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    step = Own(nn.WithLossCell(network, nn.MSELoss()), optimizer, nn.FixedLossScaleUpdateCell(1024))
    losses = [step(X, Y)[0].item() for _ in range(3)]
    assert losses[2] < losses[0]
    weight = network.weight.asnumpy()
    assert step(Tensor(np.full((6, 4), np.inf, np.float32)), Y)[1].item()
    assert np.array_equal(network.weight.asnumpy(), weight)


def test_a_loop_with_a_scaler(mode):
    network, scaler = nn.Dense(4, 2), amp.DynamicLossScaler(2**4, 2, 2)
    optimizer = nn.SGD(network.trainable_params(), 0.1)

    def forward(x, y):
        return scaler.scale(nn.MSELoss()(network(x), y))

    gradient = ms.value_and_grad(forward, None, optimizer.parameters)
    scales = []
    for _ in range(4):
        loss, gradients = gradient(X, Y)
        assert amp.all_finite(gradients)
        optimizer(scaler.unscale(gradients))
        scaler.adjust(amp.all_finite(gradients))
        scales.append((scaler.scale_value.item(), scaler.counter.item()))
    assert scales == [(16, 1), (32, 0), (32, 1), (64, 0)]
    scaler.adjust(Tensor(False))
    assert (scaler.scale_value.item(), scaler.counter.item()) == (32, 0)
    assert scaler.unscale(loss).dtype == ms.float32


def test_scales_stay_at_least_one_and_finite():
    scaler = amp.DynamicLossScaler(1.5, 4, 1)
    scaler.adjust(Tensor(False))
    assert scaler.scale_value.item() == 1
    scaler.scale_value.set_data(Tensor(3e38))
    scaler.adjust(Tensor(True))
    assert scaler.scale_value.item() == np.float32(3e38)


def test_static_scaler():
    scaler = amp.StaticLossScaler(4)
    low = scaler.scale((Tensor([1.0], ms.float16), Tensor([2.0])))
    assert [each.dtype for each in low] == [ms.float16, ms.float32]
    assert [each.item() for each in scaler.unscale(low)] == [1, 2]
    assert type(low) is tuple and type(scaler.scale([Tensor([1.0])])) is list
    assert scaler.adjust(Tensor(True)) is False


def test_managers():
    fixed = ms.FixedLossScaleManager(8.0)
    assert (fixed.get_loss_scale(), fixed.get_drop_overflow_update()) == (8.0, True)
    assert isinstance(fixed.get_update_cell(), nn.FixedLossScaleUpdateCell)
    dynamic = ms.DynamicLossScaleManager(16, 2, 2)
    scales = []
    for overflow in (False, True, False, False, False, True):
        dynamic.update_loss_scale(overflow)
        scales.append(dynamic.get_loss_scale())
    assert scales == [16, 8, 8, 16, 16, 8]


def test_reducers_and_parts(mode):
    network = nn.Dense(4, 2)
    gradients = (Tensor([2.0]), Tensor([4.0]))
    assert nn.DistributedGradReducer(network.trainable_params())(gradients) == gradients
    halved = nn.DistributedGradReducer(network.trainable_params(), mean=True, degree=2)(gradients)
    assert [each.item() for each in halved] == [1, 2]
    ms.set_auto_parallel_context(gradients_mean=True)
    try:
        by_context = nn.DistributedGradReducer(network.trainable_params(), degree=2)(gradients)
        summed = nn.DistributedGradReducer(network.trainable_params(), False, 2)(gradients)
    finally:
        ms.reset_auto_parallel_context()
    assert [each.item() for each in by_context] == [1, 2]
    assert summed == gradients
    optimizer = nn.SGD(network.trainable_params(), 0.1)
    assert [each.item() for each in nn.PipelineGradReducer(optimizer.parameters, 4.0)(gradients)] == [0.5, 1]
    loss = nn.WithLossCell(network, nn.MSELoss())
    whole = loss(X, Y).item()
    for kind in (nn.GradAccumulationCell, nn.MicroBatchInterleaved, nn.PipelineCell):
        assert kind(loss, 2)(X, Y).item() == pytest.approx(2 * whole, rel=1e-5)


ERRORS = [  # call, MindSpore's exception type, what the message has
    (lambda: amp.auto_mixed_precision(3, "O1"), TypeError, "the 'network' must be a Cell"),
    (lambda: amp.auto_mixed_precision(net(), "O5"), ValueError, "the 'amp_level' must be one of ('O0', 'O1'"),
    (lambda: amp.auto_mixed_precision(net(), "O2", ms.float32), ValueError, "the 'dtype' must be float16 or bfloat16"),
    (lambda: amp.custom_mixed_precision(net()), ValueError, "one of 'white_list' and 'black_list' must be given"),
    (lambda: amp.custom_mixed_precision(net(), white_list=[3]), TypeError, "the 'white_list' must be a list of subcl"),
    (lambda: amp.custom_mixed_precision(net(), black_list=(3,)), TypeError, "the 'black_list' must be a list"),
    (lambda: amp.build_train_network(net(), 3), TypeError, "the 'optimizer' must be an Optimizer"),
    (lambda: amp.StaticLossScaler(0.5), ValueError, "For 'StaticLossScaler', the 'scale_value' must be at least 1"),
    (lambda: amp.StaticLossScaler("a"), TypeError, "For 'StaticLossScaler', the 'scale_value' must be a number"),
    (lambda: amp.DynamicLossScaler(2, 0, 1), ValueError, "For 'DynamicLossScaler', the 'scale_factor' must be"),
    (lambda: amp.FixedLossScaleManager(0.5), ValueError, "the 'loss_scale' must be at least 1"),
    (lambda: amp.DynamicLossScaleManager(0.5), ValueError, "the 'init_loss_scale' must be at least 1"),
    (lambda: amp.DynamicLossScaleManager(2, 0), ValueError, "the 'scale_factor' must be a number above 0"),
    (lambda: scaled_step(3), TypeError, "the 'scale_sense' must be a Cell or a Tensor"),
    (lambda: scaled_step(Tensor([1.0, 2.0])), ValueError, "the 'scale_sense' must be of shape () or (1,)"),
    (lambda: scaled_step(Tensor(1.0)).set_sense_scale(2.0), TypeError, "the 'sens' must be a Tensor"),
    (lambda: nn.DistributedGradReducer([], degree=0), ValueError, "the 'degree' must be a positive int"),
    (lambda: nn.GradAccumulationCell(3, 2), TypeError, "For 'GradAccumulationCell', the 'network' must be a Cell"),
    (lambda: nn.GradAccumulationCell(net(), 0), ValueError, "the 'micro_size' must be a positive int"),
    (lambda: nn.MicroBatchInterleaved(net(), 4)(X), ValueError, "a first axis that 4 divides"),
    (lambda: nn.PipelineCell(net(), 2, {"a": 1}), KeyError, "the network has no Cell 'a'"),
]


@pytest.mark.parametrize(("call", "error", "text"), ERRORS)
def test_errors(call, error, text):
    with pytest.raises(error) as caught:
        call()
    assert text in str(caught.value)


def test_operands_of_two_storage_formats_become_float32():
    class Joined(nn.Cell):
        def construct(self, x, y):
            return ops.cat((x, y))

    formats = [Tensor([1.0]).astype(dtype) for dtype in (ms.float8_e5m2, ms.float8_e4m3fn)]
    joined = amp.auto_mixed_precision(Joined(), "auto")(*formats)
    assert (joined.tolist(), joined.dtype) == ([1.0, 1.0], ms.float32)
