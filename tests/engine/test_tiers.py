"""Tiers: NumPy or XLA by the number of launches alone, with the same results."""

import subprocess
import sys
import types
import weakref

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine import handle, host
from msgrad.engine.bounded import Bounded
from msgrad.engine.execution import at_once, costs, tiers
from msgrad.engine.execution.execute import report
from msgrad.engine.execution.tiers import Tiers
from msgrad.engine.interpreter import generated_programs, make_plan
from msgrad.engine.interpreter.blas_threads import one_thread
from msgrad.engine.interpreter.generated import function_from
from msgrad.engine.interpreter.kernels import Kernels
from msgrad.engine.interpreter.subnormals import flushed, quietly_flushed
from msgrad.engine.separation import barriers


@pytest.fixture(autouse=True)
def _interpreting(monkeypatch, compiled):
    monkeypatch.setattr(Tiers, "allowed", True)


def change(before, name):
    return report()[name] - before[name]


def test_a_small_operation_is_compiled_after_many_launches(monkeypatch):
    cheap = costs.CPU._replace(compiling=50 * costs.CPU.interpreting, compiling_kind=0, compiling_each=0, pace=1)
    monkeypatch.setattr(costs, "CPU", cheap)
    x = Tensor(jax.numpy.arange(7, dtype=np.float32))  # which only the device has: NumPy does not compute it at once
    before = report()
    results = [ops.log1p(x).asnumpy() for _ in range(60)]
    assert 40 <= change(before, "run by NumPy") <= 50
    assert change(before, "operations compiled") <= 1
    np.testing.assert_allclose(results[-1], results[0], rtol=3e-7)
    before = report()
    ops.log1p(Tensor(jax.numpy.arange(8, dtype=np.float32))).asnumpy()  # another shape
    assert change(before, "run by NumPy") == 1


def test_much_work_is_compiled_at_once():
    x, before = Tensor(np.ones((1000, 1000), np.float32)), report()
    ops.matmul(x, x).asnumpy()
    assert change(before, "run by NumPy") == 0


@pytest.mark.parametrize(
    "run",
    [
        lambda x: ops.flip(x, (1,)),
        lambda x: ops.interpolate(x[:512].reshape(1, 2, 256, 1000), size=(512, 2000), mode="nearest"),
    ],
    ids=["flip", "interpolate"],
)
def test_large_views_that_are_copied_afterwards_are_compiled(run):
    x, before = Tensor(np.ones((1000, 1000), np.float32)), report()
    for _ in range(80):
        run(x)
    assert change(before, "operations compiled") >= 1


def test_what_numpy_cannot_run_keeps_no_value_alive():
    x = Tensor(np.full((5, 3), 2.0, np.float32))
    seen = weakref.ref(x)
    for _ in range(2):
        ops.digamma(x).asnumpy()
    del x
    assert seen() is None


POSITIONS, UPDATES = Tensor([[0, 1], [1, 2]]), Tensor([[1.0, 2.0], [3.0, 4.0]])
TINY = Tensor(np.array([2e-40, 1e-40, 0], np.float32))
COMPLEX = Tensor(np.array([0, np.inf, complex(np.nan, 1), complex(1, -np.inf), 1e300], np.complex128))


class Assigning(nn.Cell):
    def construct(self, positions, updates):
        y = ops.zeros(3)
        y[positions.transpose(1, 0)] = updates.transpose(1, 0)
        return y


BOTH = {  # a call, and its value if that is the point
    "duplicate positions in a Cell": (lambda: Assigning()(POSITIONS, UPDATES), [1, 2, 4]),
    "duplicate positions of transposed views": (
        lambda: ms.jit(
            lambda i, u: ops.tensor_scatter_update(
                ops.zeros(3), ops.expand_dims(i.transpose(1, 0), -1), u.transpose(1, 0)
            )
        )(POSITIONS, UPDATES),
        [1, 2, 4],
    ),
    "a subnormal compared": (lambda: TINY > 0, [False, False, False]),
    "a subnormal multiplied": (lambda: TINY * 1e30, [0, 0, 0]),
    "a subnormal of float64": (lambda: Tensor(np.array([1e-310])) * 1e300, [0]),
    "the remainder by a subnormal": (lambda: ops.fmod(Tensor([1.0]), Tensor(np.array([1e-40], np.float32))), [np.nan]),
    "the logarithm of a subnormal": (lambda: ops.log(ops.exp(Tensor([-90.0]))), [-np.inf]),
    "argmax of subnormals": (lambda: ops.argmax(-TINY), 0),
    "an order of subnormals": (lambda: ops.sort(TINY)[1], [0, 1, 2]),
    "lgamma that overflows": (lambda: ops.lgamma(Tensor(np.array([1e307]))), [np.inf]),
    "sums of -0.0": (lambda: 1 / ops.sum(Tensor([[-0.0], [-0.0]]), 1), [-np.inf, -np.inf]),
    "a product that overflows": (lambda: ops.cumprod(Tensor(np.float32([0, *[1e30] * 20, 1e-30])), 0), None),
    "a reversed product that overflows": (lambda: ops.CumProd(reverse=True)(Tensor(np.float32([1e30] * 40)), 0), None),
    "0 to a complex power": (lambda: ops.pow(COMPLEX, COMPLEX), None),
    "expm1 of complex numbers": (lambda: ops.expm1(COMPLEX), None),
    "tan of complex numbers": (lambda: ops.tan(COMPLEX), None),
    "sign of complex numbers": (lambda: ops.sign(COMPLEX), None),
}


@pytest.mark.parametrize("call, expected", BOTH.values(), ids=BOTH)
def test_both_tiers_give(call, expected, monkeypatch):
    interpreted = call().asnumpy()
    monkeypatch.setattr(Tiers, "allowed", False)
    np.testing.assert_array_equal(interpreted, call().asnumpy())
    if expected is not None:
        np.testing.assert_array_equal(interpreted, expected)


def test_numpy_of_the_user_keeps_subnormals():
    def product():
        return np.float32(1e-40) * np.float32(1e30)

    _ = (TINY * 3).asnumpy()
    assert product() > 0
    with flushed:
        with flushed:  # as in a finalizer that computes
            pass
        assert product() == 0
    assert product() > 0
    lines, known = quietly_flushed("product")
    assert function_from("", lines, known | {"product": product})() == 0 and product() > 0
    with pytest.raises(ZeroDivisionError):
        function_from("", lines, known | {"product": lambda: 1 / 0})()
    assert product() > 0


@pytest.mark.parametrize("allowed", [True, False])
def test_masks_keep_nan(allowed, monkeypatch):
    monkeypatch.setattr(Tiers, "allowed", allowed)
    mask, x = Tensor([True, False, False]), Tensor(np.array([np.inf, np.inf, np.nan], np.float32))
    expected = [np.inf, np.nan, np.nan]
    for product in (mask * x, ops.mul(x, mask), ms.jit(lambda mask, x: mask.astype(ms.float32) * x)(mask, x)):
        np.testing.assert_array_equal(product.asnumpy(), expected)
    np.testing.assert_array_equal((Tensor([[False, True]]) / mask[:2]).asnumpy(), [[0, np.inf]])


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3, pad_mode="valid", weight_init="ones")
        self.pool = nn.MaxPool2d(2, 2)
        self.dense = nn.Dense(18, 3, weight_init="ones")
        self.count = Parameter(Tensor(0.0), name="count", requires_grad=False)

    def construct(self, x):
        self.count += 1
        x = self.pool(ops.tanh(self.conv(x)))
        return self.dense(ops.flatten(x))


@pytest.mark.parametrize("name", ["PYNATIVE_MODE", "GRAPH_MODE"])
def test_training_is_the_same_in_both_tiers(name, monkeypatch):
    before = ms.get_context("mode")
    ms.set_context(mode=getattr(ms, name))
    try:
        interpreted = losses(6)
        monkeypatch.setattr(Tiers, "allowed", False)
        compiled = losses(6)
    finally:
        ms.set_context(mode=before)
    np.testing.assert_allclose(interpreted, compiled, rtol=2e-6)


def losses(steps):
    """The losses of some steps of a small network, and what it counted."""
    ms.set_seed(1)
    net, rng = Net(), np.random.default_rng(3)
    loss, optimizer = nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = ms.value_and_grad(lambda x, y: loss(net(x), y), None, optimizer.parameters)
    x, y = Tensor(rng.normal(size=(4, 1, 8, 8)).astype(np.float32)), Tensor(np.array([0, 1, 2, 1], np.int32))
    results = []
    for _ in range(steps):
        value, gradients = step(x, y)
        optimizer(gradients)
        results.append(value.item())
    return [*results, net.count.item()]


def test_a_program_is_compiled_after_a_few_launches():
    before = report()
    # Products that take so long that NumPy does not compute them at once.
    net, x = nn.SequentialCell(nn.Dense(300, 200), nn.ReLU(), nn.Dense(200, 2)), Tensor(np.ones((100, 300), np.float32))
    net(x)
    assert change(before, "programs compiled") == 0
    for _ in range(2000):
        net(x)
    assert change(before, "programs compiled") == 1
    assert 0 < change(before, "run by NumPy") < 2000


class Varied(nn.Cell):
    """A value that is used often, results that nothing uses, a constant, and an operation of many equations."""

    def construct(self, x):
        mean, largest = x.mean(1, keep_dims=True), ops.topk(x, 2)
        self.mean = mean
        y = ops.softmax(x - mean, 1) * ops.arange(x.shape[1]) + ops.cosine_similarity(x, x[:1], 1)[:, None]
        return y, largest[0], ops.var_mean(y, 1)[1], ops.zeros(3) + 1, x.T


def test_a_program_that_comes_again_is_one_function_of_numpy_s(monkeypatch):
    plans = []

    class Plan(tiers.ProgramPlan):
        def __init__(self, *parts):
            super().__init__(*parts)
            plans.append(self)

    monkeypatch.setattr(tiers, "ProgramPlan", Plan)
    monkeypatch.setattr(generated_programs, "_known", {})
    monkeypatch.setattr(at_once, "takes", lambda program: False)  # so that each call is recorded
    net, rng = Varied(), np.random.default_rng(0)
    for shape in ((4, 5), (3, 7)):
        x = Tensor(rng.uniform(-1, 1, shape).astype(np.float32))
        launches, is_function = [], []
        for _ in range(4):
            launches.append([each.asnumpy().tobytes() for each in (*net(x), net.mean)])
            is_function.append(plans[-1].function is not None)
        assert launches[0] == launches[1] == launches[2] == launches[3]
        # At another shape at once, as its code is there.
        assert is_function == ([False, False, True, True] if shape == (4, 5) else [True] * 4)
    first, second = [plan.function for plan in plans]
    assert first.__code__ is second.__code__  # compiled by Python once
    values = len({index for node, _ in plans[0].nodes for index in range(node.first, node.first + len(node.avals))})
    assert first.__code__.co_nlocals - first.__code__.co_argcount < values - 1  # names are free after their last use


def test_wirings_of_programs_are_kept_up_to_a_size(monkeypatch):
    monkeypatch.setattr(generated_programs, "_known", {})
    monkeypatch.setattr(generated_programs, "_kept", Bounded(50_000))
    long = tuple(((-1, k - 1), k, 1) for k in range(100))  # 31 kB each
    wirings = [generated_programs.wiring_of(long, 1, (last,)) for last in range(3)]
    assert generated_programs.wiring_of(long, 1, (2,)) is wirings[2]
    assert generated_programs.wiring_of(long, 1, (0,)) is not wirings[0]  # it was dropped, and is made again
    assert sum(wirings[2].function_of([lambda x, y: x + y] * 100)(1)) == 1 + 3


def test_views_see_values_that_are_still_being_computed():
    x = jax.jit(lambda x: (x @ x).sum(0))(jax.numpy.ones((1500, 1500)))
    assert tiers.views_of([x])[0][0] == 1500 * 1500
    others = np.ones(3), jax.numpy.ones(3, jax.numpy.bfloat16)
    assert [each.tolist() for each in tiers.views_of(others)] == [[1, 1, 1]] * 2


def test_donation_is_not_hindered_by_an_interpreted_launch():
    x = jax.numpy.ones(1 << 16) + 1
    place = x.unsafe_buffer_pointer()
    tiers.views_of([x])
    assert jax.jit(lambda x: x + 1, donate_argnums=0)(x).unsafe_buffer_pointer() == place


def test_plans_are_bounded(monkeypatch):
    most = 20 * tiers._EQUATION
    monkeypatch.setattr(tiers._kept, "maximum", most)
    x = Tensor(np.ones(5000, np.float32))  # too large to be computed at once
    for size in range(5000, 5057):
        ops.softmax(Tensor(np.ones(size, np.float32)))
    assert tiers._kept.size <= most
    before = report()
    assert ops.softmax(x).asnumpy() == pytest.approx(1 / 5000)
    assert change(before, "run by NumPy") == 1  # dropped, so planned again


def trials(monkeypatch, count, constant):
    """Trials of as many plans, each as large as that of a training step of a transformer of two layers."""
    monkeypatch.setattr(tiers, "_kept", Bounded(tiers._kept.maximum))
    plan = types.SimpleNamespace(
        size=750,
        kinds=200,
        kernels=Kernels(),
        seconds=0.01,
        compiled_seconds=0.0,
        making=0.0,
        result_bytes=0,
        constant_bytes=constant,
    )
    return [tiers.Trial(plan) for _ in range(count)]


def test_an_epoch_of_many_lengths_keeps_its_plans(monkeypatch):
    for each in trials(monkeypatch, 100, 0):
        each.plan((), lambda: pytest.fail("planned again"))


def test_constants_of_plans_count(monkeypatch):
    constant = np.ones((1, 1 << 22), np.float32)
    jaxpr = jax.make_jaxpr(lambda x: jax.lax.map(lambda row: row + constant, x))(np.ones((2, 1), np.float32))
    large, again = make_plan(jaxpr), []
    assert large.constant_bytes == constant.nbytes
    for each in trials(monkeypatch, 70, large.constant_bytes):
        each.plan((), lambda: again.append(1) or large)
    assert again


# Of `costs.CPU`'s comment: the numbers of primitives and of their kinds, and the processor seconds of compiling them.
COMPILED = [
    *[(1, 1, 0.04), (9, 8, 0.24), (35, 12, 0.61), (681, 12, 0.74), (103, 20, 0.38), (2003, 20, 0.64), (154, 77, 0.69)],
    *[(493, 77, 0.86), (1397, 77, 1.2), (480, 69, 1.7), (449, 188, 2.3), (1259, 188, 2.7), (403, 69, 0.8)],
    *[(1303, 69, 1.3), (63, 21, 1.1), (255, 21, 1.9), (313, 16, 0.3), (167, 42, 1.2)],
]
# Of small arrays: the numbers of primitives, of sums, of convolutions, and of their kinds, and the seconds, with
# barriers where there are any.
FUSED = [
    *[(258, 49, 0, 14, 1.0), (514, 97, 0, 14, 2.8), (1026, 193, 0, 14, 1.3), (2207, 193, 72, 21, 2.9)],
    *[(248, 39, 0, 100, 1.6), (992, 153, 0, 100, 3.9), (2976, 457, 0, 100, 5.5), (681, 81, 0, 12, 0.8)],
]


def test_the_costs_of_compiling_are_near_what_was_measured():
    rows = [(size, kinds, Kernels(alone=25 * (size == 480)), seconds) for size, kinds, seconds in COMPILED]
    rows += [(size, kinds, Kernels(0, size, sums, cuts), seconds) for size, sums, cuts, kinds, seconds in FUSED]
    plans = [types.SimpleNamespace(size=size, kinds=kinds, kernels=kernels) for size, kinds, kernels, _ in rows]
    there = costs.CPU._replace(pace=1.0)  # on the machine of these figures
    ratios = [there.of_compiling(plan) / row[-1] for plan, row in zip(plans, rows, strict=True)]
    assert 1 / 6 < min(ratios) and max(ratios) < 3 and min(ratios[len(COMPILED) :]) > 1 / 2
    assert 1 / 2 < np.exp(np.mean(np.log(ratios))) < 2
    layers = [make_plan(jax.make_jaxpr(deep(count))(np.ones((3, 3), np.float32))) for count in (2, 20)]
    assert layers[0].kinds == layers[1].kinds < layers[0].size < layers[1].size
    one_row = make_plan(jax.make_jaxpr(deep(20))(np.ones((3, 3), np.float32), np.ones((1, 3), np.float32)))
    assert layers[1].kernels.alone == 0 and (one_row.kinds, one_row.kernels.alone) == (2, 20)


def test_sums_of_small_arrays_count_as_often_as_what_they_are_fused_with(monkeypatch):
    def compiling(width, count):
        def run(x):
            for _ in range(count):
                x = jax.numpy.tanh(x) - x.sum(1, keepdims=True)
            return x

        return costs.CPU.of_compiling(make_plan(jax.make_jaxpr(run)(np.ones((8, width), np.float32))))

    with_barriers = compiling(16, 300)
    monkeypatch.setattr(barriers, "ALLOWED", False)
    assert compiling(16, 300) > 3 * compiling(16, 150) > 6 * compiling(1000, 300)
    assert compiling(16, 150) > 3 * with_barriers


def deep(count):
    """A function of equal layers."""

    def run(matrix, x=None):
        x = matrix if x is None else x
        for _ in range(count):
            x = jax.numpy.tanh(x @ matrix)
        return x

    return run


@pytest.fixture
def accelerator(monkeypatch):
    """Lets the CPU play a device whose arrays the host must fetch; counts what is fetched."""
    monkeypatch.setattr(host, "is_cpu", lambda device: False)
    fetched, views_of = [], tiers.views_of

    def counting(arrays):
        fetched.extend([array.shape for array in arrays if not host.has_values_of(array)])
        return views_of(arrays)

    monkeypatch.setattr(tiers, "views_of", counting)
    return fetched


def test_on_an_accelerator_small_values_stay_known_to_the_host(accelerator):
    before = report()
    x = Tensor(np.arange(11, dtype=np.float32))
    for _ in range(3000):  # a compiled launch would take as long each time
        x = ops.minimum(x + 1.0625, 97.25)  # numbers of no other test, whose arrays would be kept
    assert not accelerator
    assert change(before, "operations compiled") == 0
    assert x.asnumpy().tolist() == [97.25] * 11
    with pytest.raises(ValueError):
        host.kept_values(x._array_())[0] = 7


def test_on_an_accelerator_what_the_device_has_is_fetched_until_that_costs_as_much_as_compiling(accelerator):
    x, before = Tensor(jax.numpy.arange(13.0)), report()
    y = [Tensor(jax.numpy.ones(13) * k) for k in range(300)]
    results = [(x * each).asnumpy() for each in y]
    assert change(before, "operations compiled") == 1
    # Two operands each time; a compiled launch leaves nothing to fetch.
    assert change(before, "run by NumPy") == len(accelerator) / 2 == (80e-3 + 6e-3) // (2 * (600e-6 + 52e-9) + 13e-6)
    np.testing.assert_array_equal(results[-1], np.arange(13.0) * 299)


def test_on_an_accelerator_large_values_stay_there(accelerator):
    x, before = Tensor(jax.numpy.ones(1 << 25)), report()
    ops.sin(x)
    assert change(before, "run by NumPy") == 0 and not accelerator
    assert host.kept_values(host.to_device(np.ones(1 << 20, np.float32))) is None  # 4 MiB


def turns(x, most=10):
    """A loop that reads a value at each turn."""
    turn = 0
    while x.sum() < 1e9 and turn < most:
        x, turn = x * 1.001 + 0.001, turn + 1
    return turn


def test_on_an_accelerator_a_loop_fetches_one_value_a_turn(accelerator, monkeypatch):
    fetched, fetch = [], handle.values_of
    monkeypatch.setattr(handle, "values_of", lambda array: fetched.append(array.shape) or fetch(array))
    monkeypatch.setattr(costs, "ACCELERATOR", costs.ACCELERATOR._replace(compiling=0.0, compiling_each=0.0))

    def launched(x):
        before = report()
        turns(x)
        return change(before, "operations launched")

    assert launched(Tensor(np.ones((3, 7), np.float32))) == 0 and not fetched  # the host has the values
    assert launched(Tensor(jax.device_put(np.ones((3, 7), np.float32)))) == 4 * 10 + 2
    assert fetched == [()] * 11 and not accelerator


def test_on_an_accelerator_training_is_the_same(accelerator, monkeypatch):
    interpreted = losses(3)
    monkeypatch.setattr(Tiers, "allowed", False)
    np.testing.assert_allclose(interpreted, losses(3), rtol=2e-6)


def test_a_tensor_does_not_follow_its_data_on_an_accelerator(accelerator):
    array = np.ones(3, np.float32)
    tensor = Tensor(array)
    array[:] = 7
    assert tensor.sum() == 3 and (tensor + 1).tolist() == [2, 2, 2]


def test_under_the_user_s_own_transforms_nothing_is_interpreted():
    before = report()
    fn = jax.jit(lambda x: ops.tanh(Tensor(x)).value() * ops.exp(Tensor([1.0])).value())
    fn(jax.numpy.ones(3))
    assert change(before, "run by NumPy") == 0


def test_set_deterministic_compiles_everything(monkeypatch):
    monkeypatch.setenv("XLA_FLAGS", "")
    ms.set_deterministic(True)
    assert not Tiers.allowed
    ms.set_deterministic(False)
    assert Tiers.allowed


SCRIPT = """
import numpy as np
import msgrad as ms
from msgrad import Tensor, nn, ops
from msgrad.engine.execution.execute import report
net = nn.Dense(3, 2)
gradient = ms.grad(lambda x: ops.gelu(net(x)).sum())
for size in (2, 2, 3, 4, 2, 5):
    gradient(Tensor(np.ones((size, 3), np.float32)) * size)
print({name: count for name, count in report().items() if name != "sites"})
"""


def test_two_processes_take_the_same_tiers(tmp_path):
    counts = [
        subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert counts[0] == counts[1]
    assert "'run by NumPy': 0" not in counts[0]


def test_off_compiles_everything(monkeypatch):
    monkeypatch.setenv("MSGRAD_TIERS", "off")
    done = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert "'run by NumPy': 0" in done.stdout


@pytest.mark.skipif(one_thread._functions is None, reason="NumPy's BLAS is not OpenBLAS")
def test_products_have_one_thread_while_numpy_runs_a_plan_and_all_afterwards():
    count, _ = one_thread._functions
    seen, before = [], count()

    def plan(x):
        seen.append(count())
        with one_thread:  # as another of Python's threads would
            pass
        seen.append(count())
        return [x]

    tiers.interpret(plan, [np.ones(3, np.float32)])
    assert seen == [1, 1] and count() == before
    with pytest.raises(ZeroDivisionError):
        tiers.interpret(lambda x: 1 / 0, [np.ones(3, np.float32)])
    assert count() == before
