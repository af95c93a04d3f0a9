"""``mindspore.parallel.nn``: the Cells of ``mindspore.nn`` for gradient accumulation and pipelines."""

from ..nn.wrap.grad_reducer import PipelineGradReducer
from ..nn.wrap.micro_batch import GradAccumulationCell, MicroBatchInterleaved, PipelineCell

GradAccumulation = GradAccumulationCell
Pipeline = PipelineCell

__all__ = ["GradAccumulation", "MicroBatchInterleaved", "Pipeline", "PipelineCell", "PipelineGradReducer"]
