"""`merge_sliced_parameter`: one Parameter of those that several processes had."""

from ..engine.refusal import refuse, require
from ..ops import concat
from ..tensor.parameter import Parameter

_OWNER = "merge_sliced_parameter"
_MSG_STRATEGY = (
    "For 'merge_sliced_parameter', a 'strategy' belongs to MindSpore's own files of layouts, which msgrad does not "
    "read: concatenate the slices with ops.concat."
)


def merge_sliced_parameter(sliced_parameters, strategy=None):
    """The Parameter of the slices that several processes had.

    Args:
        sliced_parameters (list[Parameter]): in the order of the processes, of one name and, but for the first axis, of
            one shape.
        strategy (dict): how they were parted. Default: ``None``, along the first axis.
    Returns:
        Parameter, of their name.
    Raises:
        TypeError, ValueError: for other values.  NotImplementedError: if a ``strategy`` is given.
    Example:
        >>> parts = [Parameter(Tensor([1.0]), "w"), Parameter(Tensor([2.0]), "w")]
        >>> mindspore.merge_sliced_parameter(parts).tolist()
        [1.0, 2.0]
    Source: mindspore.train.merge_sliced_parameter, mindspore.parallel.merge_sliced_parameter
    """
    if not require(sliced_parameters, list, _OWNER, "sliced_parameters"):
        refuse(ValueError, _OWNER, "sliced_parameters", "a list that is not empty", sliced_parameters)
    first = require(sliced_parameters[0], Parameter, _OWNER, "item of the sliced_parameters")
    for each in sliced_parameters:
        require(each, Parameter, _OWNER, "item of the sliced_parameters")
        if (each.name, each.ndim, each.shape[1:]) != (first.name, first.ndim, first.shape[1:]):
            alike = f"of the name '{first.name}' and the shape {first.shape} but for the first length"
            refuse(ValueError, _OWNER, "item of the sliced_parameters", alike, each)
    if strategy:
        raise NotImplementedError(_MSG_STRATEGY)
    return Parameter(concat(sliced_parameters), first.name, first.requires_grad, first.layerwise_parallel)
