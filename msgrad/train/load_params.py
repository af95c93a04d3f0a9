"""Loads Parameters into networks."""

from .. import log
from .._sharding.parts import from_parts, own_part
from ..engine import dtypes
from ..engine.refusal import refuse, require
from ..nn.cell import Cell
from ..tensor.parameter import Parameter

_OWNER = "load_param_into_net"
_FLOATS = {dtypes.float16, dtypes.bfloat16, dtypes.float32, dtypes.float64}
_INTS = {dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64}
_ACCUMULATED = "accu_grads"  # names that MindSpore's pipelines add; they are not in checkpoints
_MSG_CHECK = "Is it the checkpoint of this network?"
_MSG_MISSING = "For 'load_param_into_net', %d Parameters of the 'net' are not in the 'parameter_dict': %s."
_MSG_PREFIX = "For 'load_param_into_net', the prefix %r of names in the 'parameter_dict' is ignored."


def load_param_into_net(net, parameter_dict, strict_load=False, remove_redundancy=False):
    """Writes Parameters into the network's Parameters of the same names.

    A float Parameter accepts any float dtype, an int8 to int64 one any of these. A Parameter that is missing in the
    dict is searched under a prefix (``"backbone.fc.weight"`` for ``"fc.weight"``), unless ``strict_load``.

    Args:
        net (Cell): the network.
        parameter_dict (dict[str, Parameter]): by name; a str value, from `load_checkpoint`, is ignored.
        strict_load (bool): whether a different dtype is an error, and prefixes are not tried. Default: ``False``.
        remove_redundancy (bool): for several devices, without effect on one. Default: ``False``.
    Returns:
        tuple of two lists of str: names that only the network has, and names that only the dict has.
    Raises:
        TypeError: if an argument has the wrong type.
        RuntimeError: if a shape differs, or a dtype that is not cast; then nothing has been written.
    Example:
        >>> ms.load_param_into_net(nn.Dense(2, 3), nn.Dense(2, 3).parameters_dict())
        ([], [])
    Source: mindspore.load_param_into_net
    """
    require(net, Cell, _OWNER, "net")
    require(parameter_dict, dict, _OWNER, "parameter_dict")
    require(strict_load, bool, _OWNER, "strict_load")
    require(remove_redundancy, bool, _OWNER, "remove_redundancy")
    for name, value in parameter_dict.items():
        require(name, str, _OWNER, "key of the parameter_dict")
        require(value, (Parameter, str, list), _OWNER, f"parameter_dict['{name}']")
    parameters = {name: value for name, value in parameter_dict.items() if isinstance(value, Parameter)}
    own = net.parameters_dict()
    matched = {name: parameters[name] for name in own if name in parameters}
    unknown = [name for name in parameter_dict if name not in matched]
    missing = [name for name in own if name not in parameter_dict and not name.startswith(_ACCUMULATED)]
    if not strict_load:
        matched |= behind_prefixes(missing, parameters)
        missing = [name for name in missing if name not in matched]
    values = {name: fitting(own[name], value, strict_load) for name, value in matched.items()}
    for name, value in values.items():
        own[name].set_data(value)
    if missing:
        log.warning(_MSG_MISSING, len(missing), ", ".join(missing))
    return missing, unknown


def behind_prefixes(missing, parameters):
    """Finds the Parameters of the names in ``missing`` under prefixes: for each name the first prefix that matches."""
    matched, left = {}, list(missing)
    while True:
        prefix = next((name[: -len(own)] for own in left for name in parameters if name.endswith(own)), None)
        if prefix is None:
            return matched
        log.warning(_MSG_PREFIX, prefix)
        matched |= {own: parameters[prefix + own] for own in left if prefix + own in parameters}
        left = [own for own in left if own not in matched]


def fitting(parameter, value, strict_load):
    """``value`` in the shape of ``parameter``; it may have additional axes of length 1 at the end.

    It may also be this process's part of a Parameter that lies over several, each of which then loads its own.

    Raises:
        RuntimeError: if the shape differs, or a dtype that is not cast.
    """
    argument = f"parameter_dict['{parameter.name}']"
    if value.shape != parameter.shape and value.shape == own_part(parameter).shape:
        value = from_parts(value, parameter)
    if value.shape != parameter.shape:
        if value.shape != parameter.shape + (1,) * (value.ndim - parameter.ndim):
            expected = f"of the shape {parameter.shape} that it has in the 'net'"
            refuse(RuntimeError, _OWNER, argument, expected, value, _MSG_CHECK)
        value = value.reshape(parameter.shape)
    pair = {value.dtype, parameter.dtype}
    if len(pair) == 2 and (strict_load or not (pair <= _FLOATS or pair <= _INTS)):
        expected = f"of the dtype {parameter.dtype} that it has in the 'net'"
        refuse(RuntimeError, _OWNER, argument, expected, value, _MSG_CHECK)
    return value
