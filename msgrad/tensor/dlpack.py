"""DLPack: Tensors that share memory with the arrays of other libraries."""

import ctypes
from typing import Any, Protocol

import jax
import numpy as np

_CPU = (1, 0)  # DLPack's device type and number

_MSG_CAPSULE = (
    "For 'from_dlpack', a capsule can be consumed once only, and an array must have '__dlpack__', but got a {}."
)


_MSG_GRADIENT = (
    "For 'from_dlpack', the array requires a gradient of its own library's, which ends here: give array.detach()."
)


class _Exporter:
    """Wraps a capsule in an object with ``__dlpack__``, as NumPy expects."""

    def __init__(self, capsule):
        self.capsule = capsule

    def __dlpack__(self, **kwargs):
        return self.capsule

    def __dlpack_device__(self):
        return _CPU


def to_capsule(buffer):
    """A DLPack capsule of a NumPy array.

    Raises:
        TypeError: for a dtype that NumPy cannot export (bfloat16).
    """
    try:
        return buffer.__dlpack__()
    except BufferError as error:
        raise TypeError(f"For 'to_dlpack', dtype {buffer.dtype} is not supported. Cast it to float32 first.") from error


def memory_of(source):
    """The NumPy array, writable, of the memory behind a DLPack capsule or an object with ``__dlpack__``.

    Raises:
        RuntimeError: if ``source`` is neither, or a capsule that has been consumed, or requires a gradient.
    """
    kind = type(source).__name__
    if kind == "PyCapsule":
        source = _Exporter(source)
    elif getattr(source, "requires_grad", False):
        raise RuntimeError(_MSG_GRADIENT)
    try:
        array = _memory(source)
    except (AttributeError, ValueError) as error:
        raise RuntimeError(_MSG_CAPSULE.format(kind)) from error
    if array.flags.writeable or not array.flags.c_contiguous or not array.size:
        return array
    # A capsule has no writable flag, so NumPy treats it as read-only; MindSpore's Tensors are writable.
    memory: Any = (ctypes.c_byte * array.nbytes).from_address(array.ctypes.data)
    memory.owner = array
    return np.frombuffer(memory, array.dtype).reshape(array.shape)


class SupportsDLPack(Protocol):
    """To a type checker: another library's array, which exports its memory by DLPack."""

    def __dlpack__(self, *args: Any, **kwargs: Any) -> Any: ...


def is_foreign(value):
    """Whether ``value`` is another library's array, as a ``torch.Tensor``: it exports its memory by DLPack."""
    return hasattr(type(value), "__dlpack__")


def values_of(value):
    """The NumPy array of another library's array; gradients are left behind."""
    return _memory(value.detach() if hasattr(value, "detach") else value)


def _memory(source):
    try:
        return np.from_dlpack(source)
    except (BufferError, RuntimeError):  # an accelerator's memory, or a dtype that NumPy lacks: bfloat16
        if isinstance(source, _Exporter):
            raise
        return np.asarray(jax.dlpack.from_dlpack(source))
