"""What may be joined, waited for and described (see `basics`)."""

import json

import numpy as np

from .basics import facts, mindspore, numbers, rows
from .run import each
from .sources import folder, write_records


def generated(ds, *values):
    return ds.GeneratorDataset([(value,) for value in values], ["x"], shuffle=False)


def concatenated(ds):
    """The first rows of concatenated datasets must have the same dtypes and ranks."""

    def joined(first, second):
        return lambda: rows(first + second)

    vector, ints = np.zeros(2), np.zeros(2, np.int32)
    return each(
        joined(generated(ds, vector), generated(ds, np.zeros(3))),
        joined(generated(ds, 1.0), generated(ds, vector)),
        joined(generated(ds, vector), generated(ds, ints)),
        joined(generated(ds, vector, ints), generated(ds, vector, np.zeros((2, 2)))),
        joined(generated(ds, vector, ints), generated(ds, ints)),
        joined(generated(ds, "a"), generated(ds, "bcd")),
        joined(generated(ds, "a"), generated(ds, b"a")),
        joined(generated(ds, {"a": 1}), generated(ds, {"b": 2})),
        joined(generated(ds, {"a": 1}), generated(ds, 1)),
        joined(generated(ds, 1.0) + generated(ds, 2.0), generated(ds, vector)),
        lambda: numbers(ds, 2).skip(2) + numbers(ds, 1),
        lambda: facts(generated(ds, {"a": 1}, {"a": 2})),
        lambda: facts(generated(ds, {"a": 1}, {"a": 2}).batch(2)),
    )


def waits(ds):
    def waiting():
        return numbers(ds, 2).sync_wait("a")

    return each(
        lambda: waiting().shuffle(2),
        lambda: waiting().map(lambda x: x, "x").shuffle(2),
        lambda: waiting().sync_wait("a"),
        lambda: waiting().sync_update("b"),
        lambda: waiting().sync_update("a", -1),
        lambda: waiting().sync_update("a", 1),
    )


def classes_of_generators(ds):
    return each(
        lambda: ds.GeneratorDataset([1, 2], "x", sampler=ds.PKSampler(1)),
        lambda: numbers(ds, 2).use_sampler(ds.PKSampler(1)),
    )


def schemas(ds):
    path = str(folder() / "a.tfrecord")
    write_records(path, [{"n": [3]}, {"n": [4]}])

    def parsed(columns, method="parse_columns"):
        def columns_of():
            schema = ds.Schema()
            schema.add_column("a", "int32", [2])
            getattr(schema, method)(columns)
            return json.loads(schema.to_json())

        return columns_of

    def read():
        schema = ds.Schema()
        schema.parse_columns([{"name": "n", "type": "int32", "rank": 1}])
        return rows(ds.TFRecordDataset(path, schema, shuffle=False))

    return each(
        parsed([{"name": "z", "type": "int8"}]),
        parsed([{"name": "z", "type": "int8", "rank": 2}]),
        parsed({"b": {"type": "int8", "shape": [2, 3]}, "a": {"type": "float32"}}),
        parsed([]),
        parsed([{"name": "q"}]),
        parsed([{"name": "q", "type": "int99"}]),
        parsed(3),
        parsed({"columns": {"z": {"type": "int8"}}}, "from_json"),
        parsed({"numRows": 3}, "from_json"),
        parsed({"columns": {}}, "from_json"),
        read,
    )


def sizes_of_mindrecords(ds):
    def sized(method, size):
        writer = mindspore(ds).mindrecord.FileWriter(str(folder() / "a.mindrecord"))
        return lambda: getattr(writer, method)(size)

    def written(values):
        path = str(folder() / "a.mindrecord")
        writer = mindspore(ds).mindrecord.FileWriter(path)
        writer.set_header_size(20000)
        writer.set_page_size(40000)
        writer.add_schema({"x": {"type": "int32"}})
        writer.write_raw_data([{"x": value} for value in values])
        writer.commit()
        return rows(ds.MindDataset(path, shuffle=False))

    sizes = (16380, 16384, 16386, 20000, 40000, 128 << 20, (128 << 20) + 4, 256 << 20, (256 << 20) + 4, -4, 16384.0)
    calls = [sized(method, size) for method in ("set_header_size", "set_page_size") for size in sizes]
    return each(*calls, lambda: written([1, 2]), lambda: written([]))
