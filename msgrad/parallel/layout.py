"""How MindSpore says which device has which part of a Tensor. One device has it all, so these are hints."""

from ..engine.refusal import refuse, require


class Layout:
    """Names for the axes of a grid of devices; called with the names that the axes of a Tensor are shared along.

    Args:
        device_matrix (tuple[int]): the lengths of the grid.
        alias_name (tuple[str]): a name for each.
        rank_list (list[int]): the devices. Default: ``None``, all in their order.
    Raises:
        TypeError, ValueError: unless there is one name for each length, all different.
    Example:
        >>> ms.Layout((1, 1), ("dp", "mp"))("dp", "None").to_dict()["tensor_map"]
        (1, -1)
    Source: mindspore.Layout, mindspore.parallel.Layout
    """

    def __init__(self, device_matrix, alias_name, rank_list=None):
        self._device_matrix = require(device_matrix, tuple, "Layout", "device_matrix")
        self._alias_name = require(alias_name, tuple, "Layout", "alias_name")
        if len(alias_name) != len(device_matrix) or len(set(alias_name)) != len(alias_name):
            refuse(ValueError, "Layout", "alias_name", f"{len(device_matrix)} different names", alias_name)
        if rank_list is None:
            count = 1
            for length in device_matrix:
                count *= length
            rank_list = list(range(count))
        self._rank_list = require(rank_list, list, "Layout", "rank_list")
        self._tensor_map = None

    def __call__(self, *alias_names):
        """A Layout of Tensors: for each axis a name, several in a tuple, or ``"None"``."""
        made = Layout(self._device_matrix, self._alias_name, self._rank_list)
        made._tensor_map = tuple([self._place(name) for name in alias_names])
        return made

    def _place(self, name):
        if isinstance(name, tuple):
            return tuple([self._place(each) for each in name])
        if name == "None":
            return -1
        if name not in self._alias_name:
            refuse(ValueError, "Layout", "alias_names", f"among {self._alias_name}", name)
        return len(self._alias_name) - 1 - self._alias_name.index(name)

    def to_dict(self):
        """What it says, a dict. Source: mindspore.parallel.Layout.to_dict"""
        if self._tensor_map is None:
            raise ValueError("For 'Layout.to_dict', say first how the axes are shared: layout('dp', 'None').to_dict().")
        return {
            "device_matrix": self._device_matrix,
            "tensor_map": self._tensor_map,
            "interleaved_parallel": False,
            "alias_name": self._alias_name,
            "rank_list": self._rank_list,
        }


def shard(fn, in_strategy, out_strategy=None, parameter_plan=None):
    """The function or Cell as it is: one device has every part.

    Args:
        fn (function | Cell): what several devices would share.
        in_strategy, out_strategy (tuple), parameter_plan (dict): how.
    Returns:
        ``fn``.
    Raises:
        TypeError: if it cannot be called.
    Example:
        >>> ms.shard(ops.relu, in_strategy=((1, 1),)) is ops.relu
        True
    Source: mindspore.shard, mindspore.parallel.shard
    """
    if not callable(fn):
        refuse(TypeError, "shard", "fn", "a function or a Cell", fn)
    return fn
