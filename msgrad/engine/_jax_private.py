"""Private interfaces of JAX, and public ones without a guarantee of stability: imported here and nowhere else.

All were read in JAX 0.10.2, and tried in 0.11.2 and 0.12.0; a test refuses them elsewhere. For a new version of JAX,
check this file.
"""

import logging

import jax
from jax import lax

# `jax.extend.core` is the public name of most of it, but importing `jax.extend` takes 16 ms, for Pallas.
from jax._src import compilation_cache, compiler, core, distributed
from jax._src.array import ArrayImpl
from jax._src.lib.mlir import ir
from jax._src.xla_bridge import backends_are_initialized  # noqa: F401
from jaxlib import __version__ as JAXLIB_VERSION  # noqa: N812
from jaxlib import _jax, xla_client
from jaxlib.xla_client import HostBufferSemantics, batched_device_put

logger = logging.getLogger("msgrad")

# An array of the device from one of the host's in 10 us, beneath all tracing, where `jax.device_put` takes 40 us and
# gives a tracer under `jax.jit` (`host.to_device`).
device_put = batched_device_put
ShapedArray = core.ShapedArray  # its description of the array

# The calling thread copies, so that XLA owns the memory and may write over it (`donation`).
COPIED = HostBufferSemantics.IMMUTABLE_ONLY_DURING_CALL

# A value while JAX traces a function. It is invalid once the function is traced, so it is never cached.
Tracer = core.Tracer

# Equal as long as the same trace of JAX is active: distinguishes the user's `jax.jit` from no trace at all.
trace_state = core.get_opaque_trace_state
# The active trace of this thread, and the one outside of all transforms; `core.trace_state_clean` takes 4 calls.
active_trace, TOP_TRACE = core.trace_state_strong_ref, core.eval_trace

# Reading a jaxpr: NumPy's interpreter, gradients that are saved, the writer of ONNX, sink mode.
Literal = core.Literal
ClosedJaxpr = getattr(core, "ClosedJaxpr", core.Jaxpr)  # from JAX 0.12 on one class, with or without constants
jaxpr_as_function = core.jaxpr_as_fun  # runs the one trace of an operation again, in place of tracing it anew
jaxprs_in_parameters = core.jaxprs_in_params  # the loops and calls inside one equation
jaxprs_inside = core.subjaxprs  # those of all equations of a jaxpr
CONVOLUTION, DOT = lax.conv_general_dilated_p, lax.dot_general_p  # which the writer of ONNX rewrites

# What was compiled, with its code in a file of JAX's own cache (`compiled_code`): that cache, the classes of what none
# of our entries holds, and how a walk over a lowered program goes on.
CODE = (xla_client.LoadedExecutable, _jax.Executable)
Client, DeviceList, WalkResult = xla_client.Client, xla_client.DeviceList, ir.WalkResult

# The event of each compilation, also of one that comes from the disk: `executables` counts them.
COMPILED = "/jax/core/compile/backend_compile_duration"


def random_words(key, counters):
    """Two words of JAX's generator for each column of ``counters``, uint32 of shape ``(2, ...)``; likewise.

    Word ``n`` of ``jax.random.bits(key, ...)`` is made of those of the counter ``n``, upper half first.
    """
    from jax.extend.random import threefry_2x32  # here: importing it takes 16 ms, and few programs use it

    return threefry_2x32(tuple(key), counters)


def scan_lengths(params):
    """How many operands of a ``lax.scan`` with these parameters are constants, and how many are carried."""
    if "num_consts" in params:  # until JAX 0.10
        return params["num_consts"], params["num_carry"]
    constants, carry, _ = params["ft_in"].unpack()
    return len(constants), len(carry)


def weakly_typed(array):
    """``array`` with a weak type, as a Python number has; no function of ``jax.numpy`` converts an array to one."""
    return lax.convert_element_type_p.bind(array, new_dtype=array.dtype, weak_type=True, sharding=None)


def shapes_of(jitted):
    """Number of shapes for which a function of ``jax.jit`` is compiled: its weight in `executables`."""
    return jitted._cache_size()


# Options with which XLA compiles copies and sums for CPUs in half of the time: its emitters of before 2025,
# which jaxlib 0.11 has no more.
OLD_EMITTERS = {"xla_cpu_use_fusion_emitters": False} if JAXLIB_VERSION.startswith("0.10.") else {}
UNOPTIMIZED = {"xla_backend_optimization_level": 0}

# Collectives: a primitive of our own, opaque to JAX's rules (`collectives.ordering`), and the client of the
# coordination service, with which `jax.distributed.initialize` would host the service in rank 0.
Primitive = core.Primitive
distributed_client = _jax.get_distributed_runtime_client


def take_part(client, rank, size, address, own_address, bound):
    """Makes JAX's devices those of all processes, which ``client`` has met; gloo listens at ``own_address`` alone.

    By itself JAX lets gloo listen at the address of the machine's name. ``bound`` makes the context in which gloo
    starts its thread.
    """
    state = distributed.global_state
    state.client, state.process_id, state.num_processes, state.coordinator_address = client, rank, size, address
    make = _jax.make_gloo_tcp_collectives

    def make_bound(distributed_client):
        with bound():
            return make(distributed_client, hostname=own_address)

    _jax.make_gloo_tcp_collectives = make_bound


def keep_in_each_process():
    """Makes every process keep what it compiles for CPUs in JAX's cache on disk.

    By itself JAX lets rank 0 write alone, but the other ranks look under keys of their own, which hold their devices.
    """
    write = compiler._cache_write

    def write_in_each(key, seconds, name, backend, executable, *rest):
        if distributed.global_state.process_id == 0 or backend.platform != "cpu" or any(rest):  # callbacks
            write(key, seconds, name, backend, executable, *rest)
        elif seconds >= jax.config.jax_persistent_cache_min_compile_time_secs:
            try:
                compilation_cache.put_executable_and_time(key, name, executable, backend, int(seconds))
            except Exception:  # whatever it is: this is only a cache
                logger.debug("a compiled program is not kept on disk", exc_info=True)

    compiler._cache_write = write_in_each


def as_part(array, sharding, shape=None):
    """A one-device array as this process's shard of an array with ``sharding``; 1 us, by JAX's own functions 14 to 440.

    ``shape`` is that of the whole. Default: ``None``, that of the part.
    """
    aval = array.aval if shape is None else ShapedArray(shape, array.dtype)
    return ArrayImpl(aval, sharding, [array], committed=True, _skip_checks=True)


def as_parts(arrays, sharding):
    """`as_part` of each array; a training step has 24 of them."""
    return [ArrayImpl(each.aval, sharding, [each], committed=True, _skip_checks=True) for each in arrays]


def local_part(array):
    """This process's shard, a one-device array, of an array over several processes with one device each."""
    return array._arrays[0]


def local_parts(arrays):
    """`local_part` of each array."""
    return [each._arrays[0] for each in arrays]
