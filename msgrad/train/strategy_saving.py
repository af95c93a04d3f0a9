"""The program's own strategy files: written after the first call, and applied when loaded."""

import math

from jax.sharding import PartitionSpec

from .._sharding.mesh import axes_for
from ..engine.refusal import refuse
from ._files import strategies
from .strategy_files import slicings

_OWNER = "strategy_ckpt_config"


def write_strategy_file(mesh, specs, path):
    """Writes how Parameters are sharded, in the format of MindSpore's ``save_file``.

    Args:
        mesh (Mesh): the devices.
        specs (dict): the shape, the PartitionSpec and the number of further shards of each Parameter, by name.
        path (str): the file.
    """
    layouts = {name: layout_of(shape, spec, mesh, further) for name, (shape, spec, further) in specs.items()}
    strategies.write(path, 0, layouts)


def layout_of(shape, spec, mesh, further=1):
    """The layout, as MindSpore's files have it, of a Parameter.

    Args:
        shape (tuple): its shape.
        spec (PartitionSpec): how it is sharded.
        mesh (Mesh): the devices.
        further (int): the number of shards of each shard, by the optimizer. Default: ``1``.
    """
    items = [_names(item) for item in [*spec, *[None] * (len(shape) - len(spec))]]
    axes = _device_axes(items, mesh)
    lengths = [math.prod([mesh.shape[name] for name in names]) for names in axes]
    rows = [[len(axes) - 1 - k for k in _sorted_by(axes, item)] or [-1] for item in items]
    is_flat = all(len(row) == 1 for row in rows)
    dims = [strategies.Dims(row) for row in ([sum(rows, [])] if is_flat else rows)] or [strategies.Dims([])]
    layout = strategies.ParallelLayouts([strategies.Dims(lengths)], dims, tensor_shape=list(shape))
    if further > 1:
        copied = [k for k, names in enumerate(axes) if not any(names[0] in item for item in items)]
        copies = math.prod([lengths[k] for k in copied])
        layout.opt_weight_shard_size = -1 if further == copies else further
        layout.opt_weight_shard_step = math.prod(lengths[copied[-1] + 1 :])
    return layout


def _device_axes(items, mesh):
    """Tuples of neighbouring mesh axes that shard one axis together, or none: the axes of MindSpore's device matrix."""

    def use_of(name):
        return next(((k, item.index(name)) for k, item in enumerate(items) if name in item), (None, -1))

    axes = []
    for name in mesh.axis_names:
        item, position = use_of(name)
        last, last_position = use_of(axes[-1][-1]) if axes else (-1, None)
        if item == last and (item is None or position == last_position + 1):
            axes[-1] = (*axes[-1], name)
        else:
            axes.append((name,))
    return axes


def _sorted_by(axes, item):
    """The positions in ``axes`` of the mesh axes of an item, in its order."""
    return [k for name in item for k, names in enumerate(axes) if names[0] == name]


def _names(item):
    return () if item is None else (item,) if isinstance(item, str) else tuple(item)


def read_strategy_file(partition, path):
    """The PartitionSpecs of a strategy file by name; the optimizer's further sharding is a setting of the program.

    Raises:
        ValueError: if the file is for another number of devices.
    """
    specs = {}
    for name, slicing in slicings(path, _OWNER).items():
        axes = axes_for(slicing.devices, partition.mesh) if slicing.count() == partition.devices else None
        if axes is None:
            refuse(ValueError, _OWNER, "load_file", f"for {partition.devices} devices", slicing.devices)
        items = [[axis for k in row for axis in axes[k]] for row in slicing.axes]
        specs[name] = PartitionSpec(*[tuple(item) if len(item) > 1 else item[0] if item else None for item in items])
    return specs
