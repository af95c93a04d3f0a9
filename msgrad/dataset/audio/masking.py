"""Frequency and time masking (SpecAugment)."""

from .base import AnyReal, Count, CountOrZero, Flag, IntFrom, NotNegative, Sound

Axis = IntFrom(1, 2)  # 1 of frequencies, 2 of times
Width = IntFrom(0, 2**24)


class _Mask(Sound):
    """The base: a mask over all of the sounds, drawn or given.

    A subclass's constructor says where: ``axis``, ``mask_value``, the ``width``, which is the largest where the mask
    is drawn (``is_drawn``), and otherwise ``start``.
    """

    axes = "freq time"

    def sound(self, value):
        length = value.shape[self.axis - 3]
        start, width = self._drawn(length) if self.is_drawn else (self.start, self.width)
        if start + width > length:
            self.fail(f"the mask must end within the {length} of the axis, but begins at {start} and is {width} wide.")
        result = value.copy()
        masked = result if self.axis == 2 else result.swapaxes(-1, -2)
        masked[..., start : start + width] = self.mask_value
        return result

    def _drawn(self, length):
        if self.width > length:
            self.fail(f"the largest width must be at most the {length} of the axis, but got {self.width}.")
        draws = self.draws()
        width = draws.integer(0, self.width)
        return draws.integer(0, length - width), width


class MaskAlongAxis(_Mask):
    """Replaces some frequencies or times.

    Args:
        mask_start (int): the first one.
        mask_width (int): how many.
        mask_value (float): what is put there.
        axis (int): 1 for frequencies, 2 for times.
    Raises:
        RuntimeError: of a spectrogram that has not as many.
    Example:
        >>> mindspore.dataset.audio.MaskAlongAxis(0, 1, 9.0, 2)(np.ones((2, 3))).tolist()
        [[9.0, 1.0, 1.0], [9.0, 1.0, 1.0]]
    Source: mindspore.dataset.audio.MaskAlongAxis
    """

    is_drawn = False

    def __init__(self, mask_start: CountOrZero, mask_width: Count, mask_value: AnyReal, axis: Axis):
        self.start, self.width, self.mask_value, self.axis = mask_start, mask_width, mask_value, axis


class MaskAlongAxisIID(_Mask):
    """Replaces a random number of frequencies or times at a random place.

    Args:
        mask_param (int): the largest number.
        mask_value (float): what is put there.
        axis (int): 1 for frequencies, 2 for times.
    Raises:
        RuntimeError: of a spectrogram that has not as many.
    Source: mindspore.dataset.audio.MaskAlongAxisIID
    """

    is_drawn = True

    def __init__(self, mask_param: CountOrZero, mask_value: AnyReal, axis: Axis):
        self.width, self.mask_value, self.axis = mask_param, mask_value, axis


class FrequencyMasking(_Mask):
    """Replaces some frequencies.

    Args:
        iid_masks (bool): whether their number and place are random. Default: ``False``.
        freq_mask_param (int): how many; the largest number where it is random. Default: ``0``.
        mask_start (int): the first one, if it is not random. Default: ``0``.
        mask_value (float): what is put there, not negative. Default: ``0.0``.
    Raises:
        RuntimeError: of a spectrogram that has not as many.
    Source: mindspore.dataset.audio.FrequencyMasking
    """

    axis = 1

    def __init__(
        self,
        iid_masks: Flag = False,
        freq_mask_param: Width = 0,
        mask_start: Width = 0,
        mask_value: NotNegative = 0.0,
    ):
        self.is_drawn, self.width, self.start, self.mask_value = iid_masks, freq_mask_param, mask_start, mask_value


class TimeMasking(_Mask):
    """Replaces some times; the arguments are those of `FrequencyMasking`.

    Source: mindspore.dataset.audio.TimeMasking
    """

    axis = 2

    def __init__(
        self,
        iid_masks: Flag = False,
        time_mask_param: Width = 0,
        mask_start: Width = 0,
        mask_value: NotNegative = 0.0,
    ):
        self.is_drawn, self.width, self.start, self.mask_value = iid_masks, time_mask_param, mask_start, mask_value
