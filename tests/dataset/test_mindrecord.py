"""MindRecord: MindSpore's files are read, written files equal MindSpore's, damaged ones are refused."""

import contextlib
import json
import os
import pathlib
import pickle
import shutil
import sqlite3
import struct

import numpy as np
import pytest

import msgrad.dataset as ds
from msgrad import mindrecord
from msgrad.mindrecord import (
    FileReader,
    FileWriter,
    MRMDefineIndexError,
    MRMInvalidSchemaError,
    ParamTypeError,
    ParamValueError,
)

from . import mindrecord_values as values

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "mindrecord"
STATISTICS = {"compression_size": None}  # a figure that nothing reads


def assert_rows(actual, expected):
    assert len(actual) == len(expected)
    for row, wanted in zip(actual, expected, strict=True):
        assert set(row) == set(wanted)
        for name, value in wanted.items():
            assert np.array_equal(row[name], value), name
            assert not isinstance(value, np.ndarray) or row[name].dtype == value.dtype


def header(path):
    data = path.read_bytes()
    return json.loads(data[8 : 8 + struct.unpack("<Q", data[:8])[0]])


@pytest.mark.parametrize("name", ["rows.mindrecord", "shards.mindrecord0"])
def test_files_of_mindspore_are_read(name):
    assert_rows(list(FileReader(str(GOLDEN / name)).get_next()), values.rows())


def test_files_are_those_of_mindspore(tmp_path):
    values.write(FileWriter, tmp_path)
    for path in sorted(GOLDEN.iterdir()):
        ours = tmp_path / path.name
        if path.suffix == ".db":
            with contextlib.closing(sqlite3.connect(path)) as theirs, contextlib.closing(sqlite3.connect(ours)) as mine:
                columns = [row[1] for row in theirs.execute("PRAGMA table_info(INDEXES)")]
                assert sorted(columns) == sorted(row[1] for row in mine.execute("PRAGMA table_info(INDEXES)"))
                names = ", ".join(columns)
                assert (
                    mine.execute(f"SELECT {names} FROM INDEXES").fetchall()
                    == theirs.execute(f"SELECT {names} FROM INDEXES").fetchall()
                )
            theirs.close()
            mine.close()
            continue
        assert header(ours) | STATISTICS == header(path) | STATISTICS
        assert ours.read_bytes()[1 << 14 :] == path.read_bytes()[1 << 14 :]


@pytest.mark.parametrize("name", ["rows.mindrecord", "shards.mindrecord2"])
def test_mind_dataset_gives_the_rows(name):
    dataset = ds.MindDataset(str(GOLDEN / name), shuffle=False)
    assert dataset.get_col_names() == sorted(values.SCHEMA) and dataset.get_dataset_size() == 9
    actual = list(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
    for row, wanted in zip(actual, values.rows(), strict=True):
        assert row["data"].tobytes() == wanted["data"] and str(row["name"]) == wanted["name"]
        assert np.array_equal(row["table"], wanted["table"]) and row["label"].dtype == np.int32
    shard = ds.MindDataset(str(GOLDEN / name), ["label"], shuffle=False, num_shards=2, shard_id=1)
    assert [int(row["label"]) for row in shard.create_dict_iterator(num_epochs=1)] == [-2, 0, 2, 4, -3]


def test_padded_rows_are_appended():
    padding = {"label": 70, "data": b"x"}
    dataset = ds.MindDataset(
        str(GOLDEN / "rows.mindrecord"), ["label", "data"], shuffle=False, padded_sample=padding, num_padded=2
    )
    assert [int(row["label"]) for row in dataset.create_dict_iterator(num_epochs=1)][-3:] == [5, 70, 70]


def test_rows_are_appended_in_new_pages(tmp_path):
    values.write(FileWriter, tmp_path)
    path = str(tmp_path / "rows.mindrecord")
    writer = FileWriter.open_for_append(path)
    big = values.rows()[-1] | {"data": bytes(range(256)) * 100}
    writer.write_raw_data([big] * 4)
    writer.commit()
    assert_rows(list(FileReader(path).get_next()), values.rows() + [big] * 4)


def test_rows_that_do_not_fit_are_left_out(tmp_path):
    writer = FileWriter(str(tmp_path / "a"))
    writer.add_schema({"label": {"type": "int32"}})
    writer.write_raw_data([{"label": 1}, {"label": "2"}, {}])
    writer.commit()
    assert [row["label"] for row in FileReader(str(tmp_path / "a")).get_next()] == [1]


def test_wrong_arguments_are_refused(tmp_path):
    path = str(tmp_path / "a")
    with pytest.raises(ParamValueError, match="'shard_num' must be from 1 to 1000"):
        FileWriter(path, 0)
    writer = FileWriter(path)
    with pytest.raises(MRMInvalidSchemaError, match="'a' has an unknown type"):
        writer.add_schema({"a": {"type": "int8"}})
    with pytest.raises(RuntimeError, match="no schema"):
        writer.write_raw_data([{}])
    writer.add_schema({"a": {"type": "int32"}, "b": {"type": "bytes"}})
    with pytest.raises(MRMDefineIndexError, match="'b' cannot be an index"):
        writer.add_index(["b"])
    with pytest.raises(ParamTypeError, match="'raw_data' must be a list"):
        writer.write_raw_data({})
    with pytest.raises(RuntimeError, match="no row fits"):
        writer.write_raw_data([{"a": 1}])
    writer.commit()
    again = FileWriter(path)
    again.add_schema({"a": {"type": "int32"}})
    with pytest.raises(RuntimeError, match="exists already"):
        again.write_raw_data([{"a": 1}])
    with pytest.raises(ValueError, match="does not exist or permission denied"):
        ds.MindDataset("/no/such/file")


def test_damaged_files_are_refused(tmp_path):
    for name in os.listdir(GOLDEN):
        shutil.copy(GOLDEN / name, tmp_path / name)
    path = tmp_path / "rows.mindrecord"
    whole = path.read_bytes()
    for length in (0, 5, 100, 1 << 14, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(RuntimeError, match="is not a MindRecord file, or damaged"):
            list(FileReader(str(path)).get_next())
    generator = np.random.default_rng(0)
    for _ in range(200):
        damaged = bytearray(whole)
        for place in generator.integers(0, len(whole), 20):
            damaged[place] = generator.integers(0, 256)
        path.write_bytes(damaged)
        try:
            list(FileReader(str(path)).get_next())
        except RuntimeError as error:
            assert "is not a MindRecord file, or damaged" in str(error)
    path.write_bytes(whole)
    os.remove(f"{path}.db")
    with pytest.raises(RuntimeError, match="there is no .*db"):
        FileReader(str(path))


def test_other_formats_become_files(tmp_path):
    from .cases.sources import image_folder_path, mnist_folder

    csv_path = tmp_path / "a.csv"
    csv_path.write_text("n,f,s\n1,2.5,x\n2,3.5,y\n")
    mindrecord.CsvToMR(str(csv_path), str(tmp_path / "csv")).run()
    assert list(FileReader(str(tmp_path / "csv")).get_next()) == [
        {"n": 1, "f": 2.5, "s": "x"},
        {"n": 2, "f": 3.5, "s": "y"},
    ]
    mindrecord.MnistToMR(mnist_folder(), str(tmp_path / "mnist")).run()
    dataset = ds.MindDataset(str(tmp_path / "mnist_train.mindrecord"), shuffle=False)
    dataset = dataset.map(ds.vision.Decode(), ["data"])
    first = next(dataset.create_dict_iterator(num_epochs=1, output_numpy=True))
    assert first["data"].shape == (28, 28, 3) and first["data"][0, 1, 0] == 7
    (tmp_path / "map").write_text("cats 4\ndogs 5\n")
    mindrecord.ImageNetToMR(str(tmp_path / "map"), image_folder_path(), str(tmp_path / "images"), 2).run()
    assert [row["label"] for row in FileReader(str(tmp_path / "images0")).get_next()] == [4, 4, 5, 5]


@pytest.mark.parametrize("shards", [1, 3])
def test_pages_of_categories(tmp_path, shards):
    writer = FileWriter(str(tmp_path / "a"), shards)
    writer.add_schema({"name": {"type": "string"}, "label": {"type": "int32"}, "data": {"type": "bytes"}})
    writer.add_index(["name", "label"])
    writer.write_raw_data([{"name": f"f{k % 3}", "label": k % 2, "data": bytes([k])} for k in range(7)])
    writer.commit()
    paths = [str(path) for path in sorted(tmp_path.iterdir()) if path.suffix != ".db"]
    for file_name in (paths[0], paths):
        pages = mindrecord.MindPage(file_name)
        assert pages.candidate_fields == ["name", "label"] and pages.category_field is None
        with pytest.raises(RuntimeError, match="set the 'category_field' first"):
            pages.read_category_info()
        pages.category_field = "label"  # what MindSpore 2.10 gives
        known = '{"categories":[{"count":4,"id":0,"name":"0"},{"count":3,"id":1,"name":"1"}],"key":"label_0"}'
        assert pages.read_category_info() == known
        assert [row["data"] for row in pages.read_at_page_by_id(0, 0, 2)] == [b"\0", b"\2"]
        assert [row["data"] for row in pages.read_at_page_by_id(1, 1, 2)] == [b"\5"]
        pages.category_field = "name"
        assert [row["data"] for row in pages.read_at_page_by_name("f2", 0, 10)] == [b"\2", b"\5"]
        with pytest.raises(RuntimeError, match="there is no category 9 of the field 'name'"):
            pages.read_at_page_by_id(9, 0, 1)
        with pytest.raises(RuntimeError, match="there is no page 1 of the field 'name'"):
            pages.read_at_page_by_name("f2", 1, 2)
        with pytest.raises(ParamValueError, match="'page' must be an int of at least 0"):
            pages.read_at_page_by_id(0, -1, 1)
        with pytest.raises(mindrecord.MRMDefineCategoryError, match="must be one of the index fields"):
            pages.category_field = "data"


# Texts begin as in MindSpore 2.10; its classes take no detail where ours may have one.
@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (mindrecord.MRMCommitError(), "[MRMCommitError]: Failed to commit."),
        (mindrecord.UnknownError(), "[UnknownError]: Unknown Error."),
        (mindrecord.MRMDefineBlobError("x"), "[MRMDefineBlobError]: Failed to define blob field. Detail: x"),
        (mindrecord.ParamMissError("x"), "[ParamMissError]: Param missing. 'x' is required."),
        (ParamValueError("x"), "[ParamValueError]: Invalid parameter value. x"),
    ],
    ids=lambda each: type(each).__name__,
)
def test_texts_of_exceptions(error, expected):
    assert str(error) == expected and isinstance(error, mindrecord.MindRecordException)
    assert str(pickle.loads(pickle.dumps(error))).startswith(f"[{type(error).__name__}]")
