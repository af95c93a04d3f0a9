"""Names that NumPy 2.0 removed, and how it printed numbers: restored by the alias, unless ``MSGRAD_NUMPY_NAMES=off``.

MindSpore 2.10 needs NumPy 1.x, and its programs use names that NumPy 2 has removed (``np.float``, ``np.NaN``,
``np.asscalar``); JAX needs NumPy 2. Only missing names are added. Each warns once (DeprecationWarning) with its current
name.
"""

import os
import warnings

import numpy as np

_MSG = (
    "np.{0} was removed in NumPy {1}, and msgrad has restored it: write {2} instead. "
    "MSGRAD_NUMPY_NAMES=off leaves NumPy alone."
)

# name: (value, its current name)
_VALUES = {
    "NAN": (np.nan, "np.nan"),
    "NaN": (np.nan, "np.nan"),
    "Inf": (np.inf, "np.inf"),
    "Infinity": (np.inf, "np.inf"),
    "PINF": (np.inf, "np.inf"),
    "infty": (np.inf, "np.inf"),
    "NINF": (-np.inf, "-np.inf"),
    "PZERO": (0.0, "0.0"),
    "NZERO": (-0.0, "-0.0"),
    # Types of Python.
    "bool": (bool, "bool"),
    "int": (int, "int"),
    "long": (int, "int"),
    "float": (float, "float"),
    "complex": (complex, "complex"),
    "object": (object, "object"),
    "str": (str, "str"),
    "unicode": (str, "str"),
    # Types of NumPy.
    "bool8": (np.bool_, "np.bool_"),
    "bytes0": (np.bytes_, "np.bytes_"),
    "cfloat": (np.complex128, "np.complex128"),
    "clongfloat": (np.clongdouble, "np.clongdouble"),
    "complex_": (np.complex128, "np.complex128"),
    "float_": (np.float64, "np.float64"),
    "int0": (np.intp, "np.intp"),
    "longcomplex": (np.clongdouble, "np.clongdouble"),
    "longfloat": (np.longdouble, "np.longdouble"),
    "object0": (np.object_, "np.object_"),
    "singlecomplex": (np.complex64, "np.complex64"),
    "str0": (np.str_, "np.str_"),
    "string_": (np.bytes_, "np.bytes_"),
    "uint0": (np.uintp, "np.uintp"),
    "unicode_": (np.str_, "np.str_"),
    "void0": (np.void, "np.void"),
    # Functions under another name.
    "alltrue": (np.all, "np.all"),
    "cumproduct": (np.cumprod, "np.cumprod"),
    "disp": (print, "print"),
    "fix": (np.trunc, "np.trunc"),
    "issubclass_": (issubclass, "issubclass"),
    "mat": (np.asmatrix, "np.asmatrix"),
    "product": (np.prod, "np.prod"),
    "rank": (np.ndim, "np.ndim"),
    "round_": (np.round, "np.round"),
    "row_stack": (np.vstack, "np.vstack"),
    "sometrue": (np.any, "np.any"),
    "trapz": (np.trapezoid, "np.trapezoid"),
    # Tables.
    "sctypes": (
        {
            "int": [np.int8, np.int16, np.int32, np.int64],
            "uint": [np.uint8, np.uint16, np.uint32, np.uint64],
            "float": [np.float16, np.float32, np.float64, np.longdouble],
            "complex": [np.complex64, np.complex128, np.clongdouble],
            "others": [bool, object, bytes, str, np.void],
        },
        "the types themselves",
    ),
    "typeDict": (np.sctypeDict, "np.sctypeDict"),
}


def _name(name, today):
    """Registers a function under its former NumPy name."""

    def enter(function):
        _VALUES[name] = function, today
        return function

    return enter


@_name("alen", "len")
def _alen(a):
    return len(np.atleast_1d(a))


@_name("asfarray", "np.asarray(a, dtype=float)")
def _asfarray(a, dtype=np.float64):
    return np.asarray(a, dtype if np.issubdtype(dtype, np.inexact) else np.float64)


@_name("asscalar", "a.item()")
def _asscalar(a):
    return a.item()


@_name("find_common_type", "np.result_type")
def _find_common_type(array_types, scalar_types):
    # Scalars count when they are of a higher kind than the arrays, as in NumPy's documentation of 1.x.
    of_arrays = np.result_type(*array_types) if array_types else None
    of_scalars = np.result_type(*scalar_types) if scalar_types else None
    if of_arrays is None or of_scalars is None:
        return of_scalars if of_arrays is None else of_arrays
    kinds = "buifc"
    return of_scalars if kinds.find(of_scalars.kind) > kinds.find(of_arrays.kind) else of_arrays


@_name("in1d", "np.isin")
def _in1d(ar1, ar2, assume_unique=False, invert=False, *, kind=None):
    return np.isin(np.ravel(ar1), ar2, assume_unique=assume_unique, invert=invert, kind=kind)


@_name("issctype", "isinstance(rep, type) and issubclass(rep, np.generic)")
def _issctype(rep):
    return isinstance(rep, np.dtype) or (
        isinstance(rep, type) and issubclass(rep, np.generic) and rep is not np.object_
    )


@_name("issubsctype", "np.issubdtype")
def _issubsctype(arg1, arg2):
    return np.issubdtype(arg1, arg2)


@_name("msort", "np.sort(a, axis=0)")
def _msort(a):
    return np.sort(a, axis=0)


@_name("obj2sctype", "np.dtype(rep).type")
def _obj2sctype(rep, default=None):
    try:
        return np.dtype(getattr(rep, "dtype", rep)).type
    except TypeError:
        return default


@_name("sctype2char", "np.dtype(sctype).char")
def _sctype2char(sctype):
    return np.dtype(sctype).char


_MISSING = frozenset(_VALUES) - frozenset(dir(np))


def spelling_today(name):
    """The current name for a name that `restore` restores; None for any other.

    Example:
        >>> spelling_today("asscalar")
        'a.item()'
    """
    return _VALUES[name][1] if name in _MISSING else None


def restore():
    """Restores the names that NumPy has removed, unless ``MSGRAD_NUMPY_NAMES=off``. Idempotent.

    Numbers are printed as by NumPy 1, ``[1.5]`` and not ``[np.float32(1.5)]``, unless the program chose another way.

    Example:
        >>> restore()
        >>> np.asscalar(np.array([3]))
        3
    """
    if os.environ.get("MSGRAD_NUMPY_NAMES") == "off" or hasattr(np.__getattr__, "restored"):
        return
    own = np.__getattr__

    def __getattr__(name):
        if name not in _VALUES:
            return own(name)
        value, today = _VALUES[name]
        warnings.warn(_MSG.format(name, np.__version__, today), DeprecationWarning, stacklevel=2)
        setattr(np, name, value)
        return value

    __getattr__.restored = True
    np.__getattr__ = __getattr__
    if not np.get_printoptions()["legacy"]:
        np.set_printoptions(legacy="1.25")
