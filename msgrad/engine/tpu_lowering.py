"""How is the singular value decomposition lowered for a TPU? With 32-bit indices, and not in float64."""

import jax

from ._jax_private import SVD, register_lowering, svd_for_tpu

_MSG_WIDE = (
    "A TPU has no singular value decomposition in {}, which svd, lstsq, pinv, cond, matrix_rank and the nuclear norm "
    "need. Cast to {} first, or compute on the host: mindspore.set_device('CPU')."
)
_NARROW = {"float64": "float32", "complex128": "complex64"}


def _lower(context, operand, **parameters):
    if len(context.module_context.platforms) > 1:  # exported for several: JAX numbers them in the width of all indices
        return svd_for_tpu(context, operand, **parameters)
    dtype = str(context.avals_in[0].dtype)
    if dtype in _NARROW:
        raise NotImplementedError(_MSG_WIDE.format(dtype, _NARROW[dtype]))
    with jax.enable_x64(False):  # its loops count in int64 otherwise, at which the compiler ends the process
        return svd_for_tpu(context, operand, **parameters)


def install():
    """Replaces JAX's lowering for TPUs; those for other devices stay."""
    register_lowering(SVD, _lower, platform="tpu")
