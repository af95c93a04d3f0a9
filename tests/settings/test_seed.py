"""`set_seed` and the Generator; messages and states are those of MindSpore 2.10.0."""

import re

import numpy as np
import pytest

import msgrad as ms
from msgrad.engine import random


@pytest.fixture(autouse=True)
def keep_the_seeds(monkeypatch):
    state, numpy_state = random.default_generator.get_state(), np.random.get_state()
    yield
    random.default_generator.set_state(state)
    np.random.set_state(numpy_state)


def test_set_seed_restarts_the_generator_and_numpy():
    ms.set_seed(5)
    first = random.default_generator.next_key().tolist(), np.random.rand()
    ms.set_seed(5)
    assert (random.default_generator.next_key().tolist(), np.random.rand()) == first
    assert ms.get_seed() == 5


def test_manual_seed_leaves_the_global_seed():
    ms.set_seed(5)
    assert ms.manual_seed(7) is ms.default_generator
    assert ms.get_seed() == 5 and ms.initial_seed() == 7


@pytest.mark.parametrize(
    "seed, kind, message",
    [
        (-1, ValueError, "For 'set_seed', the 'seed' must be in the range [0, 2**32)"),
        (1.5, TypeError, "For 'set_seed', the 'seed' must be an int"),
        (None, TypeError, "For 'set_seed', the 'seed' must be an int"),
        (True, TypeError, "For 'set_seed', the 'seed' must be an int"),
        (2**32, ValueError, "For 'set_seed', the 'seed' must be in the range [0, 2**32)"),
    ],
)
def test_refused_seeds_change_nothing(seed, kind, message):
    ms.set_seed(3)
    with pytest.raises(kind, match=re.escape(message)):
        ms.set_seed(seed)
    assert ms.get_seed() == 3 and ms.initial_seed() == 3


def test_a_generator_starts_at_seed_zero():
    assert ms.Generator().initial_seed() == 0


@pytest.mark.parametrize("seed", [1.5, "a", None])
def test_manual_seed_wants_an_int(seed):
    with pytest.raises(TypeError, match="For 'manual_seed', the 'seed' must be an int"):
        ms.Generator().manual_seed(seed)


def test_the_state_is_a_tensor_with_the_layout_of_mindspore():
    state = ms.Generator().manual_seed(2**32).get_state()
    assert state.dtype == ms.dtype.uint8
    assert state.asnumpy().tolist() == [0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]


def test_state_round_trip():
    generator = ms.Generator().manual_seed(4)
    generator.next_key()
    state = generator.get_state()
    expected = generator.next_key().tolist()
    other = ms.Generator()
    other.set_state(state)
    assert other.next_key().tolist() == expected
    with pytest.raises(RuntimeError, match="Invalid tensor input: State"):
        other.set_state([1, 2])


def test_rng_state_is_the_default_generators():
    ms.set_seed(1)
    state = ms.get_rng_state()
    first = ms.default_generator.next_key().tolist()
    ms.set_rng_state(state)
    assert random.default_generator.next_key().tolist() == first


def test_seed_is_fresh_and_told():
    assert ms.seed() == ms.initial_seed()


@pytest.mark.parametrize("seed", [-1, -(2**63), 2**63 - 1, 2**31, 0])
def test_a_generator_keeps_an_int64(seed):
    generator = ms.Generator().manual_seed(seed)
    assert generator.initial_seed() == seed
    expected = [*np.array([seed], "<i8").view(np.uint8).tolist(), *[0] * 8]  # as MindSpore 2.10's
    assert generator.get_state().asnumpy().tolist() == expected


@pytest.mark.parametrize("seed", [2**63, -(2**63) - 1])
def test_a_seed_of_more_bits_is_refused(seed):
    with pytest.raises(RuntimeError, match="For 'manual_seed', the 'seed' must be an int64"):
        ms.Generator().manual_seed(seed)
