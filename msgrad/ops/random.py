"""Random numbers. Every operation takes its key as an operand, so compiled programs draw fresh numbers.

Streams follow ``mindspore.set_seed``; the numbers are JAX's, not MindSpore's.
"""

import jax
import jax.numpy as jnp
import numpy as np

from ..engine import dtypes, random
from ..engine.handle import Handle
from ..engine.staging import Draw
from ..tensor.tensor import Tensor
from . import check
from .array import int_tuple, spread
from .cast import cast
from .contracts import Array, concrete
from .define import composite, op
from .faces import PRIMITIVES
from .primitive import Primitive
from .sequences import arange

# -- kernels --------------------------------------------------------------------------------------------------------


def _key(key, seed):
    key = jax.random.wrap_key_data(key)
    return key if seed is None else jax.random.fold_in(key, seed % (1 << 32))


@op()
def _normal(key: Array, shape, dtype, seed=None):
    return jax.random.normal(_key(key, seed), shape, dtype)


@op()
def _uniform(key: Array, shape, dtype, seed=None):
    return jax.random.uniform(_key(key, seed), shape, dtype)


@op()
def _integers(key: Array, low: Array, high: Array, shape, dtype, seed=None):
    return jax.random.randint(_key(key, seed), shape, low, high, dtype)


@op()
def _laplace(key: Array, shape, seed=None):
    return jax.random.laplace(_key(key, seed), shape, np.float32)


@op()
def _gamma(key: Array, alpha: Array, shape, seed=None):
    return jax.random.gamma(_key(key, seed), alpha, shape, np.float32)


@op()
def _poisson(key: Array, rate: Array, shape, dtype, seed=None):
    return jax.random.poisson(_key(key, seed), rate, shape).astype(dtype)


@op()
def _permuted(key: Array, x: Array, seed=None):
    return jax.random.permutation(_key(key, seed), x)


@op()
def _chosen(key: Array, weights: Array, count, replacement, seed=None):
    key, logits = _key(key, seed), jnp.log(weights.astype(np.float32))
    if replacement:
        picks = jax.random.categorical(key, logits, shape=(count, *weights.shape[:-1]))
        return jnp.moveaxis(picks, 0, -1).astype(np.int32)
    # The order of independent exponential arrival times is a draw without replacement.
    race = logits + jax.random.gumbel(key, weights.shape, np.float32)
    return jax.lax.top_k(race, count)[1].astype(np.int32)


@op()
def _is_chosen(key: Array, p: Array, shape, dtype):
    return (jax.random.uniform(_key(key, None), shape) < p).astype(dtype)


def _draw():
    return Draw.of(random.default_generator)


def _fixed(seed):
    """The key of operations whose seed alone decides, at each call again."""
    return Tensor(random.Generator(seed).next_key())


def _seed(seed, name):
    return None if seed is None else check.non_negative_int(seed, "seed", name)


def _shape(shape, name):
    shape = int_tuple(concrete(shape), "shape", name)
    for length in shape:
        if length < 0:
            raise ValueError(f"For '{name}', the lengths in 'shape' must not be negative, but got {shape}.")
    return shape


def _dtype(dtype, kind, default, name):
    if dtype is None:
        return default
    if not isinstance(dtype, dtypes.DType) or dtype.numpy is None or not jnp.issubdtype(dtype.numpy, kind):
        what = "a float" if kind is jnp.floating else "an int"
        raise ValueError(f"For '{name}', the 'dtype' must be {what} type, but got {dtype}.")
    return dtype.numpy


def _like(x, name):
    if not isinstance(x, Handle):
        raise TypeError(f"For '{name}', the 'input' must be a Tensor, but got {type(x).__name__}.")
    return x.aval


# -- distributions --------------------------------------------------------------------------------------------------


@composite()
def standard_normal(shape, seed=None):
    """Normally distributed numbers, mean 0 and standard deviation 1.

    Args:
        shape (int | tuple[int] | Tensor): of the result.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, float32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length or ``seed`` is negative.
    Example:
        >>> ops.standard_normal((2, 3)).shape
        (2, 3)
    Source: mindspore.ops.standard_normal
    """
    return _normal(_draw(), _shape(shape, "standard_normal"), np.dtype(np.float32), _seed(seed, "standard_normal"))


@composite()
def normal(shape, mean, stddev, seed=None):
    """Normally distributed numbers.

    Args:
        shape (int | tuple[int] | Tensor): it is broadcast with ``mean`` and ``stddev``.
        mean, stddev (Tensor | Number): the parameters.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, float32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.normal((2, 3), 0.0, 1.0).shape
        (2, 3)
    Source: mindspore.ops.normal
    """
    return standard_normal(shape, seed) * stddev + mean


@composite()
def uniform(shape, minval, maxval, seed=None, dtype=dtypes.float32):
    """Uniformly distributed numbers from ``minval`` to before ``maxval``.

    Args:
        shape (int | tuple[int] | Tensor): it is broadcast with the bounds.
        minval, maxval (Tensor): the bounds; of the dtype ``dtype``.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype): float32, or int32 for ints. Default: ``float32``.
    Returns:
        Tensor of dtype ``dtype``.
    Raises:
        TypeError: if a bound is no Tensor, or for another ``dtype``.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.uniform((2, 3), Tensor(0.0), Tensor(1.0)).shape
        (2, 3)
    Source: mindspore.ops.uniform
    """
    if not isinstance(minval, Handle) or not isinstance(maxval, Handle):
        raise TypeError("For functional operator[uniform], the input[minval] and input[maxval] must be a Tensor.")
    shape = _shape(shape, "uniform")
    if dtype is dtypes.int32:
        return _integers(_draw(), minval, maxval, shape, np.dtype(np.int32), _seed(seed, "uniform"))
    if dtype is not dtypes.float32:
        raise TypeError(f"For 'uniform', the 'dtype' must be float32 or int32, but got {dtype}.")
    return _uniform(_draw(), shape, np.dtype(np.float32), _seed(seed, "uniform")) * (maxval - minval) + minval


def _of_size(name, kernel, what, like_dtype=None):
    def drawn(*size, dtype=None, seed=None):
        shape = _shape(spread(size), name)
        return kernel(_draw(), shape, _dtype(dtype, jnp.floating, np.dtype(np.float32), name), _seed(seed, name))

    def drawn_like(input, seed=None, *, dtype=None):
        shape, own = _like(input, f"{name}_like")
        dtype = _dtype(dtype or like_dtype or dtypes.of(own), jnp.floating, own, f"{name}_like")
        return kernel(_draw(), shape, dtype, _seed(seed, f"{name}_like"))

    drawn.__name__, drawn_like.__name__ = name, f"{name}_like"
    drawn.__doc__ = f"""{what}.

    Args:
        size (int, ... | tuple[int]): the shape.
        dtype (mindspore.dtype | None): a float dtype. Default: None, which is float32.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor.
    Raises:
        TypeError: if ``size`` is not made of ints.  ValueError: for another dtype, or a negative length or seed.
    Example:
        >>> ops.{name}(2, 3).shape
        (2, 3)
    Source: mindspore.ops.{name}
    """
    drawn_like.__doc__ = f"""{what}, in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype | None): a float dtype. Default: None, {like_dtype or "that of ``input``"}.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        TypeError: if ``input`` is no Tensor.  ValueError: for another dtype, or a negative seed.
    Example:
        >>> ops.{name}_like(Tensor([1.0])).shape
        (1,)
    Source: mindspore.ops.{name}_like
    """
    composite()(drawn)
    composite()(drawn_like)


_of_size("rand", _uniform, "Uniformly distributed numbers from 0 to before 1")
_of_size("randn", _normal, "Normally distributed numbers, mean 0 and standard deviation 1", dtypes.float32)


def _random_ints(low, high, shape, dtype, seed, name):
    low, high = check.integer(concrete(low), "low", name), check.integer(concrete(high), "high", name)
    if low >= high:
        raise RuntimeError(f"For 'Random', invalid min/max values: ({low}/{high})")
    bounds = cast(low, dtypes.int64), cast(high, dtypes.int64)
    return _integers(_draw(), *bounds, shape, dtype, _seed(seed, name))


@composite()
def randint(low, high, size, seed=None, *, dtype=None):
    """Uniformly distributed ints from ``low`` to before ``high``.

    Args:
        low, high (int): the bounds.
        size (tuple[int]): the shape.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype | None): an int dtype. Default: None, which is int64.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another dtype.  RuntimeError: unless ``low < high``.
    Example:
        >>> ops.randint(3, 4, (2,)).tolist()
        [3, 3]
    Source: mindspore.ops.randint
    """
    dtype = _dtype(dtype, jnp.integer, np.dtype(np.int64), "randint")
    return _random_ints(low, high, _shape(size, "randint"), dtype, seed, "randint")


@composite()
def randint_like(input, low, high, seed=None, *, dtype=None):
    """Uniformly distributed ints from ``low`` to before ``high``, in the shape of a Tensor.

    Args:
        input (Tensor): any shape, an int dtype unless ``dtype`` is given.
        low, high (int): the bounds.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype | None): an int dtype. Default: None, that of ``input``.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        TypeError, ValueError, RuntimeError: as for `randint`.
    Example:
        >>> ops.randint_like(Tensor([1, 2]), 3, 4).tolist()
        [3, 3]
    Source: mindspore.ops.randint_like
    """
    shape, own = _like(input, "randint_like")
    dtype = _dtype(dtypes.of(own) if dtype is None else dtype, jnp.integer, own, "randint_like")
    return _random_ints(low, high, shape, dtype, seed, "randint_like")


@composite()
def randperm(n, seed=0, offset=0, dtype=dtypes.int64):
    """The numbers from 0 to before ``n`` in random order.

    Args:
        n (int | Tensor): how many.
        seed (int): it fixes the order; with -1 each call gives another one, following ``set_seed``. Default: ``0``.
        offset (int): takes the place of ``seed`` where it is not 0. Default: ``0``.
        dtype (mindspore.dtype): Default: ``int64``.
    Returns:
        Tensor of shape ``(n,)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``n`` or ``offset`` is negative.
    Example:
        >>> sorted(ops.randperm(3).tolist())
        [0, 1, 2]
    Source: mindspore.ops.randperm
    """
    n = check.non_negative_int(concrete(n), "n", "randperm")
    numbers = arange(n, dtype=dtype)
    seed = check.non_negative_int(offset, "offset", "randperm") or check.integer(seed, "seed", "randperm")
    return _permuted(_draw() if seed == -1 else _fixed(seed), numbers)


@composite()
def laplace(shape, mean, lambda_param, seed=None):
    """Numbers of the Laplace distribution.

    Args:
        shape (tuple[int]): it is broadcast with the parameters.
        mean, lambda_param (Tensor): location and scale, float32.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, float32.
    Raises:
        TypeError: if a parameter is no Tensor.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.laplace((2,), Tensor(0.0), Tensor(1.0)).shape
        (2,)
    Source: mindspore.ops.laplace
    """
    _like(mean, "laplace")
    _like(lambda_param, "laplace")
    return _laplace(_draw(), _shape(shape, "laplace"), _seed(seed, "laplace")) * lambda_param + mean


@composite()
def gamma(shape, alpha, beta, seed=None):
    """Numbers of the gamma distribution.

    Args:
        shape (tuple[int]): it is broadcast with the parameters.
        alpha, beta (Tensor): shape and inverse scale, float32.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, float32.
    Raises:
        TypeError: if a parameter is no Tensor.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.gamma((2,), Tensor([1.0]), Tensor([2.0])).shape
        (2,)
    Source: mindspore.ops.gamma
    """
    shape = np.broadcast_shapes(_shape(shape, "gamma"), _like(alpha, "gamma")[0], _like(beta, "gamma")[0])
    return _gamma(_draw(), alpha, shape, _seed(seed, "gamma")) / beta


@composite()
def random_poisson(shape, rate, seed=None, dtype=dtypes.float32):
    """Numbers of the Poisson distribution.

    Args:
        shape (tuple[int] | Tensor): it goes before the shape of ``rate``.
        rate (Tensor): the means.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype): Default: ``float32``.
    Returns:
        Tensor of shape ``shape + rate.shape``.
    Raises:
        TypeError: if ``rate`` is no Tensor.
    Example:
        >>> ops.random_poisson((2,), Tensor(1.0)).shape
        (2,)
    Source: mindspore.ops.random_poisson
    """
    whole = _shape(shape, "random_poisson") + _like(rate, "random_poisson")[0]
    return _poisson(_draw(), rate, whole, dtype.numpy, _seed(seed, "random_poisson"))


@composite(method="multinomial")
def multinomial(input, num_samples, replacement=True, seed=None):
    """Draws positions along the last axis with given weights.

    Args:
        input (Tensor): shape ``(M,)`` or ``(N, M)``, weights that are not negative.
        num_samples (int): how many for each row.
        replacement (bool): whether a position may come twice. Default: ``True``.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor of shape ``(num_samples,)`` or ``(N, num_samples)``, int32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few positions to draw from.
    Example:
        >>> ops.multinomial(Tensor([0.0, 1.0]), 2).tolist()
        [1, 1]
    Source: mindspore.ops.multinomial, mindspore.Tensor.multinomial
    """
    shape, _ = _like(input, "multinomial")
    check.non_negative_int(num_samples, "num_samples", "multinomial")
    if not check.boolean(replacement, "replacement", "multinomial") and num_samples > shape[-1]:
        raise ValueError(
            "For 'multinomial', the 'num_samples' must be less than the last dimension of input without 'replacement', "
            f"but got 'num_samples': {num_samples} and 'replacement': {replacement}"
        )
    return _chosen(_draw(), input, num_samples, replacement, _seed(seed, "multinomial"))


@composite()
def bernoulli(input, p=0.5, seed=None):
    """Ones with probability ``p``, else zeros.

    Args:
        input (Tensor): gives shape and dtype.
        p (Tensor | float): the probability, in ``[0, 1]``; a Tensor broadcasts. Default: ``0.5``.
        seed (int | None): fixes the numbers. Default: None: each call gives others, as for -1.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if ``input`` is no Tensor.  ValueError: if ``p`` is out of range.
    Example:
        >>> ops.bernoulli(Tensor([5.0]), 1.0).tolist()
        [1.0]
    Source: mindspore.ops.bernoulli
    """
    shape, dtype = _like(input, "bernoulli")
    if not isinstance(p, Handle):
        if not 0 <= p <= 1:
            raise ValueError(f"For bernoulli, p should be in [0, 1], but got {p}.")
        p = cast(float(p), dtypes.float32)
    key = _draw() if seed in (None, -1) else _fixed(check.non_negative_int(seed, "seed", "bernoulli"))
    return _is_chosen(key, p, shape, dtype)


@composite()
def shuffle(x, seed=None):
    """The slices along the first axis in random order.

    Args:
        x (Tensor): any shape and dtype.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> sorted(ops.shuffle(Tensor([2, 1])).tolist())
        [1, 2]
    Source: mindspore.ops.shuffle
    """
    shape, _ = _like(x, "shuffle")
    return _permuted(_draw(), x, _seed(seed, "shuffle")) if shape else x


# -- Primitive classes: each object with a seed has a stream of its own ---------------------------------------------


class _Random(Primitive):
    def __init__(self, seed=0, seed2=0):
        super().__init__(type(self).__name__)
        self.seed = check.non_negative_int(seed, "seed", self.name)
        self.seed2 = check.non_negative_int(seed2, "seed2", self.name)
        self._stream = random.Generator(seed + (seed2 << 32)) if seed or seed2 else random.default_generator

    def _draw(self):
        return Draw.of(self._stream)


class StandardNormal(_Random):
    """Normally distributed numbers, mean 0 and standard deviation 1: ``(shape) -> float32``.

    Args:
        seed, seed2 (int): if not both 0, the object draws from a stream of its own. Default: ``0``.
    Example:
        >>> ops.StandardNormal(seed=2)((2, 3)).shape
        (2, 3)
    Source: mindspore.ops.StandardNormal
    """

    def __call__(self, shape):
        return _normal(self._draw(), _shape(shape, self.name), np.dtype(np.float32))


class StandardLaplace(_Random):
    """Numbers of the Laplace distribution, location 0 and scale 1: ``(shape) -> float32``.

    Args:
        seed, seed2 (int): if not both 0, the object draws from a stream of its own. Default: ``0``.
    Example:
        >>> ops.StandardLaplace(seed=2)((2, 3)).shape
        (2, 3)
    Source: mindspore.ops.StandardLaplace
    """

    def __call__(self, shape):
        return _laplace(self._draw(), _shape(shape, self.name))


class UniformReal(_Random):
    """Uniformly distributed numbers from 0 to before 1: ``(shape) -> float32``.

    Args:
        seed, seed2 (int): if not both 0, the object draws from a stream of its own. Default: ``0``.
    Example:
        >>> ops.UniformReal(seed=2)((2, 3)).shape
        (2, 3)
    Source: mindspore.ops.UniformReal
    """

    def __call__(self, shape):
        return _uniform(self._draw(), _shape(shape, self.name), np.dtype(np.float32))


class UniformInt(_Random):
    """Uniformly distributed ints: ``(shape, minval, maxval) -> int32``, the bounds int32 Tensors without axes.

    Args:
        seed, seed2 (int): if not both 0, the object draws from a stream of its own. Default: ``0``.
    Example:
        >>> ops.UniformInt(seed=2)((2,), Tensor(3, mindspore.int32), Tensor(4, mindspore.int32)).tolist()
        [3, 3]
    Source: mindspore.ops.UniformInt
    """

    def __call__(self, shape, minval, maxval):
        for bound in (minval, maxval):
            _like(bound, self.name)
        return _integers(self._draw(), minval, maxval, _shape(shape, self.name), np.dtype(np.int32))


PRIMITIVES.update({each.__name__: each for each in (StandardNormal, StandardLaplace, UniformReal, UniformInt)})
