"""Queries about the devices of a run, for layers and training loops."""

from .._common.auto_parallel import ParallelMode, get_auto_parallel_context

_SPLIT = (ParallelMode.SEMI_AUTO_PARALLEL, ParallelMode.AUTO_PARALLEL)
_MSG_ALONE = "For the parallel mode '{}', the '{}' must be {}, but got {}."


def _get_parallel_mode():
    """The parallel mode (str) that was set."""
    return get_auto_parallel_context("parallel_mode")


def _get_device_num():
    """The number of devices."""
    return get_auto_parallel_context("device_num")


_get_stage_device_num = _get_device_num


def _get_global_rank():
    """The rank of this process."""
    return get_auto_parallel_context("global_rank")


def _get_pipeline_stages():
    """The number of pipeline stages."""
    return get_auto_parallel_context("pipeline_stages")


def _get_gradients_mean():
    """Whether gradients of several devices are averaged (bool): the setting."""
    return get_auto_parallel_context("gradients_mean")


def _get_full_batch():
    """Whether every device gets the whole batch (bool): the setting."""
    return get_auto_parallel_context("full_batch")


def _get_parameter_broadcast():
    """Whether Parameters are broadcast to all devices first (bool): the setting."""
    return get_auto_parallel_context("parameter_broadcast")


def _get_enable_parallel_optimizer():
    """Whether the optimizer is sharded (bool): the setting."""
    return get_auto_parallel_context("enable_parallel_optimizer")


def _get_grad_accumulation_shard():
    """Whether accumulated gradients are sharded: False."""
    return False


def _is_in_auto_parallel_mode():
    """Whether the mode is one in which MindSpore shards the program (bool)."""
    return _get_parallel_mode() in _SPLIT


_is_parallel_mode = _is_in_auto_parallel_mode


def _is_in_data_parallel_mode():
    """Whether the mode is data parallel (bool)."""
    return _get_parallel_mode() == ParallelMode.DATA_PARALLEL


def _is_in_hybrid_parallel_mode():
    """Whether the mode is hybrid parallel (bool)."""
    return _get_parallel_mode() == ParallelMode.HYBRID_PARALLEL


def _is_sharding_propagation():
    """Whether the strategy search is sharding propagation (bool): the setting."""
    return get_auto_parallel_context("auto_parallel_search_mode") == "sharding_propagation"


def _need_to_full():
    """Whether Tensors have to be expanded to the full batch: False."""
    return False


def _check_full_batch():
    """Does nothing: Tensors hold the whole batch."""


def _reset_op_id():
    """Does nothing: operations have no ids."""


def _parallel_predict_check():
    """Does nothing: prediction needs no check."""


def _to_full_shapes(shapes, device_num):
    """The shapes of the whole batch: the given ones, as a list."""
    return [list(shape) for shape in shapes]


def _to_full_tensor(elem, global_device_num, global_rank, scaling_sens=None):
    """The Tensors of the whole batch: the given ones, as a tuple, followed by the loss scale if there is one."""
    tensors = tuple(elem) if isinstance(elem, (tuple, list)) else (elem,)
    return tensors if scaling_sens is None else (*tensors, scaling_sens)


def _device_number_check(parallel_mode, device_number):
    """Raises ValueError for several devices in stand-alone mode."""
    if parallel_mode == ParallelMode.STAND_ALONE and device_number != 1:
        raise ValueError(_MSG_ALONE.format(parallel_mode, "device_number", 1, device_number))


def _parameter_broadcast_check(parallel_mode, parameter_broadcast):
    """Raises ValueError if Parameters are to be broadcast in a mode without broadcast."""
    if parameter_broadcast and parallel_mode in (ParallelMode.STAND_ALONE, *_SPLIT):
        raise ValueError(_MSG_ALONE.format(parallel_mode, "parameter_broadcast", False, True))
