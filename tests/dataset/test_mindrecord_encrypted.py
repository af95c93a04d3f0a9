"""Encrypted MindRecord files: MindSpore's are read, written ones are equal; wrong keys and damage are refused."""

import pathlib
import struct

import pytest

import msgrad.dataset as ds
from msgrad.mindrecord import FileReader, FileWriter, MindPage, set_dec_mode, set_enc_key, set_enc_mode
from msgrad.train._files import cipher

from . import mindrecord_values as values
from .test_mindrecord import assert_rows

GOLDEN = pathlib.Path(__file__).parents[1] / "golden" / "mindrecord_encrypted"
NAME = "rows.mindrecord"


@pytest.fixture(autouse=True)
def key():
    set_enc_key(values.KEY)
    yield
    set_enc_key(None)
    set_enc_mode()
    set_dec_mode(None)


def read_rows(path):
    return list(FileReader(str(path)).get_next())


def test_files_of_mindspore_are_read():
    assert_rows(read_rows(GOLDEN / NAME), values.rows())
    dataset = ds.MindDataset(str(GOLDEN / NAME), ["label"], shuffle=False)
    assert [int(row["label"]) for row in dataset.create_dict_iterator(num_epochs=1)] == list(range(-3, 6))
    assert MindPage(str(GOLDEN / NAME)).candidate_fields == ["label", "name", "weight"]


def test_files_are_laid_out_as_mindspore_does(tmp_path):
    values.write(FileWriter, tmp_path, values.ONE_FILE)
    for name in (NAME, f"{NAME}.db"):
        ours, theirs = (tmp_path / name).read_bytes(), (GOLDEN / name).read_bytes()
        assert len(ours) == len(theirs) and ours[:8] == theirs[:8] and ours[-18:] == theirs[-18:]
        assert ours[8:] != theirs[8:]  # the initial vectors are drawn
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o600
    assert_rows(read_rows(tmp_path / NAME), values.rows())
    assert sorted(path.name for path in tmp_path.iterdir()) == [NAME, f"{NAME}.db"]


def test_large_files_are_blocks(tmp_path, monkeypatch):
    monkeypatch.setattr(cipher, "BLOCK", 10_000)
    values.write(FileWriter, tmp_path, values.ONE_FILE)
    assert_rows(read_rows(tmp_path / NAME), values.rows())
    assert struct.unpack(">i", (tmp_path / NAME).read_bytes()[:4])[0] < 10_100


def test_rows_are_appended(tmp_path):
    values.write(FileWriter, tmp_path, values.ONE_FILE)
    writer = FileWriter.open_for_append(str(tmp_path / NAME))
    writer.write_raw_data(values.rows()[:1])
    writer.commit()
    assert_rows(read_rows(tmp_path / NAME), [*values.rows(), *values.rows()[:1]])
    assert (tmp_path / NAME).read_bytes().endswith(b"AES-GCMENCRYPT")


def test_functions_encrypt(tmp_path):
    calls = []

    def reversed_to(file, size, to, key):
        calls.append((size, key))
        to.write(file.read(size)[::-1])

    def back(file, size, to, key):
        calls.append((size - 11, key))
        to.write(file.read(size - 11)[::-1])

    set_enc_mode(reversed_to)
    values.write(FileWriter, tmp_path, values.ONE_FILE)
    with pytest.raises(RuntimeError, match=r"set_dec_mode\(function\)"):
        read_rows(tmp_path / NAME)
    set_dec_mode(back)
    assert_rows(read_rows(tmp_path / NAME), values.rows())
    assert calls[:2] == calls[2:] and calls[0][1] == values.KEY
    with pytest.raises(RuntimeError, match="cannot be decrypted"):
        read_rows(GOLDEN / NAME)


@pytest.mark.parametrize("other", ["another key of 16", "x" * 24])
def test_other_keys_are_refused(other):
    set_enc_key(other[:16] if len(other) < 24 else other)
    with pytest.raises(RuntimeError, match="rows.mindrecord cannot be decrypted"):
        read_rows(GOLDEN / NAME)


def test_plain_and_encrypted_files_are_told_apart(tmp_path):
    set_enc_key(None)
    with pytest.raises(RuntimeError, match="is encrypted: call mindrecord.set_enc_key"):
        read_rows(GOLDEN / NAME)
    values.write(FileWriter, tmp_path, values.ONE_FILE)
    set_enc_key(values.KEY)
    with pytest.raises(RuntimeError, match="is not encrypted, and there is a key"):
        read_rows(tmp_path / NAME)


@pytest.mark.parametrize("place", [0, 4, 30, 100, -20, -30])
def test_damaged_files_are_refused(tmp_path, place):
    for name in (NAME, f"{NAME}.db"):
        (tmp_path / name).write_bytes((GOLDEN / name).read_bytes())
    data = bytearray((tmp_path / NAME).read_bytes())
    data[place] ^= 0x55
    (tmp_path / NAME).write_bytes(data)
    with pytest.raises(RuntimeError, match="rows.mindrecord cannot be decrypted"):
        read_rows(tmp_path / NAME)


def test_a_cut_file_is_refused(tmp_path):
    data = (GOLDEN / NAME).read_bytes()
    for length in (0, 7, 18, 1000):
        (tmp_path / NAME).write_bytes(data[:length][: max(0, length - 18)] + data[-18:][:length])
        (tmp_path / f"{NAME}.db").write_bytes((GOLDEN / f"{NAME}.db").read_bytes())
        with pytest.raises(RuntimeError, match="rows.mindrecord"):
            read_rows(tmp_path / NAME)


def test_wrong_arguments_are_refused(tmp_path):
    for wrong in (b"x" * 16, "x" * 15, 3):
        with pytest.raises(ValueError, match="None or a str of 16, 24 or 32 characters") as caught:
            set_enc_key(wrong)
        assert "xxx" not in str(caught.value)
    for wrong in ("AES-CBC", "SM4-CBC", 3):
        with pytest.raises(ValueError, match="'enc_mode' must be 'AES-GCM' or a function"):
            set_enc_mode(wrong)
        with pytest.raises(ValueError, match="'dec_mode' must be 'AES-GCM' or a function"):
            set_dec_mode(wrong)
    with pytest.raises(ValueError, match="enc_mode"):
        set_enc_mode(None)
    for call in (
        lambda: FileWriter(str(tmp_path / "a"), 2),
        lambda: ds.NumpySlicesDataset([1, 2]).save(str(tmp_path / "a"), 2),
    ):
        with pytest.raises(RuntimeError, match="one file at a time"):
            call()
    assert not list(tmp_path.iterdir())
