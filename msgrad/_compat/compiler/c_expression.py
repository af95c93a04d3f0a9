"""``mindspore._c_expression``: Python equivalents of names of MindSpore's C++ extension.

Its base classes (``Cell_``, ``Primitive_``, ``TensorPy``, ...) are the public classes themselves, for ``isinstance``
and attribute access. Its executors, graphs and most ``pyboost_`` functions are not supported.
"""

import enum
import sys
import types

from ... import context
from ..._common.device import get_current_device, has_target
from ..._random.filling import fill_normal, fill_truncated_normal, fill_uniform
from ...nn._cell.flags import MixedPrecisionType  # noqa: F401
from ...nn.cell import Cell
from ...ops import composite, dense
from ...ops._core.primitive import Primitive
from ...ops.legacy.left_out import leave_out
from ...tensor.param_info import ParamInfo  # noqa: F401
from ...tensor.tensor import Tensor
from . import typing  # noqa: F401
from .executors import ms_memory_recycle

TensorPy = Tensor
Cell_ = Cell
Primitive_ = Primitive
GradOperation_ = composite.GradOperation
HyperMap_ = composite.HyperMap
MultitypeFuncGraph_ = composite.MultitypeFuncGraph
_ms_memory_recycle = ms_memory_recycle

pyboost_dense = dense

security = types.SimpleNamespace(enable_security=lambda: False)


class _Keys:
    """The names of settings, for ``MSContext.get_param``."""

    def __getattr__(self, name):
        if name not in context._values:
            raise AttributeError(
                f"There is no setting '{name}'. mindspore.get_context knows {sorted(context._values)}."
            )
        return name


ms_ctx_param = _Keys()


class MSContext:
    """The settings of ``mindspore.set_context``, under the names of the C++ extension."""

    _instance = None

    @classmethod
    def get_instance(cls):
        """The singleton of this class."""
        cls._instance = cls._instance or cls()
        return cls._instance

    def get_param(self, key):
        """``mindspore.get_context(key)``; keys are attributes of ``ms_ctx_param``."""
        return context.get_context(key)

    def set_param(self, key, value):
        """``mindspore.set_context(key=value)``."""
        context.set_context(**{key: value})

    def is_pkg_support_device(self, device_target):
        """Whether a kind of device (``"CPU"``, ``"GPU"``, ``"Ascend"``) is available."""
        return has_target(device_target)

    def is_ascend_plugin_loaded(self):
        """Whether the current device target is Ascend."""
        return get_current_device().device_target == "Ascend"

    def get_ascend_soc_version(self):
        """The name of the Ascend chip: ``""``, there is none."""
        return ""


class CreationType(enum.Enum):
    """The origin of a view. MindSpore refuses writes to some views; here every view is writable."""

    DEFAULT = 0
    NO_GRAD_MODE = 1
    MULTI_OUTPUT = 2
    CUSTOM_BPROP = 3


class _Node:
    """MindSpore's class of values not computed yet. It has no instances here."""


TensorNode = type("TensorNode", (_Node,), {"__doc__": _Node.__doc__})
SequenceNode = type("SequenceNode", (_Node,), {"__doc__": _Node.__doc__})
NoneTypeNode = type("NoneTypeNode", (_Node,), {"__doc__": _Node.__doc__})
AnyTypeNode = type("AnyTypeNode", (_Node,), {"__doc__": _Node.__doc__})


def is_reboot_node():
    """Whether a cluster has restarted this process after a failure: never."""
    return False


def disable_multi_thread():
    """Does nothing: one thread dispatches all operations."""


def _framework_profiler_step_start():
    """Does nothing: it marks the begin of a step for MindSpore's own profiler."""


def _framework_profiler_step_end():
    """Does nothing: it marks the end of a step for MindSpore's own profiler."""


def _random_normal(seed, data, mean, sigma):
    """Fills an array of float32 with normal numbers, those of MindSpore for a seed (int)."""
    fill_normal(data, seed, mean, sigma)


def _random_uniform(seed, data, low, high):
    """Fills an array of float32 with uniform numbers, those of MindSpore for a seed (int)."""
    fill_uniform(data, seed, low, high)


def _truncated_normal(seed, data, low, high, mean, sigma):
    """Fills an array of float32 with normal numbers between two bounds, those of MindSpore for a seed (int)."""
    fill_truncated_normal(data, seed, low, high, mean, sigma)


random_normal = _random_normal  # MindSpore 2.2


def pyboost_empty(args):
    """``mint.empty`` of a list of shape, dtype and device."""
    # Late: programs replace functions of `ops` before they need `mint`, which takes those that it finds then.
    from ...mint import empty

    size, dtype, device = args
    return empty(size, dtype=dtype, device=device)


def _empty_instance(size, dtype=None, device=None):
    """``mint.empty`` of a shape."""
    return pyboost_empty([size, dtype, device])


def update_pijit_default_config(**kwargs):
    """Accepts hints for one of MindSpore's compilers, without effect."""


def get_code_extra(function):
    """What MindSpore's compiler of bytecode has made of a function: None, for Python runs all bytecode here."""


_INNER = "only MindSpore's compiled part can be it"

leave_out(
    sys.modules[__name__],
    "_c_expression",
    [
        ("init_exec_dataset(*args)", (_INNER, "Iterate over the data set.")),
        ("op_enum", (_INNER, "Pass the str itself.")),
        ("run_backward(*args)", (_INNER, "Use mindspore.grad.")),
        ("swap_cache(host, device, block_tables, swap_type)", (_INNER, "Use asnumpy(), and Tensor of it.")),
    ],
)
