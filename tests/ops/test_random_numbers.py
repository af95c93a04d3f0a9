"""Random operations of a seed: MindSpore's own numbers, call by call, recorded and compiled."""

import json
import pathlib
import zlib

import jax
import numpy as np
import pytest

import msgrad as mindspore
from msgrad import Tensor, nn, ops
from msgrad._random import distributions, streams
from msgrad.engine.jax_options import Tracing
from msgrad.ops.random import kernels

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "random.json").read_text())
# Rounded otherwise: the logarithm of one normal number in 300; a product and a sum that XLA makes one operation.
ROUNDED = ("randn", "ormal", "uniform(", "rrelu", "RReLU", "float64", "Tensor(1.0), Tensor(2.0)")
OF_LOGARITHMS = ("gumbel_softmax", "distribution.")  # float32 ones, of numbers near 1 too


@pytest.mark.parametrize("is_jitted", [False, True], ids=["pynative", "jit"])
@pytest.mark.parametrize("row", GOLDEN, ids=lambda row: row[0])
def test_numbers_are_mindspores(row, is_jitted):
    source, expected = row[0], row[1 + is_jitted]
    mindspore.set_seed(5)
    setup, _, call = source.rpartition(";")
    scope = {"mindspore": mindspore, "np": np, "nn": nn, "ops": ops, "Tensor": Tensor}
    exec("x = Tensor(np.arange(1, 13).reshape(3, 4).astype(np.float32))\n" + setup, scope)
    drawn = mindspore.jit(lambda: eval(call, scope)) if is_jitted else lambda: eval(call, scope)
    if is_jitted and "with_mask" in source:
        expected = expected[:1]  # the count of True is read, so each call is recorded, and takes new seeds
    for values in expected:
        actual = drawn().asnumpy()
        if isinstance(values, int):
            assert zlib.crc32(actual.tobytes()) == values
        elif any(name in source for name in OF_LOGARITHMS):
            np.testing.assert_allclose(actual, values, rtol=2e-5)
        elif any(name in source for name in ROUNDED):
            np.testing.assert_allclose(actual, values, rtol=3e-7)
        else:
            assert actual.astype(np.float64).tolist() == values


def test_set_seed_starts_the_counts_of_calls_again():
    mindspore.set_seed(2)
    first = ops.rand(2).tolist(), ops.rand(2).tolist()
    assert first[0] != first[1]
    mindspore.set_seed(2)
    assert (ops.rand(2).tolist(), ops.rand(2).tolist()) == first


def test_streams_go_back_to_a_state():
    mindspore.set_seed(3)
    old, later = ops.UniformReal(1, 2), ops.StandardNormal(1, 2)
    old((2,))
    state = streams.state()
    first = old((2,)).tolist(), later((3,)).tolist(), ops.dropout(ops.ones((9,)), 0.5).tolist()
    streams.set_state(state)
    assert (old((2,)).tolist(), later((3,)).tolist(), ops.dropout(ops.ones((9,)), 0.5).tolist()) == first


@pytest.mark.parametrize("count", [0, 1, 5, 4096, 100_000])
def test_normal_numbers_have_their_moments(count):
    values = distributions.Normals((1, 2), (count,)).next_key()
    assert values.shape == (count,) and values.dtype == np.float32
    if count > 4000:
        assert abs(values.mean()) < 5 / count**0.5 and abs(values.std() - 1) < 5 / count**0.5


def test_each_call_in_a_graph_has_a_kernel_of_its_own():
    """As in MindSpore, two calls of one object in a graph draw the same, and each goes on from run to run."""
    x, drawn = ops.ones((10,)), []
    for source in ("draw(x)", "(draw(x), draw(x))"):
        mindspore.set_seed(6)
        scope = {"x": x, "draw": nn.Dropout(p=0.5).set_train()}
        call = mindspore.jit(eval(f"lambda: {source}", scope))
        drawn.append([call() for _ in range(3)])
    for alone, (first, second) in zip(*drawn, strict=True):
        assert first.tolist() == second.tolist() == alone.tolist()
    assert drawn[0][0].tolist() == [0, 2, 2, 2, 0, 2, 0, 0, 0, 0]  # MindSpore's
    assert drawn[0][1].tolist() == [0, 0, 0, 0, 2, 2, 2, 0, 2, 2]


def test_random_primitives_have_subclasses_and_strategies():
    class Halved(ops.Dropout):
        def __init__(self, share):
            super().__init__(0.5, Seed0=3)
            self.share = share

        def __call__(self, x):
            return super().__call__(x)[0] * self.share

    x = Tensor(np.ones(100, np.float32))
    kept = Halved(0.5)(x).asnumpy()
    assert set(kept) == {0, 1} and ops.Dropout is not Halved
    dropout = ops.Dropout(0.5, Seed0=3)
    dropout.shard(((1,),))  # without several devices it does nothing
    np.testing.assert_array_equal(dropout(x)[0].asnumpy() / 2, kept)
    assert type(dropout).__name__ == "Dropout" and isinstance(dropout, ops.Dropout)


@pytest.mark.parametrize("count", [0, 1, 2, 3, 100, 5000, 1 << 16])
def test_an_order_by_a_key_has_each_index_once(count):
    with Tracing():
        data = Tensor(np.asarray(jax.random.key_data(jax.random.key(3))))
    order = kernels.permutation(data, count, mindspore.int32)
    np.testing.assert_array_equal(np.sort(order.asnumpy()), np.arange(count))
    elements = ops.arange(count) * 3
    np.testing.assert_array_equal(kernels.permuted(data, elements).asnumpy(), order.asnumpy() * 3)


def test_orders_by_keys_are_equally_likely():
    rows = np.array([mindspore.mint.randperm(4).asnumpy() for _ in range(6000)])
    chances = np.array([(rows[:, place] == value).mean() for place in range(4) for value in range(4)])
    np.testing.assert_allclose(chances, 0.25, atol=0.03)
    pairs = np.array([((rows[:, 0] == first) & (rows[:, 1] == 3)).mean() for first in range(3)])
    np.testing.assert_allclose(pairs, 1 / 12, atol=0.02)


def test_unseeded_choices_and_ints_have_their_chances():
    weights = [1.0, 0.0, 2.0, 5.0, 0.0]
    chosen = ops.multinomial(Tensor([weights, weights[::-1]]), 40000).asnumpy()
    logits = ops.log(Tensor([weights]))
    chosen = [*chosen[:1], 4 - chosen[1], *ops.random_categorical(logits, 40000).asnumpy()]
    for row in chosen:
        np.testing.assert_allclose(np.bincount(row, minlength=5) / 40000, np.array(weights) / 8, atol=0.015)
    for low, high in (0, 10), (-3, 70000), (-(2**40), 2**40):  # of one word each, and of several
        numbers = ops.randint(low, high, (40000,)).asnumpy()
        assert low <= numbers.min() and numbers.max() < high
        np.testing.assert_allclose(((numbers - low) / (high - low) * 5).astype(int).mean(), 2, atol=0.05)
        assert len(np.unique(numbers)) > min(high - low, 20000) - 1
