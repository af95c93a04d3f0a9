"""MindSpore's operations: functions, Primitive classes, and functions over nests.

Each is defined once, in the file of its family; `define` derives the other faces and keeps them by name. What
``mindspore.ops`` holds of automatic differentiation lives above, in ``msgrad.autodiff``, and is looked up there when it
is asked for.
"""

import importlib
import sys
import types

from ..tensor.tensor import Tensor  # noqa: F401  programs take it from here, as from MindSpore's file
from . import array, collective, control, image, index, legacy, linalg, loss, math, nn, optim, random, recurrent, sparse  # noqa: F401  each registers its operations
from ._core.faces import FUNCTIONS, OPS, PRIMITIVES
from ._core.primitive import Primitive, PrimitiveWithCheck, PrimitiveWithInfer, prim_arg_register, prim_attr_register
from ._core.registry import get_vm_impl_fn, vm_impl_registry
from .collective.collective import ReduceOp
from .collective.point_to_point import P2POp
from .control.composite import HyperMap, Map, MultitypeFuncGraph, is_tensor, partial
from .control.custom_info import CustomRegOp, DataType, custom_info_register

globals().update(OPS.public() | {name: face for name, face in PRIMITIVES.items() if name[0] != "_"})
globals().update(vars(legacy.left_out.NAMES))
_ones_like_for_grad = FUNCTIONS["_ones_like_for_grad"]

_ABOVE = {
    **dict.fromkeys(
        ["GradOperation", "HookBackward", "InsertGradientOf", "_Grad", "_Vmap", "derivative", "get_grad", "grad",
         "jacfwd", "jacrev", "jet", "jvp", "linearize", "value_and_grad", "vjp", "vmap"],
        "autodiff",
    ),
    "constexpr": "compiling",
    "add_flags": "_compat.compiler.decorators",
    "tensor_operator_registry": "_compat.common.registers",
}  # fmt: skip

__all__ = [
    "CustomRegOp", "DataType", "HyperMap", "Map", "MultitypeFuncGraph", "P2POp", "Primitive", "PrimitiveWithCheck",
    "PrimitiveWithInfer", "ReduceOp", "custom_info_register",
    "get_vm_impl_fn", "is_tensor", "partial", "prim_arg_register", "prim_attr_register", "vm_impl_registry",
    *sorted(_ABOVE), *sorted(vars(legacy.left_out.NAMES)),
    *sorted(name for name in (*FUNCTIONS, *PRIMITIVES) if name[0] != "_"),
]  # fmt: skip


def __getattr__(name):
    if name in _ABOVE:
        return getattr(importlib.import_module(f"msgrad.{_ABOVE[name]}"), name)
    raise AttributeError(f"module 'msgrad.ops' has no attribute '{name}'")


class _Operations(types.ModuleType):
    """This module: programs may replace a function of it, as they may in MindSpore.

    The modules that take functions from here as they find them are loaded before, for they need those that are ours.
    """

    def __setattr__(self, name, value):
        if name in __all__ and not self.__dict__.get("_is_changed"):
            self.__dict__["_is_changed"] = True
            for dialect in ("mint", "numpy", "scipy"):
                importlib.import_module(f"msgrad.{dialect}")
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Operations
