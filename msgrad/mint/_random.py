"""Random numbers, from the stream of ``mindspore.set_seed`` or from a generator."""

from .. import ops
from .._contracts.contracts import Array, Bool, Dtype, NonNegativeInt, Operand, Shape
from .._contracts.doc import filled
from .._contracts.kinds import accepted
from ..engine import dtypes
from ..engine.refusal import refuse
from ..ops._core.define import composite
from ..ops.random import kernels
from ..ops.random.kernels import Bound, FloatDtype
from ..ops.random.methods import Source, key_of
from ..tensor.tensor import Tensor
from ._dialect import MINT

MINT.face(ops.bernoulli_ext, "bernoulli(input, *, generator=None)")

_COMMON = """        dtype (mindspore.dtype | None): {dtype}
        device (str | None): without effect, as JAX places Tensors. Default: ``None``.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  ValueError: for another dtype, or a negative length.
    Example:
        >>> mint.{name}({example}).shape
        (2, 3)
    Source: mindspore.mint.{name}
    """
_OF_SIZE = """{phrase}.

    Args:
        size (int, ... | tuple[int]): the shape.
        generator (mindspore.Generator | None): what to draw from. Default: ``None``, the stream of ``set_seed``.
"""
_LIKE = """{phrase}, in the shape of a Tensor.

    Args:
        input (Tensor): any shape.
"""
_UNIFORM = "Uniformly distributed random numbers from 0 to before 1"
_NORMAL = "Normally distributed random numbers, mean 0 and standard deviation 1"


def _drawn(kernel, name, phrase):
    """Defines the two functions of a distribution: of a size, and like a Tensor."""

    def of_size(*size, generator: Source = None, dtype: Dtype | None = None, device=None):
        shape = accepted(Shape, size[0] if size and isinstance(size[0], (tuple, list)) else size, "size", name)
        dtype = FloatDtype.take(dtype or dtypes.float32, "dtype", name)
        return kernel(key_of(generator), shape, dtype.numpy)

    def like(input: Array, *, dtype: Dtype | None = None, device=None):
        dtype = FloatDtype.take(dtype or input.dtype, "dtype", f"{name}_like")
        return kernel(key_of(None), input.shape, dtype.numpy)

    size = {"dtype": "a float dtype. Default: ``None``, float32.", "example": "2, 3"}
    same = {"dtype": "a float dtype. Default: ``None``, that of ``input``.", "example": "ops.ones((2, 3))"}
    of_size.__doc__ = filled(_OF_SIZE + _COMMON, name=name, phrase=phrase, **size)
    like.__doc__ = filled(_LIKE + _COMMON, name=f"{name}_like", phrase=phrase, **same)
    return of_size, like


_rand, _rand_like = _drawn(kernels.uniform, "rand", _UNIFORM)
_randn, _randn_like = _drawn(kernels.normal, "randn", _NORMAL)
composite(name="rand", dialect=MINT)(_rand)
composite(name="rand_like", dialect=MINT)(_rand_like)
composite(name="randn", dialect=MINT)(_randn)
composite(name="randn_like", dialect=MINT)(_randn_like)


def _ints(owner, low, high, shape, dtype, generator):
    low, high = (Bound.take(each, key, owner) for each, key in ((low, "low"), (high, "high")))
    if low >= high:
        refuse(RuntimeError, owner, "high", f"above 'low', {low}", high)
    bounds = Tensor(low, dtypes.int64), Tensor(high, dtypes.int64)
    key, is_narrow = key_of(generator), kernels.is_narrow_range(low, high)
    return kernels.integers(key, *bounds, shape, dtypes.int64.numpy, is_narrow=is_narrow).astype(dtype)


@composite(dialect=MINT)
def randint(*args, generator: Source = None, dtype: Dtype | None = None, device=None):
    """Uniformly distributed integers in ``[low, high)``: ``randint(low=0, high, size)``.

    Args:
        args (int, int, tuple[int]): ``low``, which may be left out, ``high`` and the shape.
        generator (mindspore.Generator | None): what to draw from. Default: ``None``, the stream of ``set_seed``.
        dtype (mindspore.dtype | None): Default: ``None``, int64.
        device (str | None): without effect, as JAX places Tensors. Default: ``None``.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  RuntimeError: unless ``low < high``.
    Example:
        >>> mint.randint(3, 4, (2,)).tolist()
        [3, 3]
    Source: mindspore.mint.randint
    """
    if len(args) not in (2, 3):
        raise TypeError(f"For 'randint', the arguments must be [low,] high and size, but got {args}.")
    low, high, size = args if len(args) == 3 else (0, *args)
    return _ints("randint", low, high, accepted(Shape, size, "size", "randint"), dtype or dtypes.int64, generator)


@composite(dialect=MINT)
def randint_like(*args, dtype: Dtype | None = None, device=None):
    """Uniformly distributed integers in the shape of a Tensor: ``randint_like(input, low=0, high)``.

    Args:
        args (Tensor, int, int): ``input``, ``low``, which may be left out, and ``high``.
        dtype (mindspore.dtype | None): Default: ``None``, that of ``input``.
        device (str | None): without effect, as JAX places Tensors. Default: ``None``.
    Returns:
        Tensor.
    Raises:
        TypeError: for arguments of other types.  RuntimeError: unless ``low < high``.
    Example:
        >>> mint.randint_like(Tensor([1, 2]), 3, 4).tolist()
        [3, 3]
    Source: mindspore.mint.randint_like
    """
    if len(args) not in (2, 3) or not isinstance(args[0], Tensor):
        raise TypeError(f"For 'randint_like', the arguments must be input, [low,] high, but got {args}.")
    input, low, high = args if len(args) == 3 else (args[0], 0, args[1])
    return _ints("randint_like", low, high, input.shape, dtype or input.dtype, None)


@composite(dialect=MINT)
def randperm(n: Bound, *, generator: Source = None, dtype: Dtype = dtypes.int64):
    """Random permutation of the integers in ``[0, n)``.

    Args:
        n (int | Tensor): how many.
        generator (mindspore.Generator | None): what to draw from. Default: ``None``, the stream of ``set_seed``.
        dtype (mindspore.dtype): Default: ``int64``.
    Returns:
        Tensor of shape ``(n,)``.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``n`` is negative.
    Example:
        >>> sorted(mint.randperm(3).tolist())
        [0, 1, 2]
    Source: mindspore.mint.randperm
    """
    if n < 0:
        refuse(ValueError, "randperm", "n", "non-negative", n)
    return kernels.permutation(key_of(generator), n, dtype)


@composite(dialect=MINT)
def normal(mean: Operand = 0.0, std: Operand = 1.0, size: Shape | None = None, generator: Source = None):
    """Normally distributed random numbers.

    Args:
        mean, std (Tensor | float): of each number, or of all. Default: ``0.0``, ``1.0``.
        size (tuple[int] | None): the shape, where neither is a Tensor. Default: ``None``.
        generator (mindspore.Generator | None): what to draw from. Default: ``None``, the stream of ``set_seed``.
    Returns:
        Tensor, float32 where neither is one.
    Raises:
        TypeError: for arguments of other types, or if there is no shape.  ValueError: if shapes do not broadcast.
    Example:
        >>> mint.normal(Tensor([3.0, 4.0]), 0.0).tolist()
        [3.0, 4.0]
    Source: mindspore.mint.normal
    """
    tensors = [each for each in (mean, std) if isinstance(each, Tensor)]
    if not tensors and size is None:
        refuse(TypeError, "normal", "size", "a tuple of ints where neither 'mean' nor 'std' is a Tensor", size)
    shape = (tensors[0] + tensors[-1]).shape if tensors else size
    dtype = tensors[0].dtype if tensors else dtypes.float32
    return kernels.normal(key_of(generator), shape, dtype.numpy) * std + mean


@composite(dialect=MINT)
def multinomial(input: Array, num_samples: NonNegativeInt, replacement: Bool = False, *, generator: Source = None):
    """Draws positions along the last axis with given weights.

    Args:
        input (Tensor): shape ``(M,)`` or ``(N, M)``, non-negative weights.
        num_samples (int): how many for each row.
        replacement (bool): whether to draw with replacement. Default: ``False``.
        generator (mindspore.Generator | None): what to draw from. Default: ``None``, the stream of ``set_seed``.
    Returns:
        Tensor of shape ``(num_samples,)`` or ``(N, num_samples)``, int64.
    Raises:
        TypeError: for arguments of other types.  ValueError: if there are too few positions to draw from.
    Example:
        >>> mint.multinomial(Tensor([0.0, 1.0]), 1).tolist()
        [1]
    Source: mindspore.mint.multinomial
    """
    if not replacement and num_samples > input.shape[-1]:
        refuse(
            ValueError, "multinomial", "num_samples", f"at most {input.shape[-1]} without 'replacement'", num_samples
        )
    return kernels.chosen(key_of(generator), input, num_samples, replacement).astype(dtypes.int64)
