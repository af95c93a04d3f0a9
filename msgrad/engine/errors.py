"""JAX's errors restated in the user's terms."""

import contextlib
import math
import re

from .user_code import called

RESTATED = (TypeError, ValueError, IndexError, ZeroDivisionError, NotImplementedError, MemoryError)

_MSG_NO_VALUE = (
    "The value of a tensor is needed where it has none: inside 'vmap' and 'jax.jit', and while a 'bprop' is "
    "recorded, a tensor represents many values. Use ops.where or ops.select instead of 'if', and keep asnumpy(), "
    "item(), print() and operations whose shapes depend on values (nonzero, unique) outside."
)


class NoValueError(RuntimeError):
    """Raised when a Tensor without a single value is read: under `vmap`, or before it is computed."""

    def __init__(self):
        super().__init__(_MSG_NO_VALUE)


def _raised_by_jax(error):
    """Whether the innermost frame of ``error`` lies in JAX or NumPy rather than in a check of ours."""
    # By the innermost frame, which raised: JAX calls our functions and raises through them.
    trace = error.__traceback__
    while trace.tb_next is not None:
        trace = trace.tb_next
    module = trace.tb_frame.f_globals.get("__name__", "")
    return module.split(".")[0] in ("jax", "jaxlib", "numpy", "ml_dtypes")


_MSG_MEMORY = (
    "Allocate memory failed: {} do not fit. Use smaller shapes or batches, or cell.recompute() for what a gradient "
    "keeps."
)
_MSG_SHAPES = "For '{}', the inputs must have shapes that go together, but got {}."
# Phrases of JAX's TypeErrors about shapes (jax 0.10.1: `lax.broadcasting_shape_rule`, `lax._dot_general_shape_rule`).
_OF_SHAPES = ("incompatible shapes for broadcasting", "contracting dimensions to have the same shape")
_MSG_DEVICE = "The device failed to compute it: {}"
_MSG_PRODUCT = (
    "The device failed to compute it: its compiler has no kernel for the product {} of this program. Compute it in "
    "another dtype or shape, or on the host: set_device('CPU')."
)
_MSG_LAYOUT = (
    "The device failed to compute it: a TPU's compiler has no memory layout for a result of complex128 here. Return "
    "its real and its imaginary part from the Cell (ops.real, ops.imag), cast it to complex64, or compute on the host: "
    "set_device('CPU')."
)
# What libtpu 0.0.42 says where the parts of a result are transposed, gathered or joined, and so lie otherwise in memory
# than an array of its shape does by default. Parts that are results themselves are rearranged.
_LAYOUT = re.compile(r"RET_CHECK failure \(\S*/xprecision_emitters\.cc")
# What XLA says of a product on a GPU for which Triton has no kernel (jaxlib 0.10.2), and the product's dtype and shape.
_PRODUCT = re.compile(r"Couldn't find output tile sizes that satisfy hlo: \S+ = (\w+\[[\d,]*\])\S* dot\(")


def is_of_product(error):
    """Whether a ``jax.errors.JaxRuntimeError`` says that a GPU's compiler has no kernel for a product by Triton."""
    return _PRODUCT.search(str(error)) is not None


def of_device(error):
    """The RuntimeError to raise for one of JAX's from a device (``jax.errors.JaxRuntimeError``)."""
    text = str(error).split("\n")[0]
    product = _PRODUCT.search(text)
    if product:
        return RuntimeError(_MSG_PRODUCT.format(product[1]))
    if _LAYOUT.search(text):
        return RuntimeError(_MSG_LAYOUT)
    if "RESOURCE_EXHAUSTED" not in text:
        return RuntimeError(_MSG_DEVICE.format(text))
    size = re.search(r"allocat\w* (\d+) bytes", text)
    return RuntimeError(_MSG_MEMORY.format(f"{int(size[1]):,} bytes" if size else "the results"))


# NumPy's ValueErrors where a size, or one length, exceeds 63 bits
_TOO_LARGE = "array is too big", "Maximum allowed size exceeded", "Maximum allowed dimension exceeded"


def _of_memory(error):
    """The RuntimeError to raise for one of NumPy's about an array that does not fit into memory; None for others."""
    if isinstance(error, MemoryError) or str(error).startswith(_TOO_LARGE):
        return RuntimeError(_MSG_MEMORY.format("the results"))
    return None


@contextlib.contextmanager
def of_memory():
    """Restates NumPy's errors for arrays that do not fit into memory, as those of a device; also a decorator."""
    try:
        yield
    except (MemoryError, ValueError) as error:
        restated = _of_memory(error)
        if restated is None:
            raise
    else:
        return
    raise restated from None


def check_sizes(results):
    """Refuses results of more than 2**62 bytes: XLA aborts the process where a size does not fit 64 bits.

    Raises:
        RuntimeError: as for arrays that do not fit into memory.
    """
    for result in results:
        size = math.prod(result.shape) * result.dtype.itemsize
        if isinstance(size, int) and size > 1 << 62:  # an exported program's sizes may be open
            raise RuntimeError(_MSG_MEMORY.format(f"{size:,} bytes"))


def describe(avals):
    """Shapes and dtypes for a message, as ``Float32(2, 3), Int64()``."""
    return ", ".join(f"{str(dtype).capitalize()}{tuple(shape)}" for shape, dtype in avals)


def _of_operands(error, name, operands):
    """MindSpore's exception for operands that JAX refuses: ValueError for shapes, TypeError for dtypes."""
    reason = str(error).split("\n")[0]
    if any(phrase in reason for phrase in _OF_SHAPES):
        return ValueError(_MSG_SHAPES.format(name, operands))
    # JAX raises NotImplementedError for a dtype that an operation has not, as its linear algebra float16.
    kind = TypeError if isinstance(error, (TypeError, NotImplementedError)) else ValueError
    return kind(f"For '{name}', the operation does not accept the inputs {operands}: {reason}")


_REMARK = "JAX has removed its internal frames"


def drop_remark(error):
    """Drops JAX's remark on the frames that it left out from an error's notes; the others stay."""
    kept = [note for note in error.__dict__.pop("__notes__", ()) if _REMARK not in note]
    if kept:
        error.__notes__ = kept


@contextlib.contextmanager
def of_op(name, avals):
    """Restates an error that JAX raises while the operation ``name`` is applied to operands of these ``avals``."""
    try:
        yield
    except RESTATED as error:
        restated = _of_memory(error)
        if restated is None and not _raised_by_jax(error):
            drop_remark(error)
            raise
        if restated is None:
            restated = _of_operands(error, called(name), describe(avals))
    except Exception as error:  # a RuntimeError of ours, what the user's own function raises
        drop_remark(error)
        raise
    else:
        return
    raise restated from None
