"""Lengths, rows by index and dtypes of pipelines, and the kinds of rows that sources and functions give."""

import collections

import numpy as np

from .basics import Squares, counted, numbers, rows
from .run import outcome

PIPELINES = {
    "source": lambda ds: numbers(ds, 5),
    "batch": lambda ds: numbers(ds, 5).batch(2),
    "batch without the rest": lambda ds: numbers(ds, 5).batch(2, drop_remainder=True),
    "map": lambda ds: numbers(ds, 5).map(lambda x: x, ["x"]),
    "repeat": lambda ds: numbers(ds, 5).repeat(3),
    "shuffle": lambda ds: numbers(ds, 5).shuffle(3),
    "take": lambda ds: numbers(ds, 5).take(2),
    "skip": lambda ds: numbers(ds, 5).skip(2),
    "filter": lambda ds: numbers(ds, 5).filter(lambda x: x > 1),
    "nothing": lambda ds: numbers(ds, 5).filter(lambda x: x > 9),
    "zip": lambda ds: numbers(ds, 5).zip(numbers(ds, 3, "y")),
    "concat": lambda ds: numbers(ds, 5) + numbers(ds, 2),
    "project": lambda ds: numbers(ds, 5).project(["x"]),
    "rename": lambda ds: numbers(ds, 5).rename("x", "y"),
    "flat_map": lambda ds: numbers(ds, 5).flat_map(lambda x: numbers(ds, 2)),
    "bucket": lambda ds: numbers(ds, 5).bucket_batch_by_length(["x"], [2], [1, 1], lambda x: 1),
    "function": lambda ds: ds.GeneratorDataset(counted, ["x"]),
    "shard": lambda ds: numbers(ds, 5, num_shards=2, shard_id=1),
    "samples": lambda ds: numbers(ds, 5, num_samples=3),
    "split": lambda ds: numbers(ds, 5).split([2, 3], randomize=False)[1],
    "padded": lambda ds: ds.PaddedDataset([{"x": 1}, {"x": 2}]),
}


def lengths(ds):
    return {name: [len(made(ds)), bool(made(ds)), len(list(made(ds)))] for name, made in PIPELINES.items()}


INDEXED = {
    "integers": lambda ds: numbers(ds, 5),
    "source": lambda ds: ds.GeneratorDataset(Squares(), ["square", "pair"], shuffle=False),
    "nested lists": lambda ds: ds.NumpySlicesDataset([[1, 2], [3, 4], [5, 6]], shuffle=False),
    "columns": lambda ds: ds.NumpySlicesDataset({"a": [1, 2], "b": np.eye(2, dtype=np.float32)}, shuffle=False),
    "strings": lambda ds: ds.NumpySlicesDataset(["a", "bc"], shuffle=False),
    "array": lambda ds: ds.NumpySlicesDataset(np.arange(6, dtype=np.float32).reshape(3, 2), shuffle=False),
    "sampler": lambda ds: numbers(ds, 5).split([3, 2], randomize=False)[1],
    "subset": lambda ds: ds.NumpySlicesDataset([1, 2, 3], sampler=ds.SubsetSampler([2, 0])),
    "shard": lambda ds: numbers(ds, 5, num_shards=2, shard_id=1),
    "function": lambda ds: ds.GeneratorDataset(counted, ["x"]),
    "batches": lambda ds: ds.GeneratorDataset([1, 2, 3], ["x"], batch_sampler=[[0, 1]]),
    "batch": lambda ds: numbers(ds, 5).batch(2),
}
INDICES = (0, 1, np.int64(1), 4, 5, -1, -5, True, "a", 1.0, None, slice(0, 2), [1])


def by_index(ds):
    return {
        name: [outcome(lambda index, dataset: dataset[index], index, made(ds)) for index in INDICES]
        for name, made in INDEXED.items()
    }


def by_index_shuffled(ds):
    dataset = ds.NumpySlicesDataset(list(range(9)), ["x"], shuffle=True)
    once, again = ([dataset[index] for index in range(9)] for _ in range(2))
    return [once == again, sorted(once)]


DTYPES = {
    "int64": [1, 2],
    "strings": ["a", "bcd"],
    "bytes": [b"a", b"bcd"],
    "bool": [True, False],
    "float16": np.zeros((2, 3), np.float16),
    "uint8": np.zeros(2, np.uint8),
}


def dtypes(ds):
    results = {name: ds.NumpySlicesDataset(data).output_types()[0] for name, data in DTYPES.items()}
    results["dict"] = ds.GeneratorDataset([({"a": 1},)], ["a"]).output_types()[0]
    results["batch of strings"] = ds.NumpySlicesDataset(["a", "bcd"]).batch(2).output_types()[0]
    return {name: [isinstance(dtype, np.dtype), str(dtype)] for name, dtype in results.items()}


Pair = collections.namedtuple("Pair", "first second")
ROWS = {
    "tuple": lambda: (1, 2),
    "list": lambda: [1, 2],
    "list of one": lambda: [5],
    "list of arrays": lambda: [np.array([1, 2]), np.array(3)],
    "list of lists": lambda: [[1, 2], [3]],
    "empty list": lambda: [],
    "named tuple": lambda: Pair(1, 2),
    "range": lambda: range(2),
    "generator": lambda: (k for k in range(2)),
    "array": lambda: np.array([1, 2]),
    "string": lambda: "ab",
    "number": lambda: 3,
    "bool": lambda: True,
    "nothing": lambda: None,
}


def kinds_of_rows(ds):
    return {
        f"{name}, {len(names)}": outcome(
            lambda made, names: rows(ds.GeneratorDataset(lambda: iter([made()]), names)), made, names
        )
        for name, made in ROWS.items()
        for names in (["a"], ["a", "b"])
    }


def named_tuples_of_functions(ds):
    return rows(numbers(ds, 2).map(lambda x: Pair(x, x + 1), ["x"], ["a", "b"]))


def flat_maps(ds):
    two = ds.GeneratorDataset(Squares(), ["square", "pair"], shuffle=False)
    functions = {
        "no arguments": lambda: numbers(ds, 2),
        "two arguments": lambda a, b: numbers(ds, 2),
        "no dataset": lambda a: 3,
        "an error": lambda a: {}[a.item()],
    }
    results = {name: outcome(lambda f: rows(numbers(ds, 2).flat_map(f)), f) for name, f in functions.items()}
    return results | {"two columns": outcome(lambda: rows(two.flat_map(lambda a, b: numbers(ds, 1))))}
