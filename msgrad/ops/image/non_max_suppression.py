"""Non-maximum suppression for several classes at once."""

import jax
import jax.numpy as jnp

from ..._contracts import check
from ..._contracts.contracts import Array, Bool, PositiveInt
from .._core.define import op
from .._shared import ordering


def _ordered(boxes):
    """The corners of boxes with the lesser one first."""
    return jnp.minimum(boxes[:, :2], boxes[:, 2:]), jnp.maximum(boxes[:, :2], boxes[:, 2:])


def _overlaps(boxes):
    """The IoU of all pairs of boxes, shape ``(boxes, boxes)``."""
    low, high = _ordered(boxes)
    sides = jnp.minimum(high[:, None], high) - jnp.maximum(low[:, None], low)
    shared = jnp.prod(jnp.maximum(sides, 0), -1)
    areas = jnp.prod(high - low, -1)
    union = areas[:, None] + areas - shared
    return jnp.where(union > 0, shared / jnp.where(union > 0, union, 1), 0)


def _kept(boxes, scores, maximum, iou_threshold, score_threshold):
    """The mask of boxes of one class that are kept, in order of score."""
    overlaps, order = _overlaps(boxes), ordering.order(-scores)

    def look(rank, selected):
        box = order[rank]
        is_good = (scores[box] > score_threshold) & (selected.sum() < maximum)
        return selected.at[box].set(is_good & ~jnp.any(selected & (overlaps[box] > iou_threshold)))

    return jax.lax.fori_loop(0, len(scores), look, jnp.zeros(len(scores), bool))


@op(
    "CombinedNonMaxSuppression(pad_per_class=False, clip_boxes=True)"
    "(boxes, scores, max_output_size_per_class, max_total_size, iou_threshold, score_threshold)",
    name="_combined_suppression",
)
def _combined_suppression(
    boxes: Array,
    scores: Array,
    max_output_size_per_class: PositiveInt,
    max_total_size: PositiveInt,
    iou_threshold: Array,
    score_threshold: Array,
    pad_per_class: Bool = False,
    clip_boxes: Bool = True,
):
    """Non-maximum suppression for each class: the best boxes of all classes.

    Args:
        boxes (Tensor): shape ``(N, M, Q, 4)``, float32: two opposite corners of each box; ``Q`` is 1, or the number of
            classes if each has boxes of its own.
        scores (Tensor): shape ``(N, M, classes)``, float32.
        max_output_size_per_class (Tensor): how many boxes of a class there may be.
        max_total_size (Tensor): how many boxes of all classes there may be.
        iou_threshold (Tensor): the share of their union from which on boxes count as overlapping, 0 to 1.
        score_threshold (Tensor): the score that a box must be above.
        pad_per_class (bool): whether there are at most ``max_output_size_per_class`` times the number of classes,
            if that is less. Default: ``False``.
        clip_boxes (bool): whether corners are drawn into ``[0, 1]``. Default: ``True``.
    Returns:
        tuple of four Tensors, the best first and 0 where there are no more: boxes ``(N, K, 4)``, scores ``(N, K)``,
        classes ``(N, K)`` (float32), and how many there are ``(N,)`` (int32).
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if shapes do not fit.
    Example:
        >>> boxes, scores = Tensor([[[[0.0, 0.0, 1.0, 1.0]], [[0.0, 0.1, 1.0, 1.0]]]]), Tensor([[[0.5], [0.75]]])
        >>> suppress = ops.CombinedNonMaxSuppression()
        >>> suppress(boxes, scores, Tensor(2), Tensor(2), Tensor(0.5), Tensor(0.0))[1].tolist()
        [[0.75, 0.0]]
    Source: mindspore.ops.CombinedNonMaxSuppression
    """
    owner = "CombinedNonMaxSuppression"
    if boxes.ndim != 4 or boxes.shape[3] != 4 or scores.ndim != 3 or scores.shape[:2] != boxes.shape[:2]:
        check.refuse(ValueError, owner, "boxes", f"of shape (N, M, Q, 4) for scores {scores.shape}", boxes.shape)
    classes = scores.shape[2]
    if boxes.shape[2] not in (1, classes):
        check.refuse(ValueError, owner, "boxes", f"of length 1 or {classes} along axis 2", boxes.shape)
    limit = max_output_size_per_class
    total = min(max_total_size, limit * classes) if pad_per_class else max_total_size

    def one(boxes, scores):
        boxes = jnp.broadcast_to(boxes.swapaxes(0, 1), (classes, len(boxes), 4))
        is_selected = jax.vmap(lambda each, score: _kept(each, score, limit, iou_threshold, score_threshold))(
            boxes, scores.T
        )
        ranked = jnp.where(is_selected, scores.T, -jnp.inf).ravel()
        chosen = ordering.order(-ranked)[:total]
        chosen = jnp.pad(chosen, (0, total - len(chosen)))
        count = jnp.minimum(is_selected.sum(), total)
        is_there = jnp.arange(total) < count
        best = boxes.reshape(-1, 4)[chosen]
        best = jnp.clip(best, 0, 1) if clip_boxes else best
        named = (chosen // boxes.shape[1]).astype(scores.dtype)
        chosen_scores = scores.T.ravel()[chosen]
        return (
            jnp.where(is_there[:, None], best, 0),
            jnp.where(is_there, chosen_scores, 0),
            jnp.where(is_there, named, 0),
            count.astype(jnp.int32),
        )

    return jax.vmap(one)(boxes, scores)
