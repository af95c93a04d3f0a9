"""``nn.Embedding``."""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Tensor, nn


def test_rows_and_their_gradients():
    net = nn.Embedding(3, 2, embedding_table=Tensor(np.arange(6, dtype=np.float32).reshape(3, 2)))
    ids = Tensor(np.array([[2, 0], [2, 2]], np.int32))
    assert net(ids).asnumpy().tolist() == [[[4.0, 5.0], [0.0, 1.0]], [[4.0, 5.0], [4.0, 5.0]]]
    (gradient,) = ms.grad(net, None, net.trainable_params())(ids)
    assert gradient.asnumpy().tolist() == [[1.0, 1.0], [0.0, 0.0], [3.0, 3.0]]


def test_one_hot_gives_zeros_out_of_range():
    net = nn.Embedding(3, 2, True, "ones")
    assert net(Tensor(np.array([1, 5], np.int32))).asnumpy().tolist() == [[1.0, 1.0], [0.0, 0.0]]


def test_the_padding_row_starts_as_zeros():
    net = nn.Embedding(3, 2, embedding_table="ones", padding_idx=1)
    assert net.embedding_table.asnumpy().tolist() == [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]


def test_repr():
    assert str(nn.Embedding(3, 2)) == (
        "Embedding(vocab_size=3, embedding_size=2, use_one_hot=False, embedding_table=Parameter (name=embedding_table, "
        "shape=(3, 2), dtype=Float32, requires_grad=True), dtype=Float32, padding_idx=None)"
    )


@pytest.mark.parametrize(("arguments", "error"), [((0, 2), ValueError), ((3, "a"), TypeError)])
def test_arguments(arguments, error):
    with pytest.raises(error):
        nn.Embedding(*arguments)


@pytest.mark.parametrize(("ids", "error"), [([5], RuntimeError), ([1.0], TypeError)])
def test_indices(ids, error):
    with pytest.raises(error):
        nn.Embedding(3, 2)(Tensor(ids))
