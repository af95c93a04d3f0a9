"""The operations that are compared, by subject.

A line is one of a MindSpore program, and PyTorch's after a bar where that differs in more than the module; those after
``@`` have inputs of these shapes:

- ``x y z w``: float32 in (-1, 1); ``p q``: float32 in (0.1, 2);
- ``i j``: int64 below the number that comes first; ``m``: bool;
- ``s``: symmetric positive definite matrices.

A line that begins with ``grad:`` is differentiated by its first input.
"""

import dataclasses

_TEXT = """
# Elementwise functions
@ x=1000000
ops.sin(x)
ops.cos(x)
ops.tan(x)
ops.tanh(x)
ops.exp(x)
ops.sigmoid(x)
ops.erf(x)
ops.expm1(x)
ops.sinh(x)
ops.asin(x)
ops.acos(x)
ops.atan(x)
ops.erfinv(x)
ops.asinh(x)
ops.atanh(x)
ops.abs(x)
ops.round(x)
ops.sign(x)
@ p=1000000
ops.log(p)
ops.log1p(p)
ops.log2(p)
ops.sqrt(p)
ops.rsqrt(p)
p ** 0.7
ops.lgamma(p)
ops.digamma(p)
@ x=1000000 p=1000000
x + p
x * p
x / p
x % p
x // p
ops.atan2(x, p)
ops.fmod(x, p)
ops.pow(p, x)
ops.hypot(x, p)
ops.maximum(x, p)
ops.logaddexp(x, p)
@ x=1000000
x % 0.7
x // 0.7
x > 0
ops.isnan(x)
ops.clamp(x, -0.5, 0.5)
@ x=1000000 y=1000000 m=1000000
ops.where(m, x, y)
ops.masked_fill(x, m, 0.0)
@ i=1000,1000000 j=1000,1000000
i + j
i * j
i // 7
i % 7
i == j
@ x=10000000
x + 1
x.astype(mindspore.int32) | x.to(torch.int32)
ops.relu(x)
# Reductions and cumulative sums
@ x=1000,1000
x.sum() | x.sum()
x.sum(axis=0) | x.sum(dim=0)
x.sum(axis=1) | x.sum(dim=1)
x.mean(axis=1) | x.mean(dim=1)
x.max() | x.max()
x.argmax(axis=1) | x.argmax(dim=1)
x.argmax(axis=0) | x.argmax(dim=0)
x.std(axis=1) | x.std(dim=1)
x.var()
ops.norm(x)
ops.prod(x, 1)
ops.logsumexp(x, 1)
mint.max(x, 1)[0]
ops.all(x > -2)
ops.cumsum(x, 1)
ops.cumsum(x, 0)
ops.cumprod(x, 1)
ops.cummax(x, 1)[0]
ops.logcumsumexp(x, 1)
@ x=1000000
ops.cumsum(x, 0)
@ i=1000,1000000
ops.cumsum(i, 0)
i.sum()
i.max()
# Sorting and searching
@ x=1000000
ops.sort(x)[0]
ops.argsort(x)
ops.topk(x, 100)[0]
@ x=1000,1000
ops.sort(x)[0]
ops.median(x, 1)[0]
mint.median(x)
@ i=1000,1000000
mint.unique(i)
mint.bincount(i)
ops.sort(i)[0]
@ i=100000,1000000 j=100000,1000
mindspore.numpy.isin(i, j) | torch.isin(i, j)
@ x=1000000
ops.histc(x, 100, -1, 1)
mint.nonzero(x > 0)
x[x > 0]
@ p=1000000 x=1000
ops.searchsorted(ops.sort(x)[0], p) | ops.searchsorted(ops.sort(x)[0], p)
@ x=1000,1000
mint.kthvalue(x, 10)[0]
ops.quantile(x, 0.3, 1)
# Indexing and layout
@ x=1000000 i=1000000,1000000
ops.gather(x, i, 0) | x[i]
x[i]
@ x=30000,64 i=30000,20000
ops.gather(x, i, 0) | x[i]
mint.index_select(x, 0, i)
@ x=1000,1000 i=1000,1000,1000
mint.gather(x, 1, i)
mint.scatter_add(x, 1, i, x)
@ x=30000,64 w=20000,64 i=30000,20000
ops.index_add(mindspore.Parameter(x), i, w, 0) | x.index_add(0, i, w)
@ x=1000000 m=1000000
ops.masked_select(x, m)
@ x=1000,1000
x.T + 0
ops.flip(x, (1,))
ops.roll(x, 3, 1)
ops.tril(x)
@ x=1000,1000 y=1000,1000
ops.cat((x, y), 1)
ops.stack((x, y), 1)
@ x=1000,1000
ops.tile(x, (2, 2))
x.repeat_interleave(3, 1)
x[::2, 1::3] + 0
@ x=8,64,56,56
x.permute(0, 2, 3, 1) + 0
ops.pad(x, (1, 1, 1, 1)) | functional.pad(x, (1, 1, 1, 1))
@ i=1000,10000
ops.one_hot(i, 1000, 1.0, 0.0) | functional.one_hot(i, 1000)
@ x=2
ops.arange(1000000)
ops.zeros((1000, 1000))
ops.linspace(0, 1, 1000000)
# Linear algebra
@ x=512,512 y=512,512
x @ y
ops.bmm(x.reshape(8, 64, 512), y.reshape(8, 512, 64))
@ x=1000,64 y=1000,64
ops.cdist(x, y)
mint.einsum('ij,kj->ik', x, y)
ops.cdist(x, y, 1.0)
ops.cosine_similarity(x, y) | functional.cosine_similarity(x, y)
@ s=256,256
ops.cholesky(s) | torch.linalg.cholesky(s)
ops.inverse(s)
ops.det(s)
mindspore.scipy.linalg.eigh(s)[0] | torch.linalg.eigh(s)[0]
ops.slogdet(s)[1]
@ x=256,256
ops.svd(x)[0] | torch.linalg.svd(x)[1]
grad: ops.svd(x)[0] | grad: torch.linalg.svd(x, full_matrices=False)[1]
ops.svd(x, compute_uv=False) | torch.linalg.svdvals(x)
mint.linalg.qr(x)[0] | torch.linalg.qr(x)[0]
@ x=2000,16,16
ops.svd(x)[0] | torch.linalg.svd(x)[1]
mint.linalg.qr(x)[0] | torch.linalg.qr(x)[0]
@ s=2000,16,16
ops.cholesky(s) | torch.linalg.cholesky(s)
ops.inverse(s)
@ x=1000,1000
ops.rfft(x) | torch.fft.rfft(x)
ops.fft2(x) | torch.fft.fft2(x)
# Random numbers
@ x=2
ops.rand(1000000)
ops.randn(1000000)
ops.randperm(1000000)
mint.randperm(1000000)
ops.randint(0, 10, (1000000,))
mint.rand(1000000)
mint.randn(1000000)
@ p=1000,1000
ops.multinomial(p, 10) | ops.multinomial(p, 10, True)
ops.bernoulli(p / 2)
@ p=100000
ops.multinomial(p, 1000) | ops.multinomial(p, 1000, True)
ops.multinomial(p, 1000, False)
@ x=1000000
ops.dropout(x, 0.5) | functional.dropout(x, 0.5)
ops.standard_normal((1000, 1000)) | torch.randn(1000, 1000)
@ p=100000
ops.gamma((1,), p, mindspore.Tensor(1.0)) | torch.distributions.Gamma(p, 1.0).sample()
ops.random_poisson(mindspore.Tensor([1]), p) | torch.poisson(p)
# Networks' functions
@ x=64,256,196
ops.gelu(x) | functional.gelu(x)
ops.silu(x) | functional.silu(x)
ops.elu(x) | functional.elu(x)
ops.softplus(x) | functional.softplus(x)
ops.mish(x) | functional.mish(x)
ops.hardswish(x) | functional.hardswish(x)
ops.selu(x) | functional.selu(x)
ops.leaky_relu(x) | functional.leaky_relu(x)
@ x=1000,1000
ops.softmax(x) | functional.softmax(x, -1)
ops.log_softmax(x) | functional.log_softmax(x, -1)
grad: ops.softmax(x) ** 2 | grad: functional.softmax(x, -1) ** 2
@ x=64,128,768 w=768 y=768
mint.nn.functional.layer_norm(x, (768,), w, y) | functional.layer_norm(x, (768,), w, y)
grad: mint.nn.functional.layer_norm(x, (768,), w, y) ** 2 | grad: functional.layer_norm(x, (768,), w, y) ** 2
@ x=8,64,56,56 w=64 y=64
mint.nn.functional.group_norm(x, 8, w, y) | functional.group_norm(x, 8, w, y)
@ x=8,64,56,56 w=64 p=64
mint.nn.functional.batch_norm(x, w, p, training=False) | functional.batch_norm(x, w, p, training=False)
@ x=8,64,56,56
ops.max_pool2d(x, 2, 2) | functional.max_pool2d(x, 2, 2)
ops.avg_pool2d(x, 2, 2) | functional.avg_pool2d(x, 2, 2)
ops.adaptive_avg_pool2d(x, 1) | functional.adaptive_avg_pool2d(x, 1)
@ x=8,64,56,56 w=64,64,3,3
ops.conv2d(x, w, pad_mode='pad', padding=1) | functional.conv2d(x, w, padding=1)
@ x=8,64,56,56
ops.unfold(x, 3) | functional.unfold(x, 3)
ops.pixel_shuffle(x, 2)
ops.interpolate(x, size=(112, 112), mode='bilinear') | functional.interpolate(x, (112, 112), mode='bilinear')
ops.interpolate(x, size=(112, 112), mode='nearest') | functional.interpolate(x, (112, 112))
ops.interpolate(x, size=(112, 112), mode='bicubic') | functional.interpolate(x, (112, 112), mode='bicubic')
@ x=4,16,128,128 y=4,128,128,2
ops.grid_sample(x, y) | functional.grid_sample(x, y, align_corners=False)
grad: ops.grid_sample(x, y) | grad: functional.grid_sample(x, y, align_corners=False)
@ x=4,8,128,64 y=4,8,128,64 z=4,8,128,64
ops.softmax(x @ y.swapaxes(2, 3) / 8) @ z | functional.softmax(x @ y.swapaxes(2, 3) / 8, -1) @ z
@ x=8192,1000 i=1000,8192
ops.cross_entropy(x, i) | functional.cross_entropy(x, i)
grad: ops.cross_entropy(x, i) | grad: functional.cross_entropy(x, i)
@ x=1000000 y=1000000 p=1000000
ops.mse_loss(x, y) | functional.mse_loss(x, y)
ops.smooth_l1_loss(x, y) | functional.smooth_l1_loss(x, y)
mint.nn.functional.binary_cross_entropy_with_logits(x, y) | functional.binary_cross_entropy_with_logits(x, y)
ops.kl_div(x, y) | functional.kl_div(x, y)
@ x=100,32,40 i=39,32,20
ops.ctc_loss(ops.log_softmax(x), i + 1, mindspore.Tensor([100] * 32), mindspore.Tensor([20] * 32))[0]
    | functional.ctc_loss(functional.log_softmax(x, -1), i + 1, [100] * 32, [20] * 32)
grad: ops.ctc_loss(ops.log_softmax(x), i + 1, mindspore.Tensor([100] * 32), mindspore.Tensor([20] * 32))[0]
    | grad: functional.ctc_loss(functional.log_softmax(x, -1), i + 1, [100] * 32, [20] * 32)
@ w=30000,256 i=30000,8,512
mint.nn.functional.embedding(i, w) | functional.embedding(i, w)
# Small operations, 1 000 elements
@ x=1000 y=1000
x + y
x * 2
x - 1.5
x / y
x % 0.7
x > 0
-x
x.sum()
x.max()
x[5]
@ x=1000
ops.sin(x)
ops.exp(x)
ops.tanh(x)
ops.relu(x)
ops.abs(x)
x.reshape(10, 100)
ops.sort(x)[0]
ops.argmax(x)
ops.cumsum(x, 0)
ops.topk(x, 5)[0]
@ x=1000 y=1000 m=1000
ops.where(m, x, y)
ops.cat((x, y))
ops.stack((x, y))
x @ y
x == y
@ x=1000 i=1000,100
x[i]
mindspore.numpy.isin(i, i) | torch.isin(i, i)
mint.unique(i)
mint.bincount(i)
i + 1
@ x=2
ops.rand(1000)
ops.randn(1000)
ops.randperm(1000)
ops.zeros(1000)
ops.arange(1000)
@ x=32,32
ops.softmax(x) | functional.softmax(x, -1)
x @ x
x.mean(axis=1) | x.mean(dim=1)
x.T
@ x=32,32 i=32,32
ops.cross_entropy(x, i) | functional.cross_entropy(x, i)
"""


@dataclasses.dataclass(frozen=True)
class Row:
    """One operation: how both libraries spell it, and on what."""

    program: str
    shapes: str
    torch: str
    is_small: bool

    @property
    def name(self):
        return f"{self.program} {self.shapes}"


def _tables(text):
    """The rows of each subject."""
    tables = {}
    for line in text.strip().replace("\n    |", " |").splitlines():
        mark, _, rest = line.partition(" ")
        if mark == "#":
            rows = tables[rest] = []
        elif mark == "@":
            shapes = rest
        else:
            ours, _, theirs = line.partition(" | ")
            rows.append(Row(ours, shapes, theirs or _of_torch(ours), is_small="Small" in next(reversed(tables))))
    return tables


def _of_torch(line):
    for ours, theirs in {"mint.nn.functional.": "functional.", "mint.": "torch.", "ops.": "torch."}.items():
        line = line.replace(ours, theirs)
    return line


TABLES = _tables(_TEXT)
