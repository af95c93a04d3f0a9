"""Casts. A cast has the identity as gradient whatever the dtypes, as `engine.lifting` arranges."""

import jax.numpy as jnp
import numpy as np

from ..engine import dtypes
from ..engine.dtypes import DType
from ..engine.handle import Handle
from ..engine.program import Op
from ..engine.trace import apply, result_class
from ..engine.views import are_shared, is_view
from ..tensor.numbers import number, plain
from .define import composite
from .faces import attach
from .views import apply_view

_PYTHON = {bool: "bool_", int: "int64", float: "float64", complex: "complex128"}
_NAMES = {"bool": "bool_", "int": "int64", "float": "float64"}
_DEVICES = ("CPU", "GPU", "NPU", "Ascend")

_MSG_CAST = "For 'Cast', the input 'dtype' should be mindspore dtype, but got {}."
_MSG_ASTYPE = (
    "For Tensor.astype, the input type must be one of the mindspore dtypes (mindspore.float32, ...), their names, "
    "bool, int, float or a numpy scalar type, but got {!r}."
)
_MSG_TO = (
    'Failed calling to with "to({})". The valid calling should be: Tensor.to(dtype=mindspore.float16), '
    "Tensor.to(other=tensor) or Tensor.to(device='CPU')."
)


def convert(array, dtype):
    """``array`` in the numpy dtype ``dtype`` as C casts it on x86: see `cast`. For use in bodies."""
    if array.dtype == dtype:
        return array
    if jnp.iscomplexobj(array) and not jnp.issubdtype(dtype, jnp.complexfloating):
        array = jnp.real(array)
    if jnp.issubdtype(array.dtype, jnp.floating) and jnp.issubdtype(dtype, jnp.integer):
        return _truncated(array, np.dtype(dtype))
    return array.astype(dtype)


def _truncated(array, dtype):
    # The processor truncates to 32 or 64 bits, giving the least number for what does not fit; the low bits remain.
    # XLA alone would saturate.
    if dtype == np.uint64:
        return jnp.where(array >= 2.0**63, array.astype(dtype), _truncated(array, np.dtype(np.int64)).astype(dtype))
    wide = jnp.int64 if dtype in (np.int64, np.uint32) else jnp.int32
    least = jnp.iinfo(wide).min
    bound = -float(least)
    array = array.astype(jnp.float64 if array.dtype == jnp.float64 else jnp.float32)
    fits = (array >= -bound) & (array < bound)
    return jnp.where(fits, array, 0).astype(wide).astype(dtype) + jnp.where(fits, 0, least).astype(dtype)


class _Cast(Op):
    """The cast to the numpy dtype that is its static part; the engine gives it the identity as gradient."""

    __slots__ = ()

    def __init__(self):
        super().__init__("Cast")
        self.differentiable_cast = True

    def bind(self, static):
        return lambda array: convert(array, static)


class _Same(Op):
    """The cast to the dtype that is there already."""

    __slots__ = ()

    def bind(self, static):
        return lambda array: array


_CAST, _SAME = _Cast(), _Same("Cast")


@composite("Cast")
def cast(input, dtype):
    """Casts to another dtype; the gradient is the identity.

    Args:
        input (Tensor | Number): any shape and dtype.
        dtype (mindspore.dtype): of the result. Floats lose their fraction on the way to ints, complex numbers their
            imaginary part.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if ``input`` is neither, or ``dtype`` is not a mindspore dtype of numbers.
    Example:
        >>> ops.cast(Tensor([1.7, -1.7]), mindspore.int32).tolist()
        [1, -1]
    Source: mindspore.ops.cast, mindspore.ops.Cast
    """
    if not isinstance(dtype, DType) or dtype.numpy is None:
        raise TypeError(_MSG_CAST.format(dtype))
    input = exact(input, "Cast")
    if input.aval[1] == dtype.numpy:
        is_itself = are_shared() and not is_view(input) and type(input) is result_class()
        return input if is_itself else _same(input)
    return apply(_CAST, (input,), dtype.numpy)


def _same(tensor):
    """A Tensor of the same dtype and values, which shares the storage of one that is no view itself."""
    return apply(_SAME, (tensor,)) if is_view(tensor) or not are_shared() else apply_view(_SAME, (tensor,))


_OWN = {bool: np.dtype(np.bool_), int: np.dtype(np.int64), float: np.dtype(np.float32), complex: np.dtype(np.complex64)}
_EXACT = {**_OWN, float: np.dtype(np.float64), complex: np.dtype(np.complex128)}


def as_tensor(value, op_name):
    """``value``, a Tensor, or a Tensor of the number ``value``: bool, int64, float32 or complex64.

    Raises:
        TypeError: if it is neither.
    """
    return _tensor(value, op_name, _OWN)


def exact(value, op_name):
    """``value``, a Tensor, or a Tensor of the number ``value`` as Python has it, to be cast: float64, complex128.

    Raises:
        TypeError: if it is neither.  RuntimeError: for an int of more than 64 bits.
    """
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise RuntimeError(f"For '{op_name}', an int must fit in 64 bits, but got {value}.")
    return _tensor(value, op_name, _EXACT)


def _tensor(value, op_name, dtypes_of_numbers):
    if isinstance(value, Handle):
        return value
    for kind, dtype in dtypes_of_numbers.items():
        if isinstance(value, kind):
            return number(plain(value), dtype)
    raise TypeError(f"For '{op_name}', the 'input' must be a Tensor or a number, but got {value.__class__.__name__}.")


def named_dtype(dtype):
    """The mindspore dtype that ``dtype`` means: itself, a name, a Python or numpy scalar type; None if it is none."""
    if isinstance(dtype, str):
        name = dtype.lower()
        found = getattr(dtypes, _NAMES.get(name, name), None)
    elif dtype in _PYTHON:
        found = getattr(dtypes, _PYTHON[dtype])
    elif isinstance(dtype, type) and issubclass(dtype, np.generic):
        found = dtypes.of(np.dtype(dtype))
    else:
        found = dtype
    return found if isinstance(found, DType) and found.numpy is not None else None


def astype(self, dtype, copy=True):
    """Casts to another dtype.

    Args:
        dtype (mindspore.dtype | str | type): a dtype, its name, bool, int, float or a numpy scalar type.
        copy (bool): if False, a Tensor of that dtype already is returned itself. Default: ``True``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if ``dtype`` names no dtype.
    Example:
        >>> Tensor([1.7]).astype("int32").dtype
        mindspore.int32
    Source: mindspore.Tensor.astype
    """
    found = named_dtype(dtype)
    if found is None:
        raise TypeError(_MSG_ASTYPE.format(dtype))
    if self.aval[1] != found.numpy:
        return cast(self, found)
    return _same(self) if copy else self


def to(self, *args, dtype=None, other=None, device=None, non_blocking=False, copy=False):
    """Casts to another dtype.

    Args:
        args: a mindspore dtype, a Tensor whose dtype to take, or the name of a device; then the flags.
        dtype (mindspore.dtype), other (Tensor): what may be first in ``args``, by name.
        device (str): ``'CPU'``, ``'GPU'``, ``'NPU'`` or ``'Ascend'``; without effect, JAX places the data.
        non_blocking (bool): without effect. Default: ``False``.
        copy (bool): whether to copy when the dtype is right already. Default: ``False``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if the first argument is none of these.  ValueError: if the device is none of these.
    Example:
        >>> Tensor([1.5]).to(mindspore.float16).dtype
        mindspore.float16
    Source: mindspore.Tensor.to
    """
    rest = list(args)
    if rest and isinstance(rest[0], str):
        device = rest.pop(0)
    if rest and isinstance(rest[0], Handle):
        other = rest.pop(0)
    elif rest and isinstance(rest[0], DType):
        dtype = rest.pop(0)
    if not all(isinstance(flag, bool) for flag in rest) or len(rest) > 2:
        raise TypeError(_MSG_TO.format(", ".join(type(value).__name__ for value in args)))
    if device is not None and device.upper() not in map(str.upper, _DEVICES):
        raise ValueError(f"Failed to convert the value \"{device}\" of input 'device' of 'to' to enum.")
    copy = rest[1] if len(rest) == 2 else copy
    target = dtypes.of(other.aval[1] if other is not None else self.aval[1]) if dtype is None else dtype
    result = astype(self, target)
    return result.copy() if copy else result


def type_(self, dtype=None):
    """The name of the dtype, or a cast.

    Args:
        dtype (mindspore.dtype | str): what to cast to. Default: ``None``, which asks for the name.
    Returns:
        str, or Tensor of the same shape.
    Example:
        >>> Tensor([1.5]).type()
        'Float32'
    Source: mindspore.Tensor.type
    """
    return str(dtypes.of(self.aval[1])) if dtype is None else astype(self, dtype)


attach(astype, "astype")
attach(to, "to")
attach(type_, "type")


def _caster(name, dtype):
    def method(self):
        return cast(self, dtype)

    method.__name__ = name
    method.__doc__ = f"""Casts to {dtype}.

    Returns:
        Tensor of the same shape, dtype {dtype}.
    Example:
        >>> Tensor([1]).{name}().dtype == mindspore.{str(dtype).lower() if name != "bool" else "bool_"}
        True
    Source: mindspore.Tensor.{name}
    """
    attach(method, name)


for _name, _dtype in [
    ("bool", dtypes.bool_),
    ("byte", dtypes.uint8),
    ("short", dtypes.int16),
    ("int", dtypes.int32),
    ("long", dtypes.int64),
    ("half", dtypes.float16),
    ("bfloat16", dtypes.bfloat16),
    ("float", dtypes.float32),
    ("double", dtypes.float64),
]:
    _caster(_name, _dtype)


@composite(method="type_as")
def type_as(input, other):
    """Casts ``input`` to the dtype of ``other``.

    Args:
        input, other (Tensor): any shapes and dtypes.
    Returns:
        Tensor of the shape of ``input``.
    Example:
        >>> ops.type_as(Tensor([1]), Tensor([0.5])).dtype
        mindspore.float32
    Source: mindspore.ops.type_as, mindspore.Tensor.type_as
    """
    return cast(input, dtypes.of(other.aval[1]))


def _dtype_test(name, kind, what):
    def test(input):
        return bool(jnp.issubdtype(input.aval[1], kind))

    test.__name__ = name
    test.__doc__ = f"""Whether the dtype is {what}.

    Args:
        input (Tensor): any shape and dtype.
    Returns:
        bool.
    Example:
        >>> ops.{name}(Tensor([1]))
        False
    Source: mindspore.ops.{name}, mindspore.Tensor.{name}
    """
    composite(method=name)(test)


_dtype_test("is_floating_point", jnp.floating, "a float")
_dtype_test("is_complex", jnp.complexfloating, "complex")
