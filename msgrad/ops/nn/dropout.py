"""Dropout of elements and of channels, RReLU, and Gumbel-softmax.

After ``mindspore.set_seed`` the random numbers equal MindSpore's; without a seed they are JAX's. Channel dropout is
never seeded, as in MindSpore: its numbers are the same in every process.
"""

import math
import numbers

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Axis, Bool, Fraction, Ints, NonNegativeInt, Real
from ..._contracts.kinds import Scalar, Static, TensorOf
from ..._random.distributions import ChannelStates, UniformStates
from ...engine import dtypes, random
from ...engine.calls.staging import current_graph
from ...engine.random import Draw
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._core.faces import primitive
from ..index.selection import where
from ..random import functions
from ..random.kernels import doubles_of_state, draw, draw_as, is_key, keyed, uniform_of_state
from ..random.primitives import Drawing
from .softmax import softmax

_FLOATS = TensorOf("bfloat16", "float16", "float32", "float64")
_SIGNED = TensorOf("bfloat16", "float16", "float32", "float64", "int32", "int64")


def _over(x, keep_prob):
    """``x * (1 / keep_prob)``, at least in float32: in half precision 0.9 alone would be off by 0.02 to 0.2 percent."""
    wide = jnp.promote_types(x.dtype, jnp.float32)
    return (x.astype(wide) * (1 / keep_prob.astype(wide))).astype(x.dtype)


@op(name="_dropout_kernel")
def _dropout_kernel(x: Array, key: Array, keep_prob: Scalar(), shared=(), seed=None):
    """``x / keep_prob`` where kept, else 0, and the mask; elements along the axes ``shared`` are dropped together."""
    shape = [1 if axis in shared else length for axis, length in enumerate(x.shape)]
    if is_key(key):
        stays = jax.random.bernoulli(keyed(key, seed), keep_prob, shape)
    elif shared:
        stays = doubles_of_state(key, shape) < keep_prob.astype(jnp.float32)
    else:
        stays = uniform_of_state(key, shape) < keep_prob.astype(jnp.float32)
    stays = jnp.broadcast_to(stays, x.shape)
    # With keep_prob 0 nothing is kept; the divisor only must not be 0.
    scaled = _over(x, jnp.where(keep_prob > 0, keep_prob, 1))
    return jnp.where(stays, scaled, jnp.zeros_like(x)), stays


@composite()
def dropout(input: Array, p: Real = 0.5, training: Bool = True, seed: NonNegativeInt | None = None):
    """Dropout: sets elements to 0 with probability ``p`` and divides the others by ``1 - p``.

    Args:
        input (Tensor): any shape, a float dtype; any dtype where ``training`` is False.
        p (float): the probability, in ``[0, 1)``. Default: ``0.5``.
        training (bool): if False, ``input`` is returned itself. Default: ``True``.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  RuntimeError: if ``p`` is out of range.
    Example:
        >>> ops.dropout(Tensor([1.0]), p=0.5, training=False).tolist()
        [1.0]
    Source: mindspore.ops.dropout
    """
    if not training:
        return input
    _check(input, p)
    return _dropout_kernel(input, draw_as("dropout", seed, UniformStates, input.shape), 1 - p, (), seed)[0]


def unseeded_dropout(input, p):
    """Dropout inside MindSpore's own functions: without a seed, and not counted among calls of `dropout`."""
    _check(input, p)
    return _dropout_kernel(input, draw(), 1 - p, ())[0]


def _check(input, p):
    _FLOATS.take(input, "input", "dropout")
    if not 0 <= p < 1:
        check.refuse(RuntimeError, "Dropout", "p", "in the range [0, 1)", p)


def _chance(value, arg_name, owner):
    if not 0 < check.number(value, arg_name, owner) <= 1:
        check.refuse(ValueError, owner, arg_name, "in the range (0, 1]", value)
    return value


class Dropout(
    Drawing,
    constructor="(keep_prob: Chance = 0.5, Seed0: NonNegativeInt = 0, Seed1: NonNegativeInt = 0)",
    further={"Chance": Static(_chance, numbers.Real)},
):
    """Dropout: sets elements to 0 and divides the others by ``keep_prob``; returns the mask too.

    Args:
        keep_prob (float): the probability of staying, in ``(0, 1]``. Default: ``0.5``.
        Seed0, Seed1 (int): if not both 0, the object draws from a stream of its own. Default: ``0``.
    Inputs:
        x (Tensor): any shape, a float dtype.
    Returns:
        tuple of two Tensors of the shape and dtype of ``x``: the result, and the mask (1 where kept).
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``keep_prob`` is out of range.
    Example:
        >>> ops.Dropout(1.0)(Tensor([2.0]))[1].tolist()
        [1.0]
    Source: mindspore.ops.Dropout
    """

    def __call__(self, x: _FLOATS):
        # MindSpore makes an engine for each shape and dtype.
        dropped, stays = _dropout_kernel(x, self._draw(UniformStates, x.shape, x.dtype), self.keep_prob)
        return dropped, stays.astype(dropped.dtype)

    def _seeds(self):
        return self.Seed0, self.Seed1


def _channels(input, keep_prob, rank, owner, shared):
    """Dropout of whole channels: the elements along the axes ``shared`` are dropped together."""
    if input.ndim != rank:
        check.refuse(ValueError, owner, "input", f"of {rank} axes", input)
    if not 0 <= keep_prob <= 1:
        check.refuse(ValueError, owner, "keep_prob", "in the range [0, 1]", keep_prob)
    channels = (math.prod(length for axis, length in enumerate(input.shape) if axis not in shared),)

    what = owner, keep_prob, input.shape

    def stream():
        graph = current_graph()
        if graph is not None:
            return graph.kept(what, lambda: ChannelStates((0, 0), channels))
        return ChannelStates.eager(keep_prob, _padded(input.shape), input.dtype, channels)

    return _dropout_kernel(input, Draw.of(stream, *what), keep_prob, shared)


def _padded(shape):
    """The shape of four axes that `dropout1d` gives its input."""
    return (*(1,) * (3 - len(shape)), *shape, *(1,) * (len(shape) < 4))


@composite()
def dropout1d(input: Array, p: Real = 0.5, training: Bool = True):
    """Dropout of channels: sets them to 0 with probability ``p`` and divides the others by ``1 - p``.

    Args:
        input (Tensor): shape ``(N, C, L)`` or ``(C, L)``, a float dtype.
        p (float): the probability, in ``[0, 1]``. Default: ``0.5``.
        training (bool): if False, ``input`` is returned itself. Default: ``True``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another rank, or if ``p`` is out of range.
    Example:
        >>> ops.dropout1d(ops.ones((1, 2, 3)), p=1.0).tolist()
        [[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]]
    Source: mindspore.ops.dropout1d
    """
    if not training:
        return input
    if input.ndim not in (2, 3):
        check.refuse(ValueError, "dropout1d", "input", "of 2 or 3 axes", input)
    return _channels(input, 1 - p, input.ndim, "dropout1d", (input.ndim - 1,))[0]


@composite()
def dropout2d(input: Array, p: Real = 0.5, training: Bool = True):
    """Dropout of channels: sets them to 0 with probability ``p`` and divides the others by ``1 - p``.

    Args:
        input (Tensor): shape ``(N, C, H, W)``, a float dtype.
        p (float): the probability, in ``[0, 1]``. Default: ``0.5``.
        training (bool): if False, ``input`` is returned itself. Default: ``True``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another rank, or if ``p`` is out of range.
    Example:
        >>> ops.dropout2d(ops.ones((1, 1, 1, 2)), p=1.0).tolist()
        [[[[0.0, 0.0]]]]
    Source: mindspore.ops.dropout2d
    """
    return _channels(input, 1 - p, 4, "Dropout2D", (2, 3))[0] if training else input


@composite()
def dropout3d(input: Array, p: Real = 0.5, training: Bool = True):
    """Dropout of channels: sets them to 0 with probability ``p`` and divides the others by ``1 - p``.

    Args:
        input (Tensor): shape ``(N, C, D, H, W)``, a float dtype.
        p (float): the probability, in ``[0, 1]``. Default: ``0.5``.
        training (bool): if False, ``input`` is returned itself. Default: ``True``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another rank, or if ``p`` is out of range.
    Example:
        >>> ops.dropout3d(ops.ones((1, 1, 1, 1, 2)), p=1.0).tolist()
        [[[[[0.0, 0.0]]]]]
    Source: mindspore.ops.dropout3d
    """
    return _channels(input, 1 - p, 5, "Dropout3D", (2, 3, 4))[0] if training else input


@composite(name="_dropout2d_with_mask")
def _dropout2d_with_mask(x: Array, keep_prob: Fraction = 0.5):
    """Dropout of channels, with its mask.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, a float dtype.
        keep_prob (float): the probability of staying, in ``[0, 1]``. Default: ``0.5``.
    Returns:
        tuple of two Tensors of the shape of ``x``: the result, and (bool) what stays.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another rank, or if ``keep_prob`` is out of range.
    Example:
        >>> ops.Dropout2D(1.0)(ops.ones((1, 1, 1, 2)))[1].tolist()
        [[[[True, True]]]]
    Source: mindspore.ops.Dropout2D
    """
    return _channels(x, keep_prob, 4, "Dropout2D", (2, 3))


@composite(name="_dropout3d_with_mask")
def _dropout3d_with_mask(x: Array, keep_prob: Fraction = 0.5):
    """Dropout of channels, with its mask.

    Args:
        x (Tensor): shape ``(N, C, D, H, W)``, a float dtype.
        keep_prob (float): the probability of staying, in ``[0, 1]``. Default: ``0.5``.
    Returns:
        tuple of two Tensors of the shape of ``x``: the result, and (bool) what stays.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another rank, or if ``keep_prob`` is out of range.
    Example:
        >>> ops.Dropout3D(1.0)(ops.ones((1, 1, 1, 1, 2)))[1].tolist()
        [[[[[True, True]]]]]
    Source: mindspore.ops.Dropout3D
    """
    return _channels(x, keep_prob, 5, "Dropout3D", (2, 3, 4))


primitive(_dropout2d_with_mask, "Dropout2D(keep_prob=0.5)")
primitive(_dropout3d_with_mask, "Dropout3D(keep_prob=0.5)")


@op(name="_pack_mask")
def _pack_mask(key: Array, keep_prob: Array, shape):
    count = -(-int(np.prod(shape)) // 128) * 128  # MindSpore's masks are whole blocks of 128 bits
    stays = jax.random.bernoulli(keyed(key), keep_prob, (count,))
    return jnp.packbits(stays, bitorder="little")


@composite(name="_dropout_mask")
def _dropout_mask(shape: Ints, keep_prob: Array, Seed0: NonNegativeInt = 0, Seed1: NonNegativeInt = 0):
    """A mask for `DropoutDoMask`, one bit for each element.

    Args:
        shape (tuple[int]): of what is to be masked.
        keep_prob (Tensor): the probability of staying, of rank 0.
        Seed0, Seed1 (int): if not both 0, each call gives the same mask. Default: ``0``.
    Returns:
        Tensor of uint8, of one axis.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a seed is negative.
    Example:
        >>> ops.DropoutGenMask()((2, 3), Tensor(1.0)).shape
        (16,)
    Source: mindspore.ops.DropoutGenMask
    """
    key = random.Generator(Seed0 + (Seed1 << 32)).next_key() if Seed0 or Seed1 else draw()
    return _pack_mask(key, keep_prob, shape)


@op("DropoutDoMask()", name="_dropout_by_mask")
def _dropout_by_mask(input_x: Array, mask: Array, keep_prob: Array):
    """``input_x / keep_prob`` where a mask of `DropoutGenMask` lets it stay, else 0.

    Args:
        input_x (Tensor): any shape, a float dtype.
        mask (Tensor): of uint8.
        keep_prob (Tensor): the probability of staying, of rank 0.
    Returns:
        Tensor of the shape and dtype of ``input_x``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if the mask has too few bits.
    Example:
        >>> mask = ops.DropoutGenMask()((2,), Tensor(1.0))
        >>> ops.DropoutDoMask()(Tensor([1.0, 2.0]), mask, Tensor(1.0)).tolist()
        [1.0, 2.0]
    Source: mindspore.ops.DropoutDoMask
    """
    if mask.size * 8 < input_x.size:
        check.refuse(ValueError, "DropoutDoMask", "mask", f"of at least {input_x.size} bits", mask.shape)
    stays = jnp.unpackbits(mask, count=input_x.size, bitorder="little").reshape(input_x.shape)
    return jnp.where(stays == 1, _over(input_x, keep_prob), 0).astype(input_x.dtype)


primitive(_dropout_mask, "DropoutGenMask(Seed0=0, Seed1=0)(shape, keep_prob)")


@composite()
def rrelu(input: _SIGNED, lower: Real = 1.0 / 8, upper: Real = 1.0 / 3):
    """Randomized leaky ReLU: ``x`` for ``x >= 0``, otherwise ``x`` times a random slope for each element.

    Args:
        input (Tensor): any shape, a float dtype, int32 or int64 (of which slopes are ints, too).
        lower, upper (int | float): the bounds of the slopes. Default: ``1 / 8`` and ``1 / 3``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``lower`` is above ``upper``.
    Example:
        >>> ops.rrelu(Tensor([-1.0, 2.0]), 0.5, 0.5).tolist()
        [-0.5, 2.0]
    Source: mindspore.ops.rrelu
    """
    if lower > upper:
        check.refuse(ValueError, "rrelu", "upper", f"at least 'lower', {lower}", upper)
    slopes = functions.uniform(input.shape, Tensor(lower, dtypes.float32), Tensor(upper, dtypes.float32))
    return where(input < 0, input * slopes.astype(input.dtype), input)


@op(name="_sampled")
def _sampled(logits: Array, drawn: Array, tau: Scalar(), hard, dim):
    # Below 1, for there the double logarithm is infinite.
    drawn = jnp.minimum(drawn, np.nextafter(np.float32(1), np.float32(0))).astype(logits.dtype)
    soft = softmax((logits - jnp.log(-jnp.log(drawn))) / tau, dim)
    if not hard:
        return soft
    chosen = jax.nn.one_hot(jnp.argmax(soft, dim), soft.shape[dim], dtype=soft.dtype, axis=dim)
    return chosen + soft - jax.lax.stop_gradient(soft)  # straight-through: one-hot, with the gradient of `soft`


@composite()
def gumbel_softmax(logits: _FLOATS, tau: Real = 1.0, hard: Bool = False, dim: Axis = -1):
    """A random sample of the distribution `softmax` gives, relaxed so that it has a derivative.

    Args:
        logits (Tensor): scores, any shape, a float dtype.
        tau (float): the temperature, above 0; near 0 the samples are near one-hot. Default: ``1.0``.
        hard (bool): whether samples are one-hot, with the derivative of the relaxed ones. Default: ``False``.
        dim (int): the axis of the classes. Default: ``-1``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``tau`` is not above 0, or there is no such axis.
    Example:
        >>> ops.gumbel_softmax(Tensor([0.0, 100.0]), hard=True).tolist()
        [0.0, 1.0]
    Source: mindspore.ops.gumbel_softmax
    """
    if tau <= 0:
        check.refuse(ValueError, "gumbel_softmax", "tau", "above 0", tau)
    drawn = functions.uniform_as("uniform", logits.shape, None)
    return _sampled(logits, drawn, tau, hard, check.axis(dim, logits.ndim, "dim", "gumbel_softmax"))
