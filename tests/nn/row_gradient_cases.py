"""Optimizers with a step for gradients by rows; ``tests/golden/make_row_gradients.py`` takes the figures."""

import numpy as np

# Rows 1 and 5 repeat within a batch, row 3 between the batches; row 0 is in the first alone, 2 and 4 are in none.
BATCHES = [[[1, 3], [1, 0]], [[3, 5], [5, 5]], [[1, 5], [3, 3]]]
WIDTH = 2

# name: the optimizer, its arguments, whether its `target` is set to 'CPU'
CASES = {
    f"{name}{' on CPU' if on_cpu else ''}": (kind, arguments, on_cpu)
    for name, kind, arguments in [
        ("lazy", "LazyAdam", {}),
        ("lazy, Nesterov", "LazyAdam", {"use_nesterov": True}),
        ("lazy, decay", "LazyAdam", {"weight_decay": 0.1, "loss_scale": 2.0}),
        ("Adam", "Adam", {}),
        ("Adam, Nesterov", "Adam", {"use_nesterov": True}),
        ("Adam, lazy", "Adam", {"use_lazy": True}),
        ("Adam, decay", "Adam", {"weight_decay": 0.1}),
        ("FTRL", "FTRL", {"l1": 0.01, "l2": 0.01}),
        ("FTRL, decay", "FTRL", {"weight_decay": 0.1}),
        ("proximal", "ProximalAdagrad", {"l1": 0.01}),
    ]
    for on_cpu in (False, True)
}


def made(kind, arguments, on_cpu, ms):
    """A network with a table that sparse lookups use, and its optimizer."""

    class Net(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            table = np.random.default_rng(3).normal(size=(6, WIDTH)).astype(np.float32)
            self.lookup = ms.nn.EmbeddingLookup(6, WIDTH, ms.Tensor(table))

        def construct(self, indices):
            rows = self.lookup(indices)
            return (rows * rows).sum()

    net = Net()
    optimizer = getattr(ms.nn, kind)(net.trainable_params(), learning_rate=0.1, **arguments)
    if on_cpu:
        optimizer.target = "CPU"
    return net, optimizer


def run(case, ms):
    """The table and its slots after three steps."""
    net, optimizer = made(*case, ms)
    step = ms.nn.TrainOneStepCell(net, optimizer)
    for batch in BATCHES:
        step(ms.Tensor(batch, ms.int32))
    return tables_of(optimizer)


def tables_of(optimizer):
    """The values of the table and of its slots."""
    return [each.asnumpy() for each in optimizer.get_parameters() if each.ndim == 2]
