"""The command ``msgrad``, which is ``python -m msgrad``. Each of its commands is a file of this folder."""

import importlib
import sys

from ..version import __msgrad_version__, __version__
from .usage import shown

_COMMANDS = {  # and their files, of which one is imported: that of `check` takes 10 ms
    "run": "running",
    "launch": "launch",
    "check": "checking",
    "compare": "comparing",
    "show": "showing",
}
_ABOUT = "Runs unmodified MindSpore programs on JAX."
_STATUS = "The exit status and the traceback of `run` are the program's own."


def main(argv=None):
    """Runs the command.

    Args:
        argv (list of str): its arguments. Default: None, those of the process.
    Returns:
        int, the exit status: 2 if the command itself is wrong, else that of the tool.
    Raises:
        SystemExit: if the program that is run raises it.
    """
    command, *rest = (sys.argv[1:] if argv is None else argv) or [None]
    if command in ("-h", "--help"):
        print(_help())
        return 0
    if command == "version" and not rest:
        print(f"msgrad {__msgrad_version__} (answers for MindSpore {__version__})")
        return 0
    if command not in _COMMANDS:
        return _refuse(f"unknown command: {' '.join([command or '(none)', *rest])}; see `msgrad --help`")
    status = _tool(command).main(rest)
    return _refuse(status) if isinstance(status, str) else status


def _tool(command):
    return importlib.import_module(f".{_COMMANDS[command]}", __package__)


def _help():
    usage = {form: purpose for command in _COMMANDS for form, purpose in _tool(command).USAGE.items()}
    usage |= {"version": "print the versions", "--help": "print this"}
    return "\n".join([_ABOUT, "", shown(usage), "", _STATUS])


def _refuse(reason):
    print(f"msgrad: {reason}", file=sys.stderr)
    return 2
