"""The cold programs written by hand for JAX, each with `jax.jit` around what MindSpore's program does in one go."""
