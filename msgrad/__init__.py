"""msgrad: unmodified MindSpore programs on JAX. The names here are those of ``mindspore``."""

from . import alias, context, dtype, func, log, nn, ops, train
from .autodiff import Function as _Function
from .autodiff import (
    _no_grad,
    get_grad,
    grad,
    jacfwd,
    jacrev,
    jvp,
    recompute,
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
    get_ps_context,
    reset_auto_parallel_context,
    reset_ps_context,
    set_auto_parallel_context,
    set_context,
    set_ps_context,
    set_recursion_limit,
)
from .device import get_current_device, set_deterministic, set_device
from .dtype import *  # noqa: F403  the dtypes and the functions about them
from .jit import jit, jit_class, ms_function
from .log import get_level, get_log_config
from .seed import (
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
from .tensor.parameter import Parameter, ParameterTuple
from .tensor.tensor import Tensor, tensor
from .train import load_param_into_net
from .version import __msgrad_version__, __version__

__all__ = [
    *dtype.__all__, "__msgrad_version__", "__version__", "_Function", "_no_grad", "COMPATIBLE", "context",
    "default_generator", "dtype", "from_numpy", "func", "Generator", "get_auto_parallel_context", "get_context",
    "get_current_device", "get_grad", "get_level", "get_log_config", "get_ps_context", "get_rng_state", "get_seed",
    "grad", "GRAPH_MODE", "initial_seed", "jacfwd", "jacrev", "jit", "jit_class", "jvp", "LAX",
    "load_param_into_net", "log", "manual_seed", "ms_function", "mutable", "nn", "ops", "ParallelMode", "Parameter",
    "ParameterTuple", "PYNATIVE_MODE", "recompute", "reset_auto_parallel_context", "reset_ps_context",
    "saved_tensors_hooks", "seed",
    "set_auto_parallel_context", "set_context", "set_deterministic", "set_device", "set_ps_context",
    "set_recursion_limit", "set_rng_state", "set_seed", "STRICT", "Tensor", "tensor", "train", "value_and_grad",
    "vjp", "vmap",
]  # fmt: skip

from_numpy = Tensor.from_numpy


def __getattr__(name):
    if name in ("bool", "int", "float"):  # which would hide Python's own in this module
        return getattr(dtype, name)
    raise AttributeError(f"module 'mindspore' has no attribute '{name}'")


alias.attach()
