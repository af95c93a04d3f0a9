"""Training: hyperparameters, loss, optimizer, the loop, and Model with callbacks."""

# %%
import mindspore as ms
import numpy as np
from mindspore import nn
from mindspore.dataset import NumpySlicesDataset
from mindspore.train import Accuracy, LossMonitor, Model

ms.set_seed(1)
points = np.random.default_rng(0).normal(size=(128, 2)).astype(np.float32)
labels = (points.sum(1) > 0).astype(np.int32)
data = NumpySlicesDataset((points, labels), ["x", "label"]).batch(16)

# %%
net = nn.SequentialCell(nn.Dense(2, 8), nn.Tanh(), nn.Dense(8, 2))
loss_fn = nn.CrossEntropyLoss()
optimizer = nn.SGD(net.trainable_params(), learning_rate=0.1, momentum=0.9)


# %%
def forward(x, label):
    logits = net(x)
    return loss_fn(logits, label), logits


step = ms.value_and_grad(forward, None, optimizer.parameters, has_aux=True)
for _ in range(3):
    for x, label in data:
        (loss, _), gradients = step(x, label)
        optimizer(gradients)
loss

# %%
model = Model(net, loss_fn, optimizer, metrics={"accuracy": Accuracy()})
model.train(2, data, callbacks=[LossMonitor(4)], dataset_sink_mode=False)

# %%
accuracy = model.eval(data, dataset_sink_mode=False)["accuracy"]
assert accuracy > 0.9
accuracy
