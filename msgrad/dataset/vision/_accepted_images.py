"""The images that each transform accepts, one row each: arrays and Pillow images, channels, dtypes, interpolations."""

import dataclasses

import numpy as np

from .enums import Inter

_MOST_LISTED = 9
_COPIED = frozenset(map(np.dtype, ("int8", "int32")))  # OpenCV resizes these by copying pixels only


@dataclasses.dataclass(frozen=True)
class AcceptedImages:
    """The images that a transform accepts: a row of the tables.

    Attributes:
        channels (frozenset | None): the accepted numbers of channels, 0 for no channel axis. None: any.
        dtypes (frozenset): of an array.
        batch (str): ``each``, ``whole`` or ``no``.
        is_checked (bool): whether arrays are checked here; if not, the transform checks or refuses them itself.
        ranks (tuple): the accepted numbers of axes.
        is_bool (bool): whether the result of a bool array is bool.
        refused (type | None): the error for arrays.
        pil (str | type): the result for a Pillow image: ``pil`` (another one), ``array``, or the error.
        interpolations (tuple): by Inter, the errors for arrays, and those for Pillow images.
    """

    channels: frozenset | None = None
    dtypes: frozenset = frozenset()
    batch: str = "no"
    is_checked: bool = True
    ranks: tuple = (2, 3)
    is_bool: bool = True
    refused: type | None = None
    pil: str | type = "pil"
    interpolations: tuple = ({}, {})

    def check(self, value, transform):
        """Raises ``transform``'s error if it does not accept this array."""
        fault = self._fault(value, getattr(transform, "interpolation", None))
        if fault:
            transform._fail(f"the image must {fault}, but got an array of {value.dtype} and the shape {value.shape}.")

    def _fault(self, value, interpolation):
        """The fault of an array, as the end of a sentence, or None."""
        rank = value.ndim
        if rank not in self.ranks:
            if self.batch == "no" or rank < 2:
                return "be of height, width and channels"
        elif self.channels is not None and (value.shape[2] if rank == 3 else 0) not in self.channels:
            if len(self.channels) > _MOST_LISTED:
                return "have an axis of channels"
            counts = " or ".join(str(each) for each in sorted(self.channels) if each)
            return f"have {counts} channels{', or no axis of them' if 0 in self.channels else ''}"
        if value.dtype not in self.dtypes and not (interpolation == Inter.NEAREST and value.dtype in _COPIED):
            return f"be of {' or '.join(sorted(map(str, self.dtypes)))}"
        return None if value.size else "have one pixel at least"


def _dtypes(names):
    return frozenset(map(np.dtype, names.split()))


def _refusals(antialias=None, pilcubic=None, pil_antialias=None, pil_others=None):
    """The errors for interpolations of arrays, and of Pillow images (``pil_others``: AREA and PILCUBIC)."""
    of_arrays = {Inter.ANTIALIAS: antialias, Inter.PILCUBIC: pilcubic}
    return of_arrays, {Inter.ANTIALIAS: pil_antialias, Inter.AREA: pil_others, Inter.PILCUBIC: pil_others}


_SHORTS = "bool int8 uint8 int16 uint16"
_ALL = _dtypes(f"{_SHORTS} int32 uint32 int64 uint64 float16 float32 float64")
_OPENCV = _dtypes(f"{_SHORTS} int32 float16 float32 float64")  # the dtypes of OpenCV's matrices
_WARPED = _dtypes(f"{_SHORTS} int32 float32 float64")
_SMOOTH = _dtypes("bool uint8 int16 uint16 float32 float64")
_COLOURS = _dtypes("uint8 uint16 float32")
_MASKS = _dtypes("bool uint8 uint16 float32")
_HUES = _dtypes("uint8 float32")
_BITS = _dtypes("bool int8 uint8")
_TONES = _dtypes("bool uint8")
_UINT8 = _dtypes("uint8")

_COLOUR = frozenset({3})
_FLAT_OR_COLOUR = frozenset({0, 3})
_GREY_OR_COLOUR = frozenset({0, 1, 3})
_WITH_CHANNELS = frozenset(range(1, 1 << 10))
_EVERY_RANK = tuple(range(33))
_OF_ARRAYS = _refusals(antialias=RuntimeError, pilcubic=RuntimeError)  # and none of Pillow images

ACCEPTED = {
    "AdjustBrightness": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_OPENCV),
    "AdjustContrast": AcceptedImages(channels=_COLOUR, dtypes=_COLOURS),
    "AdjustGamma": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_OPENCV, batch="whole"),
    "AdjustHue": AcceptedImages(channels=_COLOUR, dtypes=_HUES),
    "AdjustSaturation": AcceptedImages(channels=_COLOUR, dtypes=_COLOURS),
    "AdjustSharpness": AcceptedImages(dtypes=_SMOOTH, is_bool=False, pil="array"),
    "Affine": AcceptedImages(dtypes=_WARPED, pil="array", interpolations=_OF_ARRAYS),
    "AutoAugment": AcceptedImages(
        channels=_COLOUR,
        dtypes=_WARPED,
        is_bool=False,
        pil="array",
        interpolations=_OF_ARRAYS,
    ),
    "AutoContrast": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_TONES, is_bool=False),
    "BoundingBoxAugment": AcceptedImages(dtypes=_ALL, pil="array"),
    "CenterCrop": AcceptedImages(dtypes=_OPENCV, batch="each"),
    "ConvertColor": AcceptedImages(dtypes=_MASKS, pil="array"),
    "Crop": AcceptedImages(dtypes=_OPENCV, pil="array"),
    "CutOut": AcceptedImages(channels=_WITH_CHANNELS, dtypes=_ALL, pil="array"),
    "Decode": AcceptedImages(is_checked=False, pil=TypeError),
    "Equalize": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_TONES, is_bool=False),
    "Erase": AcceptedImages(channels=_COLOUR, dtypes=_OPENCV, pil="array"),
    "FiveCrop": AcceptedImages(refused=TypeError, is_checked=False),
    "GaussianBlur": AcceptedImages(dtypes=_SMOOTH, is_bool=False, pil="array"),
    "Grayscale": AcceptedImages(refused=TypeError, is_checked=False),
    "HWC2CHW": AcceptedImages(dtypes=_OPENCV, pil="array"),
    "HorizontalFlip": AcceptedImages(dtypes=_OPENCV, batch="each", pil="array"),
    "HsvToRgb": AcceptedImages(is_checked=False, pil=TypeError),
    "Invert": AcceptedImages(channels=_COLOUR, dtypes=_WARPED),
    "LinearTransformation": AcceptedImages(is_checked=False, pil=TypeError),
    "Normalize": AcceptedImages(dtypes=_ALL, batch="each", pil="array"),
    "NormalizePad": AcceptedImages(dtypes=_ALL, pil="array"),
    "Pad": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_OPENCV, is_bool=False),
    "PadToSize": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_OPENCV, is_bool=False, pil="array"),
    "Perspective": AcceptedImages(
        dtypes=_WARPED,
        is_bool=False,
        interpolations=_refusals(antialias=TypeError, pil_antialias=ValueError, pil_others=TypeError),
    ),
    "Posterize": AcceptedImages(dtypes=_BITS, is_bool=False, pil="array"),
    "RandAugment": AcceptedImages(
        channels=_COLOUR,
        dtypes=_UINT8,
        is_bool=False,
        pil="array",
        interpolations=_OF_ARRAYS,
    ),
    "RandomAdjustSharpness": AcceptedImages(dtypes=_OPENCV, pil="array"),
    "RandomAffine": AcceptedImages(
        dtypes=_WARPED,
        interpolations=_refusals(
            antialias=ValueError, pilcubic=RuntimeError, pil_antialias=ValueError, pil_others=TypeError
        ),
    ),
    "RandomAutoContrast": AcceptedImages(channels=_FLAT_OR_COLOUR, dtypes=_OPENCV, pil="array"),
    "RandomColor": AcceptedImages(channels=_COLOUR, dtypes=_MASKS, is_bool=False),
    "RandomColorAdjust": AcceptedImages(channels=_COLOUR, dtypes=_ALL),
    "RandomCrop": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_OPENCV, batch="each", is_bool=False),
    "RandomCropDecodeResize": AcceptedImages(is_checked=False, pil=TypeError),
    "RandomCropWithBBox": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_OPENCV, is_bool=False, pil="array"),
    "RandomEqualize": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_UINT8, is_bool=False, pil="array"),
    "RandomGrayscale": AcceptedImages(refused=AttributeError, is_checked=False),
    "RandomHorizontalFlip": AcceptedImages(dtypes=_OPENCV, batch="whole"),
    "RandomHorizontalFlipWithBBox": AcceptedImages(dtypes=_OPENCV, pil="array"),
    "RandomInvert": AcceptedImages(channels=_COLOUR, dtypes=_OPENCV, pil="array"),
    "RandomLighting": AcceptedImages(channels=_COLOUR, dtypes=_OPENCV),
    "RandomPerspective": AcceptedImages(
        refused=ValueError,
        is_checked=False,
        interpolations=_refusals(pil_antialias=ValueError, pil_others=RuntimeError),
    ),
    "RandomPosterize": AcceptedImages(dtypes=_BITS, is_bool=False, pil="array"),
    "RandomResize": AcceptedImages(dtypes=_SMOOTH, batch="whole", pil="array"),
    "RandomResizeWithBBox": AcceptedImages(dtypes=_SMOOTH, pil="array"),
    "RandomResizedCrop": AcceptedImages(
        dtypes=_SMOOTH, batch="whole", interpolations=_refusals(antialias=TypeError, pil_others=TypeError)
    ),
    "RandomResizedCropWithBBox": AcceptedImages(dtypes=_SMOOTH, pil="array"),
    "RandomRotation": AcceptedImages(
        dtypes=_WARPED,
        interpolations=_refusals(
            antialias=TypeError, pilcubic=RuntimeError, pil_antialias=ValueError, pil_others=TypeError
        ),
    ),
    "RandomSelectSubpolicy": AcceptedImages(dtypes=_OPENCV, batch="whole", pil="array"),
    "RandomSharpness": AcceptedImages(dtypes=_SMOOTH, is_bool=False),
    "RandomSolarize": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_WARPED, pil="array"),
    "RandomVerticalFlip": AcceptedImages(dtypes=_OPENCV),
    "RandomVerticalFlipWithBBox": AcceptedImages(dtypes=_OPENCV, pil="array"),
    "Rescale": AcceptedImages(ranks=_EVERY_RANK, dtypes=_OPENCV, batch="whole", is_bool=False, pil="array"),
    "Resize": AcceptedImages(
        dtypes=_SMOOTH, batch="whole", interpolations=_refusals(antialias=TypeError, pil_others=TypeError)
    ),
    "ResizeWithBBox": AcceptedImages(dtypes=_SMOOTH, pil="array"),
    "ResizedCrop": AcceptedImages(dtypes=_SMOOTH, pil="array", interpolations=_refusals(antialias=RuntimeError)),
    "RgbToHsv": AcceptedImages(is_checked=False, pil=TypeError),
    "Rotate": AcceptedImages(
        dtypes=_WARPED,
        batch="each",
        pil="array",
        interpolations=_OF_ARRAYS,
    ),
    "SlicePatches": AcceptedImages(dtypes=_OPENCV, is_bool=False, pil="array"),
    "Solarize": AcceptedImages(channels=_GREY_OR_COLOUR, dtypes=_WARPED, pil="array"),
    "TenCrop": AcceptedImages(refused=TypeError, is_checked=False),
    "ToTensor": AcceptedImages(dtypes=_OPENCV),
    "TrivialAugmentWide": AcceptedImages(
        channels=_COLOUR,
        dtypes=_UINT8,
        is_bool=False,
        pil="array",
        interpolations=_OF_ARRAYS,
    ),
    "VerticalFlip": AcceptedImages(dtypes=_OPENCV, batch="each", pil="array"),
}
