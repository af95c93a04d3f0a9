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
# - a Pillow image stays a ``picture``, or becomes an ``array``; the error if it is refused.
_TABLE = """
    AdjustBrightness              -,1,3           opencv   no     bool   picture
    AdjustContrast                3               colours  no     bool   picture
    AdjustGamma                   -,1,3           opencv   whole  bool   picture
    AdjustHue                     3               hues     no     bool   picture
    AdjustSaturation              3               colours  no     bool   picture
    AdjustSharpness               any             smooth   no     uint8  array
    Affine                        any             warped   no     bool   array
    AutoAugment                   3               warped   no     uint8  array
    AutoContrast                  -,1,3           tones    no     uint8  picture
    BoundingBoxAugment            any             all      no     bool   array
    CenterCrop                    any             opencv   each   bool   picture
    ConvertColor                  any             masks    no     bool   array
    Crop                          any             opencv   no     bool   array
    CutOut                        some            all      no     bool   array
    Decode                        free            -        -      -      TypeError
    Equalize                      -,1,3           tones    no     uint8  picture
    Erase                         3               opencv   no     bool   array
    FiveCrop                      TypeError       -        -      -      picture
    GaussianBlur                  any             smooth   no     uint8  array
    Grayscale                     TypeError       -        -      -      picture
    HWC2CHW                       any             opencv   no     bool   array
    HorizontalFlip                any             opencv   each   bool   array
    HsvToRgb                      free            -        -      -      TypeError
    Invert                        3               warped   no     bool   picture
    LinearTransformation          free            -        -      -      TypeError
    Normalize                     any             all      each   bool   array
    NormalizePad                  any             all      no     bool   array
    Pad                           -,1,3           opencv   no     uint8  picture
    PadToSize                     -,1,3           opencv   no     uint8  array
    Perspective                   any             warped   no     uint8  picture
    Posterize                     any             bits     no     uint8  array
    RandAugment                   3               uint8    no     uint8  array
    RandomAdjustSharpness         any             opencv   no     bool   array
    RandomAffine                  any             warped   no     bool   picture
    RandomAutoContrast            -,3             opencv   no     bool   array
    RandomColor                   3               masks    no     uint8  picture
    RandomColorAdjust             3               all      no     bool   picture
    RandomCrop                    -,1,3           opencv   each   uint8  picture
    RandomCropDecodeResize        free            -        -      -      TypeError
    RandomCropWithBBox            -,1,3           opencv   no     uint8  array
    RandomEqualize                -,1,3           uint8    no     uint8  array
    RandomGrayscale               AttributeError  -        -      -      picture
    RandomHorizontalFlip          any             opencv   whole  bool   picture
    RandomHorizontalFlipWithBBox  any             opencv   no     bool   array
    RandomInvert                  3               opencv   no     bool   array
    RandomLighting                3               opencv   no     bool   picture
    RandomPerspective             ValueError      -        -      -      picture
    RandomPosterize               any             bits     no     uint8  array
    RandomResize                  any             smooth   whole  bool   array
    RandomResizeWithBBox          any             smooth   no     bool   array
    RandomResizedCrop             any             smooth   whole  bool   picture
    RandomResizedCropWithBBox     any             smooth   no     bool   array
    RandomRotation                any             warped   no     bool   picture
    RandomSelectSubpolicy         any             opencv   whole  bool   array
    RandomSharpness               any             smooth   no     uint8  picture
    RandomSolarize                -,1,3           warped   no     bool   array
    RandomVerticalFlip            any             opencv   no     bool   picture
    RandomVerticalFlipWithBBox    any             opencv   no     bool   array
    Rescale                       every           opencv   whole  uint8  array
    Resize                        any             smooth   whole  bool   picture
    ResizeWithBBox                any             smooth   no     bool   array
    ResizedCrop                   any             smooth   no     bool   array
    RgbToHsv                      free            -        -      -      TypeError
    Rotate                        any             warped   each   bool   array
    SlicePatches                  any             opencv   no     uint8  array
    Solarize                      -,1,3           warped   no     bool   array
    TenCrop                       TypeError       -        -      -      picture
    ToTensor                      any             opencv   no     bool   picture
    TrivialAugmentWide            3               uint8    no     uint8  array
    VerticalFlip                  any             opencv   each   bool   array
"""

# Interpolations that are refused, with the error: ANTIALIAS, then PILCUBIC, for an array; ANTIALIAS, then AREA and
# PILCUBIC, for a picture.
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
class Kinds:
    """The images that one transform takes: a row of the tables.

    Attributes:
        channels (frozenset | None): the accepted numbers of channels, 0 for no channel axis. None: any.
        dtypes (frozenset): of an array.
        batch (str): ``each``, ``whole`` or ``no``.
        is_checked (bool): whether arrays are checked here.
        ranks (tuple): the accepted numbers of axes.
        is_bool (bool): whether the result of a bool array is bool.
        refused (type | None): the error for arrays.
        picture (str | type): ``picture``, ``array``, or the error for Pillow images.
        interpolations (tuple): by Inter, the errors for arrays, and those for Pillow images.
    """

    channels: frozenset | None = None
    dtypes: frozenset = frozenset()
    batch: str = "no"
    is_checked: bool = False
    ranks: tuple = (2, 3)
    is_bool: bool = True
    refused: type | None = None
    picture: str | type = "picture"
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


def _kinds():
    refusals = {}
    for line in _INTERPOLATIONS.strip().splitlines():
        name, *errors = line.split()
        first, second, third, fourth = (_ERRORS.get(each) for each in errors)
        of_array = {Inter.ANTIALIAS: first, Inter.PILCUBIC: second}
        of_picture = {Inter.ANTIALIAS: third, Inter.AREA: fourth, Inter.PILCUBIC: fourth}
        refusals[name] = of_array, of_picture
    kinds = {}
    for line in _TABLE.strip().splitlines():
        name, channels, dtypes, batch, bools, picture = line.split()
        counts = {"any": None, "every": None, "some": frozenset(range(1, 1 << 10))}
        listed = [0 if each == "-" else int(each) for each in channels.split(",") if each == "-" or each.isdigit()]
        kinds[name] = Kinds(
            channels=counts.get(channels, frozenset(listed)),
            dtypes=frozenset(map(np.dtype, _DTYPES[dtypes].split())),
            batch=batch,
            is_checked=channels != "free" and channels not in _ERRORS,
            ranks=tuple(range(33)) if channels == "every" else (2, 3),
            is_bool=bools == "bool",
            refused=_ERRORS.get(channels),
            picture=_ERRORS.get(picture, picture),
            interpolations=refusals.get(name, ({}, {})),
        )
    return kinds


KINDS = _kinds()
