"""``cross_entropy`` against figures of MindSpore 2.10.0 (CPU)."""

import jax
import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad.engine import jax_options

X = Tensor(np.array([[1.0, 2.0, 0.5], [0.1, -0.3, 0.7]], np.float32))
CLASSES = Tensor(np.array([1, 2], np.int32))
PROBABILITIES = Tensor(np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1]], np.float32))
W = Tensor(np.array([0.2, 0.5, 0.9], np.float32))


@pytest.mark.parametrize(
    ("target", "options", "expected"),
    [
        (CLASSES, {}, 0.55748415),
        (CLASSES, {"reduction": "sum"}, 1.1149683),
        (CLASSES, {"reduction": "none"}, [0.46436834, 0.6505999]),
        (CLASSES, {"weight": W}, 0.5840886),
        (CLASSES, {"weight": W, "label_smoothing": 0.1}, 0.6198214),
        (CLASSES, {"label_smoothing": 0.1}, 0.6258175),
        (CLASSES, {"ignore_index": 2}, 0.46436834),
        (CLASSES, {"ignore_index": 2, "reduction": "none"}, [0.46436834, 0.0]),
        (CLASSES, {"weight": W, "label_smoothing": 0.1, "reduction": "none"}, [0.28539872, 0.5823512]),
        (PROBABILITIES, {}, 1.4624841),
        (PROBABILITIES, {"weight": W}, 0.87800086),
        (PROBABILITIES, {"label_smoothing": 0.1}, 1.4403174),
        (PROBABILITIES, {"weight": W, "reduction": "none"}, [1.0121957, 0.743806]),
    ],
)
def test_figures(target, options, expected):
    np.testing.assert_allclose(ops.cross_entropy(X, target, **options).asnumpy(), expected, rtol=2e-6)


def test_further_axes_and_none():
    scores = Tensor(np.random.RandomState(0).randn(2, 3, 2).astype(np.float32))
    targets = Tensor(np.array([[0, 1], [2, 0]], np.int32))
    np.testing.assert_allclose(ops.cross_entropy(scores, targets).asnumpy(), 1.1400683, rtol=2e-6)
    np.testing.assert_allclose(ops.cross_entropy(X[0], CLASSES[0]).asnumpy(), 0.46436834, rtol=2e-6)


def test_targets_of_another_shape():
    with pytest.raises(ValueError, match="cross_entropy"):
        ops.cross_entropy(X, CLASSES[:1])


def test_targets_that_are_all_ignored(mode):
    """The loss is NaN, and its gradient 0, as in MindSpore: a batch of padding trains nothing."""

    def loss(scores):
        return ops.cross_entropy(scores, Tensor(np.array([1, 1], np.int32)), ignore_index=1, label_smoothing=0.5)

    value, gradient = ms.value_and_grad(loss)(X)
    assert np.isnan(value.item())
    assert not gradient.asnumpy().any()


@pytest.mark.parametrize(
    "loss",
    [
        lambda scores: ops.cross_entropy(scores, CLASSES),
        lambda scores: ops.nll_loss(scores, CLASSES),
        lambda scores: ops.SparseSoftmaxCrossEntropyWithLogits()(scores, CLASSES),
        lambda scores: ops.SparseSoftmaxCrossEntropyWithLogits(is_grad=True)(scores, CLASSES),
    ],
)
def test_gradients_are_fused_with_those_of_the_scores(loss):
    """A scatter would need zeros of the scores' shape: gigabytes where classes are the words of a language."""
    with jax_options.Tracing():
        assert "scatter" not in str(jax.make_jaxpr(ms.grad(lambda scores: loss(scores).sum()))(X))


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_gradients_are_at_the_targets(dtype, mode):
    scores = Tensor(np.random.RandomState(0).randn(3, 5).astype(np.float32))
    gradient = ms.grad(lambda scores: ops.nll_loss(scores, Tensor(np.array([3, 0, -1], dtype)), reduction="sum"))
    expected = np.zeros((3, 5), np.float32)
    expected[[0, 1, 2], [3, 0, -1]] = -1
    np.testing.assert_array_equal(gradient(scores).asnumpy(), expected)


@pytest.mark.parametrize("loss", [ops.cross_entropy, ops.nll_loss])
@pytest.mark.parametrize("dtype", [np.int8, np.int16, np.uint32])
def test_targets_of_other_ints(loss, dtype):
    with pytest.raises(TypeError, match=f"'target' must be a Tensor of int32 or int64, but got {np.dtype(dtype)}"):
        loss(X, Tensor(np.array([1, 2], dtype)))


INTS = Tensor(np.array([[0, 1, 0], [1, 0, 0]], np.int32))


@pytest.mark.parametrize(
    "call",
    [
        lambda: ops.binary_cross_entropy(PROBABILITIES, INTS),
        lambda: ops.binary_cross_entropy(PROBABILITIES, PROBABILITIES.half()),
        lambda: ops.binary_cross_entropy(PROBABILITIES, PROBABILITIES, PROBABILITIES.half()),
        lambda: ms.mint.nn.functional.binary_cross_entropy(PROBABILITIES, INTS),
        lambda: ops.binary_cross_entropy_with_logits(X, INTS),
        lambda: ops.binary_cross_entropy_with_logits(X, INTS > 0),
        lambda: ops.kl_div(X, PROBABILITIES.half()),
        lambda: ops.cross_entropy(INTS, CLASSES),
    ],
)
def test_targets_of_other_dtypes(call):
    with pytest.raises(TypeError):
        call()


def test_logits_and_targets_of_two_float_dtypes():
    assert ops.binary_cross_entropy_with_logits(X, PROBABILITIES.half()).dtype is ms.float16
    assert ops.binary_cross_entropy_with_logits(X.half(), PROBABILITIES, X).dtype is ms.float32
    assert ops.binary_cross_entropy_with_logits(X.half(), PROBABILITIES.half(), X).dtype is ms.float16
