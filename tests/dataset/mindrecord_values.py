"""The rows that MindSpore has written to tests/golden/mindrecord, and that the tests write, too."""

import numpy as np

FILES = (("rows.mindrecord", 1), ("shards.mindrecord", 3))
ONE_FILE = FILES[:1]
KEY = "é123456789ABCDEF"  # of the encrypted ones
SCHEMA = {
    "label": {"type": "int32"},
    "weight": {"type": "float64"},
    "name": {"type": "string"},
    "wide": {"type": "int64", "shape": [-1]},
    "table": {"type": "int32", "shape": [2, -1]},
    "matrix": {"type": "float32", "shape": [2, 2]},
    "data": {"type": "bytes"},
}


def rows():
    """Rows of every type, of ints of every width."""
    return [
        {
            "label": k - 3,
            "weight": k / 3,
            "name": "é" * k,
            "wide": np.array([1 << 2 * j * k % 63 for j in range(k + 1)], np.int64) * (-1) ** k,
            "table": np.arange(2 * k + 2, dtype=np.int32).reshape(2, -1) * 100 - 150,
            "matrix": np.full((2, 2), k / 7, np.float32),
            "data": bytes(range(k + 1)),
        }
        for k in range(9)
    ]


def write(writer_class, folder, files=FILES):
    """Writes all rows to each of ``files`` (names, and how many files each is), with small pages."""
    for name, shards in files:
        writer = writer_class(str(folder / name), shards, True)
        writer.set_header_size(1 << 14)
        writer.set_page_size(1 << 15)
        writer.add_schema(SCHEMA, "every type")
        writer.write_raw_data(rows())
        writer.commit()
