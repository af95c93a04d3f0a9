"""The workers that `msgrad launch` starts on this machine, from their start to their end."""

import contextlib
import os
import signal
import sys
import time

from ..engine.processes import coordination, launched, secret
from .worker import Worker

_AFTER_FAILURE = 6.0  # seconds that the other workers have to print their tracebacks before they are ended
# Longer than elsewhere, since the launcher notices at once that a worker ends: users may stop all (Ctrl-Z, a debugger).
_HEARTBEAT = 60  # seconds
_AFTER_TERM = 2.0  # seconds from SIGTERM to SIGKILL


class Job:
    """The workers on this machine.

    Args:
        options (argparse.Namespace): those of the command.
        command (list of str): that of a worker.
    Raises:
        RuntimeError: if the port is another program's, or the secret must not be used.
    """

    def __init__(self, options, command):
        self.options, self.command = options, command
        self.host = options.master_addr
        is_alone = options.local_worker_num == options.worker_num
        self.port = options.master_port or (0 if is_alone else launched.PORT)  # 0: any, which `run` chooses
        # On several machines each launcher would make another one.
        self.secret = secret.given(options.secret_file) or (secret.new() if is_alone else None)
        self.shown = {int(rank) for rank in options.tail_worker_log.split(",")}
        self.heartbeat = coordination.heartbeat_timeout(_HEARTBEAT)
        if options.node_rank == 0:
            coordination.free_port(self.host, self.port)
        first = options.node_rank * options.local_worker_num
        self.workers = [Worker(self, rank) for rank in range(first, first + options.local_worker_num)]

    def environment(self, rank):
        """The environment variables of a worker."""
        options, local = self.options, rank % self.options.local_worker_num
        names = {
            "MS_ROLE": "MS_WORKER",
            "MS_WORKER_NUM": options.worker_num,
            "MS_NODE_ID": rank,
            "MS_SCHED_HOST": self.host,
            "MS_SCHED_PORT": self.port,
            "RANK_ID": rank,
            "RANK_SIZE": options.worker_num,
            "DEVICE_ID": local,
            launched.LOCAL_WORKERS: options.local_worker_num,
            "MSGRAD_JOIN_TIMEOUT": max(options.cluster_time_out, 1) if options.cluster_time_out > 0 else 10**6,
            "MS_NODE_TIMEOUT": self.heartbeat,
            "PYTHONUNBUFFERED": 1,
            "TF_CPP_MIN_LOG_LEVEL": os.environ.get("TF_CPP_MIN_LOG_LEVEL", 2),
        }
        if self.secret is not None:
            names[secret.VARIABLE] = self.secret
        if options.rank_table_file:
            names["RANK_TABLE_FILE"] = options.rank_table_file
        return {name: str(value) for name, value in names.items()}

    def binder(self, rank):
        """A function that binds a worker to its share of the cores, or None."""
        if not self.options.bind_core or not hasattr(os, "sched_setaffinity"):
            return None
        cores, count = sorted(os.sched_getaffinity(0)), self.options.local_worker_num
        each = max(len(cores) // count, 1)
        mine = [cores[(rank % count * each + k) % len(cores)] for k in range(each)]
        return lambda: os.sched_setaffinity(0, mine)

    def run(self):
        """Starts the workers and waits for them; returns the exit status."""
        options = self.options
        handlers = {number: signal.signal(number, _interrupt) for number in _received(signal.SIGTERM, signal.SIGHUP)}
        service = None
        try:
            if options.node_rank == 0:
                ends = self.host, self.port, options.worker_num, self.heartbeat
                service, self.port = coordination.served(*ends)
            with _held_back():
                for worker in self.workers:
                    worker.start(self)
            return self._wait()
        except KeyboardInterrupt as interrupt:
            number = interrupt.args[0] if interrupt.args else signal.SIGINT
            with contextlib.suppress(OSError):  # the terminal may be gone
                print(
                    f"msgrad launch: interrupted by {signal.Signals(number).name}; all workers are ended",
                    file=sys.stderr,
                )
            return 128 + number
        except (OSError, RuntimeError) as error:  # the file is no program; the port has been taken in between
            print(f"msgrad launch: {error}", file=sys.stderr)
            return 1
        finally:
            handlers[signal.SIGINT] = signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second Ctrl-C
            self._end()
            for number, handler in handlers.items():
                signal.signal(number, handler)
            if service is not None:
                service.shutdown()

    def _wait(self):
        running = self.workers
        while running:
            failed = [worker for worker in self.workers if worker.process.poll()]
            if failed:
                return self._failed(failed[0])
            for ended in [worker for worker in running if worker.process.poll() == 0]:
                for worker in self.workers:
                    worker.tell(f"{launched.ENDED}{ended.rank}")
            running = [worker for worker in running if worker.process.poll() is None]
            time.sleep(0.05)
        for worker in self.workers:
            worker.drain()
        failed = [worker for worker in self.workers if worker.process.returncode]
        return self._failed(failed[0]) if failed else 0

    def _failed(self, first):
        for worker in self.workers:
            worker.tell(f"rank {first.rank} {first.fate()}")
        end = time.monotonic() + _AFTER_FAILURE
        while time.monotonic() < end and any([worker.process.poll() is None for worker in self.workers]):
            time.sleep(0.05)
        for worker in self.workers:
            if worker.process.poll() is not None:
                worker.drain()
        print(f"msgrad launch: rank {first.rank} {first.fate()}; the end of {first.log.name}:", file=sys.stderr)
        print("".join([f"    {line.rstrip()}\n" for line in first.tail]), file=sys.stderr, end="")
        status = first.process.returncode
        return status if status > 0 else 128 - status

    def _end(self):
        """Ends the workers that still run, and the child processes of all workers."""
        started = [worker for worker in self.workers if worker.process is not None]
        running = [worker for worker in started if worker.process.poll() is None]
        for worker in running:
            worker.signal(signal.SIGTERM)
        end = time.monotonic() + _AFTER_TERM
        while time.monotonic() < end and any([worker.process.poll() is None for worker in running]):
            time.sleep(0.05)
        for worker in started:
            worker.signal(signal.SIGKILL)
            worker.process.wait()
            worker.reader.join(1)
            os.close(worker.teller)
        for worker in self.workers:
            worker.log.close()


def _received(*numbers):
    """Those of these signals that are not ignored, as SIGHUP is by nohup."""
    return [number for number in numbers if signal.getsignal(number) != signal.SIG_IGN]


def _interrupt(number, frame):
    raise KeyboardInterrupt(number)


@contextlib.contextmanager
def _held_back():
    """A context that ends before the signals have an effect that come in it.

    An exception inside of `subprocess.Popen` would leave a process that has begun to itself.
    """
    came = []
    numbers = _received(signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    handlers = {number: signal.signal(number, lambda number, frame: came.append(number)) for number in numbers}
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
    if came:
        _interrupt(came[0], None)
