"""Imports OpenCV, simplejpeg and Pillow on use (the extra ``vision``)."""

import contextlib
import functools
import threading
from typing import Any

with contextlib.suppress(ImportError):
    import PIL.Image  # noqa: F401  programs say `import PIL`, and read `PIL.Image`, which MindSpore has imported

_MSG_INSTALL = '{} needs the package {}: pip install "msgrad[vision]"'


_here = threading.local()


def opencv() -> Any:
    """The module ``cv2``, set to run in the calling thread only.

    Intel's IPP is disabled in this thread: MindSpore is built without it, and it rounds differently.

    Raises:
        ImportError: if it is not installed.
    """
    if not hasattr(_here, "cv2"):
        try:
            import cv2
        except ImportError:
            raise ImportError(_MSG_INSTALL.format("This transform of images", "opencv-python-headless")) from None
        cv2.setNumThreads(0)  # parallelism is over rows
        cv2.ipp.setUseIPP(False)
        _here.cv2 = cv2
    return _here.cv2


def opencv_in_use():
    """The module ``cv2`` if this thread uses it already, else None: for work that NumPy can do, but slower."""
    return getattr(_here, "cv2", None)


def rearranged(cv2, function, *args):
    """Calls an OpenCV function that moves values without arithmetic, with Intel's IPP enabled.

    A photograph is mirrored in 14 microseconds instead of 64.
    """
    cv2.ipp.setUseIPP(True)
    try:
        return function(*args)
    finally:
        cv2.ipp.setUseIPP(False)


@functools.cache
def simplejpeg() -> Any:
    """The module ``simplejpeg``, or None if it is not installed: what it does OpenCV can do, but slower."""
    with contextlib.suppress(ImportError):
        import simplejpeg

        return simplejpeg
    return None


@functools.cache
def pillow():
    """Pillow's modules ``Image``, ``ImageOps`` and ``ImageEnhance``, as attributes of one object.

    Raises:
        ImportError: if it is not installed.
    """
    try:
        import PIL.Image
        import PIL.ImageEnhance
        import PIL.ImageFilter
        import PIL.ImageOps
    except ImportError:
        raise ImportError(_MSG_INSTALL.format("This transform of images", "pillow")) from None
    return PIL


def fail_as(transform, value, error):
    """Converts OpenCV's errors about an array to the transform's own; other errors are raised unchanged."""
    if type(error).__module__ != "cv2":
        raise error
    transform._fail(f"OpenCV refuses {value.dtype} of the shape {value.shape}: {' '.join(str(error).split())}")
