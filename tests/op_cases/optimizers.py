"""Optimizer steps, which write to their first inputs; each row compares one of the new values."""

from .case import rows

RETURNED = "MindSpore 2.10 returns what is not the new values; it has no derivatives"
M, V = "(0.9 * y + 0.1 * u)", "(0.99 * z + 0.01 * u**2)"
ADAM = f"(np.float32(0.1) * np.sqrt(np.float32(1 - 0.98)) / (1 - 0.8) * {M} / (np.sqrt({V}) + 0.001)).astype('f')"


def _step(name, expression, count, **fields):
    return name, expression, "f[2,3] " + "f[2,3](0.5,1) " * count, {"parameters": count, **fields}


CASES = rows(
    [
        _step("apply_momentum", "ops.ApplyMomentum()(x, y, 0.1, z, 0.9)", 2),
        _step(  # MindSpore 2.10 ignores both attributes on a CPU
            "apply_momentum_nesterov",
            "ops.ApplyMomentum(True, gradient_scale=0.5)(x, y, 0.1, z, 0.9)",
            2,
            reference="(x - 0.1 * (0.5 * z + 0.9 * (0.9 * y + 0.5 * z))).astype('f')",
        ),
        _step(
            "apply_keras_momentum",
            "ops.ApplyKerasMomentum()(x, y, Tensor(0.1), z, Tensor(0.9))[0]",
            2,
            reference="(x + 0.9 * y - 0.1 * z).astype('f')",
        ),
        _step(
            "adam",
            "ops.Adam()(x, y, z, 0.8, 0.98, 0.1, 0.9, 0.99, 0.001, u)[0]",
            3,
            reference=f"x - {ADAM}",
        ),
        _step(
            "adam_delta",
            "ops.AdamNoUpdateParam()(x, y, 0.8, 0.98, 0.1, 0.9, 0.99, 0.001, z)",
            2,
        ),
        _step(
            "adam_weight_decay",
            "ops.AdamWeightDecay()(x, y, z, 0.1, 0.9, 0.99, 0.001, 0.1, u)[0]",
            3,
            faces=("ops.FusedCastAdamWeightDecay()(x, y, z, 0.1, 0.9, 0.99, 0.001, 0.1, u)[0]",),
            reference=f"(x - 0.1 * ({M} / (np.sqrt({V}) + 0.001) + 0.1 * x)).astype('f')",
        ),
        _step(
            "amsgrad",
            "ops.ApplyAdamWithAmsgradV2()(x, y, z, u, Tensor(0.9), Tensor(0.99), Tensor(0.1), Tensor(0.9),"
            " Tensor(0.99), Tensor(0.001), v)[0]",
            4,
            faces=(
                "ops.ApplyAdamWithAmsgrad(0.9, 0.99, 0.001)(x, y, z, u, Tensor(0.9), Tensor(0.99), Tensor(0.1), v)[0]",
            ),
        ),
        _step("apply_adamax", "ops.ApplyAdaMax()(x, y, z, 0.9, 0.1, 0.9, 0.99, 0.001, u)[0]", 3),
        _step("apply_adadelta", "ops.ApplyAdadelta()(x, y, z, 0.1, 0.9, 0.001, u)[0]", 3),
        _step("apply_adagrad", "ops.ApplyAdagrad()(x, y, 0.1, z)[0]", 2),
        _step("apply_adagrad_v2", "ops.ApplyAdagradV2(0.001)(x, y, 0.1, z)[0]", 2),
        _step(
            "apply_adagrad_da",
            "ops.ApplyAdagradDA()(x, y, z, u, Tensor(0.1), Tensor(0.01), Tensor(0.02), Tensor(2, ms.int32))",
            3,
        ),
        _step("apply_add_sign", "ops.ApplyAddSign()(x, y, 0.1, 0.5, 0.3, 0.9, z - 0.7)[0]", 2),
        _step("apply_power_sign", "ops.ApplyPowerSign()(x, y, 0.1, 0.5, 0.3, 0.9, z - 0.7)[0]", 2),
        _step(
            "apply_rms_prop",
            "ops.ApplyRMSProp()(x, y, z, 0.1, u, 0.9, 0.8, 0.001)",
            3,
            reference="(x - 0.8 * z - 0.1 * u / np.sqrt(0.9 * y + 0.1 * u**2 + 0.001)).astype('f')",
        ),
        _step(
            "apply_centered_rms_prop",
            "ops.ApplyCenteredRMSProp()(x, y, z, u, v, 0.1, 0.9, 0.8, 1.001)",
            4,
            reference="(x - 0.8 * u - 0.1 * v / np.sqrt(0.9 * z + 0.1 * v**2 - (0.9 * y + 0.1 * v)**2 + 1.001))"
            ".astype('f')",
        ),
        # MindSpore 2.10 shrinks by l1 in the wrong direction on a CPU.
        _step("apply_ftrl", "ops.ApplyFtrl()(x, y, z, u, 0.1, 0.0, 0.02, -0.5)", 3),
        _step("apply_gradient_descent", "ops.ApplyGradientDescent()(x, 0.1, y)", 1),
        _step("apply_proximal_descent", "ops.ApplyProximalGradientDescent()(x, 0.1, 0.01, 0.02, y)", 1),
        _step("apply_proximal_adagrad", "ops.ApplyProximalAdagrad()(x, y, 0.1, 0.01, 0.02, z)[0]", 2),
    ],
    order=0,
    reason=RETURNED,
)
