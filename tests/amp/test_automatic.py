"""Mixed precision by operations. The dtypes are MindSpore 2.10's in PYNATIVE_MODE on a CPU."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, amp, mint, nn, ops
from msgrad.amp import automatic
from msgrad.engine import report

X32 = Tensor(np.linspace(-1, 1, 12).reshape(3, 4).astype(np.float32))
X16, X64 = X32.astype(ms.float16), X32.astype(ms.float64)
LABELS = Tensor([0, 1, 2], ms.int32)

ROWS = [  # a function, and the dtype of what it gives
    (lambda: ops.matmul(X32, X32.T), ms.float16),
    (lambda: ops.matmul(X64, X64.T), ms.float16),
    (lambda: ops.matmul(X32, X16.T), ms.float16),
    (lambda: ops.MatMul()(X32, X32.T), ms.float16),
    (lambda: X32 @ X32.T, ms.float16),
    (lambda: ops.bmm(X32[None], X32.T[None]), ms.float16),
    (lambda: ops.einsum("ij,kj->ik", X32, X32), ms.float16),
    (lambda: ops.dense(X32, X32), ms.float16),
    (lambda: ops.dense(X32, X32, X32[0, :3]), ms.float16),
    (lambda: mint.nn.functional.linear(X32, X32, X32[0, :3]), ms.float16),
    (lambda: ops.prelu(X32[None], Tensor([0.1, 0.1, 0.1])), ms.float16),
    (lambda: ops.mv(X32, X32[0]), ms.float16),
    (lambda: ops.inner(X32, X32), ms.float16),
    (lambda: ops.exp(X16), ms.float32),
    (lambda: ops.exp(X64), ms.float32),
    (lambda: ops.softmax(X16), ms.float32),
    (lambda: ops.log_softmax(X16), ms.float32),
    (lambda: ops.cross_entropy(X16, LABELS), ms.float32),
    (lambda: ops.nll_loss(X16, LABELS), ms.float32),
    (lambda: ops.sum(X16), ms.float32),
    (lambda: ops.cumsum(X16, 0), ms.float32),
    (lambda: ops.prod(X16), ms.float32),
    (lambda: X16**2, ms.float32),
    (lambda: ops.rsqrt(X16), ms.float32),
    (lambda: ops.ReduceSum()(X16), ms.float16),
    (lambda: ops.mean(X16), ms.float16),
    (lambda: ops.norm(X16), ms.float16),
    (lambda: ops.mse_loss(X16, X16), ms.float16),
    (lambda: ops.gelu(X16), ms.float16),
    (lambda: X16 + 1.0, ms.float16),
    (lambda: X32 + X16, ms.float32),
    (lambda: ops.relu(X32), ms.float32),
    (lambda: ops.concat([X16, X16]), ms.float16),
    (lambda: ops.addn([X32, X16]), ms.float32),
    (lambda: ops.addcdiv(X32, X16, X32), ms.float32),
    (lambda: ops.BiasAdd()(X16, Tensor(np.ones(4, np.float32))), ms.float32),
    (lambda: ops.matmul(X32.astype(ms.int32), X32.T.astype(ms.int32)), ms.int32),
]
LAYERS = [
    (nn.Dense(4, 2), X32, ms.float32),  # the bias is added to a product of half precision
    (nn.Dense(4, 2, has_bias=False), X32, ms.float16),
    (mint.nn.Linear(4, 2), X32, ms.float16),
    (nn.Conv2d(1, 1, 3), X32[None, None], ms.float16),
    (nn.Conv2d(1, 1, 3, has_bias=True), X32[None, None], ms.float32),
    (nn.BatchNorm1d(4), X16, ms.float32),
    (nn.LayerNorm((4,)), X16, ms.float32),
    (nn.Softmax(), X16, ms.float32),
]


def test_dtypes_of_functions():
    actual = [amp.auto_mixed_precision(function, "auto")().dtype for function, _ in ROWS]
    assert actual == [dtype for _, dtype in ROWS]


def test_dtypes_of_layers(mode):
    for layer, x, dtype in LAYERS:
        lowered = amp.auto_mixed_precision(layer, "auto")
        assert lowered is layer and layer(x).dtype == dtype, layer


def test_products_are_lowered_and_nothing_else(mode):
    layer = nn.Dense(4, 2)
    x16, w16 = X32.asnumpy().astype(np.float16), layer.weight.asnumpy().astype(np.float16)
    expected = (x16.astype(np.float32) @ w16.T.astype(np.float32)).astype(np.float16) + layer.bias.asnumpy()
    actual = amp.auto_mixed_precision(layer, "auto")(X32).asnumpy()
    assert np.abs(actual - expected).max() < 1e-3 * np.abs(expected).max() and layer.weight.dtype == ms.float32


def test_bfloat16():
    assert amp.auto_mixed_precision(lambda: X32 @ X32.T, "auto", ms.bfloat16)().dtype == ms.bfloat16


def test_gradients_have_the_dtype_of_what_they_are_of(mode):
    layer = amp.auto_mixed_precision(nn.Dense(4, 2), "auto")
    value, gradients = ms.value_and_grad(lambda x: ops.exp(layer(x)).sum(), 0, layer.trainable_params())(X32)
    assert (value.dtype, gradients[0].dtype) == (ms.float32, ms.float32)
    assert [each.dtype for each in gradients[1]] == [ms.float32, ms.float32]


def test_training_steps_compile_nothing_more(mode):
    network = nn.SequentialCell(nn.Dense(4, 8), nn.ReLU(), nn.Dense(8, 3))
    optimizer = nn.Momentum(network.trainable_params(), 0.5, 0.9)
    step = amp.build_train_network(network, optimizer, nn.MSELoss(), "auto")
    labels = Tensor(np.eye(3, dtype=np.float32))
    losses = [step(X32, labels).item() for _ in range(3)]
    compiled = report()["programs compiled"]
    losses += [step(X32, labels).item() for _ in range(6)]
    assert losses[-1] < losses[0] and report()["programs compiled"] == compiled


def test_the_rest_of_a_program_is_left_alone(mode):
    inner = amp.auto_mixed_precision(nn.Dense(4, 4, has_bias=False), "auto")
    outer = nn.SequentialCell(inner, nn.Dense(4, 4, has_bias=False).to_float(ms.float32))
    assert inner(X32).dtype == ms.float16
    assert outer(X32).dtype == ms.float32
    with pytest.raises(ValueError, match="axis"):
        amp.auto_mixed_precision(lambda: ops.softmax(X32, 7), "auto")()
    assert (X32 @ X32.T).dtype == ms.float32


def test_a_block_with_lists_of_ones_own(mode):
    product = ms.jit(lambda: (X32 @ X32.T, ops.exp(X16), X32 + X32))
    lists = [("MatMulExt", [])], [("Exp", [])]
    level = automatic.AmpLevel
    plain = (ms.float32, ms.float16, ms.float32)
    expected = {
        level.AmpO0: plain,
        level.AmpO1: (ms.float16, ms.float16, ms.float32),
        level.AmpO2: (ms.float16, ms.float32, ms.float16),
        level.AmpO3: (ms.float16, ms.float16, ms.float16),
        level.AmpAuto: (ms.float16, ms.float32, ms.float32),
    }
    for kind, dtypes in expected.items():
        with automatic.AmpDecorator(kind, ms.float16, *lists):
            assert tuple([each.dtype for each in product()]) == dtypes, kind
        assert tuple([each.dtype for each in product()]) == plain


def test_some_inputs_alone():
    x, rows = Tensor([1.0001]), [("Sub", [0])]
    with automatic.AmpDecorator(automatic.AmpLevel.AmpAuto, ms.float16, rows, []):
        assert ops.sub(x, x).item() == np.float32(1) - np.float32(1.0001)  # the first alone is rounded
    strategy = automatic.create_amp_strategy(automatic.AmpLevel.AmpAuto, ms.float16, rows, [])
    assert strategy.get_white_list() == rows and strategy.get_black_list() == []
    assert (strategy.get_amp_level(), strategy.get_amp_dtype()) == (automatic.AmpLevel.AmpAuto, ms.float16)


def test_refused():
    with pytest.raises(TypeError, match="the 'network' must be a Cell or a function"):
        amp.auto_mixed_precision(3, "auto")
    with pytest.raises(TypeError, match="the 'network' must be a Cell, but"):
        amp.auto_mixed_precision(lambda: 3, "O1")
