"""Primitives that draw random numbers; each object with a seed has its own stream."""

import numpy as np

from ..._contracts import check, contracts
from ..._contracts.contracts import Array, Int, NonNegativeInt, Operand, Shape
from ..._contracts.doc import filled
from ..._contracts.enforcement import enforced
from ..._contracts.kinds import accepted
from ..._contracts.signature import signature
from ..._random.distributions import DoubleStates, Integers, Normals, Orders, Places, Poissons, Uniforms, UniformStates
from ...engine import random
from ...engine.calls.staging import current_graph
from ...engine.random import Draw
from ...tensor.tensor import Tensor
from .._core.faces import PRIMITIVES, register
from .._core.generation.primitive_classes import starter
from .._core.primitive import Primitive
from . import functions, kernels
from .kernels import Bound

_SEEDS = "seed, seed2 (int): if not both 0, the object draws from a stream of its own. Default: ``0``."
_LENGTHS = "TypeError: for arguments of other types.  ValueError: if a length is negative."


class Drawing(Primitive):
    """The base of random Primitives: registers those made of it, and enforces the contracts of constructor and call.

    Subclasses of those, a program's or `Primitive.shard`'s, are left as they are.

    Args:
        constructor (str): the constructor's parameters, which become attributes. Default: two seeds.
        further (dict): more contracts that ``constructor`` names.
    """

    def __init_subclass__(cls, constructor="(seed: NonNegativeInt = 0, seed2: NonNegativeInt = 0)", further=None):
        if Drawing not in cls.__bases__:
            return
        parameters = signature(constructor, contracts.NAMES | (further or {})).parameters.values()
        cls.__init__ = enforced(starter(cls.__name__, parameters), cls.__name__)
        cls.__call__ = enforced(cls.__call__, cls.__name__)
        cls.__doc__ = filled(cls.__doc__, seeds=_SEEDS, lengths=_LENGTHS)
        cls.__module__ = "msgrad.ops"
        register(PRIMITIVES, cls.__name__, cls)

    def __getstate__(self):
        # A copy restarts from the seed.
        return {name: value for name, value in vars(self).items() if name != "_streams"}

    def _draw(self, stream=None, *shape, seeds=None):
        """The draws of one call: from its own ``stream`` (a `Stream` class) for the shape, otherwise a key."""
        first, second = seeds = seeds or self._seeds()
        if not first and not second:
            return kernels.draw()
        return Draw.of(lambda: self._stream(stream, seeds, shape), self, stream, seeds, shape)

    def _stream(self, stream, seeds, shape):
        """The stream of this call: in MindSpore each call in a graph has its own kernel, and all others share one."""

        def made():
            first, second = seeds
            return random.Generator(first + (second << 32)) if stream is None else stream(seeds, *shape)

        graph, key = current_graph(), (stream, seeds, *shape)
        if graph is not None:
            return graph.kept((self, *key), made)
        streams = vars(self).setdefault("_streams", {})
        if key not in streams:
            streams[key] = made()
        return streams[key]

    def _seeds(self):
        return self.seed, self.seed2


_FLOAT32, _INT32 = np.dtype(np.float32), np.dtype(np.int32)


def _lengths(shape, owner):
    """The shape in a 1-d Tensor."""
    return accepted(Shape, shape, "shape", owner)


_STANDARD = """{summary}

    Args:
        {seeds}
    Inputs:
        shape (tuple[int]): of the result.
    Returns:
        Tensor, float32.
    Raises:
        {lengths}
    Example:
        >>> ops.{name}(seed=2)((2, 3)).shape
        (2, 3)
    Source: mindspore.ops.{name}
    """


def _standard(name, kernel, summary, stream=None):
    """Defines the Primitive of a distribution without parameters: ``kernel`` of the draws of ``stream`` and a shape."""

    def call(self, shape: Shape):
        return kernel(self._draw(stream, shape) if stream else self._draw(), shape)

    text = _STANDARD.replace("{summary}", summary).replace("{name}", name)
    return type(name, (Drawing,), {"__call__": call, "__doc__": text})


StandardNormal = _standard(
    "StandardNormal",
    lambda key, shape: kernels.normal(key, shape, _FLOAT32),
    "Normally distributed random numbers, mean 0 and standard deviation 1.",
    Normals,
)
StandardLaplace = _standard(
    "StandardLaplace",
    kernels.laplace,
    "Random numbers of the Laplace distribution, location 0 and scale 1.",
    UniformStates,
)
UniformReal = _standard(
    "UniformReal",
    lambda key, shape: kernels.uniform(key, shape, _FLOAT32),
    "Uniformly distributed random numbers from 0 to before 1.",
    Uniforms,
)


class UniformInt(Drawing):
    """Uniformly distributed random ints in ``[minval, maxval)``.

    Args:
        {seeds}
    Inputs:
        shape (tuple[int]): of the result.
        minval, maxval (Tensor): the bounds, int32 without axes.
    Returns:
        Tensor, int32.
    Raises:
        TypeError: for arguments of other types.  ValueError: if a length is negative, or a bound has axes.
    Example:
        >>> ops.UniformInt(seed=2)((2,), Tensor(3, mindspore.int32), Tensor(4, mindspore.int32)).tolist()
        [3, 3]
    Source: mindspore.ops.UniformInt
    """

    def __call__(self, shape: Shape, minval: Array, maxval: Array):
        for name, bound in (("minval", minval), ("maxval", maxval)):
            if bound.shape:
                check.refuse(ValueError, self.name, name, "without axes", bound)
        bounds = [kernels.known(bound) for bound in (minval, maxval)]
        is_known = all(bound is not None for bound in bounds) and bounds[0] < bounds[1]
        drawn = self._draw(Integers, shape, *[bound.item() for bound in bounds]) if is_known else self._draw()
        return kernels.integers(drawn, minval, maxval, shape, _INT32)


class Gamma(Drawing):
    """Random numbers of the gamma distribution.

    Args:
        {seeds}
    Inputs:
        shape (tuple[int]): it is broadcast with the parameters.
        alpha, beta (Tensor): shape and inverse scale, float32.
    Returns:
        Tensor, float32.
    Raises:
        {lengths}
    Example:
        >>> ops.Gamma(seed=2)((2, 1), Tensor([1.0, 2.0]), Tensor(1.0)).shape
        (2, 2)
    Source: mindspore.ops.Gamma
    """

    def __call__(self, shape: Shape, alpha: Array, beta: Array):
        whole = np.broadcast_shapes(shape, alpha.shape, beta.shape)
        return kernels.gamma(self._draw(), alpha, whole, _FLOAT32) / beta


class RandomGamma(Drawing):
    """Random numbers of the gamma distribution of scale 1.

    Args:
        {seeds}
    Inputs:
        shape (Tensor): one axis of ints; it goes before the shape of ``alpha``.
        alpha (Tensor): the shape parameter, a float dtype.
    Returns:
        Tensor of shape ``shape + alpha.shape``, dtype of ``alpha``.
    Raises:
        {lengths}
    Example:
        >>> ops.RandomGamma(seed=2)(Tensor([2]), Tensor([1.0])).shape
        (2, 1)
    Source: mindspore.ops.RandomGamma
    """

    def __call__(self, shape: Array, alpha: Array):
        whole = _lengths(shape, self.name) + alpha.shape
        return kernels.gamma(self._draw(Places, whole), alpha, whole, alpha.dtype.numpy)


class Poisson(Drawing):
    """Random numbers of the Poisson distribution.

    Args:
        {seeds}
    Inputs:
        shape (tuple[int]): it is broadcast with the means.
        mean (Tensor): the means, float32.
    Returns:
        Tensor, int32.
    Raises:
        {lengths}
    Example:
        >>> ops.Poisson(seed=2)((2, 1), Tensor([1.0, 2.0])).shape
        (2, 2)
    Source: mindspore.ops.Poisson
    """

    def __call__(self, shape: Shape, mean: Array):
        return kernels.poisson(self._draw(), mean, np.broadcast_shapes(shape, mean.shape), _INT32)


class RandomPoisson(Drawing, constructor="(seed: NonNegativeInt = 0, seed2: NonNegativeInt = 0, dtype: Dtype = int64)"):
    """Random numbers of the Poisson distribution.

    Args:
        {seeds}
        dtype (mindspore.dtype): of the result. Default: ``int64``.
    Inputs:
        shape (Tensor): one axis of ints; it goes before the shape of ``rate``.
        rate (Tensor): the means.
    Returns:
        Tensor of shape ``shape + rate.shape``.
    Raises:
        {lengths}
    Example:
        >>> ops.RandomPoisson(seed=2)(Tensor([2]), Tensor([1.0])).shape
        (2, 1)
    Source: mindspore.ops.RandomPoisson
    """

    def __call__(self, shape: Array, rate: Array):
        lead, rates = _lengths(shape, self.name), kernels.known(rate)
        drawn = self._draw() if rates is None else self._draw(Poissons, *functions.poisson_of(lead, rates))
        return kernels.poisson(drawn, rate, lead + rate.shape, self.dtype.numpy)


class TruncatedNormal(
    Drawing, constructor="(dtype: Dtype = float32, seed: NonNegativeInt = 0, seed2: NonNegativeInt = 0)"
):
    """Random numbers of the standard normal distribution truncated to [-2, 2].

    Args:
        dtype (mindspore.dtype): a float dtype. Default: ``float32``.
        {seeds}
    Inputs:
        shape (Tensor): one axis of ints, the lengths of the result.
    Returns:
        Tensor.
    Raises:
        {lengths}
    Example:
        >>> ops.TruncatedNormal(seed=2)(Tensor([2, 3])).shape
        (2, 3)
    Source: mindspore.ops.TruncatedNormal
    """

    def __call__(self, shape: Array):
        bounds = Tensor(-2.0), Tensor(2.0)
        return kernels.truncated(self._draw(), *bounds, _lengths(shape, self.name), self.dtype.numpy)


class ParameterizedTruncatedNormal(Drawing):
    """Random numbers of truncated normal distributions, one for each batch.

    Args:
        {seeds}
    Inputs:
        shape (Tensor): ints, the lengths of the result; the first is the count of batches.
        mean, stdevs (Tensor): mean and standard deviation of each batch, a float dtype; or of all, without axes.
        min, max (Tensor): the bounds.
    Returns:
        Tensor, dtype of ``mean``.
    Raises:
        {lengths}
    Example:
        >>> bounds = Tensor([-2.0]), Tensor([2.0])
        >>> ops.ParameterizedTruncatedNormal(seed=2)(Tensor([1, 3]), Tensor([0.0]), Tensor([1.0]), *bounds).shape
        (1, 3)
    Source: mindspore.ops.ParameterizedTruncatedNormal
    """

    def __call__(self, shape: Array, mean: Array, stdevs: Array, min: Array, max: Array):
        shape = _lengths(shape, self.name)
        each = [x.reshape(x.shape + (1,) * (len(shape) - 1)) if x.shape else x for x in (mean, stdevs, min, max)]
        mean, stdevs, low, high = each
        bounds = (low - mean) / stdevs, (high - mean) / stdevs
        return kernels.truncated(self._draw(), *bounds, shape, mean.dtype.numpy) * stdevs + mean


class Multinomial(
    Drawing,
    constructor="(seed: NonNegativeInt = 0, seed2: NonNegativeInt = 0, dtype: DtypeOf('int32', 'int64') = int32)",
):
    """Draws positions along the last axis with given weights, with replacement.

    Args:
        {seeds}
        dtype (mindspore.dtype): int32 or int64. Default: ``int32``.
    Inputs:
        x (Tensor): shape ``(M,)`` or ``(N, M)``, non-negative weights.
        num_samples (int): how many for each row.
    Returns:
        Tensor of shape ``(num_samples,)`` or ``(N, num_samples)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``num_samples`` is negative.
    Example:
        >>> ops.Multinomial(seed=2)(Tensor([0.0, 1.0]), 2).tolist()
        [1, 1]
    Source: mindspore.ops.Multinomial
    """

    def __call__(self, x: Array, num_samples: NonNegativeInt):
        drawn = self._draw(UniformStates, (*x.shape[:-1], num_samples))
        return kernels.chosen(drawn, x, num_samples, True).astype(self.dtype)


class NonDeterministicInts(Drawing, constructor="(dtype: DtypeOf('int32', 'int64', 'uint32', 'uint64') = int64)"):
    """Uniform random ints over the whole range of the dtype.

    Args:
        dtype (mindspore.dtype): int32 or int64. Default: ``int64``.
    Inputs:
        shape (Tensor): two ints or more, the lengths of the result.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are fewer than two lengths.
    Example:
        >>> ops.NonDeterministicInts()(Tensor([2, 3])).shape
        (2, 3)
    Source: mindspore.ops.NonDeterministicInts
    """

    def __call__(self, shape: Array):
        shape = _lengths(shape, self.name)
        if len(shape) < 2:
            check.refuse(ValueError, self.name, "shape", "two lengths or more", shape)
        dtype = self.dtype.numpy
        bounds = [Tensor(np.array(end(np.iinfo(dtype)), dtype)) for end in (lambda i: i.min, lambda i: i.max)]
        return kernels.integers(kernels.draw(), *bounds, shape, dtype)


class RandomCategorical(Drawing, constructor="(dtype: DtypeOf('int16', 'int32', 'int64') = int64)"):
    """Categorical distribution: draws indices along the last axis from logits.

    Args:
        dtype (mindspore.dtype): int16, int32 or int64. Default: ``int64``.
    Inputs:
        logits (Tensor): shape ``(N, M)``, a float dtype.
        num_sample (int): how many for each row.
        seed (int): picks another stream. Default: ``0``.
    Returns:
        Tensor of shape ``(N, num_sample)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are not two axes.
    Example:
        >>> ops.RandomCategorical()(Tensor([[-100.0, 0.0]]), 2, 0).tolist()
        [[1, 1]]
    Source: mindspore.ops.RandomCategorical
    """

    def __call__(self, logits: Array, num_sample: NonNegativeInt, seed: Int = 0):
        drawn = self._draw(DoubleStates, (num_sample,), seeds=(0, seed))
        return functions.categorical(logits, num_sample, seed, self.dtype, drawn)


class RandomChoiceWithMask(
    Drawing, constructor="(count: PositiveInt = 256, seed: NonNegativeInt = 0, seed2: NonNegativeInt = 0)"
):
    """Draws indices of elements that are True.

    Args:
        count (int): how many. Default: ``256``.
        {seeds}
    Inputs:
        input_x (Tensor): any shape from one axis on, of bool.
    Returns:
        tuple of two Tensors: indices, ``(count, rank)`` of int32, and which of them there are, ``(count,)`` of bool.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> ops.RandomChoiceWithMask(2, seed=2)(Tensor([False, True]))[0].tolist()
        [[1], [0]]
    Source: mindspore.ops.RandomChoiceWithMask
    """

    def __call__(self, input_x: Array):
        mask = kernels.known(input_x)
        drawn = self._draw() if mask is None else self._draw(Orders, (int(mask.sum()),))
        return kernels.spots(drawn, input_x, self.count)


class RandomShuffle(Drawing):
    """Shuffles the slices along the first axis.

    Args:
        {seeds}
    Inputs:
        x (Tensor): any shape and dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> sorted(ops.RandomShuffle(seed=2)(Tensor([2, 1])).tolist())
        [1, 2]
    Source: mindspore.ops.RandomShuffle
    """

    def __call__(self, x: Array):
        return kernels.permuted(self._draw(Orders, x.shape[:1]), x) if x.shape else x


class Randperm(Drawing, constructor="(max_length: PositiveInt = 1, pad: Int = -1, dtype: Dtype = int32)"):
    """Random permutation of the integers in ``[0, n)``, then padding.

    Args:
        max_length (int): the length of the result. Default: ``1``.
        pad (int): what follows the numbers. Default: ``-1``.
        dtype (mindspore.dtype): of the result. Default: ``int32``.
    Inputs:
        n (Tensor): one int, at most ``max_length``.
    Returns:
        Tensor of shape ``(max_length,)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``n`` is above ``max_length``.
    Example:
        >>> sorted(ops.Randperm(max_length=3)(Tensor([2])).tolist())
        [-1, 0, 1]
    Source: mindspore.ops.Randperm
    """

    def __call__(self, n: Array):
        count = n._values_().item()
        if not 0 <= count <= self.max_length:
            check.refuse(ValueError, self.name, "n", f"in the range [0, {self.max_length}]", count)
        numbers = functions.randperm(count, -1, 0, self.dtype)
        return kernels.padded(numbers, self.max_length, self.pad)


class RandpermV2(Drawing, constructor="(seed: Int = 0, offset: NonNegativeInt = 0, dtype: Dtype = int64)"):
    """Random permutation of the integers in ``[0, n)``.

    Args:
        seed (int): it fixes the order; with -1 each call gives another one, following ``set_seed``. Default: ``0``.
        offset (int): takes the place of ``seed`` where it is not 0. Default: ``0``.
        dtype (mindspore.dtype): of the result. Default: ``int64``.
    Inputs:
        n (int | Tensor): how many.
    Returns:
        Tensor of shape ``(n,)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``n`` is negative.
    Example:
        >>> sorted(ops.RandpermV2()(3).tolist())
        [0, 1, 2]
    Source: mindspore.ops.RandpermV2
    """

    def __call__(self, n: Bound):
        return functions.randperm(n, self.seed, self.offset, self.dtype)


class Bernoulli(Drawing, constructor="(seed: Int = -1, offset: NonNegativeInt = 0)"):
    """Bernoulli distribution: ones with probability ``p``, else zeros.

    Args:
        seed (int): fixes the numbers; with -1 each call gives others. Default: ``-1``.
        offset (int): without effect, as in MindSpore on a CPU. Default: ``0``.
    Inputs:
        x (Tensor): gives shape and dtype.
        p (Tensor | float): the probability, in ``[0, 1]``. Default: ``0.5``.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``p`` is out of range.
    Example:
        >>> ops.Bernoulli()(Tensor([5.0]), 1.0).tolist()
        [1.0]
    Source: mindspore.ops.Bernoulli
    """

    def __call__(self, x: Array, p: Operand = 0.5):
        return functions.bernoulli(x, p, self.seed)


class Cauchy(Drawing, constructor="(size: Shape, median: Float = 0.0, sigma: Float = 1.0)", further={"Shape": Shape}):
    """Random numbers of the Cauchy distribution.

    Args:
        size (list[int]): the shape of the result.
        median, sigma (float): location and scale. Default: ``0.0``, ``1.0``.
    Returns:
        Tensor, float32.
    Raises:
        {lengths}
    Example:
        >>> ops.Cauchy([2, 3])().shape
        (2, 3)
    Source: mindspore.ops.Cauchy
    """

    def __call__(self):
        return kernels.cauchy(kernels.draw(), self.size) * self.sigma + self.median


class LogNormalReverse(Drawing, constructor="(mean: Float = 1.0, std: Float = 2.0)"):
    """Random numbers of the log-normal distribution, in the shape of a Tensor.

    Args:
        mean, std (float): of the logarithms. Default: ``1.0``, ``2.0``.
    Inputs:
        input (Tensor): any shape, a float dtype.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> ops.LogNormalReverse()(Tensor([1.0, 2.0])).shape
        (2,)
    Source: mindspore.ops.LogNormalReverse
    """

    def __call__(self, input: Array):
        functions.check_float(input, self.name)
        return (kernels.normal(kernels.draw(), input.shape, input.dtype.numpy) * self.std + self.mean).exp()
