"""What is lowered otherwise for a TPU, whose compiler would end the process? What is refused, as it has no form?

JAX's lowerings are replaced, also for functions of the user's. A program that is exported for several kinds of device
has JAX's own.
"""

import jax
from jax import lax

from .. import host
from .._jax_private import (
    LOWERS_ANEW,
    LU,
    SVD,
    jaxprs_inside,
    lower_fun,
    lowering_of,
    lu_for_tpu,
    register_lowering,
    svd_for_tpu,
)
from ..user_code import called, place
from .tpu_forms import FORMS

_MSG_REFUSED = "For '{}', a TPU has no {}{}. {} on the host: mindspore.set_device('CPU')."
_NARROW = {"float64": "float32", "complex128": "complex64"}
_LU_OF_ALL = lowering_of(LU)[0] if LOWERS_ANEW else None

# Primitives for which the compiler has no form; at most of those of complex128 it ends the process.
_EIGENVECTORS = "eigenvectors of matrices that are not symmetric"
_IN_ALL = {
    **dict.fromkeys((lax.linalg.eig_p, lax.linalg.hessenberg_p, lax.linalg.schur_p), _EIGENVECTORS),
    lax.linalg.tridiagonal_p: "tridiagonal form",
}
_BY_DTYPE = {
    "float64": {
        **{SVD: "singular value decomposition", lax.fft_p: "Fourier transform", lax.nextafter_p: "next number"},
        lax.reduce_precision_p: "reduced precision",
    },
    "complex128": {
        **dict.fromkeys([each for name, each in vars(lax.linalg).items() if name.endswith("_p")], "linear algebra"),
        **dict.fromkeys((lax.scatter_mul_p, lax.scatter_max_p, lax.scatter_min_p), "scattered products and extremes"),
        **{SVD: "singular value decomposition", lax.fft_p: "Fourier transform", lax.sort_p: "order"},
        lax.atan2_p: "arc tangent of two operands",
    },
}


def is_current():
    """Whether the current device is a TPU."""
    return host.platform_of(host.current_device()) == "tpu"


def check(jaxpr, name=None):
    """Refuses what the compiler for TPUs has no form of, before it is reached.

    Args:
        jaxpr (Jaxpr): what is compiled.
        name (str): of the operation. Default: ``None``, those of JAX's primitives.
    Raises:
        NotImplementedError: with the user's line, and what to do.
    """
    for equation in jaxpr.eqns:
        primitive = equation.primitive
        if primitive in _IN_ALL:
            raise _refused(name or primitive.name, _IN_ALL[primitive])
        for value in (*equation.invars, *equation.outvars):
            dtype = str(getattr(value.aval, "dtype", None))
            if primitive in _BY_DTYPE.get(dtype, ()):
                raise _refused(name or primitive.name, _BY_DTYPE[dtype][primitive], dtype)
    for inner in jaxprs_inside(jaxpr):
        check(inner, name)


def _refused(name, what, dtype=None):
    """The error for what a TPU has no form of, at all or in one dtype."""
    advice = f"Cast to {_NARROW[dtype]} first, or compute" if dtype else "Compute"
    what, line = f"{what} in {dtype}" if dtype else what, place()
    return NotImplementedError(_MSG_REFUSED.format(called(name), what, f" ({line})" if line else "", advice))


def _svd(context, operand, **parameters):
    if len(context.module_context.platforms) > 1:  # exported for several: JAX numbers them in the width of all indices
        return svd_for_tpu(context, operand, **parameters)
    dtype = str(context.avals_in[0].dtype)
    if dtype in _NARROW:
        raise _refused("svd", _BY_DTYPE[dtype][SVD], dtype)
    with jax.enable_x64(False):  # its loops count in int64 otherwise, at which the compiler ends the process
        return svd_for_tpu(context, operand, **parameters)


def _lu(context, operand, **parameters):
    # The compiler's own has float32 and complex64 alone.
    is_wide = str(context.avals_in[0].dtype) in _NARROW
    return (_LU_OF_ALL if is_wide else lu_for_tpu)(context, operand, **parameters)


def _install(form):
    """Lowers a primitive by a `Form` where that is needed on a TPU, else as before."""
    rule, platform = lowering_of(form.primitive, "tpu")
    formed = lower_fun(form.compute, multiple_results=False)

    def lower(context, *operands, **parameters):
        is_for_tpu = tuple(context.module_context.platforms) == ("tpu",)
        if is_for_tpu and str(context.avals_in[0].dtype) in form.dtypes and form.is_needed(**parameters):
            return formed(context, *operands, **parameters)
        return rule(context, *operands, **parameters)

    register_lowering(form.primitive, lower, platform=platform)


def install():
    """Replaces JAX's lowerings for TPUs; those for other devices stay."""
    if not LOWERS_ANEW:
        return
    register_lowering(SVD, _svd, platform="tpu")
    register_lowering(LU, _lu, platform="tpu")
    for form in FORMS:
        _install(form)
