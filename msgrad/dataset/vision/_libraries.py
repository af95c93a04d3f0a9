"""OpenCV and Pillow, imported where they are used: the extra ``vision``."""

import contextlib
import functools
import threading

with contextlib.suppress(ImportError):
    import PIL.Image  # noqa: F401  programs say `import PIL`, and read `PIL.Image`, which MindSpore has imported

_MSG_INSTALL = '{} needs the package {}: pip install "msgrad[vision]"'


_here = threading.local()


def opencv():
    """The module ``cv2``, which works in the thread that calls it.

    Intel's own arithmetic is left out, in this thread: MindSpore is built without, and it rounds in other ways.

    Raises:
        ImportError: if it is not installed.
    """
    if not hasattr(_here, "cv2"):
        try:
            import cv2
        except ImportError:
            raise ImportError(_MSG_INSTALL.format("This transform of images", "opencv-python-headless")) from None
        cv2.setNumThreads(0)  # rows are what is worked on in parallel
        cv2.ipp.setUseIPP(False)
        _here.cv2 = cv2
    return _here.cv2


def opencv_in_use():
    """The module ``cv2`` if this thread works with it already, else None: for what NumPy does as well, but slower."""
    return getattr(_here, "cv2", None)


def rearranged(cv2, function, *args):
    """What a function of OpenCV's gives that moves numbers and changes none: Intel's arithmetic may do it.

    A photograph is mirrored in 14 microseconds in place of 64.
    """
    cv2.ipp.setUseIPP(True)
    try:
        return function(*args)
    finally:
        cv2.ipp.setUseIPP(False)


@functools.cache
def pillow():
    """The modules ``Image``, ``ImageOps`` and ``ImageEnhance`` of Pillow, as attributes of one.

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
    """Raises what OpenCV says about an array as the transform's own error, and any other error as it is."""
    if type(error).__module__ != "cv2":
        raise error
    transform.fail(f"OpenCV refuses {value.dtype} of the shape {value.shape}: {' '.join(str(error).split())}")
