"""Geometric transforms: rotation, affine maps, perspective."""

import math
from typing import Any

import numpy as np

from ..._contracts.check import number
from ..._contracts.contracts import Bool, Fraction, Real
from ..._contracts.kinds import Static
from ...engine.refusal import refuse, require
from ._libraries import opencv, pillow
from .base import Degrees, Factor, Fill, ImageTransform, Interpolation, Range
from .enums import Inter
from .resizing import flag, resampling


def _center(value, arg_name, owner):
    if len(require(value, tuple, owner, arg_name)) != 2:
        refuse(ValueError, owner, arg_name, "a tuple of two numbers", value)
    return tuple([float(number(each, arg_name, owner)) for each in value])


Center = Static(_center, tuple)


def rotated(value, degrees, mode, expand, center, fill):
    """Rotates an array counterclockwise; arguments as for `Rotate`."""
    cv2 = opencv()
    height, width = value.shape[:2]
    middle = ((width - 1) / 2, (height - 1) / 2) if center is None else center
    matrix = cv2.getRotationMatrix2D(middle, degrees, 1.0)
    size = (width, height)
    if expand:
        cosine, sine = abs(math.cos(math.radians(degrees))), abs(math.sin(math.radians(degrees)))
        across, down = width * cosine + height * sine, width * sine + height * cosine
        size = (round(across), round(down))
        matrix[:, 2] += across / 2 - width / 2, down / 2 - height / 2
    result = cv2.warpAffine(value, matrix, size, flags=flag(mode), borderValue=fill[::-1])  # as MindSpore does
    return result.reshape(*result.shape[:2], *value.shape[2:])


class Rotate(ImageTransform):
    """Rotates an image counterclockwise.

    Args:
        degrees (int | float): the angle.
        resample (Inter): the interpolation. Default: ``Inter.NEAREST``.
        expand (bool): whether to enlarge the result to contain the whole rotated image. Default: ``False``.
        center (tuple): the center (x, y) of the rotation. Default: ``None``, that of the image.
        fill_value (int | tuple[int]): the value of pixels outside the image. Default: ``0``.
    Source: mindspore.dataset.vision.Rotate
    """

    def __init__(
        self,
        degrees: Real,
        resample: Interpolation = Inter.NEAREST,
        expand: Bool = False,
        center: Center | None = None,
        fill_value: Fill = 0,
    ):
        self.degrees, self.interpolation, self.expand = degrees, resample, expand
        self.center, self.fill_value = center, fill_value

    def _apply(self, value):
        return rotated(value, self.degrees, self.interpolation, self.expand, self.center, self.fill_value)


class RandomRotation(ImageTransform):
    """`Rotate` by a random angle.

    Args:
        degrees (int | float | list | tuple): the smallest and the largest angle, or the largest distance from 0.
        resample, expand, center, fill_value: as for `Rotate`.
    Source: mindspore.dataset.vision.RandomRotation
    """

    def __init__(
        self,
        degrees: Degrees,
        resample: Interpolation = Inter.NEAREST,
        expand: Bool = False,
        center: Center | None = None,
        fill_value: Fill = 0,
    ):
        self.degrees, self.interpolation, self.rest = degrees, resample, (resample, expand, center, fill_value)

    def _apply(self, value):
        return Rotate(self._draws().about_middle(*self.degrees), *self.rest)(value)

    def _apply_pil(self, value):
        degrees = self._draws(in_python=True).about_middle(*self.degrees)
        resample, expand, center, fill = self.rest
        fill = fill[0] if value.mode == "L" else fill
        return value.rotate(degrees % 360, resampling(resample), expand, center, fillcolor=fill)


def affine(height, width, degrees, shift, scale, shear):
    """The affine matrix of a rotation, shear, scaling and translation."""
    turn, across, down = math.radians(degrees), *[math.radians(each) for each in shear]
    middle = (width - 1) / 2, (height - 1) / 2
    a = math.cos(turn - down) / math.cos(down)
    b = -math.cos(turn - down) * math.tan(across) / math.cos(down) - math.sin(turn)
    c = math.sin(turn - down) / math.cos(down)
    d = -math.sin(turn - down) * math.tan(across) / math.cos(down) + math.cos(turn)
    linear = scale * np.array([[a, b], [c, d]])
    return np.column_stack([linear, np.add(middle, shift) - linear @ middle])


def _shear(value, arg_name, owner):
    degrees = (value, 0.0) if isinstance(value, (int, float)) else require(value, (list, tuple), owner, arg_name)
    if len(degrees) != 2:
        refuse(TypeError, owner, arg_name, "a number or two", value)
    return tuple([float(number(each, arg_name, owner)) for each in degrees])


class Affine(ImageTransform):
    """Affine transform: rotates, translates, scales and shears an image.

    Args:
        degrees (float): the rotation angle.
        translate (list | tuple): the translation (x, y) as fractions of width and height, from -1 to 1.
        scale (float): the factor, above 0.
        shear (float | list | tuple): the shear angles (x, y).
        resample (Inter): the interpolation. Default: ``Inter.NEAREST``.
        fill_value (int | tuple[int]): the value of pixels outside the image. Default: ``0``.
    Source: mindspore.dataset.vision.Affine
    """

    def __init__(
        self,
        degrees: Real,
        translate: Static(_shear, list, tuple),
        scale: Factor,
        shear: Static(_shear, int, float, list, tuple),
        resample: Interpolation = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        if scale <= 0:
            refuse(ValueError, "Affine", "scale", "above 0", scale)
        if max(map(abs, translate)) > 1:
            refuse(ValueError, "Affine", "translate", "made of numbers from -1 to 1", translate)
        self.degrees, self.translate, self.scale, self.shear = degrees, translate, scale, shear
        self.interpolation, self.fill_value = resample, fill_value

    def _matrix(self, height, width):
        shift = self.translate[0] * width, self.translate[1] * height
        return affine(height, width, self.degrees, shift, self.scale, self.shear)

    def _apply(self, value):
        height, width = value.shape[:2]
        matrix = self._matrix(height, width)
        return (
            opencv()
            .warpAffine(value, matrix, (width, height), flags=flag(self.interpolation), borderValue=self.fill_value)
            .reshape(value.shape)
        )


class RandomAffine(ImageTransform):
    """`Affine` with random arguments.

    Args:
        degrees (int | float | list | tuple): the smallest and the largest angle, or the largest distance from 0.
        translate (tuple): the smallest and the largest horizontal shift, optionally also the vertical ones. For a
            Pillow image, two numbers are the largest shifts (x, y). Default: ``None``, no translation.
        scale (tuple): the smallest and the largest factor. Default: ``None``, 1.
        shear (float | tuple): the smallest and the largest horizontal angle, optionally also the vertical ones; or the
            largest distance from 0. Default: ``None``, 0.
        resample, fill_value: as for `Affine`.
    Source: mindspore.dataset.vision.RandomAffine
    """

    def __init__(
        self,
        degrees: Degrees,
        translate=None,
        scale: Range | None = None,
        shear=None,
        resample: Interpolation = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        owner = "RandomAffine"
        shift = require(translate, (tuple, list, type(None)), owner, "translate") or (0, 0)
        if len(shift) not in (2, 4):
            refuse(TypeError, owner, "translate", "two or four numbers", translate)
        if max(abs(number(each, "translate", owner)) for each in shift) > 1:
            refuse(ValueError, owner, "translate", "made of numbers from -1 to 1", translate)
        self.shift = shift if len(shift) == 4 else (*shift, 0, 0)
        self.shift_of_pil_image = shift if len(shift) == 4 else (-shift[0], shift[0], -shift[1], shift[1])
        turns = (0, 0) if shear is None else (-shear, shear) if isinstance(shear, (int, float)) else tuple(shear)
        if len(turns) not in (2, 4):
            refuse(TypeError, owner, "shear", "a number, two or four numbers", shear)
        self.shear = turns if len(turns) == 4 else (*turns, 0, 0)
        self.degrees, self.scale = degrees, scale or (1.0, 1.0)
        if min(self.scale) <= 0:
            refuse(ValueError, owner, "scale", "made of numbers above 0", scale)
        self.interpolation, self.fill_value = resample, fill_value

    def _apply(self, value):
        height, width = value.shape[:2]
        drawn = self._drawn(height, width, self.shift)
        return Affine(*drawn, resample=self.interpolation, fill_value=self.fill_value)(value)

    def _apply_pil(self, value):
        degrees, shift, scale, shear = self._drawn(value.height, value.width, self.shift_of_pil_image, True)
        across, down = (math.radians(degrees + each) for each in shear)
        back = [[math.cos(across), math.sin(across)], [-math.sin(down), math.cos(down)]]
        back = np.array(back) / (scale * math.cos(across - down))
        middle = np.array(value.size) / 2 + 0.5
        start = middle - back @ (middle + np.round(np.array(shift) * value.size))
        coefficients = np.column_stack([back, start]).reshape(-1).tolist()
        fill = self.fill_value if len(value.getbands()) > 1 else self.fill_value[0]
        kind = pillow().Image.Transform.AFFINE
        return value.transform(value.size, kind, coefficients, resampling(self.interpolation), fillcolor=fill)

    def _drawn(self, height, width, shift, in_python=False):
        """The arguments of `Affine`, without interpolation and fill."""
        draws = self._draws(in_python)
        degrees = draws.uniform(*self.degrees)
        sides = zip((shift[:2], shift[2:]), (width, height), strict=True)
        shift = [draws.uniform(low * length, high * length) / length for (low, high), length in sides]
        scale = draws.uniform(*self.scale)
        return degrees, shift, scale, (draws.uniform(*self.shear[:2]), draws.uniform(*self.shear[2:]))


class Perspective(ImageTransform):
    """Perspective transform that maps four points of an image to four others.

    Args:
        start_points, end_points (list[list[int]]): four points (x, y), before and after.
        interpolation (Inter): the interpolation. Default: ``Inter.BILINEAR``.
    Source: mindspore.dataset.vision.Perspective
    """

    def __init__(self, start_points, end_points, interpolation: Interpolation = Inter.BILINEAR):
        self.start, self.end = _points(start_points, "start_points"), _points(end_points, "end_points")
        self.interpolation = interpolation

    def _apply(self, value):
        cv2 = opencv()
        matrix = cv2.getPerspectiveTransform(np.array(self.start, np.float32), np.array(self.end, np.float32))
        size = (value.shape[1], value.shape[0])
        return cv2.warpPerspective(value, matrix, size, flags=flag(self.interpolation)).reshape(value.shape)

    def _apply_pil(self, value):
        rows, numbers_wanted = [], np.array(self.start, np.float64).reshape(-1)
        for (x, y), (u, v) in zip(self.end, self.start, strict=True):
            rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        back = np.linalg.lstsq(np.array(rows, np.float64), numbers_wanted, rcond=None)[0].tolist()
        kind = pillow().Image.Transform.PERSPECTIVE
        return value.transform(value.size, kind, back, resampling(self.interpolation))


def _points(value, argument):
    points = require(value, (list, tuple), "Perspective", argument)
    if len(points) != 4 or any(len(point) != 2 for point in points):
        refuse(TypeError, "Perspective", argument, "four points, across and down", value)
    return [tuple(number(each, argument, "Perspective") for each in point) for point in points]


class RandomPerspective(ImageTransform):
    """`Perspective` with random points, with probability ``prob``.

    Args:
        distortion_scale (float): the largest shift of corners, from 0 to 1. Default: ``0.5``.
        prob (float): the probability. Default: ``0.5``.
        interpolation (Inter): the interpolation. Default: ``Inter.BICUBIC``.
    Source: mindspore.dataset.vision.RandomPerspective
    """

    start: Any
    end: Any

    _is_python = True

    def __init__(
        self, distortion_scale: Fraction = 0.5, prob: Fraction = 0.5, interpolation: Interpolation = Inter.BICUBIC
    ):
        self.distortion_scale, self.prob, self.interpolation = distortion_scale, prob, interpolation

    def _apply(self, value):
        draws = self._draws(in_python=True)
        if not draws.chance(self.prob):
            return value
        height, width = value.shape[:2] if isinstance(value, np.ndarray) else (value.height, value.width)
        across, down = int(width / 2 * self.distortion_scale), int(height / 2 * self.distortion_scale)
        right, bottom = width - 1, height - 1
        corners = [(0, 0), (right, 0), (right, bottom), (0, bottom)]
        moved = [
            (draws.integer(max(x - across, 0), max(x, across)), draws.integer(max(y - down, 0), max(y, down)))
            for x, y in corners
        ]
        return Perspective(corners, moved, self.interpolation)(value)

    _apply_pil = _apply
