"""A physics-informed loss with a second derivative by the input, differentiated by the weights."""

import numpy as np

TITLE = "PINN loss with second derivatives, 64 points, width 20"
POINTS, WIDTH = 64, 20
SHAPES = {"inner": (1, WIDTH), "shift": (1, WIDTH), "middle": (WIDTH, WIDTH), "outer": (WIDTH, 1)}


def arrays():
    random = np.random.RandomState(0)
    weights = {name: random.standard_normal(shape).astype(np.float32) * 0.3 for name, shape in SHAPES.items()}
    return weights, np.linspace(0, 1, POINTS, dtype=np.float32).reshape(POINTS, 1)


def mindspore_step():
    import mindspore as ms
    from mindspore import Parameter, Tensor, nn, ops

    weights, points = arrays()

    class Network(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Parameter(Tensor(weights["inner"]), name="inner")
            self.shift = Parameter(Tensor(weights["shift"]), name="shift")
            self.middle = Parameter(Tensor(weights["middle"]), name="middle")
            self.outer = Parameter(Tensor(weights["outer"]), name="outer")

        def construct(self, x):
            hidden = ops.tanh(x * self.inner + self.shift)
            return ops.matmul(ops.tanh(ops.matmul(hidden, self.middle)), self.outer)

    class Derivative(nn.Cell):
        def __init__(self, function):
            super().__init__()
            self.function = function
            self.grad = ops.GradOperation()

        def construct(self, x):
            return self.grad(self.function)(x)

    class Residual(nn.Cell):
        def __init__(self, network):
            super().__init__()
            self.network = network
            self.curvature = Derivative(Derivative(network))

        def construct(self, points):
            residual = self.curvature(points) + self.network(points) - ops.sin(points)
            return (residual * residual).mean()

    network = Network()
    step = ms.value_and_grad(Residual(network), None, network.trainable_params())
    points = Tensor(points)

    def run():
        loss, gradients = step(points)
        return (loss, *gradients)

    return run


def jax_step(compiled):
    import jax
    import jax.numpy as jnp

    def network(weights, x):
        hidden = jnp.tanh(x * weights["inner"] + weights["shift"])
        return jnp.tanh(hidden @ weights["middle"]) @ weights["outer"]

    def loss(weights, points):
        slope = jax.grad(lambda x: network(weights, x).sum())
        curvature = jax.grad(lambda x: slope(x).sum())
        residual = curvature(points) + network(weights, points) - jnp.sin(points)
        return (residual * residual).mean()

    step = jax.value_and_grad(loss)
    step = jax.jit(step) if compiled else step
    weights, points = jax.device_put(arrays())

    def run():
        value, gradients = step(weights, points)
        return (value, *(gradients[name] for name in SHAPES))

    return run
