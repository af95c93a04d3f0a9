"""MindSpore's dtypes (``mindspore.float32``, ...) and its types of other values (``mindspore.number``, ...).

Each dtype is one object, so that comparison and hashing cost what they cost for any object. The functions about dtypes
that MindSpore offers are in ``msgrad.dtype``; inside msgrad only `of` and the attribute ``numpy`` are needed.
"""

from typing import Any

import ml_dtypes
import numpy as np


class DType:
    """The type of a value; ``numpy`` is the numpy dtype of Tensors of it, None if there are none.

    ``str`` of a dtype is the name that Tensors print (``Float32``), ``repr`` the name to write (``mindspore.float32``).
    Dtypes are equal to themselves alone: ``mindspore.float32 == numpy.float32`` is False.

    Source: mindspore.dtype.Type
    """

    __slots__ = ("_printed", "_written", "_pickle_name", "numpy")

    def __new__(cls, *args):
        if cls is DType:
            raise TypeError("mindspore.Type cannot be made. Use one of its kinds, such as mindspore.float32.")
        if args not in cls._known:
            raise TypeError(f"For '{cls.__name__}', there is no dtype {cls.__name__}({', '.join(map(repr, args))}).")
        return cls._known[args]

    def __init_subclass__(cls):
        cls._known = {}  # the dtypes of this class, by the arguments that name them: () and the numbers of bits

    @classmethod
    def _make(cls, printed, written, args=None, numpy_dtype=None, pickle_name=None):
        """A new dtype. ``pickle_name`` is its name in this module, for pickle, where that is not the written one."""
        self = object.__new__(cls)
        self._printed, self._written, self._pickle_name = printed, f"mindspore.{written}", pickle_name or written
        self.numpy = None if numpy_dtype is None else np.dtype(numpy_dtype)
        if args is not None:
            cls._known[args] = self
        return self

    def __str__(self):
        return self._printed

    def __repr__(self):
        return self._written

    def __reduce__(self):
        return self._pickle_name


class Number(DType):
    """Dtypes of numbers; ``Number()`` is any of them.

    Source: mindspore.dtype.number
    """

    __slots__ = ()
    is_complex = is_floating_point = is_signed = False

    def __new__(cls, *args):
        if args and args not in cls._known and isinstance(args[0], int) and len(args) == 1:
            # MindSpore names the widths that there are, those of its 4-bit storage format left out.
            bits = [f"{arguments[0]}bits" for arguments in sorted(cls._known) if arguments and arguments[0] >= 8]
            if bits:
                raise RuntimeError(
                    f"For {cls.__name__} type only support number of {', '.join(bits[:-1])} and {bits[-1]}, "
                    f"but got {args[0]}bits"
                )
        return super().__new__(cls, *args)

    @property
    def itemsize(self):
        """Bytes of one element; 1 for the dtypes without a size."""
        return 1 if self.numpy is None else self.numpy.itemsize

    def to_complex(self):
        """The complex dtype of the same precision, or TypeError."""
        if self.is_complex:
            return self
        partner = _COMPLEX_OF.get(self.numpy)
        if partner is None:
            raise TypeError(f"Cannot convert type {self._written.removeprefix('mindspore.')} to complex type.")
        return of(np.dtype(partner))

    def to_real(self):
        """The dtype of the real part."""
        return of(np.dtype(f"f{self.numpy.itemsize // 2}")) if self.is_complex and self.numpy else self


class Bool(Number):
    """The class of ``mindspore.bool_``."""

    __slots__ = ()


class Int(Number):
    """The class of the signed integers: ``Int(32)`` is ``mindspore.int32``, ``Int()`` stands for any."""

    __slots__ = ()
    is_signed = True


class UInt(Number):
    """The class of the unsigned integers: ``UInt(8)`` is ``mindspore.uint8``, ``UInt()`` stands for any."""

    __slots__ = ()


class Float(Number):
    """The class of the floats but bfloat16: ``Float(32)`` is ``mindspore.float32``, ``Float()`` stands for any."""

    __slots__ = ()
    is_floating_point = is_signed = True


class BFloat(Number):
    """The class of ``mindspore.bfloat16``: ``BFloat(16)``."""

    __slots__ = ()
    is_floating_point = is_signed = True


class Complex(Number):
    """The class of the complex numbers: ``Complex(64)`` is ``mindspore.complex64``."""

    __slots__ = ()
    is_complex = True


class _Compound(DType):
    """Base of container types: ``TensorType(mindspore.float32)`` prints as ``Tensor[Float32]``."""

    _NAME: Any
    _written_name: Any

    __slots__ = ("_elements",)

    def __new__(cls, *args):
        elements = tuple(args[0]) if args and isinstance(args[0], (list, tuple)) else args
        if not all(isinstance(element, DType) for element in elements):
            raise TypeError(f"For '{cls.__name__}', the elements must be mindspore dtypes, but got {args[0]!r}.")
        # Made once, since dtypes are compared by identity: TensorType(float32) is TensorType(float32).
        if elements not in cls._known:
            self = cls._make(f"{cls._NAME}[{','.join(map(str, elements))}]", cls._written_name(elements), elements)
            self._elements = elements
        return cls._known[elements]

    def __reduce__(self):
        return self._pickle_name if self is type(self)() else (type(self), (self._elements,))


class TensorType(_Compound):
    """The type of Tensors, of any dtype or of one.

    Source: mindspore.dtype.TensorType
    """

    __slots__ = ()
    _NAME = "Tensor"

    @staticmethod
    def _written_name(elements):
        return f"tensor[{', '.join(repr(element).removeprefix('mindspore.') for element in elements)}]"

    def element_type(self):
        """The dtype of the Tensors, or None if this stands for any."""
        return self._elements[0] if self is not TensorType() else None


class List(_Compound):
    """The type of lists."""

    __slots__ = ()
    _NAME = "List"

    @staticmethod
    def _written_name(elements):
        return "list_"


class Tuple(_Compound):
    """The type of tuples."""

    __slots__ = ()
    _NAME = "Tuple"

    @staticmethod
    def _written_name(elements):
        return "tuple_"


class _Plain(DType):
    """Base of the types of other values."""

    __slots__ = ()


class String(_Plain):
    """The type of strings."""

    __slots__ = ()


class Function(_Plain):
    """The type of functions and Cells."""

    __slots__ = ()


class TypeNone(_Plain):
    """The type of None."""

    __slots__ = ()


class TypeNull(_Plain):
    """The type of no value at all."""

    __slots__ = ()


class TypeType(_Plain):
    """The type of dtypes."""

    __slots__ = ()


bool_ = Bool._make("Bool", "bool", (), np.bool_, "bool_")
int_ = Int._make("Int", "int", (), pickle_name="int_")
uint = UInt._make("UInt", "uint", ())
float_ = Float._make("Float", "float", (), pickle_name="float_")
number = Number._make("Number", "number", ())

int8, int16, int32, int64 = (Int._make(f"Int{n}", f"int{n}", (n,), f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (UInt._make(f"UInt{n}", f"uint{n}", (n,), f"uint{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (Float._make(f"Float{n}", f"float{n}", (n,), f"float{n}") for n in (16, 32, 64))
bfloat16 = BFloat._make("BFloat16", "bfloat16", (16,), ml_dtypes.bfloat16)
complex64, complex128 = (Complex._make(f"Complex{n}", f"complex{n}", (n,), f"complex{n}") for n in (64, 128))

# Storage formats: no operation computes in them, as in MindSpore on CPU. No Tensor of hifloat8 or qint4x2 can be made.
float8_e4m3fn = Float._make("Float8E4M3FN", "float8_e4m3fn", numpy_dtype=ml_dtypes.float8_e4m3fn)
float8_e5m2 = Float._make("Float8E5M2", "float8_e5m2", numpy_dtype=ml_dtypes.float8_e5m2)
hifloat8 = Float._make("HiFloat8", "hifloat8")
qint4x2 = Int._make("Int4", "int4", (4,), pickle_name="qint4x2")

tensor_type = TensorType._make("Tensor", "tensor", (), pickle_name="tensor_type")
list_ = List._make("List", "list_", ())
tuple_ = Tuple._make("Tuple", "tuple_", ())
string = String._make("String", "string_", (), pickle_name="string")
function = Function._make("Func", "function", ())
type_none = TypeNone._make("None", "type_none", ())
type_type = TypeType._make("TypeType", "type_type", ())
_null = TypeNull._make("Null", "Null", (), pickle_name="_null")
coo_tensor = _Plain._make("COOTensor", "COOTensor", pickle_name="coo_tensor")
csr_tensor = _Plain._make("CSRTensor", "CSRTensor", pickle_name="csr_tensor")
index_slices = _Plain._make("RowTensor", "RowTensor", pickle_name="index_slices")
env_type = _Plain._make("Object:EnvType", "env_type")
symbolic_key = _Plain._make("Object:SymbolicKey", "symbolic_key")
type_refkey = _Plain._make("Object:RefKey", "type_refkey")
undetermined = _Plain._make("Undetermined", "Undetermined", pickle_name="undetermined")

byte, short, intc, long, intp = int8, int16, int32, int64, int64
ubyte, ushort, uintc, uintp = uint8, uint16, uint32, uint64
half, single, double = float16, float32, float64
cfloat, cdouble = complex64, complex128

# In MindSpore's order.
int_type = (int8, int16, int32, int64)
uint_type = (uint8, uint16, uint32, uint64)
float_type = (float16, float32, float64, bfloat16, float8_e4m3fn, float8_e5m2, hifloat8)
complex_type = (complex64, complex128)
_FLOATS, _STORED = float_type[:4], (qint4x2, *float_type[4:])
signed_type = (*int_type, *_FLOATS, *complex_type, *_STORED)
number_type = (*int_type, *uint_type, *_FLOATS, *complex_type, *_STORED)
all_types = (bool_, *number_type)

_BY_NUMPY = {dtype.numpy: dtype for dtype in all_types if dtype.numpy is not None}
# float16 has none, in MindSpore either; bfloat16 has that of float32, which holds all its values.
_COMPLEX_OF = {bfloat16.numpy: np.complex64, float32.numpy: np.complex64, float64.numpy: np.complex128}


def of(numpy_dtype):
    """The dtype of a numpy dtype (an ``np.dtype``); KeyError for one that MindSpore does not have.

    Example:
        >>> of(np.dtype("float32"))
        mindspore.float32
    """
    return _BY_NUMPY[numpy_dtype]


def is_known(numpy_dtype):
    """Whether MindSpore has a dtype for a numpy dtype (an ``np.dtype``).

    Example:
        >>> is_known(np.dtype("longdouble"))
        False
    """
    return numpy_dtype in _BY_NUMPY


def is_kind_of(dtype, kind):
    """Whether ``dtype`` is ``kind``, or one of those that ``kind`` stands for (``number``, ``int_``, ...)."""
    return dtype is kind or (type(kind)._known.get(()) is kind and isinstance(dtype, type(kind)))
