"""The images that each transform accepts, one row each: arrays and Pillow images, channels, dtypes, interpolations."""

import dataclasses

import numpy as np

from .enums import Inter

_SHORTS = "bool int8 uint8 int16 uint16"
_DTYPES = {
    "-": "",
    "all": f"{_SHORTS} int32 uint32 int64 uint64 float16 float32 float64",
    "opencv": f"{_SHORTS} int32 float16 float32 float64",  # the dtypes of OpenCV's matrices
    "warped": f"{_SHORTS} int32 float32 float64",
    "smooth": "bool uint8 int16 uint16 float32 float64",
    "colours": "uint8 uint16 float32",
    "masks": "bool uint8 uint16 float32",
    "hues": "uint8 float32",
    "bits": "bool int8 uint8",
    "tones": "bool uint8",
    "uint8": "uint8",
}
_ERRORS = {error.__name__: error for error in (AttributeError, RuntimeError, TypeError, ValueError)}

# Columns:
# - channels of an array, ``-`` for an image of height and width only; ``any``; ``some`` for any but ``-``; ``every``
#   for arrays of any shape; ``free`` if the transform checks arrays itself; the error if arrays are refused;
# - dtypes of an array, as above;
# - arrays with more axes: ``each`` image is transformed separately, or all as a ``whole``, or ``no`` such array;
# - the dtype of the result for a bool array, which is computed as uint8;
# - a Pillow image stays one (``pil``), or becomes an ``array``; the error if it is refused.
_TABLE = """
    AdjustBrightness              -,1,3           opencv   no     bool   pil
    AdjustContrast                3               colours  no     bool   pil
    AdjustGamma                   -,1,3           opencv   whole  bool   pil
    AdjustHue                     3               hues     no     bool   pil
    AdjustSaturation              3               colours  no     bool   pil
    AdjustSharpness               any             smooth   no     uint8  array
    Affine                        any             warped   no     bool   array
    AutoAugment                   3               warped   no     uint8  array
    AutoContrast                  -,1,3           tones    no     uint8  pil
    BoundingBoxAugment            any             all      no     bool   array
    CenterCrop                    any             opencv   each   bool   pil
    ConvertColor                  any             masks    no     bool   array
    Crop                          any             opencv   no     bool   array
    CutOut                        some            all      no     bool   array
    Decode                        free            -        -      -      TypeError
    Equalize                      -,1,3           tones    no     uint8  pil
    Erase                         3               opencv   no     bool   array
    FiveCrop                      TypeError       -        -      -      pil
    GaussianBlur                  any             smooth   no     uint8  array
    Grayscale                     TypeError       -        -      -      pil
    HWC2CHW                       any             opencv   no     bool   array
    HorizontalFlip                any             opencv   each   bool   array
    HsvToRgb                      free            -        -      -      TypeError
    Invert                        3               warped   no     bool   pil
    LinearTransformation          free            -        -      -      TypeError
    Normalize                     any             all      each   bool   array
    NormalizePad                  any             all      no     bool   array
    Pad                           -,1,3           opencv   no     uint8  pil
    PadToSize                     -,1,3           opencv   no     uint8  array
    Perspective                   any             warped   no     uint8  pil
    Posterize                     any             bits     no     uint8  array
    RandAugment                   3               uint8    no     uint8  array
    RandomAdjustSharpness         any             opencv   no     bool   array
    RandomAffine                  any             warped   no     bool   pil
    RandomAutoContrast            -,3             opencv   no     bool   array
    RandomColor                   3               masks    no     uint8  pil
    RandomColorAdjust             3               all      no     bool   pil
    RandomCrop                    -,1,3           opencv   each   uint8  pil
    RandomCropDecodeResize        free            -        -      -      TypeError
    RandomCropWithBBox            -,1,3           opencv   no     uint8  array
    RandomEqualize                -,1,3           uint8    no     uint8  array
    RandomGrayscale               AttributeError  -        -      -      pil
    RandomHorizontalFlip          any             opencv   whole  bool   pil
    RandomHorizontalFlipWithBBox  any             opencv   no     bool   array
    RandomInvert                  3               opencv   no     bool   array
    RandomLighting                3               opencv   no     bool   pil
    RandomPerspective             ValueError      -        -      -      pil
    RandomPosterize               any             bits     no     uint8  array
    RandomResize                  any             smooth   whole  bool   array
    RandomResizeWithBBox          any             smooth   no     bool   array
    RandomResizedCrop             any             smooth   whole  bool   pil
    RandomResizedCropWithBBox     any             smooth   no     bool   array
    RandomRotation                any             warped   no     bool   pil
    RandomSelectSubpolicy         any             opencv   whole  bool   array
    RandomSharpness               any             smooth   no     uint8  pil
    RandomSolarize                -,1,3           warped   no     bool   array
    RandomVerticalFlip            any             opencv   no     bool   pil
    RandomVerticalFlipWithBBox    any             opencv   no     bool   array
    Rescale                       every           opencv   whole  uint8  array
    Resize                        any             smooth   whole  bool   pil
    ResizeWithBBox                any             smooth   no     bool   array
    ResizedCrop                   any             smooth   no     bool   array
    RgbToHsv                      free            -        -      -      TypeError
    Rotate                        any             warped   each   bool   array
    SlicePatches                  any             opencv   no     uint8  array
    Solarize                      -,1,3           warped   no     bool   array
    TenCrop                       TypeError       -        -      -      pil
    ToTensor                      any             opencv   no     bool   pil
    TrivialAugmentWide            3               uint8    no     uint8  array
    VerticalFlip                  any             opencv   each   bool   array
"""

# Interpolations that are refused, with the error: ANTIALIAS, then PILCUBIC, for an array; ANTIALIAS, then AREA and
# PILCUBIC, for a Pillow image.
_INTERPOLATIONS = """
    Affine              RuntimeError  RuntimeError  -           -
    AutoAugment         RuntimeError  RuntimeError  -           -
    Perspective         TypeError     -             ValueError  TypeError
    RandAugment         RuntimeError  RuntimeError  -           -
    RandomAffine        ValueError    RuntimeError  ValueError  TypeError
    RandomPerspective   -             -             ValueError  RuntimeError
    RandomResizedCrop   TypeError     -             -           TypeError
    RandomRotation      TypeError     RuntimeError  ValueError  TypeError
    Resize              TypeError     -             -           TypeError
    ResizedCrop         RuntimeError  -             -           -
    Rotate              RuntimeError  RuntimeError  -           -
    TrivialAugmentWide  RuntimeError  RuntimeError  -           -
"""


_MOST_LISTED = 9
_COPIED = frozenset(map(np.dtype, ("int8", "int32")))  # OpenCV resizes these by copying pixels only


@dataclasses.dataclass(frozen=True)
class AcceptedImages:
    """The images that a transform accepts: a row of the tables.

    Attributes:
        channels (frozenset | None): the accepted numbers of channels, 0 for no channel axis. None: any.
        dtypes (frozenset): of an array.
        batch (str): ``each``, ``whole`` or ``no``.
        is_checked (bool): whether arrays are checked here.
        ranks (tuple): the accepted numbers of axes.
        is_bool (bool): whether the result of a bool array is bool.
        refused (type | None): the error for arrays.
        pil (str | type): the result for a Pillow image: ``pil`` (another one), ``array``, or the error.
        interpolations (tuple): by Inter, the errors for arrays, and those for Pillow images.
    """

    channels: frozenset | None = None
    dtypes: frozenset = frozenset()
    batch: str = "no"
    is_checked: bool = False
    ranks: tuple = (2, 3)
    is_bool: bool = True
    refused: type | None = None
    pil: str | type = "pil"
    interpolations: tuple = ({}, {})

    def check(self, value, transform):
        """Raises ``transform``'s error if it does not accept this array."""
        fault = self._fault(value, getattr(transform, "interpolation", None))
        if fault:
            transform.fail(f"the image must {fault}, but got an array of {value.dtype} and the shape {value.shape}.")

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


def _accepted():
    refusals = {}
    for line in _INTERPOLATIONS.strip().splitlines():
        name, *errors = line.split()
        first, second, third, fourth = (_ERRORS.get(each) for each in errors)
        of_array = {Inter.ANTIALIAS: first, Inter.PILCUBIC: second}
        of_pil_image = {Inter.ANTIALIAS: third, Inter.AREA: fourth, Inter.PILCUBIC: fourth}
        refusals[name] = of_array, of_pil_image
    accepted = {}
    for line in _TABLE.strip().splitlines():
        name, channels, dtypes, batch, bools, pil = line.split()
        counts = {"any": None, "every": None, "some": frozenset(range(1, 1 << 10))}
        listed = [0 if each == "-" else int(each) for each in channels.split(",") if each == "-" or each.isdigit()]
        accepted[name] = AcceptedImages(
            channels=counts.get(channels, frozenset(listed)),
            dtypes=frozenset(map(np.dtype, _DTYPES[dtypes].split())),
            batch=batch,
            is_checked=channels != "free" and channels not in _ERRORS,
            ranks=tuple(range(33)) if channels == "every" else (2, 3),
            is_bool=bools == "bool",
            refused=_ERRORS.get(channels),
            pil=_ERRORS.get(pil, pil),
            interpolations=refusals.get(name, ({}, {})),
        )
    return accepted


ACCEPTED = _accepted()
