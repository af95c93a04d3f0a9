"""``msgrad launch``: starts the processes of one distributed program, as MindSpore's msrun does."""

import argparse
import ast
import contextlib
import os
import select
import shutil
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
_PIPE = 1 << 20  # bytes that a pipe can hold
_TAIL = 15  # lines of a failed worker's log that are shown
_NOISE = b"[Gloo] Rank "  # prefix of the lines that gloo prints

_ABOUT = "Starts the processes of one distributed program, as MindSpore's msrun does, and waits for them."
_MSG_LEFT_OUT = "launch: --{} is left out: {}"
_MSG_NOT_WRITTEN = "launch: the output of rank {} is not written to {} any more: {}\n"
_ALIAS = "import msgrad.alias; msgrad.alias.install()"
_OPTIONS_WITH_VALUE = ("-X", "-W", "--check-hash-based-pycs")  # of Python, before the program
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
        int: 0, or the exit status of the first worker that failed; 130 after Ctrl-C, 143 after SIGTERM.
    """
    _open_streams()
    options = _parser().parse_args(arguments)
    for name, hint in _LEFT_OUT.items():
        if getattr(options, name) not in (None, False):
            return _MSG_LEFT_OUT.format(name, hint)
    fault = _fault_of(options)
    if fault:
        return fault
    try:
        job = _Job(options)
    except RuntimeError as error:
        return f"launch: {error}"
    except OSError as error:
        return f"launch: the log {error.filename} cannot be written: {error.strerror}."
    return job.run()


def _open_streams():
    """Opens standard streams that are closed, whose numbers the workers' pipes would take."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
        if getattr(sys, name) is None:
            setattr(sys, name, open(number, "w" if number else "r", closefd=False))  # until the process ends


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
    add("--bind_core", type=_flag, default=False, help="True: each worker gets its share of the cores")
    add("--rank_table_file", default="", help="passed on to the workers as RANK_TABLE_FILE")
    add("--worker_log_name", default="worker", help="name of the logs, before _[rank].log; may hold {ip}, {hostname}")
    add("--tail_worker_log", default="0", help="ranks, with commas between, whose output is shown; -1 for all (0)")
    for name in _LEFT_OUT:
        add(f"--{name}", type=_flag, help=argparse.SUPPRESS)
    add("-m", action="store_true", dest="is_module", help="SCRIPT is the name of a module")
    add("task_script", metavar="SCRIPT", help="a Python file, or a command such as python or pytest")
    add("task_script_args", metavar="ARGUMENT", nargs=argparse.REMAINDER)
    return parser


def _flag(text):
    """A bool in any case, or another value as it is."""
    return {"true": True, "false": False}.get(text.lower(), text)


def _fault_of(options):
    """The error in the options as a sentence, or None; fills in options that follow from others."""
    if options.worker_num < 1:
        return f"launch: --worker_num must be 1 or more, but is {options.worker_num}."
    if options.local_worker_num is None:
        options.local_worker_num = options.worker_num
    if not 1 <= options.local_worker_num <= options.worker_num:
        return f"launch: --local_worker_num must be from 1 to --worker_num, {options.worker_num}."
    if options.local_worker_num == options.worker_num:
        options.node_rank = 0  # as in MindSpore, whatever is given
    if options.node_rank < 0:
        return "launch: several machines need --node_rank, 0 on the one with --master_addr, then 1, 2, ..."
    if (options.node_rank + 1) * options.local_worker_num > options.worker_num:
        return f"launch: machine {options.node_rank} would have ranks beyond --worker_num={options.worker_num}."
    if options.join is False:
        return "launch: --join=False is left out: the launcher hosts the workers' meeting; append & to the command."
    if not 0 <= (options.master_port or 0) < 1 << 16:
        return f"launch: --master_port must be from 1 to 65535, but is {options.master_port}."
    if not isinstance(options.bind_core, bool):
        return "launch: --bind_core must be True or False; a dict of cores is left out: use taskset."
    if options.task_script.endswith(".py") and not options.is_module and not os.path.isfile(options.task_script):
        return f"can't open file '{options.task_script}': there is no such file"
    command = _command_of(options)
    if shutil.which(command[0]) is None:
        return f"launch: there is no command '{command[0]}', and no script of this name."
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


def _command_of(options):
    """The command line of a worker. Python programs run so that their `import mindspore` gives msgrad."""
    script, arguments = options.task_script, options.task_script_args
    run = ["-m", "msgrad", "run"]
    if options.is_module or script == "pytest":
        return [sys.executable, *run, "-m", script, *arguments]
    if script in ("python", "python3"):
        return [sys.executable, *_of_interpreter(arguments, run)]
    # MindSpore runs all others by Python.
    if script.endswith(".py") or (os.path.isfile(script) and not os.access(script, os.X_OK)):
        return [sys.executable, *run, script, *arguments]
    return [script, *arguments]


def _of_interpreter(arguments, run):
    """The arguments of Python with which the program in ``arguments`` finds msgrad."""
    count = 0
    while arguments[count : count + 1] and arguments[count].startswith("-") and arguments[count] not in ("-m", "-c"):
        count += 2 if arguments[count] in _OPTIONS_WITH_VALUE else 1
    before, program = arguments[:count], arguments[count:]
    if program[:1] == ["-c"]:
        return [*before, "-c", "\n".join([_ALIAS, *program[1:2]]), *program[2:]]
    return [*before, *run, *program] if program and program[:2] != ["-m", "msgrad"] else arguments


class _Worker:
    """A process of the program.

    Attributes:
        rank (int): its number.
        log (file): of its output.
        outputs (list of file): where its output is written: the log, and stdout if it is shown.
        tail (list of str): the last lines of the log.
        size (int): how many bytes have been read of its output.
        is_writing (bool): whether a line of it is being written.
    """

    size, is_writing = 0, False

    def __init__(self, job, rank):
        options = job.options
        self.rank, self.tail = rank, []
        self.heartbeat = job.heartbeat
        name = options.worker_log_name.replace("{ip}", job.host).replace("{hostname}", socket.gethostname())
        self.log = open(os.path.join(options.log_dir, f"{name}_{rank}.log"), "wb", buffering=0)  # closed by `_Job`
        is_shown = rank in job.shown or -1 in job.shown
        self.outputs = [self.log, *([sys.stdout.buffer] if is_shown else [])]
        self.process = self.reader = self.teller = None

    def start(self, job):
        """Starts the process."""
        reader, self.teller = os.pipe()
        environment = {**os.environ, **job.environment(self.rank), launched.LAUNCHER: str(reader)}
        environment.pop(launched.JOINED, None)
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
        if status == -signal.SIGABRT and not reason:
            reason = _MSG_ABORTED.format(self.heartbeat)
        return f"was ended by {signal.Signals(-status).name}{reason}"


class _Job:
    """The workers on this machine."""

    def __init__(self, options):
        self.options = options
        self.host = options.master_addr
        is_alone = options.local_worker_num == options.worker_num
        self.port = options.master_port or (0 if is_alone else launched.PORT)  # 0: any, which `run` chooses
        self.shown = {int(rank) for rank in options.tail_worker_log.split(",")}
        self.command = _command_of(options)
        self.heartbeat = coordination.heartbeat_timeout(_HEARTBEAT)
        if options.node_rank == 0:
            coordination.free_port(self.host, self.port)
        first = options.node_rank * options.local_worker_num
        self.workers = [_Worker(self, rank) for rank in range(first, first + options.local_worker_num)]

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
                print(f"launch: interrupted by {signal.Signals(number).name}; all workers are ended", file=sys.stderr)
            return 128 + number
        except (OSError, RuntimeError) as error:  # the file is no program; the port has been taken in between
            print(f"launch: {error}", file=sys.stderr)
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
        print(f"launch: rank {first.rank} {first.fate()}; the end of {first.log.name}:", file=sys.stderr)
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
