"""`CallTrace`, the recording of a whole outermost call: a host read runs its past and drops it."""

import threading

from ..execution import donation, execute
from ..handle import settled
from . import sharding
from .trace import Trace


class CallTrace(Trace):
    """The recording of a whole outermost call: nothing differentiates it, so its past can be run and dropped."""

    is_transformed = False

    def __init__(self, site, logs_calls=False):
        super().__init__(site)
        self.logs_calls = logs_calls
        self.journals, self.passes = [], []

    def compute(self, promise):
        self.has_host_read = True
        if self.thread != threading.get_ident():
            return self.evaluate(promise.index)
        self.flush()
        return settled(promise)

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
        program = self.step.close()
        # Only at the end: before it the recording may fail still, and the old values must be there to go back to.
        if not (is_last and self.writes and donation.run(self, program, wanted, leaves)):
            results = execute.run(program, tuple([promise.index for promise in wanted]), leaves, self.site)
            self.settle(wanted, results)
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
