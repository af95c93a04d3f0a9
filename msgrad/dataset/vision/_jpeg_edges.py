"""The edges of a part of a JPEG image that is decoded alone.

Most JPEG files keep the colours (Cb, Cr) at half of the resolution (4:2:0 or 4:2:2), and a decoder interpolates them
between the neighbouring columns. At the edges of a part it has only one of the two. Where no libturbojpeg decodes the
part itself (`_turbojpeg`), the two columns of the whole image are computed again.
"""

import numpy as np

from ._jpeg import colours_of
from ._libraries import opencv

# By how many samples of Y, Cb and Cr there are in each direction: the shift of the interpolated colours, and what is
# added to them before, in even and in odd columns.
_INTERPOLATIONS = {((2, 2), (1, 1), (1, 1)): (4, 8, 7), ((2, 1), (1, 1), (1, 1)): (2, 1, 2)}
_ALIGNED = 16  # libjpeg decodes from a multiple of this column on
_HALF = 1 << 15  # of the fixed-point numbers below, whose unit is 2**-16


def set_edges(image, data, header, part):
    """Changes ``image`` to what a decoder of ``part`` alone has at its left and right.

    Nothing changes in files with colours of full resolution, nor, without simplejpeg, in those whose colours are halved
    in one direction (4:2:2).

    Args:
        image (numpy.ndarray): the rows of the file down to those of the part at least: uint8 of height, width, red,
            green and blue.
        data (numpy.ndarray): the file.
        header (Header): its header.
        part (tuple[int]): top, left, height and width.
    """
    top, left, height, width = part
    bottom, last = top + height, left + width - 1
    edges = [(left, left // 2 - 1)] if left % _ALIGNED == 0 and left > 0 else []  # and the samples beyond the edge
    edges += [(last, last // 2 + 1)] if last % 2 == 1 and last < image.shape[1] - 1 else []
    interpolation = _INTERPOLATIONS.get(tuple(header.samples))
    if not edges or interpolation is None:
        return
    colours = colours_of(data, header, bottom)
    if colours is None:
        return
    columns, beyond = (list(each) for each in zip(*edges, strict=True))
    colours = colours[:, [column // 2 for column in columns] + beyond].transpose(2, 0, 1).astype(np.int32)
    if header.samples[0][1] == 2:
        colours = _sums_of_rows(colours)
    colours = colours[:, top:bottom]
    own, other = colours[..., : len(columns)], colours[..., len(columns) :]
    shift, *rounding = interpolation
    rounding = np.array([rounding[column % 2] for column in columns], np.int32)
    old, new = _offsets(np.array([3 * own + other, 4 * own]) + rounding >> shift)
    pixels = image[top:bottom, columns].transpose(2, 0, 1)
    if pixels.min() > 0 and pixels.max() < 255:  # none was clipped
        low = high = pixels + (new - old)
    else:
        low, high = ((luma + new).clip(0, 255) for luma in _luma_bounds(pixels, old))
    if low is not high and (low != high).any():
        low = _luma(data)[top:bottom, columns] + new
    image[top:bottom, columns] = low.clip(0, 255).transpose(1, 2, 0)


def _sums_of_rows(samples):
    """For each row of twice as many three times the nearer row plus the other one: of Cb and Cr, rows, columns."""
    sums = np.repeat(3 * samples, 2, axis=1)
    sums[:, 2::2] += samples[:, :-1]
    sums[:, 1:-1:2] += samples[:, 1:]
    sums[:, [0, -1]] += samples[:, [0, -1]]
    return sums


def _offsets(colours):
    """What is added to Y for red, green and blue, by pairs of Cb and Cr, rounded as by libjpeg."""
    blue, red = colours.swapaxes(0, 1) - 128
    offsets = np.array([91881 * red, -22554 * blue - 46802 * red, 116130 * blue]) + _HALF >> 16
    return offsets.swapaxes(0, 1)


def _luma_bounds(pixels, offsets):
    """The smallest and the largest Y of pixels: a red, green or blue that was not clipped tells it."""
    luma = pixels - offsets
    return np.where(pixels > 0, luma, 0).max(0), np.where(pixels < 255, luma, 255).min(0)


def _luma(data):
    """Y of all pixels."""
    cv2 = opencv()
    return cv2.imdecode(data, cv2.IMREAD_GRAYSCALE | cv2.IMREAD_IGNORE_ORIENTATION).astype(np.int32)
