"""The table of the images that each transform accepts has a row for each; golden cases test the rows."""

import inspect

import numpy as np
import pytest

import msgrad.dataset as ds
from msgrad.dataset.vision import _libraries
from msgrad.dataset.vision._accepted_images import ACCEPTED
from msgrad.dataset.vision.base import ImageTransform
from msgrad.dataset.vision.boxes import _WithBoxes

from .cases.kinds_of_images import TRANSFORMS, WITH_BOXES
from .cases.references import ROWS
from .cases.vision import flat, image

WITHOUT_A_ROW = {"RandomErasing", "ToNumpy", "ToPIL", "UniformAugment"}  # they take whatever is given, or pass it on
CLASSES = {
    name: each
    for name, each in vars(ds.vision).items()
    if inspect.isclass(each) and issubclass(each, (ImageTransform, _WithBoxes))
}


def test_every_transform_has_a_row_and_a_case():
    assert set(ACCEPTED) == set(CLASSES) - WITHOUT_A_ROW
    swept = {name.partition(",")[0] for name in TRANSFORMS} | set(WITH_BOXES)
    swept |= {row.partition("(")[0] for row, _ in ROWS}
    assert set(CLASSES) - swept == {"UniformAugment"}


@pytest.mark.parametrize("row, reference", ROWS)
def test_gives_what_numpy_gives(row, reference):
    transform = eval(row, vars(ds.vision).copy())
    expected = eval(reference, {"np": np, "image": image()})
    (mapped,) = next(
        ds.NumpySlicesDataset([image()], ["image"]).map(transform).create_tuple_iterator(output_numpy=True)
    )
    for result in transform(image()), mapped:
        assert result.dtype == expected.dtype
        np.testing.assert_array_equal(result, expected)


def test_what_opencv_refuses_is_an_error_of_ours(monkeypatch):
    cv2 = _libraries.opencv()

    def refuse(*args, **options):
        raise cv2.error("no")

    monkeypatch.setattr(cv2, "resize", refuse)
    with pytest.raises(RuntimeError, match=r"for 'Resize', OpenCV refuses uint8 of the shape \(7, 9, 3\): no"):
        ds.vision.Resize((3, 3))(image())
    with pytest.raises(RuntimeError, match=r"for 'Resize', OpenCV refuses"):
        ds.vision.ResizeWithBBox((3, 3))(image(), np.ones((1, 4), np.float32))


@pytest.mark.parametrize(
    "transform, value, sentence",
    [
        (ds.vision.Erase(0, 0, 1, 1), flat(), "the image must have 3 channels, but got an array of uint8"),
        (ds.vision.Pad(1), image(channels=4), "the image must have 1 or 3 channels, or no axis of them, but got"),
        (ds.vision.Equalize(), image().astype(np.float32), "the image must be of bool or uint8, but got .*float32"),
        (ds.vision.CutOut(1), flat(), "the image must have an axis of channels, but got"),
        (ds.vision.Crop((0, 0), 1), np.zeros((0, 9), np.uint8), "the image must have one pixel at least"),
        (ds.vision.Crop((0, 0), 1), np.zeros(9, np.uint8), "the image must be of height, width and channels"),
        (ds.vision.Rotate(3, ds.vision.Inter.PILCUBIC), image(), "the interpolation PILCUBIC is not available for"),
    ],
)
def test_refusals_say_what_is_taken(transform, value, sentence):
    with pytest.raises(RuntimeError, match=sentence):
        transform(value)
