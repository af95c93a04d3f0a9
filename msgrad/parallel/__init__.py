"""``mindspore.parallel``: what of it one device can answer."""

from .algo_parameter_config import get_algo_parameters, reset_algo_parameters, set_algo_parameters
from .layout import Layout, shard

__all__ = ["Layout", "get_algo_parameters", "reset_algo_parameters", "set_algo_parameters", "shard"]
