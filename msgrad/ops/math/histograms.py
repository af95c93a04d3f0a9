"""Histograms and counts."""

import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Int, PositiveInt, Real
from .._core.define import op
from .._core.faces import method


@op("Histogram(bins=100, min: Float=0.0, max: Float=0.0)")
def histc(input: Array, bins: PositiveInt = 100, min: Real = 0.0, max: Real = 0.0):
    """Histogram: counts of elements in intervals of equal length.

    Args:
        input (Tensor): any shape, a real dtype. What is outside of all intervals does not count.
        bins (int): how many intervals. Default: ``100``.
        min, max (float): where they begin and end. Default: ``0.0``; if they are equal, the minimum and maximum.
    Returns:
        Tensor of shape ``(bins,)``, dtype of ``input``, for float16 float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``bins`` is below 1, or ``min`` above ``max``.
    Example:
        >>> ops.histc(Tensor([1.0, 2.0, 1.0]), bins=4, min=0.0, max=3.0).tolist()
        [0.0, 2.0, 1.0, 0.0]
    Source: mindspore.ops.histc, mindspore.ops.Histogram
    """
    x = check.dtype(input, "iuf", "input", "Histogram").reshape(-1)
    if min > max:
        check.refuse(ValueError, "Histogram", "max", f"at least 'min', {min}", max)
    if not x.size:
        min, max = 0, 1
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    if min != max:
        low, high = jnp.asarray(min, wide.dtype), jnp.asarray(max, wide.dtype)
    else:
        low, high = wide.min(), wide.max()
        low, high = jnp.where(low == high, low - 1, low), jnp.where(low == high, high + 1, high)
    positions = jnp.floor((wide - low) / (high - low) * bins).astype(jnp.int32)
    counts = (wide >= low) & (wide <= high)
    dtype = wide.dtype if x.dtype == jnp.float16 else x.dtype
    return jnp.zeros(bins, dtype).at[jnp.clip(positions, 0, bins - 1)].add(counts.astype(dtype))


method("histc", (histc, "(bins=100, min=0, max=0)"))


@op("HistogramFixedWidth(nbins, dtype='int32')", name="_histogram_fixed_width")
def _histogram_fixed_width(x: Array, range: Array, nbins: PositiveInt, dtype: OneOf("int32") = "int32"):
    """Histogram: counts of elements in intervals of equal length; the outer intervals are open.

    Args:
        x (Tensor): any shape, a dtype of numbers.
        range (Tensor): shape ``(2,)``: where the intervals begin and end.
        nbins (int): how many intervals.
        dtype (str): ``'int32'``.
    Returns:
        Tensor of int32, shape ``(nbins,)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``nbins`` is below 1.
    Example:
        >>> ops.HistogramFixedWidth(5)(Tensor([-1.0, 0.0, 1.5, 2.0, 5.0, 15.0]), Tensor([0.0, 5.0])).tolist()
        [2, 1, 1, 0, 2]
    Source: mindspore.ops.HistogramFixedWidth
    """
    if range.shape != (2,):
        check.refuse(ValueError, "HistogramFixedWidth", "range", "of shape (2,)", range.shape)
    wide = x.reshape(-1).astype(jnp.promote_types(x.dtype, jnp.float32))
    low, high = range.astype(wide.dtype)
    positions = jnp.floor((wide - low) / (high - low) * nbins)
    return jnp.zeros(nbins, jnp.int32).at[jnp.clip(positions, 0, nbins - 1).astype(jnp.int32)].add(1)


@op("Bincount", name="_bincount_of_size")
def _bincount_of_size(array: Array, size: Int, weights: Array):
    """Counts of each integer in ``[0, size)``.

    Args:
        array (Tensor): any shape, int32, no value below 0.
        size (Tensor): one int, the length of the result.
        weights (Tensor): of the shape of ``array``: what each occurrence counts; empty for 1.
    Returns:
        Tensor of shape ``(size,)``, dtype of ``weights``.
    Raises:
        TypeError: if an argument has a wrong type.
    Example:
        >>> ops.Bincount()(Tensor([1, 2, 2]), Tensor(4), Tensor([1.0, 1.0, 2.0])).tolist()
        [0.0, 1.0, 3.0, 0.0]
    Source: mindspore.ops.Bincount
    """
    check.dtype(array, "i", "array", "Bincount")
    amounts = weights.reshape(-1) if weights.size else jnp.ones(array.size, weights.dtype)
    return jnp.zeros(size, weights.dtype).at[array.reshape(-1)].add(amounts, mode="drop")


@op("ConfusionMatrix(num_classes, dtype='int32')", name="_confusion_matrix")
def _confusion_matrix(
    labels: Array,
    predictions: Array,
    weights: Array | None = None,
    num_classes: PositiveInt = 1,
    dtype: OneOf("int32") = "int32",
):
    """Confusion matrix: how often each label was predicted as each class.

    Args:
        labels, predictions (Tensor): shape ``(N,)``, classes in ``[0, num_classes)``.
        weights (Tensor | None): shape ``(N,)``: what each example counts. Default: ``None``, 1.
        num_classes (int): how many classes.
        dtype (str): ``'int32'``.
    Returns:
        Tensor of int32, shape ``(num_classes, num_classes)``: labels, predictions.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``num_classes`` is below 1.
    Example:
        >>> ops.ConfusionMatrix(2)(Tensor([0, 1, 1]), Tensor([1, 1, 1])).tolist()
        [[0, 1], [0, 2]]
    Source: mindspore.ops.ConfusionMatrix
    """
    amounts = jnp.ones(labels.shape, jnp.int32) if weights is None else weights.astype(jnp.int32)
    return jnp.zeros((num_classes, num_classes), jnp.int32).at[labels, predictions].add(amounts, mode="drop")


@op("EqualCount", name="_equal_count")
def _equal_count(x: Array, y: Array):
    """The number of equal elements of two Tensors.

    Args:
        x, y (Tensor): one shape and dtype.
    Returns:
        Tensor of shape ``(1,)``, dtype of ``x``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if shapes differ.
    Example:
        >>> ops.EqualCount()(Tensor([1, 2]), Tensor([1, 3])).tolist()
        [1]
    Source: mindspore.ops.EqualCount
    """
    if x.dtype != y.dtype:
        check.refuse(TypeError, "EqualCount", "y", f"a Tensor of {x.dtype}, as 'x' is", y.dtype.name)
    if x.shape != y.shape:
        check.refuse(ValueError, "EqualCount", "y", f"of shape {x.shape}, as 'x' is", y.shape)
    return jnp.sum(x == y, dtype=x.dtype)[None]


@op("InTopK(k)")
def intopk(x1: Array, x2: Array, k: Int):
    """Whether the element at an index is among the ``k`` largest of its row.

    Args:
        x1 (Tensor): shape ``(N, C)``, a float dtype.
        x2 (Tensor): shape ``(N,)``, the indices.
        k (int): how many.
    Returns:
        Tensor of bool, shape ``(N,)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not go together.
    Example:
        >>> ops.intopk(Tensor([[1.0, 3.0, 2.0]]), Tensor([2]), 2).tolist()
        [True]
    Source: mindspore.ops.intopk, mindspore.ops.InTopK
    """
    check.dtype(x1, "f", "x1", "InTopK")
    if x1.ndim != 2 or x2.shape != x1.shape[:1]:
        check.refuse(ValueError, "InTopK", "x2", f"of the length of 'x1', whose shape is {x1.shape}", x2.shape)
    own = jnp.take_along_axis(x1, x2[:, None].astype(jnp.int32), axis=1)
    return (jnp.sum(x1 > own, axis=1) < k) & jnp.isfinite(own[:, 0])


@op("CompareAndBitpack", name="_compare_and_bitpack")
def _compare_and_bitpack(x: Array, threshold: Array):
    """Whether elements are above ``threshold``, packed eight to a byte, the first in the highest bit.

    Args:
        x (Tensor): shape ``(*, 8 N)``.
        threshold (Tensor): no axes, the same dtype.
    Returns:
        Tensor of uint8, shape ``(*, N)``.
    Raises:
        TypeError: if dtypes differ.  ValueError: if the last length is not a multiple of 8.
    Example:
        >>> ops.CompareAndBitpack()(Tensor([1.0, 2, 3, 4, 5, 6, 7, 8]), Tensor(4.0)).tolist()
        [15]
    Source: mindspore.ops.CompareAndBitpack
    """
    check.same_dtype(threshold, x, "threshold", "x", "CompareAndBitpack")
    if not x.ndim or x.shape[-1] % 8:
        check.refuse(ValueError, "CompareAndBitpack", "x", "of a last length that is a multiple of 8", x.shape)
    return jnp.packbits(x > threshold, axis=-1)
