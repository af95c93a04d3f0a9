"""Imports NumPy, JAX and most of msgrad: without the garbage collector, with BLAS threads that sleep, on one stack.

A launcher needs none of them and is run from here, before they are imported.
"""

import contextlib
import gc
import os
import sys

from .engine.host_memory import huge_pages, keep_freed_memory

_TIMEOUT = "OPENBLAS_THREAD_TIMEOUT"
_FEW = 50_000  # objects that the interpreter, NumPy and modules of the standard library have made; 19 000 with NumPy
_STACK = 1 << 16  # slots of 8 bytes; Python rounds up to a chunk of 1 MB, of which half is left for calls


@contextlib.contextmanager
def without_collector():
    """Disables Python's garbage collector in a block; afterwards it ignores the objects made there.

    Imports make 150 000 objects and no garbage. The collector would scan them again and again: for 0.1 s of the 0.6 s
    of processor time that ``import jax`` takes, and for 0.13 s in the first steps of a program, which make as many
    again. What the program itself has made before, which may become garbage, must not be ignored with them: so where
    there is much of it, all are in the oldest generation afterwards, as if the collector had scanned them.
    """
    was_on = gc.isenabled()
    has_little = len(gc.get_objects()) <= _FEW
    gc.disable()
    try:
        yield
    finally:
        if has_little:
            gc.freeze()
        elif gc.get_freeze_count() == 0:  # else the program has frozen objects, which stay so
            gc.freeze()
            gc.unfreeze()
        if was_on:
            gc.enable()


@contextlib.contextmanager
def sleeping_threads():
    """Lets the threads of OpenBLAS sleep after 25 us without work if NumPy is imported in a block.

    By default each spins for 26 ms when it is made, by ``import numpy``, and after each product that it takes part in
    (2**26 ticks of the processor's clock; read in OpenBLAS 0.3.31). The environment is read once, and restored.
    """
    if "numpy" in sys.modules or _TIMEOUT in os.environ:
        yield
        return
    os.environ[_TIMEOUT] = "16"
    try:
        yield
    finally:
        del os.environ[_TIMEOUT]


def reserving_stack(function):
    """Decorator: the Python calls below ``function`` find memory for their frames without asking the system.

    CPython takes frames from chunks of 16 KB, and unmaps a chunk when the first call in it returns. Imports call 100
    functions deep, and calls that cross the end of a chunk map it anew each time: 2 300 times in a first step of LeNet,
    which takes 17 ms of 400. A chunk has room for the frame that it is made for, so this frame claims to be large; what
    is not written to takes no memory. (Read in CPython 3.11, `push_chunk` in pystate.c.)
    """
    function.__code__ = function.__code__.replace(co_stacksize=_STACK)
    return function


@reserving_stack
def _import():
    with without_collector(), sleeping_threads():
        from . import alias, context, nn, ops  # noqa: F401

        keep_freed_memory()


def _command():
    """The command that this process is, as ``["msgrad", "run"]`` or ``["msrun"]``; None if it is none of ours."""
    # What Python runs; while it imports the package of a module (``-m``), `sys.argv` does not say of which.
    name = os.path.basename(sys.orig_argv[-len(sys.argv)]) if 0 < len(sys.argv) <= len(sys.orig_argv) else ""
    return {"msrun": ["msrun"], "msgrad": ["msgrad", *sys.argv[1:2]]}.get(name)


def _launch(command):
    """Runs the launcher that this process is, 0.6 s sooner than after the imports, during which no worker would run."""
    os.environ.update(huge_pages())  # of the workers
    if command == ["msrun"]:
        from .tools.msrun import main
    else:
        from .tools.command import main
    sys.exit(main())


def _start_again_with_huge_pages():
    """Starts this process again, in 30 ms, if it can have huge pages and has none."""
    variables = huge_pages()
    if variables and sys.executable:
        with contextlib.suppress(OSError):  # a limit of the system's: it goes on without
            os.execve(sys.executable, sys.orig_argv, os.environ | variables)


_this = _command()
if _this in (["msrun"], ["msgrad", "launch"]):
    _launch(_this)
if _this == ["msgrad", "run"]:
    _start_again_with_huge_pages()
_import()
