"""The coordination service of JAX in one process: the launcher, the scheduler, or one that runs this file alone.

It outlasts each of the workers: in rank 0 itself it would end before the others had left.
"""

import contextlib
import os
import signal
import sys
import time

LEAVING = 10  # seconds that processes wait for each other when they end
QUIET = {"TF_CPP_MIN_LOG_LEVEL": "2", "GRPC_VERBOSITY": "NONE"}
_STAYING = 10  # seconds that a service goes on after the process that started it has ended


class Service:
    """The service in this process; it ends with this object.

    Args:
        address (str): host and port; nothing listens on another.
        size (int): the number of processes.
        heartbeat (int): seconds without a sign of life after which a process counts as dead.
        lock (Lock): of the address, held until `shutdown`. Default: ``None``.
    Raises:
        RuntimeError: if there is another one at this address.
    """

    def __init__(self, address, size, heartbeat, lock=None):
        for name, value in QUIET.items():
            os.environ.setdefault(name, value)
        from jaxlib import _jax  # private, read in jaxlib 0.10.2; `jax.distributed` would start it in rank 0 alone

        self._lock = lock
        self._service = _jax.get_distributed_runtime_service(
            address, size, heartbeat_timeout=heartbeat, shutdown_timeout=LEAVING, recoverable=True
        )

    def shutdown(self):
        """Ends the service."""
        self._service.shutdown()
        if self._lock is not None:
            self._lock.close()


def _main(address, size, heartbeat, lock=""):
    """Runs the service in the process that rank 0 starts, which locks the file ``lock``, if there is one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    service = Service(address, int(size), int(heartbeat))
    word = sys.stdin.read()  # until rank 0 ends, or says that all have left
    time.sleep(0 if word else _STAYING)
    with contextlib.suppress(OSError):
        os.unlink(lock)
    del service


if __name__ == "__main__":
    _main(*sys.argv[1:])
