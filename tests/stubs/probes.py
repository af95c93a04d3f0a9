"""User code for a type checker: programs that are right, and programs with one mistake each, in the last line.

Each runs after `PREAMBLE`. What is right runs without an error, what is wrong raises one: a checker says the same.
"""

PREAMBLE = """
import numpy as np
import {root} as ms
import {root}.dataset as ds
from {root} import Parameter, Tensor, mint, nn, ops
from {root}.common.initializer import HeUniform, Normal, One, initializer
from {root}.dataset import transforms, vision
from {root}.nn.learning_rate_schedule import LearningRateSchedule
from {root}.ops import operations as P

x = Tensor(np.ones((2, 3)), ms.float32)
images = Tensor(np.ones((1, 3, 8, 8)), ms.float32)
labels = Tensor([0, 1], ms.int32)


class Net(nn.Cell):
    def __init__(self, width: int = 4):
        super().__init__()
        self.dense = nn.Dense(3, width)
        self.norm = nn.LayerNorm([width])
        self.scale = Parameter(ops.ones((width,)), name="scale")

    def construct(self, data, factor=1.0):
        return ops.relu(self.norm(self.dense(data))) * self.scale * factor


net = Net()
rows = ds.NumpySlicesDataset({{"image": np.zeros((4, 6, 6, 3), np.uint8), "label": [0, 1, 0, 1]}}, shuffle=False)
"""

RIGHT = {
    "dense": "nn.Dense(3, 4, weight_init='normal', activation='relu')(x).sum().item()",
    "dense by name": "nn.Dense(in_channels=3, out_channels=2, has_bias=False).weight.shape",
    "another library's array": "import jax.numpy as jnp\nTensor(jnp.ones(3), dtype=ms.float16).sum()",
    "metric": "metric = ms.train.Accuracy()\nmetric.clear()\nmetric.update(x, labels)\nmetric.eval() + 1",
    "weights": "report = ms.weights.load(nn.ReLU(), {}, strict=False)\nreport.ok or len(report.missing) + 1",
    "summary": "from msgrad.tools import graph, summary\nsummary(net, x).flops + 1\ngraph(net, x, depth=1).svg",
    "NumPy numbers": "Tensor(np.mean(np.ones(3))) + Tensor(np.int64(2))",
    "rows of a Tensor": "for row in x:\n    row.sum().item()\n    row.shape[0] + 1",
    "log": "ms.log.warning('%d rows', 3)\nms.log.info('seen')",
    "initializer": "nn.Dense(3, 4, HeUniform(5**0.5)).weight",
    "drawn values": "Parameter(initializer(Normal(0.02), [2, 3], ms.float32))\ninitializer('ones', 2, ms.float16).T",
    "initial values of any kind": "for init in ('zeros', 0.5, Normal(), x.T):\n    nn.Dense(2, 3, weight_init=init)",
    "trainable Parameters": "nn.SGD(filter(lambda each: each.requires_grad, net.get_parameters()), 0.1)\n"
    "nn.Adam([{'params': net.trainable_params(), 'lr': 0.1}, {'order_params': net.trainable_params()}])",
    "Parameters by name": "net.set_train(False).scale + list(net.parameters_dict().values())[0].sum()\n"
    "for name, cell in net.cells_and_names():\n    name.upper() + cell.cls_name\n"
    "    isinstance(cell, nn.Dense) and cell.weight.T",
    "torch.func": "import msgrad\nmsgrad.func.grad(lambda a, b: (a * b).sum(), argnums=(0, 1))(x, x)[0].T",
    "mint layers": "mint.nn.Dropout(p=0.5)(x) + mint.nn.LayerNorm([3])(x)\nmint.nn.Embedding(3, 4)(labels).shape",
    "own schedule": "class Warm(LearningRateSchedule):\n    def construct(self, global_step):\n"
    "        return global_step * 0.1\nnn.SGD(net.trainable_params(), Warm())",
    "constants": "ms.numpy.pi + float('inf')\nx < ms.numpy.inf",
    "size of a dataset": "rows.skip(1).batch(2).get_dataset_size() // 2\n', '.join(rows.get_col_names())",
    "conv": "nn.Conv2d(3, 4, 3, stride=2, pad_mode='pad', padding=1)(images).shape[1] + 1",
    "conv tuples": "nn.Conv2d(3, 4, (3, 1), stride=(1, 2), has_bias=True).bias",
    "pool": "nn.MaxPool2d(kernel_size=2, stride=2)(images).mean()",
    "norm": "nn.BatchNorm2d(3, momentum=0.9)(images).asnumpy().max()",
    "activation": "nn.LeakyReLU(0.1)(x) + nn.GELU()(x)",
    "sequential": "nn.SequentialCell(nn.Dense(3, 4), nn.ReLU(), nn.Dense(4, 2))(x)",
    "sequential item": "nn.SequentialCell([nn.Dense(3, 4), nn.ReLU()])[0].weight",
    "cell list": "for each in nn.CellList([nn.Dense(3, 3), nn.ReLU()]):\n    x2 = each(x)",
    "dropout": "nn.Dropout(p=0.5)(x).shape",
    "embedding": "nn.Embedding(10, 4)(labels).reshape(2, -1)",
    "lstm": "output, (h, c) = nn.LSTM(3, 4, num_layers=1, batch_first=True)(ops.ones((2, 5, 3)))",
    "loss": "nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean')(x, labels).item()",
    "own loss": "class Loss(nn.LossBase):\n    def construct(self, base, target, weight=1.0):\n"
    "        return self.get_loss(ops.abs(base - target) * weight)\nLoss()(x, x, weight=2.0)",
    "own cell": "net(x, factor=2.0)\nnet.set_train(False)\nnet.dense.weight.set_data(ops.zeros((4, 3)))",
    "cell members": "for name, each in net.parameters_and_names():\n    each.requires_grad = not name.endswith('bias')",
    "softmax": "ops.softmax(x, axis=-1).argmax(axis=1).tolist()",
    "concat": "ops.concat((x, x), axis=0).shape == (4, 3)\nops.stack([x, x], 1)\nops.cat([x, x])",
    "matmul": "ops.matmul(x, x.T) @ ops.ones((2, 2))",
    "reductions": "ops.sum(x, dim=1, keepdim=True)\nx.mean(axis=(0, 1))\nops.reduce_sum(x, 1)\nx.max().asnumpy()",
    "top": "values, indices = ops.topk(x, 2)\nvalues.sum() + indices.sum()",
    "split": "for part in ops.split(x, 1, axis=1):\n    part.squeeze(1)",
    "where": "ops.where(x > 0, x, ops.zeros_like(x))\nops.clamp(x, min=0.0, max=1)\nops.clip_by_value(x, 0, 1)",
    "one hot": "ops.one_hot(labels, 3, Tensor(1.0), Tensor(0.0)).astype(ms.int32)",
    "primitive": "P.ReduceSum(keep_dims=True)(x, 1)\nops.MatMul(transpose_b=True)(x, x)\nP.Cast()(x, ms.float16)",
    "operators": "y = 2 * x - 1 / (x + 1) ** 2 // 1 % 3\n-y @ x.T\n(x > 0) & (x < 1)\nabs(x) == 1",
    "numpy operands": "x * np.float32(2)\nx + [1.0, 2.0, 3.0]\nx // (1.0, 2.0, 3.0)",
    "indexing": "x[0, 1:].sum() + x[:, None, ...].mean()\nx[x > 0]\nx[labels]\nx[0] = 1.0",
    "python values": "int(x.sum()) + float(x[0, 0]) + len(x)\nfor row in x:\n    row.shape\nif x.sum() > 0:\n    pass",
    "methods": "x.reshape(3, 2).transpose(1, 0).view(-1).expand_dims(0)\nx.reshape((3, 2))\nx.permute(1, 0)\n"
    "x.swapaxes(0, 1).flatten().int().float()\nx.masked_fill(x > 0, 0.0).cumsum(0).std()",
    "properties": "x.shape[0] // 2 + x.ndim + x.size\nx.dtype == ms.float32\nx.T.T",
    "tensor": "Tensor(3)\nTensor([1, 2], dtype=ms.int64)\nTensor(shape=(2,), dtype=ms.float32, init=One())\n"
    "ms.tensor([1.0])\nTensor.from_numpy(np.ones(2))\nms.from_numpy(np.ones(2))",
    "parameter": "p = Parameter(x, name='w', requires_grad=True)\np + 1\np.name\np.asnumpy()\np.set_data(x)",
    "optimizer": "opt = nn.Adam(net.trainable_params(), learning_rate=1e-3, beta1=0.9, weight_decay=0.01)\n"
    "step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), opt)\nstep(x, ops.ones((2, 4)))",
    "groups": "nn.Momentum([{'params': net.trainable_params(), 'lr': 0.1}], learning_rate=0.1, momentum=0.9)\n"
    "nn.SGD(net.trainable_params(), nn.cosine_decay_lr(0.0, 0.1, 10, 5, 2))",
    "gradients": "value, grads = ms.value_and_grad(lambda v: (v * v).sum(), 0)(x)\nms.grad(ops.sin)(x)\n"
    "ms.value_and_grad(net, None, net.trainable_params())",
    "other gradients": "ops.GradOperation(get_all=True)(net)(x)\nms.jvp(ops.sin, x, x)\nms.vjp(ops.sin, x)\n"
    "ms.vmap(ops.sin, in_axes=0)(x)\nms.jacfwd(ops.sin)(x)",
    "jit": "@ms.jit\ndef double(v):\n    return v * 2\ndouble(x)\n"
    "ms.set_context(mode=ms.GRAPH_MODE)\nms.set_context(mode=ms.PYNATIVE_MODE)",
    "mint": "mint.sum(x, dim=-1, keepdim=True)\nmint.nn.functional.relu(x)\n"
    "mint.nn.Linear(3, 2)(x)\nmint.cat((x, x), dim=1)",
    "pipeline": "pipeline = rows.map(vision.Resize((4, 4)), input_columns=['image']).shuffle(4)\n"
    "pipeline = pipeline.batch(2, drop_remainder=True)\n"
    "for each in pipeline.create_dict_iterator(num_epochs=1, output_numpy=True):\n    each['image']\n"
    "pipeline.get_dataset_size() + 1",
    "transforms": "rows.map([vision.Rescale(1 / 255, 0.0), vision.HWC2CHW()], 'image')\n"
    "rows.map(transforms.TypeCast(ms.int32), 'label')\n"
    "ds.GeneratorDataset([(np.ones(2),)], ['a']).repeat(2).take(1)",
    "training": "model = ms.Model(net, nn.MSELoss(), nn.Adam(net.trainable_params()), metrics={'mse': nn.MSE()})\n"
    "model.train_network\nms.train.LossMonitor(per_print_times=1)",
    "checkpoint": "ms.save_checkpoint\nms.load_param_into_net(net, net.parameters_dict())\nms.set_seed(1)",
    "amp": "ms.amp.auto_mixed_precision(net, 'O1')\nms.amp.DynamicLossScaler(2.0, 2, 10)",
    "dtypes": "ms.dtype_to_nptype(ms.float32)\nms.float16 == x.dtype\nops.cast(x, ms.bool_)",
}

WRONG = {
    "softmax: axis": "ops.softmax(x, axis='last')",
    "softmax: no such parameter": "ops.softmax(x, dim=1)",
    "no such operation": "ops.sofmax(x)",
    "concat: axis": "ops.concat((x, x), axis=0.5)",
    "matmul: one operand": "ops.matmul(x)",
    "topk: k": "ops.topk(x, 'two')",
    "dense: a missing argument": "nn.Dense(3)",
    "dense: a str": "nn.Dense('3', 4)",
    "dense: a float": "nn.Dense(3, 4.0)",
    "dense: no such parameter": "nn.Dense(3, 4, bias=True)",
    "conv: pad_mode": "nn.Conv2d(3, 4, 3, pad_mode=1)",
    "conv: kernel": "nn.Conv2d(3, 4, '3x3')",
    "no such layer": "nn.Conv2D(3, 4, 3)",
    "loss: reduction": "nn.MSELoss(reduction='average')",
    "layer: a missing input": "nn.MSELoss()(x)",
    "layer: too many inputs": "nn.Dense(3, 4)(x, x)",
    "relu: an input that is no Tensor": "nn.ReLU()('x')",
    "operator: a str": "x + 'one'",
    "operator: None": "x * None",
    "method: no such name": "x.summ()",
    "method: argument": "x.mean(axis='rows')",
    "method: no such parameter": "x.astype(type=ms.float32)",
    "method: of a result": "ops.relu(x).softmax_(1)",
    "property": "x.shape()",
    "shape is a tuple": "x.shape + 1",
    "primitive: constructor": "P.ReduceSum(keep_dims='yes')",
    "primitive: no such attribute": "ops.MatMul(transpose=True)",
    "optimizer: a missing argument": "nn.Adam()",
    "optimizer: no such parameter": "nn.Momentum(net.trainable_params(), lr=0.1, momentum=0.9)",
    "trainable Parameters: no such method": "net.trainable_params().parameters()",
    "optimizer: beta": "nn.Adam(net.trainable_params(), beta1='0.9')",
    "grad: no such parameter": "ms.grad(net, argnums=0)",
    "dataset: no such method": "rows.shufle(4)",
    "dataset: batch": "rows.batch('two')",
    "transform: size": "vision.Resize('big')",
    "mint: no such parameter": "mint.sum(x, axis=-1)",
    "mint: keepdim": "mint.sum(x, dim='a')",
    "context: no such name": "ms.set_contxt(mode=0)",
    "dtype": "x.astype(ms.float33)",
    "parameter: name": "Parameter(x, name=1.5)",
}
