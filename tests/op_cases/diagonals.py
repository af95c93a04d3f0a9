"""Diagonals and triangles of matrices."""

from .case import rows

CASES = rows(
    [
        ("tril_above", "ops.tril(x, 1)", {"faces": ("x.tril(1)", "ops.Tril(1)(x)")}),
        ("triu_below", "ops.triu(x, -1)", {"faces": ("x.triu(-1)", "ops.Triu(-1)(x)")}),
        ("matrix_band_part", "ops.matrix_band_part(x, 1, 0)", {}),
        ("matrix_band_part_all_below", "ops.matrix_band_part(x, -1, 1)", {}),
        ("diag_of_matrix", "ops.diag(x[0])", {"faces": ("ops.Diag()(x[0])",)}),
        ("diagflat", "ops.diagflat(x[:, 0, :2], -1)", {"faces": ("x[:, 0, :2].diagflat(-1)",)}),
        ("diagonal", "ops.diagonal(x, 1, 0, 2)", {"faces": ("x.diagonal(1, 0, 2)",)}),
        ("diagonal_below", "ops.diagonal(x, -1, 1, 2)", {"faces": ("x.diagonal(-1, 1, -1)",)}),
        ("diag_embed", "ops.diag_embed(x[0])", {"faces": ("ops.diag_embed(x[0], 0, 1, 2)",)}),
        ("diag_embed_below", "ops.diag_embed(x[0], -1, 0, 2)", {}),
        ("diag_embed_above", "ops.diag_embed(x[0], 2, 1, 0)", {}),
    ],
    shapes=((2, 3, 4),),
)
