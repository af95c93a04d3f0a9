"""``ParamInfo``: MindSpore's metadata of a Parameter."""

from typing import Any

_DEFAULTS = {
    "name": "Parameter",
    "key": -1,
    "requires_grad": True,
    "requires_aggr": True,
    "layerwise_parallel": False,
    "parallel_optimizer": True,
    "parallel_optimizer_comm_recompute": False,
    "comm_fusion": 1,
    "cache_enable": False,
    "cache_shape": [],
    "param_strategy": [],
    "parameter_shape": [],
    "storage_format": "",
    "alias_name": [],
    "device_matrix": [],
    "tensor_map": [],
    "interleaved_parallel": False,
    "is_param_init": False,
    "is_pipeline_shared_param": False,
    "use_persistent_storage": False,
}


class ParamInfo:
    """Plain attributes with MindSpore's defaults."""

    parameter: Any

    def __init__(self):
        for name, value in _DEFAULTS.items():
            vars(self)[name] = list(value) if isinstance(value, list) else value

    def clone(self):
        """A copy with the same attributes."""
        other = ParamInfo()
        for name in _DEFAULTS:
            setattr(other, name, getattr(self, name))
        return other


def has_parameter_info(tensor):
    """Whether a Tensor is a Parameter, or has a `ParamInfo`, as Parameters of some libraries do."""
    return tensor.param_info is not None


class _Shared:
    """An attribute stored in the Parameter."""

    def __set_name__(self, owner, name):
        self.name = name

    def __get__(self, info, owner=None):
        return self if info is None else getattr(info.parameter, self.name)

    def __set__(self, info, value):
        setattr(info.parameter, self.name, value)


class OwnInfo(ParamInfo):
    """The `ParamInfo` of a Parameter; shared fields are read and written in the Parameter.

    Args:
        parameter (Parameter): the Parameter.
    """

    name = _Shared()
    requires_grad = _Shared()
    layerwise_parallel = _Shared()
    parallel_optimizer = _Shared()
    parallel_optimizer_comm_recompute = _Shared()
    comm_fusion = _Shared()

    def __init__(self, parameter):
        super().__init__()
        self.parameter = parameter

    @classmethod
    def taken(cls, info, parameter):
        """Makes ``info`` that of a Parameter, which takes the shared fields' values; another Parameter's is copied."""
        info = info.clone() if isinstance(info, cls) else info
        values = {name: getattr(info, name) for name, field in vars(cls).items() if isinstance(field, _Shared)}
        info.__class__, info.parameter = cls, parameter
        for name, value in values.items():
            setattr(info, name, value)
        return info
