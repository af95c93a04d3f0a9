"""Primitives that MindSpore's layers have as attributes, and that programs access.

Libraries for clusters shard them (``self.dropout.dropout.shard(...)``), and subclasses of `LossBase` call its ``mul``
and ``reduce_mean``. msgrad's layers call operations instead, so such an attribute is created when it is first read:
the Primitive with the layer's arguments. Its strategies count on several devices (`inner_strategies`); replacing it
does not change the layer. Lists of Parameters of optimizers are made likewise.
"""

from ... import ops

_LOSS = {
    "cast": lambda _: ops.Cast(),
    "mul": lambda _: ops.Mul(),
    "reduce_mean": lambda _: ops.ReduceMean(),
    "reduce_sum": lambda _: ops.ReduceSum(),
}
_SHAPED = {"reshape": lambda _: ops.Reshape(), "shape": lambda _: ops.Shape()}
_LINE = {"expand_dims": lambda _: ops.ExpandDims(), "shape": lambda _: ops.Shape(), "squeeze": lambda _: ops.Squeeze(2)}
_NORM = {
    "bn_infer": lambda layer: ops.BatchNorm(False, layer.eps, 0.1, layer.format),
    "bn_train": lambda layer: ops.BatchNorm(True, layer.eps, layer.momentum, layer.format),
    **_SHAPED,
}


def _rates(optimizer):
    """The learning rate of each Parameter of an optimizer with groups (list of Parameters or schedules), or None."""
    if not optimizer.is_group:
        return None
    return (
        list(optimizer.learning_rate)
        if optimizer.is_group_lr
        else [optimizer.learning_rate] * len(optimizer.parameters)
    )


# By class name (subclasses included): each attribute, and the function that makes it from the layer.
_OF = {
    "Cell": {"cast": lambda _: ops.Cast()},  # of 1.x and 2.0, for every Cell
    "LossBase": _LOSS,
    "CELU": {"celu": lambda layer: ops.CeLU(layer.alpha)},
    "ELU": {"elu": lambda layer: ops.Elu(layer.alpha)},
    "FastGelu": {"fast_gelu": lambda _: ops.FastGeLU()},
    "GELU": {"gelu": lambda _: ops.GeLU()},
    "HShrink": {"hshrink": lambda layer: ops.HShrink(layer.lambd)},
    "HSigmoid": {"hsigmoid": lambda _: ops.HSigmoid()},
    "HSwish": {"hswish": lambda _: ops.HSwish()},
    "LogSigmoid": {
        "add": lambda _: ops.Add(), "exp": lambda _: ops.Exp(), "log": lambda _: ops.Log(),
        "mul": lambda _: ops.Mul(), "rec": lambda _: ops.Reciprocal(),
    },
    "LogSoftmax": {"log_softmax": lambda layer: ops.LogSoftmax(layer.axis)},
    "Mish": {"mish": lambda _: ops.Mish()},
    "PReLU": {"prelu": lambda _: ops.PReLU()},
    "ReLU": {"relu": lambda _: ops.ReLU()},
    "ReLU6": {"relu6": lambda _: ops.ReLU6()},
    "SeLU": {"selu": lambda _: ops.SeLU()},
    "Sigmoid": {"sigmoid": lambda _: ops.Sigmoid()},
    "SoftShrink": {"softshrink": lambda layer: ops.SoftShrink(layer.lambd)},
    "Softmax": {"softmax": lambda layer: ops.Softmax(layer.axis)},
    "Softmax2d": {"softmax": lambda _: ops.Softmax(-3), "shape": lambda _: ops.Shape()},
    "Softsign": {"softsign": lambda _: ops.Softsign()},
    "Tanh": {"tanh": lambda _: ops.Tanh()},
    "Dense": {
        "bias_add": lambda _: ops.BiasAdd(), "matmul": lambda _: ops.MatMul(False, True),
        "reshape": lambda _: ops.Reshape(), "shape_op": lambda _: ops.Shape(),
    },
    "Dropout": {"dropout": lambda layer: ops.Dropout(layer.keep_prob if layer.p is None else 1 - layer.p)},
    "Embedding": {
        "array_mul": lambda _: ops.MatMul(), "expand": lambda _: ops.ExpandDims(), "gather": lambda _: ops.Gather(),
        "get_shp": lambda _: ops.Shape(), "one_hot": lambda _: ops.OneHot(), "reshape": lambda _: ops.Reshape(),
        "reshape_flat": lambda _: ops.Reshape(),
    },
    "Conv1d": _LINE,
    "Conv1dTranspose": _LINE,
    "OneHot": {"onehot": lambda layer: ops.OneHot(layer.axis)},
    "BatchNorm1d": _NORM,
    "BatchNorm2d": _NORM,
    "SyncBatchNorm": _NORM,
    "Optimizer": {
        "group_params": lambda optimizer: list(optimizer.parameters) if optimizer.is_group else None,
        "group_lr": _rates,
        "group_weight_decay": lambda optimizer: list(optimizer._decays_) if optimizer.is_group else None,
        "group_grad_centralization": lambda optimizer: list(optimizer._centralized_) if optimizer.is_group else None,
        "grad_centralization_flags": lambda optimizer: optimizer._centralized_ if optimizer.is_group else None,
    },
    "Norm": {
        "reduce_sum": lambda _: ops.ReduceSum(True), "sqrt": lambda _: ops.Sqrt(),
        "squeeze": lambda layer: ops.Squeeze(layer.axis),
    },
}  # fmt: skip

_NAMES = frozenset(name for row in _OF.values() for name in row)


def inner_primitive(cell, name):
    """The Primitive that MindSpore's layer has as attribute ``name``; it is stored in ``cell``.

    Args:
        cell (Cell): the layer.
        name (str): of the attribute.
    Returns:
        Primitive; None if the layer has none there.
    """
    if name not in _NAMES or "_params" not in cell.__dict__:
        return None
    for kind in type(cell).__mro__:
        primitive = _OF.get(kind.__name__, {}).get(name) if kind.__module__.startswith("msgrad.") else None
        if primitive is not None:
            made = primitive(cell)
            if made is None:
                return None
            cell.__dict__[name] = made
            cell.__dict__["_inner_names_"] = (*cell._inner_names_, name)
            cell._refresh_fast_path_()
            return cell.__dict__[name]
    return None
