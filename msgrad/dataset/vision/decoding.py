"""Image files: decoding, reading, writing."""

import contextlib
import io
import os

import numpy as np

from ..._contracts.contracts import Bool
from ...engine.handle import Handle
from ...engine.refusal import refuse, require
from .._pipeline.values import is_pil_image
from ._file_sizes import too_large
from ._jpeg import header_of, read
from ._jpeg_edges import set_edges
from ._libraries import opencv, pillow
from ._turbojpeg import read_part
from .base import ImageTransform
from .enums import ImageReadMode, Inter
from .resizing import RandomResizedCrop, resized

_UNREAD = 3  # times fewer columns: then linear interpolation reads neither the first nor the last column


def decoded(data, owner="Decode", header=None, rows=None):
    """The image in the bytes of a file: uint8 of height, width, red, green and blue.

    Args:
        data (numpy.ndarray | bytes): the file.
        owner (str): the name in errors.
        header (Header): of a JPEG file, if it has been read. Default: ``None``.
        rows (int): how many are needed; there may be fewer others. Default: ``None``, all.
    Raises:
        RuntimeError: if it cannot be decoded.
    """
    cv2 = opencv()
    data = np.frombuffer(data, np.uint8) if isinstance(data, bytes) else data
    header = header or header_of(data)
    if header is not None and not too_large(data, 3, header):
        image = read(data, header, rows)
        if image is not None:
            return image
    is_ordered = header is not None and hasattr(cv2, "IMREAD_COLOR_RGB")  # since 4.11; not for other files
    flags = (cv2.IMREAD_COLOR_RGB if is_ordered else cv2.IMREAD_COLOR) | cv2.IMREAD_IGNORE_ORIENTATION
    image = unpacked(data, flags, 3, owner)
    return image if is_ordered else cv2.cvtColor(image, cv2.COLOR_BGR2RGB)


def unpacked(data, flags, depth, owner):
    """The image in the bytes of a file, as decoded by OpenCV.

    Args:
        data (numpy.ndarray): the file.
        flags (int): OpenCV's flags.
        depth (int): the number of bytes per pixel.
        owner (str): the name in errors.
    Raises:
        RuntimeError: if it cannot be decoded, or takes more than ``MSGRAD_ITEM_LIMIT``.
    """
    cv2, image, fault = opencv(), None, too_large(data, depth)
    if not fault and data.size:
        with contextlib.suppress(cv2.error):
            image = cv2.imdecode(data, flags)
    if image is None:
        fault = fault or f"{data.size} bytes that begin {bytes(data[:8])!r}"
        raise RuntimeError(f"For '{owner}', the image cannot be decoded: {fault}.")
    return image


class Decode(ImageTransform):
    """Decodes the bytes of an image file (JPEG, PNG, BMP, ...) to RGB.

    Args:
        to_pil (bool): whether to return a Pillow image instead of an array (height, width, channels). Default:
            ``False``.
    Raises:
        RuntimeError: if decoding fails, or the image would take more than ``MSGRAD_ITEM_LIMIT``.  ValueError: if
            decoding to a Pillow image fails.
    Source: mindspore.dataset.vision.Decode
    """

    def __init__(self, to_pil: Bool = False):
        self.to_pil = self._is_python = to_pil

    def _apply(self, value):
        data = _file(value, "Decode")
        if not self.to_pil:
            return decoded(data)
        fault = too_large(data, 3)
        if fault:
            raise ValueError(f"For 'Decode', the image cannot be decoded: {fault}.")
        try:
            return pillow().Image.open(io.BytesIO(data.tobytes())).convert("RGB")
        except Exception as error:  # Pillow's readers may raise any error
            raise ValueError(f"For 'Decode', the image cannot be decoded: {error}.") from error


class RandomCropDecodeResize(RandomResizedCrop):
    """`Decode` of a random crop alone, which is then resized; the arguments are those of `RandomResizedCrop`.

    Source: mindspore.dataset.vision.RandomCropDecodeResize
    """

    _has_choice = False

    def _apply(self, value):
        owner = "RandomCropDecodeResize"
        data = _file(value, owner)
        header = header_of(data)
        if header is None or not header.height * header.width:
            return super()._apply(decoded(data, owner))
        top, left, height, width = part = self._part(header.height, header.width)
        image = None if too_large(data, 3, header) else read_part(data, header, part)
        if image is None:
            image = decoded(data, owner, header, rows=top + height)
            if self.interpolation != Inter.LINEAR or width <= _UNREAD * self.size[1]:
                set_edges(image, data, header, part)
            image = image[top : top + height, left : left + width]
        return resized(image, self.size, self.interpolation)


def _file(value, owner):
    if isinstance(value, np.ndarray) and value.dtype.kind == "S":
        value = np.frombuffer(value.tobytes(), np.uint8)
    if value.ndim != 1 or value.dtype != np.uint8:
        raise TypeError(
            f"For '{owner}', the image must be the bytes of a file, an array of uint8 of one axis, but got "
            f"{value.dtype} of the shape {value.shape}. It may be decoded already."
        )
    return value


def _path(filename, owner):
    path = os.path.realpath(require(filename, str, owner, "filename"))
    if not os.path.isfile(path):
        raise RuntimeError(f"For '{owner}', there is no file {path}.")
    return path


def read_file(filename):
    """The bytes of a file as a uint8 array.

    Raises:
        TypeError: if the name is not a str.  RuntimeError: if there is no such file.
    Source: mindspore.dataset.vision.read_file
    """
    return np.fromfile(_path(filename, "read_file"), np.uint8)


def read_image(filename, mode=ImageReadMode.UNCHANGED):
    """The image in a file (BMP, JPEG, PNG, TIFF), of height, width and channels.

    Args:
        filename (str): its path.
        mode (ImageReadMode): whether to convert to grayscale or color. Default: ``ImageReadMode.UNCHANGED``.
    Raises:
        TypeError: for other arguments.  RuntimeError: if it cannot be read.
    Source: mindspore.dataset.vision.read_image
    """
    require(mode, ImageReadMode, "read_image", "mode")
    cv2, data = opencv(), np.fromfile(_path(filename, "read_image"), np.uint8)
    flags, depth = {
        ImageReadMode.UNCHANGED: (cv2.IMREAD_UNCHANGED, 8),
        ImageReadMode.GRAYSCALE: (cv2.IMREAD_GRAYSCALE, 1),
        ImageReadMode.COLOR: (cv2.IMREAD_COLOR, 3),
    }[mode]
    image = unpacked(data, flags, depth, "read_image")
    if image.ndim == 2:
        return image[:, :, None]
    return cv2.cvtColor(image, cv2.COLOR_BGRA2RGB if image.shape[2] == 4 else cv2.COLOR_BGR2RGB)


def write_file(filename, data):
    """Writes a 1-d uint8 array or Tensor to a file.  Source: mindspore.dataset.vision.write_file"""
    data = _bytes(data, "write_file", "data")
    if data.ndim != 1:
        raise RuntimeError(f"For 'write_file', the 'data' must have one axis, but got the shape {data.shape}.")
    with open(require(filename, str, "write_file", "filename"), "wb") as file:
        file.write(data.tobytes())


def encode_jpeg(image, quality=75):
    """Encodes an image as JPEG, to a uint8 array.

    Args:
        image (numpy.ndarray | Tensor): uint8, of height, width and 1 or 3 channels, or without channels.
        quality (int): from 1 to 100. Default: ``75``.
    Source: mindspore.dataset.vision.encode_jpeg
    """
    quality = _check_range(quality, 1, 100, "encode_jpeg", "quality")
    return _encoded(image, ".jpg", opencv().IMWRITE_JPEG_QUALITY, quality, "encode_jpeg")


def encode_png(image, compression_level=6):
    """Encodes an image as PNG, to a uint8 array.

    Args:
        image: as for `encode_jpeg`.
        compression_level (int): from 0 to 9. Default: ``6``.
    Source: mindspore.dataset.vision.encode_png
    """
    level = _check_range(compression_level, 0, 9, "encode_png", "compression_level")
    return _encoded(image, ".png", opencv().IMWRITE_PNG_COMPRESSION, level, "encode_png")


def write_jpeg(filename, image, quality=75):
    """Writes a JPEG file: `encode_jpeg`, `write_file`.  Source: mindspore.dataset.vision.write_jpeg"""
    write_file(filename, encode_jpeg(image, quality))


def write_png(filename, image, compression_level=6):
    """Writes a PNG file: `encode_png`, `write_file`.  Source: mindspore.dataset.vision.write_png"""
    write_file(filename, encode_png(image, compression_level))


def get_image_size(image):
    """The height and width of an image, a list of int.  Source: mindspore.dataset.vision.get_image_size"""
    if is_pil_image(image):
        return [image.height, image.width]
    return list(_image(image, "get_image_size").shape[:2])


def get_image_num_channels(image):
    """The number of channels of an image.  Source: mindspore.dataset.vision.get_image_num_channels"""
    if is_pil_image(image):
        return len(image.getbands())
    image = _image(image, "get_image_num_channels")
    return 1 if image.ndim == 2 else image.shape[2]


def _image(image, owner):
    if not isinstance(image, np.ndarray):
        got = type(image).__name__
        raise TypeError(f"For '{owner}', the 'image' must be an array or a Pillow image, but got {got}.")
    if image.ndim < 2:
        raise RuntimeError(f"For '{owner}', the 'image' must have a height and a width, but got {image.shape}.")
    return image


def _bytes(value, owner, argument):
    value = value.asnumpy() if isinstance(value, Handle) else require(value, np.ndarray, owner, argument)
    if value.dtype != np.uint8:
        raise RuntimeError(f"For '{owner}', the '{argument}' must be of uint8, but got {value.dtype}.")
    return value


def _check_range(value, minimum, maximum, owner, argument):
    if isinstance(value, bool) or not isinstance(value, int):
        refuse(TypeError, owner, argument, "an int", value)
    if not minimum <= value <= maximum:
        interval = f"[{minimum}, {maximum}]"
        raise RuntimeError(f"For '{owner}', the '{argument}' must be in the range {interval}, but got {value}.")
    return value


def _encoded(image, ending, flag, value, owner):
    image = _bytes(image, owner, "image")
    if image.ndim not in (2, 3) or (image.ndim == 3 and image.shape[2] not in (1, 3)):
        raise RuntimeError(f"For '{owner}', the 'image' must have 1 or 3 channels, but got the shape {image.shape}.")
    cv2 = opencv()
    try:
        image = cv2.cvtColor(image, cv2.COLOR_RGB2BGR) if image.ndim == 3 and image.shape[2] == 3 else image
        is_done, data = cv2.imencode(ending, image, [flag, value])
    except cv2.error:
        is_done = False
    if not is_done:
        raise RuntimeError(f"For '{owner}', the 'image' cannot be encoded: it has the shape {image.shape}.")
    return data.reshape(-1)
