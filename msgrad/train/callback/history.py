"""History: a callback that stores the outputs and metrics of each epoch."""

from typing import Any

import numpy as np

from ...tensor.tensor import Tensor
from ._base import Callback


class History(Callback):
    """Stores the output of the network in the last step of each epoch, and the metrics of `Model.fit`.

    Attributes:
        history (dict[str, list]): ``net_output`` and the metrics by name, an item for each epoch that has them.
        epoch (dict[str, list[int]]): ``epoch``: the numbers of the epochs.
    Example:
        >>> ms.train.History().history
        {}
    Source: mindspore.train.History
    """

    epoch: Any

    def __init__(self):
        super().__init__()
        self.history = {}
        self.epoch = None

    def begin(self, run_context):
        """Resets the epochs. Source: mindspore.train.History.begin"""
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context):
        """Stores the epoch's output and metrics. Source: mindspore.train.History.epoch_end"""
        facts = run_context.original_args()
        self.epoch["epoch"].append(facts.get("cur_epoch_num", 1))
        output = facts.net_outputs
        if isinstance(output, (tuple, list)) and isinstance(output[0], Tensor):
            output = output[0]
        if isinstance(output, Tensor):
            output = np.mean(output.asnumpy())
        for name, value in {"net_output": output, **(facts.get("metrics") or {})}.items():
            self.history.setdefault(name, []).append(value)
