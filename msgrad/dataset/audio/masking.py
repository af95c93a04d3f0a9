"""Frequency and time masking (SpecAugment)."""

from typing import Any

from .base import AnyReal, Count, CountOrZero, Flag, IntFrom, NotNegative, Sound

Axis = IntFrom(1, 2)  # axis: 1 for frequencies, 2 for times
Width = IntFrom(0, 2**24)


class _Mask(Sound):
    """The base of masking transforms: one mask, random or given, for all sounds.

    A subclass's constructor sets ``axis``, ``mask_value``, ``is_drawn`` (a random mask), ``width`` (the largest one of
    a random mask) and, for a given mask, ``start``.
    """

    _axis: Any
    _is_drawn: Any
    start: Any
    width: Any
    mask_value: Any

    _axes = "freq time"

    def _sound(self, value):
        length = value.shape[self._axis - 3]
        start, width = self._draw_mask(length) if self._is_drawn else (self.start, self.width)
        if start + width > length:
            self._fail(f"the mask must end within the {length} of the axis, but begins at {start} and is {width} wide.")
        result = value.copy()
        masked = result if self._axis == 2 else result.swapaxes(-1, -2)
        masked[..., start : start + width] = self.mask_value
        return result

    def _draw_mask(self, length):
        if self.width > length:
            self._fail(f"the largest width must be at most the {length} of the axis, but got {self.width}.")
        draws = self._draws()
        width = draws.integer(0, self.width)
        return draws.integer(0, length - width), width


class MaskAlongAxis(_Mask):
    """Masks a range of frequencies or time steps.

    Args:
        mask_start (int): the first index.
        mask_width (int): the width.
        mask_value (float): the value of the mask.
        axis (int): 1 for frequencies, 2 for time.
    Raises:
        RuntimeError: for a spectrogram with fewer.
    Example:
        >>> mindspore.dataset.audio.MaskAlongAxis(0, 1, 9.0, 2)(np.ones((2, 3))).tolist()
        [[9.0, 1.0, 1.0], [9.0, 1.0, 1.0]]
    Source: mindspore.dataset.audio.MaskAlongAxis
    """

    _is_drawn = False

    def __init__(self, mask_start: CountOrZero, mask_width: Count, mask_value: AnyReal, axis: Axis):
        self.start, self.width, self.mask_value, self._axis = mask_start, mask_width, mask_value, axis


class MaskAlongAxisIID(_Mask):
    """Masks a random number of frequencies or time steps at a random position.

    Args:
        mask_param (int): the largest width.
        mask_value (float): the value of the mask.
        axis (int): 1 for frequencies, 2 for time.
    Raises:
        RuntimeError: for a spectrogram with fewer.
    Source: mindspore.dataset.audio.MaskAlongAxisIID
    """

    _is_drawn = True

    def __init__(self, mask_param: CountOrZero, mask_value: AnyReal, axis: Axis):
        self.width, self.mask_value, self._axis = mask_param, mask_value, axis


class FrequencyMasking(_Mask):
    """Frequency masking.

    Args:
        iid_masks (bool): whether the mask's width and position are random. Default: ``False``.
        freq_mask_param (int): the width; the largest width of a random mask. Default: ``0``.
        mask_start (int): the first frequency, if it is not random. Default: ``0``.
        mask_value (float): the value of the mask, non-negative. Default: ``0.0``.
    Raises:
        RuntimeError: for a spectrogram with fewer.
    Source: mindspore.dataset.audio.FrequencyMasking
    """

    _axis = 1

    def __init__(
        self,
        iid_masks: Flag = False,
        freq_mask_param: Width = 0,
        mask_start: Width = 0,
        mask_value: NotNegative = 0.0,
    ):
        self._is_drawn, self.width, self.start, self.mask_value = iid_masks, freq_mask_param, mask_start, mask_value


class TimeMasking(_Mask):
    """Time masking; arguments as for `FrequencyMasking`.

    Source: mindspore.dataset.audio.TimeMasking
    """

    _axis = 2

    def __init__(
        self,
        iid_masks: Flag = False,
        time_mask_param: Width = 0,
        mask_start: Width = 0,
        mask_value: NotNegative = 0.0,
    ):
        self._is_drawn, self.width, self.start, self.mask_value = iid_masks, time_mask_param, mask_start, mask_value
