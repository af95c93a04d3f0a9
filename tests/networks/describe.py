"""Prints what the networks of this folder are, as JSON; run as ``python -m tests.networks.describe``.

Of each: its Parameters in order (name, shape, dtype, whether it is trainable), and what a narrow one computes with
Parameters that are drawn by name: in evaluation, then in training with the norms of the gradients.
"""

import importlib
import json
import sys
import zlib

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops

from . import NAMES

NARROW = 4


def drawn(name, shape, low, high):
    return np.random.RandomState(zlib.crc32(name.encode())).uniform(low, high, shape).astype(np.float32)


def fill(network):
    for p in network.get_parameters():
        bound = 1 / np.sqrt(np.prod(p.shape[1:])) if len(p.shape) > 1 else 0.5
        low = -bound if len(p.shape) > 1 else 0.25
        p.set_data(Tensor(drawn(p.name, p.shape, low, bound)))


def figures(module):
    network = module.build(NARROW)
    fill(network)
    x = Tensor(drawn("x", module.SHAPE, -1.0, 1.0))
    evaluated = network.set_train(False)(x).asnumpy()
    weight = Tensor(drawn("weight", evaluated.shape, 0.5, 1.5))
    network.set_train()
    loss, gradients = ms.value_and_grad(lambda x: ops.mean(network(x) * weight), None, network.trainable_params())(x)
    return {
        "evaluated": evaluated.ravel()[:40].astype(float).round(6).tolist(),
        "loss": float(loss.asnumpy()),
        "norms": [float(np.linalg.norm(each.asnumpy())) for each in gradients],
    }


def described(name):
    module = importlib.import_module(f"tests.networks.{name}")
    parameters = [[p.name, list(p.shape), str(p.dtype), p.requires_grad] for p in module.build().get_parameters()]
    return {"parameters": parameters, **figures(module)}


if __name__ == "__main__":
    json.dump({name: described(name) for name in sys.argv[1:] or NAMES}, sys.stdout, indent=0)
