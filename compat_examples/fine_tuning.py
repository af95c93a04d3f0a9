"""Fine-tuning in the style of MindSpore 2.x: a checkpoint, frozen layers, a new head, an exported file.

`pretrained/stripes.ckpt` was written by MindSpore 2.10 itself (`tests/golden/make_pretrained.py`), for a network that
tells four kinds of stripes apart. Its convolutions are kept as they are; a new head learns to tell rings from
chequers, of which it gets at least 95 % right after 60 steps, and so does the file that it is exported to.
"""

import os
import tempfile

import mindspore as ms
import numpy as np
from mindspore import Tensor, nn, ops

PRETRAINED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "pretrained", "stripes.ckpt")
ROWS, COLUMNS = np.mgrid[:16, :16]
STRIPES = [ROWS, COLUMNS, ROWS + COLUMNS, ROWS - COLUMNS]  # what is the same along a stripe


def stripes(count, random):
    """Images of the four kinds, shifted and noisy, and which of them each is."""
    labels = random.randint(0, len(STRIPES), count)
    images = [((STRIPES[label] + random.randint(0, 4)) // 2 % 2) for label in labels]
    return noisy(images, random), labels.astype(np.int32)


def rings_and_chequers(count, random):
    labels = random.randint(0, 2, count)
    images = []
    for label in labels:
        y, x = random.uniform(6, 9, 2)
        distance = np.sqrt((ROWS - y) ** 2 + (COLUMNS - x) ** 2)
        chequers = (ROWS + random.randint(0, 4)) // 2 + (COLUMNS + random.randint(0, 4)) // 2
        images.append((chequers if label else (distance // 2).astype(int)) % 2)
    return noisy(images, random), labels.astype(np.int32)


def noisy(images, random):
    images = np.stack(images)[:, None]
    return (images + random.normal(0, 0.3, images.shape)).astype(np.float32)


class Backbone(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(
            nn.Conv2d(1, 8, 3, pad_mode="same"),
            nn.BatchNorm2d(8),
            nn.ReLU(),
            nn.Conv2d(8, 16, 3, stride=2, pad_mode="same"),
            nn.BatchNorm2d(16),
            nn.ReLU(),
        )

    def construct(self, x):
        return ops.mean(self.layers(x), axis=(2, 3))


class Classifier(nn.Cell):
    def __init__(self, num_classes):
        super().__init__()
        self.backbone = Backbone()
        self.head = nn.Dense(16, num_classes)

    def construct(self, x):
        return self.head(self.backbone(x))


def train(network, batches, steps, rate):
    """Trains what of the network is not frozen; returns the losses."""
    loss_fn = nn.CrossEntropyLoss()
    optimizer = nn.Momentum(network.trainable_params(), learning_rate=rate, momentum=0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(network, loss_fn), optimizer)
    return [float(step(*map(Tensor, batches())).asnumpy()) for _ in range(steps)]


def main(folder):
    random = np.random.RandomState(2)
    ms.set_seed(2)
    network = Classifier(2)
    param_dict = ms.load_checkpoint(PRETRAINED)
    print("in the checkpoint:", sorted(param_dict)[-4:], str(param_dict["steps"].asnumpy()))
    for name in list(param_dict):
        if name.startswith("head."):
            del param_dict[name]
    missing, unknown = ms.load_param_into_net(network, param_dict)
    print("not loaded:", missing, unknown)

    for param in network.backbone.get_parameters():
        param.requires_grad = False
    print("trained:", [param.name for param in network.trainable_params()])
    network.set_train()
    network.backbone.set_train(False)
    losses = train(network, lambda: rings_and_chequers(32, random), 60, 0.2)
    print("the loss fell to less than a third:", np.mean(losses[-10:]) < losses[0] / 3)
    kept = [
        np.array_equal(param.asnumpy(), param_dict[param.name].asnumpy()) for param in network.backbone.get_parameters()
    ]
    print("the frozen Parameters are those of the file:", all(kept))

    network.set_train(False)
    images, labels = rings_and_chequers(256, random)
    logits = network(Tensor(images)).asnumpy()
    print("more than 95 % are right:", np.mean(logits.argmax(axis=1) == labels) > 0.95)

    path = os.path.join(folder, "rings.mindir")
    ms.export(network, Tensor(np.zeros((256, 1, 16, 16), np.float32)), file_name=path, file_format="MINDIR")
    predict = nn.GraphCell(ms.load(path))
    print("the file says the same:", np.allclose(predict(Tensor(images)).asnumpy(), logits, atol=1e-4))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(folder)
