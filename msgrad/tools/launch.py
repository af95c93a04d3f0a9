"""``msgrad launch``: starts the processes of one distributed program, as MindSpore's msrun does."""

import argparse
import ast
import os
import signal
import socket
import subprocess
import sys
import threading
import time

from ..engine.processes import coordination, launched

USAGE = {
    "launch --worker_num=N [OPTION ...] SCRIPT [ARGUMENT ...]": "run a script in N processes together; msrun's options",
}
_AFTER_FAILURE = 6.0  # seconds that the other workers have to print their tracebacks before they are ended
_GLOO = "Received data size doesn't match expected size"  # of gloo's thread, which ends the process, in a log
_MSG_OTHER_SIZE = ", since it received data of another collective than its own"
_MSG_ABORTED = (
    ", as JAX ends a process if it or the launcher has stood still, or the network between them was down, for {} s "
    "(MS_NODE_TIMEOUT)"
)
# Longer than elsewhere, since the launcher notices at once that a worker ends: users may stop all (Ctrl-Z, a debugger).
_HEARTBEAT = 60  # seconds
_AFTER_TERM = 2.0  # seconds from SIGTERM to SIGKILL
_TAIL = 15  # lines of a failed worker's log that are shown
_NOISE = "[Gloo] Rank "  # prefix of the lines that gloo prints

_ABOUT = "Starts the processes of one distributed program, as MindSpore's msrun does, and waits for them."
_MSG_LEFT_OUT = "launch: --{} is left out: {}"
_LEFT_OUT = {
    "bind_numa": "bind with numactl before the command, or give --bind_core.",
    "sim_level": "there is no simulated device; run the script in one process on a CPU.",
    "sim_rank_id": "there is no simulated device; run the script in one process on a CPU.",
}


def main(arguments):
    """Starts the workers and waits for them.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int: 0, or the exit status of the first worker that failed; 130 after Ctrl-C.
    """
    options = _parser().parse_args(arguments)
    for name, hint in _LEFT_OUT.items():
        if getattr(options, name) not in (None, "False"):
            return _MSG_LEFT_OUT.format(name, hint)
    fault = _fault_of(options)
    return fault or _Job(options).run()


def _parser():
    parser = argparse.ArgumentParser("msgrad launch", description=_ABOUT, allow_abbrev=False)
    add = parser.add_argument
    add("--worker_num", type=int, default=8, help="processes on all machines (8)")
    add("--local_worker_num", type=int, help="processes on this machine (all)")
    add("--master_addr", default="127.0.0.1", help="address of the first machine, where the processes meet (127.0.0.1)")
    add("--master_port", type=int, help=f"port at that address ({launched.PORT}; on one machine any free one)")
    add("--node_rank", type=int, default=-1, help="the number of this machine, 0 for the first")
    add("--log_dir", default="", help="where the workers' logs are written (the current folder)")
    add("--join", type=ast.literal_eval, choices=[True, False], default=True, help="whether to wait for the end (True)")
    add("--cluster_time_out", type=int, default=600, help="seconds that workers wait for each other to join (600)")
    add("--bind_core", default="False", help="True: each worker gets its share of the cores")
    add("--rank_table_file", default="", help="passed on to the workers as RANK_TABLE_FILE")
    add("--worker_log_name", default="worker", help="name of the logs, before _[rank].log; may hold {ip}, {hostname}")
    add("--tail_worker_log", default="0", help="ranks, with commas between, whose output is shown; -1 for all (0)")
    for name in _LEFT_OUT:
        add(f"--{name}", help=argparse.SUPPRESS)
    add("task_script", metavar="SCRIPT", help="a Python file, or a command such as python")
    add("task_script_args", metavar="ARGUMENT", nargs=argparse.REMAINDER)
    return parser


def _fault_of(options):
    """The error in the options as a sentence, or None; fills in options that follow from others."""
    if options.local_worker_num is None:
        options.local_worker_num = options.worker_num
    if not 1 <= options.local_worker_num <= options.worker_num:
        return f"launch: --local_worker_num must be from 1 to --worker_num, {options.worker_num}."
    is_alone = options.local_worker_num == options.worker_num
    if options.node_rank < 0:
        if not is_alone:
            return "launch: several machines need --node_rank, 0 on the one with --master_addr, then 1, 2, ..."
        options.node_rank = 0
    if (options.node_rank + 1) * options.local_worker_num > options.worker_num:
        return f"launch: machine {options.node_rank} would have ranks beyond --worker_num={options.worker_num}."
    if options.join is False:
        return "launch: --join=False is left out: the launcher hosts the workers' meeting; append & to the command."
    if options.bind_core not in ("True", "False"):
        return "launch: --bind_core must be True or False; a dict of cores is left out: use taskset."
    if options.task_script.endswith(".py") and not os.path.isfile(options.task_script):
        return f"can't open file '{options.task_script}': there is no such file"
    if not all([rank.strip().lstrip("-").isdecimal() for rank in options.tail_worker_log.split(",")]):
        return f"launch: --tail_worker_log must be ranks after commas, or -1, but is {options.tail_worker_log!r}."
    if options.rank_table_file and not os.path.isfile(options.rank_table_file):
        return f"launch: there is no rank table '{options.rank_table_file}'."
    try:
        socket.gethostbyname(options.master_addr)
        os.makedirs(options.log_dir or ".", exist_ok=True)
    except socket.gaierror as error:
        return f"launch: the address of --master_addr={options.master_addr} is not known: {error.strerror}."
    except OSError as error:
        return f"launch: the folder --log_dir={options.log_dir} cannot be made: {error.strerror}."
    return None


class _Worker:
    """A process of the program.

    Attributes:
        rank (int): its number.
        log (str): the file of its output.
        tail (list of str): the last lines of the log.
    """

    def __init__(self, job, rank):
        options = job.options
        self.rank, self.tail = rank, []
        self.heartbeat = job.heartbeat
        self.is_shown = rank in job.shown or -1 in job.shown
        name = options.worker_log_name.replace("{ip}", job.host).replace("{hostname}", socket.gethostname())
        self.log = os.path.join(options.log_dir, f"{name}_{rank}.log")
        reader, self.teller = os.pipe()
        environment = {**os.environ, **job.environment(rank), launched.LAUNCHER: str(reader)}
        environment.pop(launched.JOINED, None)
        self.process = subprocess.Popen(
            job.command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=environment,
            pass_fds=[reader],
            start_new_session=True,  # only the launcher receives Ctrl-C, and ends all workers
            preexec_fn=job.binder(rank),
        )
        os.close(reader)
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def _read(self):
        with open(self.log, "wb") as log, self.process.stdout as lines:
            for line in lines:
                text = line.decode(errors="replace")
                if text.startswith(_NOISE):
                    continue
                log.write(line)
                log.flush()
                self.tail = [*self.tail[1 - _TAIL :], text]
                if self.is_shown:
                    sys.stdout.write(text)
                    sys.stdout.flush()

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
        if status == -signal.SIGABRT and not reason:
            reason = _MSG_ABORTED.format(self.heartbeat)
        return f"was ended by {signal.Signals(-status).name}{reason}"


class _Job:
    """The workers on this machine."""

    def __init__(self, options):
        self.options = options
        self.host = options.master_addr
        is_alone = options.local_worker_num == options.worker_num
        self.port = options.master_port or (coordination.free_port(self.host) if is_alone else launched.PORT)
        self.shown = {int(rank) for rank in options.tail_worker_log.split(",")}
        script = options.task_script
        is_python = script.endswith(".py")
        start = [sys.executable, "-m", "msgrad", "run", script] if is_python else [script]
        self.command = [*start, *options.task_script_args]
        self.heartbeat = coordination.heartbeat_timeout(_HEARTBEAT)
        self.workers = []

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
        if options.rank_table_file:
            names["RANK_TABLE_FILE"] = options.rank_table_file
        return {name: str(value) for name, value in names.items()}

    def binder(self, rank):
        """A function that binds a worker to its share of the cores, or None."""
        if self.options.bind_core != "True" or not hasattr(os, "sched_setaffinity"):
            return None
        cores, count = sorted(os.sched_getaffinity(0)), self.options.local_worker_num
        each = max(len(cores) // count, 1)
        mine = [cores[(rank % count * each + k) % len(cores)] for k in range(each)]
        return lambda: os.sched_setaffinity(0, mine)

    def run(self):
        """Starts the workers and waits for them; returns the exit status."""
        options = self.options
        handler = signal.signal(signal.SIGTERM, _interrupt)
        service = None
        try:
            if options.node_rank == 0:
                service = coordination.host(f"{self.host}:{self.port}", options.worker_num, self.heartbeat)
            first = options.node_rank * options.local_worker_num
            for rank in range(first, first + options.local_worker_num):
                self.workers.append(_Worker(self, rank))
            return self._wait()
        except KeyboardInterrupt:
            print("launch: interrupted; all workers are ended", file=sys.stderr)
            return 130
        finally:
            self._end()
            signal.signal(signal.SIGTERM, handler)
            if service is not None:
                service.shutdown()

    def _wait(self):
        while any([worker.process.poll() is None for worker in self.workers]):
            failed = [worker for worker in self.workers if worker.process.poll()]
            if failed:
                return self._failed(failed[0])
            time.sleep(0.05)
        failed = [worker for worker in self.workers if worker.process.returncode]
        return self._failed(failed[0]) if failed else 0

    def _failed(self, first):
        for worker in self.workers:
            worker.tell(f"rank {first.rank} {first.fate()}")
        end = time.monotonic() + _AFTER_FAILURE
        while time.monotonic() < end and any([worker.process.poll() is None for worker in self.workers]):
            time.sleep(0.05)
        first.reader.join(1)
        sys.stdout.flush()
        print(f"launch: rank {first.rank} {first.fate()}; the end of {first.log}:", file=sys.stderr)
        print("".join([f"    {line.rstrip()}\n" for line in first.tail]), file=sys.stderr, end="")
        status = first.process.returncode
        return status if status > 0 else 128 - status

    def _end(self):
        """Ends the workers that still run, and the child processes of all workers."""
        running = [worker for worker in self.workers if worker.process.poll() is None]
        for worker in running:
            worker.signal(signal.SIGTERM)
        end = time.monotonic() + _AFTER_TERM
        while time.monotonic() < end and any([worker.process.poll() is None for worker in running]):
            time.sleep(0.05)
        for worker in self.workers:
            worker.signal(signal.SIGKILL)
            worker.process.wait()
            worker.reader.join(1)
            os.close(worker.teller)


def _interrupt(number, frame):
    raise KeyboardInterrupt
