"""The command ``msgrad``, which is ``python -m msgrad``."""

import importlib
import os
import sys

from ..version import __msgrad_version__, __version__
from .parsing import Parser
from .wording import did_you_mean

COMMANDS = {  # the file of each in this folder, whose `main` runs it, and what it does
    "run": ("running", "run a program; its `import mindspore` gives msgrad"),
    "check": ("checking", "list the names that programs use and msgrad lacks, without running them"),
    "compare": ("comparing", "run a program twice, and name the first Cell whose values differ"),
    "show": ("showing", "run a program, then print what was recorded and compiled for it"),
    "launch": ("launch", "run a program in several processes, with msrun's options"),
    "plan": ("planning", "tell what a program would need on an accelerator, without one"),
    "convert": ("converting", "convert weights of torch, safetensors or Keras to a checkpoint, and back"),
}
_PROGRAMS = {"run", "launch"}  # whose output, and errors, are the program's
_ABOUT = """\
Runs unmodified MindSpore programs on JAX.

commands, which `msgrad COMMAND --help` describes:"""
_EXAMPLES = """\
msgrad check .                          what stops the programs of this folder
msgrad run train.py --epochs 2          train
msgrad run --explain train.py           train, and tell what was compiled and why
msgrad launch --worker_num=4 train.py   train in four processes"""
_INTERRUPTED, _BROKEN_PIPE = 130, 141  # as shells have it


def main(argv=None):
    """Runs the command.

    Args:
        argv (list of str): its arguments. Default: None, those of the process.
    Returns:
        int, the exit status: 2 if the command line is wrong, else that of the tool.
    Raises:
        SystemExit: if the program that is run raises it, after a help text, and for a wrong option.
    """
    command, *rest = (sys.argv[1:] if argv is None else argv) or ["--help"]
    if command in COMMANDS:
        return _run(command, rest)
    if command == "version":
        command = "--version"
    if command.startswith("-"):
        _parser().parse_args([command, *rest])
    return _refuse("msgrad", f"there is no command '{command}'{_meant(command)} (see `msgrad --help`)")


def _run(command, arguments):
    tool = importlib.import_module(f".{COMMANDS[command][0]}", __package__)  # that of `check` takes 10 ms
    try:
        status = tool.main(arguments)
        if command not in _PROGRAMS:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return _INTERRUPTED
    except BrokenPipeError:  # `msgrad check . | head`
        if command in _PROGRAMS:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # for what Python writes at its end
        return _BROKEN_PIPE
    return _refuse(f"msgrad {command}", status) if isinstance(status, str) else status


def _meant(command):
    return f"; did you mean `msgrad run {command}`?" if command.endswith(".py") else did_you_mean(command, COMMANDS)


def _parser():
    commands = [f"  {name:8}  {purpose}" for name, (_, purpose) in COMMANDS.items()]
    parser = Parser("", "\n".join([_ABOUT, *commands]), _EXAMPLES, usage="msgrad COMMAND ...")
    version = f"msgrad {__msgrad_version__} (answers for MindSpore {__version__})"
    parser.add_argument("--version", action="version", version=version, help="print the versions")
    return parser


def _refuse(command, reason):
    print(f"{command}: {reason}", file=sys.stderr)
    return 2
