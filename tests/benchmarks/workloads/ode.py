"""A solver that chooses its steps by values: Dormand and Prince's pair of orders 5 and 4, on van der Pol's oscillator.

The step's length is a Python number that comes from a look at the error, so that gradients take it as given.
"""

import itertools

import numpy as np

TITLE = "adaptive ODE solver (RK45), gradient, 200 to 400 steps, different at each call: times of one step"
STAGES = (
    (),
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
ERROR = (71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)
TOLERANCE, FIRST_STEP = 1e-6, 0.01
BEGIN, STIFFNESS = np.array([2.0, 0.0]), np.array(1.0)


def ends():
    """Returns the time until which each call integrates."""
    return (21 + 17 * (37 * number % 101) / 101 for number in itertools.count())


def total(weights, stages):
    return sum(weight * stage for weight, stage in zip(weights, stages, strict=True) if weight)


def solve(slope, largest, y, end):
    """Integrates to ``end`` and returns the solution and the number of steps; Tensors or arrays of any library."""
    now, step, count = 0.0, FIRST_STEP, 0
    while now < end:
        step, stages, count = min(step, end - now), [], count + 1
        for weights in STAGES:
            reached = y + step * total(weights, stages) if stages else y
            stages.append(slope(reached))
        error = float(largest(step * total(ERROR, stages))) / TOLERANCE
        if error <= 1:
            now, y = now + step, reached
        step *= min(5.0, max(0.2, 0.9 * (error + 1e-10) ** -0.2))
    return y, count


def stepping(gradient):
    """A step that calls ``gradient(end)`` for the next end; it returns results and, last, the number of steps."""
    each = ends()

    def run():
        *results, count = gradient(next(each))
        run.turns += count
        return results

    run.turns = 0
    return run


def mindspore_step():
    import mindspore as ms
    from mindspore import Tensor, ops

    begin, stiffness = Tensor(BEGIN), Tensor(STIFFNESS)

    counts = []

    def loss(stiffness, end):
        def slope(y):
            return ops.stack((y[1], stiffness * (1 - y[0] * y[0]) * y[1] - y[0]))

        y, count = solve(slope, lambda error: ops.abs(error).max(), begin, end)
        counts.append(count)  # not an output, since MindSpore's has_aux takes no numbers
        return (y * y).sum()

    step = ms.value_and_grad(loss)

    def gradient(end):
        value, by_stiffness = step(stiffness, end)
        return value, by_stiffness, counts.pop()

    return stepping(gradient)


def torch_step():
    import torch

    begin, stiffness = torch.from_numpy(BEGIN), torch.tensor(STIFFNESS, requires_grad=True)

    def slope(y):
        return torch.stack((y[1], stiffness * (1 - y[0] * y[0]) * y[1] - y[0]))

    def gradient(end):
        y, count = solve(slope, lambda error: error.detach().abs().max(), begin, end)
        value = (y * y).sum()
        return value.detach(), *torch.autograd.grad(value, stiffness), count

    return stepping(gradient)


def jax_forward_step():
    import jax
    import jax.numpy as jnp
    from jax import lax

    jax.config.update("jax_enable_x64", True)  # as the others compute

    @jax.jit
    def loss(begin, stiffness, end):
        def slope(y):
            return jnp.stack((y[1], stiffness * (1 - y[0] * y[0]) * y[1] - y[0]))

        def advance(state):
            y, now, step, count = state
            step, stages = jnp.minimum(step, end - now), []
            for weights in STAGES:
                reached = y + step * total(weights, stages) if stages else y
                stages.append(slope(reached))
            error = jnp.abs(step * total(ERROR, stages)).max() / TOLERANCE
            y, now = jnp.where(error <= 1, reached, y), jnp.where(error <= 1, now + step, now)
            return y, now, step * jnp.clip(0.9 * (error + 1e-10) ** -0.2, 0.2, 5.0), count + 1

        y, _, _, count = lax.while_loop(lambda state: state[1] < end, advance, (begin, 0.0, FIRST_STEP, 0))
        return (y * y).sum(), count

    begin, stiffness = jax.device_put((BEGIN, STIFFNESS))

    def forward(end):
        value, count = loss(begin, stiffness, end)
        return value, int(count)

    return stepping(forward)
