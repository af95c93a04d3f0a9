"""Primitives over Python functions: NumPy functions, and functions with a custom gradient."""

import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Bool, Callable
from ...engine.calls.staging import interpreted
from ...engine.handle import Handle
from ...tensor.tensor import Tensor
from .._core.define import composite
from .._core.faces import PRIMITIVES, primitive, register
from .._core.primitive import PrimitiveWithInfer, prim_attr_register
from .composite import partial

primitive(partial, "Partial()(func, *args, **kwargs)")


@composite("Reusing()", name="_reusing")
def _reusing(input_x: Callable):
    """Returns the function unchanged: the hint not to copy it is for MindSpore's compiler.

    Args:
        input_x (function): any.
    Returns:
        function, ``input_x``.
    Raises:
        TypeError: if it cannot be called.
    Example:
        >>> ops.Reusing()(ops.sin)(Tensor([0.0])).tolist()
        [0.0]
    Source: mindspore.ops.Reusing
    """
    return input_x


@composite("PyFunc(fn, in_types, in_shapes, out_types, out_shapes, stateful=True)(*input_x)", name="_py_func")
def _py_func(*input_x, fn: Callable, in_types, in_shapes, out_types, out_shapes, stateful: Bool = True):
    """Calls a function of NumPy arrays; reads values on the host, and has no derivative.

    Args:
        input_x (Tensor): the arguments; a tuple of them counts as several.
        fn (function): takes and returns NumPy arrays or numbers, one or a tuple.
        in_types, out_types (list[mindspore.dtype]): of the arguments and of the results.
        in_shapes, out_shapes (list[tuple[int]]): likewise; ``()`` is a number.
        stateful (bool): a hint without effect: it is called each time. Default: ``True``.
    Returns:
        tuple[Tensor].
    Raises:
        TypeError: if arguments or results do not match their declaration.
    Example:
        >>> double = ops.PyFunc(lambda x: x * 2, [mindspore.float32], [(1,)], [mindspore.float32], [(1,)])
        >>> double(Tensor([1.5]))[0].tolist()
        [3.0]
    Source: mindspore.ops.PyFunc
    """
    if len(input_x) == 1 and isinstance(input_x[0], (tuple, list)):
        input_x = input_x[0]
    if [(each.dtype, each.shape) for each in input_x] != list(zip(in_types, map(tuple, in_shapes), strict=True)):
        check.refuse(TypeError, "PyFunc", "input_x", f"Tensors of {in_types} and {in_shapes}", tuple(input_x))
    with interpreted():
        results = fn(*[each.asnumpy() if each.ndim else each.item() for each in input_x])
    results = results if isinstance(results, (tuple, list)) else (results,)
    tensors = tuple([Tensor(np.asarray(each), dtype) for each, dtype in zip(results, out_types, strict=False)])
    if len(results) != len(out_types) or [each.shape for each in tensors] != [tuple(shape) for shape in out_shapes]:
        check.refuse(TypeError, "PyFunc", "fn", f"a function that returns arrays of {out_shapes}", tensors)
    return tensors


class Morph(PrimitiveWithInfer):
    """A function as a Primitive, optionally with a custom gradient. It works in both modes.

    Args:
        fn (function): of Tensors.
        infer_shape, infer_dtype (function): for MindSpore's compiler; not called.
        bprop_fn (function): ``bprop_fn(*inputs, output, cotangent)``, a gradient for each input. Default: ``None``,
            ``fn`` is differentiated.
    Returns:
        ``Morph(...)(*inputs)`` returns the result of ``fn``.
    Example:
        >>> twice = ops.Morph(lambda x: x * 2, None, None, lambda x, output, cotangent: (cotangent * 10,))
        >>> mindspore.grad(lambda x: twice(x))(Tensor([1.0])).tolist()
        [10.0]
    Source: mindspore.ops.Morph
    """

    @prim_attr_register
    def __init__(self, fn, infer_shape, infer_dtype, bprop_fn=None):
        self.vm_impl = fn
        self.bprop = check.function(bprop_fn, "bprop_fn", "Morph") if bprop_fn else None


register(PRIMITIVES, "Morph", Morph)


@composite("TensorToTuple()", name="_tensor_to_tuple")
def _tensor_to_tuple(x):
    """The numbers of a Tensor with one axis, as a tuple; reads values on the host.

    Args:
        x (Tensor): shape ``(N,)``.
    Returns:
        tuple of Python numbers.
    Raises:
        TypeError: if ``x`` is not a Tensor, or has not one axis.
    Example:
        >>> ops.TensorToTuple()(Tensor([1, 2]))
        (1, 2)
    Source: mindspore.ops.TensorToTuple
    """
    if not isinstance(x, Handle) or x.ndim != 1:
        check.refuse(TypeError, "TensorToTuple", "x", "a Tensor with one axis", x)
    return tuple(x.tolist())
