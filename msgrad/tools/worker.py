"""A worker of `msgrad launch`: its process, and its output, which is logged and shown."""

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any

from ..engine.processes import launched

_GLOO = "Received data size doesn't match expected size"  # of gloo's thread, which ends the process, in a log
_MSG_OTHER_SIZE = ", since it received data of another collective than its own"
_MSG_ABORTED = (
    ": it called abort, or JAX did, which ends a process if it or the launcher has stood still, or the network between "
    "them was down, for {} s (MS_NODE_TIMEOUT)"
)
_MSG_NOT_WRITTEN = "msgrad launch: the output of rank {} is not written to {} any more: {}\n"
_PIPE = 1 << 20  # bytes that a pipe can hold
_TAIL = 15  # lines of a failed worker's log that are shown
_NOISE = b"[Gloo] Rank "  # prefix of the lines that gloo prints


class Worker:
    """A process of the program.

    Attributes:
        rank (int): its number.
        log (file): of its output.
        outputs (list of file): where its output is written: the log, and stdout if it is shown.
        tail (list of str): the last lines of the log.
        size (int): how many bytes have been read of its output.
        is_writing (bool): whether a line of it is being written.
    """

    process: Any
    reader: Any
    teller: Any

    size, is_writing = 0, False

    def __init__(self, job, rank):
        options = job.options
        self.rank, self.tail = rank, []
        self.heartbeat, self.started = job.heartbeat, 0.0  # seconds, and when it was started
        name = options.worker_log_name.replace("{ip}", job.host).replace("{hostname}", socket.gethostname())
        self.log = open(os.path.join(options.log_dir, f"{name}_{rank}.log"), "wb", buffering=0)  # closed by `Job`
        is_shown = rank in job.shown or -1 in job.shown
        self.outputs = [self.log, *([sys.stdout.buffer] if is_shown else [])]
        self.process = self.reader = self.teller = None

    def start(self, job):
        """Starts the process."""
        reader, self.teller = os.pipe()
        environment = {**os.environ, **job.environment(self.rank), launched.LAUNCHER: str(reader)}
        environment.pop(launched.JOINED, None)
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            job.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            pass_fds=[reader],
            start_new_session=True,  # only the launcher receives Ctrl-C, and ends all workers
            preexec_fn=job.binder(self.rank),
        )
        os.close(reader)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        with self.process.stdout as lines:
            for line in lines:
                self.size, self.is_writing = self.size + len(line), True
                if not line.startswith(_NOISE):
                    self.tail = [*self.tail[1 - _TAIL :], line.decode(errors="replace")]
                    self.outputs = [each for each in self.outputs if self._is_written(each, line)]
                self.is_writing = False

    def drain(self):
        """Waits until the output of the process, which has ended, is written, however slowly it is read."""
        self.signal(signal.SIGKILL)  # its child processes
        first = self.size
        self.reader.join(1)
        # A daemon that it has started may hold the pipe: this is not for what that writes, or for nothing.
        while self.reader.is_alive() and self.size < first + _PIPE and self._has_more():
            self.reader.join(1)

    def _has_more(self):
        try:
            return self.is_writing or bool(select.select([self.process.stdout], [], [], 0)[0])
        except ValueError:  # closed
            return False

    def _is_written(self, output, line):
        """Whether the line was written; the worker goes on if not, as where a disk is full or `head` has ended."""
        try:
            output.write(line)
            output.flush()
        except OSError as error:
            with contextlib.suppress(OSError):
                # In one piece, for another worker's thread may say the same.
                sys.stderr.write(_MSG_NOT_WRITTEN.format(self.rank, output.name, error.strerror))
                sys.stderr.flush()
            # Where Python flushes it later, that does not fail again.
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, output.fileno())
            os.close(null)
            return False
        return True

    def tell(self, sentence):
        """Prints why the program fails."""
        try:
            os.write(self.teller, f"{sentence}\n".encode())
        except OSError:
            pass  # it has ended

    def signal(self, number):
        """Sends a signal to the process and its child processes."""
        try:
            os.killpg(self.process.pid, number)
        except ProcessLookupError:
            pass

    def fate(self):
        """A phrase that says how it ended."""
        status = self.process.returncode
        if status >= 0:
            return f"ended with status {status}"
        self.reader.join(1)
        reason = _MSG_OTHER_SIZE if any([_GLOO in line for line in self.tail]) else ""
        # JAX says nothing when it ends a process, so only the time tells that it cannot have been JAX.
        if status == -signal.SIGABRT and not reason and time.monotonic() - self.started >= self.heartbeat:
            reason = _MSG_ABORTED.format(self.heartbeat)
        return f"was ended by {signal.Signals(-status).name}{reason}"
