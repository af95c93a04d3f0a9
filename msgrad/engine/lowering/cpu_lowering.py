"""What is lowered otherwise than by JAX for a CPU, since XLA's loops for it are slow there?

JAX's lowerings are replaced for all programs of the process, also for functions of the user's.
"""

import functools

from jax import lax

from .._jax_private import LOWERS_ANEW, lower_fun, lowering_of, register_lowering
from . import cpu_elementwise, cpu_products, cpu_windows, lapack_threads


def _install(primitive, compute, applies):
    """Lowers a primitive for a CPU by ``compute`` where that applies, else as before."""
    rule, _ = lowering_of(primitive, "cpu")
    computed = lower_fun(compute, multiple_results=False)

    def lower(context, *operands, **parameters):
        # XLA would gather an array that is sharded over several devices, for a loop over its parts.
        devices = getattr(context.module_context.axis_context, "num_devices", 1)
        is_ours = devices == 1 and applies(*context.avals_in, **parameters)
        return (computed if is_ours else rule)(context, *operands, **parameters)

    register_lowering(primitive, lower, platform="cpu")


def install():
    """Replaces JAX's lowerings for CPUs; those for other devices stay."""
    if not LOWERS_ANEW:
        return
    for primitive in (lax.reduce_window_max_p, lax.reduce_window_min_p):
        by_axes = functools.partial(cpu_windows.axis_by_axis, primitive)
        _install(primitive, by_axes, cpu_windows.has_several_axes)
    _install(lax.select_and_scatter_add_p, cpu_windows.scattered, cpu_windows.is_of_few)
    _install(lax.dot_general_p, cpu_products.product, cpu_products.applies)
    cpu_elementwise.install()
    lapack_threads.install()
