"""Errors at the engine's border: what JAX says is restated in the user's terms."""

import contextlib

RESTATED = (TypeError, ValueError, IndexError, ZeroDivisionError, NotImplementedError)


def _raised_by_jax(error):
    """Whether the innermost frame of ``error`` lies in JAX or NumPy rather than in a check of ours."""
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    module = trace.tb_frame.f_globals.get("__name__", "")
    return module.split(".")[0] in ("jax", "jaxlib", "numpy", "ml_dtypes")


def describe(avals):
    """Shapes and dtypes for a message, as ``Float32(2, 3), Int64()``."""
    return ", ".join(f"{str(dtype).capitalize()}{tuple(shape)}" for shape, dtype in avals)


@contextlib.contextmanager
def of_op(name, avals):
    """Restates an error that JAX raises while the operation ``name`` is applied to operands of these ``avals``."""
    try:
        yield
    except RESTATED as error:
        if not _raised_by_jax(error):
            error.__dict__.pop("__notes__", None)  # JAX's remark on the frames that it left out
            raise
        kind = TypeError if isinstance(error, (TypeError, NotImplementedError)) else ValueError
        reason = str(error).split("\n")[0]
        message = f"For '{name}', the operation does not accept the inputs {describe(avals)}: {reason}"
        restated = kind(message)
    else:
        return
    raise restated from None
