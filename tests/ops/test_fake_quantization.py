"""Fake quantization: formulas of MindSpore's documentation, whose CPU has no kernels for it, and values of PyTorch."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn
from msgrad._compat.ops import fake_quantization as Q  # noqa: N812

from ..helpers import assert_close

X = (np.cos(np.arange(24)) * 9).reshape(2, 3, 4).astype(np.float32)
LOW, HIGH = np.float32([-4.0]), np.float32([7.0])
LOWS, HIGHS = np.float32([-4.0, -8.0, -0.5]), np.float32([7.0, 3.0, 9.0])


def grid(low, high, bits, symmetric, narrow):
    """Ends and step of the grid, by the formulas of MindSpore's documentation."""
    first, last = int(narrow), 2**bits - 1
    if symmetric:
        high = np.maximum(high, -low)
        low = -high
    scale = (high - low) / (last - first)
    zero = np.floor(np.clip(np.round(first - low / scale, 4), first, last) + 0.5)  # a tie where symmetric
    return (first - zero) * scale, (last - zero) * scale, scale


def quantized(x, low, high, *options):
    bottom, top, scale = grid(low, high, *options)
    return np.floor((np.clip(x, bottom, top) - bottom) / scale + 0.5) * scale + bottom


OPTIONS = [(8, False, False), (4, False, True), (7, True, False), (4, True, True)]


@pytest.mark.parametrize("options", OPTIONS)
def test_values_and_gradients(options):
    keywords = dict(zip(("num_bits", "symmetric", "narrow_range"), options, strict=True))
    for quantize, gradient, low, high, axes in (
        (Q.FakeQuantPerLayer(**keywords), Q.FakeQuantPerLayerGrad(**keywords), LOW, HIGH, (1, 1)),
        (Q.FakeQuantPerChannel(**keywords), Q.FakeQuantPerChannelGrad(**keywords), LOWS, HIGHS, (3, 1)),
    ):
        ends = Tensor(low), Tensor(high)
        low, high = low.reshape(axes), high.reshape(axes)
        assert_close(quantize(Tensor(X), *ends).asnumpy(), quantized(X, low, high, *options), rtol=1e-5, atol=1e-5)
        bottom, top, _ = grid(low, high, *options)
        expected = X * ((bottom <= X) & (top >= X))
        actual, *of_ends = ms.grad(lambda x, a, b: (quantize(x, a, b) * Tensor(X)).sum(), (0, 1, 2))(Tensor(X), *ends)  # noqa: B023
        assert_close(actual.asnumpy(), expected)
        assert not any(each.asnumpy().any() for each in of_ends)
        assert_close(gradient(Tensor(X), Tensor(X), *ends).asnumpy(), expected)


def test_values_of_pytorch():
    # torch.fake_quantize_per_tensor_affine(x, 0.1, 128, 0, 255) of PyTorch 2.13; its gradient is 1 in the grid.
    x = Tensor(np.float32([-20.0, -12.8, -1.26, 0.04, 0.06, 3.33, 12.7, 99.0]))
    quantize = Q.FakeQuantPerLayer()
    ends = Tensor(np.float32([-12.8])), Tensor(np.float32([12.7]))
    expected = np.float32([-12.8, -12.8, -1.3, 0.0, 0.1, 3.3, 12.7, 12.7])
    assert_close(quantize(x, *ends).asnumpy(), expected, rtol=1e-5, atol=2e-6)
    assert ms.grad(lambda x: quantize(x, *ends).sum())(x).tolist()[1:7] == [1, 1, 1, 1, 1, 1]


@pytest.mark.parametrize(("low", "high"), [(-12.8, 12.7), (-0.7, 0.9), (0.0, 3.3), (-1e-3, 5e-4)])
def test_the_ends_of_the_grid_are_in_it_however_they_are_rounded(low, high):
    bottom, top, scale = grid(np.float32([low]), np.float32([high]), 8, False, False)
    just_out = [np.nextafter(np.nextafter(end, side), side) for end, side in ((bottom, -np.inf), (top, np.inf))]
    x = np.concatenate([bottom, top, *just_out, bottom - scale / 8, top + scale / 8]).astype(np.float32)
    ends = Tensor(np.float32([low])), Tensor(np.float32([high]))
    gradient = ms.grad(lambda x: Q.FakeQuantPerLayer()(x, *ends).sum())(Tensor(x))
    assert gradient.tolist() == [1, 1, 1, 1, 0, 0]


def test_gradients_of_the_ends():
    gradients = Q.FakeQuantWithMinMaxVarsGradient()(Tensor(X), Tensor(X), Tensor(LOW), Tensor(HIGH))
    bottom, top, _ = grid(LOW, HIGH, 8, False, False)
    below, above = X[bottom > X].sum(keepdims=True), X[top < X].sum(keepdims=True)
    for actual, expected in zip(gradients, (X * ((bottom <= X) & (top >= X)), below, above), strict=True):
        assert_close(actual.asnumpy(), expected, rtol=1e-5, atol=1e-5)
    actual = Q.FakeQuantWithMinMaxVarsPerChannel(4, True)(Tensor(X.transpose(0, 2, 1)), Tensor(LOWS), Tensor(HIGHS))
    expected = quantized(X.transpose(0, 2, 1), LOWS, HIGHS, 4, False, True)
    assert_close(actual.asnumpy(), expected, rtol=1e-5, atol=1e-5)


def test_ranges():
    least, most = Q.MinMaxUpdatePerLayer()(Tensor(X), Tensor(LOW), Tensor(HIGH))
    assert_close(least.asnumpy(), X.min(keepdims=True).reshape(1))
    assert_close(most.asnumpy(), X.max(keepdims=True).reshape(1))
    least, most = Q.MinMaxUpdatePerChannel(True, 0.75)(Tensor(X), Tensor(LOWS), Tensor(HIGHS))
    assert_close(least.asnumpy(), np.minimum(0.25 * X.min((0, 2)) + 0.75 * LOWS, 0), rtol=1e-5)
    assert_close(most.asnumpy(), np.maximum(0.25 * X.max((0, 2)) + 0.75 * HIGHS, 0), rtol=1e-5)
    least, most = Q.MinMaxUpdatePerLayer()(Tensor([2.0, 3.0]), Tensor(LOW), Tensor(HIGH))
    assert (least.tolist(), most.tolist()) == ([0.0], [3.0])


class Quantized(nn.Cell):
    """As Golden Stick writes it: the range is kept in Parameters, the first calls pass unchanged."""

    def __init__(self):
        super().__init__()
        self.low, self.high = (Parameter(Tensor(each), requires_grad=False) for each in (LOW, HIGH))
        self.update, self.quantize = Q.MinMaxUpdatePerLayer(), Q.FakeQuantPerLayer(num_bits=4, quant_delay=2)

    def construct(self, x):
        self.low, self.high = self.update(x, self.low, self.high)
        return self.quantize(x, self.low, self.high)


@pytest.mark.parametrize("mode", [ms.PYNATIVE_MODE, ms.GRAPH_MODE])
def test_the_first_calls_pass_unchanged(mode):
    ms.set_context(mode=mode)
    try:
        net = Quantized()
        results = [net(Tensor(X)).asnumpy() for _ in range(4)]
    finally:
        ms.set_context(mode=ms.PYNATIVE_MODE)
    expected = quantized(X, X.min(), X.max(), 4, False, False)
    for actual, value in zip(results, (X, X, expected, expected), strict=True):
        assert_close(actual, value, rtol=1e-5, atol=1e-5)
    assert net.low.asnumpy() == X.min()


WRONG = [
    (lambda: Q.FakeQuantPerLayer(5), ValueError, "For 'FakeQuantPerLayer', the attr 'num_bits' is not support"),
    (
        lambda: Q.FakeQuantPerLayer(ema=True, ema_decay=0.0),
        ValueError,
        "attr 'ema' and 'ema_decay' should set together",
    ),
    (lambda: Q.FakeQuantPerLayer(quant_delay=-1), ValueError, "the 'quant_delay' must be"),
    (lambda: Q.FakeQuantPerLayer(symmetric=1), TypeError, "the 'symmetric' must be"),
    (lambda: Q.MinMaxUpdatePerChannel(channel_axis=-1), ValueError, "the 'channel_axis' must be"),
    (lambda: Q.FakeQuantWithMinMaxVars(17), ValueError, "the 'num_bits' must be"),
]


@pytest.mark.parametrize("make, kind, message", WRONG)
def test_errors(make, kind, message):
    with pytest.raises(kind, match=message):
        make()


def test_a_range_of_nothing():
    assert Q.FakeQuantPerLayer()(Tensor([0.0, 1.0]), Tensor([0.0]), Tensor([0.0])).tolist() == [0.0, 0.0]
    assert str(Q.FakeQuantPerLayer()).startswith("Prim[FakeQuantPerLayer]<num_bits=8, ema=False")
