"""Comparison of the modes: PYNATIVE, GRAPH, ``jit``, ``to_jax``."""

import contextlib

from .. import autodiff, context
from .._common import seeding
from .._common.compiling import jit
from .._random import streams
from ..engine.handle import Handle
from ..engine.pytrees import leaves_in
from ..nn.cell import Cell
from ..tensor.tensor import Tensor
from ._weighted import is_real, summed
from .comparison import as_array, assert_close


def assert_modes_agree(fn, *inputs, order=1, rtol=1e-5, atol=1e-6):
    """Asserts that PYNATIVE_MODE, GRAPH_MODE and ``ms.jit`` agree in values, gradients and written Parameters.

    Each starts from the same Parameters and the same state of the random generator, and runs twice, since a staged call
    runs its compiled program from the second call on. The Parameters and the generator are restored afterwards.

    Args:
        fn (Cell | function): takes and returns Tensors.
        inputs (Tensor | array | object): its arguments.
        order (int): 1 to compare gradients with respect to the float inputs, too; 0 for values alone. Default: ``1``.
        rtol, atol (float): the tolerances, as of `assert_close`. Default: ``1e-5``, ``1e-6``.
    Raises:
        AssertionError: if they differ; it says in which mode, in which output, gradient or Parameter, where and by how
            much.
    Example:
        >>> msgrad.testing.assert_modes_agree(lambda x: x * 2 if x.sum() > 0 else x, Tensor([3.0]))
    """
    inputs = [Tensor(value) if hasattr(value, "shape") and not isinstance(value, Handle) else value for value in inputs]
    parameters = list(fn.get_parameters()) if isinstance(fn, Cell) else []
    before = [as_array(each).copy() for each in parameters]
    state = seeding.get_rng_state(), streams.state()

    def results(mode, call):
        with _mode(mode):
            _restart(parameters, before, state)
            values = [call(*_copies(inputs)) for _ in range(2)]
            written = {each.name: as_array(each).copy() for each in parameters}
            _restart(parameters, before, state)
            return {"output": values, "Parameter": written, "gradient": _gradients(call, inputs) if order else ()}

    try:
        expected = results(context.PYNATIVE_MODE, fn)
        calls = {"GRAPH_MODE": (context.GRAPH_MODE, fn), "ms.jit": (context.PYNATIVE_MODE, _jitted(fn))}
        for label, (mode, call) in calls.items():
            assert_close(results(mode, call), expected, rtol, atol, name=f"{label} and PYNATIVE_MODE: ")
    finally:
        _restart(parameters, before, state)


def _jitted(fn):
    compiled = jit(lambda *args: fn(*args))
    return lambda *args: compiled(*args)


def _copies(inputs):
    """New Tensors, since the function may write to them."""
    return [Tensor(as_array(each).copy()) if type(each) is Tensor else each for each in inputs]


def _gradients(fn, inputs):
    free = tuple([index for index, value in enumerate(inputs) if isinstance(value, Handle) and is_real(value)])
    if not free or not any(isinstance(leaf, Handle) and is_real(leaf) for leaf in leaves_in(fn(*_copies(inputs)))):
        return ()
    gradients = autodiff.grad(summed(fn, Tensor), free)(*_copies(inputs))
    return dict(zip([f"by input {index}" for index in free], leaves_in(gradients), strict=True))


def _restart(parameters, values, state):
    for parameter, value in zip(parameters, values, strict=True):
        parameter.set_data(Tensor(value))
    seeding.set_rng_state(state[0])
    streams.set_state(state[1])


@contextlib.contextmanager
def _mode(mode):
    before = context.get_context("mode")
    context.set_context(mode=mode)
    try:
        yield
    finally:
        context.set_context(mode=before)
