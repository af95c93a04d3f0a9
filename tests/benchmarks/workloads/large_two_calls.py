"""The step of `large_training` in two calls, gradients and optimizer, between which the gradients are values.

The JAX version is one call.
"""

from . import _large

TITLE = "the same in two calls, value_and_grad and optimizer(gradients)"


def mindspore_step():
    import mindspore as ms
    from mindspore import nn

    network, optimizer, inputs, labels = _large.mindspore_parts()
    loss_function = nn.MSELoss()
    differentiate = ms.value_and_grad(
        lambda inputs, labels: loss_function(network(inputs), labels), None, network.trainable_params()
    )

    def run():
        loss, gradients = differentiate(inputs, labels)
        optimizer(gradients)
        return loss, network[0].bias

    return run


jax_step = _large.jax_step
