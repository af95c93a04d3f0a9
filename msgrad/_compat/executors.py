"""``mindspore.common.api``: the two executors that programs and tests reach for, as far as they have a meaning here.

msgrad has one way to run: it records and compiles. What a name here does is what can be seen of MindSpore's from
Python; the methods that drive MindSpore's own tape from outside are left out.
"""

import types

from .. import runtime
from .._contracts import check
from ..autodiff import no_grad
from ..compiling import jit
from ..engine import staging
from ..engine.handle import Handle
from ..engine.record import is_differentiating
from ..nn.cell import Cell
from ..ops.legacy.left_out import leave_out

ms_compile_cache = set()
cells_compile_cache = {}


class _PyNativeExecutor:
    """What asks and tells about PYNATIVE_MODE's execution."""

    def __init__(self):
        self._flag = False

    def sync(self):
        """Waits for everything that was given to the device."""
        runtime.synchronize()

    def clear_res(self):
        """Does nothing: recordings end with their calls."""

    def set_async_for_graph(self, flag):
        """Checks the flag; how a device is fed makes no difference to results."""
        check.boolean(flag, "flag", "set_async_for_graph")

    def grad_flag(self):
        """Whether a gradient is being recorded, or `set_grad_flag` said so (bool)."""
        return self._flag or is_differentiating()

    def set_grad_flag(self, flag):
        """Sets what `grad_flag` answers; a gradient is taken where ``mindspore.grad`` says, whatever the flag.

        Raises:
            TypeError: if ``flag`` is not a bool.
        """
        self._flag = check.boolean(flag, "flag", "set_grad_flag")

    def enable_grad(self):
        """Whether gradients may be taken: False inside ``mindspore._no_grad`` (bool)."""
        return no_grad.is_enabled()

    def set_enable_grad(self, flag):
        """With False opens, with True closes, what ``mindspore._no_grad`` opens and closes as a block.

        Raises:
            TypeError: if ``flag`` is not a bool.
        """
        no_grad.set_enabled(check.boolean(flag, "flag", "set_enable_grad"))

    def requires_grad(self):
        """Whether what is computed now has gradients: `grad_flag` and `enable_grad`."""
        return self.grad_flag() and self.enable_grad()

    def set_jit_compile_phase(self, phase):
        """Does nothing: a compiled function is known by its signature, not by the name of a phase."""


_TAPE = ("it drives MindSpore's own tape from outside", "Use mindspore.grad or mindspore.value_and_grad.")
leave_out(
    _PyNativeExecutor,
    "_pynative_executor",
    [
        ("call_custom_bprop(self, obj, output, *args, **kwargs)", _TAPE),
        ("check_run(self, grad, obj, weights, grad_hash_id, *args, **kwargs)", _TAPE),
        ("end_graph(self, obj, output, *args, **kwargs)", _TAPE),
        ("grad(self, obj, grad, weights, grad_position, *args, **kwargs)", _TAPE),
        ("new_graph(self, obj, *args, **kwargs)", _TAPE),
        ("run_op_async(self, *args)", _TAPE),
    ],
)


class _CellGraphExecutor:
    """Records Cells ahead of their calls."""

    def __init__(self):
        self._compiled = set()

    def compile(self, obj, *args, phase="predict", do_convert=True, jit_config_dict=None, **kwargs):
        """Records a Cell as a call in GRAPH_MODE with these arguments would, and changes no Tensor.

        With a placeholder (a Tensor of unknown lengths) among them, nothing is recorded yet: each shape is when it
        comes.

        Args:
            obj (Cell): what to record.
            args, kwargs: of a call.
            phase (str): the first part of the returned name.
            do_convert, jit_config_dict: without effect.
        Returns:
            tuple of str and bool: a name for `has_compiled` and `run`, and whether it is a new one.
        Raises:
            What recording the call raises.
        """
        obj.compile(*args, **kwargs)
        avals = [value.aval for value in (*args, *kwargs.values()) if isinstance(value, Handle)]
        name = f"{phase}.{id(obj)}.{avals}"
        is_new = name not in self._compiled
        self._compiled.add(name)
        return name, is_new

    def has_compiled(self, phase="predict"):
        """Whether `compile` returned this name (bool)."""
        return phase in self._compiled

    def run(self, obj, *args, phase="predict"):
        """Calls a Cell in GRAPH_MODE."""
        return staging.call(obj, args, {}, type(obj).__name__, obj._plans, staged=True)

    __call__ = run

    def del_net_res(self, obj, net_id):
        """Forgets what was recorded of a Cell, or of all when it is None."""
        if isinstance(obj, Cell):
            obj._plans = staging.Memo()


def ms_memory_recycle():
    """Lets go of the device memory that only Python's unreachable cycles hold.  Source: mindspore.ms_memory_recycle"""
    runtime.empty_cache()


class _JitExecutor:
    """A function or method that is compiled when it is called, as ``mindspore.jit`` makes one.

    Args:
        fn (function): what to compile.
        ms_create_time, input_signature, jit_config, dynamic: hints, without effect.
        obj (object): the Cell of a method, which becomes its first argument. Default: ``None``.
    """

    def __init__(self, fn, ms_create_time=None, input_signature=None, obj=None, jit_config=None, dynamic=0):
        self.fn = fn if obj is None or hasattr(fn, "__self__") else types.MethodType(fn, obj)
        self._compiled = jit(self.fn)

    def __call__(self, *args, **kwargs):
        return self._compiled(*args, **kwargs)


_pynative_executor = _PyNativeExecutor()
_cell_graph_executor = _executor = _CellGraphExecutor()
