"""Model.train with callbacks: a network with dropout, a shuffled dataset, two epochs."""

import mindspore as ms
import mindspore.dataset as ds
import numpy as np
from mindspore import nn, ops
from mindspore.train import Callback, LossMonitor, Model

ms.set_seed(6)


class Dropout(nn.Cell):
    def construct(self, x):
        return ops.dropout(x, 0.4)


class Printer(Callback):
    def on_train_step_end(self, run_context):
        print(f"{float(run_context.original_args().net_outputs):.7f}")


x = np.random.randn(80, 12).astype(np.float32)
y = (x.sum(1) > 0).astype(np.int32)
data = ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=True).batch(8, drop_remainder=True)
net = nn.SequentialCell(
    nn.Dense(12, 32, weight_init="XavierUniform"),
    nn.Tanh(),
    Dropout(),
    nn.Dense(32, 16, weight_init="HeNormal"),
    nn.ReLU(),
    nn.Dense(16, 2),
)
rate = nn.cosine_decay_lr(0.001, 0.05, 20, 10, 2)
model = Model(
    net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), nn.RMSProp(net.trainable_params(), rate)
)
model.train(2, data, callbacks=[Printer(), LossMonitor(1000)], dataset_sink_mode=False)
