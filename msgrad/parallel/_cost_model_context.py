"""Settings of MindSpore's communication cost model: stored, and without effect, since no strategy is searched for."""

from ..engine.refusal import require

_DEFAULTS = {
    "device_memory_capacity": 16.0 * 2**30,
    "costmodel_alpha": 1.0,
    "costmodel_beta": 400.0,
    "costmodel_gamma": 0.001,
    "costmodel_communi_threshold": 2048.0,
    "costmodel_communi_const": 3072.0,
    "costmodel_communi_bias": 1024.0,
    "run_phase": 0,
    "costmodel_allreduce_fusion_algorithm": 0,
    "costmodel_allreduce_fusion_times": 0,
    "costmodel_allreduce_fusion_tail_percent": 0.1,
    "costmodel_allreduce_fusion_tail_time": 0.1,
    "costmodel_allreduce_fusion_allreduce_inherent_time": 0.1,
    "costmodel_allreduce_fusion_allreduce_bandwidth": 0.1,
    "costmodel_allreduce_fusion_computation_time_parameter": 0.1,
}
_set = {}
_multi_subgraphs = False


def set_cost_model_context(**kwargs):
    """Sets parameters of MindSpore's cost model; without effect.

    Raises:
        ValueError: if a name is not known.  TypeError: if a value is not a number.
    """
    for name in kwargs:
        _check_name(name)
        require(kwargs[name], type(_DEFAULTS[name]), "set_cost_model_context", name)
    _set.update(kwargs)


def get_cost_model_context(attr_key):
    """A parameter of the cost model."""
    _check_name(attr_key)
    return _set.get(attr_key, _DEFAULTS[attr_key])


def reset_cost_model_context():
    """Resets every parameter."""
    _set.clear()


def _set_multi_subgraphs(multi_subgraph=True):
    """Sets whether a program has several subgraphs to parallelize; without effect."""
    global _multi_subgraphs
    _multi_subgraphs = multi_subgraph


def _set_rp_matmul_mem_coef(coef):
    """Sets the memory coefficient of matrix products in the strategy search; without effect."""


def _get_multi_subgraphs():
    """The flag that `_set_multi_subgraphs` has set (bool)."""
    return _multi_subgraphs


def _check_name(name):
    if name not in _DEFAULTS:
        raise ValueError(f"For 'cost_model_context', there is no '{name}', but {', '.join(_DEFAULTS)}.")
