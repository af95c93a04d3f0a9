"""Parameters in and out of networks."""

from ..nn.cell import Cell
from ..tensor.parameter import Parameter

_CASTS = {("Float16", "Float32"), ("BFloat16", "Float32"), ("Float32", "Float16"), ("Float32", "BFloat16")}
_CASTS |= {("Float64", name) for name in ("Float16", "BFloat16", "Float32")}
_CASTS |= {(name, "Float64") for name in ("Float16", "BFloat16", "Float32")}


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Writes Parameters into the network's Parameters of the same names.

    Args:
        net (Cell): the network.
        parameter_dict (dict[str, Parameter]): by name.
        strict_load (bool): whether another float dtype is an error, too; else it is cast. Default: ``False``.
        remove_redundancy (bool): a choice for several devices, without effect on one. Default: ``False``.
    Returns:
        tuple of two lists of str: names in the network without a Parameter, and names that the network does not have.
    Raises:
        TypeError: if an argument has the wrong type.
        RuntimeError: if a shape differs, or a dtype that is not cast; then nothing has been written.
    Example:
        >>> ms.load_param_into_net(net, other.parameters_dict())
        ([], [])
    Source: mindspore.load_param_into_net
    """
    if not isinstance(net, Cell):
        raise TypeError(f"For 'load_param_into_net', the argument 'net' should be a Cell, but got {type(net)}.")
    if not isinstance(parameter_dict, dict):
        raise TypeError(
            "For 'load_param_into_net', the argument 'parameter_dict' should be a dict, "
            f"but got {type(parameter_dict)}."
        )
    for flag in (strict_load, remove_redundancy):
        if not isinstance(flag, bool):
            raise TypeError(f"The input value must be a bool, but got {type(flag).__name__}.")
    for name, value in parameter_dict.items():
        if not isinstance(name, str) or not isinstance(value, Parameter):
            raise TypeError(
                "For 'parameter_dict', the element in the argument 'parameter_dict' should be a 'str' and 'Parameter' "
                f", but got {type(name)} and {type(value)}."
            )
    own = net.parameters_dict()
    found = [(own[name], value) for name, value in parameter_dict.items() if name in own]
    for parameter, value in found:
        _check_fit(parameter, value, strict_load)
    for parameter, value in found:
        parameter.set_data(value)
    missing = [name for name in own if name not in parameter_dict]
    return missing, [name for name in parameter_dict if name not in own]


def _check_fit(parameter, value, strict_load):
    name = parameter.name
    if parameter.shape != value.shape:
        raise RuntimeError(
            f"For 'load_param_into_net', {name} in the argument 'net' should have the same shape as {name} in the "
            f"argument 'parameter_dict'. But got its shape {parameter.shape} in the argument 'net' and shape "
            f"{value.shape} in the argument 'parameter_dict'.May you need to check whether the checkpoint you loaded "
            "is correct or the batch size and so on in the 'net' and 'parameter_dict' are same."
        )
    dtypes = str(value.dtype), str(parameter.dtype)
    if dtypes[0] != dtypes[1] and (strict_load or dtypes not in _CASTS):
        raise RuntimeError(
            f"For 'load_param_into_net', {name} in the argument 'net' should have the same type as {name} in "
            f"the argument 'parameter_dict'. but got its type {dtypes[1]} in the argument 'net' and type {dtypes[0]} "
            "in the argument 'parameter_dict'.May you need to check whether the checkpoint you loaded is correct."
        )
