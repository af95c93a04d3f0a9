"""Small sizes: told apart from axes, groups and constants that are equal to them."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, ops
from msgrad._contracts.contracts import Array
from msgrad.engine.execution import execute, relatives, tiers
from msgrad.ops._core.define import op
from msgrad.ops._core.faces import Dialect
from tests.engine.lengths.arrays import floats


def boxes(x, y):
    """Of small sizes beside constants that are equal to some of them."""
    n = x.shape[0]
    pairs = (x.expand_dims(1) - x.expand_dims(0)).abs().sum(2)  # (n, n)
    heads = x.reshape(n, 4, 2).swapaxes(0, 1)  # (4, n, 2)
    scores = ops.softmax(ops.matmul(heads, heads.swapaxes(1, 2)), 2).sum(0)
    grown = ops.cat((x[1:, :4], y, y), 0)  # (n + 5, 4)
    return ops.cumsum(scores + pairs / n, 1).sum(0, keepdims=True) * 0.5, grown.sum(0) + ops.arange(4) * n


def same_in_numpy(x, y):
    n = len(x)
    pairs = abs(x[:, None] - x[None]).sum(2)
    heads = x.reshape(n, 4, 2).swapaxes(0, 1)
    weights = np.exp(heads @ heads.swapaxes(1, 2))
    scores = (weights / weights.sum(2, keepdims=True)).sum(0)
    grown = np.concatenate((x[1:, :4], y, y), 0)
    return np.cumsum(scores + pairs / n, 1).sum(0, keepdims=True) * 0.5, grown.sum(0) + np.arange(4) * n


@pytest.mark.parametrize("order", [(2, 3, 4, 5, 6, 7, 8, 9, 12), (8, 3, 5, 30, 2, 4, 1, 7)])
def test_small_sizes_share_programs_beside_equal_constants(order, monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    monkeypatch.setattr(relatives, "_structures", {})
    run, y, before = ms.jit(boxes), floats(3, 4), execute.report()["programs compiled"]
    for n in order:
        x = floats(n, 8) * 0.3
        for result, expected in zip(run(Tensor(x), Tensor(y)), same_in_numpy(x, y), strict=True):
            np.testing.assert_allclose(result.asnumpy(), expected, rtol=1e-5, atol=1e-5)
    assert execute.report()["programs compiled"] - before < len(order) - 2


def test_axes_groups_and_exponents_are_no_sizes(monkeypatch):
    """Even where they follow the length of an axis."""
    monkeypatch.setattr(tiers.Tiers, "allowed", False)
    for turn in range(2):
        for n in (2, 3, 4, 5):
            x, axis = floats(n, 2, 2, 2, 2, 2), n - 1 - turn
            result = ms.jit(lambda x, axis=axis, n=n: ops.cumsum(x * 0.4, axis) ** n)(Tensor(x)).asnumpy()
            np.testing.assert_allclose(result, np.cumsum(x * np.float32(0.4), axis) ** n, rtol=2e-5, atol=1e-6)
            x, w = floats(1, 2 * n, 4), floats(2 * n, 2, 1)
            result = ms.jit(lambda x, w, n=n: ops.conv1d(x * 0.6, w, groups=n))(Tensor(x), Tensor(w)).asnumpy()
            expected = np.einsum("gcl,goc->gol", x.reshape(n, 2, 4), w.reshape(n, 2, 2)).reshape(1, 2 * n, 4) * 0.6
            np.testing.assert_allclose(result, expected, rtol=2e-5, atol=1e-6)


def test_operation_that_is_another_one_at_a_small_size_stays_exact(monkeypatch):
    monkeypatch.setattr(tiers.Tiers, "allowed", False)

    @op(dialect=Dialect("users"))
    def mean_or_sum(x: Array):
        """Sum of four elements, mean of any other number."""
        return x.sum(-1) / (1 if x.shape[-1] == 4 else x.shape[-1])

    run = ms.jit(lambda x: mean_or_sum(x * 2.0) + 1.0)
    for length in (2, 3, 5, 6, 7, 4, 8, 9, 10):
        x = floats(3, length)
        expected = x.sum(1) * 2 / (1 if length == 4 else length) + 1
        np.testing.assert_allclose(run(Tensor(x)).asnumpy(), expected, rtol=1e-5, atol=1e-6)
