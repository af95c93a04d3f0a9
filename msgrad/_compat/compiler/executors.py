"""``mindspore.common.api``: MindSpore's two executors, which programs and tests use directly.

msgrad always records and compiles. These classes reproduce what is visible from Python; methods that drive MindSpore's
gradient tape from outside are not supported.
"""

import types

from ... import _upcalls, runtime
from ..._common import seeding
from ..._common.compiling import jit
from ..._contracts import check
from ..._random import streams
from ...autodiff import no_grad
from ...autodiff.reverse import gradients_of_call
from ...engine.calls import staging
from ...engine.handle import Handle
from ...engine.recording.record import is_differentiating
from ...nn.cell import Cell
from ...ops.legacy.left_out import leave_out

ms_compile_cache = set()
cells_compile_cache = {}


class _PyNativeExecutor:
    """The executor of PYNATIVE_MODE: queries and settings of its execution."""

    def __init__(self):
        self._flag = False
        self._before, self._found = None, ()

    def sync(self):
        """Waits for all work dispatched to the device."""
        runtime.synchronize()

    def clear_res(self):
        """Does nothing: recordings end with their calls."""

    def set_async_for_graph(self, flag):
        """Checks the flag; it has no effect on results."""
        check.boolean(flag, "flag", "set_async_for_graph")

    def grad_flag(self):
        """Whether a gradient is being recorded, or `set_grad_flag` was set (bool)."""
        return self._flag or is_differentiating()

    def set_grad_flag(self, flag):
        """Sets the value of `grad_flag`; it does not affect ``mindspore.grad``.

        Raises:
            TypeError: if ``flag`` is not a bool.
        """
        self._flag = check.boolean(flag, "flag", "set_grad_flag")

    def enable_grad(self):
        """Whether gradients may be taken: False inside ``mindspore._no_grad`` (bool)."""
        return no_grad.is_enabled()

    def set_enable_grad(self, flag):
        """Disables (False) or enables (True) gradients, as entering and leaving a ``mindspore._no_grad`` block.

        Raises:
            TypeError: if ``flag`` is not a bool.
        """
        no_grad.set_enabled(check.boolean(flag, "flag", "set_enable_grad"))

    def requires_grad(self):
        """Whether computed values have gradients now: `grad_flag` and `enable_grad`."""
        return self.grad_flag() and self.enable_grad()

    def set_jit_compile_phase(self, phase):
        """Does nothing: compiled functions are identified by signature, not by phase."""

    # -- gradients of what has run: new_graph, the call, end_graph, grad -----------------------------------------------

    def new_graph(self, obj, *args, **kwargs):
        """Marks the start of a call to be differentiated: `grad` will repeat its random numbers."""
        self._before = seeding.get_rng_state(), streams.state()

    def end_graph(self, obj, output, *args, **kwargs):
        """Does nothing: the end of the call started by `new_graph`."""

    def grad(self, obj, grad, weights, grad_position, *args):
        """The gradients of a finished call; the forward pass is computed again, without writes.

        Args:
            obj (Cell | function): what was called.
            grad (GradOperation): whether by all inputs, by ``weights``, and with a cotangent as the last argument.
            weights (list | tuple): Parameters, if ``grad`` takes them.
            grad_position (int | tuple[int] | None): of the inputs to differentiate by, if not all.
            args: of the call; a bool before them says whether only the first output counts, as in MindSpore 2.10.
        Returns:
            tuple: gradients by inputs, by ``weights``, or ``(by inputs, by weights)``; calling the executor gives them
            again.
        """
        has_aux, args = (args[0], args[1:]) if args and isinstance(args[0], bool) else (False, args)
        cotangent, args = (args[-1], args[:-1]) if grad.sens_param else (None, args)
        after = seeding.get_rng_state(), streams.state()
        self._rewind(self._before or after)
        try:
            wanted = weights if grad.get_by_list else None
            _, by_input, by_weight = gradients_of_call(obj, args, cotangent, wanted, has_aux, writes=False)
        finally:
            self._rewind(after)
            self._before = None
        if grad_position is not None:
            positions = (grad_position,) if isinstance(grad_position, int) else grad_position
            by_input = tuple([by_input[each] for each in positions])
        elif not grad.get_all:
            by_input = () if grad.get_by_list else by_input[:1]
        self._found = (by_input, tuple(by_weight)) if by_input and grad.get_by_list else by_input or tuple(by_weight)
        return self._found

    def _rewind(self, state):
        seeding.set_rng_state(state[0])
        streams.set_state(state[1])

    def __call__(self):
        """The last result of `grad`."""
        return self._found


_TAPE = ("it drives MindSpore's own tape from outside", "Use mindspore.grad or mindspore.value_and_grad.")
leave_out(
    _PyNativeExecutor,
    "_pynative_executor",
    [
        ("call_custom_bprop(self, obj, output, *args, **kwargs)", _TAPE),
        ("check_run(self, grad, obj, weights, grad_hash_id, *args, **kwargs)", _TAPE),
        ("run_op_async(self, *args)", _TAPE),
    ],
)


class _CellGraphExecutor:
    """Records Cells before their calls."""

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
        return staging.call(obj, args, {}, type(obj).__name__, obj._plans_, staged=True)

    __call__ = run

    def del_net_res(self, obj, net_id):
        """Drops the recordings of a Cell, or of all Cells if it is None."""
        if isinstance(obj, Cell):
            obj._plans_ = staging.Memo()


def ms_memory_recycle():
    """Runs Python's garbage collector, which frees device memory.  Source: mindspore.ms_memory_recycle"""
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


_MindsporeFunctionExecutor = _JitExecutor  # its name in MindSpore 2.0 to 2.4


def _with_place_for_gradient(cls):
    """Adds an attribute ``grad`` (None) to a program's own Tensor class, for mindnlp's Parameters.

    Every Tensor of MindSpore 2.3 to 2.5 has it. Tensors and Parameters themselves have none, as in MindSpore 2.10.
    """
    if "grad" not in vars(cls):
        cls.grad = None


_upcalls.fill(prepare_tensor_class=_with_place_for_gradient)

_pynative_executor = _PyNativeExecutor()
_cell_graph_executor = _executor = _CellGraphExecutor()
