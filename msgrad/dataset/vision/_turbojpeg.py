"""A part of a JPEG file, decoded alone by libturbojpeg 3 (its C interface, by ctypes), where that is installed.

The package ``turbojpeg`` contains it, and so do conda, Homebrew and some systems. It decodes the columns of the part
only, and its pixels at the edges are MindSpore's, which decodes in the same way.
"""

import ctypes
import functools
import glob
import importlib.util
import os
import threading
from typing import Any

import numpy as np

_SYSTEM = ("libturbojpeg.so.0", "libturbojpeg.dylib", "turbojpeg.dll", "libturbojpeg.dll")
_PACKAGED = ("turbojpeg.libs/libturbojpeg*", "turbojpeg.dylibs/libturbojpeg*", "turbojpeg-*.dll")  # beside its module
_DECOMPRESS, _RGB = 1, 0  # TJINIT_DECOMPRESS, TJPF_RGB
_BLOCK = 8  # columns of a block of samples
_here = threading.local()


class _Region(ctypes.Structure):
    """``tjregion``: a part of an image."""

    _fields_ = [(name, ctypes.c_int) for name in ("left", "top", "width", "height")]


_HANDLE = _POINTER = ctypes.c_void_p
_FILE = (_HANDLE, _POINTER, ctypes.c_size_t)
_FUNCTIONS = {  # the result and the arguments of each, and whether it runs beside other threads of Python
    "tj3Init": (_HANDLE, (ctypes.c_int,), False),
    "tj3Destroy": (None, (_HANDLE,), False),
    "tj3DecompressHeader": (ctypes.c_int, _FILE, False),
    "tj3SetCroppingRegion": (ctypes.c_int, (_HANDLE, _Region), False),
    "tj3Decompress8": (ctypes.c_int, (*_FILE, _POINTER, ctypes.c_int, ctypes.c_int), True),
}


class _Decoder:
    """A decoder of one thread."""

    def __init__(self, functions):
        self.functions, self.handle = functions, functions["tj3Init"](_DECOMPRESS)

    def __del__(self):
        self.functions["tj3Destroy"](self.handle)

    def decoded(self, data, region):
        """The pixels of a region that begins at a block; None if the file is damaged."""
        functions, file = self.functions, (self.handle, data.ctypes.data, data.size)
        if functions["tj3DecompressHeader"](*file) or functions["tj3SetCroppingRegion"](self.handle, region):
            return None
        image = np.empty((region.height, region.width, 3), np.uint8)
        return None if functions["tj3Decompress8"](*file, image.ctypes.data, 0, _RGB) else image


def read_part(data, header, part):
    """The pixels of a part: uint8 of height, width, red, green and blue.

    Args:
        data (numpy.ndarray): the file.
        header (Header): its header.
        part (tuple[int]): top, left, height and width, within the image.
    Returns:
        numpy.ndarray; None if libturbojpeg is not installed, or finds the file damaged or of another kind.
    """
    functions = _functions()
    if functions is None or len(header.samples) not in (1, 3):
        return None
    if not hasattr(_here, "decoder"):
        _here.decoder = _Decoder(functions)
    top, left, height, width = part
    blocks = max(1, *[across for across, _ in header.samples]) if len(header.samples) > 1 else 1
    before = left % (_BLOCK * blocks)
    region = _Region(left - before, top, before + width, height)
    image = _here.decoder.decoded(np.ascontiguousarray(data), region)
    return None if image is None else image[:, before:]


@functools.cache
def _functions() -> Any:
    """The functions of libturbojpeg by name; None if it is not installed, or older than its version 3."""
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
            return {name: _function(library, name, *row) for name, row in _FUNCTIONS.items()}
        except (OSError, AttributeError):  # no such file, or no such function
            continue
    return None


def _function(library, name, result, arguments, is_parallel):
    kind = ctypes.CFUNCTYPE if is_parallel else ctypes.PYFUNCTYPE  # the second keeps Python's lock
    return kind(result, *arguments)((name, library))


def _candidates():
    """Yields the paths where the library may be."""
    package = importlib.util.find_spec("turbojpeg")
    if package is not None and package.origin:
        for pattern in _PACKAGED:
            yield from glob.glob(os.path.join(glob.escape(os.path.dirname(package.origin)), pattern))
    yield from _SYSTEM
