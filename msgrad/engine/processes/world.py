"""The processes that run one program together: joining them, and running in each what has collectives.

A process keeps its own arrays, each on its own device, and a handle knows nothing of other processes. Only a Program
with collectives is compiled over a mesh, that of the processes of one group, by ``jax.shard_map``; its operands are
declared as replicated although each process has another value, so their shapes stay what they are and nothing is
copied.
"""

import atexit
import functools
import os
import socket
import sys
import threading

import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from .. import _jax_private
from . import coordination, launched, peers

AXIS = "processes"
_TIMEOUT = 60  # seconds to wait for the others to join; MSGRAD_JOIN_TIMEOUT
_HOUR = 3600
_STUCK = 600  # seconds after which a collective that some process has not come to fails; MSGRAD_COLLECTIVE_TIMEOUT

_MSG_TOO_LATE = (
    "{} says that this is one of several processes, but JAX has made arrays before mindspore was imported: import "
    "mindspore first."
)
_MSG_ALONE = (
    "{0} says that this is one of {1} processes, but after {2} s they are not all at {3}{4}. Start them together, "
    "`msgrad launch --worker_num={1} script.py`, or unset {5} to run one."
)


class World:
    """The processes of the program, of which this is one.

    Attributes:
        rank, size, local_rank, local_size (int): its number and how many there are, and the same on this machine.
        client: of the coordination service; None where the process is alone.
        patience (int): seconds after which a collective that some process has not come to fails.
    """

    rank, size, local_rank, local_size = 0, 1, 0, 1
    client = None
    patience = _STUCK


class Group:
    """Some of the processes, in order.

    Attributes:
        members (tuple of int): their ranks.
        rank (int): this process's number among them, -1 if it is none of them.
        key (str): names the group in all its members.
        count, exchanges (int): how many collectives they have run, and exchanges of objects.
        seen (set): the kinds of them, see `peers.agree`.
        counter (tuple): a count, and an array that has it in all members, see `single`.
    """

    def __init__(self, members):
        self.members = members
        self.rank = members.index(World.rank) if World.rank in members else -1
        self.key = "all" if members == tuple(range(World.size)) else ",".join(map(str, members))
        self.count, self.exchanges, self.seen = 0, 0, set()
        self.counter = None, None
        peers.know(self)

    @property
    def size(self):
        return len(self.members)

    @functools.cached_property
    def mesh(self):
        """One device of each member."""
        by_process = {}
        for device in jax.devices():
            by_process.setdefault(device.process_index, device)
        return Mesh(np.array([by_process[rank] for rank in self.members]), (AXIS,))

    @functools.cached_property
    def sharding(self):
        return NamedSharding(self.mesh, PartitionSpec())

    def within(self, fn):
        """``fn``, which has collectives of the group, as a function of arrays of all members."""
        every = PartitionSpec()
        return jax.shard_map(fn, mesh=self.mesh, in_specs=every, out_specs=every, check_vma=False)

    def shown(self, array):
        """This process's array as its part of one of all members; 3 us, where JAX's public function takes 14 to 440."""
        return _jax_private.as_part(array, self.sharding)


def own(array):
    """This process's part of an array of a group."""
    return _jax_private.local_part(array)


@functools.cache
def group_of(members):
    """The `Group` of these ranks (a tuple)."""
    return Group(members)


def everyone():
    """The group of all processes."""
    return group_of(tuple(range(World.size)))


def join():
    """Joins the processes that a launcher started, as its environment variables say; nothing else without them.

    Raises:
        RuntimeError: if the others do not come in time.
    """
    found = None if World.size > 1 or launched.is_scheduler() else launched.membership()
    if found is None:
        return
    if _jax_private.backends_are_initialized():
        raise RuntimeError(_MSG_TOO_LATE.format(found.variable))
    os.environ[launched.JOINED] = str(os.getpid())
    _set_up_jax(found)
    address = f"{found.host}:{found.port}"
    service = coordination.start(address, found.size) if found.rank == 0 and not found.is_hosted else None
    try:
        client = _connected(address, found)
    except BaseException:
        if service is not None:
            service.terminate()
        raise
    _jax_private.take_part(client, found.rank, found.size, address, _own_address(found.host))
    World.rank, World.size, World.client = found.rank, found.size, client
    World.local_rank, World.local_size = found.local_rank, found.local_size
    peers.watch(World)
    atexit.register(_leave, service)


def serve_if_scheduler():
    """Hosts the meeting of the workers in the process that MindSpore's scripts start for that; exits at their end."""
    if not launched.is_scheduler():
        return
    host, port, size = launched.scheduler()
    address = f"{host}:{port}"
    service = coordination.host(address, size + 1)  # this process is one more, so that it hears of their ends
    client = _jax_private.distributed_client(address, size, heartbeat_timeout=coordination.HEARTBEAT)
    client.connect()
    status = peers.ends_of(client, size)
    client.shutdown()
    service.shutdown()
    sys.exit(status)


def _set_up_jax(found):
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    jax.config.update("jax_enable_recoverability", True)
    if jax.config.jax_platforms != "cpu":
        jax.config.update("jax_cuda_visible_devices", str(found.local_rank))
        jax.config.update("jax_rocm_visible_devices", str(found.local_rank))
    World.patience = seconds = _seconds("MSGRAD_COLLECTIVE_TIMEOUT", _STUCK)
    flags = os.environ.get("XLA_FLAGS", "")
    if "xla_cpu_collective_timeout_seconds" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} --xla_cpu_collective_timeout_seconds={seconds}".strip()


def _seconds(name, default):
    text = os.environ.get(name) or str(default)
    if not text.isdecimal() or not int(text):
        raise RuntimeError(f"{name} must be a positive number of seconds, but is {text!r}.")
    return int(text)


def _connected(address, found):
    """The client of the coordination service, when all processes have met."""
    timeout = _seconds("MSGRAD_JOIN_TIMEOUT", _TIMEOUT)
    client = _jax_private.distributed_client(
        address,
        found.rank,
        init_timeout=timeout + _HOUR,  # where that is over, the client aborts the process: ours comes before
        heartbeat_timeout=coordination.HEARTBEAT,
        shutdown_timeout=coordination.HEARTBEAT,
        shutdown_on_destruction=False,
        use_compression=True,
    )
    failures = []

    def connect():
        try:
            client.connect()
        except jax.errors.JaxRuntimeError as error:
            failures.append(str(error).split("\n")[0])

    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    thread.join(timeout)
    if not thread.is_alive() and not failures:
        return client
    names = found.variable.partition("=")[0]
    reason = f" ({failures[0]})" if failures else ""
    raise RuntimeError(_MSG_ALONE.format(found.variable, found.size, timeout, address, reason, names))


def _own_address(host):
    """The address by which this machine reaches ``host``."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect((host, 9))  # sends nothing
            return probe.getsockname()[0]
        except OSError:
            return host


def _leave(service):
    """Says that this process ends; the one that hosts the meeting waits for the others."""
    sys.stdout.flush()
    peers.end()
    if service is not None:
        peers.ends_of(World.client, World.size)
    try:
        World.client.shutdown()
    except jax.errors.JaxRuntimeError:
        pass  # the service has ended before
    if service is not None:
        service.communicate(b"done")
