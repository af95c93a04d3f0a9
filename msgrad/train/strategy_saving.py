"""The program's own strategy files: written after the first call, and applied when loaded."""

from jax.sharding import PartitionSpec

from .._sharding.mesh import axes_for
from .._sharding.partition import set_strategy_files
from ..engine.refusal import refuse
from ._files import strategies
from .strategy_files import slicings

_OWNER = "strategy_ckpt_config"


def save(partition, parameters, path):
    """Writes how a `Partition` shards its Parameters, in the format of MindSpore's ``save_file``."""
    lengths = list(partition.mesh.shape.values())
    layouts = {}
    for each in parameters:
        items = [*each._sharding.spec, *[None] * (each.ndim - len(each._sharding.spec))]
        rows = [[_place(name, partition.mesh) for name in _names(item)] or [-1] for item in items]
        is_flat = all(len(row) == 1 for row in rows)
        maps = [[number for (number,) in rows]] if is_flat else rows
        dims = [strategies.Dims(row) for row in maps] or [strategies.Dims([])]
        layouts[each.name] = strategies.ParallelLayouts([strategies.Dims(lengths)], dims)
    strategies.write(path, 0, layouts)


def _names(item):
    return () if item is None else (item,) if isinstance(item, str) else item


def _place(name, mesh):
    """The number of a device axis, counted from the last one."""
    return len(mesh.axis_names) - 1 - mesh.axis_names.index(name)


def load(partition, path):
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


set_strategy_files(save, load)
