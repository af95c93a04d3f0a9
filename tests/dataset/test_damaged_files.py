"""Damaged files end in one clear error, whatever is damaged, in bounded memory; what MindSpore does with some of them
is among the cases of ``cases/damaged.py``."""

import gzip
import os
import tracemalloc
import zlib

import numpy as np
import pytest

import msgrad.dataset as ds
from msgrad.dataset.sources._formats.crc32c import crc32c, masked

from .cases.damaged import MESSAGES, WHOLE, flipped, record
from .cases.sources import masked_crc, message

FILE = b"".join(WHOLE)
COMPRESSED = {"GZIP": gzip.compress(FILE, mtime=0), "ZLIB": zlib.compress(FILE)}


@pytest.fixture
def read(tmp_path):
    path = tmp_path / "a.tfrecord"

    def rows(data, compression=None):
        path.write_bytes(data)
        dataset = ds.TFRecordDataset(str(path), shuffle=False, compression_type=compression)
        return [
            {name: value.tolist() for name, value in row.items()}
            for row in dataset.create_dict_iterator(num_epochs=1, output_numpy=True)
        ]

    return rows


def bits_to_flip(data):
    return [(place, bit) for place in range(len(data)) for bit in range(8)]


@pytest.mark.parametrize(
    "data, crc", [(b"123456789", 0xE3069283), (bytes(32), 0x8A9136AA), (b"\xff" * 32, 0x62A8AB43), (b"", 0)]
)
def test_crc_is_that_of_rfc_3720(data, crc):
    assert crc32c(data) == crc


@pytest.mark.parametrize("length", [1, 3, 255, 256, 257, 1000, 256 * 64, 256 * 64 + 1, 70001])
def test_crc_is_that_of_a_loop_over_bits(length):
    data = np.random.default_rng(length).bytes(length)
    assert masked(data) == masked_crc(data)


def test_every_flipped_bit_of_a_tfrecord_file_is_refused(read):
    for place, bit in bits_to_flip(FILE):
        with pytest.raises(RuntimeError, match=r"a\.tfrecord cannot be read: record [12] is damaged: "):
            read(flipped(FILE, place, bit))


def test_every_cut_of_a_tfrecord_file_is_refused(read):
    for end in range(len(FILE)):
        if end == len(WHOLE[0]):
            assert len(read(FILE[:end])) == 1
            continue
        with pytest.raises(RuntimeError, match=r"a\.tfrecord cannot be read: "):
            read(FILE[:end])


@pytest.mark.parametrize("compression", list(COMPRESSED))
def test_every_flipped_bit_of_a_compressed_file_is_refused_or_changes_nothing(read, compression):
    whole, refused = COMPRESSED[compression], 0
    expected = read(whole, compression)
    for place, bit in bits_to_flip(whole):
        try:
            assert read(flipped(whole, place, bit), compression) == expected
        except RuntimeError as error:
            assert "a.tfrecord cannot be read: " in str(error)
            refused += 1
    assert refused > 7 * len(whole)


@pytest.mark.parametrize("compression", list(COMPRESSED))
def test_every_cut_of_a_compressed_file_is_refused(read, compression):
    for end in range(len(COMPRESSED[compression])):
        with pytest.raises(RuntimeError, match=r"a\.tfrecord cannot be read: "):
            read(COMPRESSED[compression][:end], compression)


@pytest.mark.parametrize("name", list(MESSAGES))
def test_flipped_bits_of_a_message_with_the_right_crc_give_rows_or_one_error(read, name):
    data = MESSAGES[name][:100]
    for place, bit in bits_to_flip(data):
        try:
            read(record(flipped(data, place, bit)))
        except RuntimeError as error:
            assert "record 1" in str(error)


WRONG_WIRE_TYPES = {
    "name is a varint": b"\x08\x80\xde\xa0\xcb\x0b",  # 3e9, which would be the bytes that are reserved
    "list is a varint": message(1, b"a") + message(2, b"\x18\x05"),
    "float32 is a varint": message(1, b"a") + message(2, message(2, b"\x08\x01")),
    "int64 is fixed": message(1, b"a") + message(2, message(3, b"\x0d\x05\x05\x05\x05")),
    "bytes are a varint": message(1, b"a") + message(2, message(1, b"\x08\x05")),
    "group": b"\x0b\x0c",
}


@pytest.mark.parametrize("name", list(WRONG_WIRE_TYPES))
def test_wrong_wire_types_are_refused(read, name):  # protocol buffers pass over them: MindSpore's rows lack the values
    with pytest.raises(RuntimeError, match="record 1 is damaged: it is no tf.train.Example .*wire type"):
        read(record(message(1, message(1, WRONG_WIRE_TYPES[name]))))


@pytest.mark.parametrize("compression", [None, "GZIP", "ZLIB"])
def test_a_record_beyond_the_limit_is_refused_in_bounded_memory(read, monkeypatch, compression):
    monkeypatch.setenv("MSGRAD_ITEM_LIMIT", "100000")
    pack = {None: bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}[compression]
    head = (1 << 24).to_bytes(8, "little")
    data = pack(head + masked(head).to_bytes(4, "little") + bytes((1 << 24) + 4))
    tracemalloc.start()
    try:
        with pytest.raises(RuntimeError, match="record 1 is damaged: .*MSGRAD_ITEM_LIMIT"):
            read(data, compression)
        assert tracemalloc.get_traced_memory()[1] < 1 << 22
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("compression", [None, "GZIP", "ZLIB"])
def test_a_length_beyond_the_file_reserves_no_memory(read, compression):
    head = (1 << 29).to_bytes(8, "little")
    data = head + masked(head).to_bytes(4, "little") + os.urandom(50)
    data = {None: bytes, "GZIP": gzip.compress, "ZLIB": zlib.compress}[compression](data)
    tracemalloc.start()
    try:
        with pytest.raises(RuntimeError, match="record 1 is damaged: the file ends"):
            read(data, compression)
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("limit", ["0", "-1", "many"])
def test_the_limit_is_a_positive_number(read, monkeypatch, limit):
    monkeypatch.setenv("MSGRAD_ITEM_LIMIT", limit)
    with pytest.raises(ValueError, match="'MSGRAD_ITEM_LIMIT' must be a positive number of bytes"):
        read(FILE)


def test_sizes_are_those_of_the_rows(tmp_path):
    for compression, data in {None: FILE, **COMPRESSED}.items():
        path = tmp_path / "a"
        path.write_bytes(data)
        assert ds.TFRecordDataset(str(path), compression_type=compression).get_dataset_size() == 2
