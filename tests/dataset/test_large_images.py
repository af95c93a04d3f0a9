"""Files of images that declare more pixels than memory should hold are refused before they are unpacked."""

import io
import struct
import tracemalloc
import zlib

import numpy as np
import PIL.Image
import pytest

import msgrad.dataset as ds
from msgrad.dataset.vision import _file_sizes

from .cases.vision import image, jpeg, png

vision = ds.vision


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def large_png(width, height):
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")
    )


def large_jpeg(width, height):
    data = jpeg().tobytes()
    place = data.index(b"\xff\xc0") + 5
    return data[:place] + struct.pack(">HH", height, width) + data[place + 4 :]


def large_bmp(width, height):
    return b"BM" + struct.pack("<IIIIiiHH", 54, 0, 54, 40, width, height, 1, 24) + bytes(24)


def of_pillow(kind, pixels):
    file = io.BytesIO()
    PIL.Image.fromarray(pixels).save(file, kind)
    return file.getvalue()


def large_gif(width, height):
    data = of_pillow("GIF", image())
    return data[:6] + struct.pack("<HH", width, height) + data[10:]


FILES = {
    "PNG": large_png(60000, 60000),
    "a long PNG": large_png(1, (1 << 31) - 1),
    "PNG, just too large": large_png(18920, 18920),
    "JPEG": large_jpeg(65000, 65000),
    "BMP": large_bmp(60000, 60000),
    "BMP, upside down": large_bmp(60000, -60000),
    "GIF": large_gif(60000, 60000),
}
DECODERS = {
    "Decode": (vision.Decode(), RuntimeError),
    "Decode to a picture": (vision.Decode(True), ValueError),
    "RandomCropDecodeResize": (vision.RandomCropDecodeResize(5), RuntimeError),
}


@pytest.mark.parametrize("decoder", list(DECODERS))
@pytest.mark.parametrize("name", list(FILES))
def test_large_images_are_refused(name, decoder):
    decode, error = DECODERS[decoder]
    tracemalloc.start()
    try:
        with pytest.raises(error, match=r"it declares \d+ x \d+ pixels, more than MSGRAD_ITEM_LIMIT"):
            decode(np.frombuffer(FILES[name], np.uint8))
        assert tracemalloc.get_traced_memory()[1] < 1 << 24
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("name", list(FILES))
def test_large_files_are_not_read(name, tmp_path):
    path = tmp_path / "a"
    path.write_bytes(FILES[name])
    with pytest.raises(RuntimeError, match="'read_image', .* more than MSGRAD_ITEM_LIMIT"):
        vision.read_image(str(path))
    (tmp_path / "class").mkdir()
    path.rename(tmp_path / "class" / "a.png")
    with pytest.raises(RuntimeError, match="more than MSGRAD_ITEM_LIMIT"):
        list(ds.ImageFolderDataset(str(tmp_path), decode=True).create_tuple_iterator(num_epochs=1))


def test_the_limit_may_be_set(monkeypatch):
    data = np.frombuffer(png(image(20, 30)), np.uint8)
    monkeypatch.setenv("MSGRAD_ITEM_LIMIT", "1800")
    assert vision.Decode()(data).shape == (20, 30, 3)
    monkeypatch.setenv("MSGRAD_ITEM_LIMIT", "1799")
    with pytest.raises(RuntimeError, match="it declares 30 x 20 pixels, more than MSGRAD_ITEM_LIMIT, 1799 bytes"):
        vision.Decode()(data)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "BMP", "GIF", "TIFF", "WEBP", "PPM", "JPEG2000"])
def test_sizes_are_found(kind):
    assert _file_sizes._size(np.frombuffer(of_pillow(kind, image(20, 30)), np.uint8)) == (30, 20)


def test_sizes_of_photographs_are_found():
    segment = b"\xff\xe1" + struct.pack(">H", 65535) + bytes(65533)
    for between in (b"", segment * 9, b"\xff" * 50, segment + bytes(50), b"\xff\x01" * 9):
        data = jpeg().tobytes()
        data = np.frombuffer(data[:2] + between + data[2:], np.uint8)
        assert _file_sizes._size(data) == (52, 40)


@pytest.mark.parametrize("data", [b"\xff" * 100000, b"\xff\xd8" + b"\xff\x01" * 50000, b"\xff\xd8\xff\xe1\x00\x02" * 9])
def test_files_without_a_size_are_refused(data):
    with pytest.raises(RuntimeError, match="the image cannot be decoded"):
        vision.Decode()(np.frombuffer(data, np.uint8))


@pytest.mark.parametrize("place", [1, 2, 3])
def test_chunks_longer_than_the_file_are_refused(place):
    chunks = [chunk(b"IHDR", struct.pack(">IIBBBBB", 9, 9, 8, 2, 0, 0, 0)), chunk(b"tEXt", b"a"), chunk(b"IEND", b"")]
    chunks.insert(place, struct.pack(">I", 0x7FFFFFF0) + b"IDAT" + bytes(100))
    data = np.frombuffer(b"\x89PNG\r\n\x1a\n" + b"".join(chunks), np.uint8)
    with pytest.raises(RuntimeError, match="no size is found"):
        vision.Decode()(data)


def test_formats_that_declare_no_size_are_refused():
    radiance = b"#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 30000 +X 30000\n" + bytes(100)
    for data in (radiance, b"no image at all"):
        with pytest.raises(RuntimeError, match="no size is found in .* bytes that begin"):
            vision.Decode()(np.frombuffer(data, np.uint8))


def test_opencv_decodes_without_pillow(monkeypatch):
    def missing():
        raise ImportError

    monkeypatch.setattr(_file_sizes, "pillow", missing)
    assert vision.Decode()(np.frombuffer(of_pillow("TIFF", image(20, 30)), np.uint8)).shape == (20, 30, 3)


def test_every_cut_of_a_file_is_refused_or_decoded():
    for whole in (jpeg().tobytes(), png(image()), of_pillow("BMP", image())):
        for end in range(0, len(whole), max(1, len(whole) // 200)):
            for decode, error in DECODERS.values():
                try:
                    decode(np.frombuffer(whole[:end], np.uint8))
                except error:
                    continue
