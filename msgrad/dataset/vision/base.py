"""`ImageTransform`, and the contracts of its arguments."""

import numbers
from typing import Any

import numpy as np

from ..._contracts.check import number
from ..._contracts.choices import Instance
from ..._contracts.kinds import Static
from ...engine.refusal import refuse, require
from .._pipeline.draws import each_of
from .._pipeline.values import is_pil_image
from ..transforms.base import Transform
from ..transforms.composing import Probability  # noqa: F401  a contract as those below
from ._accepted_images import ACCEPTED, AcceptedImages
from ._libraries import fail_as
from .enums import Border, Inter

_MOST = 2**24
_MSG_ARRAY = "For '{}', the image must be a Pillow image, but got an array of {}, {}: use ToPIL() before."
_MSG_PIL_IMAGE = "For '{}', the image must be an array, but got a Pillow image: use ToNumpy() before."
_MSG_INTERPOLATION = "For '{}', the interpolation {} is not available for {}."


class ImageTransform(Transform):
    """A transform of an image: an array (height, width, channels) or (height, width), or a Pillow image.

    A subclass defines ``_apply`` for arrays, and ``_apply_pil`` for Pillow images. Its row in `ACCEPTED` defines the
    arrays that it accepts, and whether Pillow images are converted to arrays; without a row it accepts all.
    """

    _accepted = AcceptedImages(is_checked=False)
    _has_choice = False  # whether it takes several images of a row (an image and its mask), with one random choice

    def __init_subclass__(cls, **kwargs):
        super().__init_subclass__(**kwargs)
        cls._accepted = ACCEPTED.get(cls.__name__, cls._accepted)

    def _taken(self, value):
        """``value``, an array or a Pillow image."""
        if not is_pil_image(value) and not isinstance(value, np.ndarray):
            raise TypeError(
                f"For '{type(self).__name__}', the image must be a NumPy array or a Pillow image, but got "
                f"{type(value).__name__}."
            )
        return value

    def __call__(self, value, *more) -> Any:
        if more:
            return self._of_row((value, *more)) if self._has_choice else super().__call__(value, *more)
        if type(value) is np.ndarray:
            return self._of_array(value)
        value = self._taken(value)
        if not is_pil_image(value):
            return self._of_array(value)
        if self._accepted.pil == "array":
            return self._of_array(np.array(value))
        if self._accepted.pil != "pil":
            raise self._accepted.pil(_MSG_PIL_IMAGE.format(type(self).__name__))
        self._check_interpolation(1)
        return self._apply_pil(value)

    def _of_row(self, values):
        """The new values of several images of one row, with one random choice."""
        arrays = [np.array(self._taken(value)) for value in values]
        choice = self._chosen(*arrays)
        return tuple(self._of_array(array, choice) for array in arrays)

    def _chosen(self, first, *other_images):
        """The random choice for arrays, from the size of the first."""
        raise NotImplementedError

    def _applied(self, value, choice):
        """The new value of an array, by a random choice."""
        raise NotImplementedError

    def _check_one_size(self, first, *other_images):
        for each in other_images:
            if each.shape[:2] != first.shape[:2]:
                self._fail(f"images of a row must have the same size, but got {first.shape[:2]} and {each.shape[:2]}.")

    def _of_array(self, value, choice=None):
        """The new value of an array; with ``choice``, by that random choice.

        Raises:
            RuntimeError: if the transform or OpenCV does not accept such arrays.
        """
        accepted = self._accepted
        if accepted.refused:
            raise accepted.refused(_MSG_ARRAY.format(type(self).__name__, value.dtype, value.shape))
        if accepted.is_checked:
            accepted.check(value, self)
            self._check_interpolation(0)
            if accepted.batch == "each" and value.ndim > 3:
                return np.stack(each_of(lambda each: self._of_array(each, choice), value))
        is_bool = accepted.is_checked and value.dtype == bool
        try:
            array = value.view(np.uint8) if is_bool else value
            result = self._apply(array) if choice is None else self._applied(array, choice)
        except Exception as error:
            fail_as(self, value, error)
        if is_bool and accepted.is_bool and result.dtype == np.uint8:
            return result != 0
        return result

    def _check_interpolation(self, position):
        """Raises for an interpolation that is not supported for arrays (0) or Pillow images (1)."""
        interpolation = getattr(self, "interpolation", None)
        error = self._accepted.interpolations[position].get(interpolation)
        if error:
            image = "a Pillow image" if position else "an array"
            raise error(_MSG_INTERPOLATION.format(type(self).__name__, interpolation.name, image))

    def _apply(self, value):
        return self._applied(value, self._chosen(value))

    def _apply_pil(self, value):
        """The new value of a Pillow image."""
        return self._apply(np.array(value))


def saturated(values, dtype):
    """Converts floats to a dtype with rounding and saturation, as OpenCV does."""
    if dtype.kind in "fb":
        return values.astype(dtype)
    bounds = np.iinfo(dtype)
    return np.clip(np.rint(values), bounds.min, bounds.max).astype(dtype)


def _size(value, arg_name, owner):
    if isinstance(value, bool) or not isinstance(value, (int, list, tuple)):
        refuse(TypeError, owner, arg_name, "an int or two ints", value)
    for length in value if isinstance(value, (list, tuple)) else [value]:
        if isinstance(length, bool) or not isinstance(length, int):
            refuse(TypeError, owner, arg_name, "an int or two ints", value)
        if not 1 <= length <= _MOST:
            refuse(ValueError, owner, arg_name, f"in the range [1, {_MOST}]", value)
    if isinstance(value, (list, tuple)) and len(value) != 2:
        refuse(TypeError, owner, arg_name, "an int or two ints", value)
    return value if isinstance(value, int) else tuple(value)


def _margins(value, arg_name, owner):
    """Left, top, right, bottom."""
    widths = [value] * 4 if isinstance(value, int) else require(value, (int, list, tuple), owner, arg_name)
    if len(widths) not in (2, 4):
        refuse(ValueError, owner, arg_name, "an int, or two or four of them", value)
    for each in widths:
        if isinstance(each, bool) or not isinstance(each, int):
            refuse(TypeError, owner, arg_name, "made of ints", value)
        if each < 0:
            refuse(ValueError, owner, arg_name, "non-negative", value)
    if len(widths) == 2:  # (left and right, top and bottom), not as MindSpore's documents say
        return (widths[0], widths[1], widths[0], widths[1])
    return tuple(widths)


def _fill(value, arg_name, owner):
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    values = [value] * 3 if isinstance(value, int) else require(value, (int, list, tuple), owner, arg_name)
    if len(values) != 3:
        refuse(TypeError, owner, arg_name, "an int or three ints", value)
    for each in values:
        if isinstance(each, bool) or not isinstance(each, int):
            refuse(TypeError, owner, arg_name, "made of ints", value)
        if not 0 <= each <= 255:
            refuse(ValueError, owner, arg_name, "in the range [0, 255]", value)
    return tuple(values)


def _factor(value, arg_name, owner):
    if number(value, arg_name, owner) < 0:
        refuse(ValueError, owner, arg_name, "a non-negative number", value)
    return float(value)


def _factors(value, arg_name, owner):
    """The smallest and the largest factor; one number is the distance from 1."""
    if isinstance(value, numbers.Real):
        if number(value, arg_name, owner) < 0:
            refuse(ValueError, owner, arg_name, "non-negative", value)
        return (max(0.0, 1.0 - value), 1.0 + value)
    low, high = _pair(value, arg_name, owner)
    if low < 0:
        refuse(ValueError, owner, arg_name, "made of non-negative numbers", value)
    return (low, high)


def _factor_range(value, arg_name, owner):
    return _factors(require(value, (list, tuple), owner, arg_name), arg_name, owner)


def _degrees(value, arg_name, owner):
    """The smallest and the largest angle; one number is the distance from 0."""
    if isinstance(value, numbers.Real):
        if number(value, arg_name, owner) < 0:
            refuse(ValueError, owner, arg_name, "non-negative, or two numbers", value)
        return (-float(value), float(value))
    return _pair(value, arg_name, owner)


def _pair(value, arg_name, owner):
    if len(require(value, (list, tuple), owner, arg_name)) != 2:
        refuse(TypeError, owner, arg_name, "two numbers", value)
    low, high = (float(number(each, arg_name, owner)) for each in value)
    if low > high:
        refuse(ValueError, owner, arg_name, "the smallest and the largest, in this order", value)
    return (low, high)


def _kernel(value, arg_name, owner):
    """The kernel's height and width, which are odd."""
    width, height = value if isinstance(value, (list, tuple)) and len(value) == 2 else (value, value)
    for each in (width, height):
        if isinstance(each, bool) or not isinstance(each, int):
            refuse(TypeError, owner, arg_name, "an int or two ints", value)
        if each < 1 or each % 2 == 0:
            refuse(ValueError, owner, arg_name, "odd", value)
    return (width, height)


def _bits(value, arg_name, owner):
    if isinstance(value, bool) or not isinstance(value, int):
        refuse(TypeError, owner, arg_name, "an int", value)
    if not 0 <= value <= 8:
        refuse(ValueError, owner, arg_name, "in the range [0, 8]", value)
    return value


Size = Static(_size, int, list, tuple)
Margins = Static(_margins, int, list, tuple)
Fill = Static(_fill, int, list, tuple)
Factor = Static(_factor, int, float)
Factors = Static(_factors, int, float, list, tuple)
FactorRange = Static(_factor_range, list, tuple)
Degrees = Static(_degrees, int, float, list, tuple)
Range = Static(_pair, list, tuple)
Kernel = Static(_kernel, int, list, tuple)
Bits = Static(_bits, int)
Interpolation = Instance(Inter)
BorderMode = Instance(Border)
