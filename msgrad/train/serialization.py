"""Parameters in and out of networks."""

from ..engine.refusal import refuse, require
from ..nn.cell import Cell
from ..tensor.parameter import Parameter

_CASTS = {("Float16", "Float32"), ("BFloat16", "Float32"), ("Float32", "Float16"), ("Float32", "BFloat16")}
_CASTS |= {("Float64", name) for name in ("Float16", "BFloat16", "Float32")}
_CASTS |= {(name, "Float64") for name in ("Float16", "BFloat16", "Float32")}
_MSG_CHECK = "Is it the checkpoint of this network?"


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
    require(net, Cell, "load_param_into_net", "net")
    require(parameter_dict, dict, "load_param_into_net", "parameter_dict")
    require(strict_load, bool, "load_param_into_net", "strict_load")
    require(remove_redundancy, bool, "load_param_into_net", "remove_redundancy")
    for name, value in parameter_dict.items():
        require(name, str, "load_param_into_net", "key of the parameter_dict")
        require(value, Parameter, "load_param_into_net", f"parameter_dict['{name}']")
    own = net.parameters_dict()
    found = [(own[name], value) for name, value in parameter_dict.items() if name in own]
    for parameter, value in found:
        _check_fit(parameter, value, strict_load)
    for parameter, value in found:
        parameter.set_data(value)
    missing = [name for name in own if name not in parameter_dict]
    return missing, [name for name in parameter_dict if name not in own]


def _check_fit(parameter, value, strict_load):
    argument = f"parameter_dict['{parameter.name}']"
    if parameter.shape != value.shape:
        expected = f"of the shape {parameter.shape} that it has in the 'net'"
        refuse(RuntimeError, "load_param_into_net", argument, expected, value, _MSG_CHECK)
    dtypes = str(value.dtype), str(parameter.dtype)
    if dtypes[0] != dtypes[1] and (strict_load or dtypes not in _CASTS):
        expected = f"of the dtype {parameter.dtype} that it has in the 'net'"
        refuse(RuntimeError, "load_param_into_net", argument, expected, value, _MSG_CHECK)
