"""Untrusted MindRecord files raise one clear error, in bounded time and memory: the index, the header, the rows."""

import contextlib
import json
import pathlib
import shutil
import sqlite3
import struct
import tracemalloc

import numpy as np
import pytest

import msgrad.dataset as ds
from msgrad.mindrecord import FileReader, FileWriter, MindPage, index, rows

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "mindrecord" / "rows.mindrecord"
NUMBERS = "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r)"
PLACES = (
    "n AS ROW_ID, 0 AS PAGE_ID_RAW, 0 AS PAGE_OFFSET_RAW, 9 AS PAGE_OFFSET_RAW_END, 0 AS PAGE_ID_BLOB, "
    "0 AS PAGE_OFFSET_BLOB, 9 AS PAGE_OFFSET_BLOB_END"
)
TENS = ", ".join(["(VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))"] * 12)
NAMES = (
    "ROW_ID, PAGE_ID_RAW, PAGE_OFFSET_RAW, PAGE_OFFSET_RAW_END, PAGE_ID_BLOB, PAGE_OFFSET_BLOB, PAGE_OFFSET_BLOB_END"
)


@pytest.fixture
def path(tmp_path):
    """A file of nine rows with its index."""
    for name in (GOLDEN.name, f"{GOLDEN.name}.db"):
        shutil.copy(GOLDEN.with_name(name), tmp_path)
    return tmp_path / GOLDEN.name


def change_index(path, *commands):
    with contextlib.closing(sqlite3.connect(f"{path}.db")) as database, database:
        for command in commands:
            database.execute(command)


def change_header(path, change):
    with open(path, "r+b") as file:
        header = json.loads(file.read(struct.unpack("<Q", file.read(8))[0]))
        text = change(header) or json.dumps(header).encode()
        file.seek(0)
        file.write(struct.pack("<Q", len(text)) + text)


def read_by_dataset(path):
    return list(ds.MindDataset(str(path), shuffle=False).create_dict_iterator(num_epochs=1, output_numpy=True))


READERS = {"MindDataset": read_by_dataset, "FileReader": lambda path: list(FileReader(str(path)).get_next())}


@pytest.fixture(params=list(READERS))
def read(request):
    return READERS[request.param]


INDEXES = {
    "a view without end": (
        "ALTER TABLE INDEXES RENAME TO OLD",
        f"CREATE VIEW INDEXES AS {NUMBERS} SELECT {PLACES} FROM r",
    ),
    "a view of 10^12 rows": (
        "ALTER TABLE INDEXES RENAME TO OLD",
        f"CREATE VIEW INDEXES AS SELECT {PLACES} FROM (SELECT 0 AS n FROM {TENS})",
    ),
    "a view of the table": ("ALTER TABLE INDEXES RENAME TO OLD", "CREATE VIEW INDEXES AS SELECT * FROM OLD"),
    "a virtual table": ("DROP TABLE INDEXES", f"CREATE VIRTUAL TABLE INDEXES USING fts4({NAMES})"),
    "a computed column": (
        "DROP TABLE INDEXES",
        f"CREATE TABLE INDEXES({NAMES.replace('PAGE_ID_RAW', 'X')}, PAGE_ID_RAW AS (length(hex(zeroblob(9000000)))))",
        f"INSERT INTO INDEXES({NAMES.replace('PAGE_ID_RAW', 'X')}) VALUES (0, 0, 0, 9, 0, 0, 9)",
    ),
    "no table": ("DROP TABLE INDEXES",),
    "no column": ("ALTER TABLE INDEXES RENAME COLUMN PAGE_ID_RAW TO PAGE",),
    "a page beyond the file": ("UPDATE INDEXES SET PAGE_ID_RAW = 99999999999",),
    "the last page of all": ("UPDATE INDEXES SET PAGE_ID_RAW = 9223372036854775807",),
    "a page before the file": ("UPDATE INDEXES SET PAGE_ID_RAW = -5",),
    "an offset before the file": ("UPDATE INDEXES SET PAGE_OFFSET_RAW = -999999999",),
    "an end beyond the file": ("UPDATE INDEXES SET PAGE_OFFSET_RAW_END = 1 << 40",),
    "an end before the start": ("UPDATE INDEXES SET PAGE_OFFSET_BLOB_END = PAGE_OFFSET_BLOB - 1",),
    "text": ("UPDATE INDEXES SET PAGE_OFFSET_RAW = 'abc'",),
    "a fraction": ("UPDATE INDEXES SET PAGE_OFFSET_RAW_END = 30.5",),
    "infinity": ("UPDATE INDEXES SET PAGE_OFFSET_RAW_END = 9e999",),
}


@pytest.mark.parametrize("name", list(INDEXES))
def test_other_indexes_are_refused(path, read, name):
    change_index(path, *INDEXES[name])
    tracemalloc.start()
    try:
        with pytest.raises(RuntimeError, match=r"rows\.mindrecord is not a MindRecord file, or damaged"):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


def test_rows_without_end_are_not_counted(path, monkeypatch):
    """Even if a view were taken for a table, SQLite's steps are bounded."""
    change_index(path, *INDEXES["a view without end"])
    monkeypatch.setattr(index, "_allowed", lambda *action: sqlite3.SQLITE_OK)
    monkeypatch.setattr(index, "_is_table", lambda database: True)
    with pytest.raises(RuntimeError, match="interrupted"):
        FileReader(str(path))


def test_many_rows_are_few_enough(tmp_path):
    writer = FileWriter(str(tmp_path / "many"))
    writer.add_schema({"n": {"type": "int32"}, "m": {"type": "int64"}})
    writer.add_index(["n", "m"])
    writer.write_raw_data([{"n": k % 2, "m": 0} for k in range(30000)])
    writer.commit()
    page = MindPage(str(tmp_path / "many"))
    page.category_field = "n"
    assert json.loads(page.read_category_info())["categories"][1] == {"count": 15000, "id": 1, "name": "1"}
    assert len(ds.MindDataset(str(tmp_path / "many"))) == 30000


@pytest.mark.parametrize("content", [b"", b"no database" * 99])
def test_what_is_no_database_is_refused(path, read, content):
    path.with_name("rows.mindrecord.db").write_bytes(content)
    with pytest.raises(RuntimeError, match="or without its index"):
        read(path)


def set_type(kind):
    return lambda header: header["schema"][0]["schema"]["label"].update(type=kind)


def set_shape(shape):
    return lambda header: [each.update(shape=shape) for each in fields(header) if "shape" in each].clear()


def fields(header):
    return header["schema"][0]["schema"].values()


HEADERS = {
    "a column that rows lack": lambda header: header["schema"][0]["schema"].update(x={"type": "int32"}),
    "an array that rows lack": lambda header: (
        header["schema"][0]["schema"].update(x={"type": "int32", "shape": [1]}),
        header["schema"][0]["blob_fields"].append("x"),
    )[0],
    "text in place of numbers": lambda header: header["schema"][0]["schema"]["name"].update(type="int64"),
    "numbers in place of text": set_type("string"),
    "objects": set_type("object"),
    "a number as a type": set_type(5),
    "a list as a type": set_type([]),
    "text as a shape": set_shape(["a"]),
    "a negative shape": set_shape([-2]),
    "a huge shape": set_shape([10**12]),
    "no schema": lambda header: header.pop("schema").clear(),
    "a list of numbers as the schema": lambda header: header.update(schema=[1]),
    "fields that are numbers": lambda header: header["schema"][0].update(schema=[1]),
    "arrays that are no fields": lambda header: header["schema"][0].update(blob_fields=["q"]),
    "arrays as text": lambda header: header["schema"][0].update(blob_fields="abc"),
    "no arrays": lambda header: header["schema"][0].update(blob_fields=[]),
    "pages of nothing": lambda header: header.update(page_size=0),
    "pages of text": lambda header: header.update(page_size="1"),
    "huge pages": lambda header: header.update(page_size=1 << 70),
    "a huge header": lambda header: header.update(header_size=1 << 70),
    "files that are numbers": lambda header: header.update(shard_addresses=[3]),
    "no files": lambda header: header.update(shard_addresses=[]),
    "one file again and again": lambda header: header.update(shard_addresses=["rows.mindrecord"] * 9999),
    "many files": lambda header: header.update(shard_addresses=[str(k) for k in range(1001)]),
    "index fields as a number": lambda header: header.update(index_fields=5),
    "index fields of others": lambda header: header.update(index_fields=[{"index_field": "no"}]),
    "a list": lambda header: b"[]",
    "null": lambda header: b"null",
    "no JSON": lambda header: b"\xff" * 50,
    "deep lists": lambda header: b"[" * 100000 + b"]" * 100000,
    "a long number": lambda header: b"1" * 10000,
}


@pytest.mark.parametrize("name", list(HEADERS))
def test_other_headers_are_refused(path, read, name):
    change_header(path, HEADERS[name])
    with pytest.raises(RuntimeError, match=r"rows\.mindrecord is not a MindRecord file, or damaged") as raised:
        read(path)
    assert len(str(raised.value)) < 400


APPENDED = {
    "no pages": lambda header: header.pop("page").clear(),
    "a number of pages": lambda header: header.update(page=5),
    "pages that are numbers": lambda header: header.update(page=[5]),
    "pages of another type": lambda header: header.update(page=[{"page_type": []}]),
    "bytes saved as text": lambda header: header.update(compression_size="a"),
    "no description": lambda header: header["schema"][0].update(desc=None),
}


@pytest.mark.parametrize("name", list(APPENDED))
def test_nothing_is_appended_to_other_headers(path, name):
    change_header(path, APPENDED[name])
    assert len(list(FileReader(str(path)).get_next())) == 9
    with pytest.raises(RuntimeError, match="its '"):
        FileWriter.open_for_append(str(path))


def test_index_fields_may_be_missing(path):
    change_header(path, lambda header: header.pop("index_fields").clear())
    assert MindPage(str(path)).candidate_fields == []
    FileWriter.open_for_append(str(path))


def test_files_of_other_folders_are_not_read(path, read):
    change_header(path, lambda header: header.update(shard_addresses=["../../etc/passwd"]))
    with pytest.raises(RuntimeError, match="passwd is not exists"):
        read(path)


@pytest.mark.parametrize("value", ["'text'", "NULL"])
def test_other_categories_are_refused(path, value):
    page = MindPage(str(path))
    field = page.candidate_fields[0]
    change_index(path, f"UPDATE INDEXES SET {field}_0 = {value} WHERE ROW_ID = 1")
    with pytest.raises(RuntimeError, match="The index of .* cannot be read"):
        page.category_field = field


def test_squeezed_numbers_have_a_limit(monkeypatch):
    data = rows.squeezed(np.zeros(1000, np.int64))
    assert len(rows.unsqueezed(data, "int64")) == 1000
    monkeypatch.setenv("MSGRAD_ITEM_LIMIT", "7999")
    with pytest.raises(rows.DamagedError):
        rows.unsqueezed(data, "int64")
