"""``msgrad run``: runs an unchanged MindSpore program."""

import argparse
import gc
import importlib
import os
import runpy
import sys
import types

from .._startup import reserving_stack
from ..alias import install
from ..engine.user_code import is_users
from .parsing import Parser
from .wording import fault_of_file

_ABOUT = """\
Runs an unchanged MindSpore program: its `import mindspore` gives msgrad. Output, exit status and
traceback are the program's own."""
_EXAMPLES = """\
msgrad run train.py --epochs 2     a script, with its own arguments
msgrad run -m package.train        a module
msgrad run --explain train.py      and tell at the end what was compiled and why
msgrad run --pdb train.py          and stop at the line that raises an exception"""

_MSG_NO_PROGRAM = "it needs a script, `-m` and a module, or `-` for standard input"


def main(arguments):
    """Runs a program.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int | str: the exit status, 1 if the program ended with an exception; or an error in the command line.
    Raises:
        SystemExit: when the program does.
    """
    options = _parser().parse_args(arguments)
    fault = fault_of(options.program, options.module)
    if fault:
        return fault
    if options.explain:
        importlib.import_module(".explaining", __package__).explain()  # most runs do not need it, nor what it imports
    program, *rest = options.program
    return run(program, rest, options.module, options.pdb)


def _parser():
    parser = Parser("run", _ABOUT, _EXAMPLES, usage="msgrad run [--explain] [--pdb] [-m] SCRIPT [ARGUMENT ...]")
    explained = "at the end, print what was compiled and why, host reads, and memory"
    parser.add_argument("--explain", action="store_true", help=explained)
    parser.add_argument("--pdb", action="store_true", help="after an exception, start pdb in the line that raised it")
    add_program(parser)
    return parser


def add_program(parser):
    """Adds the arguments that name the program: ``module``, and ``program``, which takes all that follows."""
    parser.add_argument("-m", dest="module", action="store_true", help="SCRIPT is the name of a module")
    about = "the program, or - for standard input, and its own arguments"
    parser.add_argument("program", nargs=argparse.REMAINDER, metavar="SCRIPT", help=about)


def fault_of(arguments, as_module):
    """The error in ``[program, *its arguments]`` as a sentence, or None."""
    if not arguments:
        return _MSG_NO_PROGRAM
    return None if as_module or arguments[0] == "-" else fault_of_file(arguments[0])


def run(program, arguments, as_module=False, debugs=False):
    """Runs a script, a module, or with ``-`` the code on standard input, as ``__main__``.

    With ``debugs`` an exception starts `pdb` in the innermost frame that is not msgrad's or JAX's.

    Returns:
        int: 0; after an exception, which is printed as Python does: 1, or 130 for Ctrl-C.
    """
    try:
        run_program(program, arguments, as_module)
    except SystemExit:
        raise
    except BaseException as error:
        frames = _report(error)
        if debugs and not isinstance(error, KeyboardInterrupt):
            import pdb  # most runs do not need it

            pdb.post_mortem(_down_to_user(frames))
        return 130 if isinstance(error, KeyboardInterrupt) else 1
    return 0


def run_program(program, arguments, as_module=False):
    """Runs a program as `run` does; what it raises is raised."""
    install()
    _keep_imported()
    sys.argv = [program, *arguments]
    _run_module(program) if as_module else _run_script(program)


def _keep_imported():
    """Keeps what imports have made until the process is gone.

    None of it is ever garbage. At the end of the process Python would search it for cycles, in 0.2 s of the processor,
    and then free it object by object, in 15 ms.
    """
    # Not of subclasses, whose attributes may be made when they are read.
    namespaces = [dict(vars(module)) for module in list(sys.modules.values()) if type(module) is types.ModuleType]
    namespaces.append(namespaces)  # a cycle, which the collector never frees, because it is frozen
    gc.freeze()


@reserving_stack
def _run_module(name):
    _put_first(os.getcwd())
    runpy.run_module(name, run_name="__main__", alter_sys=True)


@reserving_stack
def _run_script(path):
    if path == "-":
        _put_first("")
        source, filename = sys.stdin.read(), "<stdin>"
    else:
        filename = os.path.abspath(path)
        _put_first(os.path.dirname(filename))
        with open(filename, "rb") as file:
            source = file.read()
    # The module stays in place after the run: atexit functions and pickle read names from it.
    module = sys.modules["__main__"] = types.ModuleType("__main__")
    module.__dict__.update(__builtins__=__builtins__)
    if path != "-":
        module.__file__ = filename
    exec(compile(source, filename, "exec", dont_inherit=True), module.__dict__)


def _put_first(folder):
    """Replaces the first entry of sys.path, msgrad's or the console script's folder, by ``folder``."""
    if not sys.flags.safe_path:
        sys.path[0] = folder


def _report(error):
    """Prints an uncaught exception as the interpreter does, without msgrad's frames; returns the frames printed."""
    frames = shown_frames(error, __file__)
    sys.excepthook(type(error), error.with_traceback(frames), frames)
    return frames


def shown_frames(error, *own):
    """The frames of an exception that Python would print, without those of the files ``own``, which run the program."""
    frames = error.__traceback__
    while frames is not None and frames.tb_frame.f_code.co_filename in (*own, runpy.__file__, "<frozen runpy>"):
        frames = frames.tb_next
    return frames


def _down_to_user(frames):
    """A traceback without the innermost frames of msgrad's and JAX's: a refusal lies 13 frames below the line."""
    entries = []
    while frames is not None:
        entries.append(frames)
        frames = frames.tb_next
    while len(entries) > 1 and not is_users(entries[-1].tb_frame.f_code.co_filename):
        entries.pop()
    for each in reversed(entries):
        frames = types.TracebackType(frames, each.tb_frame, each.tb_lasti, each.tb_lineno)
    return frames
