"""Calls of Cells that have hooks, a ``bprop``, reduced precision or recomputation."""

import contextlib
import inspect
import warnings

from ...autodiff import custom, saved_tensors_hooks
from ...engine.calls import looping, staging
from ...engine.recording.sharding import Active
from ...engine.refusal import refuse
from . import error_notes, inner_strategies
from .lowering import is_lowered, lower, lowered

_MSG_ARGUMENTS = "For 'Cell', the function construct of {} takes {} positional arguments, but got {}."


def check_arguments(cell, args, kwargs):
    """Raises GRAPH_MODE's errors for arguments that ``cell.construct`` does not take."""
    signature = inspect.signature(cell.construct)
    if kwargs:
        signature.bind(*args, **kwargs)
        return
    kinds = [p.kind for p in signature.parameters.values()]
    if inspect.Parameter.VAR_POSITIONAL in kinds or inspect.Parameter.VAR_KEYWORD in kinds:
        return
    positional = [p for p in signature.parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    required = sum(p.default is p.empty for p in positional)
    if not required <= len(args) <= len(positional):
        count = required if required == len(positional) else f"{required} to {len(positional)}"
        raise TypeError(_MSG_ARGUMENTS.format(type(cell).__name__, count, len(args)))


def check_declared(cell, args, kwargs):
    """Checks an outermost call against the inputs that a Cell declares, if it is a graph."""
    if staging.Policy.staged or hasattr(cell.construct, "__wrapped_by_jit__"):
        cell._declared_inputs_.check(args, kwargs)


def each(cell, batches, count, watch=None):
    """Calls a Cell with each of ``count`` tuples of arguments; returns the last result. Staged calls share launches.

    ``watch`` is called after each launch, with its `looping.Losses`.
    """
    with error_notes.added():
        return _each(cell, batches, count, watch)


def _each(cell, batches, count, watch):
    if cell._declared_inputs_ is not None:
        batches = _checked(cell, batches)
    partition = Active.partition
    if partition is None:
        return looping.call_each(cell._enter_, batches, count, type(cell).__name__, cell._plans_, watch=watch)
    with partition.entered(cell):
        batches = map(partition.arranged, batches)
        if partition.is_global:  # their batches lie over several processes, and cannot be stacked by one
            return [looping.watched(cell(*args), watch) for args in batches][-1]
        return looping.call_each(cell._enter_, batches, count, type(cell).__name__, cell._plans_, watch=watch)


def plan_of(cell):
    """The Plan of the Cell's last signature in GRAPH_MODE, or None."""
    plans = list(cell._plans_.plans.values())
    return plans[-1] if plans else None


def _checked(cell, batches):
    for args in batches:
        cell._declared_inputs_.check(args, {})
        yield args


def run(cell, args, kwargs):
    """Calls ``cell.construct`` with its hooks, casts and gradient rules, in MindSpore's order."""
    registered = cell._cell_hooks_
    if not registered:
        return _construct(cell, args, kwargs)
    called = set()

    def forward(*args):
        with _surroundings(cell, registered):
            output = _construct(cell, args, kwargs)
        for key, hook in list(registered.forward.items()):
            called.add(key)
            output = _run_forward_hook(cell, hook, args, kwargs, output)
        return output

    try:
        args, kwargs = _run_forward_pre_hooks(cell, registered.forward_pre, args, kwargs)
        if registered.backward or registered.backward_pre:
            return custom.call_hooked(cell, forward, args)
        return forward(*args)
    except Exception:
        for key, hook in list(registered.forward.items()):
            if hook.always_call and key not in called:
                _run_silenced(cell, hook, args, kwargs)
        raise


def _construct(cell, args, kwargs):
    if cell._compute_dtype_ is None:
        return _differentiated(cell, args, kwargs)
    if is_lowered(cell):
        return _in_reduced_precision(cell, args, kwargs)
    with lowered(cell):
        return _in_reduced_precision(cell, args, kwargs)


def _in_reduced_precision(cell, args, kwargs):
    dtype = cell._compute_dtype_
    args = [lower(value, dtype) for value in args]
    if kwargs:
        kwargs = {name: lower(value, dtype) for name, value in kwargs.items()}
    output = _differentiated(cell, args, kwargs)
    return output if cell._output_dtype_ is None else lower(output, cell._output_dtype_)


def _differentiated(cell, args, kwargs):
    partition = Active.partition
    if cell._strategies_ is None or partition is None:
        return _by_rules(cell, args, kwargs)

    def call(*args, **kwargs):
        return _by_rules(cell, args, kwargs)

    return partition.called(call, args, kwargs, *cell._strategies_, "Cell")


def _by_rules(cell, args, kwargs):
    return inner_strategies.computed(cell, args, kwargs, _ruled) if cell._inner_names_ else _ruled(cell, args, kwargs)


def _ruled(cell, args, kwargs):
    if cell.has_bprop:
        return custom.call_bprop(cell, args, kwargs)
    if cell._is_recomputed_:
        return custom.call_recomputed(cell, args, kwargs)
    return cell.construct(*args, **kwargs)


def _run_forward_pre_hooks(cell, registered, args, kwargs):
    for hook in list(registered.values()):
        if hook.with_kwargs:
            result = hook.fn(cell, args, kwargs)
            if result is None:
                continue
            if not isinstance(result, tuple) or len(result) != 2:
                returns = "a function that returns None or a pair of new arguments and keywords"
                refuse(RuntimeError, "register_forward_pre_hook", "hook_fn", returns, result)
            args, kwargs = result
        else:
            result = hook.fn(cell, args)
            if result is not None:
                args = result if isinstance(result, tuple) else (result,)
    return args, kwargs


def _run_forward_hook(cell, hook, args, kwargs, output):
    result = hook.fn(cell, args, kwargs, output) if hook.with_kwargs else hook.fn(cell, args, output)
    return output if result is None else result


def _run_silenced(cell, hook, args, kwargs):
    try:
        _run_forward_hook(cell, hook, args, kwargs, None)
    except Exception as error:
        warnings.warn(
            f"A forward hook with always_call=True failed as well, after another error: {error}",
            stacklevel=2,
        )


@contextlib.contextmanager
def _surroundings(cell, registered):
    """Activates the hooks of saved Tensors and of Parameters while ``construct`` runs."""
    with contextlib.ExitStack() as stack:
        if registered.saved is not None:
            stack.enter_context(saved_tensors_hooks(*registered.saved))
        if registered.parameter and staging.is_staged():
            stack.enter_context(_replaced_attributes(_hooked(cell, registered.parameter)))
        yield


def _hooked(cell, hook):
    """Rows for `_replaced_attributes`: results of the hooks of a cell's Parameters (their own, or the cell's)."""
    handles = {}
    for _, each in cell.cells_and_names():
        for name, parameter in each._params.items():
            if parameter is not None:
                if id(parameter) not in handles:
                    handles[id(parameter)] = getattr(parameter, "_forward_hook", hook)(parameter)
                yield each.__dict__, name, handles[id(parameter)]


@contextlib.contextmanager
def _replaced_attributes(rows):
    """Replaces attributes of cells while ``construct`` runs; rows are ``(attributes of a cell, name, Tensor)``."""
    originals = [(attributes, name, attributes[name], replacement) for attributes, name, replacement in rows]
    try:
        for attributes, name, _, replacement in originals:
            attributes[name] = replacement
        yield
    finally:
        for attributes, name, value, replacement in originals:
            if attributes.get(name) is replacement:
                attributes[name] = value
