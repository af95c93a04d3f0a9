"""Casts. The gradient of a cast is the identity for all dtypes: see `engine.transforms.lifting`."""

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Dtype, Number, Text
from ..._contracts.enforcement import enforced
from ..._semantics.replaced_methods import replacement
from ...engine import dtypes
from ...engine.dtypes import DType
from ...engine.handle import Handle
from .._core import families
from .._core.calls.casts import cast_to
from .._core.calls.operands import exact
from .._core.define import composite
from .._core.faces import attach, method

_PYTHON = {bool: "bool_", int: "int64", float: "float64", complex: "complex128"}
_NAMES = {"bool": "bool_", "int": "int64", "float": "float64"}
_DEVICES = ("CPU", "GPU", "NPU", "ASCEND")


@composite("Cast")
def cast(input, dtype: Dtype):
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
    return cast_to(exact(input, "Cast"), dtype.numpy)


def named_dtype(dtype):
    """The mindspore dtype of ``dtype``: a dtype, a name, a Python or numpy scalar type; None for anything else."""
    if isinstance(dtype, str):
        name = dtype.lower()
        result = getattr(dtypes, _NAMES.get(name, name), None)
    elif dtype in _PYTHON:
        result = getattr(dtypes, _PYTHON[dtype])
    elif isinstance(dtype, type) and issubclass(dtype, np.generic):
        result = dtypes.of(np.dtype(dtype)) if dtypes.is_known(np.dtype(dtype)) else None
    else:
        result = dtype
    return result if isinstance(result, DType) and result.numpy is not None else None


@composite(name="_astype", method="astype")
def astype(self: Array, dtype, copy: Bool = True):
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
    target = named_dtype(dtype)
    if target is None:
        expected = "a mindspore dtype, the name of one, bool, int, float or a scalar type of NumPy"
        check.refuse(TypeError, "Tensor.astype", "dtype", expected, dtype)
    if self.aval[1] == target.numpy and not copy:
        return self
    to = replacement(type(self), "to")  # as in MindSpore, it calls that method, which mindnlp 0.5 replaces
    return cast(self, target) if to is None else to(self, target)


@composite(name="_to")
def _to(
    self: Array, dtype: Dtype | None = None, device: Text | None = None, non_blocking: Bool = False, copy: Bool = False
):
    """Casts to another dtype.

    Args:
        dtype (mindspore.dtype): Default: ``None``, that of the Tensor.
        device (str): ``'CPU'``, ``'GPU'``, ``'NPU'`` or ``'Ascend'``; without effect, JAX places the data.
            Default: ``None``.
        non_blocking (bool): without effect. Default: ``False``.
        copy (bool): whether to copy when the dtype is right already. Default: ``False``.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another device.
    Example:
        >>> Tensor([1.5]).to(mindspore.float16).dtype
        mindspore.float16
    Source: mindspore.Tensor.to
    """
    if device is not None:
        check.one_of(device.upper(), _DEVICES, "device", "Tensor.to")
    result = astype(self, dtypes.of(self.aval[1]) if dtype is None else dtype)
    return result.copy() if copy else result


@composite(name="_to_dtype_of")
def _to_dtype_of(self: Array, other: Array, non_blocking: Bool = False, copy: Bool = False):
    """Casts to the dtype of another Tensor; see `Tensor.to`."""
    return _to(self, dtypes.of(other.aval[1]), None, non_blocking, copy)


method(
    "to",
    (_to, "(dtype=None, non_blocking=False, copy=False)"),
    (_to, "(device=None, dtype=None, non_blocking=False, copy=False)"),
    (_to_dtype_of, "(other, non_blocking=False, copy=False)"),
)


@composite(name="_type", method="type")
def _type(self: Array, dtype=None):
    """The name of the dtype, or a cast.

    Args:
        dtype (mindspore.dtype | str): what to cast to. Default: ``None``: the name is returned.
    Returns:
        str, or Tensor of the same shape.
    Raises:
        TypeError: if ``dtype`` names no dtype.
    Example:
        >>> Tensor([1.5]).type()
        'Float32'
    Source: mindspore.Tensor.type
    """
    return str(dtypes.of(self.aval[1])) if dtype is None else astype(self, dtype)


_CASTER = """Casts to {dtype}.

    Returns:
        Tensor of the same shape.
    Example:
        >>> Tensor([1]).{name}().dtype == mindspore.{dtype}
        True
    Source: mindspore.Tensor.{name}
    """


def _caster(name, word, dtype):
    """Defines the method ``name``, which casts to ``dtype``, called ``word``."""

    def casted(tensor):
        return cast(tensor, dtype)

    definition = families.body(f"{name}(self: Array)", casted, _CASTER, dtype=word)
    attach(enforced(definition, name), name)


_caster("bool", "bool_", dtypes.bool_)
_caster("byte", "uint8", dtypes.uint8)
_caster("short", "int16", dtypes.int16)
_caster("int", "int32", dtypes.int32)
_caster("long", "int64", dtypes.int64)
_caster("half", "float16", dtypes.float16)
_caster("bfloat16", "bfloat16", dtypes.bfloat16)
_caster("float", "float32", dtypes.float32)
_caster("double", "float64", dtypes.float64)


@composite(method="type_as")
def type_as(input: Array, other: Array):
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


@composite("ScalarCast")
def scalar_cast(input_x: Number, input_y: Dtype):
    """Converts a Python number to another Python number type.

    Args:
        input_x (bool | int | float): the number.
        input_y (mindspore.dtype): of bools, ints or floats.
    Returns:
        bool, int or float.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> ops.scalar_cast(255.5, mindspore.int64)
        255
    Source: mindspore.ops.scalar_cast, mindspore.ops.ScalarCast
    """
    return np.asarray(input_x).astype(input_y.numpy).item()


_TEST = """Whether the dtype is {phrase}.

    Args:
        input (Tensor): any shape and dtype.
    Returns:
        bool.
    Example:
        >>> ops.{name}(Tensor([1]))
        False
    Source: mindspore.ops.{name}, mindspore.Tensor.{name}
    """


def _dtype_test(name, kind, phrase):
    """Defines ``name``, which tests whether a dtype is of a NumPy kind."""

    def test(tensor):
        return bool(jnp.issubdtype(tensor.aval[1], kind))

    composite(method=name)(families.body(f"{name}(input: Array)", test, _TEST, phrase=phrase))


_dtype_test("is_floating_point", jnp.floating, "a float")
_dtype_test("is_complex", jnp.complexfloating, "complex")


@composite()
def mixed_precision_cast(dst_dtype: Dtype, x):
    """Casts the Tensors of float dtypes in a value.

    Args:
        dst_dtype (mindspore.dtype): the dtype.
        x (Tensor | tuple | list | object): a Tensor, or a tuple or list of such values, which becomes a tuple.
    Returns:
        The value; anything but float Tensors is unchanged.
    Raises:
        TypeError: if ``dst_dtype`` is not a dtype.
    Example:
        >>> ops.mixed_precision_cast(mindspore.float16, (Tensor([1.0]), 1))[0].dtype
        mindspore.float16
    Source: mindspore.ops.mixed_precision_cast
    """
    if isinstance(x, (tuple, list)):
        return tuple([mixed_precision_cast(dst_dtype, each) for each in x])
    is_float = isinstance(x, Handle) and jnp.issubdtype(x.aval[1], jnp.floating)
    return cast(x, dst_dtype) if is_float else x
