"""The names of inputs, results and dynamic axes of a model."""

import inspect

from ...engine.refusal import refuse
from ...nn._cell.graph_inputs import Axis
from ...nn.cell import Cell
from ...tensor.placeholder import Placeholder
from ...tensor.tensor import Tensor


def all_names(argument, names_given, defaults, used):
    """The names of all inputs or results: the user's first, then the ``defaults``.

    Raises:
        ValueError: if there are too many names, or one is repeated or ``used``.
    """
    if len(names_given) > len(defaults):
        refuse(ValueError, "export", argument, f"{len(defaults)} names or fewer", names_given)
    names = [*names_given, *defaults[len(names_given) :]]
    if len({*names, *used}) < len(names) + len(used):
        refuse(ValueError, "export", argument, "distinct names, not those of Parameters", names)
    return names


def arguments(network, count, used):
    """Names for ``count`` inputs, except the ``used`` ones: argument names of ``construct`` or of a function."""
    parameters = inspect.signature(network.construct if isinstance(network, Cell) else network).parameters.values()
    names = [each.name for each in parameters if each.kind is not each.VAR_POSITIONAL]
    rest = next((each.name for each in parameters if each.kind is each.VAR_POSITIONAL), "input")
    names += [f"{rest}{k}" for k in range(count)]
    return [f"{name}_" if name in used else name for name in names[:count]]


def opened(inputs, names, axes):
    """The inputs, with the axes that ``axes`` names made dynamic.

    Raises:
        ValueError: if an axis is out of range, or the name of one is not an identifier.
    """
    lengths = {}
    results = []
    for name, tensor in zip(names, inputs, strict=True):
        shape = list(tensor.symbols if isinstance(tensor, Placeholder) else tensor.shape)
        for axis, label in axes.get(name, {}).items():
            if not isinstance(axis, int) or not 0 <= axis < len(shape):
                refuse(ValueError, "export", f"axis of '{name}' in dynamic_axes", f"in [0, {len(shape)})", axis)
            if not isinstance(label, str) or not label.isidentifier():
                refuse(ValueError, "export", "name in dynamic_axes", "a str like 'batch_size'", label)
            shape[axis] = lengths.setdefault(label, Axis(label))
        results.append(Tensor(shape=shape, dtype=tensor.dtype) if name in axes else tensor)
    return results


def check_axes(axes, names):
    """Raises ValueError if a key of ``axes`` is not among the ``names``."""
    for name in axes:
        if name not in names:
            refuse(ValueError, "export", "dynamic_axes", f"for some of {names}", name)
