"""Networks on graphs: convolution by sums over edges and attention by edges, trained by functions of 2.x."""

import mindspore as ms
import numpy as np
from _helpers import counted, drawn, fill, show
from mindspore import Tensor, nn, ops

NODES, EDGES, FEATURES, HIDDEN, CLASSES = 12, 40, 6, 8, 3


class GraphConv(nn.Cell):
    def __init__(self, in_feats, out_feats):
        super().__init__()
        self.fc = nn.Dense(in_feats, out_feats, has_bias=False)
        self.bias = ms.Parameter(ms.common.initializer.initializer("zeros", (out_feats,), ms.float32), name="bias")
        self.scatter = ops.TensorScatterAdd()

    def construct(self, x, src, dst, degree):
        x = self.fc(x) * degree
        messages = ops.gather(x, src, 0)
        total = self.scatter(ops.zeros_like(x), ops.expand_dims(dst, 1), messages)
        return total * degree + self.bias


class GraphAttention(nn.Cell):
    def __init__(self, in_feats, out_feats, heads):
        super().__init__()
        self.heads, self.out_feats = heads, out_feats
        self.fc = nn.Dense(in_feats, heads * out_feats, has_bias=False)
        self.attn_s = ms.Parameter(Tensor(np.ones((1, heads, out_feats), np.float32)), name="attn_s")
        self.attn_d = ms.Parameter(Tensor(np.ones((1, heads, out_feats), np.float32)), name="attn_d")
        self.leaky_relu = nn.LeakyReLU(0.2)
        self.feat_drop = nn.Dropout(p=0.0)

    def construct(self, x, src, dst):
        feats = ops.reshape(self.fc(self.feat_drop(x)), (-1, self.heads, self.out_feats))
        left = ops.ReduceSum(True)(feats * self.attn_s, -1)
        right = ops.ReduceSum(True)(feats * self.attn_d, -1)
        score = self.leaky_relu(ops.gather(left, src, 0) + ops.gather(right, dst, 0))
        score = ops.exp(score - ops.gather(ops.unsorted_segment_max(score, dst, NODES), dst, 0))
        weight = score / (ops.gather(ops.unsorted_segment_sum(score, dst, NODES), dst, 0) + 1e-9)
        return ops.unsorted_segment_sum(ops.gather(feats, src, 0) * weight, dst, NODES)


class GCN(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer0, self.layer1 = GraphConv(FEATURES, HIDDEN), GraphConv(HIDDEN, CLASSES)

    def construct(self, x, src, dst, degree):
        return self.layer1(ops.relu(self.layer0(x, src, dst, degree)), src, dst, degree)


class GAT(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layer0, self.layer1 = GraphAttention(FEATURES, HIDDEN, 2), GraphAttention(2 * HIDDEN, CLASSES, 1)
        self.elu = nn.ELU()

    def construct(self, x, src, dst, degree):
        h = self.elu(self.layer0(x, src, dst)).reshape((NODES, -1))
        return self.layer1(h, src, dst).mean(1)


def masked_loss(logits, labels, mask):
    loss = ops.cross_entropy(logits, labels, reduction="none")
    return (loss * mask).sum() / mask.sum()


def train(network):
    optimizer = nn.Adam(fill(network).trainable_params(), learning_rate=0.05, weight_decay=5e-4)

    def forward(x, src, dst, degree, labels, mask):
        logits = network(x, src, dst, degree)
        return masked_loss(logits, labels, mask), logits

    grad_fn = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)

    def step(*inputs):
        (loss, logits), grads = grad_fn(*inputs)
        grads = ops.clip_by_global_norm(grads, 1.0)
        loss = ops.depend(loss, optimizer(grads))
        return loss, ops.argmax(logits, 1)

    return step


x = Tensor(drawn("x", (NODES, FEATURES)))
edges = counted("edges", (2, EDGES), NODES)
edges = np.concatenate([edges, np.tile(np.arange(NODES, dtype=np.int32), (2, 1))], 1)
src, dst = Tensor(edges[0]), Tensor(edges[1])
degree = Tensor((np.bincount(edges[1], minlength=NODES)[:, None] ** -0.5).astype(np.float32))
labels = Tensor(counted("labels", (NODES,), CLASSES))
mask = Tensor((np.arange(NODES) % 3 > 0).astype(np.float32))
for kind in (GCN, GAT):
    step = train(kind().set_train())
    losses = []
    for _ in range(10):
        loss, guesses = step(x, src, dst, degree, labels, mask)
        losses.append(float(loss.asnumpy()))
    show(kind.__name__, losses)
    print(guesses.asnumpy().tolist())
