"""`TFRecordToMR` without TensorFlow; MindSpore's needs it, and the oracle has none: the rows are those written."""

import types

import numpy as np
import pytest

from msgrad.mindrecord import FileReader, PathNotExistsError, TFRecordToMR

from .cases.sources import write_records
from .test_mindrecord import assert_rows


def feature(shape, dtype, default_value=None):
    return types.SimpleNamespace(shape=shape, dtype=dtype, default_value=default_value)


STRING = types.SimpleNamespace(name="string")  # a tf.DType has a name, as NumPy's
GIVEN = [
    {"im.age": [b"\xff\x00"], "file name": ["é".encode()], "n": [k], "f": [k / 4], "list": [k, -k], "wide": [0.5] * 3}
    for k in range(300)
]
FEATURES = {
    "im.age": feature([], STRING),
    "file name": feature([], STRING),
    "n": feature([], np.dtype("int64")),
    "f": feature([], np.float32),
    "list": feature([2], "int64"),
    "wide": feature([3], "float32"),
    "missing": feature([2], "int64", 7),
    "text": feature([], "string", "none"),
}


@pytest.fixture
def source(tmp_path):
    path = str(tmp_path / "a.tfrecord")
    write_records(path, GIVEN)
    return path


def converted(source, features, bytes_fields=None):
    TFRecordToMR(source, f"{source}.mindrecord", features, bytes_fields).transform()
    return FileReader(f"{source}.mindrecord")


def test_records_become_rows(source):
    reader = converted(source, FEATURES, ["im.age"])
    wanted = [
        {
            "im_age": b"\xff\x00",
            "file_name": "é",
            "n": k,
            "f": k / 4,
            "list": np.array([k, -k]),
            "wide": np.full(3, 0.5, np.float32),
            "missing": np.array([7, 7]),
            "text": "none",
        }
        for k in range(300)
    ]
    assert_rows(list(reader.get_next()), wanted)
    assert reader.schema()["list"] == {"type": "int64", "shape": [2]}


@pytest.mark.parametrize(
    ("features", "sentence"),
    [
        ({"absent": feature([], "int64")}, "'absent' must be in each record"),
        ({"n": feature([], "float32")}, "'n' must be float32"),
        ({"n": feature([], "string")}, "'n' must be string"),
        ({"list": feature([3], "int64")}, r"'list' must have the shape \[3\]"),
        ({"list": feature([], "int64")}, r"'list' must have the shape \[\]"),
        ({"n": feature([], "int32")}, "'n' must be of tf.string, tf.int64 or tf.float32"),
        ({"n": feature([1, 1], "int64")}, r"'n' must have the shape \[\], or \[n\]"),
        ({"n": feature([0], "int64")}, r"'n' must have the shape \[\], or \[n\]"),
        ({"im.age": feature([1], "string")}, r"'im.age' must have the shape \[\], or \[n\]"),
        ({"n": "int64"}, "'n' must be a tf.io.FixedLenFeature"),
        ([], "'feature_dict' must be a dict"),
    ],
)
def test_features_that_records_do_not_have_are_refused(source, features, sentence):
    with pytest.raises(ValueError, match=sentence):
        converted(source, features)


def test_wrong_arguments_are_refused(source):
    with pytest.raises(ValueError, match="'n' must be in the feature_dict, of tf.string"):
        TFRecordToMR(source, "b", FEATURES, ["n"])
    with pytest.raises(ValueError, match="'bytes_fields' must be a list"):
        TFRecordToMR(source, "b", FEATURES, "n")
    with pytest.raises(ValueError, match="'destination' must be a path"):
        TFRecordToMR(source, 3, FEATURES)
    with pytest.raises(PathNotExistsError):
        TFRecordToMR("nowhere", "b", FEATURES)
