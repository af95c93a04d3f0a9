"""Prints how networks of this folder learn, as JSON; run as ``python -m tests.networks.train``.

Of each of `TRAINED`: its Parameters in order (name, shape, dtype, whether it is trainable), and the losses of twenty
steps of a narrow one, from Parameters that are drawn by name.
"""

import importlib
import json
import sys

import mindspore as ms

from . import TRAINED
from .describe import fill

NARROW = 8
STEPS = 20


def learnt(name):
    module = importlib.import_module(f"tests.networks.{name}")
    parameters = [[p.name, list(p.shape), str(p.dtype), p.requires_grad] for p in module.build().get_parameters()]
    network = module.build(NARROW).set_train()
    fill(network)
    optimizer = module.optimizer(network)
    step = ms.value_and_grad(network, None, optimizer.parameters)
    inputs = module.data()
    losses = []
    for _ in range(STEPS):
        loss, gradients = step(*inputs)
        optimizer(gradients)
        losses.append(float(loss.asnumpy()))
    return {"parameters": parameters, "losses": losses}


if __name__ == "__main__":
    json.dump({name: learnt(name) for name in sys.argv[1:] or TRAINED}, sys.stdout, indent=0)
