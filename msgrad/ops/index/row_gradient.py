"""Gradients by rows: what a table gets that only sparse lookups use."""

from typing import Any

import jax
import jax.numpy as jnp

from ..._contracts.contracts import Array, Arrays
from ...engine.handle import Handle
from ...tensor._pytree import leaf
from ...tensor.sparse import RowTensor
from ...tensor.tensor import Tensor
from .._core.define import op

_SLOT = Handle._state  # where the base class keeps the state


@op(name="_dense_rows")
def _dense(indices: Array, values: Array, shape):
    return jnp.zeros(shape, values.dtype).at[indices].add(values, mode="drop")


@op(name="_joined_rows")
def _joined(indices: Arrays, values: Arrays):
    return jnp.concatenate(indices), jnp.concatenate(values)


class RowGradient(Tensor):
    """The gradient of a table of embeddings, as the rows that were looked up (`RowTensor`); repeated rows are added.

    The optimizers with a rule for sparse gradients (`LazyAdam`, `Adam`, `FTRL`, `ProximalAdagrad`) take these rows.
    For everything else it is the dense Tensor, which is computed when it is first read.
    """

    rows: Any
    _dense: Any

    __slots__ = ()

    @classmethod
    def of(cls, rows):
        """The gradient of these rows (RowTensor)."""
        gradient = cls.__new__(cls)
        gradient.rows, gradient._dense = rows, None
        return gradient

    @classmethod
    def joined(cls, indices, values, shape):
        """The gradient of several lookups in a table: lists of the numbers of their rows and of the rows."""
        if len(indices) > 1:
            return cls.of(RowTensor(*_joined(indices, values), shape=shape))
        return cls.of(RowTensor(*indices, *values, shape=shape))

    @property
    def _state(self):
        self._computed()
        return _SLOT.__get__(self)

    @_state.setter
    def _state(self, state):
        _SLOT.__set__(self, state)

    @property
    def _source(self):
        if self._dense is not None and self._state_() is not self._dense._state_():
            self.__class__ = Tensor  # something else was written to it
            del self.rows, self._dense
            return None
        return self.rows

    @property
    def aval(self):
        """``(shape, numpy dtype)``; known without computing anything."""
        return (self.rows.shape, self.rows.values.aval[1]) if self._dense is None else super().aval

    def dense(self):
        """The dense Tensor."""
        return self if self._source is None else self._computed()

    def _computed(self):
        if self._dense is None:
            self._dense = _dense(*self.rows.items(), shape=self.rows.shape)
            _SLOT.__set__(self, self._dense._state)
        return self._dense

    @property
    def indices(self):
        """The number of each row, a Tensor of one axis."""
        return self.rows.indices

    @property
    def dense_shape(self):
        """The shape of the table."""
        return self.rows.shape

    def _share_(self, buffer=None):
        """A writable host buffer with the value of this Tensor; writes to it are not seen here, where the rows are."""
        return Tensor._wrap(self._state_())._share_(buffer)

    def __reduce__(self):
        return Tensor(self).__reduce__()


def with_rows(gradients):
    """The gradients (a list or tuple), each RowTensor among them as a `RowGradient`."""
    return [RowGradient.of(each) if type(each) is RowTensor else each for each in gradients]


def as_dense(gradients):
    """The gradients (a list or tuple), each RowTensor and each `RowGradient` among them as a dense Tensor."""
    return [each.dense() if type(each) is RowGradient else each for each in with_rows(gradients)]


def through_rows(fn, gradients, *others):
    """Maps gradients by ``fn``, a function of lists; of a `RowGradient` it gets the rows alone.

    Args:
        fn (callable): takes lists of Tensors, in order: gradients, and ``others``; returns new gradients.
        gradients (list): Tensors; a `RowGradient` comes back as one.
        others (list): lists of Parameters, one for each gradient, of which ``fn`` gets the same rows.
    """
    if RowGradient not in {*map(type, gradients)}:  # the usual case in C: it runs at each step, for each Parameter
        return fn(gradients, *others)
    sources = [each._source for each in gradients]
    values = [g if rows is None else rows.values for g, rows in zip(gradients, sources, strict=True)]
    others = [[of if rows is None else _rows_of(of, rows.indices) for of, rows in zip(each, sources, strict=True)]
              for each in others]  # fmt: skip
    results = zip(fn(values, *others), sources, strict=True)
    return [new if rows is None else RowGradient.of(rows.with_values(new)) for new, rows in results]


@op(name="_rows_of")
def _rows_of(table: Array, indices: Array):
    return table.at[indices].get(mode="fill", fill_value=0)


ROWS = frozenset((RowTensor, RowGradient))
jax.tree_util.register_pytree_node(
    RowGradient, lambda gradient: ((leaf(gradient),), None), lambda _, leaves: Tensor._wrap(leaves[0])
)
