"""JAX's own tracing, under the user's ``jax.jit``, ``jax.grad`` or ``jax.vmap``: which handles may be written there.

There a new value is a tracer, which is dead once the function has been traced. A Parameter from inside (of a Cell that
is an argument of the function) ends with the function as well; one from outside would keep the tracer.
"""

from ._jax_private import TOP_TRACE, Tracer, active_trace, trace_state

_MSG_OUTSIDE = (
    "'{0}' is written to inside a function that JAX traces (jax.jit, jax.grad, jax.vmap), but was made outside: the "
    "new value would be invalid after tracing. Give the Cell to the function as an argument and return "
    "it with its new values, call net.set_train(False) if it is a layer's statistics, or use mindspore.jit or "
    "mindspore.grad instead."
)


def birth():
    """The active trace of JAX."""
    return trace_state()


def is_under_way():
    """Whether one of the user's own JAX transforms is tracing now."""
    return active_trace.value is not TOP_TRACE


def is_tracer(state):
    """Whether ``state`` is a JAX tracer."""
    return isinstance(state, Tracer)


def check_write(handle, state):
    """Raises if ``state`` is a tracer that ``handle`` would outlive.

    Raises:
        RuntimeError: for a Parameter from outside and a tracer.
    """
    # Only Parameters have a birth: any other Tensor may take a tracer, for it ends with the user's function.
    if is_tracer(state) and handle._birth is not None and handle._birth != birth():
        raise RuntimeError(_MSG_OUTSIDE.format(handle.name))


def check_writes(handles, results):
    """Raises if one of ``handles`` would outlive a tracer among ``results``, its new values."""
    if not handles or not is_under_way():
        return
    # One tracer among the results counts for all, since the caller does not pair handles and results.
    tracer = next((value for value in results if is_tracer(value)), None)
    for handle in handles:
        check_write(handle, tracer)
