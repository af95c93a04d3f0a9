"""Padded programs where the CPU plays an accelerator: results keep their padding until they are needed without it."""

import copy
import gc
import os
import subprocess
import sys
import threading

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.engine import host
from msgrad.engine.execution import costs, donation, execute, resizing, tiers
from msgrad.engine.execution.executables import Executable
from msgrad.engine.uncropped import Uncropped
from msgrad.ops.attention import kernels
from msgrad.ops.attention.formulations import whole
from tests.engine.lengths.arrays import floats
from tests.engine.lengths.programs import Decoder, generated, losses, seeded, training

# By the exact ones.
pytestmark = pytest.mark.filterwarnings("ignore:.*different programs and hardly reused any:RuntimeWarning")


@pytest.fixture(autouse=True)
def cropped(monkeypatch):
    """Lets the CPU play a device whose arrays the host must fetch; the shapes of results that are cropped there."""
    monkeypatch.setattr(host, "is_cpu", lambda device: False)
    resizing._executable.cache_clear()
    shapes, crop = [], Uncropped.array
    monkeypatch.setattr(Uncropped, "array", lambda self: shapes.append(self.shape) or crop(self))
    yield shapes
    Uncropped.exist = False


def compiled_since(before):
    after = execute.report()
    return [after[name] - before[name] for name in ("programs compiled", "operations compiled")]


def test_growing_cache_stays_padded_on_the_device(mode, exact, cropped):
    tokens = np.arange(9, dtype=np.int32).reshape(1, 9)
    make = lambda: Decoder(width=28)  # noqa: E731  # of a structure that no other test has
    expected = exact(generated, seeded(make), tokens, 40)
    net, before = seeded(make), execute.report()
    results = generated(net, tokens, 40)
    # Of the prompt, of the first two sizes, and one for all others; what gives a cache of the third size its padding.
    assert compiled_since(before) == [4, 1] and not cropped
    for result, value in zip(results, expected, strict=True):
        np.testing.assert_allclose(result, value, rtol=2e-6, atol=2e-6)


def test_ragged_training_shares_few_programs(mode, exact, cropped):
    lengths = [10, 13, 12, 20, 11, 19, 14, 30, 17, 16, 15, 25]
    expected = exact(losses, training(width=24), lengths)
    step, before = training(width=24), execute.report()
    results = losses(step, lengths)
    assert compiled_since(before)[0] <= 6 and not cropped  # 13 without
    np.testing.assert_allclose(results, expected, rtol=2e-6)


def test_program_that_pads_operands_of_the_device_each_time_is_compiled_alone_in_the_end(monkeypatch):
    monkeypatch.setattr(costs, "ACCELERATOR", costs.ACCELERATOR._replace(compiling=420e-6, compiling_each=0.0))
    run, before = ms.jit(lambda x: ops.tanh(x) * 3.0), execute.report()

    def launched(make, times):
        for _ in range(times):
            x = make()
            np.testing.assert_allclose(run(Tensor(x)).asnumpy(), np.tanh(x) * 3, rtol=1e-6)
        return compiled_since(before)[0]

    for length in (30, 31, 32):
        launched(lambda: floats(4, length), 1)  # noqa: B023
    assert launched(lambda: floats(4, 33), 12) == 3  # which the host has
    assert launched(lambda: jax.numpy.asarray(floats(4, 34)), 7) == 3
    assert launched(lambda: jax.numpy.asarray(floats(4, 34)), 7) == 4


def test_programs_with_kernels_share_one_without(monkeypatch):
    def kernel(*operands):  # with a primitive that has no rule
        return jax.numpy.fft.fft(whole(*operands).astype(np.complex64)).real.astype(jax.numpy.bfloat16)

    def attend(x):
        return ops.matmul(ops.softmax(ops.matmul(x, x.swapaxes(-1, -2)) * 0.25, -1), x)

    monkeypatch.setattr(kernels, "platforms", lambda: ("cuda",))
    monkeypatch.setattr(kernels, "kernels_for", lambda *args: {"cuda": lambda: used.append(args) or kernel(*args)})
    used, run, before = [], ms.jit(attend), execute.report()
    for length in (70, 81, 92, 103, 77, 99):
        x = Tensor(floats(1, 2, length, 16), ms.bfloat16)
        rows = x.float().asnumpy()
        weights = np.exp(rows @ rows.swapaxes(-1, -2) * 0.25)
        expected = weights / weights.sum(-1, keepdims=True) @ rows
        np.testing.assert_allclose(run(x).float().asnumpy(), expected, rtol=0.05, atol=0.05)
    assert used and compiled_since(before)[0] == 3
    run(Tensor(floats(1, 2, 2100, 16), ms.bfloat16))  # too long for all weights
    assert compiled_since(before)[0] == 4


# -- what a result with padding is -------------------------------------------------------------------------------------


@ms.jit
def doubled(x):
    return ops.tanh(x) * 2.0


def uncropped(length, fn=doubled, rows=3):
    """A result of ``fn`` with padding, and its values."""
    for each in (20, 21, 22):
        fn(Tensor(floats(rows, each)))
    x = floats(rows, length)
    result = fn(Tensor(x))
    assert type(result._own_state_()) is Uncropped and result._own_state_().padded.shape > (rows, length)
    return result, np.tanh(x) * 2


def check(tensor, values):
    np.testing.assert_allclose(tensor.asnumpy(), values, rtol=1e-6)


def in_place(x, values):
    x[:, 3] = 0.5
    values[:, 3] = 0.5
    return x, values


def through_numpy(x, values):
    x.asnumpy()[:, 2] = values[:, 2] = 7.0  # which share memory
    return x, values


def parameter(x, values):
    kept = ms.Parameter(ops.zeros(values.shape), name="kept")
    kept.set_data(x)
    return kept, values


def written(x, values):
    kept = Tensor(np.zeros(values.shape, np.float32))
    memory = kept.asnumpy()
    ops.assign(kept, x)
    np.testing.assert_allclose(memory, values, rtol=1e-6)
    return kept, values


def in_a_thread(x, values):
    results = []
    thread = threading.Thread(target=lambda: results.append(x + 1.0))
    thread.start()
    thread.join()
    return results[0], values + 1


USES = {
    "a host read": lambda x, values: (x, values),
    "an operation": lambda x, values: (x * x, values * values),
    "a product": lambda x, values: (ops.matmul(x, x.T), values @ values.T),
    "a view": lambda x, values: (x[:, 1:-1], values[:, 1:-1]),
    "in place": in_place,
    "in place through a view": lambda x, values: (in_place(x[:, :9], values[:, :9]) and x, values),
    "memory shared with NumPy": through_numpy,
    "a copy": lambda x, values: (copy.deepcopy(x), values),
    "a Parameter": parameter,
    "a write to shared memory": written,
    "a gradient": lambda x, values: (ms.grad(lambda y: (y**3).sum())(x), 3 * values**2),
    "vmap": lambda x, values: (ms.vmap(lambda row: row / row.sum())(x), values / values.sum(1, keepdims=True)),
    "JAX": lambda x, values: (Tensor(jax.numpy.exp(x.value())), np.exp(values)),
    "the user's own transform": lambda x, values: (
        Tensor(jax.jit(lambda y: (x * Tensor(y)).value())(jax.numpy.full(values.shape, 2.0))), values * 2
    ),
    "after the user's own transform": lambda x, values: (
        jax.jit(lambda y: (x * Tensor(y)).value())(jax.numpy.ones(values.shape)) is None or x + 1.0, values + 1
    ),
    "DLPack": lambda x, values: (Tensor(np.from_dlpack(x)), values),
    "another thread": in_a_thread,
    "a program that is not padded": lambda x, values: (ms.jit(lambda y: y.sort(-1)[0])(x), np.sort(values)),
    "the next padded program": lambda x, values: (doubled(x), np.tanh(values) * 2),
}  # fmt: skip


@pytest.mark.parametrize("use", USES)
def test_result_with_padding_is_used_as_any_other(use):
    x, values = uncropped(23)
    assert x.shape == values.shape and x.dtype == ms.float32 and x.nbytes == values.nbytes
    check(*USES[use](x, values.copy()))


def test_host_read_needs_no_program_and_padded_program_no_cropping(cropped):
    x, values = uncropped(23)
    before = execute.report()
    np.testing.assert_allclose(x._values_(), values, rtol=1e-6)
    check(doubled(x), np.tanh(values) * 2)
    assert compiled_since(before) == [0, 0] and not cropped
    total = ops.expm1(x)
    assert (3, 23) in cropped
    check(doubled(x), np.tanh(values) * 2)  # its padding is found again
    check(total, np.expm1(values))
    assert compiled_since(before) == [0, 2]  # the operation, and what crops
    del x, total
    gc.collect()
    assert not [each for each in resizing._originals.values() if each.shape[0] == 3 and each.shape[1] > 23]


def test_launch_never_overwrites_a_result_with_padding(mode):
    run = ms.jit(lambda x: ops.assign(x, x * 2.0).sum())
    x, values = uncropped(1000, rows=40)
    assert x.nbytes > donation.LEAST_BYTES
    other = ms.Parameter(x, name="other")  # of the same array
    for turn in (1, 2):
        run(other)
        np.testing.assert_allclose(other.asnumpy(), values * 2**turn, rtol=1e-6)
    np.testing.assert_allclose(x.asnumpy(), values, rtol=1e-6)


# -- how padding is made ----------------------------------------------------------------------------------------------


SHAPES = [((3, 5), (3, 8)), ((3, 8), (3, 5)), ((3, 8), (4, 2)), ((2, 3, 1), (2, 6, 4))]


@pytest.mark.parametrize("before, after", SHAPES)
def test_resized_by_the_host_and_by_the_device(before, after, monkeypatch):
    values = floats(*before)
    expected = np.zeros(after, np.float32)
    common = tuple(map(slice, map(min, before, after)))
    expected[common] = values[common]
    array = jax.numpy.asarray(values)
    counts = execute.report()
    np.testing.assert_array_equal(resizing._resized(array, after, Executable), expected)
    assert compiled_since(counts) == [0, 1]
    monkeypatch.setattr(tiers.Tiers, "allowed", True)  # fetched, until that costs more
    resizing._executable.cache_clear()
    np.testing.assert_array_equal(resizing._resized(array, after, Executable), expected)
    np.testing.assert_array_equal(resizing._resized(host.to_device(values), after, Executable), expected)
    assert compiled_since(counts) == [0, 1]


def test_host_fetches_little_of_a_large_bucket(monkeypatch):
    fetched, values_of = [], host.values_of
    monkeypatch.setattr(host, "values_of", lambda array: fetched.append(array.shape) or values_of(array))
    values, before = floats(512, 1030), execute.report()
    cropping, padded = resizing.Cropping(Executable), jax.numpy.asarray(values)
    for rows in (5, 6, 7, 8):
        np.testing.assert_array_equal(cropping.values(padded, (rows, 1030)), values[:rows])
    assert fetched == [(8, 1030)] * 4 and compiled_since(before) == [0, 1]
    np.testing.assert_array_equal(cropping.array(padded, (5, 1000)), values[:5, :1000])
    assert compiled_since(before)[1] == 3  # to (8, 1024), and to the shape itself
    np.testing.assert_array_equal(cropping.values(padded, (400, 1000)), values[:400, :1000])
    assert fetched[-1] == padded.shape


# Two devices, the second of which plays an accelerator.
SCRIPT = """
import jax, numpy as np
import msgrad as ms
from msgrad import Tensor, ops
from msgrad.engine import host
from msgrad.engine.execution import execute
from msgrad.engine.uncropped import Uncropped

first, second = jax.devices()
host.is_cpu = lambda device: device is first
run = ms.jit(lambda x: ops.tanh(x) * 2.0)
with jax.default_device(second):
    for length in (20, 21, 22, 23):
        x = np.random.default_rng(0).standard_normal((4, length)).astype(np.float32)
        result = run(Tensor(x))
    assert type(result._own_state_()) is Uncropped
    np.testing.assert_allclose((result + 0.0).asnumpy(), np.tanh(x) * 2, rtol=1e-6)
    assert result._array_().devices() == {second}
    before = execute.report()["programs compiled"]
    for length in (24, 25, 26, 27):
        mesh = jax.sharding.Mesh(np.array([first, second]), "x")
        x = np.random.default_rng(0).standard_normal((4, length)).astype(np.float32)
        sharded = jax.device_put(x, jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec("x")))
        result = run(Tensor(sharded))
        assert result._array_().devices() == {first, second}
        np.testing.assert_allclose(result.asnumpy(), np.tanh(x) * 2, rtol=1e-6)
    assert execute.report()["programs compiled"] - before == 3
"""


def test_arrays_on_several_devices_are_padded_there():
    variables = {"XLA_FLAGS": "--xla_force_host_platform_device_count=2", "MSGRAD_CACHE": "off", "MSGRAD_TIERS": "off"}
    subprocess.run([sys.executable, "-c", SCRIPT], env=os.environ | variables, check=True, timeout=100)
