"""Fast paths of image transforms give the same pixels as the general ones, to the bit."""

import io

import numpy as np
import pytest

from msgrad.dataset import vision
from msgrad.dataset.vision import _jpeg_edges, _libraries
from msgrad.dataset.vision.decoding import decoded

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


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: f"{image.dtype}{list(image.shape)}")
def test_normalising_with_the_channels_first(image, library):
    normalize, layout = vision.Normalize([101.3], [0.7]), vision.HWC2CHW()
    if image.ndim == 3 and image.shape[2] == 3:
        normalize = vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])
    joined = normalize.joined(layout)
    for _ in range(2):  # the second time from the table of the first
        actual, expected = joined(image), layout(normalize(image))
        assert (actual.dtype, actual.shape) == (expected.dtype, expected.shape)
        assert np.array_equal(actual, expected)


@pytest.mark.parametrize("image", [drawn((0, 4, 3)), drawn((2, 4, 5, 3)), drawn((4, 5, 3)) * 1j])
def test_refusals_of_both_at_once_are_those_of_normalize(image, library):
    with pytest.raises(RuntimeError, match="for 'Normalize', the image must"):
        vision.Normalize([101.3], [0.7]).joined(vision.HWC2CHW())(image)


@pytest.mark.parametrize("image", IMAGES, ids=lambda image: f"{image.dtype}{list(image.shape)}")
def test_mirroring(image, library):
    actual = vision.HorizontalFlip()(image)
    assert (actual.dtype, actual.shape) == (image.dtype, image.shape)
    assert np.array_equal(actual, image[:, ::-1]) and actual.flags.c_contiguous


@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
@pytest.mark.parametrize("options", [{}, {"progressive": True}, {"subsampling": 0}, {"subsampling": 1}], ids=str)
def test_decoding_photographs(mode, options):
    channels = {"RGB": 3, "L": 1, "CMYK": 4}[mode]
    for size in ((1, 1), (7, 5), (64, 48)):
        file = io.BytesIO()
        picture = Image.frombytes(mode, size, drawn(size[0] * size[1] * channels).tobytes())
        picture.save(file, "JPEG", quality=90, **options)
        data = file.getvalue()
        expected = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)[:, :, ::-1]
        assert np.array_equal(decoded(data), expected)


@pytest.mark.parametrize("spread", [40, 128], ids=["no pixel is clipped", "some are"])
def test_the_edges_of_a_part_of_a_jpeg_file(spread, monkeypatch):
    rows = np.random.default_rng(4).integers(128 - spread, 128 + spread, (9, 12, 3))
    image = cv2.resize(rows.astype(np.uint8), (93, 71), interpolation=cv2.INTER_NEAREST)
    data = cv2.imencode(".jpg", image)[1].reshape(-1)
    parts = [(16, 20), (3, 11), (16, 18), (32, 30), (0, 50)]

    def with_edges():
        results = []
        for left, width in parts:
            results.append(decoded(data))
            _jpeg_edges.set_edges(results[-1], data, left, width)
        return np.stack(results)

    fast, taken = with_edges(), []
    samples = _jpeg_edges._samples
    monkeypatch.setattr(_jpeg_edges, "_samples", lambda rgb: taken.append(samples(rgb)))
    np.testing.assert_array_equal(fast, with_edges())
    assert any(each is None for each in taken) == (spread == 128)
    assert not np.array_equal(fast, np.stack([decoded(data)] * len(parts)))
