"""Settings that make thousands of small programs cheap in one process: fewer MLIR contexts and garbage collections."""

import gc
import threading

import jax

# Read in jax 0.10.2; another version may lack the name that `Contexts.share` replaces.
_IS_KNOWN = jax.__version__.startswith("0.10.")
if _IS_KNOWN:
    from jax._src.interpreters import mlir

    _make = mlir.make_ir_context


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


def collect_less_garbage():
    """Makes Python collect garbage less often: JAX keeps a million objects, which each full collection visits.

    Collections took an eighth of the time of `tests/ops/test_values.py`.
    """
    gc.set_threshold(5000, 20, 20)
