"""Creates sparse Tensors from their parts, and reads the parts; RowTensors."""

import operator

from ..._contracts.contracts import Array, Row
from ...tensor.sparse import COOTensor, CSRTensor, RowTensor
from .._core.define import composite
from .._core.families import body

_EXAMPLES = {
    "COOTensor": "mindspore.COOTensor(Tensor([[0, 1]]), Tensor([2.0]), (1, 3))",
    "CSRTensor": "mindspore.CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([2.0]), (1, 3))",
    "RowTensor": "mindspore.RowTensor(Tensor([1]), Tensor([[2.0]]), (3, 1))",
}
_PART = """The {part} of a {kind}: {phrase}.

    Args:
        x ({kind}): any.
    Returns:
        Tensor; a tuple of ints for the shape.
    Raises:
        TypeError: if ``x`` is no {kind}.
    Example:
        >>> tuple(ops.{name}({example}))[0]
        {shown}
    Source: mindspore.ops.{name}
    """
_MADE = """A {kind} of its parts.

    Args:
        {tensors} (Tensor): as for `{kind}`.
        dense_shape (tuple[int]): the dense shape.
    Returns:
        {kind}.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not go together.
    Example:
        >>> parts = {example}.to_tuple()
        >>> ops.{name}(*parts).shape == parts[-1]
        True
    Source: mindspore.ops.{name}
    """
_ONE = "Tensor(shape=[], dtype=Int64, value= 1)"
_TWO = "Tensor(shape=[], dtype=Float32, value= 2)"
# name, contract, class, attribute, its description, its first element in the example
_PARTS = [
    ("coo_tensor_get_dense_shape", "Coo", "COOTensor", "shape", "the lengths of its axes", "1"),
    ("coo_tensor_get_indices", "Coo", "COOTensor", "indices", "the position of each value",
     "Tensor(shape=[2], dtype=Int64, value= [0, 1])"),
    ("coo_tensor_get_values", "Coo", "COOTensor", "values", "the numbers that it holds", _TWO),
    ("csr_tensor_get_dense_shape", "Csr", "CSRTensor", "shape", "the lengths of its axes", "1"),
    ("csr_tensor_get_indices", "Csr", "CSRTensor", "indices", "the column of each value", _ONE),
    ("csr_tensor_get_indptr", "Csr", "CSRTensor", "indptr", "where each row begins",
     "Tensor(shape=[], dtype=Int64, value= 0)"),
    ("csr_tensor_get_values", "Csr", "CSRTensor", "values", "the numbers that it holds", _TWO),
    ("row_tensor_get_dense_shape", "Row", "RowTensor", "dense_shape", "the lengths of its axes", "3"),
    ("row_tensor_get_indices", "Row", "RowTensor", "indices", "the number of each row", _ONE),
    ("row_tensor_get_values", "Row", "RowTensor", "values", "the rows that it holds",
     "Tensor(shape=[1], dtype=Float32, value= [ 2.00000000e+00])"),
]  # fmt: skip
# name, its Tensors, class
_MAKERS = [
    ("make_coo_tensor", ("indices", "values"), COOTensor),
    ("make_csr_tensor", ("indptr", "indices", "values"), CSRTensor),
    ("make_row_tensor", ("indices", "values"), RowTensor),
    ("make_row_tensor_inner", ("indices", "values"), RowTensor),
    ("make_sparse_tensor", ("indices", "values"), COOTensor),
]

for _name, _contract, _kind, _part, _phrase, _shown in _PARTS:
    _words = {"kind": _kind, "part": _part, "phrase": _phrase, "example": _EXAMPLES[_kind], "shown": _shown}
    composite()(body(f"{_name}(x: {_contract})", operator.attrgetter(_part), _PART, **_words))

for _name, _tensors, _class in _MAKERS:
    _words = {"kind": _class.__name__, "tensors": ", ".join(_tensors), "example": _EXAMPLES[_class.__name__]}
    _typed = ", ".join(f"{each}: Array" for each in _tensors)
    composite()(body(f"{_name}({_typed}, dense_shape)", _class, _MADE, **_words))


@composite()
def row_tensor_add(x: Row, y: Array):
    """A RowTensor plus a Tensor.

    Args:
        x (RowTensor): any.
        y (Tensor): of its dense shape.
    Returns:
        Tensor of that shape.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> x = mindspore.RowTensor(Tensor([1]), Tensor([[2.0]]), (2, 1))
        >>> ops.row_tensor_add(x, Tensor([[1.0], [1.0]])).tolist()
        [[1.0], [3.0]]
    Source: mindspore.ops.row_tensor_add
    """
    return y.tensor_scatter_add(x.indices.reshape((-1, 1)), x.values)
