"""Writes to Parameters with values of other dtypes."""

_DTYPES = ("float16", "float32", "float64", "int8", "int32", "int64", "uint8", "bool_")
_CALLS = (
    "ops.assign({},{})",
    "ops.assign_add({},{})",
    "ops.scatter_update({},T([0,1],ms.int32),{})",
    "ops.scatter_add({},T([0,1],ms.int32),{})",
    "ops.scatter_nd_update({},T([[0],[1]],ms.int32),{})",
    "ops.index_add({},T([0,1],ms.int32),{},0)",
)

UPDATES = [
    call.format(f"ms.Parameter(T([3,4],ms.{of}),name='p')", f"T([1,2],ms.{by})")
    for call in _CALLS
    for of in ("float16", "float32", "int32")
    for by in _DTYPES
]
