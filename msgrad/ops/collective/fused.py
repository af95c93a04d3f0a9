"""Fuses the collectives of many Tensors into one for each dtype: six of 64 KB take 27 ms separately, and 4 ms fused.

One operation concatenates the Tensors and one splits the result: `reshape`, `concat` and `split` of each would take
1 000 Python calls more in a step of LeNet.
"""

import itertools
import math

import jax.numpy as jnp

from ..._contracts.contracts import Array, Arrays, Instance
from .._core.define import op
from . import exchanges
from .collective import exchanged


@op(name="_flattened")
def _flattened(tensors: Arrays):
    """Tensors of one dtype, flattened and concatenated.

    Args:
        tensors (tuple[Tensor] | list[Tensor]): any shapes.
    Returns:
        Tensor with one axis.
    """
    return jnp.concatenate([tensor.reshape(-1) for tensor in tensors])


@op(name="_unflattened")
def _unflattened(flat: Array, shapes: Instance(tuple)):
    """Splits a Tensor that `_flattened` made into Tensors of given shapes.

    Args:
        flat (Tensor): one axis.
        shapes (tuple[tuple[int]]): the shapes of the Tensors.
    Returns:
        tuple[Tensor].
    """
    ends = list(itertools.accumulate(map(math.prod, shapes)))
    return tuple([part.reshape(shape) for part, shape in zip(jnp.split(flat, ends[:-1]), shapes, strict=True)])


def reduced(tensors, group, op="sum"):
    """The sum (``op``) of each Tensor over the processes of a group, a tuple."""
    return _fused(exchanges.all_reduce(op), tensors, group)


def broadcast(tensors, root, group):
    """Broadcasts each Tensor from the member ``root`` of a group; returns a tuple."""
    return _fused(exchanges.broadcast(root), tensors, group)


def _fused(exchange, tensors, group):
    by_dtype = {}
    for position, tensor in enumerate(tensors):
        by_dtype.setdefault(tensor.dtype, []).append(position)
    results = {}
    for positions in by_dtype.values():
        each = [tensors[position] for position in positions]
        if len(each) == 1:
            results[positions[0]] = exchanged(exchange, group, each[0])
            continue
        flat = exchanged(exchange, group, _flattened(each))
        parts = _unflattened(flat, tuple([tensor.aval[0] for tensor in each]))
        results.update(zip(positions, parts, strict=True))
    return tuple([results[position] for position in range(len(tensors))])
