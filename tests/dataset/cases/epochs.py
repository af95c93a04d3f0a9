"""Iterators in their second epoch, after a break, a reset and skipped steps (see `basics`)."""

from .basics import numbers
from .run import each


def taken(iterator, maximum=None):
    results = []
    for row in iterator:
        results.append(int(row["x"]) if row["x"].ndim == 0 else row["x"])
        if len(results) == maximum:
            break
    return results


def epochs(dataset, count=3):
    iterator = dataset.create_dict_iterator(num_epochs=count, output_numpy=True)
    return [taken(iterator) for _ in range(count)]


def epochs_of_operations(ds):
    return each(
        lambda: epochs(numbers(ds, 5).skip(2)),
        lambda: epochs(numbers(ds, 5).take(2)),
        lambda: epochs(numbers(ds, 4).skip(1).repeat(2)),
        lambda: epochs(numbers(ds, 3).repeat(2).skip(4)),
        lambda: epochs(numbers(ds, 3).repeat(2).take(4)),
        lambda: epochs(numbers(ds, 5).batch(2).skip(1)),
        lambda: epochs(numbers(ds, 5).skip(1).batch(3, drop_remainder=True)),
        lambda: epochs(numbers(ds, 5, num_shards=2, shard_id=1).skip(1)),
        lambda: epochs(numbers(ds, 3).concat(numbers(ds, 2)).skip(2)),
        lambda: epochs(numbers(ds, 5).filter(lambda x: x % 2 == 0, ["x"]).skip(1)),
        lambda: epochs(ds.GeneratorDataset(lambda: iter([(k,) for k in range(4)]), ["x"]).skip(3)),
        lambda: epochs(numbers(ds, 2).skip(2)),
        lambda: epochs(numbers(ds, 2).skip(3)),
    )


def after_a_break(ds):
    iterator = numbers(ds, 4).create_dict_iterator(num_epochs=3, output_numpy=True)
    return [taken(iterator, 2), taken(iterator, 1), taken(iterator), taken(iterator), taken(iterator, 3)]


def after_a_reset(ds):
    dataset = numbers(ds, 4).skip(1)
    iterator = dataset.create_dict_iterator(num_epochs=4, output_numpy=True)
    result = [taken(iterator)]
    dataset.reset()
    result.append(taken(iterator))
    return [*result, taken(iterator), dataset.get_dataset_size()]


def iterators_are_apart(ds):
    dataset = numbers(ds, 3)
    one, other = (dataset.create_dict_iterator(num_epochs=2, output_numpy=True) for _ in range(2))
    return [taken(one, 1), taken(other), taken(one), taken(other, 1), taken(one)]


def steps_left_out(ds):
    def started(step, count):
        dataset = numbers(ds, 4).batch(2)
        dataset.set_init_step(step)
        return [dataset.get_init_step(), dataset.get_dataset_size(), epochs(dataset, count)]

    return each(lambda: started(0, 2), lambda: started(1, 2))
