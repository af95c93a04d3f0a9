"""A network of which MindSpore and msgrad write strategy files, for four devices."""

DEVICES = 4
WHOLE = {"only_trainable_params": False}
OPTIMIZER = {"enable_parallel_optimizer": True}
SETTINGS = {  # by the name of the file
    "plain.ckpt": {},
    "plain.json": {},
    "all.json": {"strategy_ckpt_config": WHOLE},
    "optimizer.json": OPTIMIZER | {"parallel_optimizer_config": {"parallel_optimizer_threshold": 0}},
    "optimizer.ckpt": OPTIMIZER | {"parallel_optimizer_config": {"parallel_optimizer_threshold": 0}},
    "threshold.json": OPTIMIZER | {"parallel_optimizer_config": {"parallel_optimizer_threshold": 2}},
}


def settings(name, path):
    """The settings of the file ``name``, with which it is written to a path."""
    asked = SETTINGS[name]
    config = {"save_file": path} | asked.get("strategy_ckpt_config", {})
    return asked | {"parallel_mode": "semi_auto_parallel", "full_batch": True, "strategy_ckpt_config": config}


def step(ms, np):
    """A training step of MindSpore or msgrad."""
    nn, ops = ms.nn, ms.ops

    def parameter(name, *shape, **more):
        return ms.Parameter(
            ms.Tensor(np.linspace(-1, 1, int(np.prod(shape)), dtype=np.float32).reshape(shape)), name, **more
        )

    class Network(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table = parameter("table", 8, 16)
            self.w1, self.w2 = parameter("w1", 16, 32), parameter("w2", 8, 32)
            self.b1, self.b2 = parameter("b1", 32), parameter("b2", 8)
            self.free, self.frozen = parameter("free", 8), parameter("frozen", 8, requires_grad=False)
            self.gather = ops.Gather().shard(((1, 2), (2,)))
            self.first = ops.MatMul().shard(((2, 1), (1, 2)))
            self.bias = ops.BiasAdd().shard(((2, 2), (2,)))
            self.relu = ops.ReLU().shard(((2, 2),))
            self.second = ops.MatMul(transpose_b=True).shard(((1, 4), (1, 4)))
            self.add = ops.Add().shard(((4, 1), (1,)))
            self.scale = ops.Mul().shard(((2, 2), (2,)))
            self.plain, self.mean = ops.Add(), ops.ReduceMean()

        def construct(self, x):
            x = self.gather(self.table, x, 0)
            x = self.relu(self.bias(self.first(x, self.w1), self.b1))
            x = self.add(self.second(x, self.w2), self.b2)
            return self.mean(self.scale(self.plain(x, self.free), self.frozen))

    network = Network()
    made = nn.TrainOneStepCell(network, nn.Adam(network.trainable_params(), 0.1))
    made.set_train()
    return made, ms.Tensor(np.arange(8, dtype=np.int32))
