"""The slice of a Parameter that each rank has, by the layout of a strategy file."""

import dataclasses
import math

import numpy as np

_MSG_STEP = "An optimizer's shards of step {} and size {} do not match the devices {} and the axes {}."
_MSG_SHAPE = "A Parameter of the shape {} cannot be cut into {} parts: check the strategy file."


@dataclasses.dataclass(frozen=True)
class Slicing:
    """The layout of a Parameter over the devices of a pipeline stage.

    Attributes:
        devices (tuple[int]): the shape of the device matrix; ranks are in row-major order.
        axes (tuple[tuple[int]]): for each axis of the Parameter the device axes that shard it.
        parts (int): the number of further parts of the first axis, by the optimizer; 1: none.
        stages (tuple[int]): the pipeline stages that have the Parameter.
    """

    devices: tuple
    axes: tuple
    parts: int = 1
    stages: tuple = (0,)

    @classmethod
    def of(cls, layout, stages=(0,)):
        """Makes the `Slicing` of a layout of a strategy file.

        Raises:
            ValueError: if the optimizer's step does not match the devices.
        """
        devices = tuple(layout.dev_matrix[0].dim)
        rows = [dims.dim for dims in layout.tensor_map if dims.dim]
        rows = rows if len(layout.tensor_map) > 1 else [[number] for number in layout.tensor_map[0].dim]
        axes = tuple([tuple([len(devices) - 1 - number for number in row if number != -1]) for row in rows])
        slicing = cls(devices, axes, 1, tuple(stages))
        size, step = layout.opt_weight_shard_size, layout.opt_weight_shard_step
        if not size or not step:
            return slicing
        copied = slicing.copied()
        if not copied or (len(copied) == 1 and math.prod(devices[copied[0] + 1 :]) != step):
            raise ValueError(_MSG_STEP.format(step, size, devices, axes))
        copies = math.prod([devices[axis] for axis in copied])
        return dataclasses.replace(slicing, parts=copies if size == -1 else size)

    def copied(self):
        """The device axes along which the Parameter is replicated."""
        used = {axis for row in self.axes for axis in row}
        return [axis for axis, length in enumerate(self.devices) if axis not in used and length > 1]

    def count(self):
        """Number of devices."""
        return math.prod(self.devices)

    def cuts(self):
        """The number of parts of each axis of the Parameter, including the optimizer's."""
        cuts = [math.prod([self.devices[axis] for axis in row]) for row in self.axes]
        return [cuts[0] * self.parts, *cuts[1:]] if cuts else []

    def place(self, rank):
        """The index of a rank's part along each axis of the Parameter."""
        coordinates = np.unravel_index(rank, self.devices)
        part_indices = [_along(row, coordinates, self.devices) for row in self.axes]
        if self.parts > 1 and part_indices:
            part_indices[0] = (
                part_indices[0] * self.parts + _along(self.copied(), coordinates, self.devices) % self.parts
            )
        return part_indices

    def replicas(self, rank):
        """The ranks of the pipeline stage of ``rank`` that have the same part, as a set."""
        first, part = rank // self.count() * self.count(), self.place(rank % self.count())
        return {first + other for other in range(self.count()) if self.place(other) == part}

    def region(self, rank, shape):
        """The region (slices) of the whole Parameter, of this shape, that a rank has.

        Raises:
            ValueError: if the shape cannot be cut so.
        """
        cuts = self.cuts()
        if len(cuts) != len(shape) or any(length % cut for length, cut in zip(shape, cuts, strict=True)):
            raise ValueError(_MSG_SHAPE.format(tuple(shape), cuts))
        steps = [length // cut for length, cut in zip(shape, cuts, strict=True)]
        return tuple([slice(k * step, (k + 1) * step) for k, step in zip(self.place(rank), steps, strict=True)])

    def whole_shape(self, shape):
        """The shape of the whole Parameter, if each device has a part of ``shape``."""
        cuts = self.cuts()
        if len(cuts) != len(shape):
            raise ValueError(_MSG_SHAPE.format(tuple(shape), cuts))
        return tuple([length * cut for length, cut in zip(shape, cuts, strict=True)])

    def ranks_for(self, rank, region, shape):
        """The ranks whose parts cover ``region``; among replicas of a part, the one closest to ``rank``."""
        copied, mine = self.copied(), np.unravel_index(rank % self.count(), self.devices)
        nearest = {}
        for other in range(self.count()):
            part = self.region(other, shape)
            if any(max(a.start, b.start) >= min(a.stop, b.stop) for a, b in zip(part, region, strict=True)):
                continue
            coordinates = np.unravel_index(other, self.devices)
            distance = sum([coordinates[axis] != mine[axis] for axis in copied])
            key = tuple([each.start for each in part])
            nearest[key] = min(nearest.get(key, (distance, other)), (distance, other))
        return sorted({other for _, other in nearest.values()})


def whole(shape_length):
    """The `Slicing` of a Parameter on one device."""
    return Slicing((1,), ((),) * shape_length)


def _along(axes, coordinates, lengths):
    """The combined index along several axes, in row-major order."""
    position = 0
    for axis in axes:
        position = position * lengths[axis] + int(coordinates[axis])
    return position
