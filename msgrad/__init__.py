"""msgrad: unmodified MindSpore programs on JAX. The names here are those of ``mindspore``."""

from . import _startup, alias, context, dtype, log, nn, ops  # noqa: F401  the order matters: see `_startup`
from . import initializer as _  # noqa: F401  Parameter.clone needs it
from ._common import tracebacks as _tracebacks
from ._common.compiling import jit, jit_class, ms_class, ms_function
from ._common.device import DeviceCtx, get_current_device, set_deterministic, set_device
from ._common.seeding import (
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
from ._compat.common import tensor_names  # noqa: F401  what libraries import of Tensor's file
from ._compat.compiler import executors  # noqa: F401  what subclasses of Tensor get
from ._compat.ops import kernels  # noqa: F401  what Primitives without code of their own run
from ._names import contents as _contents
from ._names import on_demand as _on_demand
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
from .dtype import *  # noqa: F403  the dtypes and the functions about them
from .dtype import _NullType  # noqa: F401
from .log import get_level, get_log_config
from .nn._cell.declared_inputs import enable_dynamic
from .tensor.parameter import Parameter, ParameterTuple
from .tensor.placeholder import Symbol
from .tensor.sparse import COOTensor, CSRTensor, RowTensor, SparseTensor
from .tensor.tensor import Tensor, tensor
from .version import __msgrad_version__, __version__

from_numpy = Tensor.from_numpy
is_tensor = ops.is_tensor

# Imported when first used.
_ON_DEMAND = _on_demand.OnDemand(
    __name__,
    _contents.NAMES
    | {
        "_compat.compiler.dumping": "set_dump",
        "_compat.compiler.executors": "ms_memory_recycle",
        "_compat.compiler.inline": "lazy_inline no_inline",
        "_compat.installation": "run_check",
        "_compat.compiler.jit_config": "JitConfig",
        "bridge": "from_jax to_jax",
        "profiler": "Profiler",
        "tensor.buffers": "frombuffer",
        "tensor.swapping": "swap_tensors",
    },
    "amp communication experimental func parallel profiler runtime train",
)
_TAKEN_OVER = {  # names of ``mindspore`` itself, by the part that they belong to
    "mindrecord":
        "Cifar100ToMR Cifar10ToMR CsvToMR FAILED FileReader FileWriter ImageNetToMR MindPage MnistToMR SUCCESS "
        "TFRecordToMR set_dec_mode set_enc_key set_enc_mode",
    "utils":
        "ExitByRequest MsDispatchMode RSCPluginHandle TFTCommValue comm_exec_order_check from_dlpack "
        "get_sdc_detect_result runtime_execution_order_check sdc_detect_start sdc_detect_stop stress_detect to_dlpack",
}  # fmt: skip
_NOT_LISTED = _on_demand.OnDemand(
    __name__,
    _TAKEN_OVER
    | {"ops": "constexpr reshard"}
    | {
        "tools.showing": "jaxpr",
        "train.callback.progress": "ProgressMonitor",
        "alias": "load_ipython_extension",
    },  # msgrad's own names
    "bridge dataset device_context mindrecord mint numpy scipy testing weights",
)

__all__ = [
    *dtype.__all__, *_ON_DEMAND.names,
    "__msgrad_version__", "__version__", "_Function", "_no_grad",
    "COMPATIBLE", "context", "COOTensor", "CSRTensor", "default_generator", "DeviceCtx",
    "dtype", "enable_dynamic", "from_numpy", "Generator",
    "get_auto_parallel_context", "get_context", "get_current_device", "get_grad", "get_level",
    "get_log_config", "get_offload_context", "get_ps_context", "get_rng_state", "get_seed", "grad", "GRAPH_MODE",
    "initial_seed", "is_tensor", "jacfwd", "jacrev", "jit", "jit_class", "jvp", "LAX",
    "log", "manual_seed", "ms_class", "ms_function", "mutable", "nn",
    "ops", "ParallelMode", "Parameter", "ParameterTuple",
    "PYNATIVE_MODE", "recompute", "register_saved_tensors_hooks",
    "reset_auto_parallel_context", "reset_offload_context", "reset_ps_context",
    "RowTensor", "saved_tensors_hooks", "seed", "set_auto_parallel_context",
    "set_context", "set_deterministic", "set_device", "set_offload_context", "set_ps_context",
    "set_recursion_limit", "set_rng_state", "set_seed", "SparseTensor", "STRICT", "Symbol", "Tensor",
    "tensor",
    "value_and_grad", "vjp", "vmap",
]  # fmt: skip


def __getattr__(name):
    if name in ("bool", "int", "float"):  # which would hide Python's own in this module
        return getattr(dtype, name)
    return (_ON_DEMAND if name in _ON_DEMAND.names else _NOT_LISTED).get(name)


__dir__ = _ON_DEMAND.dir

alias.attach(__name__)
_tracebacks.install()
