"""Expressions whose value, or error, is compared with MindSpore's: `CASES` by table, and the names they may use."""

import numpy as np

from . import (
    arrays,
    collectives,
    contracts,
    gathering,
    gradients,
    indexing,
    inner,
    keywords,
    limits,
    matrices,
    products,
    sparse,
    tensors,
    transforms,
    updates,
)

CASES = {
    "reads": indexing.READS,
    "writes": indexing.WRITES,
    "joining": arrays.JOINING,
    "creation": arrays.CREATION,
    "shapes": arrays.SHAPES,
    "gathering": gathering.GATHERING,
    "products": products.PRODUCTS,
    "construction": tensors.CONSTRUCTION,
    "conversion": tensors.CONVERSION,
    "views": tensors.VIEWS,
    "windows": contracts.WINDOWS,
    "axes": contracts.AXES,
    "lengths": contracts.LENGTHS,
    "dtypes": contracts.DTYPES,
    "operators": contracts.OPERATORS,
    "values": contracts.VALUES,
    "settings": contracts.SETTINGS,
    "accepted_settings": contracts.ACCEPTED,
    "collectives": collectives.COLLECTIVES,
    "gradients": gradients.GRADIENTS,
    "inner": inner.INNER,
    "sparse": sparse.SPARSE,
    "transforms": transforms.TRANSFORMS,
    "matrices": matrices.MATRICES,
    "keywords": keywords.KEYWORDS,
    "updates": updates.UPDATES,
    "limits": limits.LIMITS,
}


def namespace(ms):
    """The names that expressions may use, over a ``mindspore`` module."""

    def put(x, index, value):
        x[index] = value
        return x

    def numbers(dtype):
        return lambda *shape: ms.Tensor(np.arange(np.prod(shape)).reshape(shape).astype(dtype))

    return {
        "ms": ms,
        "G": ms.ops.operations._grad_ops,
        "I": ms.ops.operations._inner_ops,
        "A": ms.ops.auto_generate,
        "P": ms.ops.operations,
        "np": np,
        "ops": ms.ops,
        "nn": ms.nn,
        "mint": ms.mint,
        "mnp": ms.numpy,
        "T": ms.Tensor,
        "f": numbers(np.float32),
        "n": numbers(np.int64),
        "weights": lambda: [ms.Parameter(ms.Tensor([1.0]), name="w")],
        "made": lambda value: True,
        "V": ms.dataset.vision,
        "i": lambda *values: ms.Tensor(np.array(values)),
        "put": put,
    }


def outcome(expression, names):
    """What ``expression`` gives, for JSON: dtype, shape and data of Tensors, text of others, or the error's name."""
    try:
        return {"value": _encoded(eval(expression, dict(names)))}
    except Exception as error:
        return {"raises": type(error).__name__}


def _encoded(value):
    if isinstance(value, (tuple, list)):
        return [_encoded(item) for item in value]
    if hasattr(value, "asnumpy"):
        array = value.asnumpy()
        data = [str(each) for each in array.ravel()]
        return {"dtype": str(array.dtype), "shape": list(array.shape), "data": data}
    return str(value)
