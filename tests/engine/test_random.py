import copy
import pickle
import threading

import jax
import numpy as np
import pytest

from msgrad.engine.random import Generator


def draw(generator, count):
    return [tuple(generator.next_key().tolist()) for _ in range(count)]


def test_equal_seeds_give_equal_keys_and_other_seeds_other_keys():
    assert draw(Generator(5), 300) == draw(Generator(5), 300)
    assert not set(draw(Generator(5), 300)) & set(draw(Generator(6), 300))


def test_keys_do_not_repeat_across_blocks():
    assert len(set(draw(Generator(0), 1000))) == 1000


def test_the_stream_is_what_earlier_versions_gave():
    assert draw(Generator(1234), 2) == [(1600034448, 1437627264), (587238018, 2532871802)]


@pytest.mark.parametrize("drawn", [0, 1, 255, 256, 2**64 - 2])
def test_keys_can_be_seen_before_they_are_drawn(drawn):
    generator = Generator(5)
    generator.set_state(np.array([5, drawn], "<u8").view(np.uint8))
    for _ in range(2):
        seen = [tuple(generator.peek(count).tolist()) for count in range(3)]
        assert seen == draw(generator, 3)


def test_a_key_is_read_only_data_of_a_jax_key():
    key = Generator(1).next_key()
    assert key.dtype == np.uint32 and key.shape == (2,) and not key.flags.writeable
    assert jax.random.uniform(jax.random.wrap_key_data(key), (2,)).shape == (2,)


@pytest.mark.parametrize("drawn", [0, 1, 255, 256, 257])
def test_state_continues_the_stream(drawn):
    generator = Generator(2**63 + 7)
    draw(generator, drawn)
    state = generator.get_state()
    expected = draw(generator, 3)
    assert state.dtype == np.uint8 and state.shape == (16,)
    assert draw(Generator().set_state(state), 3) == expected
    assert generator.initial_seed() == 2**63 + 7


@pytest.mark.parametrize("again", [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))], ids=["deepcopy", "pickle"])
def test_copies_continue_on_their_own(again):
    generator = Generator(3)
    draw(generator, 4)
    assert draw(again(generator), 5) == draw(generator, 5)


@pytest.mark.parametrize("state", [None, [1, 2], np.zeros(16, np.int8), np.zeros(15, np.uint8)])
def test_a_state_of_another_kind_is_refused_and_changes_nothing(state):
    generator = Generator(3)
    before = generator.get_state()
    with pytest.raises(RuntimeError, match="Invalid tensor input: State"):
        generator.set_state(state)
    assert (generator.get_state() == before).all()


def test_seeds_are_taken_modulo_two_to_the_64():
    assert Generator(-1).initial_seed() == 2**64 - 1


def test_seed_draws_a_fresh_seed_and_tells_it():
    generator = Generator(3)
    seed = generator.seed()
    assert generator.initial_seed() == seed and draw(generator, 2) == draw(Generator(seed), 2)
    assert generator.seed() != seed


def test_threads_never_share_a_key():
    generator, keys = Generator(9), []
    threads = [threading.Thread(target=lambda: keys.extend(draw(generator, 2000))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(keys) == sorted(draw(Generator(9), 8000))
