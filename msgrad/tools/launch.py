"""``msgrad launch``: starts the processes of one distributed program, as MindSpore's msrun does."""

import argparse
import ast
import os
import shutil
import socket
import sys

from ..engine.processes import launched
from .job import Job
from .parsing import Parser
from .wording import fault_of_file

_ABOUT = "Starts the processes of one distributed program, as MindSpore's msrun does, and waits for them."
_EXAMPLES = """\
msgrad launch --worker_num=4 train.py --epochs 2
msgrad launch --worker_num=2 --log_dir=logs --tail_worker_log=-1 pytest tests
msgrad launch --worker_num=8 --local_worker_num=4 --node_rank=1 --master_addr=10.0.0.1 train.py"""
_MSG_LEFT_OUT = "--{} is left out: {}"
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
        job = Job(options, _command_of(options))
    except RuntimeError as error:
        return f"{error}"
    except OSError as error:
        return f"the log {error.filename} cannot be written: {error.strerror}."
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
    parser = Parser("launch", _ABOUT, _EXAMPLES)
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
    add("--secret_file", help="file of mode 0600 with the secret of a launch on several machines (or MSGRAD_SECRET)")
    add("--worker_log_name", default="worker", help="name of the logs, before _[rank].log; may hold {ip}, {hostname}")
    add("--tail_worker_log", default="0", help="ranks, with commas between, whose output is shown; -1 for all (0)")
    for name in _LEFT_OUT:
        add(f"--{name}", type=_flag, help=argparse.SUPPRESS)
    add("-m", action="store_true", dest="is_module", help="SCRIPT is the name of a module")
    add("task_script", metavar="SCRIPT", help="a Python file, or a command such as python or pytest")
    rest = add("task_script_args", metavar="ARGUMENT", nargs=argparse.REMAINDER, help="of the program")
    rest.required = False  # argparse would list it among missing arguments
    return parser


def _flag(text):
    """A bool in any case, or another value as it is."""
    return {"true": True, "false": False}.get(text.lower(), text)


def _fault_of(options):
    """The error in the options as a sentence, or None; fills in options that follow from others."""
    return _fault_of_workers(options) or _fault_of_program(options) or _fault_of_places(options)


def _fault_of_workers(options):
    """The error in the numbers of processes and machines, and in what the workers get; fills in those not given."""
    if options.worker_num < 1:
        return f"--worker_num must be 1 or more, but is {options.worker_num}."
    if options.local_worker_num is None:
        options.local_worker_num = options.worker_num
    if not 1 <= options.local_worker_num <= options.worker_num:
        return f"--local_worker_num must be from 1 to --worker_num, {options.worker_num}."
    if options.local_worker_num == options.worker_num:
        options.node_rank = 0  # as in MindSpore, whatever is given
    if options.node_rank < 0:
        return "several machines need --node_rank, 0 on the one with --master_addr, then 1, 2, ..."
    if (options.node_rank + 1) * options.local_worker_num > options.worker_num:
        return f"machine {options.node_rank} would have ranks beyond --worker_num={options.worker_num}."
    if options.join is False:
        return "--join=False is left out: the launcher hosts the workers' meeting; append & to the command."
    if not 0 <= (options.master_port or 0) < 1 << 16:
        return f"--master_port must be from 1 to 65535, but is {options.master_port}."
    if not isinstance(options.bind_core, bool):
        return "--bind_core must be True or False; a dict of cores is left out: use taskset."
    if not all([rank.strip().lstrip("-").isdecimal() for rank in options.tail_worker_log.split(",")]):
        return f"--tail_worker_log must be ranks after commas, or -1, but is {options.tail_worker_log!r}."
    return None


def _fault_of_program(options):
    """The error in the program: a script that is no file, a command that is not there."""
    is_script = options.task_script.endswith(".py") and not options.is_module
    if is_script and (fault := fault_of_file(options.task_script)):
        return fault
    command = _command_of(options)
    if shutil.which(command[0]) is None:
        return f"there is no command '{command[0]}', and no script of this name."
    return None


def _fault_of_places(options):
    """The error in paths and addresses; makes the folder of logs."""
    if options.rank_table_file and not os.path.isfile(options.rank_table_file):
        return f"there is no rank table '{options.rank_table_file}'."
    try:
        socket.gethostbyname(options.master_addr)
        os.makedirs(options.log_dir or ".", exist_ok=True)
    except socket.gaierror as error:
        return f"the address of --master_addr={options.master_addr} is not known: {error.strerror}."
    except OSError as error:
        return f"the folder --log_dir={options.log_dir} cannot be made: {error.strerror}."
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
