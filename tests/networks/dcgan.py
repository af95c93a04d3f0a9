"""DCGAN: a generator and its discriminator, in sequence."""

from mindspore import nn
from mindspore.common.initializer import Normal

WIDTH = 64
SHAPE = (2, 100, 1, 1)


class Generator(nn.Cell):
    def __init__(self, width, latent=100, channels=3):
        super().__init__()
        init = Normal(0.02)
        self.generator = nn.SequentialCell()
        self.generator.append(nn.Conv2dTranspose(latent, width * 4, 4, 1, "valid", weight_init=init))
        self.generator.append(nn.BatchNorm2d(width * 4, gamma_init=Normal(0.02, 1.0)))
        self.generator.append(nn.ReLU())
        for k in (2, 1):
            self.generator.append(nn.Conv2dTranspose(width * 2 * k, width * k, 4, 2, "pad", 1, weight_init=init))
            self.generator.append(nn.BatchNorm2d(width * k, gamma_init=Normal(0.02, 1.0)))
            self.generator.append(nn.ReLU())
        self.generator.append(nn.Conv2dTranspose(width, channels, 4, 2, "pad", 1, weight_init=init))
        self.generator.append(nn.Tanh())

    def construct(self, x):
        return self.generator(x)


class Discriminator(nn.Cell):
    def __init__(self, width, channels=3):
        super().__init__()
        init = Normal(0.02)
        layers = [nn.Conv2d(channels, width, 4, 2, "pad", 1, weight_init=init), nn.LeakyReLU(0.2)]
        for k in (1, 2):
            layers += [
                nn.Conv2d(width * k, width * 2 * k, 4, 2, "pad", 1, weight_init=init),
                nn.BatchNorm2d(width * 2 * k, gamma_init=Normal(0.02, 1.0)),
                nn.LeakyReLU(0.2),
            ]
        layers.append(nn.Conv2d(width * 4, 1, 4, 1, "valid", weight_init=init))
        self.discriminator = nn.SequentialCell(*layers)
        self.adv_layer = nn.Sigmoid()

    def construct(self, x):
        y = self.adv_layer(self.discriminator(x))
        return y.reshape(y.shape[0], -1)


class DCGAN(nn.Cell):
    def __init__(self, width):
        super().__init__()
        self.generator = Generator(width)
        self.discriminator = Discriminator(width)

    def construct(self, x):
        return self.discriminator(self.generator(x))


def build(width=WIDTH):
    return DCGAN(width)
