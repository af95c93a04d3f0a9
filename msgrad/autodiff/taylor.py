"""Higher derivatives along a direction: ``jet`` and ``derivative`` over ``jax.experimental.jet``."""

import numpy as np

from ..engine import dtypes, execute, record
from ..engine.handle import Handle
from ..engine.record import orders_of
from ..engine.transform import Jet
from ..ops.check import refuse
from ..tensor.tensor import Tensor
from .grad import choose_outputs
from .record import Recording

_MSG_RULES = (
    "The operation InsertGradientOf is not supported in taylor higher order differentiation currently: 'jet' and "
    "'derivative' pass no hook, and a gradient of them no 'bprop'. Use ms.grad of ms.grad instead."
)
_DTYPES = ("int32", "int64", "float32", "float64")
_DTYPE_NAMES = "`mstype.int32, mstype.int64, mstype.float32, mstype.float64`"


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
        raise ValueError("For 'F.jet', the 'series' must have an entry for each of the 'primals'.")
    checked = [_checked(point, terms) for point, terms in zip(primals, series, strict=True)]
    outputs, derivatives = _jet(fn, [point for point, _ in checked], [terms for _, terms in checked])
    if isinstance(outputs, tuple):
        return list(outputs), list(derivatives)
    return outputs, derivatives[0]


def _checked(point, terms):
    (shape, dtype), (given, given_dtype) = point.aval, terms.aval
    if dtype != given_dtype or str(dtype) not in _DTYPES:
        raise TypeError(
            "For `F.jet`, the elements' types of primals and series must be the same and belong to "
            f"{_DTYPE_NAMES}, but got other dtype."
        )
    if given == shape:
        terms = terms.expand_dims(0)
    elif given[1:] != shape:
        raise ValueError("For 'F.jet', each term of the 'series' must have the shape of its primal.")
    return _as_float(point), _as_float(terms)


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
        trace.deferred = []  # the series is that of the function itself, whatever its rule says, as in MindSpore
        order = series[0].aval[0][0]
        op = Jet.of(trace.step, recording.live(), tuple(recording.inputs.values()), recording.outs, (), order)
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
        TypeError: if ``order`` is no int or the dtype is not supported.  ValueError: if ``order`` is below 1.
    Example:
        >>> ops.derivative(lambda x: x * x * x, Tensor([2.0]), 2)[1].tolist()
        [12.0]
    Source: mindspore.ops.derivative
    """
    if not isinstance(order, int) or isinstance(order, bool):
        raise TypeError(f"For 'F.derivative', the 'order' must be an int, but got {order!r}.")
    if order < 1:
        raise ValueError(f"For 'F.derivative', the 'order' must be at least 1, but got {order}.")
    if not isinstance(primals, (Handle, tuple)):
        raise TypeError("For 'F.derivative', the 'primals' must be a Tensor or a tuple of Tensors.")
    points = (primals,) if isinstance(primals, Handle) else primals
    for point in points:
        if str(point.aval[1]) not in _DTYPES:
            raise TypeError(
                f"For `F.derivative`, the elements of primals must belong to {_DTYPE_NAMES}, but got other dtype."
            )
    points = [_as_float(point) for point in points]
    output, derivatives = _jet(fn, points, [_direction(point, order) for point in points])
    last = [terms[order - 1] for terms in derivatives]
    return (list(output), last) if isinstance(output, tuple) else (output, last[0])


def _direction(point, order):
    shape, dtype = point.aval
    terms = np.zeros((order, *shape), dtype)
    terms[0] = 1
    return Tensor(terms)
