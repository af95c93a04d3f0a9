"""``multi_head_attention_forward`` of MindSpore's ``nn_func``, as MindSpore 2.10 computes it."""

import numpy as np
import pytest

from msgrad import Tensor
from msgrad.alias import LEGACY

forward = LEGACY["mindspore.ops.function.nn_func"].multi_head_attention_forward


def made(*shape, k=1):
    return Tensor(np.sin(np.arange(np.prod(shape)) * k + k).reshape(shape).astype(np.float32))


Q, K, V = made(3, 2, 4), made(5, 2, 4, k=2), made(5, 2, 4, k=3)
W, B, JOIN, P = made(12, 4, k=4), made(12, k=5), made(4, 4, k=6), made(4, k=7)
HIDDEN = Tensor([False, True, False, False, True])
OWN = {
    "use_separate_proj_weight": True,
    "q_proj_weight": made(4, 4),
    "k_proj_weight": made(4, 3, k=2),
    "v_proj_weight": made(4, 6, k=3),
}
STATIC = {"static_k": made(4, 5, 2, k=8), "static_v": made(4, 5, 2, k=9), "average_attn_weights": False}
MORE = (made(1, 1, 4, k=8), made(1, 1, 4, k=9), True, 0.0, JOIN, P, False, None, made(3, 5, k=3))
ROWS = [
    ((Q, K, V, 4, 2, W, B, None, None, False, 0.0, JOIN, P), {}, (2, 3, 5), 1.00642, -0.17858),
    ((Q, K, V, 4, 2, W, B, None, None, False, 0.0, JOIN, None), STATIC, (2, 2, 3, 5), -0.47631, 0.3982),
    ((Q, K, V, 4, 2, W, None, *MORE), {}, (2, 3, 7), -0.1453, -0.32595),
    (
        (Q, made(5, 2, 3), made(5, 2, 6), 4, 2, None, B, None, None, False, 0.0, JOIN, P),
        OWN,
        (2, 3, 5),
        1.09281,
        0.15046,
    ),
    (
        (Q, Q, Q, 4, 2, W, B, None, None, False, 0.0, JOIN, P),
        {"k_is_v": True, "q_is_k": True},
        (2, 3, 3),
        0.63335,
        -0.05238,
    ),
    (
        (Q[:, 0], K[:, 0], V[:, 0], 4, 2, W, B, None, None, False, 0.0, JOIN, P),
        {"key_padding_mask": HIDDEN},
        (3, 5),
        0.22486,
        0.01126,
    ),
]


def figure(x):
    """A sum in which each place counts otherwise."""
    return (x.asnumpy().reshape(-1) * np.cos(np.arange(x.size))).sum()


@pytest.mark.parametrize(
    ("arguments", "options", "shape", "output_figure", "weights_figure"),
    ROWS,
    ids=["plain", "static", "more", "own", "same", "single"],
)
def test_figures_of_mindspore(arguments, options, shape, output_figure, weights_figure, mode):
    output, weights = forward(*arguments, **options)
    assert output.shape == arguments[0].shape and weights.shape == shape
    assert np.allclose([figure(output), figure(weights)], [output_figure, weights_figure], atol=2e-5)


def test_what_does_not_fit_is_refused():
    for width, heads in ((5, 2), (4, 3)):
        with pytest.raises(ValueError, match=f"'query' must be of {width} features, which {heads} heads share"):
            forward(Q, K, V, width, heads, *ROWS[0][0][5:])
    with pytest.raises(NotImplementedError, match="'is_causal' must be False"):
        forward(*ROWS[0][0], is_causal=True)
