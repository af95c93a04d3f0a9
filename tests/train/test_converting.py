"""Conversion of checkpoints to the other format, sharded folders, and further arguments of `save_checkpoint`."""

import json
import os

import numpy as np
import pytest

import msgrad as ms
import msgrad.alias
from msgrad import Parameter, Tensor, nn

msgrad.alias.install()
from mindspore.train import serialization  # noqa: E402

TOOLS = {"ckpt": ms.ckpt_to_safetensors, "safetensors": ms.safetensors_to_ckpt}
OTHER = {"ckpt": "safetensors", "safetensors": "ckpt"}


def written(folder, name, **parameters):
    path = str(folder / name)
    format = name.partition(".")[2]
    if format == "safetensors":
        pytest.importorskip("safetensors")
    ms.save_checkpoint({key: Parameter(Tensor(value)) for key, value in parameters.items()}, path, format=format)
    return path


def read(path):
    loaded = ms.load_checkpoint(str(path), format=str(path).rpartition(".")[2])
    return {name: (each.asnumpy().tolist(), str(each.dtype)) for name, each in loaded.items()}


@pytest.mark.parametrize("old", TOOLS)
def test_a_file_in_the_other_format(old, tmp_path):
    pytest.importorskip("safetensors")
    path = written(tmp_path, f"net.{old}", w=np.ones((2, 3), np.float16), b=np.arange(3))
    new = f"net.{OTHER[old]}"
    assert TOOLS[old](path) is None
    assert read(tmp_path / new) == read(path)
    TOOLS[old](path, save_path=str(tmp_path / "new"), name_map={"w": "weight"}, file_name_regex="n.t")
    actual = read(tmp_path / "new" / new)
    assert actual == {"weight" if name == "w" else name: value for name, value in read(path).items()}


@pytest.mark.parametrize("old", TOOLS)
def test_folders_of_ranks(old, tmp_path):
    pytest.importorskip("safetensors")
    for rank in ("rank_0", "rank_1", "other"):
        (tmp_path / rank).mkdir()
        written(tmp_path / rank, f"a.{old}", w=np.ones(2))
        written(tmp_path / rank, f"b.{old}", w=np.zeros(2))
    TOOLS[old](str(tmp_path), save_path=str(tmp_path / "new"), file_name_regex="^a")
    assert sorted(os.listdir(tmp_path / "new")) == ["rank_0", "rank_1"]
    assert os.listdir(tmp_path / "new" / "rank_1") == [f"a.{OTHER[old]}"]
    TOOLS[old](str(tmp_path))
    assert sorted(os.listdir(tmp_path / "rank_0")) == sorted(f"{n}.{f}" for n in "ab" for f in TOOLS)
    assert read(tmp_path / "rank_0" / f"b.{OTHER[old]}") == {"w": ([0.0, 0.0], "Float64")}


CONVERTING_ERRORS = [
    (("nowhere",), {}, "the 'file_path' must be the path of a file or a folder"),
    ((3,), {}, "the 'file_path' must be the path"),
    (("empty",), {}, "no folder in empty begins with 'rank'"),
    (("net.txt",), {}, "the 'file_path' must be a path that ends with '.ckpt'"),
    (("net.ckpt",), {"save_path": "a.b"}, "the 'save_path' must be a folder"),
    (("net.ckpt",), {"name_map": 3}, "the 'name_map' must be a dict"),
    (("net.ckpt",), {"file_name_regex": "zz"}, "the 'file_name_regex' must be found in 'net.ckpt'"),
    (("net.ckpt",), {}, "net.ckpt is not a checkpoint, or damaged"),
]


@pytest.mark.parametrize(("args", "kwargs", "text"), CONVERTING_ERRORS)
def test_errors_of_converting(args, kwargs, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    for name in ("net.txt", "net.ckpt"):
        (tmp_path / name).write_text("hello")
    with pytest.raises(ValueError) as caught:
        ms.ckpt_to_safetensors(*args, **kwargs)
    assert text in str(caught.value)


# -- load_distributed_checkpoint ---------------------------------------------------------------------------------------


def test_one_file(tmp_path):
    net = nn.Dense(2, 2)
    path = written(tmp_path, "net.ckpt", weight=np.eye(2, dtype=np.float32), bias=np.ones(2, np.float32))
    assert ms.load_distributed_checkpoint(net, [path]) is None
    assert net.weight.asnumpy().tolist() == [[1, 0], [0, 1]]


def test_a_folder(tmp_path):
    net = nn.Dense(2, 2)
    written(tmp_path, "part0.safetensors", w=np.eye(2, dtype=np.float32))
    options = {"format": "safetensors", "unified_safetensors_dir": str(tmp_path)}
    assert ms.load_distributed_checkpoint(net, **options, name_map={"weight": "w"}) == (["bias"], [])
    written(tmp_path, "part1.safetensors", bias=np.ones(2, np.float32), unused=np.ones(2, np.float32))
    index = {"weight_map": {"w": "part0.safetensors", "bias": "part1.safetensors"}}
    (tmp_path / "param_name_map.json").write_text(json.dumps(index))
    written(tmp_path, "hyper_param.safetensors", step=np.int32(3))
    assert ms.load_distributed_checkpoint(net, **options) == (["weight"], ["step", "w"])
    assert net.bias.asnumpy().tolist() == [1, 1]
    actual = ms.load_distributed_checkpoint(net, **options, return_param_dict=True)
    assert sorted(actual) == ["bias", "step", "w"]


DENSE = nn.Dense(2, 2)
FOLDER = {"format": "safetensors", "unified_safetensors_dir": "."}
DISTRIBUTED_ERRORS = [
    ((3, ["a.ckpt"]), {}, TypeError, "the 'network' must be a Cell"),
    ((DENSE, "a.ckpt"), {}, TypeError, "the 'checkpoint_filenames' must be a list"),
    ((DENSE, ["a.ckpt", "b.ckpt"]), {}, ValueError, "the 'checkpoint_filenames' must be one file"),
    ((DENSE, ["a.ckpt"]), {"train_strategy_filename": "s"}, ValueError, "an existing file that is not empty"),
    ((DENSE, ["a.ckpt"]), {"predict_strategy": 3}, TypeError, "the 'predict_strategy' must be a dict"),
    ((DENSE,), {"format": "foo"}, ValueError, "the 'format' must be one of"),
    ((None,), FOLDER, ValueError, "use save_checkpoint"),
    ((DENSE,), {**FOLDER, "dec_key": b""}, ValueError, "the 'format' must be 'ckpt', with a 'dec_key'"),
    ((DENSE,), {**FOLDER, "unified_safetensors_dir": "none"}, ValueError, "must be a folder"),
    ((DENSE,), FOLDER, ValueError, "must be a folder with one file or with param_name_map.json"),
    ((DENSE,), {**FOLDER, "unified_safetensors_dir": "hostile"}, ValueError, "not an index of the files in its folder"),
    ((DENSE,), {**FOLDER, "unified_safetensors_dir": "broken"}, ValueError, "not an index of the files in its folder"),
]


@pytest.mark.parametrize(("args", "kwargs", "error", "text"), DISTRIBUTED_ERRORS)
def test_errors_of_distributed_files(args, kwargs, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for folder, content in (("hostile", '{"w": "../a.safetensors"}'), ("broken", '{"w": [')):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "param_name_map.json").write_text(content)
    with pytest.raises(error) as caught:
        ms.load_distributed_checkpoint(*args, **kwargs)
    assert text in str(caught.value)


# -- mindspore.train.serialization -------------------------------------------------------------------------------------


def test_tables_of_dtypes():
    assert all(serialization.tensor_to_ms_type[str(dtype)] == dtype for dtype in (ms.int8, ms.bool_, ms.bfloat16))
    assert serialization.tensor_to_np_type("Float16") is np.float16
    assert serialization.tensor_to_np_type("BFloat16") is Tensor(1.0, ms.bfloat16).asnumpy().dtype.type
    assert (serialization.tensor_to_np_type("str"), serialization.tensor_to_np_type("foo")) == ("U", None)


def test_update_param():
    net = nn.Dense(2, 2)
    serialization._update_param(net.bias, Parameter(Tensor(np.ones(2, np.float16))))
    assert net.bias.asnumpy().tolist() == [1, 1] and net.bias.dtype == ms.float32
    with pytest.raises(RuntimeError, match="of the dtype Float32"):
        serialization._update_param(net.bias, Parameter(Tensor(np.ones(2, np.float16))), True)
    with pytest.raises(RuntimeError, match="of the shape"):
        serialization._update_param(net.bias, Parameter(Tensor(np.ones(3, np.float32))), False)


LEFT_OUT = ["Checkpoint", "_exec_save", "_parse_ckpt_proto", "_get_merged_param_data"]


@pytest.mark.parametrize("name", LEFT_OUT)
def test_left_out(name):
    with pytest.raises(NotImplementedError, match=f"'train.serialization.{name}' is left out of msgrad: "):
        getattr(serialization, name)()
