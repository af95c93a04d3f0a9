"""``mindspore.parallel.auto_parallel``: a network that several devices would share, on one."""

from ..engine.refusal import refuse, require
from ..nn.cell import Cell
from ..ops import check
from .layout import Layout  # noqa: F401

_MODES = ("semi_auto", "sharding_propagation", "recursive_programming")


class AutoParallel(Cell):
    """A network as it is; what it is told about several devices has no effect on one.

    Args:
        network (Cell): the network.
        parallel_mode (str): ``"semi_auto"``, ``"sharding_propagation"`` or ``"recursive_programming"``. Default:
            ``"semi_auto"``.
    Raises:
        TypeError: if ``network`` is no Cell.  ValueError: for another mode.
        NotImplementedError: from a method that asks for several stages or shards, or for files of layouts.
    Example:
        >>> net = AutoParallel(nn.Dense(2, 3), parallel_mode="semi_auto")
        >>> net.dataset_strategy("full_batch")
        >>> net(Tensor([[1.0, 2.0]])).shape
        (1, 3)
    Source: mindspore.parallel.auto_parallel.AutoParallel
    """

    def __init__(self, network, parallel_mode="semi_auto"):
        super().__init__(auto_prefix=False)
        check.one_of(parallel_mode, _MODES, "parallel_mode", "AutoParallel")
        self.network = require(network, Cell, "AutoParallel", "network")

    def construct(self, *args, **kwargs):
        """What the network gives."""
        return self.network(*args, **kwargs)

    def pipeline(self, stages=1, output_broadcast=False, interleave=False, scheduler="1f1b"):
        """How a pipeline runs; one device is one stage. Source: mindspore.parallel.auto_parallel.AutoParallel"""
        check.positive_int(stages, "stages", "pipeline")
        if stages > 1:
            refuse(NotImplementedError, "pipeline", "stages", "1, for there is one device", stages)

    def get_pipeline_stages(self):
        """The number of stages: 1."""
        return 1

    def dataset_strategy(self, config):
        """How devices share the data: a hint.

        Raises:
            TypeError: unless it is a str or a tuple.
        """
        require(config, (str, tuple), "dataset_strategy", "config")

    def comm_fusion(self, config):
        """How gradients are exchanged: a hint, a dict."""
        require(config, dict, "comm_fusion", "config")

    def hsdp(self, shard_size=-1, threshold=64, optimizer_level="level1"):
        """How devices share the optimizer: a hint."""
        check.one_of(optimizer_level, ("level1", "level2", "level3"), "optimizer_level", "hsdp")

    def transformer_opt(self, file_path):
        """A file of hints for Ascend, which is not read."""

    def no_init_parameters_in_compile(self):
        """A hint: Parameters have their values from the start."""

    def enable_gradients_mean(self):
        """A hint: there are the gradients of one device."""

    def disable_gradient_fp32_sync(self):
        """A hint: nothing is exchanged."""

    def enable_fp32_communication(self):
        """A hint: nothing is exchanged."""

    def disable_loss_repeated_mean(self):
        """A hint: there is one loss."""

    def disable_strategy_file_only_for_trainable_params(self):
        """A hint for files that are not written."""

    def print_local_norm(self):
        """A hint for devices that have parts of gradients."""

    def enable_device_local_norm(self):
        """A hint for devices that have parts of gradients."""

    def dump_local_norm(self, file_path):
        """A hint for devices that have parts of gradients; no file is written."""

    def load_param_strategy_file(self, file_path):
        """Layouts of Parameters, which are not read."""
        _no_file("load_param_strategy_file", file_path)

    def save_param_strategy_file(self, file_path):
        """Layouts of Parameters, which are not written."""
        _no_file("save_param_strategy_file", file_path)

    def load_operator_strategy_file(self, file_path):
        """Layouts of operations, which are not read."""
        _no_file("load_operator_strategy_file", file_path)

    def save_operator_strategy_file(self, file_path):
        """Layouts of operations, which are not written."""
        _no_file("save_operator_strategy_file", file_path)

    def set_group_ckpt_save_file(self, file_path):
        """Groups of devices, which are not written."""
        _no_file("set_group_ckpt_save_file", file_path)


def _no_file(owner, file_path):
    raise NotImplementedError(
        f"For 'AutoParallel.{owner}', the file {file_path!r} is about several devices, and there is one: leave it out."
    )
