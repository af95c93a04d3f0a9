"""Joining and leaving the processes of one program.

They join where the engine is imported, before JAX makes its first array, and only where a launcher's variables say so.
"""

import atexit
import contextlib
import dataclasses
import functools
import os
import socket
import sys
import threading
import time
import warnings
from typing import Any

import jax

from .. import _jax_private
from ..jax_options import config
from . import affinity, claims, coordination, guard, launched, registration, secret, service, watcher
from .store import MSG_PLAIN, Store

_TIMEOUT = 60  # seconds to wait for the others to join; MSGRAD_JOIN_TIMEOUT
_HOUR = 3600
_CHECK = 0.1  # seconds between two looks for another process of the same rank while the others have not all come
_STUCK = 600  # seconds after which a collective that some process has not come to fails; MSGRAD_COLLECTIVE_TIMEOUT

_MSG_TOO_LATE = (
    "{} says that this is one of several processes, but JAX has made arrays before mindspore was imported: import "
    "mindspore first."
)
_MSG_ALONE = (
    "{0} says that this is one of {1} processes, but after {2} s they are not all at {3}{4}, each with its "
    "own rank. Start them together, `msgrad launch --worker_num={1} script.py`,{5} or unset {6} to run one."
)
_MSG_SCHEDULER = " or one more with MS_ROLE=MS_SCHED, which calls `init()`, too,"
_MSG_NO_WORKERS = (
    "{} says that there are {} workers, but after {} s they have not all registered at {}{}: start them with "
    "MS_ROLE=MS_WORKER, and MS_WORKER_NUM, MS_SCHED_HOST and MS_SCHED_PORT as here."
)


class World:
    """State of this process among those of the program.

    Attributes:
        rank, size, local_rank, local_size (int): its number and how many there are, and the same on this machine.
        client: of the coordination service; None where the process is alone.
        store (Store): what the processes tell each other there; None likewise.
        claim (Claim): of the rank; None where the process is alone.
        patience (int): seconds after which a collective that some process has not come to fails.
    """

    client: Any = None
    store: Any = None
    claim: Any = None
    rank: Any = 0
    size: Any = 1
    local_rank: Any = 0
    local_size: Any = 1

    patience = _STUCK


def join():
    """Joins the processes that a launcher started, by its environment variables; does nothing without them.

    Raises:
        RuntimeError: if the others do not come in time.
    """
    membership = None if World.size > 1 or launched.is_scheduler() else launched.membership()
    if membership is None:
        return
    if _jax_private.backends_are_initialized():
        raise RuntimeError(_MSG_TOO_LATE.format(membership.variable))
    # Before anything can fail: processes that this one starts inherit the launcher's variables, but are no members.
    os.environ[launched.JOINED] = str(os.getpid())
    own_address = _own_address(membership.host)
    key = _secret(membership)
    claims.refuse_stranger(membership.host, membership.port, own_address, membership.variable)
    if membership.rank is None:
        membership = _registered(membership, own_address, key)
    own_address = os.environ.get("MS_WORKER_IP") or own_address
    _set_up_jax(membership.local_rank)
    address = f"{membership.host}:{membership.port}"
    claim = claims.Claim(address, membership.rank, membership.size, membership.variable)
    host = None
    try:
        if membership.rank == 0 and not membership.is_hosted:
            host = coordination.start(membership.host, membership.port, membership.size)
        client = _connected(address, membership.rank, membership, claim)
    except BaseException:
        claim.close()
        if host is not None:
            host.terminate()
        raise
    # If this fails, the service goes on for a while, for the others. A scheduler is one more of them.
    store = _met(client, key, membership.rank, membership.size + (membership.name is not None), membership)
    # Last: from here on JAX counts the devices of all, which it could not take back.
    bound = functools.partial(affinity.bound, membership.local_rank, membership.local_size)
    _jax_private.take_part(client, membership.rank, membership.size, address, own_address, bound)
    World.rank, World.size, World.client, World.store = membership.rank, membership.size, client, store
    World.local_rank, World.local_size, World.claim = membership.local_rank, membership.local_size, claim
    watcher.watch(World)
    atexit.register(_leave, host)
    guard.compare_sizes(membership.variable)


def serve_if_scheduler():
    """In MindSpore's scheduler process: assigns ranks, hosts the rendezvous, and exits when the workers have ended."""
    if not launched.is_scheduler():
        return
    member = launched.scheduler()
    host, size = member.host, member.size
    # This process is one more in both, so that it receives the registrations, and hears of the ends.
    services = [coordination.served(host, each, size + 1) for each in (member.port, 0)]
    (_, port), (_, meeting_port) = services
    key = _secret(member)
    client = _connected(f"{host}:{port}", registration.SCHEDULER, member)
    fault = registration.assign(_met(client, key, registration.SCHEDULER, size + 1, member), size, meeting_port)
    client.shutdown()  # waits until the workers have read it
    if fault:
        raise RuntimeError(fault)
    client = _connected(f"{host}:{meeting_port}", size, member)
    status = coordination.ends_of(_met(client, key, size, size + 1, member), size)
    client.shutdown()
    for each, _ in services:
        each.shutdown()
    sys.exit(status)


def _secret(membership):
    """The secret of the launch as bytes; None, after a warning, if there is none."""
    key = secret.taken()
    if key is None:
        address = f"{membership.host}:{membership.port}"
        warnings.warn(MSG_PLAIN.format(membership.size, address), RuntimeWarning, stacklevel=2)
    return key


def _registered(membership, own_address, key):
    """The `Membership` with the rank that the scheduler has assigned."""
    timeout = _join_timeout()
    name, size = membership.name, membership.size
    worker = {"name": name, "address": own_address, "machine": socket.gethostname(), "size": size}
    answer = registration.register(f"{membership.host}:{membership.port}", size, worker, timeout, key)
    if answer is None:
        raise _alone(membership, timeout)
    if "error" in answer:
        raise RuntimeError(answer["error"])
    return dataclasses.replace(membership, **answer)


def _set_up_jax(local_rank):
    jax.config.update("jax_cpu_collectives_implementation", "gloo")
    # The calling thread runs a program itself: it waits for a collective anyway, and XLA's threads spin for some time
    # after their work, which two processes on two processors lack (16 KB: 0.65 ms with them, 0.40 without).
    jax.config.update("jax_cpu_enable_async_dispatch", False)
    # With this, the timeout below and the heartbeat of `coordination` a process that is lost is an error within 0.1 s;
    # by JAX's defaults the others abort after 108 to 309 s (0.10.2).
    jax.config.update("jax_enable_recoverability", True)
    # One GPU for each process of a machine, as MindSpore's launchers have it.
    if config.jax_platforms != "cpu":
        jax.config.update("jax_cuda_visible_devices", str(local_rank))
        jax.config.update("jax_rocm_visible_devices", str(local_rank))
    World.patience = seconds = _seconds("MSGRAD_COLLECTIVE_TIMEOUT", _STUCK)
    flags = os.environ.get("XLA_FLAGS", "")
    # XLA reads it once, when its backend is initialized; what the user has set stays.
    if "xla_cpu_collective_timeout_seconds" not in flags:
        os.environ["XLA_FLAGS"] = f"{flags} --xla_cpu_collective_timeout_seconds={seconds}".strip()


def _seconds(name, default):
    text = os.environ.get(name) or str(default)
    if not text.isdecimal() or not int(text):
        raise RuntimeError(f"{name} must be a positive number of seconds, but is {text!r}.")
    return int(text)


def _join_timeout():
    return _seconds("MSGRAD_JOIN_TIMEOUT", os.environ.get("MS_TOPO_TIMEOUT") or _TIMEOUT)


def _connected(address, number, membership, claim=None):
    """Connects to the coordination service and waits for all processes; returns the client.

    Args:
        address (str): of the service.
        number (int): of this process in it.
        membership (Membership): what an error says.
        claim (Claim): of the rank, if it has one.
    """
    timeout = _join_timeout()
    client = _jax_private.distributed_client(
        address,
        number,
        init_timeout=timeout + _HOUR,  # where that is over, the client aborts the process: ours comes before
        heartbeat_timeout=coordination.heartbeat_timeout(),
        shutdown_timeout=service.LEAVING,
        shutdown_on_destruction=False,
        use_compression=True,
    )
    failures = []

    def connect():
        try:
            client.connect()
        except jax.errors.JaxRuntimeError as error:
            failures.append(str(error).split("\n")[0])

    # In a thread, since Python handles no Ctrl-C while the client waits in C++.
    thread = threading.Thread(target=connect, daemon=True)
    thread.start()
    end = time.monotonic() + timeout
    while thread.is_alive() and time.monotonic() < end:
        thread.join(min(_CHECK, timeout))
        if claim is not None:
            claim.check()
    if not thread.is_alive() and not failures:
        return client
    raise _alone(membership, timeout, f" ({failures[0]})" if failures else "")


def _met(client, key, number, count, membership):
    """The `Store` of a client that has connected, as ``number`` of ``count``, with the secret ``key`` or None."""
    store, timeout = Store(client, key), _join_timeout()
    try:
        if not store.meet(number, count, timeout):
            raise _alone(membership, timeout)
    except RuntimeError:
        with contextlib.suppress(jax.errors.JaxRuntimeError):
            client.shutdown()  # waits until the others have failed, too
        raise
    return store


def _alone(membership, timeout, reason=""):
    """The error of a process that the others have not joined."""
    facts = membership.variable, membership.size, timeout, f"{membership.host}:{membership.port}", reason
    if launched.is_scheduler():
        return RuntimeError(_MSG_NO_WORKERS.format(*facts))
    scheduler = _MSG_SCHEDULER if membership.name else ""
    return RuntimeError(_MSG_ALONE.format(*facts, scheduler, membership.variable.partition("=")[0]))


def _own_address(host):
    """This machine's address on the route to ``host``."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), 9, type=socket.SOCK_DGRAM)[0]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(address)  # sends nothing
            return probe.getsockname()[0]
    except OSError:
        return host


def _leave(host):
    """Says that this process ends; the one that hosts the meeting waits for the others."""
    sys.stdout.flush()
    # Before the shutdown, which waits for the others: they must not take this process for a lost one.
    watcher.end()
    if host is not None:
        coordination.ends_of(World.store, World.size)
    try:
        World.client.shutdown()
    except jax.errors.JaxRuntimeError:
        pass  # the service has ended before
    World.claim.close()
    if host is not None:
        host.communicate(b"done")
