"""Random numbers. Every operation takes its key as an operand, so compiled programs draw new numbers at each call.

After ``mindspore.set_seed`` the numbers equal MindSpore's for the operations listed in docs/random.md; all others are
JAX's.
"""

import math

import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, Dtype, Int, Mask, NonNegativeInt, Operand, PositiveInt, Shape
from ..._contracts.doc import filled
from ..._contracts.kinds import accepted
from ..._random.distributions import (
    DoubleStates,
    Fractions,
    Integers,
    Normals,
    Orders,
    Places,
    Poissons,
    SameFractions,
    Uniforms,
    UniformStates,
)
from ..._random.shuffling import Picks
from ...engine import dtypes
from ...engine.handle import Handle
from ...tensor.tensor import Tensor
from .._core.define import composite
from .._core.families import body
from ..array.casting import cast
from ..array.creation import zeros
from . import kernels
from .kernels import Bound, FloatDtype, IntDtype, Seed, draw, draw_as

_FLOAT32 = np.dtype(np.float32)

_STANDARD = """{summary}

    Args:
        shape (int | tuple[int] | Tensor): of the result.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, float32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length or ``seed`` is negative.
    Example:
        >>> ops.{name}((2, 3)).shape
        (2, 3)
    Source: mindspore.ops.{name}
    """


def _standard(name, drawn, summary):
    """Defines the function of a distribution without parameters: ``drawn(shape, seed)``."""
    text = f"{name}(shape: Shape, seed: Seed = None)"
    definition = body(text, drawn, _STANDARD, {"Shape": Shape, "Seed": Seed}, summary=summary)
    return composite()(definition)


def normal_as(name, shape, seed, dtype=_FLOAT32):
    return kernels.normal(draw_as(name, seed, Normals, shape), shape, dtype, seed)


def uniform_as(name, shape, seed, dtype=_FLOAT32):
    return kernels.uniform(draw_as(name, seed, Uniforms, shape), shape, dtype, seed)


standard_normal = _standard(
    "standard_normal",
    lambda shape, seed: normal_as("standard_normal", shape, seed),
    "Normally distributed random numbers, mean 0 and standard deviation 1.",
)
standard_laplace = _standard(
    "standard_laplace",
    lambda shape, seed: kernels.laplace(draw_as("standard_laplace", seed, UniformStates, shape), shape, seed),
    "Random numbers of the Laplace distribution, location 0 and scale 1.",
)


@composite()
def normal(shape: Shape, mean: Operand, stddev: Operand, seed: Seed = None):
    """Normally distributed random numbers.

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
    return normal_as("normal", shape, seed) * stddev + mean


def _integers(name, low, high, shape, seed):
    """Int32 numbers; MindSpore's own where the bounds are known."""
    bounds = [kernels.known(bound) for bound in (low, high)]
    if any(bound is None or bound.size != 1 for bound in bounds) or bounds[0] >= bounds[1]:
        drawn = draw()
    else:
        drawn = draw_as(name, seed, Integers, shape, *[bound.item() for bound in bounds])
    return kernels.integers(drawn, low, high, shape, np.dtype(np.int32), seed)


@composite()
def uniform(shape: Shape, minval: Array, maxval: Array, seed: Seed = None, dtype: Dtype = dtypes.float32):
    """Uniformly distributed random numbers in ``[minval, maxval)``.

    Args:
        shape (int | tuple[int] | Tensor): it is broadcast with the bounds.
        minval, maxval (Tensor): the bounds; of the dtype ``dtype``.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype): float32, or int32 for ints. Default: ``float32``.
    Returns:
        Tensor of dtype ``dtype``.
    Raises:
        TypeError: if a bound is not a Tensor of dtype ``dtype``, or for another ``dtype``.  ValueError: if shapes do
            not broadcast.
    Example:
        >>> ops.uniform((2, 3), Tensor(0.0), Tensor(1.0)).shape
        (2, 3)
    Source: mindspore.ops.uniform
    """
    if dtype not in (dtypes.float32, dtypes.int32):
        check.refuse(TypeError, "uniform", "dtype", "mindspore.float32 or int32", dtype)
    for name, bound in (("minval", minval), ("maxval", maxval)):
        if bound.dtype != dtype:
            check.refuse(TypeError, "uniform", name, f"of the dtype given by 'dtype', {dtype}", bound)
    if dtype is dtypes.int32:
        whole = np.broadcast_shapes(shape, minval.shape, maxval.shape)
        return _integers("uniform", minval, maxval, whole, seed)
    return uniform_as("uniform", shape, seed) * (maxval - minval) + minval


_OF_SIZE = """{phrase}.

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
_LIKE = """{phrase}, in the shape of a Tensor.

    Args:
        input (Tensor): any shape and dtype.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype | None): a float dtype. Default: None, {default}.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        TypeError: if ``input`` is not a Tensor.  ValueError: for another dtype, or a negative seed.
    Example:
        >>> ops.{name}(Tensor([1.0])).shape
        (1,)
    Source: mindspore.ops.{name}
    """
_UNIFORM = "Uniformly distributed random numbers from 0 to before 1"
_NORMAL = "Normally distributed random numbers, mean 0 and standard deviation 1"


def _of_size(name, numbers, phrase):
    def drawn(*size, dtype=None, seed=None):
        size = size[0] if len(size) == 1 else size
        dtype = dtypes.float32 if dtype is None else FloatDtype.take(dtype, "dtype", name)
        shape, seed = accepted(Shape, size, "size", name), accepted(Seed, seed, "seed", name)
        return numbers(name, shape, seed, dtype.numpy)

    drawn.__name__, drawn.__doc__ = name, filled(_OF_SIZE, name=name, phrase=phrase)
    return composite()(drawn)


def _like(name, numbers, phrase, default, default_dtype=None):
    def drawn(input: Array, seed: Seed = None, *, dtype: Dtype | None = None):
        dtype = FloatDtype.take(dtype or default_dtype or input.dtype, "dtype", name)
        return numbers(name, input.shape, seed, dtype.numpy)

    drawn.__name__, drawn.__doc__ = name, filled(_LIKE, name=name, phrase=phrase, default=default)
    return composite()(drawn)


_of_size("rand", uniform_as, _UNIFORM)
_of_size("randn", normal_as, _NORMAL)
_like("rand_like", uniform_as, _UNIFORM, "that of ``input``")
_like("randn_like", normal_as, _NORMAL, "float32", dtypes.float32)


def ints_as(low, high, shape, dtype, seed, name):
    if low >= high:
        check.refuse(RuntimeError, name, "high", f"above 'low', {low}", high)
    is_32_bit = -(1 << 31) <= low and high < 1 << 31  # MindSpore takes no others
    key = draw_as(name, seed, Integers, shape, low, high) if is_32_bit else draw()
    bounds = cast(low, dtypes.int64), cast(high, dtypes.int64)
    return kernels.integers(key, *bounds, shape, dtype.numpy, seed, kernels.is_narrow_range(low, high))


@composite()
def randint(low: Bound, high: Bound, size: Shape, seed: Seed = None, *, dtype: IntDtype | None = None):
    """Uniformly distributed random ints in ``[low, high)``.

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
    return ints_as(low, high, size, dtype or dtypes.int64, seed, "randint")


@composite()
def randint_like(input: Array, low: Bound, high: Bound, seed: Seed = None, *, dtype: IntDtype | None = None):
    """Uniformly distributed random ints in ``[low, high)``, in the shape of a Tensor.

    Args:
        input (Tensor): any shape, an int dtype unless ``dtype`` is given.
        low, high (int): the bounds.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype | None): an int dtype. Default: None, that of ``input``.
    Returns:
        Tensor of the shape of ``input``.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another dtype.  RuntimeError: unless ``low < high``.
    Example:
        >>> ops.randint_like(Tensor([1, 2]), 3, 4).tolist()
        [3, 3]
    Source: mindspore.ops.randint_like
    """
    dtype = IntDtype.take(dtype or input.dtype, "dtype", "randint_like")
    return ints_as(low, high, input.shape, dtype, seed, "randint_like")


@composite()
def randperm(n: Bound, seed: Int = 0, offset: NonNegativeInt = 0, dtype: Dtype = dtypes.int64):
    """Random permutation of the integers in ``[0, n)``.

    Args:
        n (int | Tensor): how many.
        seed (int): it fixes the order; with -1 each call gives another one, following ``set_seed``. Default: ``0``.
        offset (int): replaces ``seed`` if it is not 0. Default: ``0``.
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
    count, seed = check.non_negative_int(n, "n", "randperm"), offset or seed
    if seed == -1:
        return kernels.permutation(draw(), count, dtype)
    return Tensor(Picks(seed).order(count)).astype(dtype)


@composite()
def laplace(shape: Shape, mean: Array, lambda_param: Array, seed: Seed = None):
    """Random numbers of the Laplace distribution.

    Args:
        shape (tuple[int]): it is broadcast with the parameters.
        mean, lambda_param (Tensor): location and scale, float32.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, float32.
    Raises:
        TypeError: if a parameter is not a Tensor.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.laplace((2,), Tensor(0.0), Tensor(1.0)).shape
        (2,)
    Source: mindspore.ops.laplace
    """
    return kernels.laplace(draw_as("laplace", seed, UniformStates, shape), shape, seed) * lambda_param + mean


@composite()
def gamma(shape: Shape, alpha: Array, beta: Array, seed: Seed = None):
    """Random numbers of the gamma distribution.

    Args:
        shape (tuple[int]): it is broadcast with the parameters.
        alpha, beta (Tensor): shape and inverse scale, float32.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, float32.
    Raises:
        TypeError: if a parameter is not a Tensor.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.gamma((2,), Tensor([1.0]), Tensor([2.0])).shape
        (2,)
    Source: mindspore.ops.gamma
    """
    whole = np.broadcast_shapes(shape, alpha.shape, beta.shape)
    return kernels.gamma(draw(), alpha, whole, np.dtype(np.float32), seed) / beta


@composite()
def random_gamma(shape: Array, alpha: Array, seed: Seed = None):
    """Random numbers of the gamma distribution of scale 1.

    Args:
        shape (Tensor): one axis of ints; it goes before the shape of ``alpha``.
        alpha (Tensor): the shape parameter, a float dtype.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor of shape ``shape + alpha.shape``, dtype of ``alpha``.
    Raises:
        TypeError: if an argument is not a Tensor.  ValueError: if a length is negative.
    Example:
        >>> ops.random_gamma(Tensor([2]), Tensor([1.0])).shape
        (2, 1)
    Source: mindspore.ops.random_gamma
    """
    whole = accepted(Shape, shape, "shape", "random_gamma") + alpha.shape
    drawn = draw_as("random_gamma", seed, Places, whole)
    return kernels.gamma(drawn, alpha, whole, alpha.dtype.numpy, seed)


@composite()
def poisson(shape: Shape, mean: Array, seed: Seed = None):
    """Random numbers of the Poisson distribution.

    Args:
        shape (tuple[int]): it is broadcast with the means.
        mean (Tensor): the means, float32.
        seed (int | None): picks another stream. Default: None.
    Returns:
        Tensor, int32.
    Raises:
        TypeError: if ``mean`` is not a Tensor.  ValueError: if shapes do not broadcast.
    Example:
        >>> ops.poisson((2, 1), Tensor([1.0, 2.0])).shape
        (2, 2)
    Source: mindspore.ops.poisson
    """
    return kernels.poisson(draw(), mean, np.broadcast_shapes(shape, mean.shape), np.dtype(np.int32), seed)


@composite()
def random_poisson(shape: Array, rate: Operand, seed: Seed = None, dtype: Dtype = dtypes.float32):
    """Random numbers of the Poisson distribution.

    Args:
        shape (Tensor): one axis of ints; it goes before the shape of ``rate``.
        rate (Tensor | Number): the means.
        seed (int | None): picks another stream. Default: None.
        dtype (mindspore.dtype): int32, int64 or a float dtype. Default: ``float32``.
    Returns:
        Tensor of shape ``shape + rate.shape``.
    Raises:
        TypeError: if ``shape`` is not a Tensor of ints, or for another dtype.
        ValueError: if it has not one axis, or a length is negative.
    Example:
        >>> ops.random_poisson(Tensor([2]), Tensor(1.0)).shape
        (2,)
    Source: mindspore.ops.random_poisson
    """
    if len(shape.shape) != 1:
        check.refuse(ValueError, "random_poisson", "shape", "a Tensor of one axis", shape)
    if dtype not in (dtypes.int32, dtypes.int64, dtypes.float16, dtypes.float32, dtypes.float64):
        check.refuse(TypeError, "random_poisson", "dtype", "int32, int64 or a float dtype", dtype)
    lead, rates = accepted(Shape, shape, "shape", "random_poisson"), kernels.known(rate)
    rate = rate if isinstance(rate, Handle) else Tensor(rate, dtypes.float32)
    drawn = draw() if rates is None else draw_as("random_poisson", seed, Poissons, *poisson_of(lead, rates))
    return kernels.poisson(drawn, rate, lead + rate.shape, dtype.numpy, seed)


def poisson_of(lead, rates):
    """The arguments of `Poissons` for the lengths ``lead`` before those of ``rates`` (NumPy)."""
    return (math.prod(lead),), tuple(rates.astype(np.float64).reshape(-1).tolist())


def _check_samples(count, weights, replacement, arg_name, op_name):
    """Refuses more samples than weights, if each may be drawn only once, and weights of more than two axes."""
    if weights.ndim not in (1, 2):
        check.refuse(ValueError, op_name, "input", "of shape (M,) or (N, M)", weights.shape)
    if not replacement and count > weights.shape[-1]:
        expected = f"at most {weights.shape[-1]}, the number of weights, without 'replacement'"
        check.refuse(ValueError, op_name, arg_name, expected, count)


@composite(method="multinomial")
def multinomial(input: Array, num_samples: NonNegativeInt, replacement: Bool = True, seed: Seed = None):
    """Draws positions along the last axis with given weights.

    Args:
        input (Tensor): shape ``(M,)`` or ``(N, M)``, non-negative weights.
        num_samples (int): how many for each row.
        replacement (bool): whether to draw with replacement. Default: ``True``.
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
    _check_samples(num_samples, input, replacement, "num_samples", "multinomial")
    if num_samples == 0:
        return zeros((*input.shape[:-1], 0), dtypes.int32)
    if replacement:
        drawn = draw_as("multinomial", seed, UniformStates, (*input.shape[:-1], num_samples))
    else:
        drawn = draw_as("multinomial", seed, Uniforms, (math.prod(input.shape),))
    return kernels.chosen(drawn, input, num_samples, replacement, seed)


@composite()
def bernoulli(input: Array, p: Operand = 0.5, seed: Int | None = None):
    """Bernoulli distribution: ones with probability ``p``, else zeros.

    Args:
        input (Tensor): gives shape and dtype.
        p (Tensor | float): the probability, in ``[0, 1]``; a Tensor broadcasts. Default: ``0.5``.
        seed (int | None): fixes the numbers. Default: None: each call gives others, as for -1.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if ``input`` is not a Tensor.  ValueError: if ``p`` is out of range.
    Example:
        >>> ops.bernoulli(Tensor([5.0]), 1.0).tolist()
        [1.0]
    Source: mindspore.ops.bernoulli
    """
    if not isinstance(p, Handle):
        if not 0 <= p <= 1:
            check.refuse(ValueError, "bernoulli", "p", "in the range [0, 1]", p)
        p = cast(float(p), dtypes.float32)
    if seed in (None, -1):
        drawn = draw()
    else:
        drawn = kernels.draw_from(SameFractions, (check.non_negative_int(seed, "seed", "bernoulli"), 0), input.shape)
    return kernels.is_chosen(drawn, p, input.shape, input.dtype.numpy)


def check_float(x, name):
    if not jnp.issubdtype(x.aval[1], jnp.floating):
        check.refuse(TypeError, name, "input", "a Tensor of floats", x)


@composite()
def shuffle(x: Array, seed: Seed = None):
    """Shuffles the slices along the first axis.

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
    return kernels.permuted(draw_as("shuffle", seed, Orders, x.shape[:1]), x, seed) if x.shape else x


# -- choices --------------------------------------------------------------------------------------------------------


@composite(method="random_categorical")
def random_categorical(logits: Array, num_sample: NonNegativeInt, seed: Int = 0, dtype: Dtype = dtypes.int64):
    """Categorical distribution: draws indices along the last axis from logits.

    Args:
        logits (Tensor): shape ``(N, M)``, a float dtype.
        num_sample (int): how many for each row.
        seed (int): picks another stream. Default: ``0``.
        dtype (mindspore.dtype): int16, int32 or int64. Default: ``int64``.
    Returns:
        Tensor of shape ``(N, num_sample)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are not two axes.
    Example:
        >>> ops.random_categorical(Tensor([[-100.0, 0.0]]), 2).tolist()
        [[1, 1]]
    Source: mindspore.ops.random_categorical, mindspore.Tensor.random_categorical
    """
    return categorical(logits, num_sample, seed, dtype, kernels.draw_from(DoubleStates, (0, seed), (num_sample,)))


def categorical(logits, count, seed, dtype, drawn):
    if len(logits.shape) != 2:
        check.refuse(ValueError, "RandomCategorical", "logits", "of two axes", logits)
    return kernels.categorical(drawn, logits, count, seed).astype(dtype)


@composite()
def choice_with_mask(input_x: Mask, count: PositiveInt = 256, seed: Int | None = None):
    """Draws indices of elements that are True.

    Args:
        input_x (Tensor): any shape from one axis on, of bool.
        count (int): how many. Default: ``256``.
        seed (int | None): fixes the draws. Default: None: each call gives others.
    Returns:
        tuple of two Tensors: indices, ``(count, rank)`` of int32, and which of them there are, ``(count,)`` of bool.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> ops.choice_with_mask(Tensor([False, True]), 2)[0].tolist()
        [[1], [0]]
    Source: mindspore.ops.choice_with_mask
    """
    mask = kernels.known(input_x)
    if mask is None:
        return kernels.spots(draw(), input_x, count)
    return kernels.spots(draw_as("choice_with_mask", seed, Orders, (int(mask.sum()),)), input_x, count)


@composite("MultinomialWithReplacement(numsamples, replacement=False)")
def multinomial_with_replacement(
    x: Array, seed: Bound, offset: Bound, numsamples: NonNegativeInt, replacement: Bool = False
):
    """Draws positions along the last axis with given weights.

    Args:
        x (Tensor): shape ``(M,)`` or ``(N, M)``, non-negative weights.
        seed, offset (int | Tensor): they fix the positions unless both are 0.
        numsamples (int): how many for each row.
        replacement (bool): whether to draw with replacement. Default: ``False``.
    Returns:
        Tensor of shape ``(numsamples,)`` or ``(N, numsamples)``, int64.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few positions to draw from.
    Example:
        >>> ops.multinomial_with_replacement(Tensor([0.0, 1.0]), 2, 5, 2, True).tolist()
        [1, 1]
    Source: mindspore.ops.multinomial_with_replacement, mindspore.ops.MultinomialWithReplacement
    """
    _check_samples(numsamples, x, replacement, "numsamples", "MultinomialWithReplacement")
    drawn = kernels.draw_from(Fractions, (seed, offset), (*x.shape[:-1], numsamples))
    return kernels.weighed(drawn, x, numsamples, replacement)
