"""Reverse mode: ``grad``, ``value_and_grad``, ``GradOperation`` and ``get_grad`` over ``jax.vjp``."""

import functools
import itertools
import operator
from typing import Any

from .._contracts.check import boolean
from ..engine.execution import execute
from ..engine.handle import Handle
from ..engine.pytrees import refilled
from ..engine.recording import record
from ..engine.recording.links import ValueLink
from ..engine.transforms import chain
from ..engine.transforms.transform import Vjp
from ..tensor.parameter import Parameter
from ..tensor.sparse import SparseBase
from . import no_grad, row_gradients
from ._check import MSG_AUX, check_positions
from ._transformed import Transformed
from .backward import collect
from .mode_rules import check_cotangent, mode_rules
from .mutable import is_mutable_nest
from .record import Recording, gradients_of, tensors_in, zeros_like, zeros_of

_MSG_NO_GRAD = "Inside no_grad there are no gradients: take this one outside of the block."
_MSG_SENS = "For a gradient with 'sens_param', the sens must be Tensors that match the outputs, but got {}."
_MSG_MISSING = "There is no gradient for the position or Parameter {}."


def grad(
    fn, grad_position: int | tuple[int, ...] | None = 0, weights=None, has_aux=False, return_ids=False, sens_param=False
):
    """Makes the function that computes the gradient of the sum of all outputs of ``fn``.

    Args:
        fn (Cell | function): what to differentiate; it may return Tensors in nested tuples, lists and dicts.
        grad_position (int | tuple[int] | None): positions of the inputs to differentiate by. Default: ``0``.
        weights (Parameter | list | tuple | None): Parameters to differentiate by. Default: ``None``.
        has_aux (bool): only the first output is differentiated, the others are returned. Default: ``False``.
        return_ids (bool): each gradient becomes ``(position or parameter name, gradient)``. Default: ``False``.
        sens_param (bool): the last argument of the call is the cotangent of the output, of its shape and dtype; a bool
            given in place of ``weights``, as in MindSpore 1.6, means this too. Default: ``False``.
    Returns:
        function: it returns a single gradient bare, several as a tuple, ``(by inputs, by weights)`` for both, and
        ``(gradients, aux)`` with aux. A gradient has the shape and dtype of its input or weight.
    Raises:
        ValueError: if ``grad_position`` and ``weights`` are both None, or a position is negative or given twice.
        TypeError: if an argument has the wrong type.
    Example:
        >>> ms.grad(lambda x: x * x)(Tensor([3.0])).tolist()
        [6.0]
    Source: mindspore.grad, mindspore.ops.grad
    """
    return _Gradient(fn, grad_position, weights, has_aux, return_ids, sens_param, with_value=False)


def value_and_grad(
    fn, grad_position: int | tuple[int, ...] | None = 0, weights=None, has_aux=False, return_ids=False, sens_param=False
):
    """Makes the function that computes ``fn`` and its gradient, as ``(value, gradients)``.

    Args: as for `grad`.
    Returns:
        function: it returns the result of ``fn`` unchanged, and the gradients as `grad` does.
    Raises:
        ValueError, TypeError: as `grad`.
    Example:
        >>> value, gradient = ms.value_and_grad(lambda x: x * x)(Tensor([3.0]))
        >>> value.tolist(), gradient.tolist()
        ([9.0], [6.0])
    Source: mindspore.value_and_grad, mindspore.ops.value_and_grad
    """
    return _Gradient(fn, grad_position, weights, has_aux, return_ids, sens_param, with_value=True)


class _Gradient(Transformed):
    """The function that `grad` and `value_and_grad` return."""

    positions: Any

    def __init__(self, fn, grad_position, weights, has_aux, return_ids, sens_param, with_value):
        if isinstance(weights, bool):  # MindSpore 1.6: grad(fn, grad_position, sens_param)
            weights, sens_param = None, weights
        if grad_position is None and weights is None:
            raise ValueError("The 'grad_position' and the 'weights' must not both be None: give at least one of them.")
        self.positions = None if grad_position is None else check_positions(grad_position, "F.grad")
        self.is_bool = isinstance(grad_position, bool)
        self.weights = weights
        self.has_aux = boolean(has_aux, "has_aux", "_Grad")
        self.return_ids = boolean(return_ids, "return_ids", "_Grad")
        self.sens_param = boolean(sens_param, "sens_param", "_Grad")
        self.with_value = with_value
        super().__init__(fn)
        no_grad.refuse(_MSG_NO_GRAD)

    def __call__(self, *args, **kwargs):
        no_grad.refuse(_MSG_NO_GRAD)
        if not self.is_function:
            mode_rules().refuse_callable(self.fn)
        if self.is_bool or kwargs:
            mode_rules().check_call(self.is_bool, kwargs)
        return self.run(*args, **kwargs)

    def transform(self, *args, **kwargs):
        """Records ``fn`` at the arguments and returns its gradient, in the form that the options select."""
        sens, args, kwargs = _split_sens(args, kwargs) if self.sens_param else (None, args, kwargs)
        positions = () if self.positions is None else self._existing(len(args) + len(kwargs))
        by_weights = self.weights is not None
        with record.part(self.site, arguments=(*args, *kwargs.values())) as trace:
            recording = Recording(trace)
            output: Any = recording.call(self.fn, args, kwargs, positions)
            choose_outputs(recording, _first_of(output) if self.has_aux else output, sens)
            if not (self.with_value or self.has_aux):
                output = None
            gradients = pullback(recording, weights_in(self.weights) if by_weights else ())
        by_input, by_weight = gradients.run()
        result = self._arranged(by_input, by_weight, positions)
        if self.with_value:
            return output, result
        return (result, tuple(output[1:])) if self.has_aux else result

    def _existing(self, count):
        if count == 0 and not mode_rules().needs_inputs:
            return ()
        for position in self.positions:
            if position >= count:
                raise mode_rules().position_error(
                    f"The 'grad_position' {position} is beyond the {count} arguments of the call."
                )
        if not self.positions:
            raise RuntimeError("The 'grad_position' must not be empty. For weights alone, give grad_position=None.")
        return self.positions

    def _arranged(self, by_input, by_weight, positions):
        left = right = None
        if self.positions is not None:
            items = ()
            for position in positions:
                if position in by_input:
                    items += ((position, by_input[position]) if self.return_ids else by_input[position],)
            left = items[0] if len(items) == 1 else items
        if self.weights is not None:
            right = nested_like(self.weights, by_weight, self.return_ids)
        if self.weights is None:
            return left
        return right if self.positions is None else (left, right)


def value_and_weight_gradients(network, weights, inputs, scale=None):
    """The output of a network, and the gradients by its weights, as each step of a training takes them.

    The network runs once, so its state changes once.

    Args:
        network (Cell | function): what to differentiate.
        weights (ParameterTuple): what to differentiate by.
        inputs (tuple): the arguments of the network.
        scale (Tensor | float | None): a factor of what is differentiated. Default: ``None``, which is 1.
    Returns:
        the output of the network, and the gradients (tuple of Tensors).
    """
    no_grad.refuse(_MSG_NO_GRAD)
    with record.part(None) as trace:  # without a site: it is a part of a training step
        recording = Recording(trace)
        value = recording.call(network, inputs, {}, ())
        choose_outputs(recording, value if scale is None else value * scale)
        gradients = pullback(recording, weights)
    _, by_weight = gradients.run()
    return value, tuple(by_weight)


class Pullback:
    """A recorded function, ready to be differentiated: `run` gives its gradients by input and by weight."""

    def __init__(self, recording, wrt_weights, differentiate, tables=None):
        self.recording = recording
        self.wrt_weights = wrt_weights
        self.differentiate = differentiate
        self.tables = tables  # with gradients by rows: `row_gradients.lookups`

    def run(self):
        """The gradients: ``{position: gradient}``, and a list by weight, with zeros for unused ones."""
        results = self.differentiate()
        by_input = gradients_of(self.recording.inputs, results)
        for position, parameter in self.recording.frozen.items():
            by_input[position] = zeros_of(parameter)
        by_weight = []
        for weight, links in self.wrt_weights:
            if self.tables and len(links) == 1 and links[0] in self.tables:
                by_weight.append(row_gradients.gradient_of(weight, self.tables[links[0]], results))
                continue
            total = results[links[0]] if len(links) == 1 else _total(weight, [results[link] for link in links])
            by_weight.append(total)
        return by_input, by_weight


def _total(weight, parts):
    return functools.reduce(operator.add, parts) if parts else zeros_of(weight)


def pullback(recording, weights):
    """Closes a recording, whose outputs are chosen, for reverse mode.

    Args:
        recording (Recording): the called function; its Trace is still open.
        weights (sequence of Parameter): what to differentiate by, besides the recording's inputs; None for the
            trainable Parameters that the function used.
    Returns:
        Pullback.
    """
    weights = recording.used_parameters() if weights is None else weights
    wrt_weights, wrt = recording.weight_links(weights) if weights else (), recording.input_indices()
    for _, links in wrt_weights:
        wrt += links
    wrt = tuple(dict.fromkeys(wrt))
    has_pieces = recording.trace.segments or recording.trace.step.count > execute.PIECE
    differentiate = _by_segments(recording, wrt) if has_pieces else None
    if differentiate is not None:
        return Pullback(recording, wrt_weights, differentiate)
    if recording.trace.segments:
        recording.join()
    step, tables = recording.trace.step, None
    if step.lookups is None:
        row_gradients.look_for(step)
    if step.lookups and (tables := row_gradients.lookups(recording, wrt_weights)):
        rows = [index for uses in tables.values() for index, _ in uses]
        wrt = (*[link for link in wrt if link not in tables], *rows)
    return Pullback(recording, wrt_weights, _at_once(recording, wrt), tables)


def _at_once(recording, wrt):
    """A function that computes the gradients with respect to the links ``wrt`` in one program, as a dictionary."""
    trace, cotangents = recording.trace, recording.cotangents
    outs, has_cotangents = recording.outs, cotangents is not None
    indices = wrt if trace.moved is None and ValueLink not in map(type, wrt) else tuple(map(trace.index_of, wrt))
    rules = collect(trace, indices, outs, has_cotangents, cotangents or ())
    op = Vjp.of(trace.step, trace.live_indices(), indices, outs, rules, has_cotangents)
    return lambda: dict(zip(wrt, record.emit(trace, op, cotangents or ()), strict=True))


def _by_segments(recording, wrt):
    """A function that computes them segment by segment; None if one program is better."""
    trace = recording.trace
    outs = chain.split(trace, recording.outs)
    if outs is not None:
        recording.outs = outs
    elif not chain.is_wanted(trace):
        return None
    links = [(trace.moved or {}).get(link, link) for link in wrt]
    segments = chain.Chain(trace, links)
    if not segments.is_smooth():
        return None

    def differentiate():
        avals = [trace.aval_of_link(link) for link in links]
        gradients = segments.pull(recording.outs, recording.cotangents, collect)
        for link, aval in zip(links, avals, strict=True):
            if link not in gradients:
                gradients[link] = zeros_like(aval)
        return {index: gradients[link] for index, link in zip(wrt, links, strict=True)}

    return differentiate


def _split_sens(args, kwargs):
    if "sens" in kwargs:
        kwargs = dict(kwargs)
        sens = kwargs.pop("sens")
    else:
        sens, args = (args[-1], args[:-1]) if args else (None, args)
    if not tensors_in(sens):
        raise mode_rules().sens_error(_MSG_SENS.format(type(sens).__name__))
    return sens, args, kwargs


def choose_outputs(recording, value, cotangent=None):
    """Makes the Tensors in ``value`` the outputs to differentiate; cotangents are in the same structure, or ones."""
    is_bare = isinstance(value, Handle)
    outputs = (value,) if is_bare else tensors_in(value)
    if not is_bare or cotangent is not None:
        recording.mode.check_outputs(value, cotangent)
    recording.outs = ()
    for output in outputs:
        recording.outs += (recording.trace.place(output),)
    recording.cotangents = None if cotangent is None else matched(cotangent, outputs)


def matched(cotangent, outputs):
    """The cotangent leaves for ``outputs``, checked against them."""
    cotangents = mode_rules().matched(cotangent, outputs)
    for sens, output in zip(cotangents, outputs, strict=True):
        check_cotangent(sens, output)
    return cotangents


def _first_of(output):
    if not isinstance(output, tuple) or len(output) < mode_rules().fewest_outputs:
        raise mode_rules().aux_error(MSG_AUX)
    return output[0]


def weights_in(weights):
    """The Parameters in ``weights``, in order."""
    if isinstance(weights, Handle):
        return [weights]
    if isinstance(weights, (list, tuple)) and _is_flat(weights):
        return weights
    return mode_rules().weights_in(weights)


def nested_like(weights, by_weight, return_ids=False):
    """The gradients by weight in the structure of ``weights``; a flat sequence gives a tuple."""
    if return_ids:
        by_weight = [(weight.name, gradient) for weight, gradient in zip(weights_in(weights), by_weight, strict=True)]
    if isinstance(weights, Handle):
        return by_weight[0]
    if len(weights) == len(by_weight) and not isinstance(weights, dict) and _is_flat(weights):
        return tuple(by_weight)
    return refilled(weights, iter(by_weight))


def _is_flat(weights):
    return all(map(isinstance, weights, itertools.repeat(Handle)))


def get_grad(gradients, identifier):
    """Picks one gradient from the result of ``grad(..., return_ids=True)``.

    Args:
        gradients (tuple): pairs ``(id, gradient)`` in nested tuples.
        identifier (int | Parameter): the position, or the Parameter (matched by name).
    Returns:
        Tensor, the gradient.
    Raises:
        RuntimeError: if there is none.  TypeError: if ``identifier`` is neither.
    Example:
        >>> gradients = ms.grad(lambda x, y: x * y, (0, 1), return_ids=True)(Tensor([2.0]), Tensor([3.0]))
        >>> ms.get_grad(gradients, 0).tolist()
        [3.0]
    Source: mindspore.get_grad, mindspore.ops.get_grad
    """
    if isinstance(identifier, Parameter):
        key = identifier.name
    elif isinstance(identifier, int):
        key = identifier
    else:
        raise TypeError(f"For 'get_grad', the 'identifier' must be an int or a Parameter, but got {identifier!r}.")
    gradient = _find(gradients, key)
    if gradient is None:
        raise RuntimeError(_MSG_MISSING.format(identifier))
    return gradient


def _find(gradients, key):
    if not isinstance(gradients, (tuple, list)):
        return None
    if len(gradients) == 2 and type(gradients[0]) is type(key) and gradients[0] == key:
        return gradients[1]
    candidates = (_find(item, key) for item in gradients)
    return next((gradient for gradient in candidates if gradient is not None), None)


class GradOperation:
    """Makes gradient functions: an object called with the function to differentiate.

    Args:
        get_all (bool): gradients of all Tensor inputs, as a tuple. Default: ``False``, of the first input.
        get_by_list (bool): gradients of Parameters. Default: ``False``.
        sens_param (bool): the last argument of the call is the cotangent of the output. Default: ``False``.
    Returns:
        ``GradOperation(...)(fn, weights=None)`` gives a function of ``fn``'s arguments. Without ``weights``,
        ``get_by_list`` takes the trainable Parameters that ``fn`` uses, in order of use.
    Raises:
        TypeError: if an argument is not a bool.
    Example:
        >>> ops.GradOperation(get_all=True)(lambda x, y: x * y)(Tensor([2.0]), Tensor([3.0]))[1].tolist()
        [2.0]
    Source: mindspore.ops.GradOperation
    """

    def __init__(self, get_all=False, get_by_list=False, sens_param=False):
        self.get_all = boolean(get_all, "get_all", "GradOperation")
        self.get_by_list = boolean(get_by_list, "get_by_list", "GradOperation")
        self.sens_param = boolean(sens_param, "sens_param", "GradOperation")
        self._last = None

    def __call__(self, fn, weights=None):
        no_grad.refuse(_MSG_NO_GRAD)
        last = self._last
        # In GRAPH_MODE the same function object is returned again, so its recordings are reused.
        if mode_rules().remembers_gradients and last is not None and last.fn is fn and last.weights is weights:
            return last
        self._last = _OperationGradient(self, fn, weights)
        return self._last


class _OperationGradient(Transformed):
    """The function that a `GradOperation` returns."""

    def __init__(self, operation, fn, weights):
        super().__init__(fn)
        self.operation = operation
        self.weights = weights

    def __call__(self, *args, **kwargs):
        no_grad.refuse(_MSG_NO_GRAD)
        if not self.is_function:
            mode_rules().refuse_callable(self.fn)
        return self.run(*args, **kwargs)

    def transform(self, *args, **kwargs):
        """Records ``fn`` at the arguments and returns the gradients that the GradOperation asks for."""
        ask = self.operation
        sens, args, kwargs = _split_sens(args, kwargs) if ask.sens_param else (None, args, kwargs)
        values = [*args, *kwargs.values()]
        if ask.get_all:
            positions = [k for k, value in enumerate(values) if _has_gradient(value)]
        elif ask.get_by_list:
            positions = []
        else:
            positions = [0] if values and _has_gradient(values[0]) else []
        weights = self._asked_weights()
        with record.part(self.site, arguments=(*args, *kwargs.values())) as trace:
            recording = Recording(trace)
            choose_outputs(recording, recording.call(self.fn, args, kwargs, positions), sens)
            gradients = pullback(recording, weights)
        by_input, by_weight = gradients.run()
        inputs = tuple([by_input[k] for k in positions])
        if not ask.get_by_list:
            return inputs if ask.get_all else (inputs[0] if inputs else ())
        if self.weights is None:
            by_weight = tuple(by_weight)
        else:
            by_weight = nested_like(self.weights, by_weight)
        return (inputs, by_weight) if ask.get_all else by_weight

    def _asked_weights(self):
        if not self.operation.get_by_list:
            return ()
        if self.weights is not None:
            return weights_in(self.weights)
        return mode_rules().default_weights


def _has_gradient(value):
    """Whether there is a gradient with respect to an argument ``value`` of a `GradOperation`."""
    return isinstance(value, (Handle, SparseBase)) or is_mutable_nest(value)
