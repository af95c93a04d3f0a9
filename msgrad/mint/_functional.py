"""Functions of `mint.nn.functional` except activations: convolution, pooling, normalisation, losses and others."""

from typing import Any

from .. import ops
from .._contracts import check
from .._contracts.choices import LengthsOrList, OneOf
from .._contracts.contracts import Array, Axes, Bool, Int, Real
from .._contracts.kinds import Static, TensorOf
from ..ops._core.define import composite, op
from ..ops._core.families import body
from ..ops._shared.windows import both, spanned
from ..ops.array.reshaping import joined_axes
from ..ops.loss.classification_losses import divergences
from ..ops.loss.regression_losses import reduced
from ..ops.nn.convolution import _convolution, with_bias
from ..ops.nn.normalization import normalize_batch
from ..ops.nn.pool_functions import avg_pool1d_ext, avg_pool2d_ext, avg_pool3d_ext
from ._dialect import FUNCTIONAL, MINT, or_in_place

FUNCTIONAL.share("""
    adaptive_max_pool2d conv_transpose2d cosine_embedding_loss cross_entropy embedding fold
    grid_sample group_norm l1_loss layer_norm mse_loss pixel_shuffle soft_margin_loss unfold
""")
FUNCTIONAL.face(ops.adaptive_avg_pool2d, "adaptive_avg_pool2d(input, output_size: AsTuple)")
FUNCTIONAL.face(ops.adaptive_avg_pool3d, "adaptive_avg_pool3d(input, output_size: AsTuple)")
FUNCTIONAL.face(
    avg_pool1d_ext,
    "avg_pool1d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True)",
)
FUNCTIONAL.face(
    avg_pool2d_ext,
    "avg_pool2d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=None)",
)
FUNCTIONAL.face(
    avg_pool3d_ext,
    "avg_pool3d(input, kernel_size, stride=None, padding=0, ceil_mode=False, count_include_pad=True, "
    "divisor_override=None)",
)
FUNCTIONAL.face(
    ops.max_pool2d,
    "max_pool2d(input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)",
)
FUNCTIONAL.face(ops.max_unpool2d, "max_unpool2d(input, indices, kernel_size, stride=None, padding=0, output_size=None)")
FUNCTIONAL.face(ops.binary_cross_entropy, "binary_cross_entropy(input, target, weight=None, reduction='mean')")
FUNCTIONAL.face(
    ops.binary_cross_entropy_with_logits,
    "binary_cross_entropy_with_logits(input, target, weight=None, reduction='mean', pos_weight=None)",
)
FUNCTIONAL.face(ops.dense, "linear(input, weight, bias=None)")
FUNCTIONAL.face(joined_axes, "flatten(input, start_dim=0, end_dim=-1)")
FUNCTIONAL.face(ops.nll_loss, "nll_loss(input, target, weight=None, ignore_index=-100, reduction='mean')")
FUNCTIONAL.face(ops.pad, "pad(input, pad, mode='constant', value=None)", pad="padding")
FUNCTIONAL.face(ops.smooth_l1_loss, "smooth_l1_loss(input, target, reduction='mean', beta=1.0)")
FUNCTIONAL.face(
    ops.interpolate,
    "interpolate(input, size=None, scale_factor: AsFloats = None, mode='nearest', align_corners=None, "
    "recompute_scale_factor=None)",
)
FUNCTIONAL.face(
    ops.interpolate, "upsample(input, size=None, scale_factor: AsFloats = None, mode='nearest', align_corners=None)"
)

# -- convolution ----------------------------------------------------------------------------------------------------

_CONVOLUTION = """The convolution over {phrase}.

    Args:
        input (Tensor): shape ``(N, C, {axes})`` or ``(C, {axes})``, a float dtype.
        weight (Tensor): shape ``(O, C / groups, ...)``, the dtype of ``input``.
        bias (Tensor | None): shape ``(O,)``. Default: ``None``, zeros.
        stride (int | tuple[int]): Default: ``1``.
        padding (int | tuple[int] | str): zeros on both sides; ``'valid'``: none; ``'same'``: so that lengths stay,
            where the stride is 1. Default: ``0``.
        dilation (int | tuple[int]): the step between elements of ``weight``. Default: ``1``.
        groups (int): into which the channels are parted. Default: ``1``.
    Returns:
        Tensor of shape ``(N, O, ...)`` or ``(O, ...)``.
    Raises:
        TypeError: if an argument has a wrong type, or dtypes differ.  ValueError: if a value is out of range or a shape
            does not fit.  RuntimeError: if the channels do not fit.
    Example:
        >>> mint.nn.functional.{name}(ops.ones({shape}), ops.ones({ones}), padding=1).shape
        {result}
    Source: mindspore.mint.nn.functional.{name}
    """


def Padding(rank):  # noqa: N802  it reads as a type
    """``'same'``, ``'valid'``, or lengths for both sides of each axis."""
    lengths = LengthsOrList(rank, 0)

    def take(value, arg_name, owner):
        if isinstance(value, str):
            return check.one_of(value, ("same", "valid"), arg_name, owner)
        return lengths.take(value, arg_name, owner)

    return Static(take, int, tuple, list, str)


def ends(padding, kernel, dilation):
    """``(before, after)`` of each axis for a `Padding`."""
    if padding == "same":
        return [((length - 1) // 2, length // 2) for length in spanned(kernel, dilation)]
    return both((0,) * len(kernel) if padding == "valid" else padding)


def _conv(name, rank, phrase, axes):
    def compute(x, weight, bias, stride, padding, dilation, groups):
        whole = x if x.ndim == rank + 2 else x[None]
        if padding == "same" and max(stride) > 1:
            check.refuse(ValueError, name, "stride", "1 where 'padding' is 'same'", stride)
        pads = ends(padding, weight.shape[2:], dilation)
        y = with_bias(name, _convolution(name, whole, weight, stride, "pad", pads, dilation, groups), bias)
        return y if whole is x else y[0]

    text = (
        f"{name}(input: Array, weight: Array, bias: Array | None = None, stride: LengthsOrList({rank}) = 1, "
        f"padding: Padding = 0, dilation: LengthsOrList({rank}) = 1, groups: PositiveInt = 1)"
    )
    fields = {"shape": (1, 2, *(4,) * rank), "ones": (3, 2, *(1,) * rank), "result": (1, 3, *(6,) * rank)}
    further = {"Padding": Padding(rank)}
    return op(dialect=FUNCTIONAL)(body(text, compute, _CONVOLUTION, further, phrase=phrase, axes=axes, **fields))


_conv("conv1d", 1, "one axis", "L")
_conv("conv2d", 2, "two axes", "H, W")
_conv("conv3d", 3, "three axes", "D, H, W")
MINT.share("conv2d", FUNCTIONAL)

# -- pooling --------------------------------------------------------------------------------------------------------


@composite(dialect=FUNCTIONAL)
def adaptive_avg_pool1d(input: Array, output_size):
    """Adaptive average pooling over one axis: the means of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, L)`` or ``(C, L)``, a float dtype.
        output_size (int | tuple[int]): how many.
    Returns:
        Tensor of the dtype of ``input``, its last axis of that length.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> mint.nn.functional.adaptive_avg_pool1d(Tensor([[[1.0, 3.0, 5.0]]]), 2).tolist()
        [[[2.0, 4.0]]]
    Source: mindspore.mint.nn.functional.adaptive_avg_pool1d
    """
    return ops.adaptive_avg_pool2d(input.unsqueeze(-2), (1, _one(output_size))).squeeze(-2)


@composite(dialect=FUNCTIONAL)
def adaptive_max_pool1d(input: Array, output_size, return_indices: Bool = False):
    """Adaptive max pooling over one axis: the maxima of ``output_size`` windows.

    Args:
        input (Tensor): shape ``(N, C, L)`` or ``(C, L)``, a float dtype.
        output_size (int | tuple[int]): how many.
        return_indices (bool): whether to return the indices, too. Default: ``False``.
    Returns:
        Tensor, or tuple of two Tensors: elements, and indices (int64).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a value is out of range, or there are other axes.
    Example:
        >>> mint.nn.functional.adaptive_max_pool1d(Tensor([[[1.0, 3.0, 5.0]]]), 2).tolist()
        [[[3.0, 5.0]]]
    Source: mindspore.mint.nn.functional.adaptive_max_pool1d
    """
    pooled = ops.adaptive_max_pool2d(input.unsqueeze(-2), (1, _one(output_size)), return_indices)
    return tuple([each.squeeze(-2) for each in pooled]) if return_indices else pooled.squeeze(-2)


def _one(size) -> Any:
    return size[0] if isinstance(size, (tuple, list)) and len(size) == 1 else size


# -- normalisation and dropping ---------------------------------------------------------------------------------------


@composite(dialect=FUNCTIONAL)
def batch_norm(
    input: Array,
    running_mean: Array | None,
    running_var: Array | None,
    weight: Array | None = None,
    bias: Array | None = None,
    training: Bool = False,
    momentum: Real = 0.1,
    eps: Real = 1e-5,
):
    """``weight * (input - mean) / sqrt(variance + eps) + bias`` for each channel (axis 1).

    In training mean and variance are those of the batch, and ``running_mean`` and ``running_var`` become
    ``(1 - momentum) * running + momentum * batch`` in place, with the unbiased variance.

    Args:
        input (Tensor): shape ``(N, C, ...)``, a float dtype.
        running_mean, running_var (Tensor | Parameter | None): shape ``(C,)``; None in training: not kept.
        weight, bias (Tensor | None): shape ``(C,)``. Default: ``None``, ones and zeros.
        training (bool): whether the batch's statistics are used. Default: ``False``.
        momentum (float): the part that new statistics have. Default: ``0.1``.
        eps (float): added to the variance. Default: ``1e-5``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a shape does not fit, or statistics are missing.
    Example:
        >>> zero, one = Tensor([0.0]), Tensor([1.0])
        >>> mint.nn.functional.batch_norm(Tensor([[1.0], [3.0]]), zero, one, eps=0.0).tolist()
        [[1.0], [3.0]]
    Source: mindspore.mint.nn.functional.batch_norm
    """
    check.at_least_rank(input, 2, "input", "batch_norm")
    if not training and (running_mean is None or running_var is None):
        check.refuse(ValueError, "batch_norm", "running_mean", "given, with 'running_var', outside of training", None)
    shape, dtype = (input.shape[1],), input.dtype
    zeros, ones = ops.zeros(shape, dtype), ops.ones(shape, dtype)
    mean, variance = zeros if running_mean is None else running_mean, ones if running_var is None else running_var
    scale, shift = ones if weight is None else weight, zeros if bias is None else bias
    return normalize_batch(input, scale, shift, mean, variance, training, eps, momentum, 1)[0]


def _dropout(input, p=0.5, training=True):
    """Dropout: sets elements to 0 with probability ``p`` and divides the others by ``1 - p``.

    Args:
        input (Tensor): any shape, a float dtype.
        p (float): the probability, in ``[0, 1]``. Default: ``0.5``.
        training (bool): if False, ``input`` is returned itself. Default: ``True``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: for arguments of other types.  ValueError: if ``p`` is out of range.
    Example:
        >>> mint.nn.functional.dropout(Tensor([1.0, 2.0]), p=1.0).tolist()
        [0.0, 0.0]
    Source: mindspore.mint.nn.functional.dropout
    """
    if not 0 <= p <= 1:
        check.refuse(ValueError, "dropout", "p", "in the range [0, 1]", p)
    return input * 0 if p == 1 and training else ops.dropout(input, p, training)


FUNCTIONAL.face(or_in_place(_dropout), "dropout(input, p: Real = 0.5, training=True, inplace=False)")
FUNCTIONAL.face(or_in_place(ops.dropout2d), "dropout2d(input, p=0.5, training=True, inplace=False)")


@composite(dialect=FUNCTIONAL)
def normalize(input: Array, p: Real = 2.0, dim: Axes = 1, eps: Real = 1e-12):
    """Lp normalization: ``input`` divided by its norm along ``dim``, at least ``eps``.

    Args:
        input (Tensor): any shape, a float dtype.
        p (float): the order of the norm. Default: ``2.0``.
        dim (int | tuple[int]): Default: ``1``.
        eps (float): Default: ``1e-12``.
    Returns:
        Tensor of the same shape and dtype.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if an axis is out of range.
    Example:
        >>> mint.nn.functional.normalize(Tensor([[3.0, 4.0]]), eps=8).tolist()
        [[0.375, 0.5]]
    Source: mindspore.mint.nn.functional.normalize
    """
    return input / ops.clamp(ops.vector_norm(input, p, dim, True), eps)


# -- losses, and others -----------------------------------------------------------------------------------------------


@op(dialect=FUNCTIONAL)
def kl_div(
    input: Array,
    target: Array,
    reduction: OneOf("none", "mean", "batchmean", "sum") = "mean",
    log_target: Bool = False,
):
    """Kullback-Leibler divergence: ``target * (log(target) - input)``, reduced.

    Args:
        input (Tensor): log probabilities, any shape, a float dtype.
        target (Tensor): probabilities, of a shape that broadcasts; elements that are not above 0 add nothing.
        reduction (str): ``'mean'``, ``'sum'``, ``'none'``, or ``'batchmean'``: the sum divided by the length of the
            first axis. Default: ``'mean'``.
        log_target (bool): whether ``target`` holds logarithms. Default: ``False``.
    Returns:
        Tensor of rank 0, or of the broadcast shape for ``'none'``.
    Raises:
        TypeError: if an argument is not a Tensor of floats.  ValueError: if shapes do not broadcast, or ``reduction``
            is another str.
    Example:
        >>> mint.nn.functional.kl_div(Tensor([-1.0, -2.0]), Tensor([1.0, 0.0]), "sum").item()
        1.0
    Source: mindspore.mint.nn.functional.kl_div
    """
    check.broadcastable(input.shape, target.shape, "kl_div")
    x, y = check.dtype(input, "f", "input", "kl_div"), check.dtype(target, "f", "target", "kl_div")
    loss = divergences(x, y, log_target)
    return reduced(loss, "sum") / x.shape[0] if reduction == "batchmean" and x.ndim else reduced(loss, reduction)


@composite(dialect=FUNCTIONAL)
def one_hot(tensor: TensorOf("int32", "int64"), num_classes: Int = -1):
    """One-hot encoding: a new last axis with 1 at the index in each element, and 0 elsewhere.

    Args:
        tensor (Tensor): any shape, int32 or int64, non-negative.
        num_classes (int): the length of the new axis. Default: ``-1``, one more than the largest element.
    Returns:
        Tensor of int64.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``num_classes`` is below -1.
    Example:
        >>> mint.nn.functional.one_hot(Tensor([0, 2])).tolist()
        [[1, 0, 0], [0, 0, 1]]
    Source: mindspore.mint.nn.functional.one_hot
    """
    if num_classes < -1:
        check.refuse(ValueError, "one_hot", "num_classes", "-1 or more", num_classes)
    return ops.one_hot(tensor, int(tensor.max().item()) + 1 if num_classes == -1 else num_classes)
