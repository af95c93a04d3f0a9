"""Automatic augmentation: policies of transforms chosen at random (AutoAugment, RandAugment, ...)."""

import numpy as np

from ..._contracts.choices import Instance
from ..._contracts.contracts import NonNegativeInt, PositiveInt
from ..._contracts.kinds import Static
from ...engine.refusal import refuse, require
from .._pipeline.draws import is_in_pipeline, within
from ..transforms.base import check_transforms
from .adjusting import AdjustBrightness, AdjustContrast, AdjustSaturation, AdjustSharpness
from .base import Fill, ImageTransform, Interpolation
from .enums import AutoAugmentPolicy, Inter
from .geometry import Affine, Rotate
from .tones import AutoContrast, Equalize, Invert, Posterize, Solarize

# By name: whether the strength may be negative, and the transform of an image: (strength, resample, fill).
_STEPS = {
    "Identity": (False, lambda strength, *rest: lambda image: image),
    "ShearX": (True, lambda strength, *rest: Affine(0.0, (0, 0), 1.0, (float(np.degrees(strength)), 0), *rest)),
    "ShearY": (True, lambda strength, *rest: Affine(0.0, (0, 0), 1.0, (0, float(np.degrees(strength))), *rest)),
    "TranslateX": (True, lambda strength, *rest: Affine(0.0, (float(strength), 0), 1.0, 0.0, *rest)),
    "TranslateY": (True, lambda strength, *rest: Affine(0.0, (0, float(strength)), 1.0, 0.0, *rest)),
    "Rotate": (True, lambda strength, resample, fill: Rotate(float(strength), resample, fill_value=fill)),
    "Brightness": (True, lambda strength, *rest: AdjustBrightness(float(1 + strength))),
    "Color": (True, lambda strength, *rest: AdjustSaturation(float(1 + strength))),
    "Contrast": (True, lambda strength, *rest: AdjustContrast(float(1 + strength))),
    "Sharpness": (True, lambda strength, *rest: AdjustSharpness(float(1 + strength))),
    "Posterize": (False, lambda strength, *rest: Posterize(int(strength))),
    "Solarize": (False, lambda strength, *rest: Solarize(float(strength))),
    "AutoContrast": (False, lambda strength, *rest: AutoContrast()),
    "Equalize": (False, lambda strength, *rest: Equalize()),
    "Invert": (False, lambda strength, *rest: Invert()),
}


def _strengths(bins, rotation=30.0, shear=0.3, shift=150.0 / 331.0, tone=0.9, bits=4):
    """The strength of each step by its magnitude."""

    def between(start, end):  # in float32, as MindSpore computes them
        start = np.float32(start)
        return start + np.arange(bins, dtype=np.float32) * ((np.float32(end) - start) / np.float32(bins - 1))

    return {
        "ShearX": between(0, shear),
        "ShearY": between(0, shear),
        "TranslateX": between(0, shift),
        "TranslateY": between(0, shift),
        "Rotate": between(0, rotation),
        **{name: between(0, tone) for name in ("Brightness", "Color", "Contrast", "Sharpness")},
        "Posterize": 8 - np.round(np.arange(bins) / ((bins - 1) / bits)),
        "Solarize": between(255.0, 0.0),
    }


def _below(draws, count):
    """An int below ``count``; as in MindSpore, 0 is twice as likely as others."""
    return draws.integer(0, count) % count


def step(image, name, strength, is_negative, resample, fill):
    """``image`` after the step ``name``, with a strength that may be negative for signed steps."""
    is_signed, make = _STEPS[name]
    if is_signed and is_negative:
        strength = -strength
    return make(strength, resample, fill)(image)


class RandAugment(ImageTransform):
    """Applies ``num_ops`` steps, drawn at random, of one magnitude.

    Args:
        num_ops (int): the number of steps. Default: ``2``.
        magnitude (int): their magnitude. Default: ``9``.
        num_magnitude_bins (int): the number of magnitudes. Default: ``31``.
        interpolation (Inter): the interpolation of geometric steps. Default: ``Inter.NEAREST``.
        fill_value (int | tuple[int]): the value of pixels outside the image. Default: ``0``.
    Source: mindspore.dataset.vision.RandAugment
    """

    _names = sorted(name for name in _STEPS if name != "Invert")

    def __init__(
        self,
        num_ops: NonNegativeInt = 2,
        magnitude: NonNegativeInt = 9,
        num_magnitude_bins: PositiveInt = 31,
        interpolation: Interpolation = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        if num_magnitude_bins < 2 or magnitude >= num_magnitude_bins:
            refuse(ValueError, "RandAugment", "magnitude", f"in the range [0, {num_magnitude_bins})", magnitude)
        self.num_ops, self.magnitude, self.rest = num_ops, magnitude, (interpolation, fill_value)
        self.interpolation = interpolation
        self.strengths = _strengths(num_magnitude_bins)

    def _apply(self, value):
        draws = self._draws()
        for _ in range(self.num_ops):
            name = self._names[_below(draws, len(self._names))]
            strength = self.strengths.get(name, _ZEROS)[self.magnitude]
            value = step(value, name, strength, _below(draws, 2) == 1, *self.rest)
        return value


class _Zeros:
    """The strength of steps that have none."""

    def __getitem__(self, magnitude):
        return 0.0


_ZEROS = _Zeros()


class TrivialAugmentWide(ImageTransform):
    """Applies one step, drawn at random, of a random magnitude.

    Args:
        num_magnitude_bins (int): the number of magnitudes. Default: ``31``.
        interpolation, fill_value: as for `RandAugment`.
    Source: mindspore.dataset.vision.TrivialAugmentWide
    """

    def __init__(
        self,
        num_magnitude_bins: PositiveInt = 31,
        interpolation: Interpolation = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        if num_magnitude_bins < 2:
            refuse(ValueError, "TrivialAugmentWide", "num_magnitude_bins", "2 at least", num_magnitude_bins)
        self.num_magnitude_bins, self.rest = num_magnitude_bins, (interpolation, fill_value)
        self.interpolation = interpolation
        self.strengths = _strengths(num_magnitude_bins, 135.0, 0.99, 32.0 / 224.0, 0.99, 6)

    def _apply(self, value):
        draws = self._draws()
        name = RandAugment._names[_below(draws, len(RandAugment._names))]
        strengths = self.strengths.get(name)
        strength = 0.0 if strengths is None else strengths[_below(draws, self.num_magnitude_bins)]
        return step(value, name, strength, _below(draws, 2) == 1, *self.rest)


class AutoAugment(ImageTransform):
    """Applies one of the pairs of steps that a policy lists, each step with a probability.

    Args:
        policy (AutoAugmentPolicy): the policy. Default: ``AutoAugmentPolicy.IMAGENET``.
        interpolation, fill_value: as for `RandAugment`.
    Source: mindspore.dataset.vision.AutoAugment
    """

    def __init__(
        self,
        policy: Instance(AutoAugmentPolicy) = AutoAugmentPolicy.IMAGENET,
        interpolation: Interpolation = Inter.NEAREST,
        fill_value: Fill = 0,
    ):
        self.pairs, self.interpolation, self.rest = _POLICIES[policy], interpolation, (interpolation, fill_value)
        self.strengths = _strengths(10)

    def _apply(self, value):
        draws = self._draws()
        steps = draws.choice(self.pairs)
        shares = [draws.uniform() for _ in steps]
        signs = [draws.integer(0, 1) == 0 for _ in steps]
        for (name, probability, magnitude), share, sign in zip(steps, shares, signs, strict=True):
            if share <= probability:
                strength = self.strengths.get(name, _ZEROS)[magnitude or 0]
                value = step(value, name, strength, sign, *self.rest)
        return value


def _pairs(text):
    """Pairs of steps from a table: a line for each, ``name probability magnitude`` twice, ``-`` for no magnitude."""
    rows = []
    for line in text.strip().splitlines():
        words = line.split()
        rows.append(
            tuple((words[k], float(words[k + 1]), None if words[k + 2] == "-" else int(words[k + 2])) for k in (0, 3))
        )
    return rows


# The policies that "AutoAugment: Learning Augmentation Strategies from Data" (Cubuk et al., 2019) found.
_POLICIES = {
    AutoAugmentPolicy.IMAGENET: _pairs(
        """
        Posterize 0.4 8 Rotate 0.6 9
        Solarize 0.6 5 AutoContrast 0.6 -
        Equalize 0.8 - Equalize 0.6 -
        Posterize 0.6 7 Posterize 0.6 6
        Equalize 0.4 - Solarize 0.2 4
        Equalize 0.4 - Rotate 0.8 8
        Solarize 0.6 3 Equalize 0.6 -
        Posterize 0.8 5 Equalize 1.0 -
        Rotate 0.2 3 Solarize 0.6 8
        Equalize 0.6 - Posterize 0.4 6
        Rotate 0.8 8 Color 0.4 0
        Rotate 0.4 9 Equalize 0.6 -
        Equalize 0.0 - Equalize 0.8 -
        Invert 0.6 - Equalize 1.0 -
        Color 0.6 4 Contrast 1.0 8
        Rotate 0.8 8 Color 1.0 2
        Color 0.8 8 Solarize 0.8 7
        Sharpness 0.4 7 Invert 0.6 -
        ShearX 0.6 5 Equalize 1.0 -
        Color 0.4 0 Equalize 0.6 -
        Equalize 0.4 - Solarize 0.2 4
        Solarize 0.6 5 AutoContrast 0.6 -
        Invert 0.6 - Equalize 1.0 -
        Color 0.6 4 Contrast 1.0 8
        Equalize 0.8 - Equalize 0.6 -
        """
    ),
    AutoAugmentPolicy.CIFAR10: _pairs(
        """
        Invert 0.1 - Contrast 0.2 6
        Rotate 0.7 2 TranslateX 0.3 9
        Sharpness 0.8 1 Sharpness 0.9 3
        ShearY 0.5 8 TranslateY 0.7 9
        AutoContrast 0.5 - Equalize 0.9 -
        ShearY 0.2 7 Posterize 0.3 7
        Color 0.4 3 Brightness 0.6 7
        Sharpness 0.3 9 Brightness 0.7 9
        Equalize 0.6 - Equalize 0.5 -
        Contrast 0.6 7 Sharpness 0.6 5
        Color 0.7 7 TranslateX 0.5 8
        Equalize 0.3 - AutoContrast 0.4 -
        TranslateY 0.4 3 Sharpness 0.2 6
        Brightness 0.9 6 Color 0.2 8
        Solarize 0.5 2 Invert 0.0 -
        Equalize 0.2 - AutoContrast 0.6 -
        Equalize 0.2 - Equalize 0.6 -
        Color 0.9 9 Equalize 0.6 -
        AutoContrast 0.8 - Solarize 0.2 8
        Brightness 0.1 3 Color 0.7 0
        Solarize 0.4 5 AutoContrast 0.9 -
        TranslateY 0.9 9 TranslateY 0.7 9
        AutoContrast 0.9 - Solarize 0.8 3
        Equalize 0.8 - Invert 0.1 -
        TranslateY 0.7 9 AutoContrast 0.9 -
        """
    ),
    AutoAugmentPolicy.SVHN: _pairs(
        """
        ShearX 0.9 4 Invert 0.2 -
        ShearY 0.9 8 Invert 0.7 -
        Equalize 0.6 - Solarize 0.6 6
        Invert 0.9 - Equalize 0.6 -
        Equalize 0.6 - Rotate 0.9 3
        ShearX 0.9 4 AutoContrast 0.8 -
        ShearY 0.9 8 Invert 0.4 -
        ShearY 0.9 5 Solarize 0.2 6
        Invert 0.9 - AutoContrast 0.8 -
        Equalize 0.6 - Rotate 0.9 3
        ShearX 0.9 4 Solarize 0.3 3
        ShearY 0.8 8 Invert 0.7 -
        Equalize 0.9 - TranslateY 0.6 6
        Invert 0.9 - Equalize 0.6 -
        Contrast 0.3 3 Rotate 0.8 4
        Invert 0.8 - TranslateY 0.0 2
        ShearY 0.7 6 Solarize 0.4 8
        Invert 0.6 - Rotate 0.8 4
        ShearY 0.3 7 TranslateX 0.9 3
        ShearX 0.1 6 Invert 0.6 -
        Solarize 0.7 2 TranslateY 0.6 7
        ShearY 0.8 4 Invert 0.8 -
        ShearX 0.7 9 TranslateY 0.8 3
        ShearY 0.8 5 AutoContrast 0.7 -
        ShearX 0.7 2 Invert 0.1 -
        """
    ),
}


class UniformAugment(ImageTransform):
    """Applies transforms drawn at random, each with a random probability.

    Args:
        transforms (list[callable]): the transforms.
        num_ops (int): the number of transforms to draw. Default: ``2``.
    Source: mindspore.dataset.vision.UniformAugment
    """

    def __init__(self, transforms, num_ops: PositiveInt = 2):
        self.transforms, self.num_ops = check_transforms(transforms, "UniformAugment"), num_ops
        if num_ops > len(transforms):
            refuse(
                ValueError, "UniformAugment", "num_ops", f"at most {len(transforms)}, the number of transforms", num_ops
            )

    def _apply(self, value):
        draws = self._draws()
        for transform in draws.sampled(self.transforms, self.num_ops):
            if not draws.integer(0, 1):
                value = within(transform, value)
        return value

    def _apply_pil(self, value):
        if is_in_pipeline():  # MindSpore's compiled transform converts the image
            return self._apply(np.array(value))
        draws = self._draws(in_python=True)
        for index in draws.generator().choice(len(self.transforms), self.num_ops, replace=False):
            if draws.chance(draws.double()):
                value = self.transforms[index](value)
        return value


def _policy(value, arg_name, owner):
    if not require(value, list, owner, arg_name):
        refuse(ValueError, owner, arg_name, "a list that is not empty", value)
    for steps in value:
        for transform, probability in require(steps, list, owner, arg_name):
            if not callable(transform):
                refuse(TypeError, owner, arg_name, "lists of a transform and its probability", transform)
            if not 0 <= probability <= 1:
                refuse(ValueError, owner, arg_name, "made of probabilities from 0 to 1", probability)
    return value


class RandomSelectSubpolicy(ImageTransform):
    """Applies one of several lists of transforms, each transform with its probability.

    Args:
        policy (list[list[tuple]]): lists of transforms and their probabilities.
    Source: mindspore.dataset.vision.RandomSelectSubpolicy
    """

    def __init__(self, policy: Static(_policy, list)):
        self.policy = policy

    def _apply(self, value):
        draws = self._draws()
        for transform, probability in draws.choice(self.policy):
            if draws.double() <= probability:
                value = within(transform, value)
        return value
