"""What is lowered otherwise than by JAX for a CPU, since XLA's loops for it are slow there?"""

from . import (
    cpu_argmax,
    cpu_convolutions,
    cpu_cumulative,
    cpu_elementwise,
    cpu_products,
    cpu_weight_gradients,
    cpu_windows,
    lapack_threads,
)


def install():
    """Replaces JAX's lowerings for CPUs; those for other devices stay."""
    for module in (
        *(cpu_argmax, cpu_convolutions, cpu_cumulative, cpu_elementwise),
        *(cpu_products, cpu_weight_gradients, cpu_windows, lapack_threads),
    ):
        module.install()
