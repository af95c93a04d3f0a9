"""The embedding layer."""

import numpy as np

from .. import ops
from ..engine import dtypes
from ..initializer import initializer
from ..ops import check
from ..ops.contracts import Bool, Int, PositiveInt, checked
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from .cell import Cell

__all__ = ["Embedding"]


class Embedding(Cell):
    """Rows of a table by their index: ``(*) -> (*, embedding_size)``.

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
            rows = np.array(table.asnumpy())
            rows[padding_idx] = 0
            table = Tensor(rows, dtype)
        self.embedding_table = Parameter(table, name="embedding_table")

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
