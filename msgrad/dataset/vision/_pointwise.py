"""Image transforms that change each value by itself: for a uint8 image, a sequence of them is one lookup table."""

import functools
import threading
from typing import NamedTuple

import numpy as np

from ..transforms.base import Transform
from ..transforms.composing import run
from ._libraries import opencv_in_use
from .base import ImageTransform

_MOST_CHANNELS = 4  # that OpenCV certainly supports
_DTYPES = frozenset(map(np.dtype, "uint8 int8 uint16 int16 int32 float16 float32 float64".split()))  # of its tables
_CALLS = (Transform.__call__, ImageTransform.__call__)
_scratch = threading.local()


class PointwiseTransform(ImageTransform):
    """The base of transforms that change each value by itself, and may move the channels to the front."""

    def _begun(self):
        layout = _next_layout(self, "HWC")
        return self if layout is None else PointwiseSequence([self], layout)


class PointwiseSequence(ImageTransform):
    """Several pointwise transforms in sequence, those of arrays of any kind among them.

    A uint8 image, if the result has its channels first, is mapped by tables. Other images are given to the transforms
    one by one.

    Args:
        transforms (list[Transform]): in sequence.
        layout (str): ``HWC`` or ``CHW``, of the result for an image of three axes.
    """

    def __init__(self, transforms, layout):
        self.transforms, self.layout = transforms, layout
        self._tables = {}

    def _joined(self, following):
        layout = _next_layout(following, self.layout)
        return None if layout is None else PointwiseSequence([*self.transforms, following], layout)

    def __call__(self, *values):
        return self._written(np.empty, *values)

    def _written(self, empty, *values):
        value = values[0]
        if len(values) == 1 and type(value) is np.ndarray and value.dtype == np.uint8 and value.ndim in (2, 3):
            channels = value.shape[2:]
            if channels not in self._tables:
                self._tables[channels] = self._made_tables(channels)
            tables = self._tables[channels]
            if tables is not None and value.size:
                return tables.looked_up(value, empty)
        results = run(self.transforms, values)
        return results[0] if len(results) == 1 else results

    def _made_tables(self, channels):
        """What the transforms make of 0 to 255, for images whose shape ends with ``channels``; None: no tables."""
        if channels and (self.layout == "HWC" or channels[0] > _MOST_CHANNELS):
            return None
        numbers = np.arange(256, dtype=np.uint8).reshape(256, 1, *[1 for _ in channels])
        try:
            image = np.broadcast_to(numbers, (256, 1, *channels)).copy()
            result = functools.reduce(lambda value, each: each(value), self.transforms, image)
        except Exception:  # the transform says so of the image itself
            return None
        if result.dtype not in _DTYPES:
            return None
        rows = np.ascontiguousarray(result.reshape(-1, 256))
        is_identity = rows.dtype == np.uint8 and bool((rows == np.arange(256)).all())
        return _Tables(rows, result.shape[:-2], is_identity)


class _Tables(NamedTuple):
    """Lookup tables for the channels of an image.

    Attributes:
        rows (numpy.ndarray): one of 256 values for each channel.
        leading (tuple): the axes of the result before its height and width.
        is_identity (bool): whether they change nothing but the layout.
    """

    rows: np.ndarray
    leading: tuple
    is_identity: bool

    def looked_up(self, image, empty):
        """The new image, in memory that ``empty(shape, dtype)`` gives."""
        result = empty((*self.leading, *image.shape[:2]), self.rows.dtype)
        planes = result.reshape(-1, *image.shape[:2])
        image = image.reshape(*image.shape[:2], -1)
        cv2 = opencv_in_use()
        if not cv2:
            for channel, row in enumerate(self.rows):
                row.take(image[:, :, channel], out=planes[channel], mode="wrap")  # faster than "raise", with `out`
        elif self.is_identity:
            cv2.split(image, list(planes))
        else:
            for plane, channel, row in zip(planes, _channels(cv2, image), self.rows, strict=True):
                cv2.LUT(channel, row, plane)
        return result


def _channels(cv2, image):
    """The channels of an image, in memory that this thread uses again: it takes a fifth of the time of new memory."""
    shape, count = image.shape[:2], image.shape[2]
    if count == 1:
        return [image[:, :, 0]]
    planes = getattr(_scratch, "planes", ())
    if len(planes) != count or planes[0].shape != shape:
        planes = _scratch.planes = [np.empty(shape, np.uint8) for _ in range(count)]
    cv2.split(image, planes)
    return planes


def _next_layout(transform, layout):
    """The layout after a transform; None if it is none of MindSpore's pointwise ones, but overrides one."""
    if not isinstance(transform, Transform) or type(transform).__call__ not in _CALLS:
        return None
    owner = next(each for each in type(transform).__mro__ if "_apply" in vars(each))
    return transform._layout_after(layout) if "_layout_after" in vars(owner) else None
