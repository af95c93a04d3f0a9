"""The coordination service: rendezvous and key-value store of the processes of a program.

It lives in a process of its own (the launcher, or one that rank 0 starts from this file), so that it outlasts each of
the workers: in rank 0 itself it would end before the others had left.
"""

import errno
import os
import socket
import subprocess
import sys

LEAVING = 10  # seconds that processes wait for each other when they end
_STAYING = 10  # seconds that a service goes on after the process that started it has ended
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


def host(address, size, heartbeat=None):
    """Starts the service in this process; it ends with the object that is returned.

    Args:
        address (str): host and port; nothing listens on another.
        size (int): the number of processes.
        heartbeat (int): seconds. Default: `heartbeat_timeout`.
    """
    for name, value in _QUIET.items():
        os.environ.setdefault(name, value)
    from jaxlib import _jax  # private, read in jaxlib 0.10.2; `jax.distributed` would start it in rank 0 alone

    return _jax.get_distributed_runtime_service(
        address, size, heartbeat_timeout=heartbeat or heartbeat_timeout(), shutdown_timeout=LEAVING, recoverable=True
    )


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


def _main(address, size):
    import signal
    import time

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    service = host(address, int(size))
    word = sys.stdin.read()  # until rank 0 ends, or says that all have left
    time.sleep(0 if word else _STAYING)
    del service


if __name__ == "__main__":
    _main(*sys.argv[1:])
