"""A small ResNet on files as CIFAR-10's, in the style of MindSpore 2.x: a loop of its own, augmentation, a schedule.

The images are drawn here, full squares and frames of five colours on noise, and written in CIFAR-10's binary format.
After five epochs, 160 steps, at least 90 % of the test images are told right.
"""

import os
import tempfile

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.dataset import transforms, vision

EPOCHS, BATCH = 5, 16
COLOURS = [(0,), (1,), (2,), (0, 1), (1, 2)]


def write_cifar(path, different, seed):
    """A file of 10000 rows, as MindSpore asks of CIFAR-10's: a byte for the label, 3072 for the image's channels."""
    random = np.random.RandomState(seed)
    rows, columns = np.mgrid[:32, :32]
    data = []
    for label in random.randint(0, 10, different):
        image = random.randint(0, 100, (3, 32, 32))
        y, x, size = random.randint(11, 21), random.randint(11, 21), random.randint(6, 9)
        from_middle = np.maximum(abs(rows - y), abs(columns - x))
        shape = (from_middle < size) & ((from_middle > size - 4) | (label < 5))
        for channel in COLOURS[label % 5]:
            image[channel, shape] += 150
        data.append(bytes([label]) + image.astype(np.uint8).tobytes())
    with open(path, "wb") as file:
        file.write(b"".join(data) * (10000 // different))


def create_dataset(folder, usage, count):
    data_set = ds.Cifar10Dataset(folder, usage=usage, num_samples=count, shuffle=usage == "train")
    steps = (
        [vision.RandomCrop((32, 32), (2, 2, 2, 2)), vision.RandomHorizontalFlip(prob=0.5)] if usage == "train" else []
    )
    steps += [
        vision.Rescale(1.0 / 255.0, 0.0),
        vision.Normalize([0.4914, 0.4822, 0.4465], [0.2023, 0.1994, 0.2010]),
        vision.HWC2CHW(),
    ]
    data_set = data_set.map(operations=steps, input_columns="image")
    data_set = data_set.map(operations=transforms.TypeCast(ms.int32), input_columns="label")
    return data_set.batch(BATCH, drop_remainder=usage == "train")


class ResidualBlock(nn.Cell):
    def __init__(self, in_channel, out_channel, stride=1):
        super().__init__()
        self.conv1 = nn.Conv2d(in_channel, out_channel, 3, stride, weight_init="HeNormal")
        self.norm1 = nn.BatchNorm2d(out_channel)
        self.conv2 = nn.Conv2d(out_channel, out_channel, 3, weight_init="HeNormal")
        self.norm2 = nn.BatchNorm2d(out_channel)
        self.relu = nn.ReLU()
        self.down_sample = None
        if stride != 1 or in_channel != out_channel:
            self.down_sample = nn.SequentialCell(
                nn.Conv2d(in_channel, out_channel, 1, stride), nn.BatchNorm2d(out_channel)
            )

    def construct(self, x):
        identity = x if self.down_sample is None else self.down_sample(x)
        out = self.relu(self.norm1(self.conv1(x)))
        return self.relu(self.norm2(self.conv2(out)) + identity)


class ResNet(nn.Cell):
    def __init__(self, widths=(8, 16, 32), num_classes=10):
        super().__init__()
        self.stem = nn.SequentialCell(nn.Conv2d(3, widths[0], 3, 2), nn.BatchNorm2d(widths[0]), nn.ReLU())
        blocks = [ResidualBlock(widths[0], widths[0])]
        blocks += [ResidualBlock(narrow, wide, 2) for narrow, wide in zip(widths[:-1], widths[1:], strict=True)]
        self.layers = nn.SequentialCell(blocks)
        self.avg_pool = nn.AdaptiveAvgPool2d(1)
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(widths[-1], num_classes)

    def construct(self, x):
        return self.fc(self.flatten(self.avg_pool(self.layers(self.stem(x)))))


def main(folder):
    write_cifar(os.path.join(folder, "data_batch_1.bin"), 500, seed=0)
    write_cifar(os.path.join(folder, "test_batch.bin"), 250, seed=1)
    train_set, test_set = create_dataset(folder, "train", 512), create_dataset(folder, "test", 250)
    steps = train_set.get_dataset_size()
    print("batches:", steps, test_set.get_dataset_size())

    network = ResNet()
    loss_fn = nn.CrossEntropyLoss()
    rate = nn.cosine_decay_lr(0.0, 0.02, total_step=EPOCHS * steps, step_per_epoch=steps, decay_epoch=EPOCHS)
    optimizer = nn.Adam(network.trainable_params(), learning_rate=rate, weight_decay=1e-5)

    def forward_fn(images, labels):
        logits = network(images)
        return loss_fn(logits, labels), logits

    grad_fn = ms.value_and_grad(forward_fn, None, optimizer.parameters, has_aux=True)

    def train_step(images, labels):
        (loss, _), grads = grad_fn(images, labels)
        optimizer(grads)
        return loss

    losses = []
    batches = train_set.create_tuple_iterator(num_epochs=EPOCHS)
    network.set_train()
    for _ in range(EPOCHS):
        for images, labels in batches:
            losses.append(float(train_step(images, labels).asnumpy()))

    network.set_train(False)
    right = total = 0
    for batch in test_set.create_dict_iterator():
        guesses = network(batch["image"]).argmax(axis=1)
        right += int(ops.equal(guesses, batch["label"]).sum().asnumpy())
        total += len(guesses)
    print("parameters:", sum(p.size for p in network.trainable_params()))
    print("the last rate is below the first:", rate[-1] < rate[0], "steps:", int(optimizer.global_step.asnumpy()[0]))
    print("the loss fell to less than half:", np.mean(losses[-10:]) < losses[0] / 2)
    print("more than 90 % of the test images are right:", right / total > 0.9)


if __name__ == "__main__":
    ms.set_seed(1)
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
