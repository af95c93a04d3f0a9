"""Gradients of each sample of a batch by ``vmap`` of ``grad``."""

import numpy as np

TITLE = "per-sample gradients, vmap(grad), batch 64, 32 features"
BATCH, FEATURES = 64, 32


def arrays():
    random = np.random.RandomState(0)
    shapes = ((FEATURES,), (BATCH, FEATURES), (BATCH,))
    return tuple((0.3 * random.standard_normal(shape)).astype(np.float32) for shape in shapes)


def mindspore_step():
    import mindspore as ms
    from mindspore import Tensor, ops

    def loss(weight, sample, target):
        error = ops.tanh((weight * sample).sum()) - target
        return error * error

    each = ms.vmap(ms.grad(loss), in_axes=(None, 0, 0))
    weight, samples, targets = (Tensor(array) for array in arrays())
    return lambda: (each(weight, samples, targets),)


def jax_step(compiled):
    import jax
    import jax.numpy as jnp

    def loss(weight, sample, target):
        return jnp.square(jnp.tanh((weight * sample).sum()) - target)

    each = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))
    each = jax.jit(each) if compiled else each
    weight, samples, targets = jax.device_put(arrays())
    return lambda: (each(weight, samples, targets),)
