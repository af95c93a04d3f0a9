"""The edges of a part of a JPEG image that is decoded alone.

Most JPEG files keep the colours (Cb, Cr) at half of the resolution (4:2:0), and a decoder interpolates them between the
neighbouring columns. At the edges of a part it has only one of the two. A whole image is decoded much faster than its
parts are by anything but libjpeg itself, so the two columns are computed again.
"""

import io

import numpy as np

from ._file_sizes import sampling_of_jpeg
from ._libraries import opencv, pillow

_HALVED = [(2, 2), (1, 1), (1, 1)]  # how many samples of Y, Cb and Cr there are in each direction
_ALIGNED = 16  # libjpeg decodes from a multiple of this column on
_HALF = 1 << 15  # of the fixed-point numbers below, whose unit is 2**-16


def set_edges(image, data, left, width):
    """Changes ``image`` to what a decoder of the columns from ``left`` to ``left + width`` alone has there.

    Nothing changes in files with colours of full resolution.

    Args:
        image (numpy.ndarray): all of the file: uint8 of height, width, red, green and blue.
        data (numpy.ndarray): the file.
        left, width (int): the part.
    """
    last = left + width - 1
    columns = [left] * (left % _ALIGNED == 0 and left > 0) + [last] * (last % 2 == 1 and last < image.shape[1] - 1)
    if not columns or sampling_of_jpeg(data) != _HALVED:
        return
    luma = _samples(image[:, columns])
    luma = _luma(data, columns) if luma is None else luma[..., 0]
    halved = [column // 2 for column in columns]
    colours = _samples(_halved(data)[:, halved])
    colours = _colours(data, halved) if colours is None else colours[..., 1:]
    for number, column in enumerate(columns):
        sums = _sums_of_rows(colours[:, number])[: len(image)]
        image[:, column] = _rgb(luma[:, number], (4 * sums + (7 if column % 2 else 8)) >> 4)


def _samples(rgb):
    """Y, Cb and Cr of pixels, by the inverse of `_rgb`; None if a pixel may have been clipped.

    No other Y, Cb and Cr have the same colour, and its Y is at most 1 from the sum that is tried first.
    """
    if rgb.min(initial=255) == 0 or rgb.max(initial=0) == 255:
        return None
    red, green, blue = np.ascontiguousarray(np.moveaxis(rgb, -1, 0), np.int32)
    guess = (19595 * red + 38470 * green + 7471 * blue + _HALF) >> 16
    found = np.full((3, *guess.shape), -1, np.int32)
    for luma in (guess, guess - 1, guess + 1):
        cb, cr = _BLUE[blue - luma], _RED[red - luma]
        is_it = (cb >= 0) & (cr >= 0) & (_green(luma, cb - 128, cr - 128) == green)
        np.copyto(found, (luma, cb, cr), where=is_it)
        if found.min(initial=0) >= 0:
            return np.moveaxis(found, 0, -1)
    return None


def _halved(data):
    """The image at half of the resolution, where Cb and Cr need no interpolation."""
    cv2 = opencv()
    flags = cv2.IMREAD_REDUCED_COLOR_2 | cv2.IMREAD_IGNORE_ORIENTATION
    return cv2.imdecode(data, flags)[..., ::-1]


def _luma(data, columns):
    """Y of some columns."""
    cv2 = opencv()
    return cv2.imdecode(data, cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION)[:, columns].astype(np.int32)


def _colours(data, columns):
    """Cb and Cr of some columns at half of the resolution, by Pillow: OpenCV gives them as RGB alone."""
    halved = pillow().Image.open(io.BytesIO(data))
    halved.draft("YCbCr", (halved.width // 2, halved.height // 2))
    return np.asarray(halved)[:, columns, 1:].astype(np.int32)


def _sums_of_rows(column):
    """Each row of twice as many: three times the nearer row plus the other one."""
    above, below = np.concatenate([column[:1], column[:-1]]), np.concatenate([column[1:], column[-1:]])
    return np.stack([3 * column + above, 3 * column + below], 1).reshape(-1, 2)


def _rgb(luma, colours):
    """Red, green and blue, rounded as by libjpeg."""
    blue, red = np.moveaxis(colours - 128, -1, 0)
    parts = [
        luma + ((91881 * red + _HALF) >> 16),
        _green(luma, blue, red),
        luma + ((116130 * blue + _HALF) >> 16),
    ]
    return np.clip(np.stack(parts, -1), 0, 255).astype(np.uint8)


def _green(luma, blue, red):
    return luma + ((-22554 * blue - 46802 * red + _HALF) >> 16)


def _inverse(factor):
    """Cb or Cr by the difference of blue or red from Y, from -255 to 255 and as an index below 0; -1 where none is."""
    inverse = np.full(512, -1, np.int32)
    inverse[((np.arange(256) - 128) * factor + _HALF) >> 16] = np.arange(256)
    return inverse


_RED, _BLUE = _inverse(91881), _inverse(116130)
