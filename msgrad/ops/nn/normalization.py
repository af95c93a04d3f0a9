"""Batch, layer, group, instance and local response normalization."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf, Word
from ..._contracts.contracts import Array, Bool, Float, Int, Ints, NonNegativeInt, PositiveInt, Real
from ..._contracts.kinds import Scalar
from ...tensor.parameter import write_all
from .._core.define import composite, op
from .._core.faces import face, primitive

_MSG_EACH = "of shape ({0},), as 'input' has {0} channels"


def along(values, axis, rank):
    """``values``, one for each index along ``axis``, reshaped to broadcast to an array of that rank."""
    return values.reshape([-1 if index == axis else 1 for index in range(rank)])


def _centered(x, axes):
    """``x`` less its mean along ``axes``, that mean and the variance, both with length 1 along them."""
    # `jnp.var` takes the mean a second time, and divides by a number of elements that may be 0, in 9 operations more.
    mean = x.mean(axes, keepdims=True)
    deviation = x - mean
    return deviation, mean, jnp.square(deviation).mean(axes, keepdims=True)


def _scaled(x, wide, mean, variance, gamma, beta, eps, axis):
    factor = gamma.astype(wide.dtype) * jax.lax.rsqrt(variance + eps)
    y = (wide - along(mean, axis, x.ndim)) * along(factor, axis, x.ndim)
    return (y + along(beta.astype(wide.dtype), axis, x.ndim)).astype(x.dtype)


@op(name="_normalize", wide=True)
def normalized(x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: Scalar(), axis):
    wide = check.dtype(x, "f", "input_x", "BatchNorm").astype(jnp.promote_types(x.dtype, mean.dtype))
    return _scaled(x, wide, mean.astype(wide.dtype), variance.astype(wide.dtype), gamma, beta, eps, axis)


def _correction(count, dtype):
    """Bessel's, from a variance of samples to one of their distribution; by an operation, as the count may vary."""
    return jax.lax.div(dtype.type(count), dtype.type(max(count - 1, 1)))


@op(name="_normalize_batch", wide=True)
def _normalize_batch(
    x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: Scalar(), momentum: Scalar(), axis
):
    wide = check.dtype(x, "f", "input_x", "BatchNorm").astype(jnp.promote_types(x.dtype, mean.dtype))
    axes = tuple(index for index in range(x.ndim) if index != axis)
    batch_mean, batch_variance = wide.mean(axes), wide.var(axes)
    y = _scaled(x, wide, batch_mean, batch_variance, gamma, beta, eps, axis)
    count = x.size // x.shape[axis]
    unbiased = batch_variance * _correction(count, batch_variance.dtype)
    moved = [  # running averages are state: no gradient flows into them
        (1 - momentum) * old + momentum * jax.lax.stop_gradient(new).astype(old.dtype)
        for old, new in ((mean, batch_mean), (variance, unbiased))
    ]
    return (y, batch_mean, batch_variance, *moved)


def normalize_batch(x, gamma, beta, mean, variance, training, eps, momentum, axis):
    """Batch normalisation; in training the moving ``mean`` and ``variance`` are updated with ``momentum``.

    Returns:
        tuple: the result, and the mean and the variance that it was normalised by.
    """
    channels = x.shape[axis]
    for name, values in (("scale", gamma), ("bias", beta), ("mean", mean), ("variance", variance)):
        if values.aval[0] != (channels,):
            check.refuse(ValueError, "BatchNorm", name, _MSG_EACH.format(channels), values.shape)
    if not training:
        return normalized(x, gamma, beta, mean, variance, eps, axis), mean, variance
    y, batch_mean, batch_variance, *moved = _normalize_batch(x, gamma, beta, mean, variance, eps, momentum, axis)
    write_all((mean, variance), moved)
    return y, batch_mean, batch_variance


@op(name="_normalize_instance", wide=True)
def _normalize_instance(
    x: Array, gamma: Array, beta: Array, mean: Array, variance: Array, eps: Scalar(), momentum: Scalar()
):
    axes = tuple(range(2, x.ndim))
    wide = check.dtype(x, "f", "x", "InstanceNorm").astype(jnp.promote_types(x.dtype, jnp.float32))
    deviation, own_mean, own_variance = _centered(wide, axes)
    y = deviation * jax.lax.rsqrt(own_variance + eps) * along(gamma, 1, x.ndim) + along(beta, 1, x.ndim)
    count = math.prod(x.shape[2:])
    unbiased = own_variance * _correction(count, own_variance.dtype)
    moved = [
        momentum * old + (1 - momentum) * jax.lax.stop_gradient(new.mean(0).ravel()).astype(old.dtype)
        for old, new in ((mean, own_mean), (variance, unbiased))
    ]
    return (y.astype(x.dtype), *moved)


def normalize_instances(x, gamma, beta, mean, variance, eps, momentum):
    """Instance normalisation; the moving ``mean`` and ``variance`` are updated from the samples.

    Returns:
        Tensor of the shape and dtype of ``x``.
    """
    channels = x.shape[1]
    if gamma.shape != (channels,):
        check.refuse(ValueError, "InstanceNorm", "gamma", _MSG_EACH.format(channels), gamma.shape)
    y, *moved = _normalize_instance(x, gamma, beta, mean, variance, eps, momentum)
    write_all((mean, variance), moved)
    return y


def _check_momentum(momentum):
    if not 0 < momentum <= 1:
        check.refuse(ValueError, "BatchNorm", "momentum", "in the range (0, 1]", momentum)


@composite()
def batch_norm(
    input_x: Array,
    running_mean: Array,
    running_var: Array,
    weight: Array,
    bias: Array,
    training: Bool = False,
    momentum: Scalar(_check_momentum) = 0.1,
    eps: Real = 1e-5,
):
    """Batch normalization: ``weight * (x - mean) / sqrt(variance + eps) + bias`` for each channel (axis 1).

    In training mean and variance are those of the batch, and ``running_mean`` and ``running_var`` become
    ``(1 - momentum) * running + momentum * batch`` in place, with the unbiased variance.

    Args:
        input_x (Tensor): shape ``(N, C, ...)``, a float dtype.
        running_mean, running_var (Tensor | Parameter): shape ``(C,)``.
        weight, bias (Tensor): shape ``(C,)``.
        training (bool): whether the batch's statistics are used. Default: ``False``.
        momentum (float): in ``(0, 1]``. Default: ``0.1``.
        eps (float): added to the variance. Default: ``1e-5``.
    Returns:
        Tensor of the shape and dtype of ``input_x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a shape does not fit, or ``momentum``
            is out of range.
    Example:
        >>> one, zero = Tensor([1.0]), Tensor([0.0])
        >>> ops.batch_norm(Tensor([[1.0], [3.0]]), zero, one, one, zero, eps=0.0).tolist()
        [[1.0], [3.0]]
    Source: mindspore.ops.batch_norm
    """
    check.at_least_rank(input_x, 2, "input_x", "BatchNorm")
    return normalize_batch(input_x, weight, bias, running_mean, running_var, training, eps, momentum, 1)[0]


@composite(name="_batch_norm")
def _batch_norm(
    input_x: Array,
    scale: Array,
    bias: Array,
    mean: Array,
    variance: Array,
    is_training: Bool = False,
    epsilon: Real = 1e-5,
    momentum: Scalar(_check_momentum) = 0.1,
    data_format: OneOf("NCHW", "NHWC", "NCDHW") = "NCHW",
):
    """Batch normalisation as `batch_norm`, with the statistics that it used.

    Args:
        input_x (Tensor): shape ``(N, C, ...)``, or ``(N, ..., C)`` for ``'NHWC'``, a float dtype.
        scale, bias (Tensor): shape ``(C,)``.
        mean, variance (Tensor | Parameter): the moving statistics, shape ``(C,)``; in training they are written to.
        is_training (bool): whether the batch's statistics are used. Default: ``False``.
        epsilon (float): added to the variance. Default: ``1e-5``.
        momentum (float): in ``(0, 1]``. Default: ``0.1``.
        data_format (str): ``'NCHW'``, ``'NHWC'`` or ``'NCDHW'``. Default: ``'NCHW'``.
    Returns:
        tuple of five Tensors: the result; the mean and the variance that it was normalised by; both again.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a shape or an argument's value does not fit.
    Example:
        >>> one, zero = Tensor([1.0]), Tensor([0.0])
        >>> ops.BatchNorm(epsilon=0.0)(Tensor([[1.0], [3.0]]), one, zero, zero, one)[0].tolist()
        [[1.0], [3.0]]
    Source: mindspore.ops.BatchNorm
    """
    check.at_least_rank(input_x, 2, "input_x", "BatchNorm")
    axis = input_x.ndim - 1 if data_format == "NHWC" else 1
    y, *used = normalize_batch(input_x, scale, bias, mean, variance, is_training, epsilon, momentum, axis)
    return (y, *used, *used)


primitive(
    _batch_norm,
    "BatchNorm(is_training=False, epsilon=1e-5, momentum=0.1, data_format='NCHW')"
    "(input_x, scale, bias, mean, variance)",
)


def _standardized(x, axes, eps):
    """``x`` standardized along ``axes`` to mean 0 and variance 1, and the statistics."""
    deviation, mean, variance = _centered(x, axes)
    return deviation * jax.lax.rsqrt(variance + eps), mean, variance


def _layer_normalized(x, gamma, beta, axis, epsilon, owner):
    check.dtype(x, "f", "input_x", owner)
    if not -x.ndim <= axis < x.ndim:
        check.refuse(RuntimeError, owner, "begin_norm_axis", f"an axis of an input of {x.ndim} axes", axis)
    for name, values in (("gamma", gamma), ("beta", beta)):
        if values.shape != x.shape[x.ndim - values.ndim :]:
            expected = f"of the shape of the last axes of 'input_x', {x.shape}"
            check.refuse(ValueError, owner, name, expected, values.shape)
    wide = x.astype(jnp.promote_types(x.dtype, gamma.dtype))
    y, mean, variance = _standardized(wide, tuple(range(axis % x.ndim, x.ndim)), epsilon)
    statistics = [each.astype(jnp.promote_types(x.dtype, jnp.float32)) for each in (mean, variance)]
    return ((y * gamma + beta).astype(x.dtype), *statistics)


@op("LayerNorm(begin_norm_axis=1, begin_params_axis=1, epsilon=1e-7)", name="_layer_norm", wide=True)
def _layer_norm(
    input_x: Array,
    gamma: Array,
    beta: Array,
    begin_norm_axis: Int = 1,
    begin_params_axis: Int = 1,
    epsilon: Scalar() = 1e-7,
):
    """Layer normalization over the axes from ``begin_norm_axis`` on, then ``gamma * y + beta``; and the statistics.

    Args:
        input_x (Tensor): any shape, a float dtype.
        gamma, beta (Tensor): of the shape of ``input_x`` from ``begin_params_axis`` on.
        begin_norm_axis, begin_params_axis (int): Default: ``1``.
        epsilon (float): added to the variance. Default: ``1e-7``.
    Returns:
        tuple of three Tensors: the result, of the shape and dtype of ``input_x``; mean and variance, with length 1
        along the normalised axes, of half types in float32.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.  RuntimeError: if there is no
            such axis.
    Example:
        >>> ops.LayerNorm(epsilon=0.0)(Tensor([[1.0, 3.0]]), Tensor([1.0, 1.0]), Tensor([0.0, 0.0]))[0].tolist()
        [[-1.0, 1.0]]
    Source: mindspore.ops.LayerNorm
    """
    if input_x.shape[begin_params_axis % input_x.ndim :] != gamma.shape:
        check.refuse(ValueError, "LayerNorm", "gamma", f"of the shape of 'input_x' from axis {begin_params_axis} on",
                     gamma.shape)  # fmt: skip
    return _layer_normalized(input_x, gamma, beta, begin_norm_axis, epsilon, "LayerNorm")


@op(wide=True)
def layer_norm(
    input: Array, normalized_shape: Ints, weight: Array | None = None, bias: Array | None = None, eps: Scalar() = 1e-5
):
    """Layer normalization over the last axes, then ``weight * y + bias``.

    Args:
        input (Tensor): any shape, a float dtype.
        normalized_shape (int | tuple[int] | list[int]): the lengths of the axes.
        weight, bias (Tensor): of that shape. Default: ``None``, ones and zeros.
        eps (float): added to the variance. Default: ``1e-5``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  RuntimeError: if ``weight`` or ``bias`` has another shape.
        ValueError: if ``input`` has other lengths.
    Example:
        >>> ops.layer_norm(Tensor([[1.0, 3.0]]), (2,), eps=0.0).tolist()
        [[-1.0, 1.0]]
    Source: mindspore.ops.layer_norm
    """
    for name, each in (("weight", weight), ("bias", bias)):
        if each is not None and each.shape != normalized_shape:
            expected = f"of the shape that is normalized, {normalized_shape}"
            check.refuse(RuntimeError, "layer_norm", name, expected, each.shape)
    if not normalized_shape or normalized_shape != input.shape[-len(normalized_shape) :]:
        check.refuse(ValueError, "layer_norm", "normalized_shape", f"the last lengths of {input.shape}",
                     normalized_shape)  # fmt: skip
    weight = jnp.ones(normalized_shape, input.dtype) if weight is None else weight
    bias = jnp.zeros(normalized_shape, input.dtype) if bias is None else bias
    return _layer_normalized(input, weight, bias, -len(normalized_shape), eps, "layer_norm")[0]


@op(wide=True)
def add_layer_norm(
    x1: Array, x2: Array, gamma: Array, beta: Array, epsilon: Scalar() = 1e-5, additional_output: Bool = False
):
    """Layer normalisation of a sum, along the axes of ``gamma``, with its mean, reciprocal deviation and the sum.

    Args:
        x1, x2 (Tensor): the terms, shapes that broadcast, a float dtype.
        gamma, beta (Tensor): of the shape of the last axes.
        epsilon (float): added to the variance. Default: ``1e-5``.
        additional_output (bool): whether the last result is the sum. Default: ``False``, zeros.
    Returns:
        tuple of four Tensors: the result; its mean; the inverse of the standard deviation; the sum or zeros.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> one, zero = Tensor([1.0, 1.0]), Tensor([0.0, 0.0])
        >>> ops.add_layer_norm(Tensor([[1.0, 2.0]]), Tensor([[0.0, 1.0]]), one, zero, 0.0)[0].tolist()
        [[-1.0, 1.0]]
    Source: mindspore.ops.add_layer_norm
    """
    total = x1 + x2
    y, mean, variance = _layer_normalized(total, gamma, beta, -gamma.ndim, epsilon, "add_layer_norm")
    scale = jax.lax.rsqrt(variance.astype(jnp.float32) + epsilon)
    return y, mean.astype(jnp.float32), scale, total if additional_output else jnp.zeros_like(total)


@op("RmsNorm(epsilon=1e-6)", wide=True)
def rms_norm(x: Array, gamma: Array, epsilon: Scalar() = 1e-6):
    """RMS normalization: ``gamma * x / sqrt(mean(x^2) + epsilon)`` over the axes of ``gamma``.

    Args:
        x (Tensor): any shape, a float dtype.
        gamma (Tensor): of the shape of the last axes of ``x``.
        epsilon (float): Default: ``1e-6``.
    Returns:
        tuple of two Tensors: the result, of the shape and dtype of ``x``; and the factor (float32), with length 1 along
        the axes of ``gamma``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> ops.rms_norm(Tensor([[1.0, 7.0]]), Tensor([5.0, 5.0]), 0.0)[0].asnumpy().round(3).tolist()
        [[1.0, 7.0]]
    Source: mindspore.ops.rms_norm, mindspore.ops.RmsNorm
    """
    if not gamma.ndim or gamma.shape != x.shape[-gamma.ndim :]:
        check.refuse(ValueError, "RmsNorm", "gamma", f"of the shape of the last axes of 'x', {x.shape}", gamma.shape)
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    wide = x.astype(jnp.promote_types(x.dtype, jnp.float32))
    factor = jax.lax.rsqrt(jnp.mean(jnp.square(wide), axes, keepdims=True) + epsilon)
    return (wide * factor * gamma).astype(x.dtype), factor


@op(wide=True)
def add_rms_norm(x1: Array, x2: Array, gamma: Array, epsilon: Scalar() = 1e-6):
    """`rms_norm` of a sum, and the sum.

    Args:
        x1, x2 (Tensor): the terms, of the same shape and float dtype.
        gamma (Tensor): of the shape of the last axes.
        epsilon (float): Default: ``1e-6``.
    Returns:
        tuple of three Tensors: the result, the factor (float32), the sum.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> ops.add_rms_norm(Tensor([[1.0, 3.0]]), Tensor([[0.0, 4.0]]), Tensor([1.0, 1.0]), 0.0)[2].tolist()
        [[1.0, 7.0]]
    Source: mindspore.ops.add_rms_norm
    """
    total = x1 + x2
    return (*rms_norm(total, gamma, epsilon), total)


@op(wide=True)
def group_norm(
    input: Array,
    num_groups: PositiveInt,
    weight: Array | None = None,
    bias: Array | None = None,
    eps: Scalar() = 1e-5,
):
    """Group normalization: over each group of channels (axis 1) and all further axes, then ``weight * y + bias``.

    Args:
        input (Tensor): shape ``(N, C, ...)``, a float dtype.
        num_groups (int): a divisor of ``C``.
        weight, bias (Tensor): shape ``(C,)``. Default: ``None``, ones and zeros.
        eps (float): added to the variance. Default: ``1e-5``.
    Returns:
        Tensor of the shape and dtype of ``input``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> ops.group_norm(Tensor([[1.0, 3.0]]), 1, eps=0.0).tolist()
        [[-1.0, 1.0]]
    Source: mindspore.ops.group_norm
    """
    channels = check.at_least_rank(check.dtype(input, "f", "input", "group_norm"), 2, "input", "group_norm").shape[1]
    if channels % num_groups:
        check.refuse(ValueError, "group_norm", "num_groups", f"a divisor of {channels} channels", num_groups)
    for name, values in (("weight", weight), ("bias", bias)):
        if values is not None and values.shape != (channels,):
            check.refuse(ValueError, "group_norm", name, _MSG_EACH.format(channels), values.shape)
    # Axes are not merged, so that a program may have the channels last (`engine.layouts`).
    grouped = input.reshape((input.shape[0], num_groups, channels // num_groups, *input.shape[2:]))
    y = _standardized(grouped, tuple(range(2, grouped.ndim)), eps)[0].reshape(input.shape)
    y = y if weight is None else y * along(weight, 1, input.ndim)
    return (y if bias is None else y + along(bias, 1, input.ndim)).astype(input.dtype)


@op("LRN(depth_radius=5, bias=1.0, alpha=1.0, beta=0.5, norm_region='ACROSS_CHANNELS')", wide=True)
def lrn(
    x: Array,
    depth_radius: NonNegativeInt = 5,
    bias: Scalar(of=Float) = 1.0,
    alpha: Scalar(of=Float) = 1.0,
    beta: Scalar(of=Float) = 0.5,
    norm_region: Word("ACROSS_CHANNELS") = "ACROSS_CHANNELS",
):
    """Local response normalization: ``x / (bias + alpha * s)^beta``, ``s`` the sum of squares of neighbouring channels.

    Args:
        x (Tensor): shape ``(N, C, H, W)``, float16 or float32.
        depth_radius (int): Default: ``5``.
        bias, alpha, beta (float): Default: ``1.0``, ``1.0``, ``0.5``.
        norm_region (str): must be ``'ACROSS_CHANNELS'``, the default.
    Returns:
        Tensor of the shape and dtype of ``x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``x`` has another rank, or a value is out of range.
    Example:
        >>> ops.lrn(Tensor([[[[3.0]]]]), bias=0.0).tolist()
        [[[[1.0]]]]
    Source: mindspore.ops.lrn, mindspore.ops.LRN
    """
    if check.dtype(x, "f", "x", "LRN").ndim != 4:
        check.refuse(ValueError, "LRN", "x", "of shape (N, C, H, W)", x.shape)
    window, around = (1, 2 * depth_radius + 1, 1, 1), [(0, 0), (depth_radius, depth_radius), (0, 0), (0, 0)]
    zero = np.zeros((), x.dtype)  # of NumPy: JAX differentiates the sum by the value that it sees
    near = jax.lax.reduce_window(jnp.square(x), zero, jax.lax.add, window, (1, 1, 1, 1), around)
    return (x / (bias + alpha * near) ** beta).astype(x.dtype)


@op("BiasAdd(data_format='NCHW')", name="_bias_add")
def _bias_add(input_x: Array, bias: Array, data_format: Word("NCHW", "NHWC", "NCDHW") = "NCHW"):
    """Adds a bias for each channel.

    Args:
        input_x (Tensor): from two to five axes, the channels along axis 1, or the last one for ``'NHWC'``.
        bias (Tensor): shape ``(C,)``, the dtype of ``input_x``.
        data_format (str): ``'NCHW'``, ``'NHWC'`` or ``'NCDHW'``. Default: ``'NCHW'``.
    Returns:
        Tensor of the shape and dtype of ``input_x``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if ``bias`` does not fit the channels.
    Example:
        >>> ops.BiasAdd()(Tensor([[1.0, 2.0]]), Tensor([10.0, 20.0])).tolist()
        [[11.0, 22.0]]
    Source: mindspore.ops.BiasAdd
    """
    check.at_least_rank(input_x, 2, "input_x", "BiasAdd")
    if data_format == "NCDHW" and input_x.ndim != 5:
        check.refuse(ValueError, "BiasAdd", "input_x", "of five axes for 'NCDHW'", input_x.shape)
    axis = input_x.ndim - 1 if data_format == "NHWC" else 1
    if bias.shape != (input_x.shape[axis],):
        check.refuse(ValueError, "BiasAdd", "bias", _MSG_EACH.format(input_x.shape[axis]), bias.shape)
    return input_x + along(bias, axis, input_x.ndim).astype(input_x.dtype)


face(_bias_add, "bias_add(input_x, bias)")
