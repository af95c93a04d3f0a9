"""Operations for debugging: prints, dumps, assertions."""

import collections
import itertools

import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, PositiveInt, Text
from ...engine import dtypes
from ...engine.calls.staging import is_in_graph
from ...engine.handle import Handle
from .._core.define import composite
from .._core.faces import primitive

_numbers_of_dumps = collections.defaultdict(itertools.count)


@composite("Print()(*input_x)")
def print_(*input_x):
    """Prints each argument on a line of its own; in a graph in the form that ``print`` has there.

    Args:
        input_x (object): Tensors, Python values, or nested containers of them.
    Returns:
        None.
    Example:
        >>> ops.print_("x is", Tensor([1.0]))
        x is
        Tensor(shape=[1], dtype=Float32, value= [ 1.00000000e+00])
    Source: mindspore.ops.print_, mindspore.ops.Print
    """
    if is_in_graph():
        print(*input_x)
        return
    for each in input_x:
        print(each if isinstance(each, str) else repr(each))


@composite("Assert(summarize=3)(condition, input_data)", name="_assert")
def _assert(condition, input_data, summarize: PositiveInt = 3):
    """Raises unless a condition holds.

    Args:
        condition (Tensor | bool): of one element.
        input_data (tuple[Tensor] | list[Tensor]): what the error shows.
        summarize (int): how many elements of each it shows. Default: ``3``.
    Returns:
        None.
    Raises:
        RuntimeError: if ``condition`` is False.
    Example:
        >>> ops.Assert()(Tensor([1.0]).sum() > 0, [Tensor([1.0])])
    Source: mindspore.ops.Assert
    """
    if not condition:
        first = [each._values_().ravel()[:summarize].tolist() for each in input_data]
        raise RuntimeError(f"assert failed: For 'Assert', the 'condition' is False; input data: {first}.")


@composite("CheckNumerics")
def _check_numerics(x: Array):
    """Returns the Tensor if all its numbers are finite, otherwise raises.

    Args:
        x (Tensor): any shape, a float dtype.
    Returns:
        Tensor, ``x``.
    Raises:
        RuntimeError: if a number is NaN or infinite.
    Example:
        >>> ops.CheckNumerics()(Tensor([1.0])).tolist()
        [1.0]
    Source: mindspore.ops.CheckNumerics
    """
    values = check.dtype(x._array_(), "f", "x", "CheckNumerics")
    for name, is_bad in (("NaN", np.isnan), ("Inf", np.isinf)):
        if is_bad(np.asarray(values, np.float64)).any():
            raise RuntimeError(
                f": Tensor had {name} values. For 'CheckNumerics', look for the operation that made them."
            )
    return x


@composite()
def tensordump(file_name: Text, tensor, mode: OneOf("out", "in", "all") = "out"):
    """Writes a Tensor to a NumPy file, named ``<file_name>_<dtype>_<number>.npy``.

    Args:
        file_name (str): the path, with or without ``.npy``.
        tensor (Tensor): what to write.
        mode (str): ``'out'``, or ``'in'`` and ``'all'``, which write the gradient's way too in MindSpore and mean the
            same here. Default: ``'out'``.
    Returns:
        None.
    Raises:
        TypeError: if ``tensor`` is not a Tensor.
    Example:
        >>> import tempfile
        >>> ops.tensordump(tempfile.mkdtemp() + "/x", Tensor([1.0]))
    Source: mindspore.ops.tensordump, mindspore.ops.TensorDump
    """
    if not isinstance(tensor, Handle):
        check.refuse(TypeError, "TensorDump", "tensor", "a Tensor", tensor)
    name = f"{file_name.removesuffix('.npy')}_{str(dtypes.of(tensor.aval[1])).lower()}"
    np.save(f"{name}_{next(_numbers_of_dumps[name])}.npy", tensor._values_())


primitive(tensordump, "TensorDump(input_output='out')(file, input_x)", input_x="tensor", input_output="mode")
