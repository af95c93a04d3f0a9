"""DCGAN: transposed convolutions, noise of standard_normal, two optimizers."""

import mindspore as ms
from mindspore import nn, ops
from mindspore.common.initializer import Normal

ms.set_seed(5)


def up(inputs, outputs, stride, padding):
    return nn.Conv2dTranspose(inputs, outputs, 4, stride, "pad", padding, weight_init=Normal(0.02))


def down(inputs, outputs):
    return nn.Conv2d(inputs, outputs, 4, 2, "pad", 1, weight_init=Normal(0.02))


generator = nn.SequentialCell(
    up(10, 16, 1, 0),
    nn.BatchNorm2d(16),
    nn.ReLU(),
    up(16, 8, 2, 1),
    nn.BatchNorm2d(8),
    nn.ReLU(),
    up(8, 1, 2, 1),
    nn.Tanh(),
)
discriminator = nn.SequentialCell(
    down(1, 8), nn.LeakyReLU(0.2), down(8, 16), nn.BatchNorm2d(16), nn.LeakyReLU(0.2), nn.Flatten(), nn.Dense(256, 1)
)
generator.set_train()
discriminator.set_train()
loss_fn = nn.BCEWithLogitsLoss()
generator_optimizer = nn.Adam(generator.trainable_params(), 2e-4, beta1=0.5)
discriminator_optimizer = nn.Adam(discriminator.trainable_params(), 2e-4, beta1=0.5)


def generator_loss(noise):
    made = generator(noise)
    score = discriminator(made)
    return loss_fn(score, ops.ones_like(score)), made


def discriminator_loss(real, made):
    true, false = discriminator(real), discriminator(made)
    return loss_fn(true, ops.ones_like(true)) + loss_fn(false, ops.zeros_like(false))


generator_step = ms.value_and_grad(generator_loss, None, generator_optimizer.parameters, has_aux=True)
discriminator_step = ms.value_and_grad(discriminator_loss, None, discriminator_optimizer.parameters)
for _ in range(20):
    noise = ops.standard_normal((8, 10, 1, 1))
    real = ops.uniform((8, 1, 16, 16), ms.Tensor(-1.0), ms.Tensor(1.0))
    (loss, made), gradients = generator_step(noise)
    generator_optimizer(gradients)
    other, gradients = discriminator_step(real, ops.stop_gradient(made))
    discriminator_optimizer(gradients)
    print(f"{float(loss):.7f}")
    print(f"{float(other):.7f}")
