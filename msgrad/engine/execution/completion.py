"""Completion: waits for all computations that were launched, also for those whose results nothing refers to any more.

A computation outlives its results: ``print(net(x).shape)`` ends while XLA's threads still compute the values. At the
end of the process ``exit`` then destroys static objects of XLA's libraries that these threads use, and the process ends
by SIGSEGV (read from core files of jaxlib 0.10.2). JAX's own protection is that its client waits when it is destroyed;
but one reference from anywhere keeps a client for ever, and many of msgrad's caches hold one.
"""

import contextlib
import functools

import jax
import numpy as np

from .. import _jax_private
from ..handle import queues

# Returns its argument. XLA compiles it in 9 ms, and a function of `jax.jit` in 33, most of them for JAX's lowering.
_PROGRAM = """
module @completion attributes {{mhlo.num_partitions = {} : i32, mhlo.num_replicas = 1 : i32}} {{
  func.func public @main(%argument: tensor<i8>) -> tensor<i8> {{ return %argument : tensor<i8> }}
}}"""


def wait():
    """Waits until all that this process has launched is computed; an error of a launch is not raised here."""
    if not _jax_private.backends_are_initialized():
        return
    client = jax.local_devices()[0].client
    # The devices of each program: launches over several are queued apart from those over one of them.
    for devices in {tuple(each.local_devices()) for each in client.live_executables()}:
        with contextlib.suppress(Exception):  # a device that fails computes nothing more
            _wait_for(devices)
    with contextlib.suppress(Exception):  # transfers are in no queue; and programs over several processes
        jax.block_until_ready(jax.live_arrays())


def _wait_for(devices):
    """Waits for the launches over exactly these devices: an empty program comes last in the queue of each thread."""
    launch, argument = _launch_over(devices)
    own = _jax_private.queue()
    try:
        for queue in list(queues):
            _jax_private.set_queue(queue)
            for part in launch([argument]).disassemble_into_single_device_arrays()[0]:
                part.block_until_ready()
    finally:
        _jax_private.set_queue(own)


@functools.lru_cache(64)
def _launch_over(devices):
    """The launch of the empty program over devices, and its argument."""
    mesh = jax.sharding.Mesh(np.array(devices), ("devices",))
    argument = jax.device_put(np.int8(0), jax.sharding.NamedSharding(mesh, jax.sharding.PartitionSpec()))
    return _jax_private.compiled_text(_PROGRAM.format(len(devices)), devices).execute_sharded, argument
