"""A small vision transformer in mixed precision, its loss scaled dynamically."""

import mindspore as ms
from _helpers import counted, drawn, fill, show
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import TruncatedNormal, initializer

BATCH, SIZE, PATCH, WIDTH, HEADS, DEPTH, CLASSES = 4, 16, 4, 16, 4, 1, 5


class Attention(nn.Cell):
    def __init__(self, dim, num_heads, attention_keep_prob=1.0):
        super().__init__()
        self.num_heads, self.scale = num_heads, Tensor((dim // num_heads) ** -0.5)
        self.qkv = nn.Dense(dim, dim * 3)
        self.attn_drop = nn.Dropout(p=1.0 - attention_keep_prob)
        self.out = nn.Dense(dim, dim)
        self.mul, self.reshape, self.transpose = ops.Mul(), ops.Reshape(), ops.Transpose()
        self.unstack = ops.Unstack(axis=0)
        self.attn_matmul_v = ops.BatchMatMul()
        self.q_matmul_k = ops.BatchMatMul(transpose_b=True)
        self.softmax = nn.Softmax(axis=-1)

    def construct(self, x):
        b, n, c = x.shape
        qkv = self.reshape(self.qkv(x), (b, n, 3, self.num_heads, c // self.num_heads))
        q, k, v = self.unstack(self.transpose(qkv, (2, 0, 3, 1, 4)))
        attn = self.softmax(self.mul(self.q_matmul_k(q, k), self.scale.astype(q.dtype)))
        out = self.transpose(self.attn_matmul_v(self.attn_drop(attn), v), (0, 2, 1, 3))
        return self.out(self.reshape(out, (b, n, c)))


class FeedForward(nn.Cell):
    def __init__(self, dim, hidden):
        super().__init__()
        self.dense1, self.activation, self.dense2 = (
            nn.Dense(dim, hidden),
            nn.GELU(approximate=False),
            nn.Dense(hidden, dim),
        )

    def construct(self, x):
        return self.dense2(self.activation(self.dense1(x)))


class ResidualCell(nn.Cell):
    def __init__(self, cell):
        super().__init__()
        self.cell = cell

    def construct(self, x):
        return self.cell(x) + x


class ViT(nn.Cell):
    def __init__(self):
        super().__init__()
        count = (SIZE // PATCH) ** 2
        self.patch_embedding = nn.Conv2d(3, WIDTH, kernel_size=PATCH, stride=PATCH, has_bias=True)
        self.cls_token = Parameter(
            initializer(TruncatedNormal(0.02), (1, 1, WIDTH), ms.float32), name="cls", requires_grad=True
        )
        self.pos_embedding = Parameter(
            initializer(TruncatedNormal(0.02), (1, count + 1, WIDTH), ms.float32), name="pos_embedding"
        )
        blocks = []
        for _ in range(DEPTH):
            blocks.append(
                nn.SequentialCell(
                    [
                        ResidualCell(nn.SequentialCell([nn.LayerNorm((WIDTH,)), Attention(WIDTH, HEADS)])),
                        ResidualCell(nn.SequentialCell([nn.LayerNorm((WIDTH,)), FeedForward(WIDTH, 2 * WIDTH)])),
                    ]
                )
            )
        self.transformer = nn.SequentialCell(blocks)
        self.norm = nn.LayerNorm((WIDTH,))
        self.head = nn.Dense(WIDTH, CLASSES)
        self.tile, self.concat = ops.Tile(), ops.Concat(axis=1)

    def construct(self, x):
        x = self.patch_embedding(x)
        b, c, h, w = x.shape
        x = ops.transpose(ops.reshape(x, (b, c, h * w)), (0, 2, 1))
        cls_token = self.tile(self.cls_token.astype(x.dtype), (b, 1, 1))
        x = self.concat((cls_token, x)) + self.pos_embedding.astype(x.dtype)
        return self.head(self.norm(self.transformer(x))[:, 0])


class SmoothedCrossEntropy(nn.Cell):
    def __init__(self, smooth_factor=0.1):
        super().__init__()
        self.onehot = ops.OneHot()
        self.on_value = Tensor(1.0 - smooth_factor, ms.float32)
        self.off_value = Tensor(smooth_factor / (CLASSES - 1), ms.float32)
        self.ce = nn.SoftmaxCrossEntropyWithLogits()

    def construct(self, logits, label):
        return self.ce(logits, self.onehot(label, CLASSES, self.on_value, self.off_value)).mean(0)


def train(level, first_scale):
    network = fill(ViT()).set_train()
    decayed = [p for p in network.trainable_params() if len(p.shape) > 1]
    plain = [p for p in network.trainable_params() if len(p.shape) <= 1]
    groups = [
        {"params": decayed, "weight_decay": 0.05},
        {"params": plain},
        {"order_params": network.trainable_params()},
    ]
    optimizer = nn.AdamWeightDecay(groups, learning_rate=nn.cosine_decay_lr(0.0, 0.01, 10, 10, 1))
    manager = ms.DynamicLossScaleManager(init_loss_scale=first_scale, scale_factor=2, scale_window=3)
    network = ms.amp.auto_mixed_precision(network, level)
    criterion = SmoothedCrossEntropy()

    def forward(x, y, scale):
        logits = network(x)
        loss = criterion(logits, y)
        return loss * scale, loss

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
    losses, seen = [], []
    for _ in range(10):
        scale = Tensor(manager.get_loss_scale(), ms.float32)
        (_, loss), grads = grad_fn(images, labels, scale)
        finite = bool(ms.amp.all_finite(grads))
        if finite:
            optimizer(tuple([grad / scale for grad in grads]))
        manager.update_loss_scale(not finite)
        losses.append(float(loss.asnumpy()))
        seen.append((finite, int(scale.asnumpy())))
    show(level, losses)
    print(seen)


images = Tensor(drawn("images", (BATCH, 3, SIZE, SIZE)))
labels = Tensor(counted("labels", (BATCH,), CLASSES))
train("O2", 2**24)
