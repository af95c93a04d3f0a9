"""JAX's interfaces that are private, or public but without a promise to stay: each is named once, here.

All were read in JAX 0.10.2; a test refuses them elsewhere. A new version of JAX is a reading of this file.
"""

from jax import lax

# `jax.extend.core` is the public name of most of it, but importing `jax.extend` takes 16 ms, for Pallas.
from jax._src import core
from jaxlib.xla_client import HostBufferSemantics, batched_device_put

# An array of the device from one of the host's in 10 us, beneath all tracing, where `jax.device_put` takes 40 us and
# gives a tracer under `jax.jit` (`host.to_device`).
device_put = batched_device_put
ShapedArray = core.ShapedArray  # what it is told of the array

# The calling thread copies, so that XLA owns the memory and may write over it (`donation`).
COPIED = HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL

# What stands for a value while JAX traces: such a state is dead once the function is traced, and is never kept.
Tracer = core.Tracer

# Equal for as long as the same of JAX's traces is under way: tells the user's `jax.jit` from no trace at all.
trace_state = core.get_opaque_trace_state

# Reading a jaxpr: NumPy's interpreter, gradients that are saved, the writer of ONNX, sink mode.
ClosedJaxpr, Literal = core.ClosedJaxpr, core.Literal
jaxpr_as_function = core.jaxpr_as_fun  # runs the one trace of an operation again, in place of tracing it anew
jaxprs_in_parameters = core.jaxprs_in_params  # the loops and calls inside one equation
jaxprs_inside = core.subjaxprs  # those of all equations of a jaxpr
CONVOLUTION, DOT = lax.conv_general_dilated_p, lax.dot_general_p  # which the writer of ONNX rewrites

# The event of each compilation, also of one that comes from the disk: `executables` counts them.
COMPILED = "/jax/core/compile/backend_compile_duration"


def weakly_typed(array):
    """``array`` with a weak type, as a Python number has: no function of ``jax.numpy`` makes one of an array."""
    return lax.convert_element_type_p.bind(array, new_dtype=array.dtype, weak_type=True, sharding=None)


def shapes_of(jitted):
    """For how many shapes a function made by ``jax.jit`` is compiled: what `executables` weighs it by."""
    return jitted._cache_size()
