"""Mixed precision: levels of amp, casts of one's own, and loss scaling."""

# %%
import mindspore as ms
import numpy as np
from mindspore import amp, nn, ops
from mindspore.amp import DynamicLossScaler, all_finite

ms.set_seed(1)
x = ops.ones((4, 3))
y = ops.zeros((4, 2))


# %%
def made():
    return nn.SequentialCell(nn.Dense(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dense(8, 2))


for level in ("O0", "O1", "O2", "O3"):
    print(level, amp.auto_mixed_precision(made(), level)(x).dtype)

# %%
halved = nn.Dense(3, 2).to_float(ms.float16)
halved(x).dtype

# %%
net = amp.auto_mixed_precision(made(), "O2")
optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
scaler = DynamicLossScaler(scale_value=1024, scale_factor=2, scale_window=2)


def scaled(x, y):
    return scaler.scale(ops.mse_loss(net(x).astype(ms.float32), y))


step = ms.value_and_grad(scaled, None, net.trainable_params())
losses = []
for _ in range(4):
    value, gradients = step(x, y)
    gradients, is_finite = scaler.unscale(gradients), all_finite(gradients)
    if is_finite:
        optimizer(gradients)
    scaler.adjust(is_finite)
    losses.append(scaler.unscale((value,))[0].item())
assert np.isfinite(losses).all() and losses[-1] < losses[0]
losses, scaler.scale_value
