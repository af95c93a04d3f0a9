"""``mindspore.numpy.fft``: Fourier transforms, as faces of those of ``mindspore.ops``."""

from .. import ops
from ..ops._core.faces import Dialect

FFT = Dialect("mindspore.numpy.fft")
face = FFT.face

face(ops.fft, "fft(a, n=None, axis=-1, norm=None)")
face(ops.ifft, "ifft(a, n=None, axis=-1, norm=None)")
face(ops.rfft, "rfft(a, n=None, axis=-1, norm=None)")
face(ops.irfft, "irfft(a, n=None, axis=-1, norm=None)")
face(ops.hfft, "hfft(a, n=None, axis=-1, norm=None)")
face(ops.ihfft, "ihfft(a, n=None, axis=-1, norm=None)")
face(ops.fft2, "fft2(a, s=None, axes=(-2, -1), norm=None)")
face(ops.ifft2, "ifft2(a, s=None, axes=(-2, -1), norm=None)")
face(ops.rfft2, "rfft2(a, s=None, axes=(-2, -1), norm=None)")
face(ops.irfft2, "irfft2(a, s=None, axes=(-2, -1), norm=None)")
face(ops.hfft2, "hfft2(a, s=None, axes=(-2, -1), norm=None)")
face(ops.ihfft2, "ihfft2(a, s=None, axes=(-2, -1), norm=None)")
face(ops.fftn, "fftn(a, s=None, axes=None, norm=None)")
face(ops.ifftn, "ifftn(a, s=None, axes=None, norm=None)")
face(ops.rfftn, "rfftn(a, s=None, axes=None, norm=None)")
face(ops.irfftn, "irfftn(a, s=None, axes=None, norm=None)")
face(ops.hfftn, "hfftn(a, s=None, axes=None, norm=None)")
face(ops.ihfftn, "ihfftn(a, s=None, axes=None, norm=None)")
face(ops.fftshift, "fftshift(x, axes=None)")
face(ops.ifftshift, "ifftshift(x, axes=None)")
face(ops.fftfreq, "fftfreq(n, d=1.0, dtype=None)")
face(ops.rfftfreq, "rfftfreq(n, d=1.0, dtype=None)")

globals().update(FFT.public())
__all__ = list(FFT.public())
