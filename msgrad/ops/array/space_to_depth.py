"""Space to depth, pixel shuffle, space to batch: blocks of the last axes moved into channels or the batch, and back."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array
from ..._contracts.kinds import Static, concrete
from .._core.define import composite, op
from .._core.faces import primitive


def _check_block(x, block_size, name):
    if x.ndim != 4:
        check.refuse(ValueError, name, "x", "of four axes", x)


def _block_size(value, arg_name, owner):
    if check.positive_int(value, arg_name, owner) < 2:
        check.refuse(ValueError, owner, arg_name, "at least 2", value)
    return int(value)


BlockSize = Static(_block_size, int)


@op("SpaceToDepth(block_size)", name="_space_to_depth")
def _space_to_depth(x: Array, block_size: BlockSize):
    """Space to depth: moves square blocks of pixels into channels.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, any dtype.
        block_size (int): at least 2; divides ``H`` and ``W``.
    Returns:
        Tensor of shape ``(N, C * block_size ** 2, H // block_size, W // block_size)``.
    Raises:
        TypeError: if ``block_size`` is not an int.  ValueError: if it is less than 2, or the shape does not fit.
    Example:
        >>> ops.SpaceToDepth(2)(ops.ones((1, 1, 4, 4))).shape
        (1, 4, 2, 2)
    Source: mindspore.ops.SpaceToDepth
    """
    _check_block(x, block_size, "SpaceToDepth")
    n, c, h, w = x.shape
    if h % block_size or w % block_size:
        check.refuse(ValueError, "SpaceToDepth", "x", f"of last lengths that {block_size} divides", x)
    blocks = x.reshape(n, c, h // block_size, block_size, w // block_size, block_size)
    return blocks.transpose(0, 3, 5, 1, 2, 4).reshape(n, c * block_size**2, h // block_size, w // block_size)


@op("DepthToSpace(block_size)", name="_depth_to_space")
def _depth_to_space(x: Array, block_size: BlockSize):
    """Depth to space: moves channels into square blocks of pixels.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, any dtype.
        block_size (int): at least 2; its square divides ``C``.
    Returns:
        Tensor of shape ``(N, C // block_size ** 2, H * block_size, W * block_size)``.
    Raises:
        TypeError: if ``block_size`` is not an int.  ValueError: if it is less than 2, or the shape does not fit.
    Example:
        >>> ops.DepthToSpace(2)(ops.ones((1, 4, 2, 2))).shape
        (1, 1, 4, 4)
    Source: mindspore.ops.DepthToSpace
    """
    _check_block(x, block_size, "DepthToSpace")
    n, c, h, w = x.shape
    if c % block_size**2:
        check.refuse(ValueError, "DepthToSpace", "x", f"of channels that {block_size**2} divides", x)
    blocks = x.reshape(n, block_size, block_size, c // block_size**2, h, w)
    return blocks.transpose(0, 3, 4, 1, 5, 2).reshape(n, c // block_size**2, h * block_size, w * block_size)


# -- into the batch -------------------------------------------------------------------------------------------------


def _block(block_size, edges, x, words, name):
    """The lengths of blocks and the widths at their edges, a pair for each of the last axes."""
    block, edges = concrete(block_size), concrete(edges)
    pairs = tuple([check.ints(pair, words[1], name) for pair in edges])
    block = (block,) * len(pairs) if isinstance(block, int) else check.ints(block, words[0], name)
    if min(block, default=1) < 1:
        check.refuse(ValueError, name, words[0], "made of positive lengths", block)
    if len(pairs) != len(block) or any(len(pair) != 2 or min(pair) < 0 for pair in pairs):
        check.refuse(ValueError, name, words[1], f"a pair of non-negative widths for each of {len(block)} axes", pairs)
    if len(x.aval[0]) <= len(block):
        check.refuse(ValueError, name, "input_x", f"of more than {len(block)} axes", x)
    return block, pairs


@op()
def _into_batch(x: Array, block, widths):
    rank, spatial = x.ndim, len(block)
    x = jnp.pad(x, [(0, 0)] * (rank - spatial) + list(widths))
    lead, last = x.shape[: rank - spatial], x.shape[rank - spatial :]
    if any(length % size for length, size in zip(last, block, strict=True)):
        check.refuse(
            ValueError, "SpaceToBatchND", "paddings", f"widths with which {block} divides the last axes", widths
        )
    split = [part for length, size in zip(last, block, strict=True) for part in (length // size, size)]
    x = x.reshape(*lead, *split)
    inside = [len(lead) + 2 * k + 1 for k in range(spatial)]
    x = jnp.moveaxis(x, inside, range(spatial))
    return x.reshape(-1, *lead[1:], *[length // size for length, size in zip(last, block, strict=True)])


@op()
def _out_of_batch(x: Array, block, crops):
    spatial, size = len(block), 1
    for length in block:
        size *= length
    if x.shape[0] % size:
        check.refuse(ValueError, "BatchToSpaceND", "input_x", f"of a batch that {size} divides", x)
    lead, last = x.shape[1 : x.ndim - spatial], x.shape[x.ndim - spatial :]
    x = x.reshape(*block, x.shape[0] // size, *lead, *last)
    first = 1 + len(lead)  # of the remaining axes
    x = jnp.moveaxis(x, range(spatial), [first + 2 * k + 1 for k in range(spatial)])
    joined = [length * step for length, step in zip(last, block, strict=True)]
    x = x.reshape(*x.shape[:first], *joined)
    crop = [slice(a, length - b) for length, (a, b) in zip(joined, crops, strict=True)]
    return x[(..., *crop)]


@composite()
def space_to_batch_nd(input_x: Array, block_size, paddings):
    """Space to batch: moves blocks of the last axes into the batch.

    Args:
        input_x (Tensor): shape ``(N, ..., *S)``, any dtype.
        block_size (int | tuple[int] | list[int]): the lengths of the blocks, for each axis of ``*S``; one for all.
        paddings (tuple | list): how many zeros to put before and after, a pair for each axis of ``*S``.
    Returns:
        Tensor whose first axis is longer by the number of elements in a block, while those of ``*S`` are shorter.
    Raises:
        TypeError: if the arguments are not made of ints.  ValueError: if shapes do not fit.
    Example:
        >>> ops.space_to_batch_nd(ops.ones((1, 1, 4, 4)), [2, 2], [[0, 0], [0, 0]]).shape
        (4, 1, 2, 2)
    Source: mindspore.ops.space_to_batch_nd, mindspore.ops.SpaceToBatchND
    """
    return _into_batch(input_x, *_block(block_size, paddings, input_x, ("block_size", "paddings"), "SpaceToBatchND"))


primitive(
    space_to_batch_nd, "SpaceToBatchND(block_shape: PositiveInts, paddings: Pairs)(input_x)", block_shape="block_size"
)
primitive(space_to_batch_nd, "SpaceToBatch(block_size: PositiveInt, paddings: Pairs)(input_x)")


@composite()
def batch_to_space_nd(input_x: Array, block_shape, crops):
    """Batch to space: moves parts of the batch into blocks of the last axes.

    Args:
        input_x (Tensor): shape ``(N, ..., *S)``, any dtype.
        block_shape (int | tuple[int] | list[int]): the lengths of the blocks, for each axis of ``*S``; one for all.
        crops (tuple | list): how many elements to cut off before and after, a pair for each axis of ``*S``.
    Returns:
        Tensor whose first axis is shorter by the number of elements in a block, while those of ``*S`` are longer.
    Raises:
        TypeError: if the arguments are not made of ints.  ValueError: if shapes do not fit.
    Example:
        >>> ops.batch_to_space_nd(ops.ones((4, 1, 2, 2)), [2, 2], [[0, 0], [0, 1]]).shape
        (1, 1, 4, 3)
    Source: mindspore.ops.batch_to_space_nd, mindspore.ops.BatchToSpaceND
    """
    return _out_of_batch(input_x, *_block(block_shape, crops, input_x, ("block_shape", "crops"), "BatchToSpaceND"))


primitive(batch_to_space_nd, "BatchToSpaceND(block_shape: PositiveInts, crops: Pairs)(input_x)")
primitive(batch_to_space_nd, "BatchToSpaceNDV2()(input_x, block_shape, crops)")
primitive(batch_to_space_nd, "BatchToSpace(block_size: PositiveInt, crops: Pairs)(input_x)", block_size="block_shape")
