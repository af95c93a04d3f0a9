"""Fast paths of image transforms give the same pixels as the general ones, to the bit."""

import concurrent.futures
import io
import json
import pathlib

import numpy as np
import pytest

import msgrad as ms
from msgrad import dataset
from msgrad.dataset import vision
from msgrad.dataset.mapping import _joined
from msgrad.dataset.transforms import Compose, TypeCast
from msgrad.dataset.transforms.composing import run
from msgrad.dataset.vision import _jpeg, _jpeg_edges, _libraries, _turbojpeg, decoding
from msgrad.dataset.vision.decoding import decoded

from .cases import run as running
from .cases import vision as cases

cv2 = pytest.importorskip("cv2")
Image = pytest.importorskip("PIL.Image")


@pytest.fixture(params=["with OpenCV", "with NumPy"])
def library(request, monkeypatch):
    """What works on the arrays in this thread."""
    _libraries.opencv()
    if request.param == "with NumPy":
        monkeypatch.delattr(_libraries._here, "cv2")
    assert (_libraries.opencv_in_use() is cv2) is (request.param == "with OpenCV")


def drawn(shape, dtype=np.uint8):
    return np.random.default_rng(0).integers(0, 256, shape).astype(dtype)


IMAGES = [drawn((5, 7, 3)), drawn((64, 33, 1)), drawn((4, 6, 5)), drawn((8, 9, 3))[:, ::-2]]
IMAGES += [drawn((5, 7)), drawn((5, 7, 3), np.float32), drawn((5, 7, 4), np.int16)]


THREE = [123.675, 116.28, 103.53], [58.395, 57.12, 57.375]
CHAINS = {  # of pointwise transforms, and how many steps of ``map`` are left of them
    "normalize": ([vision.Normalize([101.3], [0.7]), vision.HWC2CHW()], 1),
    "three channels": ([vision.Normalize(*THREE), vision.HWC2CHW()], 1),
    "rescale": ([vision.Rescale(1 / 255, 0.5), vision.Rescale(1 / 0.3, -0.4), vision.HWC2CHW()], 1),
    "all": ([vision.Rescale(0.1, 0), vision.Normalize([2.0], [0.3]), vision.HWC2CHW(), TypeCast(ms.float16)], 1),
    "layout": ([vision.HWC2CHW()], 1),
    "ints": ([vision.HWC2CHW(), TypeCast(ms.int32)], 1),
    "ToTensor": ([vision.ToTensor()], 1),
    "tensors": ([vision.ToTensor(), vision.Normalize([0.4, 0.5, 0.6], [0.2, 0.3, 0.4], is_hwc=False)], 1),
    "composed": ([Compose([Compose([vision.Rescale(2.0, 1.0)]), vision.HWC2CHW()]), TypeCast(ms.float32)], 1),
    "bools": ([vision.HWC2CHW(), TypeCast(ms.bool_)], 1),  # of which OpenCV has no tables
    "channels last": ([vision.Rescale(0.1, 0), vision.Normalize([2.0], [0.3])], 1),
    "another axis": ([vision.HWC2CHW(), vision.Normalize([2.0], [0.3])], 2),
    "padded": ([vision.NormalizePad(*THREE), vision.HWC2CHW()], 2),
    "a function between": ([vision.Rescale(0.1, 0), np.negative, vision.HWC2CHW()], 3),
}


@pytest.mark.parametrize("chain", CHAINS)
def test_sequences_of_pointwise_transforms(chain, library):
    transforms, steps = CHAINS[chain]
    fused = _joined(transforms)
    assert len(fused) == steps
    for image in IMAGES + [drawn((5, 7, 4)), drawn((2, 4, 5, 3)), drawn((6,)), drawn((0, 4, 3))]:
        for _ in range(2):  # the second time from the tables of the first
            outcomes = []
            for each in (fused, transforms):
                try:
                    outcomes.append(run(each, (image,)))
                except Exception as error:
                    outcomes.append((type(error), str(error)))
            (actual, *_), (expected, *_) = outcomes
            if isinstance(expected, np.ndarray):
                assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
                assert np.array_equal(actual, expected) and actual.flags.c_contiguous
            else:
                assert outcomes[0] == outcomes[1]


def test_subclasses_that_apply_otherwise_are_not_fused():
    class Doubled(vision.Rescale):
        def apply(self, value):
            return value * np.float32(2)

    class Called(vision.HWC2CHW):
        def __call__(self, value):
            return value

    assert len(_joined([Doubled(1.0, 0.0), Called(), vision.HWC2CHW()])) == 3


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: f"{image.dtype}{list(image.shape)}")
def test_mirroring(image, library):
    actual = vision.HorizontalFlip()(image)
    assert (actual.dtype, actual.shape) == (image.dtype, image.shape)
    assert np.array_equal(actual, image[:, ::-1]) and actual.flags.c_contiguous


@pytest.fixture(params=["with simplejpeg", "with OpenCV alone"])
def decoder(request, monkeypatch):
    """What decodes JPEG files."""
    if request.param == "with simplejpeg":
        pytest.importorskip("simplejpeg")
    else:
        monkeypatch.setattr(_jpeg, "simplejpeg", lambda: None)


def by_opencv(data):
    return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1]


def photograph(mode="RGB", size=(64, 48), seed=0, **options):
    """The bytes of a JPEG file."""
    channels = {"RGB": 3, "L": 1, "CMYK": 4}[mode]
    pixels = np.random.default_rng(seed).integers(0, 256, size[0] * size[1] * channels)
    file = io.BytesIO()
    Image.frombytes(mode, size, pixels.astype(np.uint8).tobytes()).save(file, "JPEG", quality=90, **options)
    return file.getvalue()


OPTIONS = [{}, {"progressive": True}, {"subsampling": 0}, {"subsampling": 1}, {"restart_marker_blocks": 2}]


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_decoding_photographs(mode, options, decoder):
    for size in ((1, 1), (7, 5), (64, 48), (50, 150)):
        data = photograph(mode, size, **options)
        assert np.array_equal(decoded(data), by_opencv(data))
        for rows in (1, 20, 33, 100):
            part = decoded(data, rows=rows)
            assert np.array_equal(part[:rows], by_opencv(data)[:rows])
            is_short = mode != "CMYK" and "progressive" not in options and _libraries.simplejpeg() is _jpeg.simplejpeg()
            assert (len(part) < size[1]) == (is_short and rows + 16 < size[1])


def test_decoding_damaged_photographs(decoder):
    random, refused = np.random.default_rng(5), 0
    for seed in range(100):
        data = np.frombuffer(photograph(size=(40, 90), seed=seed % 5), np.uint8).copy()
        data[random.integers(600, len(data) - 2, 2)] = random.integers(0, 256, 2)
        rows = int(random.integers(1, 90))
        for cut in (data, data[:-2], data[:-900]):
            expected = cv2.imdecode(cut, cv2.IMREAD_COLOR)
            if expected is not None:
                assert np.array_equal(decoded(cut, rows=rows)[:rows], expected[:rows, :, ::-1])
            elif cut is not data:  # otherwise the rows before the damage may be decoded
                refused += 1
                with pytest.raises(RuntimeError, match="cannot be decoded"):
                    decoded(cut, rows=rows)
    assert refused


def with_edges(data, left, width):
    """The image with the edges that a decoder of a part has: Y by OpenCV, Cb and Cr by Pillow at half of the size."""
    image = by_opencv(data).copy()
    halved = Image.open(io.BytesIO(data))
    halved.draft("YCbCr", (halved.width // 2, halved.height // 2))
    colours = np.asarray(halved)[..., 1:].astype(int)
    luma = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE).astype(int)
    last = left + width - 1
    for column in [left] * (left > 0 and left % 16 == 0) + [last] * (last % 2 == 1 and last < image.shape[1] - 1):
        for row in range(len(image)):
            neighbour = min(max(row // 2 + (1 if row % 2 else -1), 0), len(colours) - 1)
            sums = 3 * colours[row // 2, column // 2] + colours[neighbour, column // 2]
            blue, red = ((4 * sums + (7 if column % 2 else 8)) >> 4) - 128
            offsets = np.array([91881 * red, -22554 * blue - 46802 * red, 116130 * blue])
            image[row, column] = np.clip(luma[row, column] + ((offsets + 32768) >> 16), 0, 255)
    return image


@pytest.mark.parametrize("spread", [20, 60, 5000], ids=["no pixel is clipped", "some are", "Y is not known of some"])
def test_the_edges_of_a_part_of_a_jpeg_file(spread, decoder, monkeypatch):
    rows = np.random.default_rng(4).normal(128, spread, (9, 12, 3)).clip(0, 255)
    image = cv2.resize(rows.astype(np.uint8), (93, 71), interpolation=cv2.INTER_NEAREST)
    data = cv2.imencode(".jpg", image)[1].reshape(-1)
    again, luma = [], _jpeg_edges._luma
    monkeypatch.setattr(_jpeg_edges, "_luma", lambda data: again.append(1) or luma(data))
    header = _jpeg.header_of(data)
    changed = 0
    for top, left, height, width in [(0, 16, 71, 20), (9, 3, 33, 11), (0, 32, 71, 18), (40, 64, 31, 28), (1, 0, 9, 50)]:
        part = np.s_[top : top + height, left : left + width]
        actual = decoded(data, header=header, rows=top + height)
        _jpeg_edges.set_edges(actual, data, header, (top, left, height, width))
        np.testing.assert_array_equal(actual[part], with_edges(data.tobytes(), left, width)[part])
        changed += not np.array_equal(actual[part], by_opencv(data)[part])
    assert changed and bool(again) == (spread == 5000)


@pytest.fixture(params=["libturbojpeg", "simplejpeg", "OpenCV"])
def decoder_of_parts(request, monkeypatch):
    """What decodes a part of a JPEG file."""
    if request.param != "libturbojpeg":
        monkeypatch.setattr(decoding, "read_part", lambda *args: None)
    elif _turbojpeg._functions() is None:
        pytest.skip("libturbojpeg 3 is not installed")
    if request.param == "simplejpeg":
        pytest.importorskip("simplejpeg")
    elif request.param == "OpenCV":
        monkeypatch.setattr(_jpeg, "simplejpeg", lambda: None)
    return request.param


@pytest.mark.parametrize(
    "case", [cases.parts_of_jpeg_decoded_alone, cases.parts_of_jpeg_with_colours_at_half_of_the_columns]
)
def test_parts_are_those_of_mindspore(case, decoder_of_parts):
    golden = json.loads((pathlib.Path(__file__).parents[1] / "golden/dataset_vision.json").read_text())[case.__name__]
    is_equal = running.outcome(case, dataset) == golden
    assert is_equal is not (decoder_of_parts == "OpenCV" and "columns" in case.__name__)  # docs/differences.md


@pytest.mark.skipif(_turbojpeg._functions() is None, reason="libturbojpeg 3 is not installed")
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_parts_by_libturbojpeg(mode, options):
    data = np.frombuffer(photograph(mode, (93, 71), **options), np.uint8)
    header = _jpeg.header_of(data)
    boxes = [(0, 0, 71, 93), (0, 16, 71, 20), (9, 3, 33, 11), (40, 64, 31, 28), (70, 92, 1, 1), (1, 8, 9, 50)]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        parts = list(pool.map(lambda box: _turbojpeg.read_part(data, header, box), boxes))
    if mode == "CMYK":
        assert parts == [None] * len(boxes)
        return
    for (top, left, height, width), part in zip(boxes, parts, strict=True):
        expected = decoded(data)
        _jpeg_edges.set_edges(expected, data, header, (top, left, height, width))
        np.testing.assert_array_equal(part, expected[top : top + height, left : left + width])


@pytest.mark.skipif(_turbojpeg._functions() is None, reason="libturbojpeg 3 is not installed")
def test_parts_of_damaged_files():
    whole = np.frombuffer(photograph(size=(93, 71)), np.uint8)
    header = _jpeg.header_of(whole)
    assert _turbojpeg.read_part(whole[: len(whole) // 2], header, (60, 0, 11, 93)) is None
    assert _turbojpeg.read_part(whole[: header.frame], header, (0, 0, 1, 1)) is None
    assert _turbojpeg.read_part(whole, header, (0, 0, 72, 93)) is None
    assert _turbojpeg.read_part(whole, header._replace(samples=[(0, 0)] * 3), (0, 0, 1, 1)).shape == (1, 1, 3)
    assert _turbojpeg.read_part(whole, header, (0, 0, 1, 1)).shape == (1, 1, 3)  # after the errors


def test_files_that_are_no_libturbojpeg(monkeypatch):
    monkeypatch.setattr(_turbojpeg, "_candidates", lambda: ["no such file", None])  # None: this process itself
    assert _turbojpeg._functions.__wrapped__() is None


def test_edges_that_the_resize_does_not_read(monkeypatch):
    image = drawn((20, 400, 3))
    changed = image.copy()
    changed[:, [0, -1]] = 255 - image[:, [0, -1]]
    for width in range(3, 134):
        results = [cv2.resize(each, (width, 9), interpolation=cv2.INTER_LINEAR) for each in (image, changed)]
        assert np.array_equal(*results) or 400 <= decoding._UNREAD * width
