"""MindSpore's operations: functions, Primitive classes, and functions over nested containers.

Each operation is defined once, in the file of its family; `define` derives its other faces and registers them by name.
A file is imported when one of its names is first used, here or as a method of Tensor; `_names.contents` maps names to
files. The functions of ``mindspore.ops`` for automatic differentiation are imported from ``msgrad.autodiff``.
"""

import importlib
import sys

from .._names import contents as _contents
from .._names import on_demand as _on_demand
from .._semantics.replaced_functions import ReplaceableModule
from ..tensor.tensor import Tensor  # noqa: F401  programs take it from here, as from MindSpore's file
from ._core.calls.registry import get_vm_impl_fn, vm_impl_registry
from ._core.faces import FUNCTIONS, PRIMITIVES
from ._core.primitive import Primitive, PrimitiveWithCheck, PrimitiveWithInfer, prim_arg_register, prim_attr_register
from .control.composite import HyperMap, Map, MultitypeFuncGraph, is_tensor, partial
from .control.custom_info import CustomRegOp, DataType, custom_info_register
from .legacy.left_out import NAMES as _LEFT_OUT

globals().update(vars(_LEFT_OUT))

_ELSEWHERE = _on_demand.OnDemand(
    __name__,
    {
        ".autodiff":
            "GradOperation HookBackward InsertGradientOf _Grad _Vmap derivative get_grad grad jacfwd jacrev jet jvp "
            "linearize value_and_grad vjp vmap",
        "._common.compiling": "constexpr",
        "._compat.common.registers": "tensor_operator_registry",
        "._compat.compiler.decorators": "add_flags",
        "collective.collective": "ReduceOp",
        ".parallel.sharding": "reshard",
        "collective.point_to_point": "P2POp",
    },
)  # fmt: skip

__all__ = [
    "CustomRegOp", "DataType", "HyperMap", "Map", "MultitypeFuncGraph", "Primitive", "PrimitiveWithCheck",
    "PrimitiveWithInfer", "custom_info_register",
    "get_vm_impl_fn", "is_tensor", "partial", "prim_arg_register", "prim_attr_register", "vm_impl_registry",
    *_ELSEWHERE.names, *sorted(vars(_LEFT_OUT)),
    *sorted(name for name in (*FUNCTIONS, *PRIMITIVES) if name[0] != "_"),
]  # fmt: skip


def __getattr__(name):
    for table in FUNCTIONS, PRIMITIVES:
        if name in table:
            globals()[name] = table[name]
            return table[name]
    return _ELSEWHERE.get(name)


def __dir__():
    return sorted({*globals(), *__all__})


def import_all():
    """Imports the files of all operations, for code that needs every face at once."""
    for file in {**_contents.FUNCTIONS, **_contents.PRIMITIVES, **_contents.METHODS}:
        importlib.import_module(f"msgrad.ops.{file}")


sys.modules[__name__].__class__ = ReplaceableModule
