"""``mindspore.scipy.fft``: cosine transforms."""

from ..ops.math.cosine_transform import FFT

globals().update(FFT.public())
__all__ = list(FFT.public())
