"""The workloads. Each module has ``TITLE`` and two functions that make one step, a function without arguments:

- ``mindspore_step()``: a MindSpore program, run as it is by MindSpore and by msgrad; its step returns Tensors;
- ``jax_step(compiled)``: the same as one would write it in JAX, with ``jax.jit`` or not; its step returns arrays.

Both compute the same numbers in the same order, which the driver compares; the first result is awaited at each step.
"""

NAMES = (
    "mlp_small",
    "mlp_medium",
    "training",
    "large_training",
    "large_two_calls",
    "physics",
    "matmul_grad",
    "per_sample",
    "hessian",
)
