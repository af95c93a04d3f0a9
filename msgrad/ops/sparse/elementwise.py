"""Elementwise functions of sparse Tensors: applied to the stored values only, even if ``f(0)`` is not 0."""

from .._core.define import composite
from .._core.faces import COO_METHODS, CSR_METHODS, FUNCTIONS, register
from .._core.families import body
from ..math import elementwise  # noqa: F401  the functions that the rows name
from ..nn import activation  # noqa: F401  the functions that the rows name

_DOC = """`ops.{function}` of the values of a {kind}; where it holds none, zeros stay.

    Args:
        x ({kind}): any.
    Returns:
        {kind} with the same positions.
    Raises:
        TypeError: if ``x`` is no {kind}, or its dtype is refused.
    Example:
        >>> x = {example}
        >>> ops.{name}(x).shape
        (1, 3)
    Source: mindspore.ops.{name}
    """
_EXAMPLES = {
    "COOTensor": "mindspore.COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (1, 3))",
    "CSRTensor": "mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([1.0]), (1, 3))",
}
# of a COOTensor, of a CSRTensor, the function
_ROWS = [
    ("coo_abs", "csr_abs", "abs"),
    ("coo_acos", "csr_acos", "acos"),
    ("coo_acosh", "csr_acosh", "acosh"),
    ("coo_asin", "csr_asin", "asin"),
    ("coo_asinh", "csr_asinh", "asinh"),
    ("coo_atan", "csr_atan", "atan"),
    ("coo_atanh", "csr_atanh", "atanh"),
    ("coo_ceil", "csr_ceil", "ceil"),
    ("coo_cos", "csr_cos", "cos"),
    ("coo_cosh", "csr_cosh", "cosh"),
    ("coo_exp", "csr_exp", "exp"),
    ("coo_expm1", "csr_expm1", "expm1"),
    ("coo_floor", "csr_floor", "floor"),
    ("coo_inv", "csr_inv", "inv"),
    ("coo_isfinite", "csr_isfinite", "isfinite"),
    ("coo_isinf", "csr_isinf", "isinf"),
    ("coo_isnan", "csr_isnan", "isnan"),
    ("coo_log", "csr_log", "log"),
    ("coo_log1p", "csr_log1p", "log1p"),
    ("coo_neg", "csr_neg", "neg"),
    ("coo_relu", "csr_relu", "relu"),
    ("coo_relu6", "csr_relu6", "relu6"),
    ("coo_round", "csr_round", "round"),
    ("coo_sigmoid", "csr_sigmoid", "sigmoid"),
    ("coo_sin", "csr_sin", "sin"),
    ("coo_sinh", "csr_sinh", "sinh"),
    ("coo_softsign", "csr_softsign", "softsign"),
    ("coo_sqrt", "csr_sqrt", "sqrt"),
    ("coo_square", "csr_square", "square"),
    ("coo_tan", "csr_tan", "tan"),
    ("coo_tanh", "csr_tanh", "tanh"),
]


def _define(name, contract, kind, function):
    apply = FUNCTIONS[function]
    doc = {"function": function, "kind": kind, "example": _EXAMPLES[kind]}
    composite()(body(f"{name}(x: {contract})", lambda x: x.with_values(apply(x.values)), _DOC, **doc))


for _coo, _csr, _function in _ROWS:
    _define(_coo, "Coo", "COOTensor", _function)
    _define(_csr, "Csr", "CSRTensor", _function)

register(COO_METHODS, "abs", FUNCTIONS["coo_abs"])
register(CSR_METHODS, "abs", FUNCTIONS["csr_abs"])
