"""``mindspore.scipy.fft``: cosine transforms."""

from ..ops.cosine import FFT

globals().update(FFT.public())
__all__ = list(FFT.public())
