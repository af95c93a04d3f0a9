"""Writes ``dataset_shuffles.json``: the orders in which MindSpore's pipelines give their rows, by seed.

Run it with an interpreter that has MindSpore 2.10 and numpy 1.26: ``python tests/golden/make_orders.py``. A row is
``[source of the pipeline, seed, three epochs]``: their rows, or a checksum of them where they are many.
"""

import json
import pathlib
import sys
import tempfile
import zlib

import mindspore.dataset as ds
from mindspore.mindrecord import FileWriter

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "dataset"))

from cases.numbered_files import pipelines  # noqa: E402

FILE = pathlib.Path(__file__).with_name("dataset_shuffles.json")
WEIGHTS = "[1, 2, 3, 4, 5, 1, 0.5, 1, 1, 1]"
LINE_MODES = "False", "True", "ds.Shuffle.FILES"
PARTS = "", ", num_shards=2, shard_id=0", ", num_shards=3, shard_id=2", ", num_samples=7"
RECORD_FILES = "SHARDS", "MINDRECORD"
RECORD_MODES = ["False", *[f"ds.Shuffle.{mode}" for mode in ("ADAPTIVE", "GLOBAL", "PARTIAL", "FILES", "INFILE")]]
RECORD_SAMPLERS = [
    "RandomSampler(True, 20)",
    "RandomSampler(num_samples=4)",
    "RandomSampler(shuffle=ds.Shuffle.FILES)",
    "RandomSampler(num_samples=7, shuffle=ds.Shuffle.PARTIAL)",
    "SubsetRandomSampler([1, 5, 3, 9, 7])",
    "DistributedSampler(2, 1, shuffle=False, offset=1)",
    "DistributedSampler(4, 3, offset=2, num_samples=3)",
    "SequentialSampler(2, 5)",
]
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
    *[f"lines(LINES, num_parallel_workers={count}, shuffle={mode})" for count in (1, 2) for mode in LINE_MODES],
    *[f"lines(LINES, num_parallel_workers={count}{part})" for count in (1, 2) for part in PARTS],
    "lines(LINES, num_parallel_workers=1, shuffle=ds.Shuffle.FILES, num_shards=2, shard_id=1)",
    "lines(LINES, num_parallel_workers=1).shuffle(4)",
    "lines(LINES, num_parallel_workers=1).repeat(2)",
    "lines(LINES[:1])",
    "lines(MANY, num_parallel_workers=2)",
    *[f"fields(FIELDS, num_parallel_workers=2{part})" for part in PARTS],
    *[f"records(RECORDS, num_parallel_workers=2{part})" for part in PARTS],
    "records(RECORDS, num_parallel_workers=1, num_shards=2, shard_id=1, shard_equal_rows=True)",
    *[f"ds.MindDataset({files}, shuffle={mode})" for files in RECORD_FILES for mode in RECORD_MODES],
    *[f"ds.MindDataset(SHARDS, shuffle={mode}, num_shards=2, shard_id=1)" for mode in RECORD_MODES],
    *[f"ds.MindDataset(SHARDS, sampler=ds.{sampler})" for sampler in RECORD_SAMPLERS],
    "ds.MindDataset(SHARDS, num_samples=6)",
    "ds.MindDataset(SHARDS, num_samples=3, num_shards=2, shard_id=0)",
    "ds.MindDataset(SHARDS).shuffle(4)",
    "ds.MindDataset(SHARDS).repeat(2)",
    "joined(ds.RandomSampler(), rows(6, shuffle=False), rows(6, shuffle=False))",
    "joined(ds.RandomSampler(), rows(3, shuffle=True), rows(9, shuffle=False)).repeat(2)",
    "joined(ds.RandomSampler(), rows(4, shuffle=False), rows(2, shuffle=False), rows(5, shuffle=False))",
    "joined(ds.RandomSampler(), rows(3, shuffle=False).concat([rows(2), rows(4)]))",
    "joined(ds.DistributedSampler(2, 1, shuffle=False), rows(3, shuffle=True) + rows(4, shuffle=False))",
]


def orders(source, seed, names):
    """Three epochs of a pipeline."""
    ds.config.set_seed(seed)
    pipeline = eval(source, names)
    iterator = pipeline.create_tuple_iterator(num_epochs=3, output_numpy=True)
    epochs = [[int(row[0].item()) for row in iterator] for _ in range(3)]
    return [epoch if len(epoch) < 100 else zlib.crc32(str(epoch).encode()) for epoch in epochs]


def main():
    with tempfile.TemporaryDirectory() as folder:
        names = pipelines(ds, pathlib.Path(folder), FileWriter)
        made = [[source, seed, orders(source, seed, names)] for source in SOURCES for seed in (3, 4294967290)]
    FILE.write_text("[\n" + ",\n".join(map(json.dumps, made)) + "\n]\n")


if __name__ == "__main__":
    main()
