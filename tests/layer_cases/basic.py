"""Layers that pass on, reshape or join: Dense, Flatten, Embedding, Dropout."""

from .case import rows

CASES = rows(
    [
        ("dense", "nn.Dense(3, 2)", "f[4,3]"),
        ("dense_activation", "nn.Dense(3, 2, has_bias=False, activation='relu')", "f[2,4,3]"),
        ("dense_initial", "nn.Dense(100, 400)", ""),
        ("dropout", "nn.Dropout(p=0.3)", "f[2,3]", {"phases": (False,)}),
        ("embedding", "nn.Embedding(5, 3, padding_idx=1)", "i32[2,2]<5"),
        ("embedding_initial", "nn.Embedding(50, 40)", ""),
        ("flatten", "nn.Flatten()", "f[2,3,2]"),
        ("identity", "nn.Identity()", "f[2,3]"),
        ("sequential", "nn.SequentialCell(nn.Dense(3, 2), nn.ReLU())", "f[4,3]"),
    ]
)
