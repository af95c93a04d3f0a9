"""What a file of small tests does: many calls and gradients, each of other operations, shapes and dtypes."""

import jax
import jax.numpy as jnp
import numpy as np


def gelu(x):
    return jax.nn.gelu(x, approximate=False)


UNARY = [
    *[jnp.sin, jnp.exp, jnp.tanh, jax.nn.sigmoid, jax.nn.relu, jnp.abs, jnp.square],
    *[gelu, jax.nn.softplus, jax.scipy.special.erf],
]
for number, operation in enumerate(UNARY):
    for shape in ((3,), (2, 3), (1, 4, 2)):
        x = jax.device_put(np.full((*shape, number + 1), 0.5, np.float32))
        np.asarray(jax.jit(operation)(x))
        np.asarray(jax.jit(jax.grad(lambda x, operation=operation: operation(x).sum()))(x))


def dense(inputs, outputs):
    weight, bias = jax.device_put((np.full((inputs, outputs), 0.1, np.float32), np.zeros(outputs, np.float32)))
    return lambda x: x @ weight + bias


def layer_norm(x):
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x**2).mean(-1, keepdims=True) + 1e-5)


def two_layers():
    first, second = dense(4, 5), dense(5, 2)
    return lambda x: second(jax.nn.relu(first(x)))


for make in [lambda: dense(4, 3), lambda: layer_norm, two_layers, lambda: jax.nn.softmax]:
    for rows in range(1, 6):
        layer, x = make(), jax.device_put(np.ones((rows, 4), np.float32))
        np.asarray(jax.jit(layer)(x))
        np.asarray(jax.jit(jax.grad(lambda x, layer=layer: layer(x).sum()))(x))
