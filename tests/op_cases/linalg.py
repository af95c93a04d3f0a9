"""Products of matrices."""

from .case import rows

CASES = rows(
    [
        ("matmul", "x @ y", {"faces": ("ops.matmul(x, y)", "ops.MatMul()(x, y)", "x.matmul(y)")}),
        ("matmul_batch", "ops.matmul(x, y)", {"shapes": ((2, 3, 4), (4, 2))}),
        ("matmul_vector", "ops.matmul(x, y)", {"shapes": ((2, 3), (3,))}),
        ("matmul_transposed", "ops.MatMul(transpose_a=True, transpose_b=True)(x, y)", {"shapes": ((3, 2), (4, 3))}),
        ("bmm", "ops.bmm(x, y)", {"shapes": ((2, 2, 3), (2, 3, 2)), "faces": ("ops.BatchMatMul()(x, y)",)}),
        ("dense", "ops.dense(x, y, z)", {"shapes": ((2, 3), (4, 3), (4,))}),
        ("dense_no_bias", "ops.dense(x, y)", {"shapes": ((2, 3), (4, 3))}),
        ("outer", "ops.outer(x, y)", {"shapes": ((2,), (3,))}),
        ("mse_loss", "nn.MSELoss()(x, y)", {"shapes": ((2, 3), (2, 3)), "exact_slope": False}),
    ],
    shapes=((2, 3), (3, 4)),
)
