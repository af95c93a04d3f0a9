"""Operations that choose, join and order rows (see `basics`)."""

from .basics import Squares, facts, numbers, rows
from .run import each


def orders(ds):
    def dataset():
        return numbers(ds, 6)

    return [
        rows(dataset().skip(4)),
        rows(dataset().take(2)),
        rows(dataset().take(-1)),
        rows(dataset().take(9)),
        rows(dataset().skip(9)),
        rows(dataset().skip(1).take(2).repeat(2)),
        facts(dataset().skip(1).take(2).repeat(2)),
        facts(dataset().repeat(3)),
        [
            dataset().skip(9).get_dataset_size(),
            dataset().take(2).get_dataset_size(),
            dataset().take(-1).get_dataset_size(),
        ],
        dataset().repeat().get_repeat_count(),
    ]


def shuffled(ds):
    dataset = numbers(ds, 6).shuffle(4)
    return [sorted(row["x"].tolist() for row in rows(dataset)), facts(dataset)]


def shuffle_too_small(ds):
    return numbers(ds, 6).shuffle(1)


def repeat_zero(ds):
    return numbers(ds, 6).repeat(0)


def skip_negative(ds):
    return numbers(ds, 6).skip(-1)


def take_zero(ds):
    return numbers(ds, 6).take(0)


def zipped(ds):
    def left():
        return numbers(ds, 4)

    def right():
        return numbers(ds, 3, "y")

    three = left().zip((right(), numbers(ds, 2, "z")))
    return [rows(ds.zip((left(), right()))), facts(ds.zip((left(), right()))), rows(right().zip(left())), facts(three)]


def zip_same_names(ds):
    return rows(ds.zip((numbers(ds, 4), numbers(ds, 3))))


def zip_of_one(ds):
    return ds.zip((numbers(ds, 4),))


def concatenated(ds):
    joined = numbers(ds, 2) + numbers(ds, 3)
    return [rows(joined), facts(joined), rows(numbers(ds, 1).concat([numbers(ds, 1), numbers(ds, 2)]))]


def concat_other_names(ds):
    return rows(numbers(ds, 2) + numbers(ds, 3, "y"))


def filtered(ds):
    dataset = numbers(ds, 7).filter(lambda x: x % 2 == 0, ["x"])
    return [rows(dataset), facts(dataset), rows(numbers(ds, 5).filter(lambda x: bool(x > 2)))]


def filter_number(ds):
    return rows(numbers(ds, 4).filter(lambda x: int(x)))


def projected(ds):
    def dataset():
        return ds.GeneratorDataset(Squares(2), ["a", "b"], shuffle=False)

    return [
        rows(dataset().project(["b", "a"])),
        facts(dataset().project("b")),
        rows(dataset().rename(["a"], ["c"])),
        facts(dataset().rename("b", "c")),
    ]


def project_unknown(ds):
    return rows(numbers(ds, 2).project(["y"]))


def rename_unknown(ds):
    return rows(numbers(ds, 2).rename(["y"], ["z"]))


def rename_uneven(ds):
    return numbers(ds, 2).rename(["x"], ["z", "y"])


def split_by_counts(ds):
    first, second = numbers(ds, 10).split([7, 3], randomize=False)
    return [rows(first), rows(second), first.get_dataset_size(), second.get_dataset_size()]


def split_by_parts(ds):
    parts = numbers(ds, 10).split([0.25, 0.55, 0.2], randomize=False)
    mapped = numbers(ds, 10).map(lambda x: x * 2, ["x"]).split([0.5, 0.5], randomize=False)
    return [[rows(part) for part in parts], [rows(part) for part in mapped]]


def split_at_random(ds):
    parts = numbers(ds, 10).split([0.5, 0.5])
    return [
        sorted(row["x"].tolist() for part in parts for row in rows(part)),
        [part.get_dataset_size() for part in parts],
    ]


def split_too_many(ds):
    return numbers(ds, 10).split([7, 4], randomize=False)


def split_wrong_parts(ds):
    return numbers(ds, 10).split([0.5, 0.4], randomize=False)


def flat_mapped(ds):
    return rows(
        numbers(ds, 3).flat_map(lambda row: ds.NumpySlicesDataset([int(row)] * (int(row) + 1), ["y"], shuffle=False))
    )


def applied(ds):
    return [rows(numbers(ds, 4).apply(lambda dataset: dataset.batch(2)))]


def apply_wrong(ds):
    return numbers(ds, 4).apply(lambda dataset: 3)


def concat_samplers(ds):
    def joined(sampler):
        dataset = numbers(ds, 3).concat(numbers(ds, 4))
        dataset.use_sampler(sampler)
        return dataset

    return each(
        lambda: sorted(int(row["x"]) for row in rows(joined(ds.RandomSampler()))),
        lambda: joined(ds.RandomSampler()).get_dataset_size(),
        lambda: joined(ds.RandomSampler(True)),
        lambda: joined(ds.RandomSampler(num_samples=2)),
        lambda: joined(ds.SequentialSampler()),
        lambda: [int(row["x"]) for row in rows(joined(ds.DistributedSampler(2, 1, shuffle=False)))],
    )
