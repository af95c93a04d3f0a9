"""Gradient check: gradients against finite differences."""

import copy

import numpy as np

from .. import autodiff
from ..engine import dtypes
from ..engine.handle import Handle
from ..engine.pytrees import leaves_in
from ..engine.refusal import refuse
from ..nn.cell import Cell
from ..tensor.tensor import Tensor
from ._weighted import is_real, summed
from .comparison import as_array, difference

_STEP = 1e-5
_MOST = 48  # elements of each variable that are perturbed


def check_gradients(fn, *inputs, order=2, rtol=1e-5, atol=1e-6):
    """Checks gradients against central finite differences, in float64.

    It checks the gradient of each output with respect to each float input and, for a Cell, each trainable Parameter; of
    a variable with many elements, 48 are perturbed. A Cell is copied, and its Parameters are made float64.

    Args:
        fn (Cell | function): takes and returns Tensors; it must be differentiable at the inputs (relu is not at 0).
        inputs (Tensor | array | object): where to differentiate; other objects are passed unchanged.
        order (int): 1 for gradients, 2 for gradients of a weighted sum of them, too. Default: ``2``.
        rtol, atol (float): the tolerances, as of `assert_close`. Default: ``1e-5``, ``1e-6``.
    Raises:
        AssertionError: if one differs; it says which output and variable, at which index and by how much.
        ValueError: if there is nothing to differentiate, or an output is computed in less than float64.
    Example:
        >>> msgrad.testing.check_gradients(lambda x, y: ops.sin(x) * y, Tensor([0.5, 2.0]), Tensor(3.0))
        >>> msgrad.testing.check_gradients(lambda x: ops.stop_gradient(x) * x, Tensor([3.0]))
        Traceback (most recent call last):
        AssertionError: gradient of the output by input 0: 3 at [0], expected 6; 1 of 1 elements differ, by 3 at most
    """
    fn = _in_double(fn)
    point = _Point(fn, inputs)
    if not point.values:
        refuse(ValueError, "check_gradients", "inputs", "Tensors of floats among others", inputs)
    outputs = leaves_in(point.call())
    for index, output in enumerate(outputs):
        if isinstance(output, Handle) and is_real(output):
            if output.dtype != dtypes.float64:
                refuse(ValueError, "check_gradients", f"output {index}", "float64 for float64 inputs", output.dtype)
            name = "the output" if len(outputs) == 1 else f"output {index}"
            _check(point, lambda result, k=index: leaves_in(result)[k], order, rtol, atol, name)


def _in_double(fn):
    if not isinstance(fn, Cell):
        return fn
    fn = copy.deepcopy(fn)
    for parameter in fn.get_parameters():
        if is_real(parameter):
            parameter.set_dtype(dtypes.float64)
    return fn


class _Point:
    """The point at which a function is differentiated: values by name, which can be perturbed."""

    def __init__(self, fn, inputs):
        self.fn = fn
        self.inputs = [_wide(value) for value in inputs]
        self.indices = tuple([index for index, value in enumerate(self.inputs) if _is_float(value)])
        self.parameters = fn.trainable_params() if isinstance(fn, Cell) else []
        self.values = {f"input {index}": as_array(self.inputs[index]).copy() for index in self.indices}
        self.values |= {f"Parameter '{each.name}'": as_array(each).copy() for each in self.parameters}

    def call(self, fn=None):
        """Calls ``fn``, or the function itself, at the values."""
        moved = iter(self.values.values())
        args = list(self.inputs)
        for index in self.indices:
            args[index] = Tensor(next(moved))
        for parameter in self.parameters:
            parameter.set_data(Tensor(next(moved)))
        return (fn or self.fn)(*args)

    def gradient_of(self, fn):
        """The function that computes the gradients of ``fn`` with respect to all values, in order."""
        differentiated = autodiff.grad(fn, self.indices or None, self.parameters or None)

        def gradients(*args):
            gradients = differentiated(*args)
            return [tensor for tensor in leaves_in(gradients) if isinstance(tensor, Handle)]

        return gradients


def _wide(value):
    if not isinstance(value, (Handle, np.ndarray)):
        return value
    tensor = value if isinstance(value, Handle) else Tensor(value)
    return tensor.astype(dtypes.float64) if is_real(tensor) else tensor


def _is_float(value):
    return isinstance(value, Handle) and is_real(value)


def _check(point, pick, order, rtol, atol, name):
    scalar = summed(lambda *args: pick(point.fn(*args)), Tensor, 0)
    for level in range(order):
        derivative = "gradient" if level == 0 else "second derivative"
        gradients = point.gradient_of(scalar)
        for (about, values), exact in zip(point.values.items(), point.call(gradients), strict=True):
            exact = as_array(exact)
            moved = _some_of(values.shape)
            expected = exact.copy()
            for index in moved:
                expected[index] = _finite_difference(point, scalar, values, index)
            differing = difference(exact, expected, rtol, atol)
            if differing is not None:
                raise AssertionError(f"{derivative} of {name} by {about}: {differing}")
        scalar = summed(gradients, Tensor, level + 1)


def _some_of(shape):
    """The indices of all elements, or of ``_MOST`` of them."""
    count = int(np.prod(shape))
    chosen = np.random.RandomState(0).permutation(count)[:_MOST]
    return [np.unravel_index(index, shape) for index in sorted(chosen)]


def _finite_difference(point, scalar, values, index):
    before = values[index]
    step = _STEP * max(1.0, abs(before))
    ends = []
    for sign in (1, -1):
        values[index] = before + sign * step
        ends.append(float(as_array(point.call(scalar))))
    values[index] = before
    return (ends[0] - ends[1]) / (2 * step)
