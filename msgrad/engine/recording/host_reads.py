"""Host reads: the value of a recorded Promise, which closes a segment or is computed on the side."""

import threading

from ..errors import NoValueError
from ..execution import execute
from ..handle import Promise, settled
from .links import Link, ValueLink, number_of_leaf
from .part import Part
from .segment import MSG_TWO_GROUPS, Segment

MSG_ESCAPED = (
    "This tensor was made inside a transformed function (vmap, jvp, ...) or a compiled one, and left it by a side "
    "effect, so it has no value outside. Return it from the function instead."
)
_MSG_COLLECTIVE = (
    "The value of a tensor that is computed with a collective is needed where the collective would run a second time: "
    "in a reverse rule, in another thread, or after an error. Look at the value where it is computed."
)


class HostReads(Part):
    """The part of a `Trace` that computes values while it is open.

    Attributes:
        segments (list of Segment): what was recorded before the last host read.
        has_host_read (bool): whether Python has read a value, so that the recording may depend on it.
        is_closed (bool): whether it is being transformed, so that a host read must leave it as it is.
        is_abandoned (bool): whether an error ended it; its values are computed when they are read.
    """

    has_host_read = False
    is_closed = False
    is_abandoned = False

    def compute(self, promise):
        """Computes the value of ``promise``, of this recording, now; what was recorded so far becomes a segment."""
        self.has_host_read = True
        if promise.index < 0 or self.leaf_states is None:
            return self.evaluate(promise.index)
        # On the side where no segment can be closed: the recording is being transformed or over, has leaves without
        # values (`vmap`), or is another thread's.
        if self.is_closed or self.is_abandoned or self.placeholder_avals or self.thread != threading.get_ident():
            return self.evaluate(promise.index)
        try:
            return self.cut().evaluate(promise.index)
        except NoValueError:  # some other value has none
            return self.evaluate(promise.index)

    def cut(self):
        """Closes the segment with the values that something still refers to, and starts the next; returns it."""
        live = self.live()
        wanted = [promise.index for promise in live]
        if self.exchanging is not None:
            # Whether wanted or not: exchanged values cannot be computed again.
            wanted = list(dict.fromkeys([*wanted, *self.step.close().exchanged()]))
        self.run(tuple(wanted))
        segment = self.close_segment(live)
        if self.exchanging is not None:
            segment.settle_collectives()
        return segment

    def enter(self, group):
        """Makes sure that exactly the processes of ``group`` launch what is recorded from here on.

        A Program has the collectives of one group: those of another begin a new segment.
        """
        before = self.exchanging
        if before is not None and before[0] is self.links and before[1] is not group:
            self.has_host_read = True  # a staged call would keep its last part alone
            try:
                self.cut()
            except NoValueError:
                raise RuntimeError(MSG_TWO_GROUPS) from None
        # A segment is identified by its list of links: the next one has another. By that of its values each recording
        # would keep itself alive, and the old Parameters, which the next step would then have to copy.
        self.exchanging = self.links, group

    def close_segment(self, live):
        """Closes the segment, of whose values ``live`` are still referred to, and starts the next; returns it."""
        segment = Segment(
            self,
            self.number,
            self.step,
            live,
            self.links,
            self.link_indices,
            self.hooks,
            self.deferred,
            self.values,
        )
        # Unreferenced values are dropped here; a loop makes new constants in each iteration.
        self.constants = self.live(self.constants)
        for promise in (*live, *self.inputs, *self.constants):
            if promise.trace is self:
                # Their indices count in the segment, and the open recording starts again from none.
                promise.trace = segment
        self.segments.append(segment)
        self.begin()
        return segment

    def value_of(self, link: Link):
        """The concrete array of a leaf of the recording, or of a value of a closed segment; it may be `Uncropped`."""
        if isinstance(link, ValueLink):
            return self.segments[link.number].evaluate(link.index)
        position = number_of_leaf(link)
        state = self.leaf_states[position]
        if state is None:
            return self.placeholder_value(position)
        state = settled(state, is_cropped=False)
        return state.trace.compute(state) if type(state) is Promise else state

    def placeholder_value(self, position):
        raise NoValueError

    def evaluate(self, index):
        """The concrete value at ``index``, computed on the side: the recording stays as it is."""
        if self.leaf_states is None:
            raise RuntimeError(MSG_ESCAPED)
        if index < 0:
            return self.leaf_value(~index)
        values = self.values
        if index not in values:
            part, part_indices = self.aside(), {}
            missing = self._missing(index)
            if any([node.op.collective is not None for node in missing]):
                raise RuntimeError(_MSG_COLLECTIVE)
            for node in missing:
                inputs = [
                    part_indices[i] if i in part_indices else part._new_leaf(self.evaluate(i), None)
                    for i in node.inputs
                ]
                results = part.record((node.op, node.static, *inputs))
                for k, handle in enumerate((results,) if node.single else results):
                    part_indices[node.first + k] = handle._own_state_().index
            (values[index],) = execute.run(part.step.close(), (part_indices[index],), part.leaf_states, self.site)
        return values[index]

    def _missing(self, index):
        """The nodes that the value at ``index`` depends on and that have not run, in order."""
        wanted, nodes, step = {index}, [], self.step
        while step.parent is not None:
            node = step.node
            if node is not None and any(node.first + k in wanted for k in range(len(node.avals))):
                nodes.append(node)
                wanted.update(i for i in node.inputs if i >= 0 and i not in self.values)
            step = step.parent
        return nodes[::-1]
