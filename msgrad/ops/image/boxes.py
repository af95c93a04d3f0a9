"""Bounding boxes: IoU, encoding as offsets, non-maximum suppression."""

import jax
import jax.numpy as jnp
import numpy as np

from ..._contracts import check
from ..._contracts.choices import OneOf
from ..._contracts.contracts import Array, Float
from ..._contracts.kinds import Reals, Scalar, concrete
from ...tensor.tensor import Tensor
from .._core.define import composite, op
from .._shared import ordering

_MSG_BOXES = "of shape (N, 4), two opposite corners of each box"


def _check_boxes(owner, **boxes):
    for name, box in boxes.items():
        if box.ndim != 2 or box.shape[1] != 4:
            check.refuse(ValueError, owner, name, _MSG_BOXES, box.shape)


@op("IOU(mode='iou')")
def iou(anchor_boxes: Array, gt_boxes: Array, mode: OneOf("iou", "iof") = "iou"):
    """Intersection over union of boxes, or over foreground; the last pixel belongs to a box.

    The divisor is ``1e-10`` larger, as in MindSpore, so a box without pixels gives 0 (float16: NaN). The area of one
    whose corners are in the wrong order is negative if that holds for one axis alone.

    Args:
        anchor_boxes (Tensor): ``(x1, y1, x2, y2)`` of each box, shape ``(N, 4)``, a float dtype.
        gt_boxes (Tensor): shape ``(M, 4)``, the same dtype.
        mode (str): ``'iou'`` by the area of both, ``'iof'`` by that of the second. Default: ``'iou'``.
    Returns:
        Tensor of shape ``(M, N)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: for another ``mode``, or the shapes do not fit.
    Example:
        >>> ops.iou(Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([[0.0, 0.0, 1.0, 0.0]])).tolist()
        [[0.5]]
    Source: mindspore.ops.iou, mindspore.ops.IOU
    """
    _check_boxes("IOU", anchor_boxes=anchor_boxes, gt_boxes=gt_boxes)

    def areas(boxes):
        return jnp.prod(boxes[:, 2:] - boxes[:, :2] + 1, -1)

    low = jnp.maximum(gt_boxes[:, None, :2], anchor_boxes[None, :, :2])
    high = jnp.minimum(gt_boxes[:, None, 2:], anchor_boxes[None, :, 2:])
    shared, own = jnp.prod(jnp.maximum(high - low + 1, 0), -1), areas(gt_boxes)[:, None]
    return shared / ((own if mode == "iof" else own + areas(anchor_boxes) - shared) + 1e-10)


def _centred(boxes):
    low, high = boxes[:, :2], boxes[:, 2:]
    return (low + high) / 2, high - low + 1


@op("BoundingBoxEncode(means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0))")
def bounding_box_encode(
    anchor_box: Array,
    groundtruth_box: Array,
    means: Reals(4) = (0.0, 0.0, 0.0, 0.0),
    stds: Reals(4) = (1.0, 1.0, 1.0, 1.0),
):
    """Encodes boxes as offsets from anchors: centres relative to the size, and logarithms of sizes.

    Args:
        anchor_box, groundtruth_box (Tensor): ``(x1, y1, x2, y2)`` of each box, shape ``(N, 4)``, a float dtype.
        means, stds (tuple[float]): of the offsets, which are made standard. Default: zeros and ones.
    Returns:
        Tensor of shape ``(N, 4)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not fit.
    Example:
        >>> ops.bounding_box_encode(Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([[1.0, 0.0, 2.0, 1.0]])).tolist()
        [[0.5, 0.0, 0.0, 0.0]]
    Source: mindspore.ops.bounding_box_encode, mindspore.ops.BoundingBoxEncode
    """
    _check_boxes("BoundingBoxEncode", anchor_box=anchor_box, groundtruth_box=groundtruth_box)
    (at, size), (to, length) = _centred(anchor_box), _centred(groundtruth_box)
    offsets = jnp.concatenate([(to - at) / size, jnp.log(length / size)], -1)
    return ((offsets - jnp.asarray(means)) / jnp.asarray(stds)).astype(anchor_box.dtype)


@op(
    "BoundingBoxDecode(max_shape: Tuple(2), means=(0.0, 0.0, 0.0, 0.0), stds=(1.0, 1.0, 1.0, 1.0), "
    "wh_ratio_clip=0.016)",
)
def bounding_box_decode(
    anchor_box: Array,
    deltas: Array,
    max_shape,
    means: Reals(4) = (0.0, 0.0, 0.0, 0.0),
    stds: Reals(4) = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: Scalar(of=Float) = 0.016,
):
    """Decodes offsets from anchors to boxes within an image: the inverse of `bounding_box_encode`.

    Args:
        anchor_box (Tensor): ``(x1, y1, x2, y2)`` of each box, shape ``(N, 4)``, a float dtype.
        deltas (Tensor): the offsets, of the same shape and dtype.
        max_shape (tuple[int]): height and width of the image.
        means, stds (tuple[float]): of the offsets. Default: zeros and ones.
        wh_ratio_clip (float): the smallest ratio of sizes. Default: ``0.016``.
    Returns:
        Tensor of shape ``(N, 4)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not fit.
    Example:
        >>> ops.bounding_box_decode(Tensor([[0.0, 0.0, 1.0, 1.0]]), Tensor([[0.5, 0.0, 0.0, 0.0]]), (9, 9)).tolist()
        [[1.0, 0.0, 2.0, 1.0]]
    Source: mindspore.ops.bounding_box_decode, mindspore.ops.BoundingBoxDecode
    """
    _check_boxes("BoundingBoxDecode", anchor_box=anchor_box, deltas=deltas)
    height, width = check.ints(max_shape, "max_shape", "BoundingBoxDecode")
    offsets = deltas * jnp.asarray(stds, deltas.dtype) + jnp.asarray(means, deltas.dtype)
    maximum = jnp.abs(jnp.log(wh_ratio_clip))
    at, size = _centred(anchor_box)
    to = at + offsets[:, :2] * size
    length = size * jnp.exp(jnp.clip(offsets[:, 2:], -maximum, maximum))
    low, high = to - length / 2 + 0.5, to + length / 2 - 0.5
    ends = jnp.array([width, height] * 2, deltas.dtype)
    return jnp.clip(jnp.concatenate([low, high], -1), 0, ends).astype(anchor_box.dtype)


@op("CheckValid()")
def check_valid(bboxes: Array, img_metas: Array):
    """Whether boxes are within an image.

    Args:
        bboxes (Tensor): ``(x1, y1, x2, y2)`` of each box, shape ``(N, 4)``, a real dtype.
        img_metas (Tensor): height, width and ratio of the image, shape ``(3,)``, the same dtype.
    Returns:
        Tensor of bool, shape ``(N,)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not fit.
    Example:
        >>> ops.check_valid(Tensor([[0.0, 0.0, 9.0, 1.0]]), Tensor([4.0, 4.0, 1.0])).tolist()
        [False]
    Source: mindspore.ops.check_valid, mindspore.ops.CheckValid
    """
    _check_boxes("CheckValid", bboxes=bboxes)
    if img_metas.shape != (3,):
        check.refuse(ValueError, "CheckValid", "img_metas", "of shape (3,)", img_metas.shape)
    height, width = img_metas[0] * img_metas[2], img_metas[1] * img_metas[2]
    low, right, bottom = jnp.min(bboxes[:, :2], -1), bboxes[:, 2], bboxes[:, 3]
    return (low >= 0) & (right <= width - 1) & (bottom <= height - 1)


def _plain_iou(boxes, anchors):
    """The IoU of each pair of boxes, whose corners may be in any order."""
    low = jnp.maximum(jnp.minimum(boxes[:, None, :2], boxes[:, None, 2:]), jnp.minimum(anchors[:, :2], anchors[:, 2:]))
    high = jnp.minimum(jnp.maximum(boxes[:, None, :2], boxes[:, None, 2:]), jnp.maximum(anchors[:, :2], anchors[:, 2:]))
    shared = jnp.prod(jnp.maximum(high - low, 0), -1)
    areas = [jnp.abs(jnp.prod(each[:, 2:] - each[:, :2], -1)) for each in (boxes, anchors)]
    return shared / jnp.maximum(areas[0][:, None] + areas[1] - shared, 1e-30)


def _survivors(overlap, threshold):
    """The mask of boxes kept, in order: those that no earlier kept box overlaps by more than a threshold."""
    ranks = jnp.arange(len(overlap))
    if not len(overlap):
        return jnp.ones(0, bool)

    def step(rank, stays):
        covered = (overlap[:, rank] > threshold) & (ranks > rank)
        return stays & ~(covered & stays[rank])

    return jax.lax.fori_loop(0, len(overlap), step, jnp.ones(len(overlap), bool))


@op("NMSWithMask(iou_threshold=0.5)", name="_nms_with_mask")
def _nms_with_mask(bboxes: Array, iou_threshold: Scalar(of=Float) = 0.5):
    """Non-maximum suppression with a mask: boxes sorted by score, and the mask of those kept.

    Args:
        bboxes (Tensor): ``(x1, y1, x2, y2, score)`` of each box, shape ``(N, 5)``, a float dtype.
        iou_threshold (float): the share of overlap from which a box is covered. Default: ``0.5``.
    Returns:
        tuple of three Tensors: the boxes, best first; their indices in this order (int32); whether each stays (bool).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shape does not fit.
    Example:
        >>> boxes = Tensor([[0.0, 0.0, 2.0, 2.0, 0.5], [0.0, 0.0, 2.0, 2.0, 0.9]])
        >>> ops.NMSWithMask()(boxes)[2].tolist()
        [True, False]
    Source: mindspore.ops.NMSWithMask
    """
    if bboxes.ndim != 2 or bboxes.shape[1] != 5:
        check.refuse(ValueError, "NMSWithMask", "bboxes", "of shape (N, 5)", bboxes.shape)
    order = ordering.order(bboxes[:, 4], descending=True)
    boxes = bboxes[order]
    stays = _survivors(_plain_iou(boxes[:, :4], boxes[:, :4]), iou_threshold)
    return boxes, jnp.arange(len(boxes), dtype=jnp.int32), stays


@op(name="_filter_boxes")
def _filter_boxes(overlap: Array, scores: Array, threshold: Array, minimum: Array):
    order = ordering.order(scores, descending=True)
    usable = scores[order] > minimum
    overlap = jnp.where(usable[:, None] & usable, overlap[order][:, order], 0)
    return order.astype(jnp.int32), _survivors(overlap, threshold) & usable


@op(name="_overlap")
def _overlap(boxes: Array):
    return _plain_iou(boxes, boxes)


def _selected(overlap, scores, maximum, threshold, minimum):
    order, stays = _filter_boxes(overlap, scores, threshold, minimum)
    selected = np.asarray(concrete(order))[np.asarray(concrete(stays), bool)]
    return Tensor(selected[: concrete(maximum)].astype(np.int32))


@composite("NonMaxSuppressionV3()", name="_non_max_suppression")
def _non_max_suppression(
    boxes: Array, scores: Array, max_output_size: Array, iou_threshold: Array, score_threshold: Array
):
    """Non-maximum suppression: the best boxes, without those that a better one overlaps. It reads values on the host.

    Args:
        boxes (Tensor): ``(y1, x1, y2, x2)`` of each box, shape ``(N, 4)``, a float dtype.
        scores (Tensor): shape ``(N,)``, the same dtype.
        max_output_size (Tensor): how many at most, an integer.
        iou_threshold (Tensor): the share of overlap from which a box is covered.
        score_threshold (Tensor): the smallest score.
    Returns:
        Tensor of int32: the indices of the boxes, best first.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not fit.
    Example:
        >>> boxes, scores = Tensor([[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 2.0]]), Tensor([0.5, 0.9])
        >>> ops.NonMaxSuppressionV3()(boxes, scores, Tensor(2), Tensor(0.5), Tensor(0.0)).tolist()
        [1]
    Source: mindspore.ops.NonMaxSuppressionV3
    """
    _check_boxes("NonMaxSuppressionV3", boxes=boxes)
    return _selected(_overlap(boxes), scores, max_output_size, iou_threshold, score_threshold)


@composite("NonMaxSuppressionWithOverlaps()", name="_non_max_suppression_of")
def _non_max_suppression_of(
    overlaps: Array, scores: Array, max_output_size: Array, overlap_threshold: Array, score_threshold: Array
):
    """Non-maximum suppression with given overlaps. It reads values on the host.

    Args:
        overlaps (Tensor): of each pair of boxes, shape ``(N, N)``, float32.
        scores (Tensor): shape ``(N,)``, float32.
        max_output_size (Tensor): how many at most, an integer.
        overlap_threshold (Tensor): the share of overlap from which a box is covered.
        score_threshold (Tensor): the smallest score.
    Returns:
        Tensor of int32: the indices of the boxes, best first.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if the shapes do not fit.
    Example:
        >>> given = ops.ones((2, 2)), Tensor([0.5, 0.9]), Tensor(2), Tensor(0.5), Tensor(0.0)
        >>> ops.NonMaxSuppressionWithOverlaps()(*given).tolist()
        [1]
    Source: mindspore.ops.NonMaxSuppressionWithOverlaps
    """
    if overlaps.shape != (*scores.shape, *scores.shape):
        check.refuse(ValueError, "NonMaxSuppressionWithOverlaps", "overlaps", "of shape (N, N)", overlaps.shape)
    return _selected(overlaps, scores, max_output_size, overlap_threshold, score_threshold)
