"""``mindspore.context``: the mode, the device, and MindSpore's other process-wide settings.

The mode is stored in the engine's ``staging.Policy.staged``, so frequently run code reads one attribute.
"""

import re

from . import log
from ._common import device
from ._common.auto_parallel import (
    ParallelMode,
    get_auto_parallel_context,
    get_ps_context,
    reset_auto_parallel_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_ps_context,
)
from ._contracts import check
from ._contracts.settings import Setting
from .engine.calls.staging import Policy
from .engine.precision import allow
from .engine.refusal import refuse, require

__all__ = [
    "COMPATIBLE", "GRAPH_MODE", "LAX", "PYNATIVE_MODE", "ParallelMode", "STRICT", "get_auto_parallel_context",
    "get_context", "get_ps_context", "reset_auto_parallel_context", "reset_ps_context", "set_auto_parallel_context",
    "set_context", "set_ps_context", "set_recursion_limit",
]  # fmt: skip

GRAPH_MODE, PYNATIVE_MODE = 0, 1
STRICT, COMPATIBLE, LAX = 0, 1, 2
RELEASE, DEBUG = 0, 1

_OWNER = "context.set_context"
_MSG_UNKNOWN = "For 'context.{}_context', there is no setting {!r}. The help of set_context lists those that there are."
_MSG_NO_EFFECT = "For 'context.set_context', the parameter '{}' has no effect any more (MindSpore 2.10: deprecated)."
_MSG_REMOVED = "For 'context.set_context', MindSpore {} has no parameter '{}' any more. {}"


def _one_of(default, choices, convert=None):
    return Setting(default, str, choices, convert)


def _gigabytes(default):
    return Setting(default, str, convert=lambda text: float(text[:-2]), rule=_check_gigabytes)


def _check_gigabytes(text, name, owner):
    if not re.fullmatch(r"\d+(\.\d+)?GB", text):
        refuse(ValueError, owner, name, "a number of gigabytes such as '5GB' or '3.5GB'", text)
    return text


def _options(accepted):
    """Checks a dict of options against the accepted values of each."""

    def check_options(options, name, owner):
        for key, value in options.items():
            if key not in accepted:
                refuse(ValueError, owner, name, f"a dict with keys out of {list(accepted)}", key)
            if accepted[key] is not None and value not in accepted[key]:
                refuse(ValueError, owner, f"{name}['{key}']", f"one of {accepted[key]}", value)
        return dict(options)

    return Setting({}, dict, rule=check_options)


def _check_device_id(value, name, owner):
    return check.in_range(value, 0, 4095, name, owner)


_SWITCH = [True, False]

_EFFECTIVE = {
    "mode": Setting(PYNATIVE_MODE, int, (GRAPH_MODE, PYNATIVE_MODE), int),
    "device_target": _one_of(
        None, ["CPU", "GPU", "Ascend", "Davinci"], lambda name: "Ascend" if name == "Davinci" else name
    ),
    "device_id": Setting(None, int, rule=_check_device_id),
    "deterministic": _one_of("OFF", ["ON", "OFF"]),
    "gpu_config": _options({
        "conv_fprop_algo": None, "conv_dgrad_algo": None, "conv_wgrad_algo": None,
        "conv_allow_tf32": _SWITCH, "matmul_allow_tf32": _SWITCH,
    }),
}  # fmt: skip

_HINTS = {
    "aoe_config": _options({"job_type": ["1", "2"]}),
    "aoe_tune_mode": _one_of("", ["online", "offline"]),
    "ascend_config": Setting({}, dict, convert=dict),
    "check_bprop": Setting(False, bool),
    "compile_cache_path": Setting("", str),
    "debug_level": Setting(RELEASE, int, (RELEASE, DEBUG)),
    "disable_format_transform": Setting(False, bool),
    "enable_compile_cache": Setting(None, bool),
    "enable_graph_kernel": Setting(False, bool),
    "enable_profiling": Setting(False, bool),
    "enable_reduce_precision": Setting(True, bool),
    "env_config_path": Setting("", str),
    "exec_order": _one_of("bfs", ["bfs", "dfs"]),
    "graph_kernel_flags": Setting("", str),
    "inter_op_parallel_num": Setting(0, int, rule=check.non_negative_int),
    "infer_boost": _one_of("off", ["on", "off"]),
    "jit_config": _options({"jit_level": ["O0", "O1", "O2"], "infer_boost": ["on", "off"]}),
    "jit_level": _one_of("", ["O0", "O1", "O2"]),
    "jit_syntax_level": Setting(LAX, int, (STRICT, COMPATIBLE, LAX)),
    "max_call_depth": Setting(1000, int, rule=check.positive_int),
    "max_device_memory": _gigabytes(1024.0),
    "memory_optimize_level": _one_of(0, ["O0", "O1"], lambda level: int(level[1])),
    "mempool_block_size": _gigabytes(1.0),
    "op_timeout": Setting(900, int, rule=check.non_negative_int),
    "print_file_path": Setting("", str),
    "profiling_options": Setting("training_trace", str),
    "pynative_synchronize": Setting(False, bool),
    "reserve_class_name_in_scope": Setting(True, bool),
    "runtime_num_threads": Setting(0, int, rule=check.non_negative_int),
    "save_graphs": Setting(0, (bool, int), (0, 1, 2, 3), lambda level: 2 if level is True else int(level)),
    "save_graphs_path": Setting(".", str),
    "support_binary": Setting(False, bool),
    "variable_memory_max_size": _gigabytes("0"),
}  # fmt: skip

_SETTINGS = _EFFECTIVE | _HINTS

# MindSpore 2.10 ignores the first three; the others are names of former versions that public programs still pass.
_FORMER = frozenset({
    "enable_sparse", "auto_tune_mode", "enable_auto_mixed_precision",
    "backend_policy", "enable_dump", "enable_dynamic_mem_pool", "enable_gpu_summary", "enable_hccl", "enable_ir_fusion",
    "enable_loop_sink", "enable_mem_reuse", "enable_pynative_hook", "enable_pynative_infer", "enable_task_sink",
    "exception_dump", "graph_memory_max_size", "jit_enable_inplace_ops", "load_compile_cache", "memory_offload",
    "save_compile_cache", "save_dump_path",
})  # fmt: skip

_REMOVED = {
    "precompile_only": ("2.10", "Cell.compile records a call without running it."),
    "grad_for_scalar": ("2.10", "Make a Tensor of the number to differentiate by it."),
}

_offload = {}
_values = {name: setting.default for name, setting in _SETTINGS.items()}
_values["enable_ge"] = False  # read-only: whether Ascend's graph engine runs


def set_context(**kwargs):
    """Sets process-wide settings.

    Settings that have an effect:

    Args:
        mode (int): ``GRAPH_MODE`` (0) runs the Python of an outermost Cell once for each signature and then replays
            it; ``PYNATIVE_MODE`` (1) runs the Python every time. Default: ``PYNATIVE_MODE``.
        device_target (str): ``"CPU"``, ``"GPU"`` or ``"Ascend"``: see ``set_device``. Default: the fastest one
            available.
        device_id (int): the number of the device, in ``[0, 4095]``. Default: ``0``.
        deterministic (str): ``"ON"`` or ``"OFF"``: see ``set_deterministic``. Default: ``"OFF"``.
        gpu_config (dict): ``matmul_allow_tf32`` (bool, initially ``False``) lets a GPU round the float32 inputs of
            matrix products to TensorFloat-32, ``conv_allow_tf32`` (initially ``True``) those of convolutions; the other
            keys have no effect.

    Settings without effect, which are checked and stored for ``get_context``: hints for MindSpore's compiler, memory
    and threads, for which JAX has settings of its own: aoe_config, aoe_tune_mode, ascend_config, check_bprop,
    compile_cache_path, debug_level, disable_format_transform, enable_compile_cache, enable_graph_kernel,
    enable_profiling, enable_reduce_precision, env_config_path, exec_order, graph_kernel_flags, infer_boost,
    inter_op_parallel_num, jit_config, jit_level, jit_syntax_level, max_call_depth, max_device_memory,
    memory_optimize_level, mempool_block_size, op_timeout, print_file_path, profiling_options, pynative_synchronize,
    reserve_class_name_in_scope, runtime_num_threads, save_graphs, save_graphs_path, support_binary,
    variable_memory_max_size. Names that MindSpore removed and programs still pass (enable_task_sink, enable_mem_reuse,
    memory_offload, ...) give a warning.

    If one value is refused, none is set.

    Raises:
        TypeError: if a value has the wrong type.
        ValueError: if a name is unknown, or a value is not accepted.
    Example:
        >>> set_context(mode=PYNATIVE_MODE)
        >>> get_context("mode")
        1
    Source: mindspore.set_context
    """
    checked = {name: _checked(name, value) for name, value in kwargs.items() if name not in _FORMER}
    for name in _FORMER & kwargs.keys():
        log.warning(_MSG_NO_EFFECT.format(name))
    _values.update(checked)
    if "mode" in checked:
        Policy.staged = checked["mode"] == GRAPH_MODE
    if "device_target" in checked or "device_id" in checked:
        target = checked.get("device_target") or device.get_current_device().device_target
        device.choose(target, checked.get("device_id", device.get_current_device().device_id))
    if "deterministic" in checked:
        device.set_deterministic(checked["deterministic"] == "ON")
    for name, operations in (("matmul_allow_tf32", "products"), ("conv_allow_tf32", "convolutions")):
        if name in checked.get("gpu_config", ()):
            allow("gpu", operations, checked["gpu_config"][name])
    if "jit_config" in checked:
        _values["jit_level"] = checked["jit_config"].get("jit_level", "")


def get_context(attr_key):
    """The value of a setting of ``set_context``.

    Args:
        attr_key (str): its name.
    Returns:
        the value set, or MindSpore's default. ``device_target`` and ``device_id`` are those of the current device.
    Raises:
        ValueError: if there is no such setting.
    Source: mindspore.get_context
    """
    if attr_key in ("device_target", "device_id"):
        return getattr(device.get_current_device(), attr_key)
    if attr_key not in _values:
        raise ValueError(_MSG_UNKNOWN.format("get", attr_key))
    return _values[attr_key]


def _get_mode():
    """The mode (int): ``get_context("mode")``, for programs that read MindSpore's private name."""
    return _values["mode"]


def get_jit_config():
    """The value of ``set_context(jit_config=...)`` (dict).  Source: mindspore.context.get_jit_config"""
    return _values["jit_config"]


def set_offload_context(offload_config):
    """Stores MindSpore's hints about offloading weights to host memory, without effect: JAX manages memory itself.

    Args:
        offload_config (dict): stored for `get_offload_context`.
    Raises:
        TypeError: if it is not a dict.
    Source: mindspore.set_offload_context (MindSpore 2.0 to 2.5)
    """
    require(offload_config, dict, "set_offload_context", "offload_config")
    _offload.update(offload_config)


def get_offload_context():
    """The settings of `set_offload_context` (dict).  Source: mindspore.get_offload_context (2.0 to 2.5)"""
    return dict(_offload)


def reset_offload_context():
    """Resets the settings of `set_offload_context`.  Source: mindspore.reset_offload_context (2.0 to 2.5)"""
    _offload.clear()


def set_recursion_limit(recursion_limit=1000):
    """Sets ``max_call_depth``, a limit of MindSpore's graph compiler; here only Python's own recursion limit applies.

    Args:
        recursion_limit (int): greater than 0. Default: ``1000``.
    Raises:
        TypeError: if it is not an int.  ValueError: if it is not positive.
    Source: mindspore.set_recursion_limit
    """
    check.positive_int(recursion_limit, "recursion_limit", "set_recursion_limit")
    set_context(max_call_depth=recursion_limit)


def _checked(name, value):
    if name in _REMOVED:
        version, instead = _REMOVED[name]
        raise ValueError(_MSG_REMOVED.format(version, name, instead))
    if name not in _SETTINGS:
        raise ValueError(_MSG_UNKNOWN.format("set", name))
    return _SETTINGS[name].checked(name, value, _OWNER)


class _Context:
    """The parts of MindSpore's internal context that programs use."""

    def set_backend_policy(self, policy):
        """Accepts the name of one of MindSpore's compilers (str), without effect: XLA compiles."""


K_CONTEXT = _Context()
