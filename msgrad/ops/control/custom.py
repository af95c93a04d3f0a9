"""`Custom`: a function of NumPy arrays, or of a compiled library, as a Primitive."""

import ctypes
import math
import os
from typing import Any

import numpy as np

from ..._contracts import check
from ...dtype import DType
from ...engine.calls.staging import interpreted
from ...engine.handle import Handle
from ...tensor.tensor import Tensor
from .._core.faces import PRIMITIVES, register
from .._core.primitive import PrimitiveWithInfer

_RUN, _NOT_RUN = ("pyfunc", "aot"), ("hybrid", "akg", "tbe", "aicpu")
_MSG_NOT_RUN = (
    "For 'Custom', the 'func_type' {!r} is left out of msgrad: it is compiled for other hardware by MindSpore's own "
    "compilers. Write the function with the operations of mindspore.ops, or with NumPy and func_type='pyfunc'."
)
_MSG_NO_RULE = (
    "For 'Custom', the derivative of {} is not known: give the rule, Custom(..., bprop=rule), a function "
    "rule(*inputs, output, cotangent) of Tensors that returns a gradient for each input."
)
_MSG_RESULT = "For 'Custom', the result of {} must be {} of {} as 'out_shape' and 'out_dtype' say, but it is {} of {}."
_MSG_LIBRARY = "For 'Custom', there is no function {!r} in {}: {}."
_MSG_INIT = (
    "For 'Custom', {1}Init in {0} needs an object of MindSpore's, which msgrad does not have: leave it out, and give "
    "the function its attributes as Tensors."
)
_MSG_FAILED = "For 'Custom', {}:{} returned the error code {}; only 0 means success."


class Custom(PrimitiveWithInfer):
    """A function of NumPy arrays, or of a compiled library, as a Primitive. It runs outside of compiled programs.

    Args:
        func (function | str): takes and returns NumPy arrays, ints and floats as they are; or with ``"aot"`` the path
            of a library for the CPU and a function, ``"./add.so:add"``, in C ``int add(int nparam, void **params, int
            *ndims, int64_t **shapes, const char **dtypes, void *stream, void *extra)`` with inputs and then outputs;
            it returns 0, and is given no stream and no extra.
        out_shape (tuple | list | function): of the result, or one for each of several; or a function that computes them
            from the shapes (lists) of the inputs.
        out_dtype (mindspore.dtype | tuple | function): likewise, of the dtypes of the inputs.
        func_type (str): ``"pyfunc"`` or ``"aot"``. Default: ``"pyfunc"``.
        bprop (function): ``bprop(*inputs, output, cotangent)`` of Tensors, a gradient for each input. Default:
            ``None``: a gradient is an error.
        reg_info (dict | str | list | tuple): for MindSpore's compiler, without effect. Default: ``None``.
    Returns:
        ``Custom(...)(*inputs)`` gives a Tensor or, of several shapes and dtypes, a tuple; a number for the shape ``()``
        is of the shape ``(1,)``, as MindSpore's.
    Raises:
        TypeError, ValueError: for other arguments.  NotImplementedError: for kernels of other hardware.
        RuntimeError: if the result does not match its declaration, the library lacks the function, or a rule is
            missing.
    Example:
        >>> add = ops.Custom(lambda x, y: x + y, lambda x, y: x, lambda x, y: x, "pyfunc")
        >>> add(Tensor([1.0]), Tensor([2.0])).tolist()
        [3.0]
    Source: mindspore.ops.Custom
    """

    func: Any

    def __init__(self, func, out_shape=None, out_dtype=None, func_type="pyfunc", bprop=None, reg_info=None):
        super().__init__("Custom")
        if func_type in _NOT_RUN:
            raise NotImplementedError(_MSG_NOT_RUN.format(func_type))
        if func_type not in _RUN:
            check.refuse(ValueError, "Custom", "func_type", f"one of {[*_RUN, *_NOT_RUN]}", func_type)
        if func_type == "aot" and not (isinstance(func, str) and ":" in func):
            check.refuse(TypeError, "Custom", "func", "a str, 'path:function'", func)
        if func_type == "pyfunc" and not callable(func):
            check.refuse(TypeError, "Custom", "func", "a function", func)
        self.func, self.out_shape, self.out_dtype, self.reg_info = func, out_shape, out_dtype, reg_info
        self.bprop = self._no_rule if bprop is None else bprop
        self.add_prim_attr("func_name", func.rpartition(":")[2] if func_type == "aot" else _name(func))
        self.add_prim_attr("func_type", func_type)

    def vm_impl(self, *inputs):
        """The result."""
        shapes, dtypes, is_tuple = self._expected(inputs)
        if self.func_type == "aot":
            arrays = [np.ascontiguousarray(each.asnumpy() if isinstance(each, Handle) else each) for each in inputs]
            results = _run(self.func, arrays, [np.empty(*each) for each in zip(shapes, dtypes, strict=True)])
        else:
            arrays = [each.asnumpy() if isinstance(each, Handle) else each for each in inputs]
            with interpreted():
                results = self.func(*arrays)
            results = list(results) if is_tuple else [results]
        if len(results) != len(shapes):
            raise RuntimeError(_MSG_RESULT.format(self.func_name, "a tuple", len(shapes), "a tuple", len(results)))
        results = tuple([Tensor(self._fitting(*each)) for each in zip(results, shapes, dtypes, strict=True)])
        return results if is_tuple else results[0]

    def _expected(self, inputs):
        """The shapes and the NumPy dtypes of the results, and whether they are a tuple."""
        shape, dtype = self.out_shape, self.out_dtype
        if callable(shape):
            shape = shape(*[list(each.shape) if isinstance(each, Handle) else [] for each in inputs])
        if callable(dtype):
            dtype = dtype(*[each.dtype if isinstance(each, Handle) else Tensor(each).dtype for each in inputs])
        is_tuple = isinstance(dtype, (tuple, list))
        dtypes: list[Any] = list(dtype) if is_tuple else [dtype]
        if not isinstance(shape, (tuple, list)) or (is_tuple and len(shape) != len(dtypes)):
            check.refuse(
                TypeError, "Custom", "out_shape", "a tuple, one for each dtype of a tuple, or a function", shape
            )
        for each in dtypes:
            if not isinstance(each, DType) or each.numpy is None:
                check.refuse(TypeError, "Custom", "out_dtype", "a mindspore dtype, a tuple or a function", each)
        return [tuple(each) for each in (shape if is_tuple else [shape])], [each.numpy for each in dtypes], is_tuple

    def _fitting(self, value, shape, dtype):
        """A result as an array of its declared shape; a number may be of any dtype."""
        value = np.asarray(value, dtype) if shape == () and np.ndim(value) == 0 else np.asarray(value)
        if value.dtype != dtype or value.size != math.prod(shape):
            raise RuntimeError(_MSG_RESULT.format(self.func_name, dtype, shape, value.dtype, value.shape))
        return value.reshape(shape or (1,))

    def _no_rule(self, *args):
        raise RuntimeError(_MSG_NO_RULE.format(self.func_name))


register(PRIMITIVES, "Custom", Custom)


def _name(func):
    return getattr(func, "__name__", type(func).__name__)


def _run(func, inputs, outputs):
    """Calls a library's function; returns the ``outputs`` that it filled."""
    path, _, name = func.rpartition(":")
    try:
        library = ctypes.CDLL(os.path.realpath(path))
        function = getattr(library, name)
    except (OSError, AttributeError) as error:
        raise RuntimeError(_MSG_LIBRARY.format(name, path, error)) from error
    if hasattr(library, f"{name}Init"):
        raise NotImplementedError(_MSG_INIT.format(path, name))
    arrays = [*inputs, *outputs]
    count = len(arrays)
    function.restype = ctypes.c_int
    code = function(
        count,
        (ctypes.c_void_p * count)(*[each.ctypes.data for each in arrays]),
        (ctypes.c_int * count)(*[each.ndim for each in arrays]),
        (ctypes.POINTER(ctypes.c_int64) * count)(*[(ctypes.c_int64 * each.ndim)(*each.shape) for each in arrays]),
        (ctypes.c_char_p * count)(*[each.dtype.name.encode() for each in arrays]),
        None,
        None,
    )
    if code:
        raise RuntimeError(_MSG_FAILED.format(path, name, code))
    return outputs
