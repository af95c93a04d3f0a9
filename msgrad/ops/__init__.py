"""MindSpore's operations: functions, Primitive classes, and functions over nests.

Each is defined once, in the file of its family; `define` derives the other faces and keeps them by name. What
``mindspore.ops`` holds of automatic differentiation lives above, in ``msgrad.autodiff``, and is looked up there when it
is asked for.
"""

import importlib

from ..tensor.tensor import Tensor  # noqa: F401  programs take it from here, as from MindSpore's file
from . import (  # noqa: F401  each registers its operations
    activation,
    adaptive_pooling,
    arithmetic,
    array,
    assigning,
    attention,
    attention_parts,
    axes,
    batch_steps,
    bessel,
    blocks,
    borders,
    boxes,
    callables,
    casting,
    choosing,
    classification,
    clipping,
    collective,
    colour,
    complexes,
    control,
    convolution,
    coo,
    counting,
    creation,
    csr,
    ctc,
    custom,
    debug,
    deformable,
    diagonal_bands,
    diagonals,
    differences,
    distances,
    division,
    dropping,
    dtype_numbers,
    elementwise,
    embeddings,
    experts,
    extreme,
    factors,
    float_status,
    former,
    fourier,
    fractional_pooling,
    gathering,
    glimpses,
    gradient,
    gradient_primitives,
    image_windows,
    index_write,
    inplace,
    inplace_functions,
    instances,
    joining,
    language,
    lars,
    layouts,
    left_out,
    linalg,
    logic,
    loss,
    margins,
    normalization,
    operators,
    optimization,
    optimizer_steps,
    overflow,
    passing,
    patches,
    pool_functions,
    pooling,
    process_group,
    products,
    quantiles,
    ragged,
    random,
    random_methods,
    random_pooling,
    random_primitives,
    rearrange,
    recurrent,
    recurrent_layers,
    reduction,
    resize,
    samplers,
    sampling,
    scaled_sums,
    scan,
    scatter_write,
    scattering,
    search,
    segments,
    selection,
    sequence_primitives,
    sequences,
    signal_windows,
    slopes,
    softmaxes,
    solving,
    sorting,
    sparse,
    sparse_parts,
    sparse_steps,
    sparse_values,
    special,
    splitting,
    statistics,
    storage,
    summaries,
    suppression,
    transducer,
    transposed_convolution,
    unpooling,
)
from .collective import ReduceOp
from .composite import HyperMap, Map, MultitypeFuncGraph, is_tensor, partial
from .custom_info import CustomRegOp, DataType, custom_info_register
from .faces import FUNCTIONS, OPS, PRIMITIVES
from .primitive import Primitive, PrimitiveWithCheck, PrimitiveWithInfer, prim_arg_register, prim_attr_register
from .registry import get_vm_impl_fn, vm_impl_registry

globals().update(OPS.public() | {name: face for name, face in PRIMITIVES.items() if name[0] != "_"})
globals().update(vars(left_out.NAMES))
_ones_like_for_grad = FUNCTIONS["_ones_like_for_grad"]

_ABOVE = {
    **dict.fromkeys(
        ["GradOperation", "HookBackward", "InsertGradientOf", "_Grad", "_Vmap", "derivative", "get_grad", "grad",
         "jacfwd", "jacrev", "jet", "jvp", "linearize", "value_and_grad", "vjp", "vmap"],
        "autodiff",
    ),
    "constexpr": "compiling",
    "add_flags": "_names.decorators",
    "tensor_operator_registry": "_names.registers",
}  # fmt: skip

__all__ = [
    "CustomRegOp", "DataType", "HyperMap", "Map", "MultitypeFuncGraph", "Primitive", "PrimitiveWithCheck",
    "PrimitiveWithInfer", "ReduceOp", "custom_info_register",
    "get_vm_impl_fn", "is_tensor", "partial", "prim_arg_register", "prim_attr_register", "vm_impl_registry",
    *sorted(_ABOVE), *sorted(vars(left_out.NAMES)),
    *sorted(name for name in (*FUNCTIONS, *PRIMITIVES) if name[0] != "_"),
]  # fmt: skip


def __getattr__(name):
    if name in _ABOVE:
        return getattr(importlib.import_module(f"msgrad.{_ABOVE[name]}"), name)
    raise AttributeError(f"module 'msgrad.ops' has no attribute '{name}'")
