"""`AutoParallel`: a network sharded over several devices."""

import contextlib
import os

from .._common.auto_parallel import DEFAULTS, SCHEDULERS
from .._contracts import check
from .._contracts.signature import function, parse
from .._sharding.from_settings import check_dataset_strategy, partition_of
from .._sharding.partition import OperatorFile, active
from ..engine.calls import staging
from ..engine.refusal import refuse, require
from ..nn.cell import Cell

_MODES = ["semi_auto", "sharding_propagation", "recursive_programming"]
_LEVELS = ("level1", "level2", "level3")
_DOC = """A hint without effect on results. Source: mindspore.parallel.auto_parallel.AutoParallel.{}"""


class AutoParallel(Cell):
    """A network sharded over all devices of JAX; with one device, the unchanged network.

    Args:
        network (Cell | function): the network.
        parallel_mode (str): ``'semi_auto'``, ``'sharding_propagation'`` or ``'recursive_programming'``; in all of them
            XLA propagates the given strategies, and none is searched for. Default: ``'semi_auto'``.
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
        if not callable(network):
            require(network, Cell, "AutoParallel", "network")
        self.network = network
        self._settings = {"parallel_mode": "semi_auto_parallel" if parallel_mode == "semi_auto" else "auto_parallel"}
        if parallel_mode != "semi_auto":
            self._settings["search_mode"] = parallel_mode
        self._partition = self._is_known = None

    def __call__(self, *args, **kwargs):
        with self._laid_out_():
            return super().__call__(*args, **kwargs)

    def _laid_out_(self):
        """A context in which programs are sharded over the devices, including a Model's loss and optimizer."""
        if not self._is_known:
            self.__dict__["_partition"] = partition_of(DEFAULTS | self._settings)
            self.__dict__["_is_known"] = True
        return contextlib.nullcontext() if self._partition is None else active(self._partition)

    def construct(self, *args, **kwargs):
        """Calls the network."""
        return self.network(*args, **kwargs)

    def _set(self, **settings):
        self._settings.update(settings)
        self.__dict__["_is_known"] = False
        staging.invalidate()

    def dataset_strategy(self, config):
        """Sets the sharding of the network's arguments: along the first axis, replicated, or a strategy for each.

        Args:
            config (str | tuple): ``'data_parallel'``, ``'full_batch'``, or a tuple of tuples of ints or of Layouts.
        Raises:
            TypeError, ValueError: for anything else.
        Source: mindspore.parallel.auto_parallel.AutoParallel.dataset_strategy
        """
        self._set(dataset_strategy=check_dataset_strategy(config, "config", "AutoParallel.dataset_strategy"))

    def hsdp(self, shard_size=-1, threshold=64, optimizer_level="level1"):
        """Shards Parameters and slots further, over the devices that would otherwise hold replicas.

        Args:
            shard_size (int): the largest number of shards; ``-1``: as many as there are replicas. Default: ``-1``.
            threshold (int): the smallest size in KiB of a Parameter that is sharded. Default: ``64``.
            optimizer_level (str): ``'level1'``, ``'level2'`` or ``'level3'``; XLA decides itself how long gathered
                values and gradients live, whatever the level. Default: ``'level1'``.
        Raises:
            ValueError: for other values.
        Source: mindspore.parallel.auto_parallel.AutoParallel.hsdp
        """
        if not isinstance(shard_size, int) or (shard_size <= 0 and shard_size != -1):
            refuse(ValueError, "AutoParallel.hsdp", "shard_size", "a positive int or -1", shard_size)
        if not isinstance(threshold, int) or threshold < 0:
            refuse(ValueError, "AutoParallel.hsdp", "threshold", "a non-negative int", threshold)
        check.one_of(optimizer_level, _LEVELS, "optimizer_level", "AutoParallel.hsdp")
        config = {"optimizer_weight_shard_size": shard_size, "parallel_optimizer_threshold": threshold}
        self._set(enable_parallel_optimizer=True, parallel_optimizer_config=config)

    def pipeline(self, stages=1, output_broadcast=False, interleave=False, scheduler="1f1b"):
        """Sets the pipeline stages. Every device computes all of them: results are correct, no memory is saved.

        Args:
            stages (int): the number of stages; strategies are for the devices of one stage. Default: ``1``.
            output_broadcast (bool), scheduler (str): hints without effect. Defaults: ``False``, ``'1f1b'``.
            interleave (bool): not on several devices. Default: ``False``.
        Raises:
            TypeError, ValueError: for other values.  NotImplementedError: at the call, if stages are interleaved.
        Source: mindspore.parallel.auto_parallel.AutoParallel.pipeline
        """
        owner = "AutoParallel.pipeline"
        if require(stages, int, owner, "stages") <= 0:
            refuse(ValueError, owner, "stages", "larger than zero", stages)
        require(output_broadcast, bool, owner, "output_broadcast")
        require(interleave, bool, owner, "interleave")
        check.one_of(require(scheduler, str, owner, "scheduler"), SCHEDULERS, "scheduler", owner)
        self._set(pipeline_stages=stages, pipeline_config={"pipeline_interleave": interleave})

    def get_pipeline_stages(self):
        """The stages of the pipeline (int).

        Source: mindspore.parallel.auto_parallel.AutoParallel.get_pipeline_stages
        """
        return self._settings.get("pipeline_stages", 1)

    def save_operator_strategy_file(self, file_path):
        """Saves the strategies of operators, as `set_op_strategy_config` does, in mode ``'sharding_propagation'``.

        Args:
            file_path (str): an absolute path that ends in ``.json``.
        Raises:
            TypeError, KeyError: for another path.
        Source: mindspore.parallel.auto_parallel.AutoParallel.save_operator_strategy_file
        """
        self._set_operators("SAVE", _json_path(file_path, "AutoParallel.save_operator_strategy_file"))

    def load_operator_strategy_file(self, file_path):
        """Follows the strategies of operators in a file, as `set_op_strategy_config` does.

        Args:
            file_path (str): an absolute path that ends in ``.json``.
        Raises:
            TypeError, KeyError: for another path.
        Source: mindspore.parallel.auto_parallel.AutoParallel.load_operator_strategy_file
        """
        self._set_operators("LOAD", _json_path(file_path, "AutoParallel.load_operator_strategy_file"))

    def _set_operators(self, mode, path):
        operators = OperatorFile()
        operators.set(mode, path)
        self._set(operators=operators)

    def save_param_strategy_file(self, file_path):
        """Writes the sharding of the Parameters, after the first call, to a strategy file in MindSpore's format.

        Args:
            file_path (str): JSON if it ends so.
        Raises:
            TypeError: unless it is a str.
        Source: mindspore.parallel.auto_parallel.AutoParallel.save_param_strategy_file
        """
        self._set(strategy_ckpt_save_file=require(file_path, str, "AutoParallel", "file_path"))

    def load_param_strategy_file(self, file_path):
        """Shards the Parameters as a strategy file says.

        Args:
            file_path (str): the file, for the same number of devices.
        Raises:
            TypeError: unless it is a str.  ValueError: at the call, for a file of another number of devices.
        Source: mindspore.parallel.auto_parallel.AutoParallel.load_param_strategy_file
        """
        self._set(strategy_ckpt_load_file=require(file_path, str, "AutoParallel", "file_path"))

    def disable_strategy_file_only_for_trainable_params(self):
        """Includes Parameters that are not trained in the strategy file.

        Source: mindspore.parallel.auto_parallel.AutoParallel.disable_strategy_file_only_for_trainable_params
        """
        self._set(strategy_ckpt_config={"only_trainable_params": False})

    def comm_fusion(self, config):
        """A hint: XLA combines collectives itself.

        Raises:
            TypeError: unless it is a dict or None.
        Source: mindspore.parallel.auto_parallel.AutoParallel.comm_fusion
        """
        require(config, (dict, type(None)), "AutoParallel.comm_fusion", "config")


def _json_path(path, owner):
    if not os.path.isabs(require(path, str, owner, "file_path")) or os.path.splitext(path)[1] != ".json":
        refuse(KeyError, owner, "file_path", "an absolute path that ends in .json", path)
    return path


_HINTS = """
    disable_gradient_fp32_sync(self)
    disable_loss_repeated_mean(self)
    dump_local_norm(self, file_path)
    enable_device_local_norm(self)
    enable_fp32_communication(self)
    enable_gradients_mean(self)
    no_init_parameters_in_compile(self)
    print_local_norm(self)
    set_group_ckpt_save_file(self, file_path)
    transformer_opt(self, file_path)
"""
for _text in _HINTS.strip().splitlines():
    _name, _signature = parse(_text.strip())
    _made = function(_name, _signature, "None", {})
    _made.__doc__ = _DOC.format(_name)
    setattr(AutoParallel, _name, _made)
