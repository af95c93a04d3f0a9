"""Samplers (see `basics`)."""

import numpy as np

from .basics import rows


def samplers(ds):
    def taken(sampler, count=6):
        return [int(row["x"]) for row in rows(ds.NumpySlicesDataset(list(range(count)), ["x"], sampler=sampler))]

    chained = ds.SequentialSampler(start_index=1, num_samples=2)
    chained.add_child(ds.SubsetSampler([5, 4, 3, 2]))

    class Reverse(ds.Sampler):
        def __iter__(self):
            yield from range(self.dataset_size - 1, -1, -1)

    class Iterable:
        def __iter__(self):
            return iter([2, 0])

    return [
        taken(ds.SequentialSampler()),
        taken(ds.SequentialSampler(2, 3)),
        taken(ds.SequentialSampler(4, 9)),
        taken(ds.SubsetSampler([3, 1])),
        taken(ds.SubsetSampler([3, 1, 0], 2)),
        sorted(taken(ds.SubsetRandomSampler([3, 1, 5]))),
        sorted(taken(ds.RandomSampler())),
        len(taken(ds.RandomSampler(True, 10))),
        len(taken(ds.RandomSampler(num_samples=4))),
        taken(ds.WeightedRandomSampler([0, 0, 1, 0, 0, 0], 3)),
        sorted(taken(ds.WeightedRandomSampler([0, 1, 1, 0, 0, 0], 2, replacement=False))),
        taken(ds.WeightedRandomSampler([0, 0, 0, 0, 0, 1], 3, replacement=False)),
        taken(ds.WeightedRandomSampler([float("nan")] * 6, 3)),
        [taken(ds.DistributedSampler(4, k, shuffle=False)) for k in range(4)],
        [taken(ds.DistributedSampler(4, k, shuffle=False, offset=1)) for k in range(4)],
        [taken(ds.DistributedSampler(2, k, shuffle=False, num_samples=2)) for k in range(2)],
        sorted(x for k in range(3) for x in taken(ds.DistributedSampler(3, k))),
        taken(chained),
        taken(Reverse()),
        taken(Iterable()),
        taken([1, 1, 4]),
    ]


def sampler_facts(ds):
    return [
        ds.SequentialSampler(0, 3).get_num_samples(),
        ds.RandomSampler().get_num_samples(),
        ds.RandomSampler().is_shuffled(),
        ds.DistributedSampler(2, 0).is_sharded(),
        ds.SequentialSampler().is_sharded(),
        ds.SubsetSampler([1, 2, 3]).get_num_samples(),
        ds.WeightedRandomSampler([1, 2]).get_num_samples(),
    ]


def sampler_out_of_range(ds):
    return rows(ds.NumpySlicesDataset([1, 2], ["x"], sampler=ds.SubsetSampler([5])))


def sampler_wrong_shards(ds):
    return ds.DistributedSampler(2, 2)


def sampler_negative(ds):
    return ds.SequentialSampler(num_samples=-1)


def sampler_text(ds):
    return ds.RandomSampler(replacement="yes")


def sampler_weights(ds):
    return ds.WeightedRandomSampler([0.5, -1])


def sampler_weights_of_a_tuple(ds):
    return ds.WeightedRandomSampler((0.5, 1))


def sampler_weights_of_an_array(ds):
    return ds.WeightedRandomSampler(np.array([0.5, 1]))


def numbers_of_weighted_rows(ds):
    """Weights may be fewer than rows, and as many rows are drawn as there are, if no smaller number is asked for."""

    def taken(sampler, count):
        dataset = ds.NumpySlicesDataset(list(range(count)), ["x"], sampler=sampler)
        return [dataset.get_dataset_size(), [int(row["x"]) for row in rows(dataset)]]

    def below(*indices):
        sampler = ds.WeightedRandomSampler([0, 1], 5)
        sampler.add_child(ds.SubsetSampler(list(indices)))
        return sampler

    weights = [0, 1]
    results = [taken(ds.WeightedRandomSampler(weights, number), 4) for number in (None, 3, 10)]
    return [*results, taken(below(3, 2, 1), 6)]
