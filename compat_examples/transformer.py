"""A small Transformer encoder in the style of MindSpore 2.x: value_and_grad, a schedule, clipped gradients.

It learns to say which of two letters comes more often in a line of twelve.
"""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer

LETTERS, LENGTH, WIDTH, HEADS, BATCH = 8, 12, 32, 4, 64


class Attention(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.heads, self.size = heads, width // heads
        self.qkv = nn.Dense(width, 3 * width)
        self.out = nn.Dense(width, width)

    def construct(self, x):
        batch, length, width = x.shape
        parts = self.qkv(x).reshape(batch, length, 3, self.heads, self.size).transpose(2, 0, 3, 1, 4)
        query, key, value = parts[0], parts[1], parts[2]
        weights = ops.softmax(ops.matmul(query, key.swapaxes(-1, -2)) / self.size**0.5, axis=-1)
        return self.out(ops.matmul(weights, value).transpose(0, 2, 1, 3).reshape(batch, length, width))


class Layer(nn.Cell):
    def __init__(self, width, heads):
        super().__init__()
        self.attention = Attention(width, heads)
        self.norm1, self.norm2 = nn.LayerNorm((width,)), nn.LayerNorm((width,))
        self.feed_forward = nn.SequentialCell(nn.Dense(width, 2 * width), nn.GELU(), nn.Dense(2 * width, width))

    def construct(self, x):
        x = x + self.attention(self.norm1(x))
        return x + self.feed_forward(self.norm2(x))


class Encoder(nn.Cell):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(LETTERS, WIDTH)
        self.places = Parameter(initializer(Normal(0.02), (LENGTH, WIDTH)), name="places")
        self.layers = nn.CellList([Layer(WIDTH, HEADS) for _ in range(2)])
        self.norm = nn.LayerNorm((WIDTH,))
        self.head = nn.Dense(WIDTH, 2)

    def construct(self, letters):
        x = self.embedding(letters) + self.places
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x).mean(axis=1))


def lines(count, random):
    letters = random.randint(0, LETTERS, (count, LENGTH)).astype(np.int32)
    labels = ((letters == 0).sum(axis=1) > (letters == 1).sum(axis=1)).astype(np.int32)
    return Tensor(letters), Tensor(labels)


ms.set_seed(1)
net = Encoder()
loss_fn = nn.CrossEntropyLoss()
schedule = nn.cosine_decay_lr(0.0, 5e-3, total_step=200, step_per_epoch=200, decay_epoch=1)
optimizer = nn.Adam(net.trainable_params(), learning_rate=schedule)
grad_fn = ms.value_and_grad(lambda letters, labels: loss_fn(net(letters), labels), None, optimizer.parameters)


def train_step(letters, labels):
    loss, grads = grad_fn(letters, labels)
    optimizer(ops.clip_by_global_norm(grads, 1.0))
    return loss


random = np.random.RandomState(0)
losses = [float(train_step(*lines(BATCH, random)).asnumpy()) for _ in range(200)]
letters, labels = lines(512, random)
net.set_train(False)
accuracy = float((net(letters).argmax(axis=1) == labels).astype(ms.float32).mean().asnumpy())
print("parameters:", sum(p.size for p in net.trainable_params()))
print("the loss fell to less than a third:", np.mean(losses[-10:]) < losses[0] / 3)
print("more than 90 % of new lines are right:", accuracy > 0.9)
