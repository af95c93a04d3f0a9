"""The command ``msgrad``, which is ``python -m msgrad``: runs a MindSpore program."""

import os
import runpy
import sys
import types

from .alias import install
from .version import __msgrad_version__, __version__

_HELP = """\
Runs unmodified MindSpore programs on JAX.

usage: msgrad run SCRIPT [ARGUMENT ...]     run a script; its `import mindspore` gives msgrad
       msgrad run -m MODULE [ARGUMENT ...]  run a module
       msgrad run - [ARGUMENT ...]          run a script that is read from standard input
       msgrad version                       print the versions
       msgrad --help                        print this

The exit status and the traceback are the program's own."""


def main(argv=None):
    """Runs the command.

    Args:
        argv (list of str): its arguments. Default: None, those of the process.
    Returns:
        int, the exit status: 2 if the command itself is wrong, 1 if the program ended with an exception.
    Raises:
        SystemExit: when the program does.
    """
    command, *rest = (sys.argv[1:] if argv is None else argv) or [None]
    if command in ("-h", "--help") or (command == "run" and rest[:1] in (["-h"], ["--help"])):
        print(_HELP)
        return 0
    if command == "version" and not rest:
        print(f"msgrad {__msgrad_version__} (answers for MindSpore {__version__})")
        return 0
    if command != "run":
        return _refuse(f"unknown command: {' '.join([command or '(none)', *rest])}; see `msgrad --help`")
    as_module = rest[:1] == ["-m"]
    program, *arguments = rest[as_module:] or [None]
    if program is None:
        return _refuse("run needs a script, `-m` and a module, or `-` for standard input; see `msgrad --help`")
    if not as_module and program != "-" and not os.path.isfile(program):
        return _refuse(f"can't open file '{program}': there is no such file")
    install()
    sys.argv = [program, *arguments]
    try:
        _run_module(program) if as_module else _run_script(program)
    except SystemExit:
        raise
    except BaseException as error:
        _report(error)
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def _refuse(reason):
    print(f"msgrad: {reason}", file=sys.stderr)
    return 2


def _run_module(name):
    _put_first(os.getcwd())
    runpy.run_module(name, run_name="__main__", alter_sys=True)


def _run_script(path):
    if path == "-":
        _put_first("")
        source, filename = sys.stdin.read(), "<stdin>"
    else:
        filename = os.path.abspath(path)
        _put_first(os.path.dirname(filename))
        with open(filename, "rb") as file:
            source = file.read()
    # The module stays in place after the run: functions that run at exit, and pickle, look things up in it.
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    module.__dict__.update(__builtins__=__builtins__)
    if path != "-":
        module.__file__ = filename
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)


def _put_first(folder):
    """Puts ``folder`` where Python puts the script's folder; ours, or the console script's, is there."""
    if not sys.flags.safe_path:
        sys.path[0] = folder


def _report(error):
    """Shows an uncaught exception as the interpreter does, without the frames above the program."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in (__file__, runpy.__file__, "<frozen runpy>"):
        frames = frames.tb_next
    sys.excepthook(type(error), error.with_traceback(frames), frames)


if __name__ == "__main__":
    sys.exit(main())
