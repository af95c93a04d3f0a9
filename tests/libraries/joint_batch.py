"""Compares a training over several processes with one of the joint batch in a single process."""

import mindspore as ms
import numpy as np


class Losses(ms.Callback):
    """Keeps the loss of each step."""

    def __init__(self):
        super().__init__()
        self.losses = []

    def on_train_step_end(self, run_context):
        outputs = run_context.original_args().net_outputs  # a loss, with a loss scale: a tuple that begins with it
        self.losses.append(float(outputs[0] if isinstance(outputs, tuple) else outputs))


def compare(network, losses, file, size, rank):
    """Saves the mean losses and the weights in one of several processes, or compares those of one process with them.

    Args:
        network (Cell): after the training.
        losses (Losses): of this process.
        file (str): an ``.npz`` file, which rank 0 writes.
        size, rank (int): the number of processes, and this one's.
    """
    weights = {each.name: each.asnumpy() for each in network.trainable_params()}
    if size > 1:
        mean = ms.ops.AllReduce()(ms.Tensor(losses.losses, ms.float32)).asnumpy() / size
        if rank == 0:
            np.savez(file, losses=mean, **weights)
            print("losses", mean.tolist())
        return
    kept = np.load(file)
    print("losses", losses.losses)
    print("largest relative difference of losses", np.abs(kept["losses"] / losses.losses - 1).max())
    print("largest difference of weights", max(np.abs(kept[name] - value).max() for name, value in weights.items()))
