"""Single operations outside of any gradient: each is launched by itself; the first result of a step is fetched."""

import numpy as np

TITLE = "ten single operations, 8x16: times of one"
X = np.linspace(-1, 1, 128, dtype=np.float32).reshape(8, 16)
OPERATIONS = 10


def counted(each):
    """A step that runs every function of ``each``, and counts them as turns."""

    def step():
        step.turns += OPERATIONS
        return [function() for function in each]

    step.turns = 0
    return step


def mindspore_step():
    from mindspore import Tensor, ops

    x, y = Tensor(X), Tensor(X[::-1].copy())
    relu, total = ops.ReLU(), ops.ReduceSum()
    return counted(
        [
            lambda: x + y,
            lambda: x * 2.0,
            lambda: ops.exp(x),
            lambda: relu(x),
            lambda: ops.matmul(x, y.T),
            lambda: total(x, 1),
            lambda: x.mean(0),
            lambda: ops.softmax(x, -1),
            lambda: x.reshape(16, 8),
            lambda: ops.concat((x, y), 0),
        ]
    )


def jax_step(compiled):
    import jax
    import jax.numpy as jnp

    x, y = jax.device_put((X, X[::-1].copy()))
    functions = [
        (lambda x, y: x + y, (x, y)),
        (lambda x: x * 2.0, (x,)),
        (jnp.exp, (x,)),
        (jax.nn.relu, (x,)),
        (lambda x, y: jnp.matmul(x, y.T), (x, y)),
        (lambda x: jnp.sum(x, 1), (x,)),
        (lambda x: jnp.mean(x, 0), (x,)),
        (lambda x: jax.nn.softmax(x, -1), (x,)),
        (lambda x: jnp.reshape(x, (16, 8)), (x,)),
        (lambda x, y: jnp.concatenate((x, y), 0), (x, y)),
    ]
    calls = [(jax.jit(function) if compiled else function, operands) for function, operands in functions]
    return counted([lambda function=function, operands=operands: function(*operands) for function, operands in calls])


def torch_step():
    import torch

    x, y = torch.from_numpy(X), torch.from_numpy(X[::-1].copy())
    return counted(
        [
            lambda: x + y,
            lambda: x * 2.0,
            lambda: torch.exp(x),
            lambda: torch.relu(x),
            lambda: torch.matmul(x, y.T),
            lambda: x.sum(1),
            lambda: x.mean(0),
            lambda: torch.softmax(x, -1),
            lambda: x.reshape(16, 8),
            lambda: torch.cat((x, y), 0),
        ]
    )
