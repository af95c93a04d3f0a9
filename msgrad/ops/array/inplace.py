"""In-place Tensor methods: ``x.add_(1)`` writes the result of ``x.add(1)`` into ``x``."""

import numpy as np

from ..._contracts import check, contracts
from ..._contracts.contracts import Array, Bool
from ..._contracts.doc import filled
from ..._contracts.enforcement import enforced
from ..._contracts.signature import bare, function, signature
from ...engine import dtypes
from .._core.define import composite
from .._core.faces import attach, method
from ..index.index_write import _index_copy, _put
from ..index.scattering import scatter_reduced

_DOC = """`Tensor.{base}` in place{note}.

    Args:
        {arguments} (object): as for `Tensor.{base}`.
    Returns:
        Tensor, this one.
    Raises:
        ValueError: if the result has another shape.  RuntimeError: if its dtype does not convert to the Tensor's.
    Example:
        >>> {call}.tolist()
        {value}
    Source: mindspore.Tensor.{name}
    """
_NO_ARGUMENTS = """    Args:
        {arguments} (object): as for `Tensor.{base}`.
"""


def written(tensor, result, name):
    """Writes ``result`` into ``tensor``, for the function ``name``; returns ``tensor``."""
    (shape, dtype), (result_shape, result_dtype) = tensor.aval, result.aval
    if result_shape != shape:
        check.refuse(ValueError, name, "self", f"of the shape of the result, {result_shape}", tensor)
    if not np.can_cast(result_dtype, dtype, "same_kind"):
        check.refuse(RuntimeError, name, "self", f"of a dtype that takes {dtypes.of(result_dtype)}", tensor)
    tensor._write_(result if result_dtype == dtype else result.astype(tensor.dtype))
    return tensor


def _writing(name, text, target, call, value, note=""):
    """Makes a function that writes the result of ``target`` into its first argument.

    Args:
        name (str): of the method.
        text (str): its signature, without the Tensor, in the order of the parameters of ``target``; parameters may have
            contracts of their own.
        target (str | function): the method, or a function that takes the Tensor first.
        call, value (str): an example and its result.
        note (str): how it differs from the method that is not in place.
    """
    sig = signature(f"(self, {text[1:]}", contracts.NAMES)
    names = [each for each in sig.parameters.values() if each.name != "self"]
    passed = [f"{each.name}={each.name}" if each.kind is each.KEYWORD_ONLY else each.name for each in names]
    called = (
        f"self.{target}({', '.join(passed)})" if isinstance(target, str) else f"_target({', '.join(['self', *passed])})"
    )
    scope = {"_written": written, "_target": target, "_name": name}
    method_of = function(name, sig, f"_written(self, {called}, _name)", scope)
    method_of = enforced(method_of, name)
    method_of.__signature__ = bare(sig)
    fields = {"name": name, "base": name.rstrip("_"), "call": call, "value": value, "note": note}
    doc = _DOC if names else _DOC.replace(_NO_ARGUMENTS, "")
    method_of.__doc__ = filled(doc, arguments=", ".join(each.name for each in names), **fields)
    return method_of


def in_place(name, text, target, call, value, note=""):
    """Defines a method by `_writing`."""
    attach(_writing(name, text, target, call, value, note), name)


def in_place_forms(name, *forms):
    """Defines a method of several signatures, each the arguments of `_writing` after the name."""
    method(name, *[(_writing(name, *form), form[0]) for form in forms])


in_place("add_", "(other: Operand, *, alpha=1)", "add", "Tensor([1.0, 2.0]).add_(1)", "[2.0, 3.0]")
_SUB = ("sub", "Tensor([1.0, 2.0]).sub_(1)", "[0.0, 1.0]")
in_place_forms("sub_", ("(other, *, alpha=1)", *_SUB), ("(y)", *_SUB))
in_place("mul_", "(other)", "mul", "Tensor([1.0, 2.0]).mul_(3)", "[3.0, 6.0]")
in_place("div_", "(other, *, rounding_mode=None)", "div", "Tensor([1.0, 2.0]).div_(2)", "[0.5, 1.0]")
in_place("floor_divide_", "(other)", "floor_divide", "Tensor([3.0, 4.0]).floor_divide_(2)", "[1.0, 2.0]")
in_place("remainder_", "(other)", "remainder", "Tensor([3.0, 4.0]).remainder_(2)", "[1.0, 0.0]")
in_place(
    "addmm_",
    "(mat1, mat2, *, beta=1, alpha=1)",
    "addmm",
    "Tensor([[1.0]]).addmm_(Tensor([[2.0]]), Tensor([[3.0]]))",
    "[[7.0]]",
)
in_place("clamp_", "(min=None, max=None)", "clamp", "Tensor([1.0, 5.0]).clamp_(2, 3)", "[2.0, 3.0]")
in_place("exp_", "()", "exp", "Tensor([0.0]).exp_()", "[1.0]")
in_place("log_", "()", "log", "Tensor([1.0]).log_()", "[0.0]")
in_place("floor_", "()", "floor", "Tensor([1.5]).floor_()", "[1.0]")
in_place("sign_", "()", "sign", "Tensor([-1.5]).sign_()", "[-1.0]")
in_place("sigmoid_", "()", "sigmoid", "Tensor([0.0]).sigmoid_()", "[0.5]")
in_place("tanh_", "()", "tanh", "Tensor([0.0]).tanh_()", "[0.0]")
in_place("erfinv_", "()", "erfinv", "Tensor([0.0]).erfinv_()", "[0.0]")
in_place("fill_", "(value)", "fill", "Tensor([1, 2]).fill_(5)", "[5, 5]")
in_place(
    "fill_diagonal_",
    "(fill_value, wrap=False)",
    "fill_diagonal",
    "Tensor([[1, 2], [3, 4]]).fill_diagonal_(0)",
    "[[0, 2], [3, 0]]",
)
in_place(
    "masked_fill_",
    "(mask, value)",
    "masked_fill",
    "Tensor([1, 2]).masked_fill_(Tensor([True, False]), 5)",
    "[5, 2]",
)
in_place(
    "masked_scatter_",
    "(mask, source)",
    "masked_scatter",
    "Tensor([1, 2]).masked_scatter_(Tensor([True, False]), Tensor([5]))",
    "[5, 2]",
)
in_place(
    "index_add_",
    "(dim, index, source, *, alpha=1)",
    "index_add",
    "Tensor([1, 2]).index_add_(0, Tensor([0]), Tensor([5]))",
    "[6, 2]",
)
in_place(
    "index_copy_",
    "(dim, index, tensor)",
    _index_copy,
    "Tensor([1, 2]).index_copy_(0, Tensor([0]), Tensor([5]))",
    "[5, 2]",
)
in_place(
    "index_fill_",
    "(dim, index, value)",
    "index_fill",
    "Tensor([1, 2]).index_fill_(0, Tensor([0]), 5)",
    "[5, 2]",
)
in_place(
    "index_put_",
    "(indices, values, accumulate=False)",
    "index_put",
    "Tensor([1, 2]).index_put_([Tensor([0])], Tensor([5]))",
    "[5, 2]",
)
in_place(
    "put_",
    "(index, source, accumulate=False)",
    _put,
    "Tensor([[1, 2], [3, 4]]).put_(Tensor([3]), Tensor([5]))",
    "[[1, 2], [3, 5]]",
    ", where `index` counts in the flattened order and `source` holds as many elements",
)
in_place(
    "scatter_add_",
    "(dim, index, src)",
    "scatter_add",
    "Tensor([1, 2]).scatter_add_(0, Tensor([0]), Tensor([5]))",
    "[6, 2]",
)

_SCATTER = ("Tensor([1, 2]).scatter_(0, Tensor([0]), Tensor([5]))", "[5, 2]")
in_place_forms(
    "scatter_",
    ("(dim, index, src)", "scatter", *_SCATTER),
    ("(dim, index, src, *, reduce)", scatter_reduced, *_SCATTER),
    ("(dim, index, value)", "scatter", *_SCATTER),
    ("(dim, index, value, *, reduce)", scatter_reduced, *_SCATTER),
)


@composite()
def put_(input: Array, index: Array, source: Array, accumulate: Bool = False):
    """Puts elements at positions of the flattened order, in place.

    Args:
        input (Tensor): what to write to.
        index (Tensor): any shape, an int dtype.
        source (Tensor): as many elements, of the dtype of ``input``.
        accumulate (bool): whether to add. Default: ``False``.
    Returns:
        Tensor, ``input``.
    Raises:
        TypeError: if dtypes do not fit.  ValueError: if there are not as many elements.
    Example:
        >>> ops.put_(Tensor([[1, 2], [3, 4]]), Tensor([3]), Tensor([5])).tolist()
        [[1, 2], [3, 5]]
    Source: mindspore.ops.put_
    """
    return input.put_(index, source, accumulate)


@composite(method="zero_")
def zero_(input: Array):
    """Sets all elements to zero in place.

    Args:
        input (Tensor): what to write to.
    Returns:
        Tensor, this one.
    Example:
        >>> ops.zero_(Tensor([1, 2])).tolist()
        [0, 0]
    Source: mindspore.ops.zero_, mindspore.Tensor.zero_
    """
    return input.fill_(0)
