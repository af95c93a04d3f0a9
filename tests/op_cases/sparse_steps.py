"""Optimizer steps by sparse gradients, Adafactor, SGD and LARS; each row compares one of the new values."""

from .case import NO_KERNEL, rows

RETURNED = "MindSpore 2.10 has no derivatives of them"
ONE, TWICE = "Tensor([2, 0], ms.int32)", "Tensor([2, 0, 2], ms.int32)"
ROWS = "f[4,2] f[4,2](0.5,1) f[4,2](0.5,1)"
POWERS = "Tensor(0.8), Tensor(0.98), Tensor(0.1), Tensor(0.9), Tensor(0.99), Tensor(0.01)"
RATES = "Tensor([1e-30, 0.001]), Tensor(0.3), Tensor(0.9), Tensor(0.8), Tensor(0.01), Tensor(0.03)"
AT = "np.float32([1, 0, 1, 0])[:, None]"
NEW = "np.stack([z[1], 0 * z[0], z[0], 0 * z[0]])"


def _three(name, new, count, indices=ONE, **fields):
    """A row on three arrays of rows, with gradients for those that ``indices`` name."""
    rows = 3 if indices is TWICE else 2
    return name, new.format(given=f"u, {indices}"), f"{ROWS} f[{rows},2]", {"parameters": count, **fields}


def _two(name, new, indices=ONE, **fields):
    rows = 3 if indices is TWICE else 2
    return name, new.format(given=f"z, {indices}"), f"f[4,2] f[4,2](0.5,1) f[{rows},2]", {"parameters": 2, **fields}


SPARSE = rows(
    [
        _two("sparse_adagrad", "ops.SparseApplyAdagrad(0.1)(x, y, {given})[0]", TWICE),
        _two("sparse_adagrad_slot", "ops.SparseApplyAdagrad(0.1)(x, y, {given})[1]"),
        _two("sparse_adagrad_var_alone", "ops.SparseApplyAdagrad(0.1, False)(x, y, {given})[0]"),
        _two("sparse_adagrad_v2", "ops.SparseApplyAdagradV2(0.1, 0.01)(x, y, {given})[0]"),
        _three("sparse_ftrl", "ops.SparseApplyFtrl(0.1, 0.02, 0.03, -0.5)(x, y, z, {given})[0]", 3),
        _three("sparse_ftrl_linear", "ops.SparseApplyFtrl(0.1, 0.02, 0.03, -0.5)(x, y, z, {given})[2]", 3),
        _three("fused_sparse_ftrl", "ops.FusedSparseFtrl(0.1, 0.02, 0.03, -0.5)(x, y, z, {given})[0]", 3, TWICE),
        _three("fused_sparse_adam", f"ops.FusedSparseAdam()(x, y, z, {POWERS}, {{given}})[0]", 3, TWICE),
        _three("fused_sparse_adam_v", f"(ops.FusedSparseAdam()(x, y, z, {POWERS}, {{given}}), z + 0)[1]", 3),
        # What MindSpore 2.10 adds to the other rows of it is what its memory holds.
        _three("fused_sparse_nesterov", f"ops.FusedSparseAdam(False, True)(x, y, z, {POWERS}, {{given}})[0][::2]", 3),
        _three("fused_sparse_lazy_adam", f"ops.FusedSparseLazyAdam()(x, y, z, {POWERS}, {{given}})[0]", 3, TWICE),
        _three("fused_sparse_lazy_m", f"(ops.FusedSparseLazyAdam()(x, y, z, {POWERS}, {{given}}), y + 0)[1]", 3),
        _two(
            "fused_sparse_proximal",
            "ops.FusedSparseProximalAdagrad()(x, y, Tensor(0.1), Tensor(0.02), Tensor(0.03), {given})[0]",
            TWICE,
        ),
    ],
    order=0,
    reason=RETURNED,
)

# Where MindSpore 2.10 computes nothing on a CPU, or takes gradients for all rows alone.
OURS = rows(
    [
        _two(
            "sparse_proximal_adagrad",
            "ops.SparseApplyProximalAdagrad()(x, y, 0.1, 0.0, 0.03, {given})[0]",
            reference=f"(np.where({AT} > 0, (x - 0.1 / np.sqrt(y + {NEW}**2) * {NEW})"
            f" / (1 + 0.003 / np.sqrt(y + {NEW}**2)), x)).astype('f')",
        ),
        (
            "sparse_adadelta",
            f"ops.SparseApplyAdadelta(0.01)(x, y, y * 1, 0.1, 0.9, z, {ONE})[1]",
            "f[4,2] f[4,2](0.5,1) f[2,2]",
            {"parameters": 2, "reference": f"np.where({AT} > 0, 0.9 * y + 0.1 * {NEW}**2, y).astype('f')"},
        ),
        (
            "sparse_rms_prop",
            f"ops.SparseApplyRMSProp(0.9, 0.8, 0.01)(x, y, y * 1, 0.1, z, {ONE})[0]",
            "f[4,2] f[4,2](0.5,1) f[2,2]",
            {
                "parameters": 2,
                "reference": f"np.where({AT} > 0, x - 0.8 * y - 0.1 * {NEW} / np.sqrt(0.9 * y + 0.1 * {NEW}**2 + 0.01),"
                " x).astype('f')",
            },
        ),
        _three(
            "sparse_ftrl_v2",
            "ops.SparseApplyFtrlV2(0.1, 0.02, 0.03, 0.01, -0.5)(x, y, z, {given})[2]",
            3,
            reference=f"np.where({AT} > 0, z + {NEW.replace('z', 'u')} + 0.02 * x"
            f" - (np.sqrt(y + {NEW.replace('z', 'u')}**2) - np.sqrt(y)) / 0.1 * x, z).astype('f')",
        ),
        (
            "fused_weight_scale_momentum",
            "ops.FusedWeightScaleApplyMomentum()(Tensor(0.1), Tensor(0.5), x, y, 0.1, z, 0.9)",
            "f[2,3] f[2,3] f[2,3]",
            {"parameters": 2, "reference": "(x - 0.1 * (0.9 * y + 0.5 * (z + 0.1 * x))).astype('f')"},
        ),
        (
            "lars_update",
            "ops.LARSUpdate(0.01, 0.5)(x, y, z, u, 0.1, 0.2)",
            "f[2,3] f[2,3] f[](1,2) f[](1,2)",
            {"reference": "(0.5 * z**0.5 / (u**0.5 + 0.1 * z**0.5 + 0.01) * (y + 0.1 * x)).astype('f')"},
        ),
        (
            "lars_update_clipped",
            "ops.LARSUpdate(0.01, 0.5, True)(x, y, z, u, 0.1, 0.2)",
            "f[2,3] f[2,3] f[](1,2) f[](1,2)",
            {"reference": "(y + 0.1 * x).astype('f')"},
        ),
    ],
    order=0,
    reason=NO_KERNEL,
)

WHOLE = rows(
    [
        (
            "sgd_step",
            "ops.SGD(0.3, 0.1)(x, z, Tensor(0.1), y, Tensor(0.9), u * 1)",
            "f[2,3] f[2,3] f[2,3] f[2,3]",
            {"parameters": 2},
        ),
        (
            "sgd_step_nesterov",
            "ops.SGD(0.0, 0.1, True)(x, z, Tensor(0.1), y, Tensor(0.9), u * 0 - 1)",
            "f[2,3] f[2,3] f[2,3] f[2,3]",
            {"parameters": 2},
        ),
        (
            "fused_ada_factor",
            f"(ops.FusedAdaFactor(True, True, True)({RATES}, u, x, y, y[:, 0] * 1, y[0] * 1, y * 2), x + 0)[1]",
            "f[2,3] f[2,3](0.5,1) f[2,3](0.5,1) f[2,3]",
            {"parameters": 2},
        ),
        (
            "fused_ada_factor_vector",
            f"(ops.FusedAdaFactor()({RATES}, u, x, y, y * 1, y * 1, y * 2), x + 0)[1]",
            "f[3] f[3](0.5,1) f[3](0.5,1) f[3]",
            {"parameters": 2},
        ),
        (
            "fused_ada_factor_norm",
            f"(ops.FusedAdaFactorWithGlobalNorm()({RATES}, u, x, y, y[:, 0] * 1, y[0] * 1, y * 2, Tensor(2.0)),"
            " x + 0)[1]",
            "f[2,3] f[2,3](0.5,1) f[2,3](0.5,1) f[2,3]",
            {"parameters": 2},
        ),
    ],
    order=0,
    reason=RETURNED,
)

CASES = SPARSE + OURS + WHOLE

ERRORS = [
    ("ops.SGD()(1.0, Tensor([1.0]), 0.1, Tensor([1.0]), 0.9, Tensor([1.0]))", TypeError, "the 'parameters' must be"),
    ("ops.SparseApplyAdagrad('a')(Tensor([1.0]), Tensor([1.0]), Tensor([1.0]), Tensor([0]))", TypeError, "the 'lr'"),
    ("ops.LARSUpdate()(Tensor([1.0]), Tensor([[1.0]]), Tensor(1.0), Tensor(1.0), 0.0, 1.0)", ValueError, "'gradient'"),
]
