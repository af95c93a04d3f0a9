"""Private interfaces of JAX, and public ones without a guarantee of stability: imported here and nowhere else.

All were read in JAX 0.10.2, and tried in 0.11.2 and 0.12.0; a test refuses them elsewhere. In a version of JAX that
lacks one, `_jax_public` has a substitute, or a function here does without, and one warning says so.
"""

import contextlib
import functools
import importlib
import logging
import operator
import warnings
from typing import Any

import jax
import numpy as np
from jax import lax, tree_util
from jax.interpreters.mlir import lower_fun, register_lowering  # noqa: F401

logger = logging.getLogger("msgrad")

_absent = []
_MSG_ABSENT = (
    "JAX {} lacks private interfaces of earlier versions ({}). msgrad does without them: it is slower, in one process "
    "only, and keeps no compiled programs for the next. JAX 0.10 to 0.12 have all of them."
)


def _private(place) -> Any:
    """A private interface, ``"module:name"``; None if this version of JAX has none there."""
    module, _, name = place.partition(":")
    try:
        return getattr(importlib.import_module(module), name) if name else importlib.import_module(module)
    except (ImportError, AttributeError):
        _absent.append(place)
        return None


def _found(place, name) -> Any:
    """A private interface, or what `_jax_public` has in its place under ``name``."""
    found = _private(place)
    return getattr(importlib.import_module("._jax_public", __package__), name) if found is None else found


# `jax.extend.core` is the public name of most of it, but importing `jax.extend` takes 16 ms, for Pallas.
_CORE, _CONFIG = "jax._src.core:", "jax._src.config:"
api, pjit, lax_internal = _private("jax._src.api"), _private("jax._src.pjit"), _private("jax._src.lax.lax")
compilation_cache, compiler = _private("jax._src.compilation_cache"), _private("jax._src.compiler")
distributed, _jax = _private("jax._src.distributed"), _private("jaxlib._jax")
ad, batching = _private("jax._src.interpreters.ad"), _private("jax._src.interpreters.batching")
mlir, partial_eval = _private("jax._src.interpreters.mlir"), _private("jax._src.interpreters.partial_eval")
ir, hlo = _private("jax._src.lib.mlir:ir"), _private("jax._src.lib.mlir.dialects:hlo")
svd_for_tpu = _private("jax._src.tpu.linalg.svd:_svd_tpu_lowering_rule")
lu_for_tpu = _private("jax._src.lax.linalg:_lu_tpu_lowering_rule")
backends_are_initialized = _found("jax._src.xla_bridge:backends_are_initialized", "backends_are_initialized")
ArrayImpl = _found("jax._src.array:ArrayImpl", "ArrayImpl")
JAXLIB_VERSION = _found("jaxlib:__version__", "JAXLIB_VERSION")

# An array of the device from one of the host's in 10 us, beneath all tracing, where `jax.device_put` takes 40 us and
# gives a tracer under `jax.jit` (`host.to_device`).
device_put = _found("jaxlib.xla_client:batched_device_put", "device_put")
ShapedArray = _found(f"{_CORE}ShapedArray", "ShapedArray")  # its description of the array

# The calling thread copies, so that XLA owns the memory and may write over it (`donation`).
_semantics = _private("jaxlib.xla_client:HostBufferSemantics")
COPIED = getattr(_semantics, "IMMUTABLE_ONLY_DURING_CALL", None)
# The array is the memory itself, which is never written to: for `tools.planning.placeholders`.
NOT_COPIED = getattr(_semantics, "ZERO_COPY", None)

# A value while JAX traces a function. It is invalid once the function is traced, so it is never cached.
Tracer = _found(f"{_CORE}Tracer", "Tracer")

# Equal as long as the same trace of JAX is active: distinguishes the user's `jax.jit` from no trace at all.
trace_state = _found(f"{_CORE}get_opaque_trace_state", "trace_state")
# The active trace of this thread, and the one outside of all transforms; `core.trace_state_clean` takes 4 calls.
active_trace = _found(f"{_CORE}trace_state_strong_ref", "active_trace")
TOP_TRACE = _found(f"{_CORE}eval_trace", "TOP_TRACE")

# Options that are set for one thread, by `swap_local` and `set_local` in 55 ns each; the public context managers, which
# call these, take 750 (`jax_options`).
X64, DEVICE = _found(f"{_CONFIG}enable_x64", "X64"), _found(f"{_CONFIG}default_device", "DEVICE")
TRACEBACKS = _found(f"{_CONFIG}traceback_filtering", "TRACEBACKS")
PROMOTION = _found(f"{_CONFIG}numpy_dtype_promotion", "PROMOTION")
RANKS = _found(f"{_CONFIG}numpy_rank_promotion", "RANKS")
EXPLICIT = _found(f"{_CONFIG}explicit_x64_dtypes", "EXPLICIT")
PRECISION = _found(f"{_CONFIG}default_matmul_precision", "PRECISION")
EXPLICIT_ALLOWED = getattr(_private(f"{_CONFIG}ExplicitX64Mode"), "ALLOW", "allow")
PROMOTION_STANDARD = getattr(_private(f"{_CONFIG}NumpyDtypePromotion"), "STANDARD", "standard")

# Reading a jaxpr: NumPy's interpreter, gradients that are saved, the writer of ONNX, sink mode.
Literal = _found(f"{_CORE}Literal", "Literal")
Jaxpr, Var = _found(f"{_CORE}Jaxpr", "Jaxpr"), _found(f"{_CORE}Var", "Var")  # which `lengths` makes for other sizes
# From JAX 0.12 on one class, with or without constants.
ClosedJaxpr = getattr(_private("jax._src.core"), "ClosedJaxpr", None) or _found(f"{_CORE}Jaxpr", "ClosedJaxpr")
jaxpr_as_function = _found(f"{_CORE}jaxpr_as_fun", "jaxpr_as_function")  # runs an operation's one trace again
jaxprs_in_parameters = _found(f"{_CORE}jaxprs_in_params", "jaxprs_in_parameters")  # loops and calls in an equation
jaxprs_inside = _found(f"{_CORE}subjaxprs", "jaxprs_inside")  # those of all equations of a jaxpr
# Primitives that only call another jaxpr, by name, and the parameter that it is. Their other parameters are names, and
# rules for derivatives.
CALLED = {
    "jit": "jaxpr",
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "remat2": "jaxpr",  # `jax.checkpoint`
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}


def computes_anew(equation):
    """Whether an equation is a ``jax.checkpoint`` in a gradient, before whose operands JAX has an optimization barrier.

    Without it XLA would merge what is computed anew, to save memory, with what was computed first.
    """
    params = equation.params
    return equation.primitive.name == "remat2" and params["prevent_cse"] and params["differentiated"]


CONVOLUTION, DOT = lax.conv_general_dilated_p, lax.dot_general_p  # which the writer of ONNX rewrites

SVD, LU = lax.linalg.svd_p, lax.linalg.lu_p  # which `tpu_lowering` lowers anew, where JAX's own is known
_lowerings, _of_platforms = (
    _private(f"jax._src.interpreters.mlir:{name}") for name in ("_lowerings", "_platform_specific_lowerings")
)
LOWERS_ANEW = None not in (svd_for_tpu, lu_for_tpu, _lowerings, _of_platforms)


def lowering_of(primitive, platform=None):
    """JAX's lowering of a primitive for a platform, and that platform; the common one, and None, if it has no own."""
    own = _of_platforms[platform].get(primitive) if platform else None
    return (own.rule, platform) if own else (_lowerings[primitive].rule, None)


# What was compiled, with its code in a file of JAX's own cache (`compiled_code`): that cache, the classes of what none
# of our entries holds, and how a walk over a lowered program goes on.
CODE = tuple(filter(None, (_private("jaxlib.xla_client:LoadedExecutable"), _private("jaxlib._jax:Executable"))))
Client, DeviceList = _private("jaxlib.xla_client:Client"), _private("jaxlib.xla_client:DeviceList")
WalkResult: Any = getattr(ir, "WalkResult", None)
KEEPS_CODE = len(CODE) == 2 and None not in (compilation_cache, compiler, distributed, Client, DeviceList, WalkResult)

# The event of each compilation, also of one that comes from the disk: `executables` counts them.
COMPILED = "/jax/core/compile/backend_compile_duration"


def keep_values(array, values):
    """Lets the host keep ``values`` beside an array on an accelerator, as JAX does once it has fetched them."""
    values.flags.writeable = False
    if hasattr(array, "_npy_value"):
        array._npy_value = values


def kept_values(array):
    """The NumPy array that the host keeps beside an array on an accelerator, or None."""
    return getattr(array, "_npy_value", None)


# As `kept_values`, for a `ArrayImpl`, without a call of Python's.
values_beside = operator.attrgetter("_npy_value") if hasattr(ArrayImpl, "_npy_value") else kept_values


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
    return jitted._cache_size() if hasattr(jitted, "_cache_size") else 1


# Options with which XLA compiles copies and sums for CPUs in half of the time: its emitters of before 2025,
# which jaxlib 0.11 has no more.
OLD_EMITTERS = {"xla_cpu_use_fusion_emitters": False} if JAXLIB_VERSION.startswith("0.10.") else {}
UNOPTIMIZED = {"xla_backend_optimization_level": 0}


def compiled_text(text, devices):
    """The executable of a program in StableHLO's text form over devices: beneath tracing, lowering and JAX's caches."""
    options = compiler.get_compile_options(
        num_replicas=1, num_partitions=len(devices), device_assignment=np.array([[each.id for each in devices]])
    )
    return devices[0].client.compile_and_load(text, DeviceList(devices), options)


# The launches of a thread wait in one queue, of a number that the thread may choose; several queues run side by side.
queue = _found("jaxlib._jax:get_execution_stream_id", "queue")
set_queue = _found("jaxlib._jax:set_execution_stream_id", "set_queue")

# Collectives: a primitive of our own, opaque to JAX's rules (`collectives.ordering`), and the client of the
# coordination service, with which `jax.distributed.initialize` would host the service in rank 0.
Primitive = _found(f"{_CORE}Primitive", "Primitive")
distributed_client = _found("jaxlib._jax:get_distributed_runtime_client", "distributed_client")


_bridge = _private("jax._src.xla_bridge")
_init_backend: Any = getattr(_bridge, "_init_backend", None)  # read in JAX 0.10.2 and 0.12


def make_client_within(platform, context):
    """Lets JAX make the client of a platform within ``context()``; without the private interface nothing changes."""
    if _init_backend is None:
        return

    @functools.wraps(_init_backend)
    def made(name):
        with context() if name == platform else contextlib.nullcontext():
            return _init_backend(name)

    _bridge._init_backend = made


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


def assume_cudnn(version):
    """Lets JAX trace attention for cuDNN where it is not installed, as for a plan of a GPU's program."""
    attention = _private("jax._src.cudnn.fused_attention_stablehlo")
    if attention is not None:
        attention.check_cudnn_version = lambda: version


_OF_HOST = (np.ndarray, np.generic, int, float, complex)


def jaxpr_as_call(closed):
    """As `jaxpr_as_function`, but JAX traces it as a single call, and binds none of the equations a second time."""
    # The parameters of a call: what there is one of for each operand or result, such as shardings, is the same for all.
    (sample,) = jax.make_jaxpr(jax.jit(lambda x, y: (x + y, x - y, x * y)))(0.0, 0.0).eqns
    lengths = {2: len(closed.in_avals), 3: len(closed.out_avals)}
    columns = {key: value for key, value in sample.params.items() if type(value) is tuple and len(value) in lengths}
    columns = {key: value[:1] * lengths[len(value)] for key, value in columns.items()}
    return functools.partial(sample.primitive.bind, **{**sample.params, **columns, "jaxpr": closed})


def scope_rules(name, scope):
    """Lets JAX transform, lower and run functions of ``jax.jit`` with this ``name`` within contexts ``scope()``.

    Under the user's ``jax.jit`` or ``jax.grad`` that is after the function was traced, when the scope in which it was
    called has ended: rules that make constants of 64 bits would make 32 of them.
    """

    if None in (pjit, ad, batching, partial_eval, mlir, ir, hlo):
        return  # without it, such constants have 32 bits there

    def scoped(rule):
        @functools.wraps(rule)
        def run(*args, **params):
            if params["name"] != name:
                return rule(*args, **params)
            with scope():
                return rule(*args, **params)

        return run

    jit = pjit.jit_p
    rules = (
        *(ad.primitive_jvps, ad.primitive_linearizations, ad.fancy_transposes),
        *(batching.fancy_primitive_batchers, partial_eval.custom_partial_eval_rules),
    )
    for registry in rules:
        registry[jit] = scoped(registry[jit])
    impl = scoped(jit.impl)

    def run(*args, jaxpr, **params):
        # A tracer of the user's may stand for a number or a NumPy array, of 64 bits where JAX has traced 32.
        if params["name"] == name:
            pairs = zip(args, jaxpr.in_avals, strict=True)
            args = [np.asarray(each, aval.dtype) if isinstance(each, _OF_HOST) else each for each, aval in pairs]
        return impl(*args, jaxpr=jaxpr, **params)

    lowering = scoped(pjit._pjit_lowering)

    def lower(context, *args, **params):
        # In a program for several platforms the platform is a number, which the function takes in 64 bits.
        if params["name"] == name and context.dim_var_values:
            wide = ir.RankedTensorType.get((), ir.IntegerType.get_signless(64))
            numbers = [hlo.convert(wide, each) for each in context.dim_var_values]
            context = context.replace(dim_var_values=numbers)
        return lowering(context, *args, **params)

    jit.def_impl(run)
    mlir.register_lowering(jit, lower, cacheable=False)


def accept_results(kind):
    """Lets ``jax.grad`` take functions that return a pytree of this ``kind`` with one leaf, and `jax.value_and_grad`.

    They take pytrees as arguments, but ask the result itself, not its leaf, for its shape and for a one like it.
    """

    if api is None or lax_internal is None:
        return  # without it, such functions must return `jax.Array`s

    def of_leaf(fn):
        @functools.wraps(fn)
        def ask(result):
            return fn(tree_util.tree_leaves(result)[0] if isinstance(result, kind) else result)

        return ask

    def one(fn):
        @functools.wraps(fn)
        def make(result):
            if not isinstance(result, kind):
                return fn(result)
            (leaf,), tree = tree_util.tree_flatten(result)
            return tree_util.tree_unflatten(tree, [fn(leaf)])

        return make

    api._check_scalar = of_leaf(api._check_scalar)
    lax_internal._one_vjp = one(lax_internal._one_vjp)


def keep_apart(own_cache):
    """Keeps what msgrad compiles in a cache of its own on disk, where JAX has one for the whole process.

    ``own_cache()`` gives it for what this thread compiles now; None for code of the user's, for which JAX's own holds.
    """
    if not KEEPS_CODE:
        return  # without it, the next process compiles again

    cache_of, write = compilation_cache._get_cache, compiler._cache_write

    def get_cache(backend):
        return own_cache() or cache_of(backend)

    def cache_write(key, seconds, name, backend, executable, *rest):
        # By itself JAX keeps what took a second to compile, and most of these programs take less. And it lets rank 0
        # write alone, but the other ranks look under keys of their own, which hold their devices.
        is_writer = distributed.global_state.process_id == 0 or backend.platform == "cpu"
        if own_cache() is None:
            write(key, seconds, name, backend, executable, *rest)
        elif is_writer and not any(rest):  # callbacks
            try:
                compilation_cache.put_executable_and_time(key, name, executable, backend, int(seconds))
            except Exception:  # whatever it is: this is only a cache
                logger.debug("a compiled program is not kept on disk", exc_info=True)

    compilation_cache._get_cache, compiler._cache_write = get_cache, cache_write


def _as_part(array, sharding, shape=None):
    """A one-device array as this process's shard of an array with ``sharding``; 1 us, by JAX's own functions 14 to 440.

    ``shape`` is that of the whole. Default: ``None``, that of the part.
    """
    aval = array.aval if shape is None else ShapedArray(shape, array.dtype)
    return ArrayImpl(aval, sharding, [array], committed=True, _skip_checks=True)


def _as_parts(arrays, sharding):
    """`as_part` of each array; a training step has 24 of them."""
    return [ArrayImpl(each.aval, sharding, [each], committed=True, _skip_checks=True) for each in arrays]


def _local_part(array):
    """This process's shard, a one-device array, of an array over several processes with one device each."""
    return array._arrays[0]


def _local_parts(arrays):
    """`local_part` of each array."""
    return [each._arrays[0] for each in arrays]


if ArrayImpl is jax.Array:
    from ._jax_public import as_part, as_parts, local_part, local_parts
else:
    as_part, as_parts, local_part, local_parts = _as_part, _as_parts, _local_part, _local_parts

if _absent:
    warnings.warn(_MSG_ABSENT.format(jax.__version__, ", ".join(_absent)), RuntimeWarning, stacklevel=2)
