"""Strategies of Primitives inside layers (``dense.matmul.shard(...)``), which layers otherwise compute without."""

from ... import ops
from ...engine.recording.sharding import Active
from ...ops._core.sharded import Sharded

_MSG = (
    "For '{}', msgrad computes without the attribute '{}', so that its strategy would have no effect on several "
    "devices: use Cell.shard, or msgrad.sharding.use with a table of names."
)


def computed(cell, args, kwargs, compute):
    """The result of a Cell whose inner Primitives a program has accessed, and so may have sharded.

    Where one has a strategy and there are several devices, the layer is computed by the Primitives, as MindSpore's is.

    Args:
        cell (Cell): with ``_inner_names``.
        args, kwargs (tuple, dict): its arguments.
        compute (function): computes it without them.
    Raises:
        NotImplementedError: for a strategy of a Primitive that the layer would have no use for.
    """
    home = next(each for each in type(cell).__mro__ if "construct" in vars(each))
    names = [name for name in cell._inner_names if isinstance(cell.__dict__.get(name), Sharded)]
    is_ours = home.__module__.startswith("msgrad.")  # what users write calls the Primitives itself
    if Active.partition is None or not names or not is_ours:
        return compute(cell, args, kwargs)
    kind = home.__name__
    if not set(names) <= set(_names_in(kind)) or (kind != "Dense" and len(args) != 1):
        raise NotImplementedError(_MSG.format(kind, names[0]))
    if kind == "Dense":
        return _dense(cell, *args, **kwargs)
    return Active.partition.computed(cell.__dict__[names[0]], lambda x: compute(cell, (x,), kwargs), args)


_ONE_INPUT = {  # layers that are one operation of one Tensor, and the Primitive that is that operation
    "CELU": "celu", "Dropout": "dropout", "ELU": "elu", "FastGelu": "fast_gelu", "GELU": "gelu", "HShrink": "hshrink",
    "HSigmoid": "hsigmoid", "HSwish": "hswish", "LogSoftmax": "log_softmax", "Mish": "mish", "ReLU": "relu",
    "ReLU6": "relu6", "SeLU": "selu", "Sigmoid": "sigmoid", "SoftShrink": "softshrink", "Softmax": "softmax",
    "Softsign": "softsign", "Tanh": "tanh",
}  # fmt: skip


def followed(cell):
    """The inner Primitives of a layer whose strategies it follows."""
    kind = type(cell)
    if not kind.__module__.startswith("msgrad."):
        return []
    return [getattr(cell, name) for name in _names_in(kind.__name__)]


def _names_in(kind):
    """The names of the inner Primitives whose strategies a layer of this class follows."""
    if kind == "Dense":
        return ["matmul", "bias_add"]
    return [_ONE_INPUT[kind]] if kind in _ONE_INPUT else []


def _dense(layer, x):
    """A `Dense` layer by MindSpore's Primitives, of which the product is one of matrices."""
    shape = x.shape
    y = layer.matmul(x if len(shape) == 2 else ops.reshape(x, (-1, shape[-1])), layer.weight)
    y = y if layer.bias is None else layer.bias_add(y, layer.bias)
    y = y if layer.activation is None else layer.activation(y)
    return y if len(shape) == 2 else ops.reshape(y, (*shape[:-1], layer.out_channels))
