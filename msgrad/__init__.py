"""msgrad: unmodified MindSpore programs on JAX. The names here are those of ``mindspore``."""

import importlib

from . import (
    alias,
    amp,
    communication,
    context,
    dtype,
    experimental,
    func,
    log,
    nn,
    ops,
    parallel,
    profiler,
    runtime,
    train,
)
from ._compat import left_out  # noqa: F401
from ._compat.common import tensor_names  # noqa: F401
from ._compat.compiler.dumping import set_dump
from ._compat.compiler.executors import ms_memory_recycle
from ._compat.compiler.inline import lazy_inline, no_inline
from ._compat.compiler.jit_config import JitConfig
from ._compat.installation import run_check
from ._compat.left_out import *  # noqa: F403
from ._compat.modules import rewrite, safeguard  # noqa: F401
from ._compat.modules.rewrite import *  # noqa: F403  left out
from ._compat.modules.safeguard import *  # noqa: F403  left out
from ._compat.ops import kernels  # noqa: F401
from .autodiff import Function as _Function
from .autodiff import (
    _no_grad,
    get_grad,
    grad,
    jacfwd,
    jacrev,
    jvp,
    recompute,
    register_saved_tensors_hooks,
    saved_tensors_hooks,
    value_and_grad,
    vjp,
    vmap,
)
from .autodiff.mutable import mutable
from .bridge import from_jax, to_jax
from .compiling import jit, jit_class, ms_class, ms_function
from .context import (
    COMPATIBLE,
    GRAPH_MODE,
    LAX,
    PYNATIVE_MODE,
    STRICT,
    ParallelMode,
    get_auto_parallel_context,
    get_context,
    get_offload_context,
    get_ps_context,
    reset_auto_parallel_context,
    reset_offload_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_context,
    set_offload_context,
    set_ps_context,
    set_recursion_limit,
)
from .device import DeviceCtx, get_current_device, set_deterministic, set_device
from .dtype import *  # noqa: F403  the dtypes and the functions about them
from .dtype import _NullType  # noqa: F401
from .log import get_level, get_log_config
from .nn._cell.declared_inputs import enable_dynamic
from .parallel import *  # noqa: F403  layouts and hints for several devices
from .profiler import Profiler
from .runtime import *  # noqa: F403  waiting, memory
from .seeding import (
    Generator,
    default_generator,
    get_rng_state,
    get_seed,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
    set_seed,
)
from .tensor.buffers import frombuffer
from .tensor.parameter import Parameter, ParameterTuple
from .tensor.placeholder import Symbol
from .tensor.sparse import COOTensor, CSRTensor, RowTensor, SparseTensor
from .tensor.swapping import swap_tensors
from .tensor.tensor import Tensor, tensor
from .train import *  # noqa: F403  checkpoints, loss scales
from .version import __msgrad_version__, __version__

__all__ = [
    *dtype.__all__, *left_out.__all__, *parallel.__all__, *rewrite.__all__, *runtime.__all__,
    *safeguard.__all__, *train.__all__,
    "__msgrad_version__", "__version__", "_Function", "_no_grad",
    "amp", "communication", "COMPATIBLE", "context", "COOTensor", "CSRTensor", "default_generator", "DeviceCtx",
    "dtype", "enable_dynamic", "experimental", "from_jax", "from_numpy", "frombuffer", "func", "Generator",
    "get_auto_parallel_context", "get_context", "get_current_device", "get_grad", "get_level",
    "get_log_config", "get_offload_context", "get_ps_context", "get_rng_state", "get_seed", "grad", "GRAPH_MODE",
    "initial_seed", "is_tensor", "jacfwd", "jacrev", "jit", "jit_class", "JitConfig", "jvp", "LAX", "lazy_inline",
    "log", "manual_seed", "ms_class", "ms_function", "ms_memory_recycle", "mutable", "nn",
    "no_inline", "ops", "parallel", "ParallelMode", "Parameter", "ParameterTuple", "profiler", "Profiler",
    "PYNATIVE_MODE", "recompute", "register_saved_tensors_hooks",
    "reset_auto_parallel_context", "reset_offload_context", "reset_ps_context", "run_check",
    "runtime", "RowTensor", "saved_tensors_hooks", "seed", "set_auto_parallel_context",
    "set_context", "set_deterministic", "set_device", "set_dump", "set_offload_context", "set_ps_context",
    "set_recursion_limit", "set_rng_state", "set_seed", "SparseTensor", "STRICT", "swap_tensors", "Symbol", "Tensor",
    "tensor", "to_jax",
    "train", "value_and_grad", "vjp", "vmap",
]  # fmt: skip

from_numpy = Tensor.from_numpy
is_tensor = ops.is_tensor


# Only programs that name these pay for them.
_WHEN_NAMED = (
    "dataset",
    "device_context",
    "mindrecord",
    "mint",
    "numpy",
    "scipy",
    "testing",
)
_TAKEN_OVER = {  # names of ``mindspore`` itself, by the part that they belong to
    "mindrecord": (
        "Cifar100ToMR", "Cifar10ToMR", "CsvToMR", "FAILED", "FileReader", "FileWriter", "ImageNetToMR", "MindPage",
        "MnistToMR", "SUCCESS", "TFRecordToMR",
    ),
    "utils": (
        "ExitByRequest", "MsDispatchMode", "RSCPluginHandle", "TFTCommValue", "comm_exec_order_check", "from_dlpack",
        "get_sdc_detect_result", "runtime_execution_order_check", "sdc_detect_start", "sdc_detect_stop",
        "stress_detect", "to_dlpack",
    ),
}  # fmt: skip


def __getattr__(name):
    if name in ("bool", "int", "float"):  # which would hide Python's own in this module
        return getattr(dtype, name)
    if name == "jaxpr":  # MindSpore has nothing like it
        return importlib.import_module(".tools.showing", __name__).jaxpr
    if name in _WHEN_NAMED:
        part = importlib.import_module(f".{name}", __name__)
        alias.attach()
        return part
    for part, names in _TAKEN_OVER.items():
        if name in names:
            return getattr(importlib.import_module(f".{part}", __name__), name)
    raise AttributeError(f"module 'mindspore' has no attribute '{name}'")


alias.attach()
