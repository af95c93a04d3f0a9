"""Opening and closing the recordings that JAX transforms."""

from ..execution import execute
from ..handle import Promise, scope
from . import sharding
from .results import wrapped
from .trace import Trace


class part:
    """Opens a Trace inside the current one (or at the outermost level) for a transformation; a context manager.

    On an error everything is as it was before. On success the Trace is closed, not yet run: hand it to `emit`.
    ``opaque`` is for a part that is not differentiated operation by operation: one with a rule, or a constant one.
    """

    __slots__ = ("trace",)  # and a class: a generator of `contextlib` takes several times as long

    def __init__(self, site, opaque=False, arguments=None):
        self.trace = Trace(site, scope.trace, arguments)
        self.trace.is_opaque = opaque

    def __enter__(self):
        scope.trace = self.trace
        return self.trace

    def __exit__(self, kind, error, traceback):
        trace = self.trace
        # Nearly always the first, which takes no call.
        if scope.trace is trace or self.is_open():
            scope.trace = trace.outer
        if trace.rebound:
            trace.restore()
        if kind is not None:
            trace.abandon()
        return False

    def is_open(self):
        """Whether it is the open recording or one around it; a generator may outlive the enclosing one."""
        trace = scope.trace
        while trace is not None and trace is not self.trace:
            trace = trace.outer
        return trace is self.trace


def emit(trace, op, extra=(), forget=True):
    """Puts a transform op of the closed ``trace`` into the enclosing recording, or runs it when there is none.

    Args:
        trace (Trace): the closed recording, of one segment, that ``op`` transforms.
        op (Transform): the op; its first results are the values ``op.keep``.
        extra (sequence of Handle): the operands after the Program's leaves.
        forget (bool): whether to drop the recording's data; otherwise `Trace.forget` is to be called later.
    Returns:
        list of Handle: the results after the kept values, which the recording's own handles get.
    """
    assert not trace.segments, "a recording of several segments is joined before it is transformed as a whole"
    try:
        results = _run(trace, op, extra) if trace.outer is None else _nest(trace, op, extra)
        promises = trace.promises
        for index, value in zip(op.keep, results, strict=False):
            promises[index].value = value
        close(trace, forget)
    except BaseException:
        trace.abandon()
        raise
    return wrapped(results[len(op.keep) :])


def _run(trace, op, extra):
    """Runs ``op``; returns its results as arrays."""
    if sharding.waiting:
        sharding.move(trace)
    speculation, trace.speculation = trace.speculation, None
    # By the states themselves, and the usual case first: it runs for every gradient.
    results = None if speculation is None else speculation.take(op, None, trace.leaf_states)
    if results is None:
        arrays = []
        # A plain loop, and the common case without a call: it runs for every weight of every gradient.
        for position, state in enumerate(trace.leaf_states):
            arrays.append(_operand(trace, position) if state is None or type(state) is Promise else state)
        if speculation is not None and not extra:
            speculation.expect(op, None, list(trace.leaf_handles), arrays)
        arrays += [handle._array_(is_cropped=False) for handle in extra]
        results = execute.launch_transform(op, arrays, trace.site)
    if trace.writes:
        trace.check_writes(results)
    return results


def _nest(trace, op, extra):
    """Records ``op`` in the enclosing recording; returns its results as Promises there."""
    outer = trace.outer
    if op.collective is not None:
        outer.enter(op.collective)
    indices = trace.outer_indices()
    _, promises = outer.append(op, (), [*indices, *outer.indices_of(extra)])
    return promises


def close(trace, forget=True):
    """Ends a recording whose values have been computed, or recorded in the enclosing one."""
    trace.keep_inputs()
    outer = trace.outer
    if outer is not None:
        for handle, before in trace.writes.values():
            # For the recording around it is a write as well: an error there takes it back to the value of before both.
            outer.remember(handle, before)
        outer.left += trace.left
        # A staged call around has acted by a value then, too, and is recorded each time.
        outer.has_host_read = outer.has_host_read or trace.has_host_read
    elif trace.writes:
        trace.publish()
    if forget:
        trace.forget()


def _operand(trace, position):
    """The concrete array of a leaf that is a placeholder, or that another recording left without a value."""
    operand = trace.bound.get(position)
    return trace.leaf_value(position) if operand is None else operand._array_(is_cropped=False)


def is_recorded(trace):
    """Whether ``trace``, or a recording around it, will be transformed (is not a whole call)."""
    while trace is not None and not trace.is_transformed:
        trace = trace.outer
    return trace is not None


def is_differentiating():
    """Whether a recording is open that will be transformed, operation by operation."""
    return orders_of(scope.trace) > 0


def orders_of(trace):
    """Number of derivatives that may be taken of what ``trace`` records, operation by operation."""
    count = 0
    while trace is not None and not trace.is_opaque:
        if trace.orders is not None:
            return count + trace.orders
        count += trace.is_transformed
        trace = trace.outer
    return count
