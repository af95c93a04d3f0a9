"""The `Partition` described by MindSpore's settings of parallel runs."""

import logging

import jax
from jax.sharding import NamedSharding, PartitionSpec

from ..engine.processes.global_arrays import joined_shape
from ..engine.recording.sharding import Active
from ..engine.refusal import refuse, require
from .layout import Layout
from .mesh import device_mesh
from .partition import OperatorFile, OptimizerSharding, Partition, activate

_GLOBAL = ("semi_auto_parallel", "auto_parallel")
_LEAST_KIB = 64  # MindSpore's default of parallel_optimizer_threshold
_MSG_PROCESSES = (
    "'{}' lays one program out over {} processes with one device each, and {}: leave 'device_num' out, and start one "
    "process for each device."
)
_MSG_INTERLEAVED = (
    "msgrad does not interleave the stages of a pipeline: leave 'pipeline_interleave' out; every device computes all "
    "stages, and results are the same."
)
_MSG_NO_SEARCH = "msgrad does not search for strategies: XLA propagates the given ones, and replicates what has none."

logger = logging.getLogger("msgrad")


def partition_of(settings, count=None):
    """The partition that settings describe; None if a program runs on one device.

    Args:
        settings (dict): the settings of ``set_auto_parallel_context``, by name.
        count (int): the number of devices. Default: ``None``, all devices of JAX.
    Raises:
        NotImplementedError: for interleaved pipelines, and unless each of several processes has one of the devices.
        ValueError: if the optimizer is to be sharded over more devices than there are.
    """
    mode = settings["parallel_mode"]
    if mode not in _GLOBAL:
        return None
    count = count or jax.device_count()
    if count == 1:
        return None
    check_processes(count, mode)
    if settings["pipeline_config"].get("pipeline_interleave"):
        raise NotImplementedError(_MSG_INTERLEAVED)
    stages = settings["pipeline_stages"]
    if count % stages:
        refuse(ValueError, "set_auto_parallel_context", "pipeline_stages", f"a divisor of {count} devices", stages)
    if mode == "auto_parallel":
        logger.warning(_MSG_NO_SEARCH)
    files = settings["strategy_ckpt_config"]
    searches = "sharding_propagation" in (settings["search_mode"], settings["auto_parallel_search_mode"])
    operators = settings.get("operators", OperatorFile.of_program)
    partition = Partition(
        device_mesh(count),
        optimizer=_optimizer(settings),
        stages=stages,
        save_file=settings["strategy_ckpt_save_file"] or files.get("save_file", ""),
        load_file=settings["strategy_ckpt_load_file"] or files.get("load_file", ""),
        saves_all=not files.get("only_trainable_params", True),
        operators=operators if mode == "auto_parallel" and searches else None,
    )
    partition.batch = _batch(settings["dataset_strategy"], partition)
    return partition


def check_processes(count, mode):
    """Raises NotImplementedError where several processes have other devices than the one of each of them."""
    processes = jax.process_count()
    if processes > 1 and count != processes:
        raise NotImplementedError(_MSG_PROCESSES.format(mode, processes, f"it has {count} devices"))
    if processes > 1 and jax.local_device_count() > 1:
        problem = f"this process has {jax.local_device_count()}"
        raise NotImplementedError(_MSG_PROCESSES.format(mode, processes, problem))


class _Followed:
    """The partition that the settings describe now."""

    partition = None


def follow(partition):
    """Uses the partition of the settings from now on; None ends the use of the last such partition, and of no other."""
    if partition is not None or Active.partition is _Followed.partition:
        activate(partition)
    _Followed.partition = partition


def _optimizer(settings):
    if not settings["enable_parallel_optimizer"]:
        return None
    config = settings["parallel_optimizer_config"]
    size = config.get("optimizer_weight_shard_size", settings["optimizer_weight_shard_size"])
    return OptimizerSharding(size, config.get("parallel_optimizer_threshold", _LEAST_KIB))


def _batch(strategy, partition):
    """The ``batch`` function of a `Partition`, for a ``dataset_strategy``."""
    if strategy == "full_batch":
        return lambda position, shape: PartitionSpec()
    if strategy == "data_parallel":
        return by_first_axis(partition.mesh.axis_names, partition.mesh)

    def by_strategy(position, shape):
        if position >= len(strategy):
            expected = f"for argument {position} of the network too"
            refuse(RuntimeError, "dataset_strategy", "strategy", expected, strategy)
        cuts = strategy[position]
        if partition.is_global:
            spec = partition.spec_of(cuts, None, "dataset_strategy")
            shape = joined_shape(shape, partition.sharding(spec)) if len(spec) == len(shape) else shape
        return partition.spec_of(cuts, shape, "dataset_strategy")

    return by_strategy


def by_first_axis(axes, mesh):
    """Shards arguments along their first axis; one that is not divisible, such as a last batch, is replicated.

    Args:
        axes (tuple of str): the mesh axes over which it is sharded.
        mesh (Mesh): the mesh.
    Returns:
        function of a position and a shape, as `Partition` takes it.
    """
    count = 1
    for name in axes:
        count *= mesh.shape[name]
    spec = PartitionSpec(axes[0] if len(axes) == 1 else tuple(axes))
    if not NamedSharding(mesh, spec).is_fully_addressable:  # so what a process has is its part, of any length
        count = 1
    return lambda position, shape: spec if shape and shape[0] % count == 0 else PartitionSpec()


def check_dataset_strategy(strategy, name, owner):
    """Checks a ``dataset_strategy`` and returns it.

    Raises:
        TypeError: unless it is a str, or a tuple of tuples of ints or of Layouts.
        ValueError: for None, and for a str other than ``'full_batch'`` and ``'data_parallel'``.
    """
    names = ("full_batch", "data_parallel")
    if strategy is None or (isinstance(strategy, str) and strategy not in names):
        refuse(ValueError, owner, name, f"one of {names}, or a tuple", strategy)
    if isinstance(strategy, str):
        return strategy
    for item in require(strategy, (str, tuple), owner, name):
        require(item, (tuple, Layout), owner, f"item of the {name}")
        for cut in item if isinstance(item, tuple) else ():
            require(cut, int, owner, f"item of the {name}")
        if isinstance(item, Layout) and item.described()["interleaved_parallel"]:
            refuse(ValueError, owner, name, f"of Layouts without '{Layout.interleaved}'", item.described())
    return strategy
