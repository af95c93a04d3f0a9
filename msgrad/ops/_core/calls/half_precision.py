"""The rule of half types: sums and statistics are float32, and only a result is rounded to float16 or bfloat16.

Squares of float16 overflow beyond 256, and a sum of 4 096 ones in bfloat16 is 256. MindSpore's CPU computes most norms,
statistics and losses in float32 as well; where it does not, it returns inf or NaN (``docs/differences.md``).
"""

import functools

import jax
import jax.numpy as jnp

HALVES = (jnp.float16, jnp.bfloat16)


def in_float32(body):
    """``body`` of an operation, for operands of half types computed in float32, results and derivatives included.

    A result has the dtype that ``body`` itself gives it.
    """

    @functools.wraps(body)
    def wide(*args, **kwargs):
        leaves, tree = jax.tree.flatten((args, kwargs))
        positions = [position for position, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]
        arrays = [leaves[position] for position in positions]
        if not any([array.dtype in HALVES for array in arrays]):
            return body(*args, **kwargs)

        def run(arrays):
            args, kwargs = jax.tree.unflatten(tree, _replaced(leaves, positions, arrays))
            return body(*args, **kwargs)

        narrow = jax.eval_shape(run, arrays)
        results = run([array.astype(jnp.float32) if array.dtype in HALVES else array for array in arrays])
        return jax.tree.map(lambda result, shape: result.astype(shape.dtype), results, narrow)

    return wide


def _replaced(leaves, positions, arrays):
    leaves = list(leaves)
    for position, array in zip(positions, arrays, strict=True):
        leaves[position] = array
    return leaves
