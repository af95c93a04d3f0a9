"""`AutoParallel`: a network that several devices would share."""

from .._contracts.signature import function, parse
from ..engine.refusal import refuse, require
from ..nn.cell import Cell

_MODES = ["semi_auto", "sharding_propagation", "recursive_programming"]
_DOC = """A hint for several devices, without effect on one. Source: mindspore.parallel.auto_parallel.AutoParallel.{}"""


class AutoParallel(Cell):
    """A network that MindSpore parts over several devices; on one, the network as it is.

    Its methods take how it would be parted, and have no effect.

    Args:
        network (Cell): the network.
        parallel_mode (str): ``'semi_auto'``, ``'sharding_propagation'`` or ``'recursive_programming'``, without
            effect. Default: ``'semi_auto'``.
    Inputs: those of the network. Output: that of the network.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> network = mindspore.parallel.auto_parallel.AutoParallel(nn.Dense(2, 3))
        >>> network.dataset_strategy("full_batch")
        >>> network(ops.ones((1, 2))).shape
        (1, 3)
    Source: mindspore.parallel.auto_parallel.AutoParallel
    """

    def __init__(self, network, parallel_mode="semi_auto"):
        super().__init__(auto_prefix=False)
        if parallel_mode not in _MODES:
            refuse(ValueError, "AutoParallel", "parallel_mode", f"one of {_MODES}", parallel_mode)
        self.network = require(network, Cell, "AutoParallel", "network")

    def construct(self, *args, **kwargs):
        """Calls the network."""
        return self.network(*args, **kwargs)

    def get_pipeline_stages(self):
        """The stages of the pipeline (int): 1.

        Source: mindspore.parallel.auto_parallel.AutoParallel.get_pipeline_stages
        """
        return 1


_HINTS = """
    comm_fusion(self, config)
    dataset_strategy(self, config)
    disable_gradient_fp32_sync(self)
    disable_loss_repeated_mean(self)
    disable_strategy_file_only_for_trainable_params(self)
    dump_local_norm(self, file_path)
    enable_device_local_norm(self)
    enable_fp32_communication(self)
    enable_gradients_mean(self)
    hsdp(self, shard_size=-1, threshold=64, optimizer_level='level1')
    load_operator_strategy_file(self, file_path)
    load_param_strategy_file(self, file_path)
    no_init_parameters_in_compile(self)
    pipeline(self, stages=1, output_broadcast=False, interleave=False, scheduler='1f1b')
    print_local_norm(self)
    save_operator_strategy_file(self, file_path)
    save_param_strategy_file(self, file_path)
    set_group_ckpt_save_file(self, file_path)
    transformer_opt(self, file_path)
"""
for _text in _HINTS.strip().splitlines():
    _name, _signature = parse(_text.strip())
    _made = function(_name, _signature, "None", {})
    _made.__doc__ = _DOC.format(_name)
    setattr(AutoParallel, _name, _made)
