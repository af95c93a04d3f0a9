"""``msgrad show`` and ``msgrad.jaxpr``: print recorded and compiled programs with the user's lines."""

import atexit
import sys

from .._contracts.check import refuse
from . import running
from .instrumentation import Watch, recording_of
from .listing import of_launched, of_program
from .parsing import Parser
from .wording import number

_ABOUT = """\
Runs a script, or with -m a module, and prints what was recorded and compiled for it: a heading for
each program, with the line that launched it first, and its operations, each with the line that
recorded it. For `grad` and similar functions the program is a derivative of the listed operations:
--jaxpr and --stablehlo show the derivative."""
_EXAMPLES = """\
msgrad show train.py                     the operations of each program, with their lines
msgrad show --only Net --cost train.py   of one Cell or function, with operations and bytes"""

_MSG_LOOKS = "It reads values on the host ({}), on which the rest depends. `msgrad show` shows what a script compiles."


def jaxpr(fn, *inputs):
    """Records ``fn(*inputs)`` without running it, and returns its jaxpr: equations with the user's lines.

    Args:
        fn (function | Cell): takes and returns Tensors; it may be a result of `grad` or another transform. Its writes
            to Parameters are undone.
        inputs: its arguments.
    Returns:
        Listing: printed, it is the jaxpr; its ``listing()`` has the operations as recorded, ``stablehlo()`` XLA's
        program, ``cost()`` operations and bytes, and its ``jaxpr`` is JAX's object.
    Raises:
        TypeError: if ``fn`` cannot be called. ValueError: if it reads values on the host, so that it is not one
            program.
    Example:
        >>> shown = mindspore.jaxpr(lambda x: ops.sin(x) * 2.0, Tensor([0.5, 1.0]))
        >>> [equation.primitive.name for equation in shown.jaxpr.eqns]
        ['sin', 'mul']
    """
    if not callable(fn):
        refuse(TypeError, "jaxpr", "fn", "a function or a Cell", fn)
    with Watch() as watch:
        program, wanted, handles = recording_of(fn, inputs, getattr(fn, "__name__", type(fn).__name__))
    if watch.looks:
        refuse(ValueError, "jaxpr", "fn", "a function of one program", fn, _MSG_LOOKS.format(", ".join(watch.looks)))
    return of_program(program, wanted, [_name(handle, inputs) for handle in handles])


def _name(handle, inputs):
    """The name of a leaf."""
    for position, value in enumerate(inputs):
        if value is handle:
            return f"input {position}"
    return getattr(handle, "name", None) or "captured"


def main(arguments):
    """Runs a program and shows the programs that it launched.

    Args:
        arguments (list of str): those of the command.
    Returns:
        int | str: the program's exit status; or an error in the command line.
    """
    options = _parser().parse_args(arguments)
    fault = running.fault_of(options.program, options.module)
    if fault:
        return fault
    name, *rest = options.program
    watch = Watch()
    watch.__enter__()
    atexit.register(_show, watch, options)  # also after sys.exit, and after the program's own atexit functions
    return running.run(name, rest, options.module)


def _parser():
    parser = Parser("show", _ABOUT, _EXAMPLES, usage="msgrad show [OPTION ...] [-m] SCRIPT [ARGUMENT ...]")
    parser.add_argument("--jaxpr", action="store_true", help="print the jaxpr of each program")
    parser.add_argument("--stablehlo", action="store_true", help="print the StableHLO of each program")
    parser.add_argument("--cost", action="store_true", help="print what XLA counts: operations, bytes")
    parser.add_argument("--only", metavar="NAME", help="only programs of the function or Cell of this name")
    running.add_program(parser)
    return parser


def _show(watch, options):
    watch.__exit__()
    sys.stdout.flush()
    launched = [each for each in watch.launched if each.launches]
    programs = [each for each in launched if options.only in (None, each.name())]
    for position, each in enumerate(programs, 1):
        print(f"\n== program {position} of {len(programs)}: {_heading(each)}")
        listing = of_launched(each)
        print(listing.listing())
        if options.jaxpr:
            print(f"\n-- jaxpr\n{listing.jaxpr_text()}")
        if options.stablehlo:
            print(f"\n-- StableHLO\n{listing.stablehlo()}")
        if options.cost:
            print("\n-- cost\n" + "\n".join(f"{name}: {count:,}" for name, count in listing.cost().items()))
    if launched and not programs:
        names = ", ".join(dict.fromkeys(filter(None, [each.name() for each in launched])))
        print(f"\nNo program of '{options.only}' was launched, but of {names or 'parts of steps'}.")
    elif not programs:
        print("\nNo program was launched: nothing was recorded, or operations ran one by one (`msgrad run --explain`).")


def _heading(launched):
    parts = [launched.name() or "a part of a step", f"launched at {launched.place}"]
    if launched.kind != "call":
        parts.append(launched.kind)
    program = launched.program
    return f"{', '.join(parts)}: {number(len(program.nodes), 'operation')}, {number(len(program.leaves), 'input')}"
