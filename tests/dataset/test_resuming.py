"""Iterators that start at a step give the rows that uninterrupted ones give from there on."""

import numpy as np
import pytest

import msgrad as ms
import msgrad.dataset as ds
from msgrad import nn

ROWS, EPOCHS = 12, 3


def source(**options):
    values = np.arange(ROWS, dtype=np.float32).reshape(ROWS, 1)
    return ds.NumpySlicesDataset({"x": values, "y": values / ROWS}, **options)


def jittered(x):
    return x + np.float32(np.random.default_rng(int(x[0])).random())


class Own(ds.Sampler):
    """A sampler with random numbers of its own."""

    def __init__(self):
        super().__init__()
        self.generator = np.random.default_rng(0)

    def __iter__(self):
        return iter(self.generator.permutation(ROWS).tolist())

    def __len__(self):
        return ROWS


class Rows:
    """A source with random access."""

    def __len__(self):
        return ROWS

    def __getitem__(self, index):
        return (np.float32([index]),)


PIPELINES = {
    "in order": lambda: source(shuffle=False),
    "shuffle": lambda: source(shuffle=True),
    "shards": lambda: source(num_shards=2, shard_id=1),
    "sampler": lambda: source(sampler=ds.RandomSampler(num_samples=8)),
    "weights": lambda: source(sampler=ds.WeightedRandomSampler([0.1, 0.9] * 6, 8)),
    "own sampler": lambda: source(sampler=Own()),
    "own sampler of a generator": lambda: ds.GeneratorDataset(Rows(), ["x"], sampler=Own()),
    "buffer": lambda: source().shuffle(5),
    "repeat": lambda: source().shuffle(5).repeat(2),
    "map": lambda: source().map(jittered, "x").shuffle(4),
}


def batches(create, first=0):
    """The rows of the column ``x`` by batch, from batch ``first`` on, over what is left of all epochs."""
    ds.config.set_seed(3)
    dataset = create().batch(2)
    dataset.set_init_step(first)
    size = dataset.get_dataset_size()
    iterator = dataset.create_tuple_iterator(num_epochs=EPOCHS, output_numpy=True)
    return [row[0].ravel().tolist() for _ in range(EPOCHS - first // size) for row in iterator]


@pytest.fixture(autouse=True)
def seed():
    before = ds.config.get_seed()
    yield
    ds.config.set_seed(before)


@pytest.mark.parametrize("create", PIPELINES.values(), ids=PIPELINES)
def test_every_step_is_a_start(create):
    expected = batches(create)
    for first in range(1, len(expected)):
        assert batches(create, first) == expected[first:]


class Seen(ms.train.Callback):
    """Keeps the inputs of each step, and saves the Parameters after one of them."""

    def __init__(self, network, saved_after=None):
        self.network, self.saved_after = network, saved_after
        self.inputs, self.saved = [], None

    def on_train_step_end(self, run_context):
        facts = run_context.original_args()
        self.inputs.append([each.asnumpy().tolist() for each in facts.train_dataset_element[:1]])
        if len(self.inputs) == self.saved_after:
            self.saved = {p.name: p.asnumpy().copy() for p in self.network.get_parameters()}


@pytest.mark.parametrize("steps", [2, 6, 8])
def test_training_is_resumed(mode, steps):
    def train(first, weights=None, saved_after=None, sinks=False):
        ds.config.set_seed(3)
        network = nn.Dense(1, 1, weight_init="ones")
        for parameter in network.get_parameters() if weights else ():
            parameter.set_data(ms.Tensor(weights[parameter.name]))
        dataset = PIPELINES["buffer"]().batch(2)
        dataset.set_init_step(first)
        model = ms.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params(), 0.001))
        seen = Seen(network, saved_after)
        model.train(EPOCHS, dataset, seen, initial_epoch=first // dataset.get_dataset_size(), dataset_sink_mode=sinks)
        return network, seen

    whole, seen = train(0, saved_after=steps)
    resumed, later = train(steps, seen.saved)
    sunk, _ = train(steps, seen.saved, sinks=True)
    assert later.inputs == seen.inputs[steps:]
    for network in (resumed, sunk):
        for one, other in zip(whole.get_parameters(), network.get_parameters(), strict=True):
            assert np.array_equal(one.asnumpy(), other.asnumpy())
