"""`mint` beside its table of values: in-place functions, random numbers, training, processes, legacy paths."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, alias, mint

from ..helpers import assert_close

F = mint.nn.functional
X = np.array([[-1.0, 2.0], [0.5, -3.0]], np.float32)


@pytest.mark.parametrize(
    "written, expected",
    [
        (lambda x: F.elu_(x), np.where(X > 0, X, np.expm1(X))),
        (lambda x: F.elu(x, 0.5, True), np.where(X > 0, X, 0.5 * np.expm1(X))),
        (lambda x: F.hardtanh_(x), X.clip(-1, 1)),
        (lambda x: F.hardtanh(x, inplace=True), X.clip(-1, 1)),
        (lambda x: F.relu_(x), X.clip(0)),
        (lambda x: F.relu(x, True), X.clip(0)),
        (lambda x: F.relu6(x, inplace=True), X.clip(0, 6)),
        (lambda x: F.sigmoid_(x), 1 / (1 + np.exp(-X))),
        (lambda x: F.silu(x, True), X / (1 + np.exp(-X))),
        (lambda x: F.threshold_(x, 0, 9), np.where(X > 0, X, 9)),
        (lambda x: F.threshold(x, 0, 9, True), np.where(X > 0, X, 9)),
        (lambda x: F.dropout(x, 1.0, True, True), 0 * X),
        (lambda x: mint.addr_(x, mint.ones(2), mint.ones(2), 2, 3), 2 * X + 3),
        (lambda x: mint.index_add(x, 0, Tensor([1]), Tensor([[1.0, 1.0]]), alpha=2), X + [[0, 0], [2, 2]]),
        (lambda x: mint.nn.SiLU(True)(x), X / (1 + np.exp(-X))),
    ],
)
def test_writes_to_its_argument(written, expected):
    x = Tensor(X)
    assert_close(written(x).asnumpy(), expected.astype(np.float32))
    assert_close(x.asnumpy(), expected.astype(np.float32))


def generator():
    return ms.Generator().manual_seed(3)


@pytest.mark.parametrize(
    "draw, shape, dtype",
    [
        (lambda g: mint.rand(2, 3, generator=g), (2, 3), ms.float32),
        (lambda g: mint.rand((2, 3), generator=g, dtype=ms.float64), (2, 3), ms.float64),
        (lambda g: mint.randn((4,), generator=g), (4,), ms.float32),
        (lambda g: mint.randint(5, (2,), generator=g), (2,), ms.int64),
        (lambda g: mint.randint(2, 5, (2,), generator=g, dtype=ms.float32), (2,), ms.float32),
        (lambda g: mint.randperm(5, generator=g), (5,), ms.int64),
        (lambda g: mint.normal(0.0, 1.0, (3,), g), (3,), ms.float32),
        (lambda g: mint.normal(Tensor([1.0, 2.0]), Tensor([0.5, 0.5]), generator=g), (2,), ms.float32),
        (lambda g: mint.multinomial(Tensor([0.5, 0.5, 1.0]), 2, generator=g), (2,), ms.int64),
        (lambda g: mint.bernoulli(Tensor([0.5] * 8), generator=g), (8,), ms.float32),
    ],
)
def test_draws_from_a_generator(draw, shape, dtype):
    first, second = draw(generator()), draw(generator())
    assert (first.shape, first.dtype) == (shape, dtype)
    assert first.tolist() == second.tolist()


def test_draws_like_a_tensor():
    x = Tensor(X)
    assert mint.rand_like(x).shape == mint.randn_like(x, dtype=ms.float16).shape == (2, 2)
    assert mint.randint_like(Tensor([1, 2], ms.int32), 3, 5).dtype == ms.int32
    with pytest.raises(ValueError, match="float dtype"):
        mint.rand_like(Tensor([1]))


def trained(optimizer, steps=3):
    """A Parameter after steps by the gradients 1, 1/2, 1/3."""
    parameter = Parameter(Tensor([1.0, -2.0]), name="p")
    made = optimizer([parameter])
    for step in range(steps):
        made((Tensor([1.0, 0.5]) / (step + 1),))
    return parameter.asnumpy()


def adam(decay=0.0, decoupled=0.0, maximize=False):
    p, m, v = np.array([1.0, -2.0]), 0, 0
    for step in range(1, 4):
        g = np.array([1.0, 0.5]) / step * (-1 if maximize else 1) + decay * p
        p = p * (1 - 0.1 * decoupled)
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        p = p - 0.1 * (m / (1 - 0.9**step)) / (np.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return p.astype(np.float32)


def sgd(momentum, dampening, nesterov):
    p, buffer = np.array([1.0, -2.0]), None
    for step in range(1, 4):
        g = np.array([1.0, 0.5]) / step + 0.1 * p
        buffer = g if buffer is None else momentum * buffer + (1 - dampening) * g
        p = p - 0.1 * (g + momentum * buffer if nesterov else buffer)
    return p.astype(np.float32)


@pytest.mark.parametrize(
    "optimizer, expected",
    [
        (lambda p: mint.optim.Adam(p, 0.1), adam()),
        (lambda p: mint.optim.Adam(p, 0.1, weight_decay=0.1, maximize=True), adam(0.1, maximize=True)),
        (lambda p: mint.optim.AdamW(p, 0.1), adam(decoupled=0.01)),
        (lambda p: mint.optim.FusedAdamW(p, 0.1, weight_decay=0.0), adam()),
        (lambda p: mint.optim.SGD(p, 0.1, 0.9, 0.5, 0.1), sgd(0.9, 0.5, False)),
        (lambda p: mint.optim.SGD(p, 0.1, 0.9, 0, 0.1, True), sgd(0.9, 0, True)),
    ],
)
def test_optimizers_follow_their_formulas(optimizer, expected, mode):
    assert_close(trained(optimizer), expected, rtol=1e-5)


def test_batch_norm_keeps_the_mean_of_all_batches():
    layer = mint.nn.BatchNorm1d(1, momentum=None).set_train()
    layer(Tensor([[1.0], [3.0]]))
    layer(Tensor([[5.0], [7.0]]))
    assert layer.running_mean.item() == 4.0 and layer.num_batches_tracked.item() == 2
    layer.reset_parameters()
    assert layer.running_mean.item() == 0.0 and layer.num_batches_tracked.item() == 0


@pytest.mark.parametrize("padding_mode, mode", [("reflect", "reflect"), ("replicate", "edge"), ("circular", "wrap")])
def test_convolution_pads_as_it_is_told(padding_mode, mode):
    layer = mint.nn.Conv1d(1, 1, 3, padding=1, padding_mode=padding_mode, bias=False)
    x = np.array([[[1.0, 2.0, 4.0]]], np.float32)
    kernel = layer.weight.asnumpy()[0, 0, ::-1]
    expected = np.convolve(np.pad(x[0, 0], 1, mode), kernel, "valid")[None, None]
    assert_close(layer(Tensor(x)).asnumpy(), expected.astype(np.float32))


def test_one_process_gathers_and_scatters():
    actual = mint.zeros(2)
    mint.distributed.gather(Tensor([1.0, 2.0]), [actual])
    assert actual.tolist() == [1.0, 2.0]
    mint.distributed.scatter(actual, [Tensor([3.0, 4.0])])
    assert actual.tolist() == [3.0, 4.0]


def test_what_needs_mindspores_own_store_says_so():
    with pytest.raises(NotImplementedError, match="MindSpore's own protocol"):
        mint.distributed.TCPStore(None)


def test_legacy_paths():
    alias.install()
    from mindspore.mint.nn.layer.conv import Conv2d
    from mindspore.mint.optim.adamw import AdamW
    from mindspore.ops.function.math_func import amax_ext
    from mindspore.ops.functional_overload import any as any_of

    assert (Conv2d, AdamW, amax_ext, any_of) == (mint.nn.Conv2d, mint.optim.AdamW, mint.amax, mint.any)
