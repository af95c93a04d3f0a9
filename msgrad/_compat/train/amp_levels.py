"""Parts of `amp.build_train_network`, which copies of MindSpore's ``Model`` import.  (``train.amp``)"""

from ...amp.build import LEVELS, OPTIONS, with_loss
from ...amp.mixed_precision import AMP_BLACK_LIST, keep_in_float32
from ...engine import dtypes


def _config_of(keeps, dtype, make_manager):
    return dict(zip(OPTIONS, (keeps, dtype, make_manager and make_manager()), strict=True))


_config_level = {level: _config_of(*means) for level, means in LEVELS.items()}


def _add_loss_network(network, loss_fn, cast_model_type):
    """A Cell that returns the loss of a network.

    Args:
        network (Cell): what was cast to ``cast_model_type``.
        loss_fn (Cell): takes its output and the label.
        cast_model_type (mindspore.dtype): float16 and bfloat16 losses are taken in float32.
    Returns:
        Cell.
    Source: mindspore.train.amp._add_loss_network
    """
    return with_loss(network, loss_fn, cast_model_type)


def _do_keep_batchnorm_fp32(network):
    """Casts the normalisation layers of a float16 network back to float32.

    Args:
        network (Cell): it is changed.
    Source: mindspore.train.amp._do_keep_batchnorm_fp32
    """
    keep_in_float32(network, tuple(AMP_BLACK_LIST), dtypes.float16)
