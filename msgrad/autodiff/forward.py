"""Forward mode: ``jvp``, ``nn.Jvp`` and ``linearize`` over ``jax.jvp``."""

from .._contracts.check import refuse
from ..engine.execution import execute
from ..engine.handle import Handle
from ..engine.recording import record
from ..engine.recording.results import wrap
from ..engine.transforms import chain
from ..engine.transforms.transform import Jvp as JvpOp
from ..tensor.broadcasting import can_broadcast
from ._check import MSG_AUX, check_aux_flag, check_function, split_aux
from .backward import collect_for_many
from .gradients import choose_outputs
from .record import Recording

_MSG_INPUTS = "The inputs must be a Tensor, or a tuple or list of Tensors."


def as_tuple(value):
    """``value``, a Tensor or a tuple or list of Tensors, as a tuple."""
    if isinstance(value, Handle):
        return (value,)
    if not isinstance(value, (tuple, list)):
        raise TypeError(_MSG_INPUTS)
    return tuple(value)


def jvp(fn, inputs, v, has_aux=False):
    """Computes ``fn(*inputs)`` and its directional derivative along ``v``.

    Args:
        fn (Cell | function): returns a Tensor or a tuple of Tensors.
        inputs (Tensor | tuple | list): the point.
        v (Tensor | tuple | list): the direction, one Tensor of the shape and dtype of each input.
        has_aux (bool): only the first output is differentiated, the others are returned. Default: ``False``.
    Returns:
        tuple: ``(output, tangent)``, the tangent in the structure of the output; with aux ``(output, tangent, aux)``,
        where one aux is bare and several are a tuple.
    Raises:
        TypeError: if ``inputs`` or ``v`` is not a Tensor, tuple or list, or dtypes differ.
        ValueError: if the lengths differ, or ``has_aux`` finds a single output.
    Example:
        >>> ms.jvp(lambda x: x * x, Tensor([3.0]), Tensor([1.0]))[1].tolist()
        [6.0]
    Source: mindspore.jvp, mindspore.ops.jvp
    """
    check_aux_flag(has_aux)
    inputs, directions = as_tuple(inputs), as_tuple(v)
    if len(inputs) != len(directions):
        refuse(ValueError, "jvp", "v", f"a direction for each of {len(inputs)} inputs", directions)
    if isinstance(v, (tuple, list)) and len(v) == 1:
        raise TypeError("For 'jvp', the 'v' of a tuple of inputs must be a tuple of as many Tensors, but got a Tensor.")
    for point, direction in zip(inputs, directions, strict=True):
        _check_direction(point, direction)
    check_function(fn, "jvp", ValueError)
    # As they are now: ``fn`` may write to an input that is a direction, too.
    directions = [wrap(direction._state_()) for direction in directions]
    with record.part(execute.site_of(fn)) as trace:
        recording = Recording(trace)
        output = recording.call(fn, inputs, {}, range(len(inputs)))
        value, aux = split_aux(output, has_aux, MSG_AUX)
        _check_output(value)
        choose_outputs(recording, value)
        push = _by_segments(recording, directions) or _at_once(recording, directions)
    tangents = iter(push())
    tangent = tuple(tangents) if isinstance(value, tuple) else next(tangents)
    return (value, tangent, *aux)


def _at_once(recording, directions):
    """A function that computes the tangents of the outputs in one program."""
    recording.join()
    trace, wrt, outs = recording.trace, tuple(recording.inputs.values()), recording.outs
    rules = collect_for_many(trace, wrt, outs)
    op = JvpOp.of(trace.step, trace.live_indices(), wrt, outs, rules)
    return lambda: record.emit(trace, op, directions)


def _by_segments(recording, directions):
    """A function that computes them segment by segment; None if one program is better."""
    trace = recording.trace
    if chain.has_rules(trace):
        return None
    outs = chain.split(trace, recording.outs)
    if outs is not None:
        recording.outs = outs
    elif not chain.is_wanted(trace):
        return None
    inputs = list(recording.inputs.values())
    segments = chain.Chain(trace, inputs)
    if not segments.is_smooth():
        return None
    return lambda: segments.push(dict(zip(inputs, directions, strict=True)), recording.outs)


def _check_direction(point, direction):
    if not isinstance(point, Handle) or not isinstance(direction, Handle):
        raise TypeError(_MSG_INPUTS)
    (shape, dtype), (direction_shape, direction_dtype) = point.aval, direction.aval
    if dtype != direction_dtype:
        refuse(TypeError, "jvp", "v", f"of the dtype of the input, {point.dtype}", direction)
    if not can_broadcast(direction_shape, shape):
        refuse(ValueError, "jvp", "v", f"of a shape that broadcasts to the input's, {shape}", direction)


def _check_output(value):
    if isinstance(value, Handle):
        return
    if not isinstance(value, tuple):
        kind = type(value).__name__.capitalize()
        raise TypeError(f"For 'jvp', 'fn' must return a Tensor or a tuple of Tensors, but got {kind}.")
    for item in value:
        if not isinstance(item, Handle):
            raise TypeError(f"For 'jvp', 'fn' must return a tuple of Tensors, but it contains {type(item).__name__}.")


class Jvp:
    """A network with its directional derivative: ``Jvp(network)(*inputs, v)``.

    Args:
        fn (Cell | function): the network.
        The call takes the inputs and then ``v``: a Tensor for one input, a tuple for several.
    Returns:
        tuple: ``(output, tangent)``.
    Example:
        >>> output, tangent = nn.Jvp(nn.ReLU())(Tensor([1.0, -1.0]), Tensor([2.0, 2.0]))
        >>> tangent.tolist()
        [2.0, 0.0]
    Source: mindspore.nn.Jvp
    """

    def __init__(self, fn):
        self.fn = fn

    def __call__(self, *args):
        inputs, v = args[:-1], args[-1]
        if len(inputs) > 1 and not isinstance(v, (tuple, list)):
            raise TypeError("For 'jvp', the 'v' of a single input must be a Tensor, but got a tuple.")
        return jvp(self.fn, inputs, v)


def linearize(fn, inputs):
    """Computes ``fn`` at ``inputs`` and the function of its tangents there.

    Args:
        fn (Cell | function): what to linearise.
        inputs (Tensor | tuple | list): the point.
    Returns:
        tuple: ``(output, push)``; ``push(v)`` takes a Tensor for one input, a tuple or list for several.
    Raises:
        TypeError: if ``inputs`` is not a Tensor, tuple or list.
    Example:
        >>> output, push = ops.linearize(lambda x: x * x, Tensor([3.0]))
        >>> push(Tensor([1.0])).tolist()
        [6.0]
    Source: mindspore.ops.linearize
    """
    points = as_tuple(inputs)
    if not all(isinstance(point, Handle) for point in points):
        raise TypeError(_MSG_INPUTS)
    output = fn(*points)

    def push(v):
        return jvp(fn, points, v)[1]

    return output, push
