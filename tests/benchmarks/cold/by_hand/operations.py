"""Operations at shapes that never come again, as at last batches and in ragged data."""

import jax
import jax.numpy as jnp
import numpy as np

OPERATIONS = [
    lambda x: x + x,
    lambda x: jax.nn.gelu(x, approximate=False),
    lambda x: x.sum(),
    lambda x: x @ x.T,
    jax.nn.softmax,
    lambda x: x[1:],
    lambda x: jnp.concatenate([x, x]),
    lambda x: x.reshape(-1),
]
OPERATIONS = list(map(jax.jit, OPERATIONS))
for rows in range(3, 43):
    x = jax.device_put(np.ones((rows, 7), np.float32))
    for operation in OPERATIONS:
        np.asarray(operation(x))
