"""Gradient reducers: reduce gradients over devices, or over micro-batches."""

from ...context import get_auto_parallel_context
from ...engine.collectives import collective
from ...engine.processes.world import World
from ...engine.refusal import refuse, require
from ...ops.collective import exchanges
from ...ops.collective.process_group import group_of
from ...ops.optim import optimization
from ...tensor.parameter import Parameter
from ...tensor.tensor import Tensor
from ..cell import Cell

__all__ = ["DistributedGradReducer", "PipelineGradReducer"]


class DistributedGradReducer(Cell):
    """All-reduces gradients over processes (sum or mean), with one collective for each dtype.

    Args:
        parameters (list[Parameter]): the differentiated Parameters; gradients of ``layerwise_parallel`` ones are kept.
        mean (bool | None): whether to divide by ``degree``. Default: ``None``, the ``gradients_mean`` of
            `set_auto_parallel_context`.
        degree (int | None): positive. Default: ``None``, the number of all processes, whatever the group.
        fusion_type (int): a hint, without effect. Default: ``1``.
        group (str): the processes. Default: all.
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
        self.mean = get_auto_parallel_context("gradients_mean") if mean is None else bool(mean)
        self.group = group_of(require(group, str, self.cls_name, "group"))
        self.degree = Tensor(1.0 / (degree or World.size))
        self.is_reduced = tuple([not getattr(each, "layerwise_parallel", False) for each in parameters])

    def construct(self, grads):
        """The gradients summed over the processes, divided by ``degree`` for the mean."""
        if self.group.size > 1:
            grads = self._reduced((grads,))[0] if isinstance(grads, Tensor) else self._reduced(tuple(grads))
        if not self.mean:
            return grads
        return optimization.scaled(list(grads), self.degree)

    def _reduced(self, grads):
        for grad in grads:
            if not isinstance(grad, Tensor):
                hint = "Sparse reductions are left out: use a dense gradient."
                refuse(TypeError, self.cls_name, "grads", "Tensors", grad, hint)
        positions = [k for k in range(len(grads)) if k >= len(self.is_reduced) or self.is_reduced[k]]
        totals = collective.run_all(exchanges.all_reduce("sum"), self.group, [grads[k] for k in positions])
        totals = dict(zip(positions, totals, strict=True))
        return tuple([totals.get(k, grad) for k, grad in enumerate(grads)])


class PipelineGradReducer(Cell):
    """Divides the gradients accumulated over micro-batches by a scale, and resets them to 0.

    MindSpore's compiler adds to ``accu_grads`` between the stages of a pipeline. On one device the gradients are
    already those of the whole batch (see `PipelineCell`), so these are divided.

    Args:
        parameters (ParameterTuple): the differentiated Parameters.
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
        """The gradients divided by the scale."""
        return optimization.scaled(list(grads), 1 / self.scale_sense)
