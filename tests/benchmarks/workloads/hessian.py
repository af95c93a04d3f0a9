"""A Hessian by ``jacfwd`` of ``jacrev``."""

import numpy as np

TITLE = "Hessian, jacfwd(jacrev), 16 variables"
SIZE = 16


def arrays():
    random = np.random.RandomState(0)
    return random.standard_normal(SIZE).astype(np.float32), random.standard_normal((SIZE, SIZE)).astype(np.float32)


def mindspore_step():
    import mindspore as ms
    from mindspore import Tensor, ops

    x, matrix = (Tensor(array) for array in arrays())

    def energy(x):
        return ops.tanh((matrix * x).sum(1)).sum() + (x * x * x).sum()  # MindSpore's vmap fails on matmul here

    hessian = ms.jacfwd(ms.jacrev(energy))
    return lambda: (hessian(x),)


def jax_step(compiled):
    import jax
    import jax.numpy as jnp

    x, matrix = jax.device_put(arrays())

    def energy(x, matrix):
        return jnp.tanh((matrix * x).sum(1)).sum() + (x * x * x).sum()

    hessian = jax.jacfwd(jax.jacrev(energy))
    hessian = jax.jit(hessian) if compiled else hessian
    return lambda: (hessian(x, matrix),)
