"""Image sizes declared in file headers, read before an image is unpacked."""

import io
import struct

from ..._contracts.limits import item_limit
from ._jpeg import JPEG, header_of
from ._libraries import pillow

_PNG, _BMP = b"\x89PNG\r\n\x1a\n", b"BM"
_MOST_CHUNKS = 1 << 20  # most chunks of a PNG file to read; libpng writes 8 KiB each


def too_large(data, depth, header=None):
    """The reason not to unpack an image, that it would take more than ``MSGRAD_ITEM_LIMIT``; or None.

    Args:
        data (numpy.ndarray): the bytes of the file.
        depth (int): the number of bytes per pixel.
        header (Header): of a JPEG file, if it has been read. Default: ``None``.
    """
    size = (header.width, header.height) if header else _size(data)
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
        if head.startswith(JPEG):
            header = header_of(data)
            return header and (header.width, header.height)
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
