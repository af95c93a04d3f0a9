"""Settings of MindSpore's strategy search: stored, and without effect, since no strategy is searched for."""

from .._contracts import check
from .._contracts.settings import Setting


def _check_slice_size(value, name, owner):
    return check.in_range(value, 1, 1024, name, owner)


_SETTINGS = {
    "algo_approxi_epsilon": Setting(0.1, float),
    "elementwise_op_strategy_follow": Setting(False, bool),
    "enable_algo_approxi": Setting(False, bool),
    "fully_use_devices": Setting(False, bool),
    "tensor_slice_align_enable": Setting(False, bool),
    "tensor_slice_align_size": Setting(16, int, rule=_check_slice_size),
}
_set = {}


def set_algo_parameters(**kwargs):
    """Sets parameters of MindSpore's strategy search; without effect.

    Args:
        fully_use_devices, elementwise_op_strategy_follow, enable_algo_approxi, tensor_slice_align_enable (bool),
        tensor_slice_align_size (int), algo_approxi_epsilon (float): checked and stored for `get_algo_parameters`.
    Raises:
        ValueError: if a name is not known, or a value out of range.  TypeError: if a value has another type.
    Source: mindspore.set_algo_parameters
    """
    for name in kwargs:
        _check_name(name)
    _set.update({name: _SETTINGS[name].checked(name, value, "set_algo_parameters") for name, value in kwargs.items()})


def get_algo_parameters(attr_key):
    """The value of a setting of `set_algo_parameters`.  Source: mindspore.get_algo_parameters"""
    _check_name(attr_key)
    return _set.get(attr_key, _SETTINGS[attr_key].default)


def reset_algo_parameters():
    """Resets every setting of `set_algo_parameters`.  Source: mindspore.reset_algo_parameters"""
    _set.clear()


def _check_name(name):
    if name not in _SETTINGS:
        raise ValueError(f"For 'algo_parameters', there is no '{name}', but {', '.join(_SETTINGS)}.")
