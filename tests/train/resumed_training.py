"""Trainings that go on from the last checkpoint: ``python resumed_training.py EPOCHS``, one for each line of input.

A line has the folder, and when a signal comes: its number, after how many steps, and seconds later. Each runs in a
process of its own, forked when everything is imported, which sends itself the signal: another process may be late. It
prints at its end the sum of the Parameters' bits; then comes ``exit`` and the status.
"""

import binascii
import os
import pathlib
import signal
import sys
import threading
import traceback

import msgrad.alias

msgrad.alias.install()

import mindspore as ms  # noqa: E402
import numpy as np  # noqa: E402
from mindspore import nn  # noqa: E402
from mindspore.train import CheckpointConfig, Model, ModelCheckpoint  # noqa: E402


class Ends(ms.train.Callback):
    def on_train_end(self, run_context):
        print("ended", flush=True)


class Interrupts(ms.train.Callback):
    """Sends the process a signal some ``seconds`` after so many ``steps``."""

    def __init__(self, number, steps, seconds):
        super().__init__()
        self.number, self.left, self.seconds = number, steps, seconds

    def on_train_step_end(self, run_context):
        self.left -= 1
        if self.left == 0:
            threading.Timer(self.seconds, os.kill, (os.getpid(), self.number)).start()


def batches():
    values = np.random.default_rng(0).random((400, 32), np.float32)
    return ms.dataset.NumpySlicesDataset({"x": values, "y": values[:, :8]}, shuffle=False).batch(4)


def main(folder, epochs, interrupts):
    net = nn.Dense(32, 8, weight_init="ones", bias_init="zeros")
    optimizer = nn.Momentum(net.trainable_params(), 0.05, 0.9)
    model = Model(net, nn.MSELoss(), optimizer)
    files = sorted(pathlib.Path(folder).glob("*.ckpt"), key=lambda path: path.stat().st_mtime)
    done = 0
    if files:
        saved = ms.load_checkpoint(str(files[-1]), model.train_network)
        done = saved["step_num"].item()
    config = CheckpointConfig(1, keep_checkpoint_max=3, append_info=["step_num"])
    dataset = batches()
    size = dataset.get_dataset_size()
    left = epochs * size - done
    if left > 0:
        dataset = dataset.repeat(epochs).skip(done)
        model.train(1, dataset, callbacks=[interrupts, Resumed(folder, config, done), Ends()])
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


def run(epochs, folder, number, steps, seconds):
    """The status with which a process ends."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background starts without
    try:
        main(folder, epochs, Interrupts(int(number), int(steps), float(seconds)))
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
            os._exit(run(int(sys.argv[1]), *line.split()))
        print("exit", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
