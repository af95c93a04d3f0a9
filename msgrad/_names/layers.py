"""Names of MindSpore's layers beside the layers: ``nn.loss.loss._Loss``, ``nn.layer.activation._activation``, ..."""

from ..nn.activation import _BY_NAME
from ..nn.cell import Cell
from ..nn.loss import LossBase

_Loss = LossBase  # 1.x
_activation = _BY_NAME


class _VirtualDatasetCell(Cell):
    """A network whose inputs MindSpore splits over devices: the network itself, on one."""

    def __init__(self, backbone):
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, *inputs):
        """The network's output."""
        return self._backbone(*inputs)
