"""``auto_parallel_context()``: the object behind ``set_auto_parallel_context``, from which programs read settings."""

from .._common.auto_parallel import (
    SETTINGS,
    chosen,
    get_auto_parallel_context,
    reset_auto_parallel_context,
    set_auto_parallel_context,
)


class _AutoParallelContext:
    """The settings of ``set_auto_parallel_context`` as methods: ``get_device_num``, ``set_gradients_mean``, ...

    For each setting ``name`` there are ``get_name()``, ``set_name(value)`` and ``get_name_is_set()``; what MindSpore
    has beyond that for the fusion of collectives is stored and has no effect.
    """

    def __init__(self):
        self._split = {}

    def __getattr__(self, name):
        kind, _, setting = name.partition("_")
        if kind == "get" and setting in SETTINGS:
            return lambda: get_auto_parallel_context(setting)
        if kind == "get" and setting.removesuffix("_is_set") in SETTINGS:
            return lambda: setting.removesuffix("_is_set") in chosen
        if kind == "set" and setting in SETTINGS:
            return lambda value: set_auto_parallel_context(**{setting: value})
        raise AttributeError(f"auto_parallel_context() has no '{name}'; its settings are {', '.join(SETTINGS)}.")

    def reset(self):
        """Resets every setting."""
        reset_auto_parallel_context()
        self._split.clear()

    def set_all_reduce_fusion_split_indices(self, indices, group="hccl_world_groupsum1"):
        """Stores the indices at which all-reduces of gradients are split; without effect."""
        self._split["indices", group] = indices

    def get_all_reduce_fusion_split_indices(self, group="hccl_world_groupsum1"):
        """The indices that `set_all_reduce_fusion_split_indices` has set."""
        return self._split.get(("indices", group), [])

    def set_all_reduce_fusion_split_sizes(self, sizes, group="hccl_world_groupsum1"):
        """Stores the sizes into which all-reduces of gradients are split; without effect."""
        self._split["sizes", group] = sizes

    def get_all_reduce_fusion_split_sizes(self, group="hccl_world_groupsum1"):
        """The sizes that `set_all_reduce_fusion_split_sizes` has set."""
        return self._split.get(("sizes", group), [])


_context = _AutoParallelContext()


def auto_parallel_context():
    """The single settings object."""
    return _context


def _set_auto_parallel_context(**kwargs):
    """``mindspore.set_auto_parallel_context``."""
    set_auto_parallel_context(**kwargs)


def _get_auto_parallel_context(attr_key):
    """``mindspore.get_auto_parallel_context``."""
    return get_auto_parallel_context(attr_key)


def _reset_auto_parallel_context():
    """``mindspore.reset_auto_parallel_context``."""
    reset_auto_parallel_context()
