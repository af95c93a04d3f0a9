"""Settings that make thousands of small programs cheap in one process; `tune` applies them.

XLA optimizes the graph of each program as it does for users, but not the machine code; programs share MLIR contexts;
garbage collections are few; no entries are written that only a later process would read; and msgrad's files are
compiled once for all interpreters that tests start.
"""

import compileall
import gc
import os
import pathlib
import threading

import jax
import jaxlib

import msgrad
from msgrad.engine.execution import disk_cache

_MACHINE_CODE = "--xla_backend_optimization_level=0"
if jaxlib.__version__.startswith("0.10."):  # later ones end the process at a flag that they lack
    # One LLVM module for each program: up to 32, for as many threads, take 1.6 times longer for a gradient.
    _MACHINE_CODE += " --xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"

# Read in jax 0.10.2, and tried in the others; a later version may lack the names that `Contexts.share` and
# `_leave_rules_unnamed` replace.
_KNOWN = ("0.10.", "0.11.", "0.12.")
_IS_KNOWN = jax.__version__.startswith(_KNOWN)
if _IS_KNOWN:
    from jax._src import core
    from jax._src.interpreters import ad, mlir

    _make = mlir.make_ir_context
    _debug_info = ad.debug_info


class Contexts:
    """The MLIR context of each thread, in which it lowers one program after another.

    JAX makes one for each program, in 3.3 of the 4.2 ms that lowering a small one takes.
    """

    _of_thread = threading.local()

    @staticmethod
    def share():
        """Makes all programs of a thread share its context from now on."""
        if _IS_KNOWN:
            mlir.make_ir_context = Contexts._get

    @staticmethod
    def renew():
        """Frees what the context of this thread keeps: the types, attributes and constants of all its programs."""
        Contexts._of_thread.context = None

    @staticmethod
    def _get():
        context = getattr(Contexts._of_thread, "context", None)
        if context is None:
            context = Contexts._of_thread.context = _make()
        return context


def tune():
    """Applies all settings to this process, before JAX uses a device."""
    disk_cache.Private.folder = None  # entries, of which there would be many, are found again until a source changes
    _leave_machine_code_unoptimized()
    Contexts.share()
    if _IS_KNOWN:
        ad.debug_info = _debug_info_of_functions
    # JAX keeps a million objects, which each full collection visits, and tracing makes thousands that live for a
    # moment: with Python's own thresholds, an eighth of the time of tests/ops/test_values.py.
    gc.set_threshold(50_000, 20, 20)


def compile_sources():
    """Compiles msgrad's files once, as pip does for an installation that is not editable.

    Where ``PYTHONDONTWRITEBYTECODE`` is set, each of the interpreters that tests start, more than a hundred, compiles
    all that it imports: for a third of a second if that is the package alone, and for a second with all its modules.
    """
    compileall.compile_dir(pathlib.Path(msgrad.__file__).parent, quiet=2)


def _debug_info_of_functions(traced_for, function, *args, **options):
    """JAX's `debug_info`, without the names of arguments where JAX drops them: in the derivative of each primitive.

    It inspects a signature for them, in 8 % of the time of tracing a derivative.
    """
    if traced_for == "linearize_prim_jvp":
        return core.DebugInfo(traced_for, getattr(function, "__name__", "jvp"), None, None)
    return _debug_info(traced_for, function, *args, **options)


def xla_flags():
    """The flags by which XLA leaves machine code unoptimized; None where ``XLA_FLAGS`` is set, if only to nothing.

    Most programs of the tests run once, and take 2.4 times longer to compile with optimized machine code.
    """
    is_known = jaxlib.__version__.startswith(_KNOWN)
    return _MACHINE_CODE if is_known and "XLA_FLAGS" not in os.environ else None


def fast_to_compile(**further):
    """The environment of a process whose programs take long to compile and run once or twice, with ``further``."""
    flags = xla_flags()
    return os.environ | ({} if flags is None else {"XLA_FLAGS": flags}) | further


def _leave_machine_code_unoptimized():
    flags = xla_flags()
    if flags is not None:
        os.environ["XLA_FLAGS"] = flags
        jax.devices()  # which reads the flags, once
        del os.environ["XLA_FLAGS"]


def freeze_survivors():
    """Excludes what is alive from later garbage collections, and from searches for the handles that hold a value.

    A staged call that leaves values behind searches all other objects, once for each signature: 0.7 s in the middle of
    the suite, most of it among those of pytest and JAX.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()
