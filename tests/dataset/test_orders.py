"""Shuffled rows come in MindSpore's order, epoch by epoch."""

import json
import pathlib
import zlib

import numpy as np
import pytest

import msgrad.dataset as ds
from msgrad import mindrecord
from msgrad._random.engines import Mersenne, Minstd
from msgrad._random.shuffling import Mersenne64, Picks, reshuffled
from msgrad.dataset._pipeline.draws import Draws

from .cases.numbered_files import pipelines

GOLDEN = json.loads((pathlib.Path(__file__).parents[1] / "golden" / "dataset_shuffles.json").read_text())


@pytest.fixture(scope="module")
def names(tmp_path_factory):
    return pipelines(ds, tmp_path_factory.mktemp("orders"), mindrecord.FileWriter)


@pytest.fixture(autouse=True)
def seed_as_before():
    before = ds.config.get_seed()
    yield
    ds.config.set_seed(before)


@pytest.mark.parametrize(("source", "seed", "expected"), GOLDEN, ids=lambda value: str(value)[:60])
def test_orders_are_mindspores(source, seed, expected, names):
    ds.config.set_seed(seed)
    iterator = eval(source, names).create_tuple_iterator(num_epochs=3, output_numpy=True)
    for epoch in expected:
        actual = [int(row[0].item()) for row in iterator]
        assert (zlib.crc32(str(actual).encode()) if isinstance(epoch, int) else actual) == epoch


@pytest.mark.parametrize("source", ["rows(12)", "rows(12, shuffle=False).shuffle(5)", "rows(12).map(lambda x: x)"])
def test_without_a_seed_orders_differ(source, names):
    ds.config.set_seed(5489)
    data = eval(source, names)
    orders = {tuple(int(row[0]) for row in data.create_tuple_iterator(output_numpy=True)) for _ in range(4)}
    assert len(orders) > 1 and all(sorted(order) == list(range(12)) for order in orders)


def test_the_64_bit_twister_is_that_of_the_standard():
    engine = Mersenne64(5489)
    engine.skip(9999)
    assert engine.next() == 9981545732273789042  # what the standard says of the 10000th number


def test_orders_do_not_depend_on_which_epochs_were_asked_for():
    forward = [list(reshuffled(30, 8, 1, epoch)) for epoch in range(4)]
    assert [list(reshuffled(30, 8, 1, epoch)) for epoch in (3, 1, 2, 0)] == [forward[k] for k in (3, 1, 2, 0)]


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_short_lists_are_shuffled(count):
    items = list(range(count))
    Picks(1).shuffle(items)
    assert sorted(items) == list(range(count))


def shuffled(items, picks, largest):
    """``std::shuffle`` as libstdc++ writes it, one exchange after the other."""
    count = len(items)
    if largest // count < count:
        for index in range(1, count):
            other = picks.below(index + 1)
            items[index], items[other] = items[other], items[index]
        return
    start = 1
    if count % 2 == 0:
        other, start = picks.below(2), 2
        items[1], items[other] = items[other], items[1]
    for index in range(start, count, 2):
        for each, other in enumerate(divmod(picks.below((index + 1) * (index + 2)), index + 2), index):
            items[each], items[other] = items[other], items[each]


# 46 341 and 65 536 are where an index of `std::minstd_rand0` and of `std::mt19937` takes a number of its own.
@pytest.mark.parametrize("count", [2, 3, 4, 7, 8, 100, 1001, 30000, 46340, 46341, 65535, 65536, 100_000])
@pytest.mark.parametrize("engine", [Mersenne, Minstd])
def test_shuffling_by_arrays_is_that_of_single_exchanges(engine, count):
    picks, expected_picks = Picks(engine(3)), Picks(engine(3))
    items, expected = list(range(count)), list(range(count))
    picks.shuffle(items)
    shuffled(expected, expected_picks, engine.largest)
    assert items == expected
    assert (picks.used, picks.word()) == (expected_picks.used, expected_picks.word())  # and both go on from there


def test_pk_sampler_draws_what_mindspores_does():
    class Classes:
        _class_of = staticmethod("aaaabbbcccccdd".__getitem__)

    # What MindSpore gives, of a folder with as many images: ds.config.set_seed(3), PKSampler(3, shuffle=True).
    expected = [[13, 13, 12, 4, 5, 5, 3, 1, 3, 7, 7, 7], [13, 13, 13, 4, 6, 6, 2, 2, 2, 9, 8, 7]]
    sampler = ds.PKSampler(3, shuffle=True)
    assert [sampler._indices_(14, Draws(0, epoch, 3), Classes) for epoch in range(2)] == expected


class Own(ds.Sampler):
    """A sampler of the user's with an attribute."""

    def __init__(self, rows, name="rows"):
        super().__init__()
        self.rows = rows
        setattr(self, name, rows)

    def __iter__(self):
        yield from self.rows


def rows_of(sampler):
    return [
        row[0].item() for row in ds.NumpySlicesDataset([5, 6, 7], sampler=sampler).create_tuple_iterator(num_epochs=1)
    ]


@pytest.mark.parametrize("name", ["indices", "count", "_count", "_choose", "_given", "_arguments"])
def test_samplers_may_have_attributes_of_any_name(name):
    assert rows_of(Own([2, np.int64(0)], name)) == [7, 5]


@pytest.mark.parametrize("row", [1.5, 2.0, True, "a", None, np.array(1)])
def test_samplers_yield_ints(row):  # MindSpore's type of error
    with pytest.raises(RuntimeError, match="a row number must be an int"):
        rows_of(Own([row]))


class Squares:
    """A source that has a row for any number."""

    def __len__(self):
        return 2

    def __getitem__(self, number):
        return (np.int64(number**2 if number >= 0 else number),)


def test_a_source_gets_the_numbers_that_a_sampler_yields():  # MindSpore's rows
    assert rows_of(Own([-1, 0])) == [7, 5]
    for sampler in (Own([5, -3, 1]), ds.IterSampler([5, -3, 1]), iter([5, -3, 1])):
        dataset = ds.GeneratorDataset(Squares(), ["x"], sampler=sampler)
        epochs = [[row[0].item() for row in dataset.create_tuple_iterator(num_epochs=1)] for _ in range(2)]
        assert epochs == [[25, -3, 1]] * 2


class Failing(ds.Sampler):
    def __iter__(self):
        raise KeyError("mine")


class Nothing(ds.Sampler):
    """A sampler without ``__iter__``."""


def below(rows):
    sampler = Own(rows)
    sampler.add_child(ds.SequentialSampler())
    return sampler


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Own([3]), "IndexError"),
        (lambda: below([3]), "a row 3 was chosen, but there are 3 rows"),
        (lambda: ds.SubsetSampler([-1]), "a row -1 was chosen"),
        (lambda: Failing(), "KeyError: 'mine'"),
        (lambda: Nothing(), "NotImplementedError"),
        (lambda: (number for number in (1, 2)), "a generator can be read only once"),
    ],
)
def test_what_fails_in_a_sampler_is_an_error_of_the_pipeline(make, message):  # MindSpore's type of error
    with pytest.raises(RuntimeError, match=message):
        rows_of(make())


def test_the_child_of_a_sampler_is_a_sampler():
    with pytest.raises(AttributeError, match="For 'SequentialSampler', the 'sampler' must be a sampler"):
        ds.SequentialSampler().add_child([1])


def test_attributes_of_samplers():
    numbers = [2, 1]
    by_list, subset = ds.IterSampler(numbers), ds.SubsetRandomSampler((3, 1, 2), 2)
    assert (by_list.sampler, by_list.num_samples) == ([2, 1], 2)
    assert (subset.indices, ds.SubsetSampler(3).indices) == ([3, 1], [3])
    assert ds.SequentialSampler().start_index is None
    numbers.append(0)  # the number of rows is that of the beginning
    dataset = ds.NumpySlicesDataset([0, 1, 2], sampler=by_list)
    assert [int(row[0]) for row in dataset.create_tuple_iterator(num_epochs=1)] == [2, 1]
