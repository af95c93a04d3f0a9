"""ResNet-18 for small images with augmentation: crops, flips and colours of a pipeline with one worker."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.dataset import transforms, vision

ms.set_seed(2)
ds.config.set_num_parallel_workers(1)


class Block(nn.Cell):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.first = nn.Conv2d(inputs, outputs, 3, stride)
        self.first_norm = nn.BatchNorm2d(outputs)
        self.second = nn.Conv2d(outputs, outputs, 3)
        self.second_norm = nn.BatchNorm2d(outputs)
        self.shortcut = None
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.SequentialCell(nn.Conv2d(inputs, outputs, 1, stride), nn.BatchNorm2d(outputs))

    def construct(self, x):
        y = ops.relu(self.first_norm(self.first(x)))
        y = self.second_norm(self.second(y))
        return ops.relu(y + (x if self.shortcut is None else self.shortcut(x)))


class ResNet18(nn.Cell):
    def __init__(self, width=8):
        super().__init__()
        self.stem = nn.SequentialCell(nn.Conv2d(3, width, 3), nn.BatchNorm2d(width), nn.ReLU())
        blocks, inputs = [], width
        for stage in range(4):
            for stride in (1 if stage == 0 else 2, 1):
                blocks.append(Block(inputs, width << stage, stride))
                inputs = width << stage
        self.blocks = nn.SequentialCell(blocks)
        self.classes = nn.Dense(inputs, 10)

    def construct(self, x):
        return self.classes(self.blocks(self.stem(x)).mean((2, 3)))


images = np.random.randint(0, 256, (80, 32, 32, 3)).astype(np.uint8)
labels = np.random.randint(0, 10, 80).astype(np.int32)
augment = [
    vision.RandomCrop(32, padding=4),
    vision.RandomHorizontalFlip(),
    vision.RandomColorAdjust(0.4, 0.4, 0.4),
    transforms.RandomApply([vision.RandomRotation(10)], 0.3),
    vision.Rescale(1 / 255, 0),
    vision.Normalize([0.49, 0.48, 0.45], [0.25, 0.24, 0.26]),
    vision.HWC2CHW(),
]
data = ds.NumpySlicesDataset({"image": images, "label": labels}).map(augment, "image").batch(8)
net, loss_fn = ResNet18().set_train(), nn.CrossEntropyLoss()
optimizer = nn.SGD(net.trainable_params(), 0.00002, 0.9, weight_decay=1e-4)
step = ms.value_and_grad(lambda x, y: loss_fn(net(x), y), None, optimizer.parameters)
for _ in range(2):
    for image, label in data.create_tuple_iterator(num_epochs=1):
        loss, gradients = step(image, label)
        optimizer(gradients)
        print(f"{float(loss):.7f}")
