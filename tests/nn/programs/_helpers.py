"""Parameters and data drawn from their names, so that they are the same in both libraries."""

import zlib

import numpy as np
from mindspore import Tensor


def drawn(name, shape, low=-1.0, high=1.0):
    return np.random.RandomState(zlib.crc32(name.encode())).uniform(low, high, shape).astype(np.float32)


def counted(name, shape, top):
    return np.random.RandomState(zlib.crc32(name.encode())).randint(0, top, shape).astype(np.int32)


def fill(network):
    for parameter in network.get_parameters():
        shape = parameter.shape
        if len(shape) > 1:
            bound = 1 / np.sqrt(np.prod(shape[1:]))
            parameter.set_data(Tensor(drawn(parameter.name, shape, -bound, bound), parameter.dtype))
        elif parameter.requires_grad and shape:
            parameter.set_data(Tensor(drawn(parameter.name, shape, 0.3, 0.6), parameter.dtype))
    return network


def show(name, losses):
    print(name, " ".join(f"{loss:.6g}" for loss in losses))
