"""What stands for JAX's private interfaces in a version that lacks them: public means, slower or with less.

`_jax_private` takes each by its name. Several processes have no such substitute.
"""

import importlib.metadata

import jax
import numpy as np
from jax.core import ShapedArray, Tracer  # noqa: F401
from jax.extend import core

trace_state = core.get_opaque_trace_state
Literal, Primitive, Var = core.Literal, core.Primitive, core.Var
Jaxpr, ClosedJaxpr = core.Jaxpr, core.ClosedJaxpr
jaxpr_as_function, jaxprs_in_parameters, jaxprs_inside = core.jaxpr_as_fun, core.jaxprs_in_params, core.subjaxprs
ArrayImpl = jax.Array
JAXLIB_VERSION = importlib.metadata.version("jaxlib")
TOP_TRACE = "no trace"
_outside = trace_state()


class _ActiveTrace:
    """Its ``value`` is `TOP_TRACE` while no trace of JAX is active."""

    @property
    def value(self):
        return TOP_TRACE if trace_state() == _outside else "a trace"


active_trace = _ActiveTrace()


class Option:
    """An option of JAX, set for the whole process, where the private interface sets it for a thread."""

    def __init__(self, name):
        self.name = name

    @property
    def value(self):
        return getattr(jax.config, self.name, None)

    def get_local(self):
        return self.value

    def set_local(self, value):
        if hasattr(jax.config, self.name):
            jax.config.update(self.name, value)

    def swap_local(self, value):
        before = self.value
        self.set_local(value)
        return before


X64, DEVICE = Option("jax_enable_x64"), Option("jax_default_device")
TRACEBACKS, EXPLICIT = Option("jax_traceback_filtering"), Option("jax_explicit_x64_dtypes")
PROMOTION, RANKS = Option("jax_numpy_dtype_promotion"), Option("jax_numpy_rank_promotion")
PRECISION = Option("jax_default_matmul_precision")
PROMOTION_STANDARD, EXPLICIT_ALLOWED = "standard", "allow"


def device_put(aval, sharding, arrays, devices, committed, host_buffer_semantics=None):
    with jax.core.ensure_compile_time_eval(), jax.default_device(devices[0]):
        return jax.device_put(np.array(arrays[0]))


def backends_are_initialized():
    return True


def queue():
    return 0


def set_queue(number):
    """Without effect: all launches wait in one queue."""


def distributed_client():
    raise RuntimeError(f"Several processes need interfaces of JAX's that version {jax.__version__} lacks: use another.")


def as_part(array, sharding, shape=None):
    return jax.make_array_from_single_device_arrays(array.shape if shape is None else shape, sharding, [array])


def as_parts(arrays, sharding):
    return [as_part(each, sharding) for each in arrays]


def local_part(array):
    return array.addressable_shards[0].data


def local_parts(arrays):
    return [local_part(each) for each in arrays]
