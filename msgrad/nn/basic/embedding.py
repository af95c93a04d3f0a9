"""Embedding layers: rows of a table by index."""

from typing import Any

import numpy as np

from ... import ops
from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Bool, Index, Int, NonNegativeFloat, PositiveFloat, PositiveInt
from ..._contracts.enforcement import checked
from ..._contracts.kinds import TensorOf, accepted
from ...engine import dtypes
from ...initializer import Normal, initializer
from ...ops.index.embeddings import dense_lookup, embedding_lookup
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..cell import Cell
from .math import ClipByNorm

__all__ = ["Embedding", "EmbeddingExt", "EmbeddingLookup", "MultiFieldEmbeddingLookup"]

_LEAST = float(np.finfo(np.float32).min)


class Embedding(Cell):
    """Embedding: rows of a table by index, ``(*) -> (*, embedding_size)``.

    Args:
        vocab_size, embedding_size (int): number of rows, and the length of each.
        use_one_hot (bool): an index out of range gives zeros instead of an error. Default: ``False``.
        embedding_table (Tensor | Initializer | str | Number): initial rows. Default: ``'normal'``.
        dtype (mindspore.dtype): of the table. Default: ``float32``.
        padding_idx (int | None): a row that starts as zeros. Default: ``None``.
    Parameters: ``embedding_table`` of shape ``(vocab_size, embedding_size)``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.Embedding(3, 2, embedding_table="ones")(Tensor([0, 2])).tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    Source: mindspore.nn.Embedding
    """

    norm_type: Any
    scale_grad_by_freq: Any

    @checked
    def __init__(
        self,
        vocab_size: PositiveInt,
        embedding_size: PositiveInt,
        use_one_hot: Bool = False,
        embedding_table="normal",
        dtype=dtypes.float32,
        padding_idx: Int | None = None,
    ):
        super().__init__()
        self.vocab_size, self.embedding_size, self.use_one_hot = vocab_size, embedding_size, use_one_hot
        self.dtype = dtype
        self.padding_idx = padding_idx
        table = initializer(embedding_table, (vocab_size, embedding_size), dtype)
        if padding_idx is not None:
            check.in_range(padding_idx, 0, vocab_size - 1, "padding_idx", "Embedding")
        self.embedding_table = Parameter(_without_row(table, padding_idx), name="embedding_table")

    def construct(self, ids):
        """Takes indices of an int dtype and any shape."""
        if self.use_one_hot:
            return ops.matmul(ops.one_hot(ids, self.vocab_size).astype(self.dtype), self.embedding_table)
        return ops.gather(self.embedding_table, ids, 0)

    def extend_repr(self):
        """The arguments, for printing."""
        return (
            f"vocab_size={self.vocab_size}, embedding_size={self.embedding_size}, use_one_hot={self.use_one_hot}, "
            f"embedding_table={self.embedding_table}, dtype={self.dtype}, padding_idx={self.padding_idx}"
        )


class EmbeddingExt(Cell):
    """Embedding with optionally bounded row norms: ``(*) -> (*, embedding_dim)``.

    Args:
        num_embeddings, embedding_dim (int): number of rows, and the length of each.
        padding_idx (int | None): a row that starts as zeros and has no gradient. Default: ``None``.
        max_norm (float | None): the largest norm of a selected row; larger ones are rescaled. Default: ``None``.
        norm_type (float): the order of that norm. Default: ``2.0``.
        scale_grad_by_freq (bool): whether gradients are divided by the number of times a row is selected. Default:
            ``False``.
        sparse (bool): must be ``False``, the default.
        _weight (Tensor | None): initial rows. Default: ``None``, standard normal.
        _freeze (bool): whether to freeze the table. Default: ``False``.
        dtype (mindspore.dtype | None): of the table. Default: ``None``, float32.
    Inputs: input (Tensor): indices of an int dtype. Output: Tensor.
    Parameters: ``weight`` of shape ``(num_embeddings, embedding_dim)``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.EmbeddingExt(3, 2)(Tensor([0, 2])).shape
        (2, 2)
    Source: mindspore.nn.EmbeddingExt
    """

    @checked
    def __init__(
        self,
        num_embeddings: PositiveInt,
        embedding_dim: PositiveInt,
        padding_idx: Int | None = None,
        max_norm: NonNegativeFloat | None = None,
        norm_type: NonNegativeFloat | None = 2.0,
        scale_grad_by_freq: Bool | None = False,
        sparse: Bool = False,
        _weight=None,
        _freeze=False,
        dtype=None,
    ):
        super().__init__()
        if sparse:
            check.refuse(ValueError, "EmbeddingExt", "sparse", "False", sparse)
        self.sparse = sparse
        self.num_embeddings = num_embeddings
        self.embedding_dim = embedding_dim
        self.padding_idx = padding_idx
        self.max_norm = max_norm
        self.norm_type = norm_type
        self.scale_grad_by_freq = scale_grad_by_freq
        self.dtype = dtypes.float32 if dtype is None else dtype
        shape = (num_embeddings, embedding_dim)
        if _weight is not None and _weight.shape != shape:
            check.refuse(ValueError, "EmbeddingExt", "_weight", f"of shape {shape}", _weight)
        if padding_idx is not None:
            check.in_range(padding_idx, -num_embeddings, num_embeddings - 1, "padding_idx", "EmbeddingExt")
        table = _without_row(initializer(Normal(1.0), shape, self.dtype), padding_idx) if _weight is None else _weight
        self.weight = Parameter(table, name="weight", requires_grad=not _freeze)

    def construct(self, input):
        """The rows."""
        return ops.embedding(
            input, self.weight, self.padding_idx, self.max_norm, self.norm_type, self.scale_grad_by_freq
        )

    def extend_repr(self):
        """The arguments."""
        return (
            f"num_embeddings={self.num_embeddings}, embedding_dim={self.embedding_dim}, "
            f"padding_idx={self.padding_idx}, max_norm={self.max_norm}, norm_type={self.norm_type}, "
            f"scale_grad_by_freq={self.scale_grad_by_freq}, dtype={self.dtype}"
        )


class EmbeddingLookup(Cell):
    """Embedding: rows of a table by index; an index out of range gives zeros.

    Args:
        vocab_size, embedding_size (int): number of rows, and the length of each.
        param_init (Tensor | Initializer | str | Number): initial rows. Default: ``'normal'``.
        target (str): ``'CPU'`` or ``'DEVICE'``: where the table is, a hint without effect. Default: ``'CPU'``.
        slice_mode (str): how the table is sharded, a hint without effect. Default: ``'batch_slice'``.
        manual_shapes (tuple[int] | None): the same. Default: ``None``.
        max_norm (float | None): the largest norm of a row of the result; larger ones are rescaled. Default: ``None``.
        sparse (bool): whether the gradient consists of the rows that were looked up (`RowGradient`), which `LazyAdam`,
            `Adam`, `FTRL` and `ProximalAdagrad` take; must be ``True`` for ``'CPU'``. Default: ``True``.
        dtype (mindspore.dtype): of the table. Default: ``float32``.
    Inputs: indices (Tensor): an int dtype. Output: Tensor of shape ``(*indices.shape, embedding_size)``.
    Parameters: ``embedding_table`` of shape ``(vocab_size, embedding_size)``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> nn.EmbeddingLookup(3, 2, "ones")(Tensor([0, 2])).tolist()
        [[1.0, 1.0], [1.0, 1.0]]
    Source: mindspore.nn.EmbeddingLookup
    """

    BATCH_SLICE = "batch_slice"
    FIELD_SLICE = "field_slice"
    TABLE_ROW_SLICE = "table_row_slice"
    TABLE_COLUMN_SLICE = "table_column_slice"

    @checked
    def __init__(
        self,
        vocab_size: PositiveInt,
        embedding_size: PositiveInt,
        param_init="normal",
        target: OneOf("CPU", "DEVICE") = "CPU",
        slice_mode="batch_slice",
        manual_shapes=None,
        max_norm: PositiveFloat | None = None,
        sparse: Bool = True,
        dtype=dtypes.float32,
    ):
        super().__init__()
        if target == "CPU" and not sparse:
            check.refuse(ValueError, self.cls_name, "sparse", "True where 'target' is 'CPU'", sparse)
        self.vocab_size = vocab_size
        self.embedding_size = embedding_size
        self.target = target
        self.sparse = sparse
        table = initializer(param_init, (vocab_size, embedding_size), dtype)
        self.embedding_table = Parameter(table, name="embedding_table")
        self.max_norm = None if max_norm is None else Tensor(max_norm, dtypes.float32)

    def construct(self, indices):
        """The rows."""
        return self._rows(indices)

    def _rows(self, indices):
        rows = (embedding_lookup if self.sparse else dense_lookup)(self.embedding_table, indices, 0)
        if self.max_norm is None:
            return rows
        return ClipByNorm(tuple(range(indices.ndim, rows.ndim)))(rows, self.max_norm)


class MultiFieldEmbeddingLookup(EmbeddingLookup):
    """Embedding whose rows are weighted and reduced for each field of a sample.

    Args:
        vocab_size, embedding_size (int): number of rows, and the length of each.
        field_size (int): the number of fields.
        param_init, target, slice_mode, max_norm, sparse, dtype: as for `EmbeddingLookup`.
        feature_num_list (tuple[int] | None): how the table is sharded, a hint without effect. Default: ``None``.
        operator (str): the reduction of the rows of a field: ``'SUM'``, ``'MEAN'`` or ``'MAX'``. Default: ``'SUM'``.
    Inputs: input_indices (Tensor): int32 or int64, shape ``(N, L)``; input_values (Tensor): float32, their weights;
        field_ids (Tensor): int32, the field of each. Output: Tensor of shape ``(N, field_size, embedding_size)``.
    Parameters: ``embedding_table`` of shape ``(vocab_size, embedding_size)``.
    Raises:
        TypeError, ValueError: if an argument has the wrong type or value.
    Example:
        >>> layer = nn.MultiFieldEmbeddingLookup(3, 1, 2, "ones")
        >>> layer(Tensor([[0, 2]]), Tensor([[1.0, 3.0]]), Tensor([[1, 1]], ms.int32)).tolist()
        [[[0.0], [4.0]]]
    Source: mindspore.nn.MultiFieldEmbeddingLookup
    """

    OPERATOR_SUM = "SUM"
    OPERATOR_MEAN = "MEAN"
    OPERATOR_MAX = "MAX"

    @checked
    def __init__(
        self,
        vocab_size,
        embedding_size,
        field_size: PositiveInt,
        param_init="normal",
        target="CPU",
        slice_mode="batch_slice",
        feature_num_list=None,
        max_norm=None,
        sparse=True,
        operator: OneOf("SUM", "MAX", "MEAN") = "SUM",
        dtype=dtypes.float32,
    ):
        hints = target, slice_mode, feature_num_list
        super().__init__(vocab_size, embedding_size, param_init, *hints, max_norm, sparse, dtype)
        self.field_size = field_size
        self.operator = operator

    def construct(self, input_indices, input_values, field_ids):
        """The reduced rows of each field."""
        inputs = {"input_indices": input_indices, "input_values": input_values, "field_ids": field_ids}
        for name, x in inputs.items():
            if x.ndim != 2:
                check.refuse(ValueError, self.cls_name, name, "of shape (N, L)", x)
        accepted(Index, input_indices, "input_indices", self.cls_name)
        TensorOf("float32").take(input_values, "input_values", self.cls_name)
        TensorOf("int32").take(field_ids, "field_ids", self.cls_name)
        count = input_indices.shape[0]
        fields = count * self.field_size
        segments = (field_ids + ops.arange(0, fields, self.field_size).astype(dtypes.int32).expand_dims(1)).reshape(-1)
        weights = input_values.reshape((-1, 1))
        rows = self._rows(input_indices).reshape((-1, self.embedding_size)) * weights
        total = ops.unsorted_segment_sum(ops.abs(weights), segments, fields)
        if self.operator == "MAX":
            rows = ops.where(weights == 0, _LEAST, rows)
            merged = ops.where(total != 0, ops.unsorted_segment_max(rows, segments, fields), 0.0)
        else:
            merged = ops.unsorted_segment_sum(rows, segments, fields)
            merged = ops.DivNoNan()(merged, total) if self.operator == "MEAN" else merged
        return merged.reshape((count, self.field_size, self.embedding_size))


def _without_row(table, row):
    """A Tensor of initial rows, with zeros in row ``row`` if it is not None."""
    if row is None:
        return table
    rows = np.array(table.asnumpy())
    rows[row] = 0
    return Tensor(rows, table.dtype)
