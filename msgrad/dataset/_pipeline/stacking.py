"""Stacks the rows of a batch into arrays with a new first axis."""

import numpy as np

from .failures import pipeline_error


def stacked(rows, node, joined=np.stack):
    """The rows of a batch as one row; ``joined`` (callable) combines the values of a column along a new first axis.

    Raises:
        RuntimeError: if the values of a column differ in shape or dtype.
    """
    return tuple([stack(column, node, index, joined) for index, column in enumerate(zip(*rows, strict=True))])


def stack(column, node, position, joined=np.stack):
    """Stacks the values of a column along a new first axis; they must agree in shape and dtype."""
    first = column[0]
    if isinstance(first, dict):
        return _stacked_dicts(column, node, position)
    if first.dtype.kind not in "US":
        for value in column:
            if value.shape != first.shape or value.dtype != first.dtype:
                _refuse_uneven(first, value, node, position)
        if not first.shape:
            return np.fromiter(column, first.dtype, len(column))
    elif any(value.shape != first.shape for value in column):
        _refuse_uneven(first, next(value for value in column if value.shape != first.shape), node, position)
    return joined(column)


def _stacked_dicts(column, node, position):
    """The dicts of a column as one, in which each key has an array of the values of all; their dtype is NumPy's."""
    names = column[0].keys()
    whole = {}
    for item in column:
        if item.keys() != names:
            _refuse_dicts(node, position, f"must have the same keys, but got {list(names)} and {list(item)}")
    for name in names:
        try:
            whole[name] = np.array([item[name] for item in column])
        except ValueError:  # lists or arrays of several lengths
            whole[name] = None
        if whole[name] is None or whole[name].dtype == object:
            _refuse_dicts(node, position, f"must have numbers or strings of the same shape under the key {name!r}")
    return whole


def _refuse_dicts(node, position, rule):
    raise pipeline_error(
        f"Exception thrown from dataset pipeline: for '{node}', the dicts of column {position} {rule}. Change them "
        "with map(...), or join them in a 'per_batch_map'."
    )


def _refuse_uneven(first, value, node, position):
    raise pipeline_error(
        f"Exception thrown from dataset pipeline: for '{node}', the values of a column must have the same shape and "
        f"dtype to be one array, but column {position} has {first.dtype} of shape {first.shape} and {value.dtype} of "
        f"shape {value.shape}. Make them equal with map(...), or use padded_batch."
    )


def common_shape(shape, other_shape):
    """The common shape of values of two shapes, with None for lengths that differ."""
    if len(shape) != len(other_shape):
        raise pipeline_error(
            f"For 'output_shapes', all values must have one rank, but got shapes {shape} and {other_shape}."
        )
    return [length if length == again else None for length, again in zip(shape, other_shape, strict=True)]
