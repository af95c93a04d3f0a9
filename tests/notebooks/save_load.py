"""Checkpoints: of a network, of Parameters alone, with an optimizer."""

# %%
import mindspore as ms
import numpy as np
from mindspore import nn, ops

ms.set_seed(1)
net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dense(4, 2))
optimizer = nn.Adam(net.trainable_params())
x = ops.ones((5, 3))

# %%
ms.save_checkpoint(net, "model.ckpt", append_dict={"epoch": 3})
parameters = ms.load_checkpoint("model.ckpt")
sorted(parameters)

# %%
again = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4), nn.Dense(4, 2))
assert (again(x).asnumpy() != net(x).asnumpy()).any()
not_loaded = ms.load_param_into_net(again, parameters)
np.testing.assert_array_equal(again(x).asnumpy(), net(x).asnumpy())
int(parameters["epoch"]), not_loaded

# %%
ms.save_checkpoint(optimizer, "optimizer.ckpt")
assert ms.load_param_into_net(optimizer, ms.load_checkpoint("optimizer.ckpt")) == ([], [])
