"""Micro-batches: a network that processes a batch in parts."""

from ..._contracts.contracts import Int
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from ..cell import Cell

__all__ = ["GradAccumulationCell", "MicroBatchInterleaved", "PipelineCell", "VirtualDatasetCellTriple"]


class _InParts(Cell):
    """The sum of a network's outputs for the parts of its inputs along their first axis."""

    def __init__(self, network, count, name):
        super().__init__(auto_prefix=False)
        if count <= 0:
            refuse(ValueError, self.cls_name, name, "a positive int", count)
        self.network = require(network, Cell, self.cls_name, "network")
        self._count = count

    def construct(self, *inputs):
        """The sum of the outputs."""
        total = None
        for position in range(self._count):
            output = self.network(*[self._part(each, position) for each in inputs])
            total = output if total is None else total + output
        return total

    def _part(self, value, position):
        length, rest = divmod(value.shape[0], self._count)
        if rest:
            refuse(ValueError, self.cls_name, "inputs", f"of a first axis that {self._count} divides", value)
        return value[position * length : (position + 1) * length]


class GradAccumulationCell(_InParts):
    """Gradient accumulation: the sum of a loss over the parts of a batch. Here it is one program and saves no memory.

    Args:
        network (Cell): its output is the loss.
        micro_size (int): the number of parts, which divides the batch.
    Inputs: those of the network. Output: the sum.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> network = nn.GradAccumulationCell(nn.WithLossCell(net, nn.MSELoss()), 2)
    Source: mindspore.nn.GradAccumulationCell
    """

    @checked
    def __init__(self, network, micro_size: Int):
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size


class MicroBatchInterleaved(_InParts):
    """The sum of a network's outputs over the parts of a batch, which MindSpore interleaves on several devices.

    Args:
        network (Cell): the network.
        interleave_num (int): the number of parts, which divides the batch. Default: ``2``.
    Inputs: those of the network. Output: the sum.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> network = nn.MicroBatchInterleaved(net, 2)
    Source: mindspore.nn.MicroBatchInterleaved
    """

    @checked
    def __init__(self, network, interleave_num: Int = 2):
        super().__init__(network, interleave_num, "interleave_num")
        self.interleave_num = interleave_num


class PipelineCell(_InParts):
    """The sum of a loss over micro-batches, which MindSpore's pipeline stages compute in parallel.

    Args:
        network (Cell): its output is the loss.
        micro_size (int): the number of parts, which divides the batch.
        stage_config (dict): the ``pipeline_stage`` of sub-cells by name, set as attributes. Default: ``None``.
        segment_config (dict): the ``pipeline_segment``, likewise. Default: ``None``.
    Inputs: those of the network. Output: the sum.
    Raises:
        TypeError, ValueError: for other values.  KeyError: for a name that no sub-cell has.
    Example:
        >>> network = nn.PipelineCell(nn.WithLossCell(net, nn.MSELoss()), 2)
    Source: mindspore.nn.PipelineCell
    """

    @checked
    def __init__(self, network, micro_size: Int, stage_config=None, segment_config=None):
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size
        cells = dict(network.cells_and_names())
        for attribute, config in (("pipeline_stage", stage_config), ("pipeline_segment", segment_config)):
            for name, value in (config or {}).items():
                if name not in cells:
                    raise KeyError(f"For 'PipelineCell', the network has no Cell '{name}'.")
                setattr(cells[name], attribute, value)


class VirtualDatasetCellTriple(Cell):
    """A network of three inputs, which MindSpore splits over devices: the network itself, on one.

    Args:
        backbone (Cell): the network.
    Inputs: a, b, c (Tensor). Output: that of the network.
    Example:
        >>> network = nn.VirtualDatasetCellTriple(net)
    Source: mindspore.nn.VirtualDatasetCellTriple
    """

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, a, b, c):
        """The network's output."""
        return self._backbone(a, b, c)
