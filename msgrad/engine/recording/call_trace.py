"""`CallTrace`, the recording of a whole outermost call: a host read runs what was recorded so far, and drops it."""

import threading
from typing import Any

from ..execution import donation, execute
from ..handle import settled
from . import sharding
from .host_reads import MSG_ESCAPED
from .trace import Trace


class CallTrace(Trace):
    """The recording of a whole outermost call: nothing differentiates it, so its past can be run and dropped."""

    is_transformed = False
    launched: Any = ()  # the Programs that it ran

    def __init__(self, site, logs_calls=False, arguments=None):
        super().__init__(site, arguments=arguments)
        self.logs_calls = logs_calls
        self.undo_logs, self.passes, self.draws = [], [], []

    def compute(self, promise):
        if self.promises is None:
            raise RuntimeError(MSG_ESCAPED)
        self.has_host_read = True
        if self.thread != threading.get_ident():
            return self.evaluate(promise.index)
        self.flush()
        return settled(promise, is_cropped=False)

    def cut(self):
        self.flush()

    def flush(self, is_last=False):
        """Runs what is recorded so far and still wanted; later operations start from the values."""
        if is_last or self.logs_calls:
            self.passes = []  # in a graph, operations after a host read are another part of it
        wanted = self.live()
        if sharding.waiting:
            sharding.move(self)
        leaves = self.leaf_values()
        program, indices = self.step.close(), tuple([promise.index for promise in wanted])
        self.launched = *self.launched, program
        results, can_donate = None, is_last and self.writes
        if self.speculation is not None:
            handles = [self.leaf_handles[~link] for link in self.links]
            results = self.speculation.take(program, indices, leaves)
            # Donation only at the end: before it the recording may fail still, and the old values must be there to go
            # back to; and not where the next call may be launched ahead.
            if results is None and self.speculation.expect(program, indices, handles, leaves):
                can_donate = False
            self.speculation = None
        if results is not None or not (can_donate and donation.run(self, program, wanted, leaves)):
            self.settle(wanted, execute.run(program, indices, leaves, self.site) if results is None else results)
        self.inputs, self.constants = [], []
        self.leaf_states, self.leaf_handles, self.leaf_index, self.earlier = [], [], {}, {}
        self.begin()

    def settle(self, wanted, results):
        """Sets the values of the Promises ``wanted``, and of those of inputs and constants."""
        self.check_writes(results)
        for promise, value in zip(wanted, results, strict=True):
            promise.value = value
            promise.trace = None  # it belongs to the past, and is a leaf of what is recorded from here on
        self.keep_inputs()
