"""Image sizes declared in file headers, read before an image is unpacked."""

import io
import struct

from ..._contracts.limits import item_limit
from ._libraries import pillow

_PNG, _JPEG, _BMP = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"BM"
_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # the JPEG markers that precede a size
_MOST_SEGMENTS = 10000  # most segments of a JPEG file to read, and bytes between them
_MOST_CHUNKS = 1 << 20  # most chunks of a PNG file to read; libpng writes 8 KiB each
_ALONE = frozenset(range(0xD0, 0xD9)) | {0x01}  # markers without a length


def too_large(data, depth):
    """The reason not to unpack an image, that it would take more than ``MSGRAD_ITEM_LIMIT``; or None.

    Args:
        data (numpy.ndarray): the bytes of the file.
        depth (int): the number of bytes per pixel.
    """
    size = _size(data)
    if size is None:
        return f"no size is found in {data.size} bytes that begin {data[:8].tobytes()!r}"
    if size[0] * size[1] * depth <= item_limit():
        return None
    return f"it declares {size[0]} x {size[1]} pixels, more than MSGRAD_ITEM_LIMIT, {item_limit()} bytes, has room for"


def _size(data):
    """The width and height that a file declares; None if it has none; 0 if Pillow is needed but not installed."""
    head = data[:32].tobytes()
    try:
        if head.startswith(_PNG):
            return _size_of_png(data)
        if head.startswith(_JPEG):
            return _size_of_jpeg(data)
        if head.startswith(_BMP):
            is_long = struct.unpack("<I", head[14:18])[0] > 12  # 16 bits each in the first OS/2 version
            width, height = struct.unpack("<ii" if is_long else "<HH", head[18 : 26 if is_long else 22])
            return abs(width), abs(height)
    except struct.error:
        return None
    return _size_by_pillow(data)


def _size_of_png(data):
    """As `_size`; also None if a chunk is longer than the file, since OpenCV allocates what a chunk declares."""
    at = len(_PNG)
    for _ in range(_MOST_CHUNKS):
        if at + 12 > len(data):
            return struct.unpack(">II", data[16:24].tobytes())
        at += 12 + int.from_bytes(data[at : at + 4].tobytes(), "big")
        if at > len(data):
            break
    return None


def _size_of_jpeg(data):
    at = _frame_of_jpeg(data)
    return None if at is None else struct.unpack(">HH", data[at + 5 : at + 9].tobytes())[::-1]


def sampling_of_jpeg(data):
    """How many samples each component of a JPEG file has in a row and in a column of a block; [] if it is none."""
    at = _frame_of_jpeg(data) if data[:3].tobytes() == _JPEG else None
    if at is None:
        return []
    parts = data[at + 11 : at + 10 + 3 * int(data[at + 9]) : 3].tolist()  # after the size: how many, 3 bytes for each
    return [(part >> 4, part & 15) for part in parts]


def _frame_of_jpeg(data):
    """Where the header of the frame begins, with the size; None if it is not found."""
    at = 2
    for _ in range(_MOST_SEGMENTS):
        part = data[at : at + 10].tobytes()
        if len(part) < 10:
            break
        if part[0] != 0xFF or part[1] == 0xFF:
            at += 1
        elif part[1] in _FRAMES:
            return at
        else:
            at += 2 if part[1] in _ALONE else 2 + struct.unpack(">H", part[2:4])[0]
    return None


def _size_by_pillow(data):
    try:
        image = pillow().Image
    except ImportError:
        return 0, 0
    try:
        with image.open(io.BytesIO(data.tobytes())) as image_file:
            return image_file.size
    except image.DecompressionBombError:
        return image.MAX_IMAGE_PIXELS, 1 << 31
    except Exception:  # Pillow's readers may raise any error
        return None
