"""What the checkpoints in tests/golden/checkpoints hold, made with MindSpore or with msgrad (``ms``)."""

import numpy as np

DTYPES = (
    "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "float16", "float32", "float64", "bool_",
    "bfloat16",
)  # fmt: skip
KEY = b"0123456789ABCDEF"
MODES = ("AES-GCM", "AES-CBC", "SM4-CBC")


def files(ms):
    """``(file, save_obj, options)`` of each."""
    small = {"weight": _parameter(ms, [[1.5, -2.0, 3.25]]), "bias": _parameter(ms, [0.5])}
    yield "small.ckpt", small, {}
    yield "sealed.ckpt", small, {"crc_check": True}
    yield "appended.ckpt", small, {"append_dict": {"epoch": 3, "rate": 0.5, "best": True, "note": "ünïcode"}}
    yield "dtypes.ckpt", {name: _parameter(ms, [[1, 0, 1]], name) for name in DTYPES}, {}
    yield "shapes.ckpt", {"none": _parameter(ms, 2.5), "three": _parameter(ms, np.arange(6.0).reshape(1, 2, 3))}, {}
    yield "small.safetensors", small, {"format": "safetensors"}
    yield "sealed.safetensors", small, {"format": "safetensors", "crc_check": True}
    for mode in MODES:
        yield f"{mode}.ckpt", small, {"enc_key": KEY, "enc_mode": mode}


def _parameter(ms, values, dtype="float32"):
    return ms.Parameter(ms.Tensor(np.array(values), getattr(ms, dtype)))
