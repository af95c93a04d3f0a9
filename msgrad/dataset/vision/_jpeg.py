"""JPEG files: their headers, and their pixels by simplejpeg where it is installed.

Both simplejpeg and OpenCV contain libjpeg-turbo, so the pixels are equal. OpenCV takes 1.05 to 1.4 times as long, and
decodes all rows; simplejpeg ends below the last one that is needed, by a header that declares fewer.
"""

from typing import NamedTuple

import numpy as np

from ._libraries import opencv, simplejpeg

JPEG = b"\xff\xd8\xff"  # magic bytes
_MOST_SEGMENTS = 10000  # most segments of a file to read, and bytes between them
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the markers that precede a size
_SEQUENTIAL = (0xC0, 0xC1)  # the frames whose rows are stored from the first to the last, with Huffman codes
_ALONE = frozenset(range(0xD0, 0xD9)) | {0x01}  # markers without a length
_END = 0xD9
_JFIF, _ADOBE, _COMMENT = 0xE0, 0xEE, 0xFE
_UNCONVERTED = np.frombuffer(b"\xff\xee\x00\x0eAdobe\x00\x64\x00\x00\x00\x00\x00", np.uint8)
_BELOW = 16  # rows below the last one that may be needed: its colours are interpolated with those of the next


class Header(NamedTuple):
    """What a JPEG file declares before its pixels.

    Attributes:
        frame (int): where its marker is, with the size.
        height, width (int): in pixels.
        samples (list[tuple]): how many samples each component has in a row and in a column of a block.
        is_sequential (bool): whether its rows are stored from the first to the last.
        colour_marks (list[int]): where the markers are that tell what the components mean.
    """

    frame: int
    height: int
    width: int
    samples: list
    is_sequential: bool
    colour_marks: list


def header_of(data):
    """The `Header` of a file (a uint8 array); None if it is no JPEG file, or has no frame."""
    if data[:3].tobytes() != JPEG:
        return None
    at, marks, view = 2, [], memoryview(data)
    for _ in range(_MOST_SEGMENTS):
        if at + 10 > len(view):
            return None
        first, marker = view[at], view[at + 1]
        if first != 0xFF or marker == 0xFF:
            at += 1
            continue
        if marker in _FRAMES:
            height, width = [view[at + place] << 8 | view[at + place + 1] for place in (5, 7)]
            parts = [view[place] for place in range(at + 11, min(at + 10 + 3 * view[at + 9], len(view)), 3)]
            return Header(at, height, width, [(part >> 4, part & 15) for part in parts], marker in _SEQUENTIAL, marks)
        if marker in (_JFIF, _ADOBE):
            marks.append(at + 1)
        at += 2 if marker in _ALONE else 2 + (view[at + 2] << 8 | view[at + 3])
    return None


def read(data, header, rows=None):
    """The pixels by simplejpeg: uint8 of height, width, red, green and blue.

    Args:
        data (numpy.ndarray): the file.
        header (Header): its header.
        rows (int): how many are needed, from the first. Default: ``None``, all.
    Returns:
        numpy.ndarray, with all rows or fewer; None if simplejpeg is not installed or refuses the file.
    """
    return _read(data, header, rows)


def colours_of(data, header, rows):
    """Cb and Cr of a file with halved colours (4:2:0 or 4:2:2) as they are stored, none of them interpolated.

    Args: those of `read`.
    Returns:
        numpy.ndarray, of rows, half of the columns, Cb and Cr; for 4:2:0 also of half of the rows. None for 4:2:2
        without simplejpeg.
    """
    marked = data.copy()
    marked[header.colour_marks] = _COMMENT
    marked = np.concatenate([marked[:2], _UNCONVERTED, marked[2:]])  # so the decoder takes them for red, green and blue
    header = header._replace(frame=header.frame + len(_UNCONVERTED))
    if header.samples[0][1] == 1:
        samples = _read(marked, header, rows, fastupsample=True)
        return None if samples is None else samples[:, ::2, 1:]
    half = {"min_height": -(-header.height // 2), "min_width": -(-header.width // 2), "min_factor": 2}
    samples = _read(marked, header, rows, **half)
    if samples is not None:
        return samples[..., 1:]
    cv2 = opencv()
    return cv2.imdecode(marked, cv2.IMREAD_REDUCED_COLOR_2 | cv2.IMREAD_IGNORE_ORIENTATION)[..., 1::-1]


def _read(data, header, rows, **options):
    decoder = simplejpeg()
    if decoder is None or len(header.samples) not in (1, 3):
        return None
    end = header.height if rows is None or not header.is_sequential else rows + _BELOW
    is_part = end < header.height and data[-1] == _END and data[-2] == 0xFF  # else rows may be missing
    if is_part:
        data = data.copy()
        data[header.frame + 5 : header.frame + 7] = divmod(end, 256)
        if "min_height" in options:
            options["min_height"] = -(-end // 2)
    try:
        return decoder.decode_jpeg(data, "RGB", strict=not is_part, **options)  # it warns of the rows that are left
    except ValueError:
        return None
