"""Trainings that go on from the last checkpoint: ``python resumed_training.py EPOCHS``, folders on standard input.

Each runs in a process of its own, forked when everything is imported. It prints its number, a line for each step, and
at its end the sum of the Parameters' bits; then comes ``exit`` and the status.
"""

import binascii
import os
import pathlib
import signal
import sys
import traceback

import msgrad.alias

msgrad.alias.install()

import mindspore as ms  # noqa: E402
import numpy as np  # noqa: E402
from mindspore import nn  # noqa: E402
from mindspore.train import CheckpointConfig, LambdaCallback, Model, ModelCheckpoint  # noqa: E402


class Ends(ms.train.Callback):
    def on_train_end(self, run_context):
        print("ended", flush=True)


def batches():
    values = np.random.default_rng(0).random((400, 32), np.float32)
    return ms.dataset.NumpySlicesDataset({"x": values, "y": values[:, :8]}, shuffle=False).batch(4)


def main(folder, epochs):
    net = nn.Dense(32, 8, weight_init="ones", bias_init="zeros")
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    model = Model(net, nn.MSELoss(), optimizer)
    files = sorted(pathlib.Path(folder).glob("*.ckpt"), key=lambda path: path.stat().st_mtime)
    done = 0
    if files:
        saved = ms.load_checkpoint(str(files[-1]), model.train_network)
        done = saved["step_num"].item()
    config = CheckpointConfig(1, keep_checkpoint_max=3, append_info=["step_num"])
    steps = LambdaCallback(on_train_step_end=lambda context: print("step", flush=True))
    dataset = batches()
    size = dataset.get_dataset_size()
    left = epochs * size - done
    if left > 0:
        dataset = dataset.repeat(epochs).skip(done)
        model.train(1, dataset, callbacks=[steps, Resumed(folder, config, done), Ends()])
    print(binascii.crc32(net.weight.asnumpy().tobytes() + net.bias.asnumpy().tobytes()))


class Resumed(ModelCheckpoint):
    """Counts the steps of the runs before, too."""

    def __init__(self, folder, config, done):
        super().__init__("net", folder, config)
        self.done = done
        self._append_dict["step_num"] = done

    def _write(self, path, facts):
        step, facts.cur_step_num = facts.cur_step_num, facts.cur_step_num + self.done
        super()._write(path, facts)
        facts.cur_step_num = step


def run(folder, epochs):
    """The status with which a process ends."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background starts without
    try:
        print("process", os.getpid(), flush=True)
        main(folder, epochs)
    except BaseException:
        traceback.print_exc()
        return 1
    finally:
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    for line in sys.stdin:
        child = os.fork()
        if not child:
            os._exit(run(line.strip(), int(sys.argv[1])))
        print("exit", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
