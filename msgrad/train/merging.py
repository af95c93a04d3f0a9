"""`merge_sliced_parameter`: joins the slices of a Parameter from several processes."""

import numpy as np

from ..engine.refusal import refuse, require
from ..ops import concat
from ..tensor.parameter import Parameter
from ..tensor.tensor import Tensor
from .slicing import Slicing

_OWNER = "merge_sliced_parameter"


def merge_sliced_parameter(sliced_parameters, strategy=None):
    """Joins the slices of a Parameter from several processes.

    Args:
        sliced_parameters (list[Parameter]): in the order of the processes, all with one name and, except along the
            first axis, one shape.
        strategy (dict): their layouts by name, from `build_searched_strategy`. Default: ``None``, they are slices along
            the first axis.
    Returns:
        Parameter, of their name.
    Raises:
        TypeError, ValueError: for other values.  KeyError: if the ``strategy`` has no such name.
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
            alike = f"of the name '{first.name}' and the shape {first.shape} except for the first length"
            refuse(ValueError, _OWNER, "item of the sliced_parameters", alike, each)
    if strategy:
        require(strategy, dict, _OWNER, "strategy")
        if first.name not in strategy:
            refuse(KeyError, _OWNER, "strategy", f"a dict with the name {first.name!r}", sorted(strategy))
        whole = Tensor(_merged([each._values_() for each in sliced_parameters], strategy[first.name]), first.dtype)
    else:
        whole = concat(sliced_parameters)
    return Parameter(whole, first.name, first.requires_grad, first.layerwise_parallel)


def _merged(slices, layout):
    """Joins the slices of a layout's devices, given in device order."""
    slicing = Slicing.of(layout)
    lengths = layout.param_split_shape[0].dim if layout.param_split_shape else []
    if len(slices) != slicing.count():
        refuse(ValueError, _OWNER, "sliced_parameters", f"one for each of {slicing.count()} devices", len(slices))
    if not lengths and len({each.shape for each in slices}) != 1:
        refuse(ValueError, _OWNER, "sliced_parameters", "of the same shape", [each.shape for each in slices])
    if layout.field and not lengths:
        columns = slices[0].shape[1]
        return np.concatenate([each.reshape(layout.field, -1, columns) for each in slices], 1).reshape(-1, columns)
    cuts = slicing.cuts()
    blocks = np.empty(cuts, object)
    for rank, each in enumerate(slices):
        position = tuple(slicing.place(rank))
        expected = lengths[np.ravel_multi_index(position, cuts)] if lengths else len(each)
        if len(each) != expected:
            refuse(ValueError, _OWNER, "item of the sliced_parameters", f"of the length {expected}", each.shape)
        blocks[position] = each
    return np.block(blocks.tolist())
