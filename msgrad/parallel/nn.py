"""``mindspore.parallel.nn``: Cells that take a batch in parts, which `mindspore.nn` has."""

from ..nn import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, PipelineGradReducer

GradAccumulation = GradAccumulationCell
Pipeline = PipelineCell

__all__ = ["GradAccumulation", "MicroBatchInterleaved", "Pipeline", "PipelineCell", "PipelineGradReducer"]
