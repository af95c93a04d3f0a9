"""ResNet-50: its training step in MindSpore, in JAX and in PyTorch."""

import numpy as np

from .precision import dtype_of_jax

FULL = {"batch": 128, "side": 224, "blocks": (3, 4, 6, 3)}
SMALL = {"batch": 4, "side": 32, "blocks": (1, 1, 1, 1)}


def blocks(sizes):
    """Channels in, width and stride of each block."""
    channels = 64
    for stage, count in enumerate(sizes["blocks"]):
        width = 64 * 2**stage
        for number in range(count):
            yield channels, width, 2 if stage and not number else 1
            channels = 4 * width


def data(sizes):
    random, shape = np.random.default_rng(0), (sizes["batch"], 3, sizes["side"], sizes["side"])
    return random.standard_normal(shape, np.float32), random.integers(0, 1000, sizes["batch"]).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, images and labels."""
    import mindspore as ms
    from mindspore import nn

    class Bottleneck(nn.Cell):
        def __init__(self, channels, width, stride):
            super().__init__()
            self.conv1, self.norm1 = nn.Conv2d(channels, width, 1), nn.BatchNorm2d(width)
            self.conv2 = nn.Conv2d(width, width, 3, stride=stride, pad_mode="pad", padding=1)
            self.norm2 = nn.BatchNorm2d(width)
            self.conv3, self.norm3 = nn.Conv2d(width, 4 * width, 1), nn.BatchNorm2d(4 * width)
            self.relu, self.down = nn.ReLU(), None
            if stride != 1 or channels != 4 * width:
                down = nn.Conv2d(channels, 4 * width, 1, stride=stride)
                self.down = nn.SequentialCell(down, nn.BatchNorm2d(4 * width))

        def construct(self, x):
            y = self.relu(self.norm1(self.conv1(x)))
            y = self.relu(self.norm2(self.conv2(y)))
            return self.relu(self.norm3(self.conv3(y)) + (x if self.down is None else self.down(x)))

    class ResNet50(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv = nn.Conv2d(3, 64, 7, stride=2, pad_mode="pad", padding=3)
            self.norm, self.relu, self.pool = nn.BatchNorm2d(64), nn.ReLU(), nn.MaxPool2d(3, 2, "same")
            self.body = nn.SequentialCell([Bottleneck(*block) for block in blocks(sizes)])
            self.head = nn.Dense(2048, 1000)

        def construct(self, x):
            x = self.body(self.pool(self.relu(self.norm(self.conv(x)))))
            return self.head(x.mean((2, 3)))

    cross_entropy = nn.CrossEntropyLoss()

    def loss(network, images, labels):
        return cross_entropy(network(images).astype(ms.float32), labels)

    return ResNet50(), loss


def jax_loss(sizes, precision):
    """Parameters, state, and the loss as a function of both, images and labels; it returns the next state, too."""
    import jax
    import jax.numpy as jnp
    from jax import lax

    random, dtype = np.random.default_rng(0), dtype_of_jax(precision)
    p, state = {}, {}

    def add(name, *shape):
        """Weights of a convolution and of the normalization after it."""
        scale = (2 / np.prod(shape[1:])) ** 0.5
        p[name] = jnp.asarray(random.standard_normal(shape, np.float32) * np.float32(scale))
        p[f"{name}.scale"], p[f"{name}.shift"] = jnp.ones(shape[0]), jnp.zeros(shape[0])
        state[f"{name}.mean"], state[f"{name}.variance"] = jnp.zeros(shape[0]), jnp.ones(shape[0])

    add("stem", 64, 3, 7, 7)
    for i, (channels, width, stride) in enumerate(blocks(sizes)):
        add(f"{i}.1", width, channels, 1, 1)
        add(f"{i}.2", width, width, 3, 3)
        add(f"{i}.3", 4 * width, width, 1, 1)
        if stride != 1 or channels != 4 * width:
            add(f"{i}.down", 4 * width, channels, 1, 1)
    p["head"] = jnp.asarray(random.standard_normal((1000, 2048), np.float32) * np.float32(2048**-0.5))
    p["head.bias"] = jnp.zeros(1000)

    def loss(p, state, images, labels):
        following = {}

        def normalized_conv(x, name, stride=1, padding=0):
            layout = ("NCHW", "OIHW", "NCHW")
            kernel, padding = p[name].astype(dtype), [(padding, padding)] * 2
            x = lax.conv_general_dilated(x, kernel, (stride, stride), padding, dimension_numbers=layout)
            x = x.astype(jnp.float32)
            mean, variance = x.mean((0, 2, 3)), x.var((0, 2, 3))
            following[f"{name}.mean"] = 0.9 * state[f"{name}.mean"] + 0.1 * mean
            following[f"{name}.variance"] = 0.9 * state[f"{name}.variance"] + 0.1 * variance
            scale = lax.rsqrt(variance + 1e-5) * p[f"{name}.scale"]
            shift = p[f"{name}.shift"] - mean * scale
            return (x * scale[:, None, None] + shift[:, None, None]).astype(dtype)

        x = jax.nn.relu(normalized_conv(images.astype(dtype), "stem", 2, 3))
        x = lax.reduce_window(x, np.array(-np.inf, dtype), lax.max, (1, 1, 3, 3), (1, 1, 2, 2), "SAME")
        for i, (_, _, stride) in enumerate(blocks(sizes)):
            y = jax.nn.relu(normalized_conv(x, f"{i}.1"))
            y = jax.nn.relu(normalized_conv(y, f"{i}.2", stride, 1))
            y = normalized_conv(y, f"{i}.3")
            x = jax.nn.relu(y + (normalized_conv(x, f"{i}.down", stride) if f"{i}.down" in p else x))
        logits = x.mean((2, 3)) @ p["head"].T.astype(dtype) + p["head.bias"].astype(dtype)
        chosen = jnp.take_along_axis(jax.nn.log_softmax(logits.astype(jnp.float32)), labels[:, None], 1)
        return -chosen.mean(), following

    return p, state, loss


def torch_network(sizes, device):
    """The network, images and labels, on ``device``, channels last as PyTorch's users have them."""
    import torch
    from torch import nn

    def conv(channels, width, size, stride=1):
        return [nn.Conv2d(channels, width, size, stride, size // 2, bias=False), nn.BatchNorm2d(width)]

    class Bottleneck(nn.Module):
        def __init__(self, channels, width, stride):
            super().__init__()
            first, second = conv(channels, width, 1), conv(width, width, 3, stride)
            relus = [nn.ReLU(True) for _ in range(2)]
            self.body = nn.Sequential(*first, relus[0], *second, relus[1], *conv(width, 4 * width, 1))
            has_down = stride != 1 or channels != 4 * width
            self.down = nn.Sequential(*conv(channels, 4 * width, 1, stride)) if has_down else nn.Identity()

        def forward(self, x):
            return nn.functional.relu(self.body(x) + self.down(x), True)

    stem = [*conv(3, 64, 7, 2), nn.ReLU(True), nn.MaxPool2d(3, 2, 1)]
    head = [nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(2048, 1000)]
    network = nn.Sequential(*stem, *[Bottleneck(*block) for block in blocks(sizes)], *head)
    images, labels = (torch.tensor(each, device=device) for each in data(sizes))
    last = torch.channels_last
    return network.to(device, memory_format=last), images.contiguous(memory_format=last), labels.long()
