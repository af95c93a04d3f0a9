"""Operations as gradient Primitives need them: with indices or statistics of the forward pass, or by shape."""

import numpy as np

from ... import ops
from ...autodiff import vjp
from ...tensor.tensor import Tensor


def unpadded(dy, paddings):
    """The input shape of `MirrorPad`."""
    return tuple(length - sum(pair) for length, pair in zip(dy.shape, rows(paddings), strict=True))


def rows(paddings):
    return paddings.asnumpy().reshape(-1, 2).tolist()


def unpadded_v3(x, paddings, paddings_contiguous):
    """The input shape of `PadV3`: widths in pairs from the last axis, or all first widths before all last ones."""
    widths = paddings.asnumpy().reshape(-1).tolist() if isinstance(paddings, Tensor) else list(np.ravel(paddings))
    half = len(widths) // 2
    pairs = (
        zip(widths[::2], widths[1::2], strict=True)
        if paddings_contiguous
        else zip(widths[:half], widths[half:], strict=True)
    )
    shape = list(x.shape)
    for axis, pair in enumerate(pairs):
        shape[-1 - axis] -= int(sum(pair))
    return tuple(shape)


def at_flat_indices(x, argmax, shared=2):
    """The elements of ``x`` at flat indices after its ``shared`` first axes: pooling with known indices."""
    flat_indices = argmax.reshape((*argmax.shape[:shared], -1)).astype(np.int64)
    return ops.gather_elements(x.reshape((*x.shape[:shared], -1)), shared, flat_indices).reshape(argmax.shape)


def at_flat_indices_of_images(x, argmax):
    """`at_flat_indices` with indices over all channels of an image."""
    return at_flat_indices(x, argmax, 1)


def unpooled(x, argmax, shape, shared=2):
    """Zeros with the elements of ``x`` at flat indices after the ``shared`` first axes."""
    flat = ops.zeros((*shape[:shared], int(np.prod(shape[shared:]))), x.dtype)
    flat_indices = argmax.reshape((*argmax.shape[:shared], -1)).astype(np.int64)
    updates = x.reshape((*x.shape[:shared], -1))
    return ops.tensor_scatter_elements(flat, flat_indices, updates, shared).reshape(shape)


def with_known_value(value, result):
    """The known result of an operation, with the gradient of recomputing it."""
    return value + ops.stop_gradient(result - value)


def layer_normed(x, gamma, beta, variance, mean, begin_norm_axis):
    """Layer norm with a given mean and variance (without epsilon)."""
    axes = tuple(range(begin_norm_axis % x.ndim, x.ndim))
    centred = x - with_known_value(x.mean(axes, keep_dims=True), mean)
    return (
        centred * ops.rsqrt(with_known_value((centred * centred).mean(axes, keep_dims=True), variance)) * gamma + beta
    )


def batch_normed(x, scale, bias, saved_mean, saved_variance, is_training, epsilon, data_format):
    """Batch norm with a given mean and variance, of the batch if ``is_training``."""
    channels = x.ndim - 1 if data_format == "NHWC" else 1
    axes = tuple(axis for axis in range(x.ndim) if axis != channels)
    scale, bias, mean, variance = (
        each.reshape([-1 if axis == channels else 1 for axis in range(x.ndim)])
        for each in (scale, bias, saved_mean, saved_variance)
    )
    if is_training:
        average = x.mean(axes, keep_dims=True)
        # The square is 0, and so is its gradient: it counts in second derivatives, where the mean moves with ``x``.
        around = ((x - mean) ** 2).mean(axes, keep_dims=True) - (average - ops.stop_gradient(average)) ** 2
        variance, mean = with_known_value(around, variance), with_known_value(average, mean)
    return (x - mean) * ops.rsqrt(variance + epsilon) * scale + bias


def group_normed(x, mean, rstd, gamma_opt, beta, num_groups):
    """Group norm by means and reciprocal deviations that are found already."""
    parts = x.reshape((x.shape[0], num_groups, -1))
    mean, rstd = (each.reshape((*parts.shape[:2], 1)) for each in (mean, rstd))
    parts = _standardized(parts, mean, rstd, 2).reshape(x.shape)
    channels = (1, -1) + (1,) * (x.ndim - 2)
    return parts * gamma_opt.reshape(channels) + beta.reshape(channels)


def _standardized(x, mean, rstd, axes):
    """``x`` standardized by the given mean and deviation; the epsilon follows from them."""
    centred = x - with_known_value(x.mean(axes, keep_dims=True), mean)
    variance = (centred * centred).mean(axes, keep_dims=True)
    epsilon = ops.stop_gradient(1 / (rstd * rstd) - variance)
    return centred * ops.rsqrt(variance + epsilon)


def instance_normed(x, gamma, beta, mean, variance, save_mean, save_variance, is_training, epsilon):
    """Instance norm: by means and reciprocal deviations of the images, or by running statistics."""
    if is_training:
        return _standardized(x, save_mean, save_variance, (2, 3)) * gamma + beta
    return (x - mean) * ops.rsqrt(variance + epsilon) * gamma + beta


def rms_normed(x, gamma, rstd):
    """RMS norm; its epsilon is computed from the factor of the forward pass."""
    axes = tuple(range(x.ndim - gamma.ndim, x.ndim))
    mean = (x * x).mean(axes, keep_dims=True)
    epsilon = ops.stop_gradient(1 / (rstd * rstd) - mean)
    return x * ops.rsqrt(mean + epsilon) * gamma


def segment_sums(x, indices, segment_ids, count, power):
    """Segment sums divided by a power of the segment's length."""
    rows = ops.gather(x, indices, 0)
    total = ops.unsorted_segment_sum(rows, segment_ids, count)
    length = ops.unsorted_segment_sum(ops.ones_like(segment_ids).astype(x.dtype), segment_ids, count)
    return total / ops.maximum(length, 1).reshape((-1,) + (1,) * (x.ndim - 1)) ** power


def by_segment(power):
    return lambda of, x, indices, segment_ids: segment_sums(of, indices, segment_ids, x.shape[0], power)


def first_axis(x, output_dim0):
    count = output_dim0.asnumpy().item() if isinstance(output_dim0, Tensor) else output_dim0
    return (int(count), *x.shape[1:])


def median(x, y, indices, global_median, axis, keep_dims):
    """The median at the known index; for the whole Tensor, the mean of the elements equal to it."""
    if global_median:
        hits = (x == y).astype(x.dtype)
        return (x * hits).sum() / hits.sum()
    indices_kept = indices if keep_dims or not x.ndim else ops.expand_dims(indices, axis)
    return ops.gather_elements(x, axis, indices_kept.astype(np.int64)).reshape(y.shape)


def windows(edges, overlapping, length):
    """The boundaries of the windows of fractional pooling."""
    edges = edges.asnumpy().tolist()
    return [(first, min(last + overlapping, length)) for first, last in zip(edges, edges[1:])]  # noqa: B905


def fraction_pooled(reduce):
    def run(x, rows, columns, overlapping):
        lines = [
            ops.stack(
                [reduce(x[:, top:bottom, left:right]) for left, right in windows(columns, overlapping, x.shape[2])], 1
            )
            for top, bottom in windows(rows, overlapping, x.shape[1])
        ]
        return ops.stack(lines, 1)

    return run


max_fractions = fraction_pooled(lambda part: ops.amax(part, (1, 2)))
mean_fractions = fraction_pooled(lambda part: part.mean((1, 2)))


def resized(resize):
    """A resizing Primitive with the size of the gradient."""
    return lambda of, grads, align_corners, half_pixel_centers: getattr(ops, resize)(align_corners, half_pixel_centers)(
        of, grads.shape[2:]
    )


def _cubic_weights(length, size, corners):
    """The weights of cubic interpolation along an axis, ``(size, length)``: Keys's, a = -0.75, ends repeated."""
    positions = np.arange(size)
    scale = (length - 1) / max(size - 1, 1) if corners else length / size
    centres = positions * scale if corners else (positions + 0.5) * scale - 0.5
    first = np.floor(centres).astype(int)
    weights = np.zeros((size, length))
    for tap in (-1, 0, 1, 2):
        distance = np.abs(centres - first - tap)
        inner = (1.25 * distance - 2.25) * distance**2 + 1
        outer = ((-0.75 * distance + 3.75) * distance - 6) * distance + 3
        np.add.at(weights, (positions, np.clip(first + tap, 0, length - 1)), np.where(distance <= 1, inner, outer))
    return weights


def resized_v2(x, shape, coordinate_transformation_mode, mode):
    """``ResizeV2``: ``nearest`` and ``linear`` along the last axis, the one before having the length 1."""
    corners = coordinate_transformation_mode == "align_corners"
    if mode == "cubic":
        rows, columns = (_cubic_weights(*pair, corners) for pair in zip(x.shape[2:], shape[2:], strict=True))
        return ops.matmul(ops.matmul(Tensor(rows, x.dtype), x), Tensor(columns.T, x.dtype))
    line = x.squeeze(2)
    if mode == "nearest":
        return ops.interpolate(line, tuple(shape[3:])).expand_dims(2)
    return ops.interpolate(line, tuple(shape[3:]), mode="linear", align_corners=corners).expand_dims(2)


def resized_area(grads, size):
    return (*grads.shape[:2], *size)


def ctc_gradient(grad_out, log_probs, targets, input_lengths, target_lengths, blank, zero_infinity):
    """The gradient of CTC by the logits of log-softmax, as MindSpore's and PyTorch's kernels give it."""

    def loss(log_probs):
        return ops.CTCLossV2(blank, "none", zero_infinity)(log_probs, targets, input_lengths, target_lengths)[0]

    _, pull = vjp(loss, log_probs)
    is_used = ops.arange(log_probs.shape[0]).expand_dims(1) < input_lengths
    return pull(grad_out)[0] + ops.exp(log_probs) * (is_used * grad_out).expand_dims(2)


def bias_gradient(dout, data_format):
    channels = dout.ndim - 1 if data_format == "NHWC" else 1
    return dout.sum(tuple(axis for axis in range(dout.ndim) if axis != channels))


def offsets(x, axis):
    """The offset of each of `Concat`'s Tensors in the result."""
    starts = np.zeros((len(x), x[0].ndim), np.int64)
    starts[1:, axis] = np.cumsum([each.shape[axis] for each in x[:-1]])
    return Tensor(starts)


def values_at(values, indices, wanted):
    """The values of a sparse Tensor at the indices ``wanted``; 0 where it has none."""
    position_of = {tuple(index): position for position, index in enumerate(indices.asnumpy().tolist())}
    positions = np.array(
        [position_of.get(tuple(index), len(position_of)) for index in wanted.asnumpy().tolist()], np.int64
    )
    return ops.cat((values, ops.zeros(1, values.dtype)))[Tensor(positions)]


def filled_rows(reverse_index_map, grad_values):
    chosen = grad_values[reverse_index_map]
    return chosen, grad_values.sum() - chosen.sum()
