"""The edges of a part of a JPEG image that is decoded alone.

Most JPEG files keep the colours (Cb, Cr) at half of the resolution (4:2:0), and a decoder interpolates them between the
neighbouring columns. At the edges of a part it has only one of the two. A whole image is decoded much faster than its
parts are by anything but libjpeg itself, so the two columns are computed again.
"""

import io

import numpy as np

from ._libraries import pillow

_HALVED = [(2, 2), (1, 1), (1, 1)]  # how many samples of Y, Cb and Cr there are in each direction
_ALIGNED = 16  # libjpeg decodes from a multiple of this column on
_HALF = 1 << 15  # of the fixed-point numbers below, whose unit is 2**-16


def with_edges(image, data, left, width):
    """``image`` as it looks in a decoder of the columns from ``left`` to ``left + width`` alone.

    Args:
        image (numpy.ndarray): all of the file: uint8 of height, width, red, green and blue.
        data (numpy.ndarray): the file.
        left, width (int): the part.
    Returns:
        numpy.ndarray: ``image`` itself where nothing differs, as in files with colours of full resolution.
    """
    last = left + width - 1
    columns = [left] * (left % _ALIGNED == 0 and left > 0) + [last] * (last % 2 == 1 and last < image.shape[1] - 1)
    if not columns or bytes(data[:2]) != b"\xff\xd8":
        return image
    file = io.BytesIO(data.tobytes())
    opened = pillow().Image.open(file)
    if [tuple(each[1:3]) for each in getattr(opened, "layer", ())] != _HALVED:
        return image
    opened.draft("YCbCr", opened.size)
    luma = np.asarray(opened)[:, columns, 0].astype(np.int32)
    halved = pillow().Image.open(file)
    halved.draft("YCbCr", (halved.width // 2, halved.height // 2))  # where Cb and Cr need no interpolation
    colours = np.asarray(halved)[:, [column // 2 for column in columns], 1:].astype(np.int32)
    image = image.copy()
    for number, column in enumerate(columns):
        sums = _sums_of_rows(colours[:, number])[: len(image)]
        image[:, column] = _rgb(luma[:, number], (4 * sums + (7 if column % 2 else 8)) >> 4)
    return image


def _sums_of_rows(column):
    """Each row of twice as many: three times the nearer row plus the other one."""
    above, below = np.concatenate([column[:1], column[:-1]]), np.concatenate([column[1:], column[-1:]])
    return np.stack([3 * column + above, 3 * column + below], 1).reshape(-1, 2)


def _rgb(luma, colours):
    """Red, green and blue, rounded as by libjpeg."""
    blue, red = (colours - 128).T
    parts = [
        luma + ((91881 * red + _HALF) >> 16),
        luma + ((-22554 * blue - 46802 * red + _HALF) >> 16),
        luma + ((116130 * blue + _HALF) >> 16),
    ]
    return np.clip(np.stack(parts, 1), 0, 255).astype(np.uint8)
