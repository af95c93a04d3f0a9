"""A training step of a network in mixed precision."""

from typing import Any

from .. import nn
from ..engine import dtypes
from ..engine.refusal import refuse, require
from .loss_scale_manager import DynamicLossScaleManager, LossScaleManager
from .mixed_precision import AMP_BLACK_LIST, auto_mixed_precision, cast_floats, keep_in_float32

# What a level means: whether normalisation stays in float32, the dtype of the rest, and the loss scale.
LEVELS = {
    "O0": (False, dtypes.float32, None),
    "O1": (False, dtypes.float32, None),
    "O2": (True, dtypes.float16, DynamicLossScaleManager),
    "O3": (False, dtypes.float16, None),
    "auto": (False, dtypes.float32, None),
}
OPTIONS = ("keep_batchnorm_fp32", "cast_model_type", "loss_scale_manager")


def build_train_network(network, optimizer, loss_fn=None, level="O0", boost_level="O0", **kwargs):
    """A Cell that runs a training step of a network.

    Args:
        network (Cell): the network; it is changed.
        optimizer (Optimizer): of its Parameters.
        loss_fn (Cell): takes its output and the label; None: the output is the loss. Default: ``None``.
        level (str): as for `auto_mixed_precision`; ``'O2'`` scales the loss dynamically. Default: ``'O0'``.
        boost_level (str): ``'O0'``; MindSpore's others are not supported. Default: ``'O0'``.
        cast_model_type (mindspore.dtype): ``float16`` or ``float32``, instead of the level's.
        keep_batchnorm_fp32 (bool): whether normalisation stays in float32, instead of the level's.
        loss_scale_manager (LossScaleManager | None): instead of the level's.
    Returns:
        Cell, in training mode; it takes the network's inputs (and the label) and returns the loss, or the results of
        `TrainOneStepWithLossScaleCell` if overflows skip steps.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> step = amp.build_train_network(net, optimizer, nn.MSELoss(), level="O3")
        >>> loss = step(x, y)
    Source: mindspore.amp.build_train_network
    """
    owner = "build_train_network"
    require(optimizer, nn.Optimizer, owner, "optimizer")
    require(level, str, owner, "level")
    if level not in LEVELS:
        refuse(ValueError, owner, "level", f"one of {tuple(LEVELS)}", level)
    if boost_level != "O0":
        refuse(ValueError, owner, "boost_level", "'O0'", boost_level)
    keeps, dtype, manager = _options(level, kwargs)
    network = _lowered(network, level, keeps, dtype)
    if loss_fn is not None:
        network = with_loss(network, loss_fn, dtype)
    scale = None
    if manager is not None:
        scale = manager.get_loss_scale()
        update = manager.get_update_cell()
        if update is not None:
            return nn.TrainOneStepWithLossScaleCell(network, optimizer, scale_sense=update).set_train()
    return nn.TrainOneStepCell(network, optimizer, scale).set_train()


def with_loss(network, loss_fn, dtype):
    """A Cell that returns the loss of a network that was cast to ``dtype``; for half precision, computed in float32."""
    require(loss_fn, nn.Cell, "build_train_network", "loss_fn")
    is_low = dtype in (dtypes.float16, dtypes.bfloat16)
    is_low = is_low or getattr(network, "_amp_level", "O0") in ("O2", "O3", "auto")
    return (_WithLossIn32 if is_low else nn.WithLossCell)(network, loss_fn)


def _options(level, options):
    for name in options:
        if name not in OPTIONS:
            refuse(ValueError, "build_train_network", "kwargs", f"out of {OPTIONS}", name)
    keeps, dtype, make_manager = LEVELS[level]
    keeps = require(options.get("keep_batchnorm_fp32", keeps), bool, "build_train_network", "keep_batchnorm_fp32")
    dtype = options.get("cast_model_type", dtype)
    if dtype not in (dtypes.float16, dtypes.float32):
        refuse(TypeError, "build_train_network", "cast_model_type", "float16 or float32", dtype)
    if "loss_scale_manager" not in options:
        return keeps, dtype, make_manager and make_manager()
    manager = options["loss_scale_manager"]
    if manager is not None:
        require(manager, LossScaleManager, "build_train_network", "loss_scale_manager")
    return keeps, dtype, manager


def _lowered(network, level, keeps, dtype) -> Any:
    if dtype == dtypes.float16:
        network.to_float(dtypes.float16)
        return keep_in_float32(network, tuple(AMP_BLACK_LIST), dtypes.float16) if keeps else network
    if level == "O2" and not keeps:
        return network.to_float(dtypes.float16)
    return network if level in ("O2", "O3") else auto_mixed_precision(network, level)


class _WithLossIn32(nn.Cell):
    """The loss of a network, computed from its output in float32."""

    def __init__(self, backbone, loss_fn):
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data, label):
        """The loss."""
        output = cast_floats(self._backbone(data), dtypes.float32)
        return self._loss_fn(output, cast_floats(label, dtypes.float32))
