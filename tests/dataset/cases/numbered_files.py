"""Files whose rows are numbers, of which pipelines show the order: for tests/golden/make_orders.py."""

import functools

import numpy as np

from .sources import write_records

_LENGTHS = 5, 4, 6  # of three files


def numbered_files(folder, writer):
    """Paths by name: ``LINES``, ``MANY`` lines, ``FIELDS``, ``RECORDS`` of TFRecord, ``SHARDS`` and ``MINDRECORD``.

    Args:
        folder (pathlib.Path): where they are written.
        writer (type): ``FileWriter`` of ``mindrecord``.
    """
    numbers = [range(10 * place, 10 * place + length) for place, length in enumerate(_LENGTHS)]
    for place, rows in enumerate(numbers):
        (folder / f"lines{place}").write_text("".join(f"{number}\n" for number in rows))
        (folder / f"fields{place}").write_text("".join(f"{number},text\n" for number in rows))
        write_records(folder / f"records{place}", [{"x": [number]} for number in rows])
        _write(writer, folder / f"rows{place}", rows, 1)
    for place, start in enumerate((0, 9000)):
        (folder / f"many{place}").write_text("".join(f"{number}\n" for number in range(start, start + 8000 + start)))
    _write(writer, folder / "shards", range(15), 3)
    kinds = ("LINES", 3), ("FIELDS", 3), ("RECORDS", 3), ("MANY", 2)
    results = {name: [str(folder / f"{name.lower()}{place}") for place in range(count)] for name, count in kinds}
    return {**results, "SHARDS": str(folder / "shards0"), "MINDRECORD": [str(folder / f"rows{k}") for k in range(3)]}


def pipelines(ds, folder, writer):
    """What the sources of the pipelines name: ``ds``, datasets whose rows are numbers, and the files by name."""
    return {
        "ds": ds,
        "rows": lambda count, **options: ds.NumpySlicesDataset(np.arange(count), ["x"], **options),
        "joined": _joined,
        "lines": ds.TextFileDataset,
        "fields": functools.partial(ds.CSVDataset, column_defaults=[0, ""], column_names=["x", "y"]),
        "records": ds.TFRecordDataset,
        **numbered_files(folder, writer),
    }


def _joined(sampler, first, *others):
    """Datasets in sequence, the rows of each ten greater, read with a sampler."""
    joined = first
    for place, other in enumerate(others, 1):
        joined += other.map(functools.partial(np.add, 10 * place), "x")
    joined.use_sampler(sampler)
    return joined


def _write(writer, path, numbers, files):
    writer = writer(str(path), files)
    writer.add_schema({"x": {"type": "int64"}})
    writer.write_raw_data([{"x": number} for number in numbers])
    writer.commit()
