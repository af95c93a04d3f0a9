"""Networks of convolutions, each written once for MindSpore and PyTorch, from layers that both have.

A ``kit`` gives the layers of one library. Sizes are those of images that a CPU trains in less than a second.
"""

import types

import numpy as np

CLASSES = 10
FULL = {"network": "resnet18", "images": (32, 3, 32, 32)}


def data(sizes):
    random, shape = np.random.default_rng(0), sizes["images"]
    return random.standard_normal(shape, np.float32), random.integers(0, CLASSES, shape[0]).astype(np.int32)


def mindspore_loss(sizes):
    """The network, and the loss as a function of it, images and labels."""
    from mindspore import nn

    cross_entropy = nn.CrossEntropyLoss()
    network = NETWORKS[sizes["network"]](_mindspore_kit())
    return network, lambda network, images, labels: cross_entropy(network(images), labels)


def torch_network(sizes, device):
    """The network, images and labels, on ``device``, channels last as PyTorch's users have them."""
    import torch

    images, labels = (torch.tensor(each, device=device) for each in data(sizes))
    last, network = torch.channels_last, NETWORKS[sizes["network"]](_torch_kit())
    return network.to(device, memory_format=last), images.contiguous(memory_format=last), labels.long()


def _modules(base, cat):
    """Modules of one library, with ``base`` as their class, that take others and add, join or permute."""

    class Sum(base):
        def __init__(self, body, shortcut=None):
            super().__init__()
            self.body, self.shortcut = body, shortcut

        def construct(self, x):
            return self.body(x) + (x if self.shortcut is None else self.shortcut(x))

        forward = construct

    class Joined(base):
        def __init__(self, body):
            super().__init__()
            self.body = body

        def construct(self, x):
            return cat([x, self.body(x)], 1)

        forward = construct

    class Permuted(base):
        def __init__(self, *axes):
            super().__init__()
            self.axes = axes

        def construct(self, x):
            return x.permute(*self.axes)

        forward = construct

    return {"sum": Sum, "joined": Joined, "permuted": Permuted}


def _mindspore_kit():
    from mindspore import nn, ops

    def conv(before, width, size, stride=1, groups=1, pad=None, has_bias=False):
        pad = size // 2 if pad is None else pad
        settings = {"pad_mode": "pad", "padding": pad, "group": groups, "has_bias": has_bias}
        return nn.Conv2d(before, width, size, stride, **settings)

    return types.SimpleNamespace(
        **_modules(nn.Cell, ops.cat),
        **{"chain": nn.SequentialCell, "conv": conv},
        transposed=lambda before, width, pad: nn.Conv2dTranspose(before, width, 4, 2, pad_mode="pad", padding=pad),
        **{"norm": nn.BatchNorm2d, "layer_norm": lambda width: nn.LayerNorm([width]), "groups": nn.GroupNorm},
        **{"relu": nn.ReLU, "relu6": nn.ReLU6, "silu": nn.SiLU, "leaky": lambda: nn.LeakyReLU(0.2)},
        gelu=lambda: nn.GELU(approximate=False),
        **{"pool": lambda size: nn.MaxPool2d(size, size), "mean": lambda size: nn.AvgPool2d(size, size)},
        **{"flat": nn.Flatten, "dense": nn.Dense, "whole": lambda: nn.AdaptiveAvgPool2d(1)},
    )


def _torch_kit():
    import torch
    from torch import nn

    def conv(before, width, size, stride=1, groups=1, pad=None, has_bias=False):
        pad = size // 2 if pad is None else pad
        return nn.Conv2d(before, width, size, stride, pad, groups=groups, bias=has_bias)

    return types.SimpleNamespace(
        **_modules(nn.Module, torch.cat),
        **{"chain": nn.Sequential, "conv": conv},
        transposed=lambda before, width, pad: nn.ConvTranspose2d(before, width, 4, 2, pad, bias=False),
        **{"norm": nn.BatchNorm2d, "layer_norm": nn.LayerNorm, "groups": nn.GroupNorm},
        **{"relu": lambda: nn.ReLU(True), "relu6": lambda: nn.ReLU6(True), "silu": lambda: nn.SiLU(True)},
        **{"leaky": lambda: nn.LeakyReLU(0.2, True), "gelu": nn.GELU},
        **{"pool": lambda size: nn.MaxPool2d(size, size), "mean": lambda size: nn.AvgPool2d(size, size)},
        **{"flat": nn.Flatten, "dense": nn.Linear, "whole": lambda: nn.AdaptiveAvgPool2d(1)},
    )


def _block(kit, before, width, size, stride=1, groups=1, act="relu"):
    return kit.chain(kit.conv(before, width, size, stride, groups), kit.norm(width), getattr(kit, act)())


def _residual(kit, body, before, width, stride):
    shortcut = kit.conv(before, width, 1, stride) if stride > 1 or before != width else None
    return kit.chain(kit.sum(body, shortcut), kit.relu())


def _head(kit, width):
    return [kit.whole(), kit.flat(), kit.dense(width, CLASSES)]


def resnet18(kit):
    layers, before = [_block(kit, 3, 64, 3)], 64
    for width, stride in ((64, 1), (64, 1), (128, 2), (128, 1), (256, 2), (256, 1), (512, 2), (512, 1)):
        second = kit.conv(width, width, 3), kit.norm(width)
        layers.append(_residual(kit, kit.chain(_block(kit, before, width, 3, stride), *second), before, width, stride))
        before = width
    return kit.chain(*layers, *_head(kit, before))


def resnext(kit):
    layers, before = [_block(kit, 3, 64, 7, 2), kit.pool(2)], 64
    for inner, width, stride in ((128, 256, 1), (128, 256, 1), (256, 512, 2), (256, 512, 1), (512, 1024, 2)):
        blocks = _block(kit, before, inner, 1), _block(kit, inner, inner, 3, stride, 32)
        body = kit.chain(*blocks, kit.conv(inner, width, 1), kit.norm(width))
        layers.append(_residual(kit, body, before, width, stride))
        before = width
    return kit.chain(*layers, *_head(kit, before))


def mobilenet(kit):
    layers, before = [_block(kit, 3, 32, 3, 2, act="relu6")], 32
    stages = (1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)
    for factor, width, count, stride in stages:
        for number in range(count):
            inner, step = before * factor, stride if number == 0 else 1
            blocks = [_block(kit, before, inner, 1, act="relu6"), _block(kit, inner, inner, 3, step, inner, "relu6")]
            body = kit.chain(*blocks, kit.conv(inner, width, 1), kit.norm(width))
            layers.append(kit.sum(body) if step == 1 and before == width else body)
            before = width
    return kit.chain(*layers, _block(kit, before, 1280, 1, act="relu6"), *_head(kit, 1280))


def densenet(kit):
    layers, before, growth = [_block(kit, 3, 32, 3, 2), kit.pool(2)], 32, 16
    for count in (4, 6, 8):
        for _ in range(count):
            body = [kit.norm(before), kit.relu(), kit.conv(before, 4 * growth, 1)]
            body += [kit.norm(4 * growth), kit.relu(), kit.conv(4 * growth, growth, 3)]
            layers.append(kit.joined(kit.chain(*body)))
            before += growth
        layers += [kit.norm(before), kit.relu(), kit.conv(before, before // 2, 1), kit.mean(2)]
        before //= 2
    return kit.chain(*layers, *_head(kit, before))


def convnext(kit):
    def block(width):
        dense = kit.dense(width, 4 * width), kit.gelu(), kit.dense(4 * width, width)
        deep = kit.conv(width, width, 7, groups=width, has_bias=True)
        return kit.sum(
            kit.chain(deep, kit.permuted(0, 2, 3, 1), kit.layer_norm(width), *dense, kit.permuted(0, 3, 1, 2))
        )

    layers = [kit.conv(3, 96, 4, 4, pad=0), block(96), block(96)]
    return kit.chain(*layers, kit.conv(96, 192, 2, 2, pad=0), block(192), block(192), *_head(kit, 192))


def vgg(kit):
    layers, before = [], 3
    for width in (32, 64, 128, 256):
        for each in (before, width):
            layers += [kit.conv(each, width, 3, has_bias=True), kit.relu()]
        layers.append(kit.pool(2))
        before = width
    return kit.chain(*layers, kit.flat(), kit.dense(256 * 64, CLASSES))


def dcgan(kit):
    """A generator, from 64 x 8 x 8 to images of 64 x 64, and a discriminator, one after the other."""
    layers, before = [], 64
    for width in (64, 32):
        layers += [kit.transposed(before, width, 1), kit.norm(width), kit.relu()]
        before = width
    layers.append(kit.transposed(before, 3, 1))
    for before, width in ((3, 32), (32, 64), (64, 128)):
        layers += [kit.conv(before, width, 4, 2, pad=1), kit.leaky()]
    return kit.chain(*layers, kit.flat(), kit.dense(128 * 64, CLASSES))


def group_norm(kit):
    layers = [kit.conv(3, 64, 3)]
    for _ in range(4):
        layers += [kit.groups(8, 64), kit.silu(), kit.conv(64, 64, 3)]
    return kit.chain(*layers, *_head(kit, 64))


NETWORKS = {each.__name__: each for each in (resnet18, resnext, mobilenet, densenet, convnext, vgg, dcgan, group_norm)}
