"""Settings of pipelines: ``mindspore.dataset.config``. A setting applies to pipelines created after it is set."""

import enum
import json
import os
import random

import numpy as np

from .. import _upcalls, log
from .._common import seeding
from .._contracts.signature import function, signature
from ..engine.refusal import refuse, require
from ._pipeline.draws import seed_eager

_UNSET = 5489  # the seed that means "no seed": each pipeline gets another one
_MOST = 2**31 - 1
MOST_WORKERS = 1024
_MSG_AUTOTUNE = "set_enable_autotune has no effect: msgrad decides from the time per row whether to use threads."


class ErrorSamplesMode(enum.IntEnum):
    """How `map` treats a row for which its function raises.  Source: mindspore.dataset.config.ErrorSamplesMode"""

    RETURN = 0
    REPLACE = 1
    SKIP = 2


_values = {}


def _flag(owner, argument, value):
    return require(value, bool, owner, argument)


def _int_from(minimum, maximum=_MOST):
    def check(owner, argument, value):
        if isinstance(value, bool):
            refuse(TypeError, owner, argument, "an int", value)
        require(value, int, owner, argument)
        if not minimum <= value <= maximum:
            refuse(ValueError, owner, argument, f"in the range [{minimum}, {maximum}]", value)
        return value

    return check


def _one_of(*choices):
    def check(owner, argument, value):
        require(value, str, owner, argument)
        if value not in choices:
            refuse(ValueError, owner, argument, f"one of {list(choices)}", value)
        return value

    return check


def _mode(owner, argument, value):
    return require(value, ErrorSamplesMode, owner, argument)


def _setting(setter, argument, check, default, doc, required=True):
    """Makes the functions that set and return one setting."""
    name = setter.removeprefix("set_")
    _values[name] = default

    def store(value):
        _values[name] = check(setter, argument, value)

    sig = signature(f"({argument})" if required else f"({argument}={default!r})")
    write = function(setter, sig, f"_store({argument})", {"_store": store})
    read = function(f"get_{name}", signature("()"), f"_values[{name!r}]", {"_values": _values})
    write.__doc__ = f"{doc}\n\nSource: mindspore.dataset.config.{setter}"
    read.__doc__ = (
        f"What `{setter}` was given; its default is ``{default!r}``.\n\nSource: mindspore.dataset.config.get_{name}"
    )
    return write, read


_HINT = "A hint that has no effect here:"

set_prefetch_size, get_prefetch_size = _setting(
    "set_prefetch_size", "size", _int_from(1), 16, "How many rows (or batches) are made ahead of the one that is used."
)
set_num_parallel_workers, get_num_parallel_workers = _setting(
    "set_num_parallel_workers",
    "num",
    _int_from(1, MOST_WORKERS),
    min(8, os.cpu_count() or 1),
    "How many threads or processes work for an operation that is not told how many.",
)
set_callback_timeout, get_callback_timeout = _setting(
    "set_callback_timeout", "timeout", _int_from(1), 60, "Seconds that ``sync_wait`` waits before it raises."
)
set_error_samples_mode, get_error_samples_mode = _setting(
    "set_error_samples_mode", "error_samples_mode", _mode, ErrorSamplesMode.RETURN,
    "Whether a row for which ``map`` fails raises, is left out, or is replaced by another.",
)  # fmt: skip
set_numa_enable, get_numa_enable = _setting(
    "set_numa_enable", "numa_enable", _flag, False, f"{_HINT} binding to memory nodes."
)
set_monitor_sampling_interval, get_monitor_sampling_interval = _setting(
    "set_monitor_sampling_interval", "interval", _int_from(1), 1000, f"{_HINT} milliseconds between two profiles."
)
set_auto_num_workers, get_auto_num_workers = _setting(
    "set_auto_num_workers", "enable", _flag, False, f"{_HINT} choosing the number of workers."
)
set_autotune_interval, get_autotune_interval = _setting(
    "set_autotune_interval", "interval", _int_from(0), 0, f"{_HINT} steps between two adjustments."
)
set_enable_shared_mem, get_enable_shared_mem = _setting(
    "set_enable_shared_mem", "enable", _flag, True, f"{_HINT} worker processes answer through pipes."
)
set_auto_offload, get_auto_offload = _setting(
    "set_auto_offload", "offload", _flag, False, f"{_HINT} operations of ``map`` on the device."
)
set_enable_watchdog, get_enable_watchdog = _setting(
    "set_enable_watchdog", "enable", _flag, True, f"{_HINT} a worker process that ends is always noticed."
)
set_multiprocessing_timeout_interval, get_multiprocessing_timeout_interval = _setting(
    "set_multiprocessing_timeout_interval", "interval", _int_from(1), 300, f"{_HINT} seconds between two warnings."
)
set_dynamic_shape, get_dynamic_shape = _setting(
    "set_dynamic_shape", "is_dynamic", _flag, False, f"{_HINT} batches may differ in shape anyway."
)
set_fast_recovery, get_fast_recovery = _setting(
    "set_fast_recovery", "fast_recovery", _flag, True, f"{_HINT} how a pipeline is taken up again."
)
set_multiprocessing_start_method, get_multiprocessing_start_method = _setting(
    "set_multiprocessing_start_method", "start_method", _one_of("fork", "spawn"), "fork",
    f"{_HINT} worker processes are forked.", required=False,
)  # fmt: skip
set_video_backend, get_video_backend = _setting(
    "set_video_backend", "backend", _one_of("CPU", "Ascend"), "CPU", f"{_HINT} what decodes videos."
)


def set_seed(seed):
    """Seeds pipelines, ``random`` and ``numpy.random``. `mindspore.set_seed` seeds pipelines, too.

    Args:
        seed (int): from 0 to ``2**32 - 1``. As in MindSpore, 5489 means none.
    Raises:
        TypeError: if it is not an int.  ValueError: if it is out of range.
    Example:
        >>> mindspore.dataset.config.set_seed(1)
    Source: mindspore.dataset.config.set_seed
    """
    _set_seed(_int_from(0, 2**32 - 1)("set_seed", "seed", seed))
    random.seed(seed)
    np.random.seed(seed)


def _set_seed(seed):
    _values["seed"] = seed
    seed_eager(seed, seed != _UNSET)


def get_seed():
    """The seed that was set, or 5489.  Source: mindspore.dataset.config.get_seed"""
    return _values["seed"]


_values["seed"] = _UNSET
_upcalls.fill(seed_datasets=_set_seed)
if seeding.get_seed() is not None:
    _set_seed(seeding.get_seed())


def chosen_seed():
    """The seed that was set (int), or None."""
    return None if _values["seed"] == _UNSET else _values["seed"]


def set_sending_batches(batch_num):
    """A hint without effect: the number of batches sent to a device before waiting.

    Source: mindspore.dataset.config.set_sending_batches
    """
    _int_from(0)("set_sending_batches", "batch_num", batch_num)


def set_enable_autotune(enable, filepath_prefix=None):
    """Accepted without effect: threads are always used if rows take long enough.

    Args:
        enable (bool): the value that `get_enable_autotune` returns.
        filepath_prefix (str): where MindSpore writes its result; here no file is written. Default: ``None``.
    Source: mindspore.dataset.config.set_enable_autotune
    """
    require(filepath_prefix, (str, type(None)), "set_enable_autotune", "filepath_prefix")
    _values["autotune"] = _flag("set_enable_autotune", "enable", enable)
    if enable:
        log.warning(_MSG_AUTOTUNE)


def get_enable_autotune():
    """The flag of `set_enable_autotune`.  Source: mindspore.dataset.config.get_enable_autotune"""
    return _values["autotune"]


_values["autotune"] = False


def set_debug_mode(debug_mode_flag, debug_hook_list=None):
    """Runs pipelines without threads and processes, so that a debugger stops in a user's function.

    Args:
        debug_mode_flag (bool): whether to turn it on.
        debug_hook_list (list): hooks that MindSpore calls after each operation; not supported. Default: ``None``.
    Raises:
        NotImplementedError: for hooks.
    Source: mindspore.dataset.config.set_debug_mode
    """
    if debug_hook_list:
        raise NotImplementedError("set_debug_mode takes no 'debug_hook_list': use a function in map(...) instead.")
    _values["debug_mode"] = _flag("set_debug_mode", "debug_mode_flag", debug_mode_flag)


def get_debug_mode():
    """The flag of `set_debug_mode`.  Source: mindspore.dataset.config.get_debug_mode"""
    return _values["debug_mode"]


_values["debug_mode"] = False


def set_iterator_mode(do_copy=False, parallel_convert=False):
    """A hint without effect: iterators make Tensors, which are copies, in a thread.

    Source: mindspore.dataset.config.set_iterator_mode
    """
    _values["iterator_mode"] = {
        "do_copy": _flag("set_iterator_mode", "do_copy", do_copy),
        "parallel_convert": _flag("set_iterator_mode", "parallel_convert", parallel_convert),
    }


def get_iterator_mode():
    """The arguments of `set_iterator_mode`, a dict.  Source: mindspore.dataset.config.get_iterator_mode"""
    return _values["iterator_mode"]


set_iterator_mode()


def load(file):
    """Loads settings from a JSON file with MindSpore's names: ``{"seed": 1, "numParallelWorkers": 4}``.

    Args:
        file (str): the path.
    Raises:
        RuntimeError: if there is no such file, or it is not of that form.
    Source: mindspore.dataset.config.load
    """
    setters = {
        "seed": set_seed,
        "numParallelWorkers": set_num_parallel_workers,
        "opConnectorSize": set_prefetch_size,
        "monitorSamplingInterval": set_monitor_sampling_interval,
    }
    try:
        with open(file, encoding="utf-8") as opened:
            settings = json.load(opened)
        for name, value in settings.items():
            if name in setters:
                setters[name](value)
    except (OSError, ValueError, AttributeError) as error:
        raise RuntimeError(f"For 'config.load', the file {file} cannot be read: {error}.") from error
