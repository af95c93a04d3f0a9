"""A call of a network as a tree: the Cells that it calls, and the operations that each records. Nothing is computed."""

import threading
from typing import Any

from ..._common import seeding
from ..._contracts.check import refuse
from ..._random import streams
from ...engine.handle import scope
from ...engine.observation import Observer
from ...engine.pytrees import tensors_in
from ...engine.recording.call_trace import CallTrace
from ...nn.cell import Cell


class Call:
    """One call of a Cell.

    Attributes:
        cell (Cell): what is called.
        name (str): its path from the Cell that calls it, or its class if that does not hold it.
        outer (Call | None): the call around it.
        inner (list of Call | Operation): what it calls and records, in order.
        inputs, outputs (list): the ``(shape, dtype)`` of the Tensors that it takes and returns.
        results (list): for each Tensor that it returns, what made it, as an Operation's ``sources``.
        trace (Trace): the recording in which it was called: another one than the outer call's within a gradient.
    """

    def __init__(self, cell, name, outer, args, trace):
        self.cell, self.name, self.outer, self.trace = cell, name, outer, trace
        self.inputs, self.outputs, self.results, self.inner = _avals(args), [], [], []

    @property
    def kind(self):
        """The name of the Cell's class."""
        return type(self.cell).__name__

    def operations(self):
        """The operations of the call and of those within it; for a gradient's, its operation alone."""
        for each in self.inner:
            if isinstance(each, Operation):
                yield each
            elif each.trace is self.trace:
                yield from each.operations()


class Operation:
    """A recorded operation.

    Attributes:
        node (Node): the operation.
        sources (list): for each operand the Operation that made it, the number of a Tensor among the arguments of the
            whole call, or None for a Parameter or a constant.
    """

    def __init__(self, node, sources):
        self.node, self.sources = node, sources


def recorded(network, args, kwargs, owner):
    """Records a call without running it; its writes and its random numbers are taken back.

    Only values that the network reads on the host are computed.

    Args:
        network (Cell): what is called.
        args, kwargs (tuple, dict): its arguments.
        owner (str): the name in errors.
    Returns:
        Call: the call of the network, with all that it calls.
    Raises:
        TypeError: if ``network`` is not a Cell, and what the call raises.
    """
    if not isinstance(network, Cell):
        refuse(TypeError, owner, "net", "a Cell", network)
    random_state, before = (seeding.get_rng_state(), streams.state()), scope.trace
    trace = CallTrace(owner)
    try:
        scope.trace = trace
        with _Recorder(trace, tensors_in((args, kwargs))) as recorder:
            network(*args, **kwargs)
    finally:
        scope.trace = before
        trace.abandon()
        seeding.set_rng_state(random_state[0])
        streams.set_state(random_state[1])
    return recorder.root


class _Recorder(Observer):
    """Follows the calls of Cells, and the operations of the recording ``trace``, as a context manager."""

    def __init__(self, trace, inputs):
        self.root = None
        self._trace, self._thread, self._open = trace, threading.get_ident(), []
        self._arrays = [tensor._state_() for tensor in inputs]  # kept, so that no other object gets their ids
        self._sources: dict[int, Any] = {id(array): number for number, array in enumerate(self._arrays)}
        self._latest = None  # the operation whose results are not known yet

    def __enter__(self):
        self._call = call = Cell.__call__

        def followed(cell, *args, **kwargs):
            if threading.get_ident() == self._thread:
                return self._follow(call, cell, args, kwargs)
            return call(cell, *args, **kwargs)

        Cell.__call__ = followed
        return super().__enter__()

    def __exit__(self, *error):
        Cell.__call__ = self._call
        super().__exit__(*error)

    def recorded(self, node, replayed):
        trace = scope.trace
        if replayed is not None or threading.get_ident() != self._thread or trace is not self._open[-1].trace:
            return
        self._take_results()
        operation = Operation(node, [self._source(trace, index) for index in node.inputs])
        self._open[-1].inner.append(operation)
        if trace is self._trace:
            self._latest = operation

    def host_read(self):
        self._take_results()  # which the recording forgets when it has computed them

    def _follow(self, call, cell, args, kwargs):
        outer = self._open[-1] if self._open else None
        entry = Call(cell, "" if outer is None else _name(outer.cell, cell), outer, (args, kwargs), scope.trace)
        if outer is None:
            self.root = entry
        else:
            outer.inner.append(entry)
        self._open.append(entry)
        try:
            result = call(cell, *args, **kwargs)
        finally:
            self._open.pop()
        entry.outputs = _avals(result)
        self._take_results()
        entry.results = [self._sources.get(id(tensor._state_())) for tensor in tensors_in(result)]
        return result

    def _take_results(self):
        """Notes which operation made the values that have been recorded since."""
        # By id, without a reference, which would have the recording compute them: the id of a value that is gone is
        # noted again when another gets it.
        if self._latest is not None:
            count = len(self._latest.node.avals)
            promises = self._trace.promises[self._latest.node.first :][:count]
            self._sources.update({id(promise): self._latest for promise in promises})
            self._latest = None

    def _source(self, trace, index):
        state = trace.promises[index] if index >= 0 else trace.leaf_states[~index]
        return self._sources.get(id(state))


def is_of_user(cell):
    """Whether the class of a Cell is the user's, or a library's."""
    return type(cell).__module__.partition(".")[0] != "msgrad"


def _avals(value):
    return [tensor.aval for tensor in tensors_in(value)]


def _name(outer, inner):
    """The path of the Cell ``inner`` in ``outer``, which calls it; the name of its class if it is no sub-cell there."""
    return next((path for path, cell in outer.cells_and_names() if cell is inner and path), type(inner).__name__)
