"""Higher derivatives along a direction: ``jet`` and ``derivative`` over ``jax.experimental.jet``."""

import numpy as np

from .._contracts import check
from .._contracts.check import refuse
from ..engine import dtypes
from ..engine.execution import execute
from ..engine.handle import Handle
from ..engine.recording import record
from ..engine.recording.record import orders_of
from ..engine.transforms.transform import Jet
from ..tensor.tensor import Tensor
from .gradients import choose_outputs
from .record import Recording

_MSG_RULES = (
    "'jet' and 'derivative' cannot differentiate through a hook, and a gradient of them not through a 'bprop'. Use "
    "ms.grad of ms.grad instead."
)
_DTYPES = ("int32", "int64", "float32", "float64")
_ONE_OF_DTYPES = f"of dtype {', '.join(_DTYPES[:-1])} or {_DTYPES[-1]}"


def jet(fn, primals, series):
    """Computes ``fn`` and its derivatives of every order along given derivatives of the input.

    Args:
        fn (Cell | function): what to differentiate.
        primals (Tensor | tuple): the point; ints are promoted to float32.
        series (Tensor | tuple): for each primal the derivatives 1 to n of the input, shape ``(n,) + primal.shape``; a
            Tensor of the primal's own shape is the first one alone.
    Returns:
        tuple: ``(output, derivatives)``, derivatives of shape ``(n,) + output.shape`` (true derivatives, not Taylor
        coefficients); lists of both for several outputs.
    Raises:
        TypeError: if ``primals`` and ``series`` are not both Tensor or both tuple, or dtypes differ.
        ValueError: if lengths or shapes do not match.
    Example:
        >>> ops.jet(lambda x: x * x * x, Tensor([2.0]), Tensor([[1.0], [0.0]]))[1].tolist()
        [[12.0], [12.0]]
    Source: mindspore.ops.jet
    """
    is_single = isinstance(primals, Handle)
    if is_single != isinstance(series, Handle) or not (
        is_single or isinstance(primals, tuple) and isinstance(series, tuple)
    ):
        refuse(TypeError, "F.jet", "series", "a Tensor for a Tensor, a tuple of Tensors for a tuple", series)
    primals, series = ((primals,), (series,)) if is_single else (primals, series)
    if len(primals) != len(series):
        refuse(ValueError, "F.jet", "series", f"a tuple of {len(primals)}, like the 'primals'", series)
    checked = [_checked(point, terms) for point, terms in zip(primals, series, strict=True)]
    outputs, derivatives = _jet(fn, [point for point, _ in checked], [terms for _, terms in checked])
    if isinstance(outputs, tuple):
        return list(outputs), list(derivatives)
    return outputs, derivatives[0]


def _checked(point, terms):
    (shape, dtype), (terms_shape, terms_dtype) = point.aval, terms.aval
    _check_dtype(point, "F.jet")
    if dtype != terms_dtype:
        refuse(TypeError, "F.jet", "series", f"of the primal's dtype, {point.dtype}", terms)
    if terms_shape == shape:
        terms = terms.expand_dims(0)
    elif terms_shape[1:] != shape:
        refuse(ValueError, "F.jet", "series", f"terms of the primal's shape, {shape}", terms)
    return _as_float(point), _as_float(terms)


def _check_dtype(point, owner):
    if str(point.aval[1]) not in _DTYPES:
        refuse(TypeError, owner, "primals", _ONE_OF_DTYPES, point, "Cast it first: primals.astype(mindspore.float32).")


def _as_float(tensor):
    return tensor if np.issubdtype(tensor.aval[1], np.floating) else tensor.astype(dtypes.float32)


def _jet(fn, primals, series):
    with record.part(execute.site_of(fn)) as trace:
        recording = Recording(trace)
        output = recording.call(fn, primals, {}, range(len(primals)))
        choose_outputs(recording, output)
        recording.join()
        if trace.hooks or trace.deferred and orders_of(trace.outer):
            raise RuntimeError(_MSG_RULES)
        trace.deferred = []  # as in MindSpore, custom reverse rules are ignored
        order = series[0].aval[0][0]
        op = Jet.of(trace.step, trace.live_indices(), tuple(recording.inputs.values()), recording.outs, (), order)
    results = record.emit(trace, op, series)
    return output, tuple(results[len(recording.outs) :])


def derivative(fn, primals, order):
    """Computes ``fn`` and its derivative of the given order along the direction of ones.

    Args:
        fn (Cell | function): what to differentiate.
        primals (Tensor | tuple): the point.
        order (int): at least 1.
    Returns:
        tuple: ``(output, derivative)``, of the output's shape; lists of both for several outputs.
    Raises:
        TypeError: if ``order`` is not an int or the dtype is not supported.  ValueError: if ``order`` is below 1.
    Example:
        >>> ops.derivative(lambda x: x * x * x, Tensor([2.0]), 2)[1].tolist()
        [12.0]
    Source: mindspore.ops.derivative
    """
    order = check.positive_int(order, "order", "F.derivative")
    if not isinstance(primals, (Handle, tuple)):
        refuse(TypeError, "F.derivative", "primals", "a Tensor or a tuple of Tensors", primals)
    points = (primals,) if isinstance(primals, Handle) else primals
    for point in points:
        _check_dtype(point, "F.derivative")
    points = [_as_float(point) for point in points]
    output, derivatives = _jet(fn, points, [_direction(point, order) for point in points])
    last = [terms[order - 1] for terms in derivatives]
    return (list(output), last) if isinstance(output, tuple) else (output, last[0])


def _direction(point, order):
    shape, dtype = point.aval
    terms = np.zeros((order, *shape), dtype)
    terms[0] = 1
    return Tensor(terms)
