"""LeNet-5 on files as MNIST's, in the style of MindSpore 1.x: `Model.train` with callbacks, checkpoints, `eval`.

The digits are drawn here, in seven segments, shifted and noisy, and written in MNIST's own format. After five epochs,
180 steps, at least 90 % of the test images are told right; a new network with the last checkpoint tells as many.
"""

import contextlib
import io
import os
import struct
import tempfile

import mindspore.dataset as ds
import mindspore.dataset.transforms as C
import mindspore.dataset.vision as CV
import mindspore.nn as nn
import numpy as np
from mindspore import Model, load_checkpoint, load_param_into_net
from mindspore.common import dtype as mstype
from mindspore.common.initializer import Normal
from mindspore.dataset.vision import Inter
from mindspore.nn import Accuracy
from mindspore.train.callback import CheckpointConfig, LossMonitor, ModelCheckpoint, TimeMonitor

EPOCHS, BATCH = 5, 32
# Segments: top, upper left, upper right, middle, lower left, lower right, bottom.
DIGITS = ["1110111", "0010010", "1011101", "1011011", "0111010", "1101011", "1101111", "1010010", "1111111", "1111011"]
SEGMENTS = [np.s_[0:3, 0:11], np.s_[0:10, 0:3], np.s_[0:10, 8:11], np.s_[8:11, 0:11]]
SEGMENTS += [np.s_[9:19, 0:3], np.s_[9:19, 8:11], np.s_[16:19, 0:11]]


def write_mnist(folder, prefix, count, seed):
    random = np.random.RandomState(seed)
    labels = random.randint(0, 10, count).astype(np.uint8)
    images = random.randint(0, 60, (count, 28, 28)).astype(np.uint8)
    for image, label in zip(images, labels, strict=True):
        top, left = random.randint(3, 7), random.randint(7, 11)
        for lit, segment in zip(DIGITS[label], SEGMENTS, strict=True):
            if lit == "1":
                image[top : top + 19, left : left + 11][segment] += 180
    os.makedirs(folder)
    with open(os.path.join(folder, f"{prefix}-images-idx3-ubyte"), "wb") as file:
        file.write(struct.pack(">4i", 2051, count, 28, 28) + images.tobytes())
    with open(os.path.join(folder, f"{prefix}-labels-idx1-ubyte"), "wb") as file:
        file.write(struct.pack(">2i", 2049, count) + labels.tobytes())


def create_dataset(data_path, batch_size, repeat_size=1, num_parallel_workers=1):
    mnist_ds = ds.MnistDataset(data_path)
    transforms = [
        CV.Resize((32, 32), interpolation=Inter.LINEAR),
        CV.Rescale(1.0 / 255.0, 0.0),
        CV.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081),
        CV.HWC2CHW(),
    ]
    mnist_ds = mnist_ds.map(C.TypeCast(mstype.int32), "label", num_parallel_workers=num_parallel_workers)
    mnist_ds = mnist_ds.map(transforms, input_columns="image", num_parallel_workers=num_parallel_workers)
    mnist_ds = mnist_ds.shuffle(buffer_size=500)
    return mnist_ds.batch(batch_size, drop_remainder=True).repeat(repeat_size)


class LeNet5(nn.Cell):
    def __init__(self, num_class=10, num_channel=1):
        super().__init__()
        self.conv1 = nn.Conv2d(num_channel, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(16 * 5 * 5, 120, weight_init=Normal(0.05))
        self.fc2 = nn.Dense(120, 84, weight_init=Normal(0.05))
        self.fc3 = nn.Dense(84, num_class, weight_init=Normal(0.05))
        self.relu = nn.ReLU()
        self.max_pool2d = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.max_pool2d(self.relu(self.conv1(x)))
        x = self.max_pool2d(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


def new_model():
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(network.trainable_params(), learning_rate=0.01, momentum=0.9)
    return network, Model(network, loss, optimizer, metrics={"Accuracy": Accuracy()})


def main(folder):
    write_mnist(f"{folder}/train", "train", 1152, seed=0)
    write_mnist(f"{folder}/test", "t10k", 320, seed=1)
    ds.config.set_seed(1)
    train_set = create_dataset(f"{folder}/train", BATCH)
    steps = train_set.get_dataset_size()

    network, model = new_model()
    config = CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=1)
    checkpoints = ModelCheckpoint(prefix="checkpoint_lenet", directory=folder, config=config)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        callbacks = [TimeMonitor(steps), checkpoints, LossMonitor(steps)]
        model.train(EPOCHS, train_set, callbacks=callbacks, dataset_sink_mode=False)
    print("the monitors' lines:", [line.split(",")[0].split(" time")[0] for line in said.getvalue().splitlines()])
    print("checkpoints:", sorted(name for name in os.listdir(folder) if name.endswith(".ckpt")))

    accuracy = model.eval(create_dataset(f"{folder}/test", BATCH), dataset_sink_mode=False)["Accuracy"]
    print("more than 90 % of the test images are right:", accuracy > 0.9)

    fresh, fresh_model = new_model()
    param_dict = load_checkpoint(os.path.join(folder, f"checkpoint_lenet-{EPOCHS}_{steps}.ckpt"))
    print("in the checkpoint:", [(name, param_dict[name].shape) for name in sorted(param_dict)][:4])
    print("not loaded:", load_param_into_net(fresh, param_dict)[0])
    again = fresh_model.eval(create_dataset(f"{folder}/test", BATCH), dataset_sink_mode=False)["Accuracy"]
    print("as many as the network that was trained:", again == accuracy)


if __name__ == "__main__":
    np.random.seed(1)
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
