"""Embedding lookup: rows of a table by index."""

from .case import NO_KERNEL, rows

CASES = rows(
    [
        ("embedding", "ops.embedding(y, x)", "f[4,3] i[2,3]<4", {"reference": "x[y]"}),
        (
            "embedding_padding",
            "ops.embedding(y, x, -1)",
            "f[4,3] i[2,3]<4",
            {"reference": "x[y]", "exact_slope": False},
        ),
        (
            "embedding_bounded",
            "ops.embedding(y, x, max_norm=0.5)",
            "f[4,3] i[6]<4",
            {
                "parameters": 1,
                "order": 0,
                "reference": "x[y] / np.maximum(np.linalg.norm(x[y], axis=1, keepdims=True) / 0.5, 1)",
            },
        ),
        (
            "embedding_by_frequency",
            "ops.embedding(y, x, scale_grad_by_freq=True)",
            "f[4,3] i[2,3]<4",
            {"reference": "x[y]", "exact_slope": False},
        ),
        ("embedding_lookup", "ops.EmbeddingLookup()(x, y, 2)", "f[4,3] i[2,3]<8", {"golden_order": 0}),
    ],
    reason=NO_KERNEL,
)

ERRORS = [
    (
        "ops.embedding(Tensor([0.0]), ops.ones((2, 2)))",
        TypeError,
        "For 'embedding', the 'input' must be a Tensor of int32",
    ),
    ("ops.embedding(Tensor([0]), ops.ones((2,)))", ValueError, "For 'Embedding', the 'weight' must be a matrix"),
    ("ops.embedding(Tensor([0]), ops.ones((2, 2)), 5)", ValueError, "For 'Embedding', the 'padding_idx'"),
]
