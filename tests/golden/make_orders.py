"""Writes ``dataset_shuffles.json``: the orders in which MindSpore's pipelines give their rows, by seed.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_orders.py``. A row is
``[source of the pipeline, seed, three epochs]``: their rows, or a checksum of them where they are many.
"""

import json
import pathlib
import zlib

import mindspore.dataset as ds
import numpy as np

FILE = pathlib.Path(__file__).with_name("dataset_shuffles.json")
WEIGHTS = "[1, 2, 3, 4, 5, 1, 0.5, 1, 1, 1]"
SOURCES = [
    "rows(10, shuffle=True)",
    "rows(9, num_samples=5)",
    "rows(10, shuffle=False).shuffle(4)",
    "rows(7, shuffle=False).shuffle(20)",
    "rows(10, shuffle=True).shuffle(4)",
    "rows(10, shuffle=False).shuffle(4).shuffle(5)",
    "rows(10, shuffle=True).repeat(2)",
    "rows(10, shuffle=False).shuffle(4).repeat(2)",
    "rows(10, shuffle=False).repeat(2).shuffle(4)",
    "rows(10, sampler=ds.RandomSampler(True, 8))",
    "rows(10, sampler=ds.RandomSampler(False, 5))",
    "rows(10, sampler=ds.SubsetRandomSampler([1, 5, 7, 9, 2, 2]))",
    "rows(10, sampler=ds.SubsetRandomSampler([1, 5, 7, 9, 2], 3))",
    f"rows(10, sampler=ds.WeightedRandomSampler({WEIGHTS}, 6))",
    f"rows(10, sampler=ds.WeightedRandomSampler({WEIGHTS}, 6, False))",
    "rows(10, sampler=ds.DistributedSampler(3, 1))",
    "rows(10, num_shards=2, shard_id=0, shuffle=True)",
    "rows(10, num_shards=2, shard_id=1)",
    "rows(10, shuffle=False).split([6, 4])[1]",
    "rows(10, shuffle=False).map(lambda x: x + 1, 'x').split([6, 4])[0]",
    "ds.GeneratorDataset(list(range(10)), ['x'], shuffle=True)",
    "rows(50000, shuffle=True)",
    "rows(70000, shuffle=True)",
    "rows(2000, shuffle=False).shuffle(300)",
]


def rows(count, **given):
    return ds.NumpySlicesDataset(np.arange(count), ["x"], **given)


def orders(source, seed):
    """Three epochs of a pipeline."""
    ds.config.set_seed(seed)
    pipeline = eval(source, {"rows": rows, "ds": ds})
    iterator = pipeline.create_tuple_iterator(num_epochs=3, output_numpy=True)
    epochs = [[int(row[0]) for row in iterator] for _ in range(3)]
    return [epoch if len(epoch) < 100 else zlib.crc32(str(epoch).encode()) for epoch in epochs]


def main():
    made = [[source, seed, orders(source, seed)] for source in SOURCES for seed in (3, 4294967290)]
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, made)) + "\n]\n")


if __name__ == "__main__":
    main()
