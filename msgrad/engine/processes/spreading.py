"""Executables that the processes of a group launch together: those of Programs with collectives."""

import jax

from .. import errors
from ..execution.executables import Executable, strong
from ..host import to_device
from . import peers
from .global_arrays import GlobalArrays, is_cut, is_global
from .ordering import marks_in
from .world import own

_MSG_GLOBAL = (
    "A collective takes what each process has, and this Tensor or program lies over all processes by a strategy "
    "(semi-automatic parallel mode): leave the collective out, XLA adds those that are needed; or use "
    "parallel_mode='data_parallel'."
)


class Spread(Executable):
    """``fn``, which has collectives of ``group``, compiled over its processes; takes and gives this one's own arrays.

    Args:
        fn, donated, operations: as for `Executable`.
        group (Group): the processes.
        is_single (bool): whether it is an operation outside of recordings.
        is_global (bool): whether something in it is laid out over all processes, which is refused.
    """

    __slots__ = ("group", "is_single", "marks")

    def __init__(self, fn, group, donated=(), operations=0, is_single=False, is_global=False):
        if is_global:
            raise RuntimeError(_MSG_GLOBAL)
        super().__init__(fn, (), donated, operations)
        self.group, self.is_single = group, is_single
        self.marks = {}  # by the shapes and dtypes of the operands

    def __call__(self, *operands):
        try:
            return self.ready()(*operands)
        except jax.errors.JaxRuntimeError as error:
            restated = errors.of_device(error)
        raise restated from None

    def ready(self):
        if self.compiled is None:
            self._launched_by()
        return self._launch

    def _function(self):
        return self.group.within(strong(self.fn))

    def _launch(self, *operands):
        compiled, operands = self.compiled or self._jit(), jax.tree.map(self._shown, operands)
        marks = self._marks(compiled, operands)
        with peers.LOCK:
            peers.agree(self.group, marks, self.is_single)
            with peers.launched(self.group, marks):
                results = compiled(*operands)
                if jax.default_backend() == "cpu":  # so what goes wrong is raised here, not where a value is read
                    jax.block_until_ready(results)
        return jax.tree.map(own, results)

    def _shown(self, array):
        if GlobalArrays.are_in_use and is_global(array):
            if is_cut(array):
                raise RuntimeError(_MSG_GLOBAL)
            array = own(array)
        return self.group.shown(array if isinstance(array, jax.Array) else to_device(array))  # a random key is NumPy's

    def _marks(self, compiled, operands):
        key = tuple([(array.shape, array.dtype) for array in jax.tree.leaves(operands)])
        marks = self.marks.get(key)
        if marks is None:
            marks = self.marks[key] = marks_in(compiled.trace(*operands).jaxpr.jaxpr)
        return marks
