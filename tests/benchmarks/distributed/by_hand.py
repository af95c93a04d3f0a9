"""AllReduce and data-parallel training as one writes them in JAX, over `jax.distributed`."""

from .. import workloads
from ..workloads import _training

AXIS = "processes"


def join(address, size, rank):
    """Joins the other process."""
    import jax

    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.distributed.initialize(address, size, rank)


def all_reduce(value):
    """A function that adds up ``value`` (NumPy array) over the processes, waits, and returns the sum."""
    import jax
    from jax.sharding import PartitionSpec

    add = _over_processes(lambda x: jax.lax.psum(x, AXIS), PartitionSpec(AXIS), PartitionSpec())
    operand = _array(value, PartitionSpec(AXIS))
    return lambda: add(operand).block_until_ready().addressable_data(0)


def training(name):
    """A data-parallel step of a workload: one fused reduction of the gradients."""
    import jax
    from jax.flatten_util import ravel_pytree
    from jax.sharding import PartitionSpec

    def mean(gradients):
        flat, restored = ravel_pytree(gradients)
        return restored(jax.lax.psum(flat, AXIS) / jax.process_count())

    apply, shapes, *batch = workloads.load(name).jax_loss()
    every, split = PartitionSpec(), PartitionSpec(AXIS)
    step = _training.jax_train(apply, mean)

    def train(*operands):
        loss, parameters, moments = step(*operands)
        return loss[None], parameters, moments

    train = _over_processes(train, (every, every, *[split] * len(batch)), (split, every, every), donate_argnums=(0, 1))
    parameters = {name: _array(value, every) for name, value in _training.values(shapes).items()}
    moments = {name: _array(0 * value, every) for name, value in _training.values(shapes).items()}
    run = _training.repeated(train, parameters, moments, [_array(each, split) for each in batch])
    return lambda: tuple(each.addressable_data(0) for each in run())


def _mesh():
    import jax

    return jax.make_mesh((jax.process_count(),), (AXIS,))


def _array(value, spec):
    import jax

    return jax.make_array_from_process_local_data(jax.sharding.NamedSharding(_mesh(), spec), value)


def _over_processes(function, operands, results, **options):
    import jax

    spread = jax.shard_map(function, mesh=_mesh(), in_specs=operands, out_specs=results, check_vma=False)
    return jax.jit(spread, **options)
