"""The settings of distributed runs, checked against the available processes and devices."""

import itertools

import jax

from .._contracts import check
from .._contracts.settings import Setting
from .._sharding.from_settings import check_dataset_strategy, follow, partition_of
from .._sharding.partition import OperatorFile
from ..engine.processes.world import World
from ..engine.refusal import refuse, require

_MSG_UNKNOWN = "For '{}', there is no setting {!r}; the settings are {}."
_MSG_RANK = (
    "For '{}', '{}' = {} needs several devices, and this process has the number {}: start several processes with "
    "`msgrad launch --worker_num`, which sets the number of each, and leave it out."
)
_MSG_DEVICES = (
    "For '{}', '{}' = {} needs several devices, and JAX has {}. On a CPU start Python with "
    "XLA_FLAGS=--xla_force_host_platform_device_count=8 in its environment to have 8."
)
_MSG_NO_SERVER = "For 'set_ps_context', msgrad has no parameter servers: leave out enable_ps=True and train as usual."


class ParallelMode:
    """The parallel modes.  Source: mindspore.ParallelMode"""

    STAND_ALONE = "stand_alone"
    DATA_PARALLEL = "data_parallel"
    HYBRID_PARALLEL = "hybrid_parallel"
    SEMI_AUTO_PARALLEL = "semi_auto_parallel"
    AUTO_PARALLEL = "auto_parallel"
    MODE_LIST = [STAND_ALONE, DATA_PARALLEL, HYBRID_PARALLEL, SEMI_AUTO_PARALLEL, AUTO_PARALLEL]


def _device_num(count, name, owner):
    """The number of devices of a program, at most JAX's."""
    if count < 1:
        refuse(ValueError, owner, name, "at least 1", count)
    if count > 1 and count > jax.device_count():
        raise NotImplementedError(_MSG_DEVICES.format(owner, name, count, jax.device_count()))
    return count


def _split_indices(indices, name, owner):
    """The indices of gradients after which a new fused reduction begins: ascending."""
    for index in indices:
        if type(index) is not int or index < 0:
            refuse(TypeError, owner, name, "a list of ints from 0", indices)
    if not indices or any([low >= high for low, high in itertools.pairwise(indices)]):
        refuse(ValueError, owner, name, "ascending, of one int or more", indices)
    return indices


def _stages(count, name, owner):
    """The number of pipeline stages, all of which every device computes."""
    if count > 1 and jax.device_count() % count:
        raise NotImplementedError(_MSG_DEVICES.format(owner, name, count, jax.device_count()))
    return check.positive_int(count, name, owner)


def _rank(rank, name, owner):
    """The number of this process."""
    if not 0 <= rank < _MOST_RANKS:
        refuse(ValueError, owner, name, f"a number from 0 to {_MOST_RANKS - 1}", rank)
    if rank != World.rank:
        raise NotImplementedError(_MSG_RANK.format(owner, name, rank, World.rank))
    return rank


def _config(error: type[Exception] = ValueError, **items):
    """The rule of a setting that is a dict, whose items are settings; ``error`` is raised for an unknown key."""

    def rule(config, name, owner):
        for key in config:
            if key not in items:
                refuse(error, owner, name, f"a dict with keys out of {list(items)}", key)
        return {key: items[key].checked(key, value, owner) for key, value in config.items()}

    return rule


def _scheduler(config, name, owner):
    """The settings of a pipeline; other schedules are for interleaved ones."""
    config = _PIPELINE(config, name, owner)
    if not config.get("pipeline_interleave") and config.get("pipeline_scheduler", "1f1b") != "1f1b":
        refuse(
            TypeError, owner, "pipeline_scheduler", "'1f1b' without pipeline_interleave", config["pipeline_scheduler"]
        )
    return config


def _shard_size(size, name, owner):
    """The largest number of shards of a parallel optimizer; -1: as many as there are replicas."""
    return size if size == -1 else check.positive_int(size, name, owner)


SCHEDULERS = ("1f1b", "gpipe", "seqpipe", "seqvpp", "seqsmartvpp", "zero_bubble_v")
_PIPELINE = _config(pipeline_interleave=Setting(False, bool), pipeline_scheduler=Setting("1f1b", str, SCHEDULERS))
_MOST_RANKS = 4096
_FUSION = {"mode": "auto", "config": None}
_SEARCH = Setting(
    "recursive_programming",
    str,
    ("recursive_programming", "dynamic_programming", "sharding_propagation"),
)

SETTINGS = {
    "all_reduce_fusion_config": Setting([], list, rule=_split_indices),
    "auto_parallel_search_mode": _SEARCH,
    "auto_pipeline": Setting(False, bool),
    "comm_fusion": Setting(
        {"openstate": True, "allreduce": _FUSION, "allgather": _FUSION, "reducescatter": _FUSION},
        dict,
        rule=_config(
            KeyError, **dict.fromkeys(("openstate", "allreduce", "allgather", "reducescatter"), Setting(None))
        ),
    ),
    "communi_parallel_mode": Setting("all_group_parallel", str),
    "auto_parallel_new_interface": Setting(False, bool),
    "dataset_strategy": Setting("data_parallel", rule=check_dataset_strategy),
    "device_num": Setting(1, int, rule=_device_num),
    "dump_device_local_norm": Setting(False, bool),
    "dump_local_norm": Setting(False, bool),
    "dump_local_norm_path": Setting("", str),
    "enable_alltoall": Setting(False, bool),
    "enable_parallel_optimizer": Setting(False, bool),
    "force_fp32_communication": Setting(False, bool),
    "full_batch": Setting(False, bool),
    "global_rank": Setting(0, int, rule=_rank),
    "grad_accumulation_step": Setting(1, int, rule=check.positive_int),
    "gradient_fp32_sync": Setting(True, bool),
    "gradients_mean": Setting(False, bool),
    "group_ckpt_save_file": Setting("", str),
    "init_param_in_compile": Setting(True, bool),
    "loss_repeated_mean": Setting(True, bool),
    "optimizer_weight_shard_aggregated_save": Setting(False, bool),
    "optimizer_weight_shard_size": Setting(-1, int),
    "parallel_mode": Setting(ParallelMode.STAND_ALONE, str, ParallelMode.MODE_LIST),
    "parallel_optimizer_config": Setting(
        {},
        dict,
        rule=_config(
            gradient_accumulation_shard=Setting(False, bool),
            parallel_optimizer_threshold=Setting(64, rule=check.non_negative_int),
            optimizer_weight_shard_size=Setting(-1, int, rule=_shard_size),
            optimizer_level=Setting("level1", None, ("level1", "level2", "level3")),
        ),
    ),
    "parameter_broadcast": Setting(False, bool),
    "pipeline_config": Setting({}, dict, rule=_scheduler),
    "pipeline_result_broadcast": Setting(False, bool),
    "pipeline_segments": Setting(1, int),
    "pipeline_stages": Setting(1, int, rule=_stages),
    "search_mode": _SEARCH,
    "sharding_propagation": Setting(False, bool),
    "strategy_ckpt_config": Setting(
        {"load_file": "", "save_file": "", "only_trainable_params": True},
        dict,
        rule=_config(load_file=Setting("", str), save_file=Setting("", str), only_trainable_params=Setting(True, bool)),
    ),
    "strategy_ckpt_load_file": Setting("", str),
    "strategy_ckpt_save_file": Setting("", str),
}

DEFAULTS = {name: setting.default for name, setting in SETTINGS.items()}

# Read-only settings, derived from others.
_PARTS = {
    "full_batch_is_set": lambda: "full_batch" in chosen,
    "pipeline_interleave": lambda: get_auto_parallel_context("pipeline_config").get("pipeline_interleave", False),
    "pipeline_scheduler": lambda: get_auto_parallel_context("pipeline_config").get("pipeline_scheduler", "1f1b"),
}

chosen = {}
_servers = {"enable_ps": False}


def _unknown(owner, name, accepted):
    return ValueError(_MSG_UNKNOWN.format(owner, name, ", ".join(accepted)))


def set_auto_parallel_context(**kwargs):
    """Sets how a program is sharded over devices. Results do not depend on it; with one device nothing is sharded.

    Every name of MindSpore's is checked and kept for ``get_auto_parallel_context``. Several devices
    (``device_num``, ``global_rank``, ``pipeline_stages``) are refused. When one value is refused, none is set.

    Raises:
        TypeError: if a value has the wrong type.
        ValueError: if a name is not known, or a value is not accepted.
        NotImplementedError: if a value needs more devices than there are.
    Example:
        >>> set_auto_parallel_context(parallel_mode=ParallelMode.DATA_PARALLEL, gradients_mean=True)
        >>> get_auto_parallel_context("parallel_mode")
        'data_parallel'
        >>> reset_auto_parallel_context()
    Source: mindspore.set_auto_parallel_context
    """
    for name in kwargs:
        if name not in SETTINGS:
            raise _unknown("set_auto_parallel_context", name, SETTINGS)
    owner = "set_auto_parallel_context"
    checked = {name: SETTINGS[name].checked(name, value, owner) for name, value in kwargs.items()}
    updated = dict(chosen)
    for name, value in checked.items():
        updated |= _with_batch(name, value, updated)
    partition = partition_of(DEFAULTS | updated, updated.get("device_num"))
    chosen.update(updated)
    follow(partition)


def _with_batch(name, value, settings):
    """A setting, and the other one about arguments that follows from it; strategies for each argument count first."""
    pair = {name: value}
    if name == "dataset_strategy" and isinstance(value, str):
        pair["full_batch"] = value == "full_batch"
    if name == "full_batch" and isinstance(settings.get("dataset_strategy", ""), str):
        pair["dataset_strategy"] = "full_batch" if value else "data_parallel"
    return pair


def get_auto_parallel_context(attr_key):
    """The value of a setting of ``set_auto_parallel_context``, or MindSpore's default.

    ``pipeline_interleave`` and ``pipeline_scheduler`` are those of its ``pipeline_config``; ``full_batch_is_set`` says
    whether ``full_batch`` has been given.

    Raises:
        ValueError: if there is no such setting.
    Source: mindspore.get_auto_parallel_context
    """
    if attr_key in _PARTS:
        return _PARTS[attr_key]()
    if attr_key not in SETTINGS:
        raise _unknown("get_auto_parallel_context", attr_key, SETTINGS)
    return chosen.get(attr_key, SETTINGS[attr_key].default)


def reset_auto_parallel_context():
    """Resets every setting of ``set_auto_parallel_context``.  Source: mindspore.reset_auto_parallel_context"""
    chosen.clear()
    OperatorFile.of_program.set("", "")
    follow(None)


def set_ps_context(**kwargs):
    """Configures parameter servers, which msgrad does not support: only ``enable_ps=False`` is accepted.

    Raises:
        ValueError: if a name is not ``enable_ps``.  TypeError: if its value is not a bool.
        NotImplementedError: if it is True.
    Source: mindspore.set_ps_context
    """
    for name, value in kwargs.items():
        if name not in _servers:
            raise _unknown("set_ps_context", name, _servers)
        if require(value, bool, "set_ps_context", name):
            raise NotImplementedError(_MSG_NO_SERVER)


def get_ps_context(attr_key):
    """The value of a setting of ``set_ps_context``: ``enable_ps`` is False.  Source: mindspore.get_ps_context"""
    if attr_key not in _servers:
        raise _unknown("get_ps_context", attr_key, _servers)
    return _servers[attr_key]


def reset_ps_context():
    """Does nothing: there is nothing that ``set_ps_context`` could have set.  Source: mindspore.reset_ps_context"""
