"""A callback that prints the FLOPS utilization of a network."""

import math
import time

from ..._contracts.contracts import Bool, PositiveInt
from ..._contracts.enforcement import checked
from ...engine.refusal import refuse, require
from ...nn._cell import calling
from ._base import Callback

_MSG_PYNATIVE = "For 'FlopsUtilizationCollector', the network has no compiled call to count in: use GRAPH_MODE."


class FlopsUtilizationCollector(Callback):
    """Prints the floating-point operations of a step, and their fraction of the device's peak.

    The numbers are from XLA's cost analysis of all operations, where MindSpore counts products, convolutions and
    attention only. On one device the four kinds of numbers that MindSpore prints are equal.

    Args:
        data_size (int): the steps of an epoch; as in MindSpore, nothing is printed at the last one.
        computility (int | float): the peak of the device, in operations per second. Default: ``1``.
        full_flops (bool): whether to print the full model's numbers, too. Default: ``True``.
        enable_ma_collector (bool): for a MindSpore cloud service; only False is supported. Default: ``False``.
    Raises:
        TypeError, ValueError: for other values; ValueError at the first step if the network is not compiled.
    Example:
        >>> ms.train.FlopsUtilizationCollector(10, computility=1e12).computility
        1000000000000.0
    Source: mindspore.train.FlopsUtilizationCollector
    """

    @checked
    def __init__(
        self, data_size: PositiveInt, computility=1, full_flops: Bool = True, enable_ma_collector: Bool = False
    ):
        super().__init__()
        if enable_ma_collector:
            refuse(ValueError, "FlopsUtilizationCollector", "enable_ma_collector", "False", enable_ma_collector)
        self.data_size, self.full_flops = data_size, full_flops
        self.computility = require(computility, (int, float, bool), "FlopsUtilizationCollector", "computility")
        self.step_time = time.time()
        self.flops = None

    def step_begin(self, run_context):
        """Starts the clock. Source: mindspore.train.FlopsUtilizationCollector.step_begin"""
        self.step_time = time.time()

    def step_end(self, run_context):
        """Prints the numbers. Source: mindspore.train.FlopsUtilizationCollector.step_end"""
        facts = run_context.original_args()
        spent = (time.time() - self.step_time) * 1000
        if facts.dataset_sink_mode:
            spent /= facts.batch_num
        if self.flops is None:
            self._count(facts)
        if facts.cur_step_num % self.data_size:
            used = math.floor(self.flops / self.computility / spent * 1e7) / 100
            print(f"{facts.mode.title()} per step time: {spent:5.3f} ms mfu:{used:.2f}% hfu:{used:.2f}%", flush=True)

    def _count(self, facts):
        plan = calling.plan_of(facts.train_network if facts.mode == "train" else facts.eval_network)
        if plan is None:
            raise ValueError(_MSG_PYNATIVE)
        self.flops = plan.cost()["flops"]
        kinds = ("Full model", "Full hardware") if self.full_flops else ()
        print(", ".join(f"{kind} flops is {self.flops}" for kind in (*kinds, "Shard model", "Shard hardware")) + ".")
