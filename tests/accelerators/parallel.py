"""Training steps over four devices: data-parallel, with sharded optimizers and Parameters, and semi-automatic."""

import functools

import jax
import numpy as np
from jax.sharding import Mesh, PartitionSpec

import msgrad.sharding
from msgrad import Parameter, Tensor, nn, ops
from msgrad._sharding.partition import Partition, active
from msgrad.engine.recording.sharding import Active, waiting

from .target import devices
from .training import training_step

BATCH, WIDTH = 16, 128


def _dense():
    return nn.SequentialCell(nn.Dense(WIDTH, 4 * WIDTH), nn.ReLU(), nn.Dense(4 * WIDTH, WIDTH))


class _Strategies(nn.Cell):
    """Two products: of a table sharded by columns, and of one sharded by rows, whose partial sums are added."""

    def __init__(self):
        super().__init__()
        self.up = Parameter(ops.ones((WIDTH, 4 * WIDTH)), name="up")
        self.down = Parameter(ops.ones((4 * WIDTH, WIDTH)), name="down")
        self.by_columns = ops.MatMul().shard(((2, 1), (1, 2)))
        self.by_rows = ops.MatMul().shard(((2, 2), (2, 1)))

    def construct(self, x):
        return self.by_rows(ops.relu(self.by_columns(x, self.up)), self.down)


def _by_names(parameters=None, optimizer=False):
    def partition(chips):
        with msgrad.sharding.use(Mesh(chips, ("data",)), parameters, batch="data", optimizer=optimizer):
            return Active.partition

    return _dense, partition


def _semi_automatic(chips):
    mesh = Mesh(chips.reshape(2, 2), ("d0", "d1"))
    return Partition(mesh, batch=lambda position, shape: PartitionSpec(mesh.axis_names))


CASES = {
    "data": _by_names(),
    "optimizer": _by_names(optimizer=True),
    "parameters": _by_names({"weight": ("data", None)}),
    "semi-automatic": (_Strategies, _semi_automatic),
}


def _lay_out(partition, parameters):
    """Says how Parameters are sharded, as `Partition.place`, and moves none, for the devices are not there."""
    Partition.place(partition, parameters)
    waiting.clear()


def step(name, kind):
    """The training step of a case over four devices of a kind."""
    build, partition_of = CASES[name]
    partition = partition_of(np.array(devices(kind)))
    # Its devices are not there: their programs are compiled as those of one process.
    partition.is_global, partition._is_begun, partition.place = False, True, functools.partial(_lay_out, partition)
    images = Tensor(np.ones((BATCH, WIDTH), np.float32))
    subject = training_step(build(), [images], "float32")
    parameters = []

    def sharded_step(trained, *inputs):
        with active(partition):
            results = subject.function(trained, *inputs)
        parameters[:] = trained.get_parameters()
        return results

    jax.eval_shape(sharded_step, *subject.arguments)  # strategies choose the shardings of Parameters
    members = {each.name: each for each in parameters}
    shardings = [partition._sharding_of(each, members.get(name.partition(".")[2])) for name, each in members.items()]
    batch = partition.sharding(partition.batch(0, images.shape))
    return subject._replace(function=sharded_step, shardings=[*shardings, batch])
