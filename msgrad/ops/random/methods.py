"""Random methods of Tensors: they fill a Tensor in place, or draw a Tensor of its shape.

MindSpore 2.10 has no CPU kernel for those with a ``generator``; their distributions are from its documentation.
"""

import numpy as np

from ..._common.seeding import Generator, default_generator
from ..._contracts import check
from ..._contracts.contracts import Array, Int, Operand, Real
from ..._contracts.kinds import Static
from ...engine import dtypes
from ...engine.random import Draw
from ...tensor.tensor import Tensor
from .._core.define import composite
from . import kernels
from .functions import check_float


def _is_generator(value, arg_name, owner):
    if not isinstance(value, Generator):
        check.refuse(TypeError, owner, arg_name, "a mindspore.Generator", value)
    return value


Source = Static(_is_generator, Generator) | None


def key_of(generator):
    """A key of a generator, or of the stream that follows ``mindspore.set_seed``."""
    return Draw.of(lambda: generator or default_generator, generator)


def _unit(input, key):
    """Uniformly distributed random numbers from 0 to before 1 in the shape of a Tensor, in its dtype."""
    check_float(input, "uniform")
    return kernels.uniform(key, input.shape, input.dtype.numpy)


@composite(method="uniform", name="_uniform_like")
def _uniform_like(input: Array, from_: Real = 0.0, to: Real = 1.0, generator: Source = None):
    """Uniformly distributed random numbers in ``[from_, to)``, in the shape of a Tensor.

    Args:
        input (Tensor): any shape, a float dtype.
        from_, to (float): the bounds. Default: ``0.0``, ``1.0``.
        generator (mindspore.Generator): what to draw from. Default: None, the stream of ``mindspore.set_seed``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``from_`` is above ``to``.
    Example:
        >>> Tensor([1.0, 2.0]).uniform(3.0, 3.0).tolist()
        [3.0, 3.0]
    Source: mindspore.Tensor.uniform
    """
    if from_ > to:
        check.refuse(ValueError, "uniform", "to", f"at least 'from_', {from_}", to)
    return _unit(input, key_of(generator)) * (to - from_) + from_


@composite(method="uniform_")
def uniform_(input: Array, from_: Real = 0, to: Real = 1, *, generator: Source = None):
    """Fills a Tensor with uniformly distributed numbers in ``[from_, to)``.

    Args:
        input (Tensor): any shape, a float dtype.
        from_, to (float): the bounds. Default: ``0``, ``1``.
        generator (mindspore.Generator): what to draw from. Default: None, the stream of ``mindspore.set_seed``.
    Returns:
        Tensor, ``input``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``from_`` is above ``to``.
    Example:
        >>> Tensor([1.0, 2.0]).uniform_(3.0, 3.0).tolist()
        [3.0, 3.0]
    Source: mindspore.ops.uniform_, mindspore.Tensor.uniform_
    """
    input._write_(_uniform_like(input, from_, to, generator))
    return input


@composite(method="normal_")
def normal_(input: Array, mean: Operand = 0, std: Operand = 1, *, generator: Source = None):
    """Fills a Tensor with normally distributed numbers.

    Args:
        input (Tensor): any shape, a float dtype.
        mean, std (Number | Tensor): mean and standard deviation. Default: ``0``, ``1``.
        generator (mindspore.Generator): what to draw from. Default: None, the stream of ``mindspore.set_seed``.
    Returns:
        Tensor, ``input``.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> Tensor([1.0, 2.0]).normal_(3.0, 0.0).tolist()
        [3.0, 3.0]
    Source: mindspore.ops.normal_, mindspore.Tensor.normal_
    """
    check_float(input, "normal_")
    drawn = kernels.normal(key_of(generator), input.shape, input.dtype.numpy)
    input._write_((drawn * std + mean).astype(input.dtype))
    return input


@composite(method="exponential_")
def exponential_(input: Array, lambd: Real = 1, *, generator: Source = None):
    """Fills a Tensor with numbers of the exponential distribution.

    Args:
        input (Tensor): any shape, a float dtype.
        lambd (float): the rate, above 0. Default: ``1``.
        generator (mindspore.Generator): what to draw from. Default: None, the stream of ``mindspore.set_seed``.
    Returns:
        Tensor, ``input``.
    Raises:
        TypeError: for arguments of other types.  ValueError: unless ``lambd`` is above 0.
    Example:
        >>> Tensor([1.0, 2.0]).exponential_().shape
        (2,)
    Source: mindspore.ops.exponential_, mindspore.Tensor.exponential_
    """
    check_float(input, "exponential_")
    if lambd <= 0:
        check.refuse(ValueError, "exponential_", "lambd", "above 0", lambd)
    input._write_(kernels.exponential(key_of(generator), input.shape, input.dtype.numpy) / lambd)
    return input


@composite(method="random_")
def random_(input: Array, from_: Int = 0, to: Int | None = None, *, generator: Source = None):
    """Fills a Tensor with uniformly distributed integers in ``[from_, to)``.

    Args:
        input (Tensor): any shape, a dtype of numbers.
        from_ (int): the smallest. Default: ``0``.
        to (int | None): the bound. Default: None: what the dtype holds exactly.
        generator (mindspore.Generator): what to draw from. Default: None, the stream of ``mindspore.set_seed``.
    Returns:
        Tensor, ``input``.
    Raises:
        TypeError: for arguments of other types.  ValueError: unless ``from_`` is below ``to``.
    Example:
        >>> Tensor([1.0, 2.0]).random_(3, 4).tolist()
        [3.0, 3.0]
    Source: mindspore.ops.random_, mindspore.Tensor.random_
    """
    dtype = input.dtype.numpy
    if to is None:
        to = np.iinfo(dtype).max if dtype.kind in "iu" else 2 ** (np.finfo(dtype).nmant + 1)
    if from_ >= to:
        check.refuse(ValueError, "random_", "to", f"above 'from_', {from_}", to)
    bounds = Tensor(from_, dtypes.int64), Tensor(to, dtypes.int64)
    input._write_(kernels.integers(key_of(generator), *bounds, input.shape, np.dtype(np.int64)).astype(input.dtype))
    return input


@composite(method="bernoulli", name="bernoulli_ext")
def _bernoulli_of(input: Array, *, generator: Source = None):
    """Bernoulli distribution: ones with the probabilities of a Tensor, else zeros.

    Args:
        input (Tensor): any shape, a float dtype, probabilities in ``[0, 1]``.
        generator (mindspore.Generator): what to draw from. Default: None, the stream of ``mindspore.set_seed``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> Tensor([0.0, 1.0]).bernoulli().tolist()
        [0.0, 1.0]
    Source: mindspore.ops.bernoulli_ext, mindspore.Tensor.bernoulli
    """
    check_float(input, "BernoulliExt")
    return kernels.is_chosen(key_of(generator), input, input.shape, input.dtype.numpy)


@composite(method="bernoulli_")
def bernoulli_(input: Array, p: Operand = 0.5, *, generator: Source = None):
    """Fills a Tensor with ones with probability ``p``, else zeros.

    Args:
        input (Tensor): any shape and dtype of numbers.
        p (Tensor | float): the probability, in ``[0, 1]``; a Tensor broadcasts. Default: ``0.5``.
        generator (mindspore.Generator): what to draw from. Default: None, the stream of ``mindspore.set_seed``.
    Returns:
        Tensor, ``input``.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> Tensor([5.0]).bernoulli_(1.0).tolist()
        [1.0]
    Source: mindspore.ops.bernoulli_, mindspore.Tensor.bernoulli_
    """
    p = p if isinstance(p, Tensor) else Tensor(float(p), dtypes.float32)
    input._write_(kernels.is_chosen(key_of(generator), p, input.shape, input.dtype.numpy))
    return input


@composite(method="cauchy", name="_cauchy_like")
def _cauchy_like(self: Array, median: Real = 0.0, sigma: Real = 1.0):
    """Random numbers of the Cauchy distribution, in the shape of a Tensor.

    Args:
        self (Tensor): any shape.
        median, sigma (float): location and scale. Default: ``0.0``, ``1.0``.
    Returns:
        Tensor of the same shape, float32.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> Tensor([1.0, 2.0]).cauchy().shape
        (2,)
    Source: mindspore.Tensor.cauchy
    """
    return kernels.cauchy(kernels.draw(), self.shape) * sigma + median


@composite(method="log_normal", name="_log_normal_like")
def _log_normal_like(self: Array, mean: Real = 1.0, std: Real = 2.0):
    """Random numbers of the log-normal distribution, in the shape of a Tensor.

    Args:
        self (Tensor): any shape, a float dtype.
        mean, std (float): of the logarithms. Default: ``1.0``, ``2.0``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.
    Example:
        >>> Tensor([1.0, 2.0]).log_normal().shape
        (2,)
    Source: mindspore.Tensor.log_normal
    """
    check_float(self, "log_normal")
    return (kernels.normal(kernels.draw(), self.shape, self.dtype.numpy) * std + mean).exp()
