"""Gradient reducers: gradients of several devices, or of the parts of a batch, brought together."""

from ...engine.refusal import refuse
from ...ops.optim import optimization
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..cell import Cell

__all__ = ["DistributedGradReducer", "PipelineGradReducer"]


class DistributedGradReducer(Cell):
    """The sum or the mean of gradients over devices; in one process, the gradients.

    Args:
        parameters (list[Parameter]): what they are gradients by.
        mean (bool | None): whether to divide by ``degree``; None does not, as in MindSpore. Default: ``None``.
        degree (int | None): the number of devices, positive. Default: ``None``, which is 1.
        fusion_type (int), group (str): which of several devices reduce together, without effect on one.
    Inputs: grads (Tensor or tuple). Output: the same.
    Raises:
        ValueError: if ``degree`` is something else.
    Example:
        >>> reducer = nn.DistributedGradReducer(net.trainable_params(), mean=True, degree=1)
    Source: mindspore.nn.DistributedGradReducer
    """

    def __init__(self, parameters, mean=None, degree=None, fusion_type=1, group="hccl_world_group"):
        super().__init__(auto_prefix=False)
        if degree is not None and (not isinstance(degree, int) or degree <= 0):
            refuse(ValueError, self.cls_name, "degree", "a positive int", degree)
        self.mean = bool(mean)
        self.degree = Tensor(1.0 / (degree or 1))

    def construct(self, grads):
        """The gradients, divided by ``degree`` for their mean."""
        if not self.mean:
            return grads
        return optimization.scaled(list(grads), self.degree)


class PipelineGradReducer(Cell):
    """The gradients that the parts of a batch have added up, divided by a scale; they begin at 0 again.

    MindSpore's compiler adds to ``accu_grads`` between the stages of a pipeline. On one device the gradients given are
    those of the whole batch already (see `PipelineCell`), so these are divided.

    Args:
        parameters (ParameterTuple): what they are gradients by.
        scale_sense (float): Default: ``1.0``.
        opt_shard (bool): whether several devices share the optimizer's work, without effect. Default: ``None``.
    Inputs: grads (tuple[Tensor]). Output: tuple of Tensors.
    Example:
        >>> reducer = nn.PipelineGradReducer(optimizer.parameters, 2.0)
    Source: mindspore.nn.PipelineGradReducer
    """

    def __init__(self, parameters, scale_sense=1.0, opt_shard=None):
        super().__init__(auto_prefix=False)
        self.accu_grads = parameters.clone(prefix="accu_grads", init="zeros")
        self.scale_sense = Parameter(Tensor(float(scale_sense)), name="scale_sense")

    def construct(self, grads):
        """The gradients over the scale."""
        return optimization.scaled(list(grads), 1 / self.scale_sense)
