"""MindSpore's strategy files: how the Parameters of a run were sharded over its devices.

A protocol buffer message ``ParallelStrategyMap``, or JSON of the same fields: ``2: node strategies`` and, for each
Parameter, ``3: {1: name, 2: layout}``. Of the nodes only the pipeline stage is used.
"""

import dataclasses
import json
import os

from .messages import DamagedError, bytes_field, int_field, read_fields, read_ints, read_text

_LISTS = ("dev_matrix", "tensor_map", "param_split_shape", "indices_offset")  # fields 1 to 4 of a layout
_NUMBERS = ("field", "opt_weight_shard_step", "opt_weight_shard_size")  # fields 5 to 7


@dataclasses.dataclass
class Dims:
    """A list of ints, as MindSpore's files nest them."""

    dim: list


@dataclasses.dataclass
class ParallelLayouts:
    """The layout of a Parameter, field for field as in MindSpore's files.

    Attributes:
        dev_matrix, tensor_map, param_split_shape, indices_offset (list[Dims]): one item each; a tensor_map has one for
            each axis, if some axis is sharded along several device axes.
        field (int): of an embedding that is sharded by fields.
        opt_weight_shard_step, opt_weight_shard_size (int): of a parallel optimizer; -1: over all replicas.
        tensor_shape (list): the whole shape, which MindSpore 2.10 has in JSON files in place of two of the lists.
    """

    dev_matrix: list
    tensor_map: list
    param_split_shape: list = dataclasses.field(default_factory=lambda: [Dims([])])
    indices_offset: list = dataclasses.field(default_factory=lambda: [Dims([])])
    field: int = 0
    opt_weight_shard_step: int = 0
    opt_weight_shard_size: int = 0
    tensor_shape: list = dataclasses.field(default_factory=list)


def read(path):
    """The pipeline stage of a file's nodes (int; None if it has none), and its layouts by name.

    Raises:
        DamagedError: if it is not a strategy file.
    """
    with open(path, "rb") as file:
        data = file.read()
    return _from_json(data) if path.endswith(".json") else _from_message(memoryview(data))


def _from_message(data):
    stage, layouts = None, {}
    for number, value in read_fields(data):
        if number in (2, 3) and not isinstance(value, memoryview):
            raise DamagedError("an item is not a message")
        if number == 2 and stage is None:
            stage = dict(read_fields(dict(read_fields(value)).get(2, b""))).get(1, 0)
        elif number == 3:
            item = dict(read_fields(value))
            if not isinstance(item.get(1), memoryview) or not isinstance(item.get(2), memoryview):
                raise DamagedError("a layout has no name or no content")
            layouts[read_text(item[1])] = _layout(list(read_fields(item[2])))
    return stage, layouts


def _layout(fields):
    lists = {}
    for k, name in enumerate(_LISTS, 1):
        messages = [value for number, value in fields if number == k]
        if not all(isinstance(each, memoryview) for each in messages):
            raise DamagedError("a list of a layout is not a message")
        lists[name] = [Dims(read_ints([item for _, item in read_fields(each)])) for each in messages]
    numbers = {}
    for k, name in enumerate(_NUMBERS, 5):
        (numbers[name],) = read_ints([value for number, value in fields if number == k][-1:]) or (0,)
    return ParallelLayouts(**lists, **numbers)


def _from_json(data):
    try:
        content = json.loads(data)
        nodes, layouts = content.get("parallel_strategy_item") or {}, {}
        for name, item in (content.get("parallel_layout_item") or {}).items():
            axes = item["tensor_map"]
            nested = axes if any(isinstance(each, list) for each in axes) else [axes]
            layouts[name] = ParallelLayouts(
                [Dims(list(item["dev_matrix"]))],
                [Dims(each if isinstance(each, list) else [each]) for each in nested],
                [Dims(list(item.get("param_split_shape", [])))],
                [Dims(list(item.get("indices_offset", [])))],
                *[int(item.get(number) or 0) for number in _NUMBERS],
                tensor_shape=list(item.get("tensor_shape", [])),
            )
        stage = next((int(node["stage"]) for node in nodes.values()), None)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise DamagedError(f"it is not JSON of layouts ({error})") from None
    return stage, layouts


def write(path, stage, layouts):
    """Writes layouts by name, of a pipeline's ``stage`` (int); as JSON if the path ends with ``.json``."""
    data = _to_json(stage, layouts) if path.endswith(".json") else _to_message(stage, layouts)
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "wb") as file:
        file.write(data)


def _to_message(stage, layouts):
    node = bytes_field(1, b"network") + bytes_field(2, int_field(1, stage))
    parts = [int_field(1, 1), bytes_field(2, node)]
    for name, layout in layouts.items():
        content = b""
        for k, each in enumerate(_LISTS, 1):
            for dims in getattr(layout, each):
                content += bytes_field(k, b"".join([int_field(1, number) for number in dims.dim]))
        for k, each in enumerate(_NUMBERS, 5):
            content += int_field(k, getattr(layout, each))
        parts.append(bytes_field(3, bytes_field(1, name.encode()) + bytes_field(2, content)))
    return b"".join(parts)


def _to_json(stage, layouts):
    items = {}
    for name, layout in layouts.items():
        axes = [dims.dim for dims in layout.tensor_map]
        items[name] = {"dev_matrix": layout.dev_matrix[0].dim, "tensor_map": axes if len(axes) > 1 else axes[0]}
        items[name] |= {each: getattr(layout, each) for each in _NUMBERS} | {"tensor_shape": layout.tensor_shape}
    nodes = {"network": {"stage": stage, "parallel_strategy": []}}
    content = {"current_stage": 1, "parallel_strategy_item": nodes, "parallel_layout_item": items}
    return json.dumps(content).encode()


def read_ranks(path):
    """The ranks that a group file lists for restoring checkpoints (list[int]).

    Raises:
        DamagedError: if it is not a group file.
    """
    with open(path, "rb") as file:
        values = [value for number, value in read_fields(memoryview(file.read())) if number == 2]
    if not values or not isinstance(values[-1], memoryview):
        raise DamagedError("it lists no ranks")
    return read_ints([item for _, item in read_fields(values[-1])])
