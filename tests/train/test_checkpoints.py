"""Checkpoints: MindSpore's files are read, the same bytes are written, and damage is an error with the path."""

import io
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops
from msgrad.testing import assert_close
from msgrad.train import saving
from msgrad.train._files import atomic, records

from . import checkpoint_values as values

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "checkpoints"
FILES = {name: (save_obj, options) for name, save_obj, options in values.files(ms)}
ONE = Parameter(Tensor([1.0]), name="one")
EXTRAS = {"enc_key": "cryptography"}


READ_AS = {"enc_key": "dec_key", "enc_mode": "dec_mode", "crc_check": "crc_check", "format": "format"}


def read(path, options):
    """Reads a file that was written with ``options``."""
    return ms.load_checkpoint(str(path), **{READ_AS[name]: v for name, v in options.items() if name in READ_AS})


def ask_for_extras(options):
    for option, package in EXTRAS.items():
        if option in options or option in options.values():
            pytest.importorskip(package)


def held(loaded):
    return {name: v if isinstance(v, str) else (str(v.dtype), v.shape, v.tolist()) for name, v in loaded.items()}


def expected(save_obj, options):
    actual = {**save_obj, **options.get("append_dict", {})}
    return held({name: v if isinstance(v, (str, Tensor)) else Tensor(v) for name, v in actual.items()})


@pytest.mark.parametrize("name", FILES)
def test_files_of_mindspore_are_read(name):
    save_obj, options = FILES[name]
    ask_for_extras(options)
    loaded = read(GOLDEN / name, options)
    assert held(loaded) == expected(save_obj, options)
    if name.endswith(".ckpt"):
        assert list(loaded) == [*save_obj, *options.get("append_dict", {})]
        assert all(isinstance(v, str) or v.name == key for key, v in loaded.items())


@pytest.mark.parametrize("name", [name for name in FILES if FILES[name][1].get("enc_key") is None])
def test_the_same_bytes_are_written(name, tmp_path):
    save_obj, options = FILES[name]
    ask_for_extras(options)
    ms.save_checkpoint(save_obj, str(tmp_path / name), **options)
    if name.endswith(".ckpt"):
        assert (tmp_path / name).read_bytes() == (GOLDEN / name).read_bytes()
    assert held(read(tmp_path / name, options)) == expected(save_obj, options)


def test_arrays_are_read_where_jax_takes_them(tmp_path):
    """Without a copy: a message ends where an array of so many bytes begins at a multiple of 64."""
    ms.save_checkpoint(
        [{"name": "a", "data": ops.ones((5, 32))}, {"name": "bc", "data": ops.ones(16)}], f"{tmp_path}/a"
    )
    path = tmp_path / "a.ckpt"
    with open(path, "rb") as file:
        for record in records.read(file, path.stat().st_size):
            assert record.content.ctypes.data % 64 == 0 and len(record.content) == 4 * np.prod(record.dims)


@pytest.mark.parametrize("mode", values.MODES)
def test_encrypted_files(mode, tmp_path):
    pytest.importorskip("cryptography")
    path = str(tmp_path / "secret.ckpt")
    save_obj, options = FILES[f"{mode}.ckpt"]
    ms.save_checkpoint(save_obj, path, **options)
    assert b"weight" not in pathlib.Path(path).read_bytes()
    assert held(read(path, options)) == expected(save_obj, options)
    for key in (values.KEY[::-1], None):
        with pytest.raises(ValueError, match="secret.ckpt"):
            ms.load_checkpoint(path, dec_key=key, dec_mode=mode)


def test_a_network_comes_back(tmp_path):
    net, other = (nn.SequentialCell(nn.Dense(2, 3), nn.BatchNorm1d(3)) for _ in range(2))
    path = str(tmp_path / "net")
    assert ms.save_checkpoint(net, path) is None
    assert oct(os.stat(path + ".ckpt").st_mode & 0o777) == "0o400"
    ms.load_checkpoint(path + ".ckpt", other)
    assert held(other.parameters_dict()) == held(net.parameters_dict())
    ms.save_checkpoint(other, path + ".ckpt")  # over a file that must not be written to
    assert list(tmp_path.iterdir()) == [tmp_path / "net.ckpt"]


def test_names_are_chosen(tmp_path):
    net = nn.SequentialCell(nn.Dense(2, 3), nn.Dense(3, 2))
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net.trainable_params(), path, choice_func=lambda name: name.startswith("1"))
    assert list(ms.load_checkpoint(path)) == ["1.weight", "1.bias"]
    assert list(ms.load_checkpoint(path, choice_func=lambda name: "bias" in name)) == ["1.bias"]
    assert list(ms.load_checkpoint(path, filter_prefix="1.w")) == ["1.bias"]
    assert list(ms.load_checkpoint(path, specify_prefix=["1.w", "2"], filter_prefix="2")) == ["1.weight"]
    with pytest.raises(ValueError, match="no Parameter of .*net.ckpt was read"):
        ms.load_checkpoint(path, filter_prefix="1")


def test_a_value_in_slices(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "SLICE", 16)
    path = str(tmp_path / "sliced.ckpt")
    parameters = {
        "long": Parameter(Tensor(np.arange(9.0))),
        "short": Parameter(Tensor([1.0])),
        "none": Tensor(np.ones((0, 3))),
    }
    ms.save_checkpoint(parameters, path, crc_check=True)
    assert pathlib.Path(path).read_bytes().count(b"long") == 5
    assert held(ms.load_checkpoint(path, crc_check=True)) == held(parameters)


@pytest.mark.parametrize("how", [True, "thread", "process"])
def test_what_is_written_later_is_what_was_saved(how, tmp_path):
    net = nn.Dense(64, 64)
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer)
    inputs, labels = ops.ones((4, 64)), ops.zeros((4, 64))
    step(inputs, labels)
    before = held(net.parameters_dict())
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path, async_save=how)
    for _ in range(3):
        step(inputs, labels)
    saving._writer.join()
    assert not ms.async_ckpt_thread_status()
    assert held(ms.load_checkpoint(path)) == before != held(net.parameters_dict())


def test_reading_in_the_background(tmp_path):
    path = str(tmp_path / "net.ckpt")
    net = nn.Dense(2, 3)
    ms.save_checkpoint(net, path)
    assert held(ms.load_checkpoint_async(path).result()) == held(net.parameters_dict())
    with pytest.raises(ValueError, match="nowhere"):
        ms.load_checkpoint_async(str(tmp_path / "nowhere.ckpt")).result()
    assert list(ms.load_segmented_checkpoints(str(tmp_path))) == ["weight", "bias"]


# -- damage ----------------------------------------------------------------------------------------------------------


def outcome(path, **options):
    """What reading gives: the values, or the error's text."""
    try:
        return held(ms.load_checkpoint(path, **options))
    except ValueError as error:
        assert path in str(error)
        return str(error)


def test_a_file_cut_off_anywhere_is_an_error(tmp_path):
    whole = (GOLDEN / "appended.ckpt").read_bytes()
    path = str(tmp_path / "cut.ckpt")
    kept = {}
    for length in range(len(whole)):
        pathlib.Path(path).write_bytes(whole[:length])
        actual = outcome(path)
        if isinstance(actual, dict):
            kept[length] = len(actual)  # it ends between two records, so that only a CRC could tell
    assert sorted(kept.values()) == [1, 2, 3, 4, 5]


def test_a_changed_byte_never_does_harm(tmp_path):
    whole = (GOLDEN / "dtypes.ckpt").read_bytes()
    path = str(tmp_path / "changed.ckpt")
    draw = random.Random(0)
    for _ in range(300):
        changed = bytearray(whole)
        changed[draw.randrange(len(whole))] = draw.randrange(256)
        pathlib.Path(path).write_bytes(changed)
        outcome(path)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x0a" + b"\xff" * 9 + b"\x7f", "a record of"),
        (b"\x0a" + b"\xff" * 20, "does not end"),
        (b"hello", "does not begin"),
        (b"\x0a\x02\x08\x01", "no name"),
        (b"\x0a\x04\x0a\x7f\x00\x00", "longer than its record"),
        (b"\x0a\x01\x0b", "unknown wire type"),
        (b"\x0a\x0a\x0a\x01w\x12\x05\x12\x01?\x1a\x00", "has the dtype"),
        (b"\x0a\x10\x0a\x01w\x12\x0b\x08\x7f\x12\x05Int32\x1a\x00"[:17], "begins 15 bytes before the end"),
        (b"\x0a\x10\x0a\x01w\x12\x0b\x08\x7f\x12\x05Int32\x1a\x00", "has 0 bytes"),
        (b"\x0a\x0b\x0a\x01\xff\x12\x06\x12\x02U8\x1a\x00", "not text"),
    ],
)  # fmt: skip
def test_hostile_files(content, reason, tmp_path):
    path = str(tmp_path / "hostile.ckpt")
    pathlib.Path(path).write_bytes(content)
    assert reason in outcome(path)


@pytest.mark.parametrize("format", ["ckpt", "safetensors"])
def test_asynchronous_saves_hold_the_values_of_the_call(format, tmp_path, monkeypatch):
    may_write = threading.Event()
    run = saving._run
    monkeypatch.setattr(saving, "_run", lambda *arguments: may_write.wait(60) and run(*arguments))
    parameter = Parameter(Tensor([1.0, 2.0]), name="p")
    path = str(tmp_path / f"p.{format}")
    ms.save_checkpoint([parameter], path, async_save=True, format=format)
    parameter.set_data(Tensor([3.0, 4.0]))
    may_write.set()
    saving.wait_for_writer()
    assert ms.load_checkpoint(path, format=format)["p"].asnumpy().tolist() == [1, 2]


@pytest.mark.parametrize("told", [saving.wait_for_writer, lambda: ms.save_checkpoint([ONE], "small.ckpt")])
@pytest.mark.parametrize("how", [True, "process"])
def test_a_failed_asynchronous_save_is_raised_once(told, how, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ms.save_checkpoint([ONE], str(tmp_path / "nowhere" / "small.ckpt"), async_save=how)
    saving._writer.join()
    with pytest.raises(OSError, match="nowhere"):
        told()
    told()


def test_old_checkpoints_stay_until_the_new_one_is_there(tmp_path, monkeypatch):
    network = nn.Dense(1, 1)
    config = ms.train.CheckpointConfig(save_checkpoint_steps=1, keep_checkpoint_max=1)
    data = ms.dataset.NumpySlicesDataset({"x": np.ones((3, 1), np.float32), "y": np.ones((3, 1), np.float32)}).batch(1)
    model = ms.Model(network, nn.MSELoss(), nn.SGD(network.trainable_params()))
    write, count = saving.records.write, [0]

    def failing(*arguments):
        count[0] += 1
        if count[0] == 2:
            raise OSError("the disk is full")
        write(*arguments)

    monkeypatch.setattr(saving.records, "write", failing)
    with pytest.raises(OSError, match="the disk is full"):
        model.train(1, data, ms.train.ModelCheckpoint("net", str(tmp_path), config), dataset_sink_mode=False)
    assert [path.name for path in tmp_path.glob("*.ckpt")] == ["net-1_1.ckpt"]


def test_temporary_files_of_ended_processes_are_removed(tmp_path):
    program = "import sys; from msgrad.train._files.atomic import replacing; import os\n"
    program += "with replacing(sys.argv[1]) as file: os._exit(9)"
    path = str(tmp_path / "p.ckpt")
    subprocess.run([sys.executable, "-c", program, path], check=False)
    (abandoned,) = tmp_path.iterdir()
    with atomic.replacing(path):  # another saver of that name, whose process runs
        assert abandoned not in tmp_path.iterdir()
        ms.save_checkpoint([ONE], path)
        assert len(list(tmp_path.glob(".*.tmp"))) == 1


def test_no_value_is_lost_to_an_equal_name(tmp_path):
    one, other = Parameter(Tensor([1.0]), name="p"), Parameter(Tensor([2.0]), name="p")
    with pytest.raises(ValueError, match="'save_obj' must be a list whose names differ"):
        ms.save_checkpoint([one, other], str(tmp_path / "p"))
    with pytest.raises(ValueError, match="'append_dict' must be a dict without names of the save_obj"):
        ms.save_checkpoint([one], str(tmp_path / "p"), append_dict={"p": 3})
    assert not list(tmp_path.iterdir())


def test_a_wrong_crc(tmp_path):
    for name in ("sealed.ckpt", "sealed.safetensors"):
        changed = bytearray((GOLDEN / name).read_bytes())
        changed[-20 if name.endswith("ckpt") else -1] ^= 1
        path = str(tmp_path / name)
        pathlib.Path(path).write_bytes(changed)
        assert "CRC" in outcome(path, crc_check=True, format=name.partition(".")[2])
        assert isinstance(outcome(path, format=name.partition(".")[2]), dict)


def test_damaged_safetensors(tmp_path):
    whole = (GOLDEN / "small.safetensors").read_bytes()
    path = str(tmp_path / "cut.safetensors")
    for length in range(0, len(whole), 7):
        pathlib.Path(path).write_bytes(whole[:length])
        assert "damaged" in outcome(path, format="safetensors")
    assert list(ms.load_checkpoint(io.BytesIO(whole), format="safetensors")) == ["bias", "weight"]


@pytest.mark.parametrize("crc", [None, "²", "9" * 5000, "x", "5"])
def test_metadata_of_safetensors(crc, tmp_path):
    head = {"a": {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}}
    text = json.dumps(head | {"__metadata__": crc and {"crc_num": crc}}).encode()
    path = tmp_path / "a.safetensors"
    path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(8))
    assert list(ms.load_checkpoint(str(path), format="safetensors")) == ["a"]
    actual = outcome(str(path), crc_check=True, format="safetensors")
    assert isinstance(actual, dict) if crc is None else "damaged: its CRC does not match its content" in actual


BAD_ENTRIES = [
    {"dtype": "F32", "shape": [2], "data_offsets": [0, 4]},
    {"dtype": "F32", "shape": [2], "data_offsets": [4, 12]},
    {"dtype": "F32", "shape": [-2], "data_offsets": [0, 8]},
    {"dtype": "F32", "shape": [2**62, 4, 2], "data_offsets": [0, 8]},
    {"dtype": "F32", "shape": 2, "data_offsets": [0, 8]},
    {"dtype": ["F32"], "shape": [2], "data_offsets": [0, 8]},
    {"dtype": "F4", "shape": [2], "data_offsets": [0, 8]},
    {"shape": [2], "data_offsets": [0, 8]},
    [],
]


@pytest.mark.parametrize("entry", BAD_ENTRIES, ids=str)
def test_headers_of_safetensors_that_are_wrong(entry, tmp_path):
    for header in ({"a": entry}, [entry]):
        text = json.dumps(header).encode()
        path = tmp_path / "a.safetensors"
        path.write_bytes(len(text).to_bytes(8, "little") + text + bytes(8))
        assert "damaged" in outcome(str(path), format="safetensors")


def test_safetensors_are_those_of_the_package(tmp_path):
    library = pytest.importorskip("safetensors.numpy")
    dtypes = "bool_ uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 float32 float64 complex64".split()
    saved = [Parameter(Tensor(np.ones((3,), np.dtype(each))), name=f"ä.{each}") for each in dtypes]
    saved += [Parameter(Tensor(np.ones((2, 0)), ms.float32), name="empty"), Parameter(Tensor(2.0), name="scalar")]
    path = str(tmp_path / "a.safetensors")
    ms.save_checkpoint(saved, path, format="safetensors", crc_check=True)
    theirs = library.load_file(path)
    assert list(sorted(theirs)) == sorted(each.name for each in saved)
    for each in saved:
        assert_close(theirs[each.name], each.asnumpy())
    library.save_file(theirs, path + ".safetensors")
    for name, value in ms.load_checkpoint(path + ".safetensors", format="safetensors").items():
        assert_close(value.asnumpy(), theirs[name])


def test_an_error_leaves_the_old_file(tmp_path, monkeypatch):
    net = nn.Dense(2, 3)
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(net, path)
    before = pathlib.Path(path).read_bytes()

    def fail(file, parts, sealed):
        file.write(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(records, "write", fail)
    with pytest.raises(OSError, match="disk full"):
        ms.save_checkpoint(nn.Dense(2, 3), path)
    assert (pathlib.Path(path).read_bytes(), os.listdir(tmp_path)) == (before, ["net.ckpt"])


WRITER = """
    import os, sys
    from msgrad.train._files import atomic, records
    path, number = sys.argv[1], 0
    while True:
        parent = os.getpid()
        if os.fork() == 0:
            while os.getppid() == parent:
                number += 1
                content = bytes([number % 256]) * 65536
                parts = [records.Record(str(k), (65536,), "UInt8", content) for k in range(8)]
                with atomic.replacing(path) as file:
                    records.write(file, parts, sealed=True)
                print(os.getpid(), flush=True)
            break
        os.wait()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="kills forked processes")
def test_a_killed_process_leaves_a_whole_file(tmp_path):
    path = str(tmp_path / "killed.ckpt")
    command = [sys.executable, "-c", textwrap.dedent(WRITER), path]
    draw = random.Random(0)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as parent:
        for _ in range(20):
            child = int(parent.stdout.readline())
            time.sleep(draw.uniform(0, 0.01))
            os.kill(child, signal.SIGKILL)
            while int(parent.stdout.readline()) == child:
                pass  # lines from before
            content = ms.load_checkpoint(path, crc_check=True)
            assert len(content) == 8
            assert len({int(number) for value in content.values() for number in value.asnumpy()[:1]}) == 1
        parent.kill()


# -- arguments -------------------------------------------------------------------------------------------------------

SAVE_ERRORS = [
    ((3, "x"), {}, TypeError, "the 'save_obj' must be a Cell"),
    ((nn.Dense(1, 1), 3), {}, TypeError, "the 'ckpt_file_name' must be a str"),
    ((nn.Dense(1, 1), "."), {}, IsADirectoryError, "the 'ckpt_file_name' must be the path of a file"),
    (([3], "x"), {}, TypeError, "the 'save_obj' must be a list of Parameters"),
    (([{"name": "a"}], "x"), {}, TypeError, "the 'save_obj' must be a list of Parameters"),
    (([{"name": "a", "data": 3}], "x"), {}, TypeError, "the 'save_obj['a']' must be a Tensor"),
    (({3: Tensor([1.0])}, "x"), {}, TypeError, "the 'name in the save_obj' must be a str"),
    (({"a": 3}, "x"), {}, TypeError, "the 'save_obj['a']' must be a Tensor or a str"),
    (([], "x"), {"append_dict": 3}, TypeError, "the 'append_dict' must be"),
    (([], "x"), {"append_dict": {"a": None}}, TypeError, "the 'append_dict['a']' must be"),
    (([], "x"), {"integrated_save": 3}, TypeError, "the 'integrated_save' must be a bool"),
    (([], "x"), {"async_save": 3}, TypeError, "the 'async_save' must be"),
    (([], "x"), {"async_save": "foo"}, ValueError, "the 'async_save' must be"),
    (([], "x"), {"format": "foo"}, ValueError, "the 'format' must be"),
    (([], "x"), {"enc_key": b"012"}, ValueError, "the 'enc_key' must be"),
    (([], "x"), {"enc_key": "012"}, ValueError, "the 'enc_key' must be"),
    (([], "x"), {"enc_key": values.KEY, "enc_mode": "foo"}, ValueError, "the 'enc_mode' must be"),
    (([], "x"), {"enc_key": values.KEY, "format": "safetensors"}, ValueError, "the 'enc_key' must be None"),
    (([], "no/such/x"), {}, FileNotFoundError, "no/such"),
]
SMALL = str(GOLDEN / "small.ckpt")
LOAD_ERRORS = [
    ((3,), {}, TypeError, "the 'ckpt_file_name' must be a str"),
    (("a",), {}, ValueError, "the 'ckpt_file_name' must be a path that ends with the 'format'"),
    (("nope.ckpt",), {}, ValueError, "the 'ckpt_file_name' must be a file that exists"),
    ((SMALL, 3), {}, TypeError, "the 'net' must be a Cell"),
    ((SMALL,), {"filter_prefix": 3}, TypeError, "the 'prefix' must be"),
    ((SMALL,), {"filter_prefix": []}, ValueError, "the 'prefix' must be"),
    ((SMALL,), {"filter_prefix": ""}, ValueError, "the 'prefix' must be"),
    ((SMALL,), {"crc_check": 3}, ValueError, "The parameter 'crc_check' must be isinstance of <class 'bool'>"),
    ((SMALL,), {"remove_redundancy": 3}, ValueError, "The parameter 'remove_redundancy' must be isinstance of"),
    ((SMALL,), {"choice_func": 3}, ValueError, "'int' object is not callable"),
    ((SMALL,), {"format": "foo"}, ValueError, "the 'format' must be"),
    ((SMALL,), {"dec_key": b"0"}, ValueError, "the 'dec_key' must be"),
    ((io.BytesIO(b""),), {}, TypeError, "the 'ckpt_file_name' must be a path"),
]


@pytest.mark.parametrize(("args", "kwargs", "error", "text"), SAVE_ERRORS)
def test_errors_of_saving(args, kwargs, error, text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error) as caught:
        ms.save_checkpoint(*args, **kwargs)
    assert text in str(caught.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("args", "kwargs", "error", "text"), LOAD_ERRORS)
def test_errors_of_loading(args, kwargs, error, text):
    with pytest.raises(error) as caught:
        ms.load_checkpoint(*args, **kwargs)
    assert text in str(caught.value)
