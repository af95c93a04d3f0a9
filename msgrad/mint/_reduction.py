"""Reductions, argmin and argmax, sorting and topk."""

import functools

from .. import ops
from .._contracts import check
from .._contracts.contracts import Array, Axes, Axis, Bool, Dtype
from .._contracts.doc import replaced
from ..engine import dtypes
from ..ops._core.define import composite
from ..ops.index.selection import _sorted_unique
from ..ops.math.argminmax import _max_along, _max_over, _min_along, _min_over
from ..ops.math.quantiles import _kthvalue
from ..ops.math.reduction import _prod_along, mean_in
from ..ops.math.statistics import _std_of_numbers, _var_of_numbers
from ._dialect import MINT

MINT.share("argmax bincount cumprod searchsorted sum unique_consecutive")
MINT.face(ops.all, "all(input, dim=None, keepdim=False)")
MINT.face(ops.amax, "amax(input, dim: Axes = (), keepdim=False)")
MINT.face(ops.amin, "amin(input, dim: Axes = (), keepdim=False)")
MINT.face(ops.count_nonzero, "count_nonzero(input, dim=None)", fixed={"dtype": dtypes.int64, "keep_dims": False})
MINT.face(ops.cummax, "cummax(input, dim)")
MINT.face(ops.diff_ext, "diff(input, n=1, dim=-1, prepend=None, append=None)")
MINT.face(ops.histc, "histc(input, bins=100, min=0, max=0)")
MINT.face(_kthvalue, "kthvalue(input, k, dim=-1, keepdim=False)")
MINT.face(mean_in, "mean(input, dim=None, keepdim=False, *, dtype=None)")
MINT.face(ops.nansum, "nansum(input, dim=None, keepdim=False, *, dtype=None)")
MINT.face(_prod_along, "prod(input, dim=None, keepdim=False, *, dtype=None)")
MINT.face(_std_of_numbers, "std(input, dim=None, *, correction=1, keepdim=False)")
MINT.face(ops.std_mean, "std_mean(input, dim=None, *, correction=1, keepdim=False)")
MINT.face(_sorted_unique, "unique(input, sorted=True, return_inverse=False, return_counts=False, dim=None)")
MINT.face(_var_of_numbers, "var(input, dim=None, *, correction=1, keepdim=False)")
MINT.face(ops.var_mean, "var_mean(input, dim=None, *, correction=1, keepdim=False)")
MINT.overload("any", (ops.any, "(input)"), (ops.any, "(input, dim: Axis, keepdim=False)"))
MINT.overload(
    "max",
    (_max_over, "(input)"),
    (ops.maximum, "(input, other: Array)"),
    (_max_along, "(input, dim: Axis, keepdim=False)"),
)
MINT.overload(
    "min",
    (_min_over, "(input)"),
    (ops.minimum, "(input, other: Array)"),
    (_min_along, "(input, dim: Axis, keepdim=False)"),
)


def _indices_in_int64(target):
    """``target`` with its last result, indices, cast to int64."""

    def run(*args, **kwargs):
        result = target(*args, **kwargs)
        if isinstance(result, tuple):
            return (*result[:-1], result[-1].astype(dtypes.int64))
        return result.astype(dtypes.int64)

    wrapper = functools.update_wrapper(run, target)
    wrapper.__doc__ = replaced(target.__doc__, "int32", "int64")
    return wrapper


MINT.face(_indices_in_int64(ops.argmin), "argmin(input, dim=None, keepdim=False)")
MINT.face(_indices_in_int64(ops.argsort), "argsort(input, dim=-1, descending=False, stable=False)", hints=("stable",))
MINT.face(_indices_in_int64(ops.cummin), "cummin(input, dim)")
MINT.face(_indices_in_int64(ops.sort), "sort(input, *, dim=-1, descending=False, stable=False)", hints=("stable",))
MINT.face(_indices_in_int64(ops.topk), "topk(input, k, dim=-1, largest=True, sorted=True)")


@composite(dialect=MINT)
def median(input: Array, dim: Axis | None = None, keepdim: Bool = False):
    """Median of all elements or along ``dim``, the lower of two middle elements.

    Args:
        input (Tensor): any shape, a real dtype.
        dim (int | None): Default: ``None``, all elements; ``keepdim`` has no effect then.
        keepdim (bool): whether the axis stays, with length 1. Default: ``False``.
    Returns:
        Tensor; with ``dim`` a tuple of two: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> mint.median(Tensor([[3.0, 1.0], [2.0, 4.0]])).item()
        2.0
    Source: mindspore.mint.median
    """
    return ops.median(input.reshape(-1), 0)[0] if dim is None else ops.median(input, dim, keepdim)


@composite(dialect=MINT)
def trace(input: Array):
    """The sum of the diagonal of a matrix.

    Args:
        input (Tensor): two axes.
    Returns:
        Tensor of the dtype of ``input``, int64 for ints and bools.
    Raises:
        TypeError: if ``input`` is not a Tensor.  RuntimeError: if it has not two axes.
    Example:
        >>> mint.trace(Tensor([[1, 2], [3, 4]])).item()
        5
    Source: mindspore.mint.trace
    """
    return ops.trace(input.astype(dtypes.int64) if _is_whole(input) else input)


@composite(dialect=MINT)
def logsumexp(input: Array, dim: Axes, keepdim: Bool = False):
    """The logarithm of the sum of the exponentials along ``dim``.

    Args:
        input (Tensor): any shape, a real dtype.
        dim (int | tuple[int] | list[int]): along which axes.
        keepdim (bool): whether the axes stay, with length 1. Default: ``False``.
    Returns:
        Tensor of the dtype of ``input``, float32 for ints and bools.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> mint.logsumexp(Tensor([0, 0]), 0).exp().item()
        2.0
    Source: mindspore.mint.logsumexp
    """
    return ops.logsumexp(input.astype(dtypes.float32) if _is_whole(input) else input, dim, keepdim)


@composite(dialect=MINT)
def cumsum(input: Array, dim: Axis, dtype: Dtype | None = None):
    """Cumulative sum along ``dim``.

    Args:
        input (Tensor): any shape and dtype.
        dim (int): the axis.
        dtype (mindspore.dtype | None): Default: ``None``, that of ``input``, int64 for bools.
    Returns:
        Tensor of the same shape.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> mint.cumsum(Tensor([True, True]), 0).tolist()
        [1, 2]
    Source: mindspore.mint.cumsum
    """
    x = input.astype(dtype or dtypes.int64) if input.dtype == dtypes.bool_ else input
    if not input.shape:  # of one element, which the method of ``axis=None`` takes
        check.axis(dim, 0, "dim", "cumsum")
        return ops.cumsum(x.reshape(1), 0, dtype).reshape(())
    return ops.cumsum(x, dim, dtype)


def _is_whole(input):
    return not (ops.is_floating_point(input) or ops.is_complex(input))
