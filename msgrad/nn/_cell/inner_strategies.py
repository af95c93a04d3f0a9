"""Strategies of Primitives inside layers (``dense.matmul.shard(...)``), which layers otherwise compute without."""

from ... import ops
from ...engine.recording.sharding import Active
from ...ops._core.calls.sharded import Sharded

_MSG = (
    "For '{}', msgrad computes without the attribute '{}', so that its strategy would have no effect on several "
    "devices: use Cell.shard, or msgrad.sharding.use with a table of names."
)


def computed(cell, args, kwargs, compute):
    """The result of a Cell whose inner Primitives a program has accessed, and so may have sharded.

    Where one has a strategy and there are several devices, the layer is computed by the Primitives, as MindSpore's is.

    Args:
        cell (Cell): with ``_inner_names_``.
        args, kwargs (tuple, dict): its arguments.
        compute (function): computes it without them.
    Raises:
        NotImplementedError: for a strategy of a Primitive that the layer would have no use for.
    """
    home = _home(cell)
    names = [name for name in cell._inner_names_ if isinstance(cell.__dict__.get(name), Sharded)]
    is_ours = home.__module__.startswith("msgrad.")  # what users write calls the Primitives itself
    if Active.partition is None or not names or not is_ours:
        return compute(cell, args, kwargs)
    kind = home.__name__
    layer = _LAYERS.get(kind, _one_input)
    if not set(names) <= set(_names_in(kind)) or (layer is not _dense and len(args) != 1):
        raise NotImplementedError(_MSG.format(kind, names[0]))
    return layer(cell, args, kwargs, compute)


def _home(cell):
    """The class with the ``construct`` of a Cell."""
    return next(each for each in type(cell).__mro__ if "construct" in vars(each))


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
    return _NAMES.get(kind) or ([_ONE_INPUT[kind]] if kind in _ONE_INPUT else [])


def _one_input(layer, args, kwargs, compute):
    """A layer that is one operation."""
    primitive = layer.__dict__[_ONE_INPUT[_home(layer).__name__]]
    return Active.partition.computed(primitive, lambda x: compute(layer, (x,), kwargs), args)


def _dense(layer, args, kwargs, compute):
    """A `Dense` layer by MindSpore's Primitives, of which the product is one of matrices."""
    (x,) = (*args, *kwargs.values())
    shape = x.shape
    y = layer.matmul(x if len(shape) == 2 else ops.reshape(x, (-1, shape[-1])), layer.weight)
    y = y if layer.bias is None else layer.bias_add(y, layer.bias)
    y = y if layer.activation is None else layer.activation(y)
    return y if len(shape) == 2 else ops.reshape(y, (*shape[:-1], layer.out_channels))


def _embedding(layer, args, kwargs, compute):
    """An `Embedding` by MindSpore's Primitive, which gathers rows by one axis of indices."""
    if layer.use_one_hot:
        raise NotImplementedError(_MSG.format("Embedding", "gather"))
    (ids,) = args
    rows = layer.gather(layer.embedding_table, ops.reshape(ids, (-1,)), 0)
    return ops.reshape(rows, (*ids.shape, layer.embedding_size))


def _batch_norm(layer, args, kwargs, compute):
    """A batch normalization, of which the Primitive of this mode shards the input and the Parameters."""
    by_batch = layer.training if layer.use_batch_statistics is None else layer.use_batch_statistics
    primitive = layer.__dict__.get("bn_train" if by_batch else "bn_infer")
    if not isinstance(primitive, Sharded):
        return compute(layer, args, kwargs)
    parameters = layer.gamma, layer.beta, layer.moving_mean, layer.moving_variance
    return Active.partition.computed(primitive, lambda x, *_: compute(layer, (x,), kwargs), (*args, *parameters))


# Layers of several operations or with Parameters, by the class that has their ``construct``.
_LAYERS = {"Dense": _dense, "Embedding": _embedding, "_BatchNorm": _batch_norm}
_NAMES = {"Dense": ["matmul", "bias_add"], "Embedding": ["gather"], "_BatchNorm": ["bn_train", "bn_infer"]}
