"""Automatic differentiation: short adapters from MindSpore's interfaces to JAX's transformations."""

from . import hooks  # noqa: F401  gives Tensor its register_hook
from .batching import vmap
from .forward import Jvp, jvp, linearize
from .function import Function, HookBackward, InsertGradientOf, recompute
from .generators import _Grad, _Vmap
from .gradients import GradOperation, get_grad, grad, value_and_grad
from .jacobian import jacfwd, jacrev
from .no_grad import _no_grad
from .reverse import Vjp, vjp
from .saved import register_saved_tensors_hooks, saved_tensors_hooks
from .taylor import derivative, jet

__all__ = [
    "Function",
    "GradOperation",
    "HookBackward",
    "InsertGradientOf",
    "Jvp",
    "Vjp",
    "_Grad",
    "_Vmap",
    "_no_grad",
    "derivative",
    "get_grad",
    "grad",
    "jacfwd",
    "jacrev",
    "jet",
    "jvp",
    "linearize",
    "recompute",
    "register_saved_tensors_hooks",
    "saved_tensors_hooks",
    "value_and_grad",
    "vjp",
    "vmap",
]
