"""The coordination service: rendezvous and key-value store of the processes of a program.

It lives in a process of its own (the launcher, or one that rank 0 starts from this file), so that it outlasts each of
the workers: in rank 0 itself it would end before the others had left.
"""

import contextlib
import errno
import os
import socket
import subprocess
import sys
import time

SILENCE = 60  # seconds without a sign of life after which a process that is waited for is lost
LEAVING = 10  # seconds that processes wait for each other when they end
_STAYING = 10  # seconds that a service goes on after the process that started it has ended
_ATTEMPTS = 10  # ports that are tried where any will do
_LONGEST = 100  # bytes of a socket's name, of which Linux takes 107
_QUIET = {"TF_CPP_MIN_LOG_LEVEL": "2", "GRPC_VERBOSITY": "NONE"}

_MSG_NO_MEETING = "The processes cannot meet at {}:{}: {}."
_REASONS = {
    errno.EADDRINUSE: "another program listens there; choose another port (--master_port, MASTER_PORT, MS_SCHED_PORT)",
    errno.EADDRNOTAVAIL: "this is no address of the machine of rank 0 (--master_addr, MASTER_ADDR, MS_SCHED_HOST)",
}


def heartbeat_timeout(default=10):
    """Seconds after which a process without a sign of life counts as dead, and is aborted by JAX without a word.

    ``MS_NODE_TIMEOUT``, or else ``default``, after which a killed process is noticed if no other waits for it.
    """
    text = os.environ.get("MS_NODE_TIMEOUT") or str(default)
    if not text.isdecimal() or not int(text):
        raise RuntimeError(f"MS_NODE_TIMEOUT must be a positive number of seconds, but is {text!r}.")
    return int(text)


class Service:
    """The service in this process; it ends with this object.

    Args:
        address (str): host and port; nothing listens on another.
        size (int): the number of processes.
        heartbeat (int): seconds. Default: `heartbeat_timeout`.
    Raises:
        RuntimeError: if there is another one at this address.
    """

    def __init__(self, address, size, heartbeat=None):
        for name, value in _QUIET.items():
            os.environ.setdefault(name, value)
        from jaxlib import _jax  # private, read in jaxlib 0.10.2; `jax.distributed` would start it in rank 0 alone

        self._name = _own_name(address)
        self._service = _jax.get_distributed_runtime_service(
            address,
            size,
            heartbeat_timeout=heartbeat or heartbeat_timeout(),
            shutdown_timeout=LEAVING,
            recoverable=True,
        )

    def shutdown(self):
        """Ends the service."""
        self._service.shutdown()
        if self._name is not None:
            self._name.close()


def served(host, port, size, heartbeat=None):
    """Starts a `Service` in this process.

    Args:
        host (str): this machine's address.
        port (int): with 0 any one on which nothing listens.
        size, heartbeat (int): as for `Service`.
    Returns:
        tuple of Service and int: the service, and its port.
    Raises:
        RuntimeError: if another program listens there, or it is no address of this machine.
    """
    for left in reversed(range(_ATTEMPTS)):
        number = port or free_port(host)
        try:
            return Service(f"{host}:{number}", size, heartbeat), number
        except RuntimeError:  # another process may have taken a free port since
            if port or not left:
                raise


def bound_to(name):
    """A socket of a name (str) that no other socket of this machine can have until it is closed; None but on Linux.

    Raises:
        OSError: if another one has the name (EADDRINUSE).
    """
    if not sys.platform.startswith("linux"):
        return None
    holder = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        holder.bind(abstract(name))
    except OSError:
        holder.close()
        raise
    return holder


def abstract(name):
    """A name (str) in Linux's abstract namespace of sockets, as bytes."""
    return b"\0" + name.encode()[-_LONGEST:]


def _own_name(address):
    """A socket of a name that only one service of this address can have; None but on Linux."""
    # Two that start at once could both find the port free, and gRPC would share it between them.
    try:
        return bound_to(f"msgrad {address}")
    except OSError:
        raise RuntimeError(_MSG_NO_MEETING.format(*address.rsplit(":", 1), _REASONS[errno.EADDRINUSE])) from None


def free_port(host, port=0):
    """A port at this machine's address ``host`` on which nothing listens: ``port``, or any one.

    Raises:
        RuntimeError: if another program listens there, or it is no address of this machine.
    """
    try:
        family, _, _, _, address = socket.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            # So that connections of an earlier program do not count. gRPC would share the port with another service.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return probe.getsockname()[1]
    except OSError as error:
        reason = _REASONS.get(error.errno, error.strerror)
        raise RuntimeError(_MSG_NO_MEETING.format(host, port, reason)) from None


def start(address, size):
    """Starts the service in a process of its own, which ends soon after this one.

    Returns:
        subprocess.Popen
    """
    command = [sys.executable, os.path.abspath(__file__), address, str(size)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True, env={**os.environ, **_QUIET})


def ends_of(client, size):
    """Waits until all processes have ended (returns 0), or one has failed or none gives a sign any more (returns 1)."""
    signs, since, silence = None, 0.0, heartbeat_timeout(SILENCE)
    with contextlib.suppress(RuntimeError):  # the service has ended
        while len(client.key_value_dir_get("msgrad/ended/")) < size:
            before, signs, now = signs, client.key_value_dir_get("msgrad/alive/"), time.monotonic()
            since = since if signs == before else now
            if client.key_value_dir_get("msgrad/failed/") or now - since > silence:
                return 1
            time.sleep(0.1)
    return 0


def _main(address, size):
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    service = Service(address, int(size))
    word = sys.stdin.read()  # until rank 0 ends, or says that all have left
    time.sleep(0 if word else _STAYING)
    del service


if __name__ == "__main__":
    _main(*sys.argv[1:])
