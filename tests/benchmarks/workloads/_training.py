"""Training steps of networks with momentum, in MindSpore and in JAX, from equal Parameters."""

import numpy as np

RATE, MOMENTUM = 0.01, 0.9
_ONES, _ZEROS = ("gamma", "moving_variance"), ("beta", "bias", "moving_mean", "steps")


def values(shapes):
    """The Parameters (dict of arrays) of a network, by the names and shapes (dict) that MindSpore gives them."""
    random = np.random.default_rng(0)
    return {name: _value(random, name.rpartition(".")[2], shape) for name, shape in shapes.items()}


def _value(random, kind, shape):
    if kind in _ONES or kind in _ZEROS:
        return np.full(shape, kind in _ONES, np.float32)
    fan_in = np.prod(shape[1:]) if len(shape) > 1 else shape[0]
    return (random.standard_normal(shape) / np.sqrt(fan_in)).astype(np.float32)


def mindspore_step(network, loss, *batch):
    """A training step of a MindSpore network, as `TrainOneStepCell` makes it."""
    from mindspore import Tensor, nn

    parameters = {parameter.name: parameter for parameter in network.get_parameters()}
    for name, value in values({name: parameter.shape for name, parameter in parameters.items()}).items():
        parameters[name].set_data(Tensor(value))
    optimizer = nn.Momentum(network.trainable_params(), RATE, MOMENTUM)
    train = nn.TrainOneStepCell(nn.WithLossCell(network, loss), optimizer)
    train.set_train()
    batch = tuple(map(Tensor, batch))
    return lambda: (train(*batch),)


def jax_step(apply, shapes, *batch, compiled):
    """A training step in JAX that overwrites the Parameters and their moments.

    ``apply(parameters, *batch)`` gives the loss and what replaces some of the Parameters (moving averages).
    """
    import jax

    train = jax_train(apply)
    train = jax.jit(train, donate_argnums=(0, 1)) if compiled else train
    parameters = jax.device_put(values(shapes))
    return repeated(train, parameters, jax.tree.map(jax.numpy.zeros_like, parameters), jax.device_put(batch))


def jax_train(apply, reduced=lambda gradients: gradients):
    """A training step in JAX, ``(parameters, moments, *batch)`` to the loss, new Parameters and moments.

    ``reduced`` is applied to the gradients.
    """
    import jax

    def train(parameters, moments, *batch):
        (loss, new), gradients = jax.value_and_grad(apply, has_aux=True)(parameters, *batch)
        gradients = reduced(gradients)
        moments = jax.tree.map(lambda moment, gradient: MOMENTUM * moment + gradient, moments, gradients)
        parameters = jax.tree.map(lambda value, moment: value - RATE * moment, parameters, moments)
        return loss, parameters | new, moments

    return train


def repeated(train, parameters, moments, batch):
    """A function that runs ``train`` on what it gave before, and returns a tuple of the loss."""

    def run():
        nonlocal parameters, moments
        loss, parameters, moments = train(parameters, moments, *batch)
        return (loss,)

    return run


def cross_entropy(logits, labels):
    """The mean cross entropy of ``logits``, in JAX, at the class numbers ``labels``."""
    import jax
    import jax.numpy as jnp

    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], axis=1))


def convolution(x, weight, stride=1, padding="VALID"):
    """``x`` convolved with ``weight``, in JAX, channels second."""
    from jax import lax

    return lax.conv_general_dilated(x, weight, (stride, stride), padding, dimension_numbers=("NCHW", "OIHW", "NCHW"))


def images(batch, channels, size, classes=10):
    """Images and class numbers."""
    random = np.random.default_rng(1)
    return random.standard_normal((batch, channels, size, size), np.float32), random.integers(
        0, classes, batch, np.int32
    )
