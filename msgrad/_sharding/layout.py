"""`Layout`: how a Tensor is sharded over an arrangement of devices."""

import copy
import math

from ..engine.refusal import refuse, require

_INTERLEAVED = "interleaved_parallel"
_WHOLE = "None"  # the name for an axis that is not sharded


class Layout:
    """An arrangement of devices with named axes; called with such names, the sharding of a Tensor.

    `shard` takes it if a program runs on several devices. In MindSpore an axis ``'interleaved_parallel'`` overlaps
    computation and communication on each device; here it has no effect.

    Args:
        device_matrix (tuple[int]): the shape of the arrangement.
        alias_name (tuple[str]): a name for each axis.
        rank_list (list[int]): the devices. Default: ``None``, in order.
    Raises:
        TypeError, ValueError: for other values.
    Example:
        >>> layout = mindspore.Layout((2, 2), ("rows", "columns"))
        >>> layout("columns", "None").to_dict()["tensor_map"]
        (0, -1)
    Source: mindspore.parallel.Layout
    """

    interleaved = _INTERLEAVED

    def __init__(self, device_matrix, alias_name, rank_list=None):
        require(device_matrix, tuple, "Layout", "device_matrix")
        require(alias_name, tuple, "Layout", "alias_name")
        if len(device_matrix) != len(alias_name):
            refuse(ValueError, "Layout", "alias_name", f"a name for each of {device_matrix}", alias_name)
        for length in device_matrix:
            require(length, int, "Layout", "item of the device_matrix")
        for name in alias_name:
            if require(name, str, "Layout", "item of the alias_name") in ("", _WHOLE):
                refuse(ValueError, "Layout", "alias_name", f"of names, not empty and not '{_WHOLE}'", alias_name)
        if len(set(alias_name)) != len(alias_name):
            refuse(ValueError, "Layout", "alias_name", "of different names", alias_name)
        if _INTERLEAVED in alias_name[:-1]:
            refuse(ValueError, "Layout", "alias_name", f"with '{_INTERLEAVED}' at its end", alias_name)
        self._device_shape, self._alias_name, self._tensor_map = device_matrix, alias_name, None
        self._rank_list = _ranks(rank_list, math.prod(device_matrix))

    def __call__(self, *tensor_map):
        """The Layout of a Tensor.

        Args:
            tensor_map (str | tuple[str]): for each axis of the Tensor the name of the device axis over which it is
                sharded,
                or a tuple of several, or ``'None'``.
        Raises:
            ValueError: if a name is unknown, or comes twice.
        """
        layout, used = copy.copy(self), []
        layout._tensor_map = tuple(self._place(each, used) for each in tensor_map)
        return layout

    def _place(self, name, used):
        if isinstance(name, tuple):
            return tuple(self._place(each, used) for each in name)
        if name == _WHOLE:
            return -1
        if name not in self._alias_name or name in used:
            refuse(ValueError, "Layout", "tensor_map", f"of names out of {self._alias_name}, each once", name)
        used.append(name)
        return len(self._alias_name) - 1 - self._alias_name.index(name)

    def to_dict(self):
        """The layout as a dict.

        Raises:
            ValueError: if it was not called with names.
        Source: mindspore.parallel.Layout.to_dict
        """
        if self._tensor_map is None:
            refuse(ValueError, "Layout.to_dict", "layout", "called with the names of a Tensor's axes", self)
        return {
            "device_matrix": self._device_shape,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": _INTERLEAVED in self._alias_name,
            "alias_name": self._alias_name,
            "rank_list": self._rank_list,
        }

    def described(self):
        """The layout as a Primitive stores it (dict), without the devices."""
        return {name: value for name, value in self.to_dict().items() if name != "rank_list"}


def _ranks(ranks, count):
    if ranks is None:
        return list(range(count))
    for rank in require(ranks, list, "Layout", "rank_list"):
        require(rank, int, "Layout", "item of the rank_list")
    if len(ranks) != count:
        refuse(ValueError, "Layout", "rank_list", f"of {count} devices", ranks)
    return ranks
