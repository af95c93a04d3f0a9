"""Unsupported names of ``mindspore.graph``: extension points of MindSpore's compiler."""

import sys

from ...ops.legacy.left_out import leave_out

_PASSES = (
    "it loads a compiled part into MindSpore's compiler, and here XLA compiles",
    "Write the rewritten computation with the operations of mindspore.ops.",
)
_INFERRED = (
    "it belongs to operations that MindSpore's compiler is told of",
    "Write the operation in JAX, and make it one on Tensors with msgrad.from_jax: its shapes follow.",
)
_LEFT_OUT = [
    ("CustomPassType(value, names=None, *, module=None, qualname=None, type=None, start=1, boundary=None)", _PASSES),
    ("clear_op_infer()", _INFERRED),
    ("clear_op_wrapper()", _INFERRED),
    ("register_custom_backend(backend_name, backend_path)", _PASSES),
    ("register_custom_pass(pass_name, plugin_so_path, device='all', pass_type=None)", _PASSES),
    ("register_op_infer(op_name, infer_name)", _INFERRED),
    ("register_op_wrapper(op_name)", _INFERRED),
]

__all__ = leave_out(sys.modules[__name__], "graph", _LEFT_OUT)
