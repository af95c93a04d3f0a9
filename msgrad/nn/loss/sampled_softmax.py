"""Sampled softmax: the cross entropy over a sample of very many classes."""

from ... import ops
from ..._contracts import check
from ..._contracts.kinds import TensorOf
from ...engine import dtypes
from ...engine.refusal import require
from .regression import LossBase, check_tensors

__all__ = ["SampledSoftmaxLoss"]

_CLASSES = TensorOf("int32", "int64")


class SampledSoftmaxLoss(LossBase):
    """Sampled softmax: cross entropy over the true classes and a random sample of the others, for very many classes.

    The score of a class is ``logits @ weight + bias``, minus the logarithm of its expected count in the sample.

    Args:
        num_sampled (int): the number of sampled classes.
        num_classes (int): the number of classes.
        num_true (int): the number of true classes of an example. Default: ``1``.
        sampled_values (tuple | list): the sampled classes, and the expected counts of the true and the sampled ones, as
            a sampler returns them. Default: ``None``, from `ops.uniform_candidate_sampler`.
        remove_accidental_hits (bool): whether to exclude true classes from the sample, if there are enough others.
            Default: ``True``.
        seed (int): makes the sample reproducible unless it is 0. Default: ``0``.
        reduction (str): without effect, as in MindSpore. Default: ``'none'``.
    Inputs: weights (Tensor): shape ``(num_classes, D)``; biases (Tensor): ``(num_classes,)``; labels (Tensor): the true
        classes, ``(N, num_true)``, int32 or int64; logits (Tensor): ``(N, D)``.
    Output: Tensor of shape ``(N,)``.
    Raises:
        TypeError: if an argument has a wrong type.  ValueError: if a number is out of range.
    Example:
        >>> loss = nn.SampledSoftmaxLoss(3, 4, seed=1)
        >>> loss(ops.ones((4, 2)), ops.ones(4), Tensor([[1], [2]]), ops.ones((2, 2))).shape
        (2,)
    Source: mindspore.nn.SampledSoftmaxLoss
    """

    def __init__(
        self,
        num_sampled,
        num_classes,
        num_true=1,
        sampled_values=None,
        remove_accidental_hits=True,
        seed=0,
        reduction="none",
    ):
        super().__init__(reduction)
        for name, value, minimum in (("num_true", num_true, 1), ("seed", seed, 0)):
            if value < minimum:
                check.refuse(ValueError, "SampledSoftmaxLoss", name, f"at least {minimum}", value)
        for name, value in (("num_sampled", num_sampled), ("num_true", num_true)):
            if value > num_classes:
                check.refuse(ValueError, "SampledSoftmaxLoss", name, f"at most 'num_classes', {num_classes}", value)
        if sampled_values is not None:
            require(sampled_values, (tuple, list), "SampledSoftmaxLoss", "sampled_values")
            if len(sampled_values) != 3:
                check.refuse(ValueError, "SampledSoftmaxLoss", "sampled_values", "three Tensors", len(sampled_values))
        self.num_sampled = num_sampled
        self.num_classes = num_classes
        self.num_true = num_true
        self.sampled_values = sampled_values
        self.remove_accidental_hits = remove_accidental_hits
        self.seed = seed
        self.sampler = ops.UniformCandidateSampler(
            num_true, num_sampled, True, num_classes, seed, remove_accidental_hits
        )

    def construct(self, weights, biases, labels, logits):
        """The loss of each example."""
        check_tensors("SampledSoftmaxLoss", weights=weights, biases=biases, labels=labels, logits=logits)
        if biases.ndim != 1:
            check.refuse(ValueError, "SampledSoftmaxLoss", "biases", "of one axis", biases.shape)
        labels = _CLASSES.take(labels, "labels", "SampledSoftmaxLoss").astype(dtypes.int32)
        labels = labels.reshape((-1, self.num_true))
        sampled, true_count, sampled_count = self.sampled_values or self.sampler(labels)
        true = (logits.expand_dims(1) * weights[labels]).sum(-1) + biases[labels] - ops.log(true_count)
        sampled_logits = ops.matmul(logits, weights[sampled].T) + biases[sampled] - ops.log(sampled_count)
        probabilities = ops.softmax(ops.cat((true, sampled_logits), 1), 1)
        return -ops.log(probabilities[:, : self.num_true] + 1e-20).sum(1) / self.num_true
