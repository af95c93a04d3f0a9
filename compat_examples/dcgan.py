"""A DCGAN in the style of MindSpore 2.x: two networks, two optimizers, alternating steps.

The images are drawn here: one soft spot, somewhere on a dark square of 16 times 16. After 200 steps the generator's
images have the brightness of the drawn ones to within a quarter, dark borders and a bright spot.
"""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.common.initializer import Normal

BATCH, LATENT, STEPS, WIDTH = 32, 16, 200, 8


def images(count, random):
    rows, columns = np.mgrid[:16, :16]
    for _ in range(count):
        y, x = random.uniform(5, 10, 2)
        spot = np.exp(-((rows - y) ** 2 + (columns - x) ** 2) / 8)
        yield (2 * spot - 1)[None].astype(np.float32)


class Generator(nn.Cell):
    def __init__(self):
        super().__init__()
        init = Normal(0.05)
        self.generator = nn.SequentialCell(
            nn.Conv2dTranspose(LATENT, 2 * WIDTH, 4, 1, "valid", weight_init=init),
            nn.BatchNorm2d(2 * WIDTH),
            nn.ReLU(),
            nn.Conv2dTranspose(2 * WIDTH, WIDTH, 4, 2, "pad", 1, weight_init=init),
            nn.BatchNorm2d(WIDTH),
            nn.ReLU(),
            nn.Conv2dTranspose(WIDTH, 1, 4, 2, "pad", 1, weight_init=init, has_bias=True),
            nn.Tanh(),
        )

    def construct(self, z):
        return self.generator(z)


class Discriminator(nn.Cell):
    def __init__(self):
        super().__init__()
        init = Normal(0.05)
        self.discriminator = nn.SequentialCell(
            nn.Conv2d(1, WIDTH, 4, 2, "pad", 1, weight_init=init),
            nn.LeakyReLU(0.2),
            nn.Conv2d(WIDTH, 2 * WIDTH, 4, 2, "pad", 1, weight_init=init),
            nn.BatchNorm2d(2 * WIDTH),
            nn.LeakyReLU(0.2),
            nn.Conv2d(2 * WIDTH, 1, 4, 1, "valid", weight_init=init, has_bias=True),
        )
        self.adv_layer = nn.Sigmoid()

    def construct(self, image):
        return self.adv_layer(self.discriminator(image)).reshape(image.shape[0], 1)


ms.set_seed(1)
generator, discriminator = Generator(), Discriminator()
generator.update_parameters_name("generator.")
discriminator.update_parameters_name("discriminator.")
adversarial_loss = nn.BCELoss(reduction="mean")
optimizer_d = nn.Adam(discriminator.trainable_params(), learning_rate=0.002, beta1=0.5)
optimizer_g = nn.Adam(generator.trainable_params(), learning_rate=0.004, beta1=0.5)


def generator_forward(z, valid):
    fake_images = generator(z)
    return adversarial_loss(discriminator(fake_images), valid), fake_images


def discriminator_forward(real_images, fake_images, valid, fake):
    real_loss = adversarial_loss(discriminator(real_images), valid)
    fake_loss = adversarial_loss(discriminator(ops.stop_gradient(fake_images)), fake)
    return (real_loss + fake_loss) / 2


grad_generator_fn = ms.value_and_grad(generator_forward, None, optimizer_g.parameters, has_aux=True)
grad_discriminator_fn = ms.value_and_grad(discriminator_forward, None, optimizer_d.parameters)


def train_step(real_images):
    valid, fake = ops.ones((real_images.shape[0], 1)), ops.zeros((real_images.shape[0], 1))
    z = ops.randn(real_images.shape[0], LATENT, 1, 1)
    (g_loss, fake_images), g_grads = grad_generator_fn(z, valid)
    optimizer_g(g_grads)
    d_loss, d_grads = grad_discriminator_fn(real_images, fake_images, valid, fake)
    optimizer_d(d_grads)
    return g_loss, d_loss


drawn = list(images(BATCH * 20, np.random.RandomState(0)))
data_set = ds.NumpySlicesDataset({"image": drawn}, shuffle=True).batch(BATCH, drop_remainder=True)
generator.set_train()
discriminator.set_train()
losses = []
epochs = STEPS // data_set.get_dataset_size()
batches = data_set.create_tuple_iterator(num_epochs=epochs)
for _ in range(epochs):
    for (image,) in batches:
        losses.append([float(loss.asnumpy()) for loss in train_step(image)])

generator.set_train(False)
made = generator(ops.randn(64, LATENT, 1, 1)).asnumpy()
real = np.stack(drawn)
borders = np.concatenate([made[..., 0, :], made[..., -1, :], made[..., 0], made[..., -1]], axis=-1)
print("parameters:", [p.name for p in generator.trainable_params()][:3], len(discriminator.trainable_params()))
print("steps:", len(losses), "all finite:", bool(np.isfinite(losses).all()))
print("the brightness is that of the drawn ones, nearly:", bool(abs(made.mean() - real.mean()) < 0.25))
print("the borders are dark:", bool(borders.mean() < -0.8))
print("there is a bright spot:", bool(np.median(made.max(axis=(1, 2, 3))) > 0.3))
