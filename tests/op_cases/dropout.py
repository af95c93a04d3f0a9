"""Dropout with probabilities 0 and 1; `random_ops` tests distributions, `tests/ops/test_dropout.py` channels."""

from .case import NO_SECOND, rows

CASES = rows(
    [
        ("dropout1d", "ops.dropout1d(x, 0.0)", "f[2,3,2]", {}),
        ("dropout2d", "ops.dropout2d(x, 0.0)", "f[1,2,3,2]", {"faces": ("ops.Dropout2D(1.0)(x)[0]",)}),
        ("dropout3d", "ops.dropout3d(x, 0.0)", "f[1,2,1,3,2]", {"faces": ("ops.Dropout3D(1.0)(x)[0]",)}),
        ("dropout2d_all", "ops.dropout2d(x, 1.0)", "f[1,2,3,2]", {}),
        ("gumbel_softmax", "ops.gumbel_softmax(1e6 * x, hard=True)", "f[4,3]", {"order": 0}),
        ("rrelu_fixed", "ops.rrelu(x, 0.5, 0.5)", "f[4,3]", {}),
    ],
    golden_order=0,
    reason=NO_SECOND,
)

ERRORS = [
    ("ops.StandardNormal('a')", TypeError, "For 'StandardNormal', the 'seed' must be an int"),
    ("ops.UniformReal(-1)", ValueError, "For 'UniformReal', the 'seed' must be a non-negative int"),
    ("ops.dropout(Tensor([1.0]), 1.5)", RuntimeError, "For 'Dropout', the 'p' must be in the range [0, 1)"),
    ("ops.dropout(Tensor([1]))", TypeError, "For 'dropout', the 'input' must be a Tensor of bfloat16"),
    ("ops.dropout2d(ops.ones((2, 3)), 0.5)", ValueError, "For 'Dropout2D', the 'input' must be of 4 axes"),
    ("ops.dropout1d(ops.ones((2,)), 0.5)", ValueError, "For 'dropout1d', the 'input' must be of 2 or 3 axes"),
    ("ops.dropout2d(ops.ones((1, 2, 3, 2)), 1.5)", ValueError, "the 'keep_prob' must be in the range [0, 1]"),
    ("ops.rrelu(Tensor([1.0]), 0.5, 0.2)", ValueError, "For 'rrelu', the 'upper' must be at least 'lower'"),
]
