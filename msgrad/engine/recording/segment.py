"""Segments: the parts of a recording between two host reads."""

from ..execution import execute
from ..handle import Promise, settled
from .links import Link, ValueLink
from .program import Step

MSG_TWO_GROUPS = (
    "Collectives of several groups cannot be in one function that is mapped, or that has a reverse rule or hooks: call "
    "those of one group outside of it."
)


def has_several_groups(segments):
    """Whether there are collectives of several groups in a recording of these segments."""
    return len({segment.step.close().collective for segment in segments} - {None}) > 1


def check_groups(segments):
    """Raises if a Program of these segments would have collectives of several groups."""
    if has_several_groups(segments):
        raise RuntimeError(MSG_TWO_GROUPS)


class Segment:
    """A part of a recording: a walk of Steps, and where its leaves come from.

    A value is known by its index in the segment, and in the whole recording by its `Link`.

    Attributes:
        owner (Trace): the recording; an open one is its own last segment.
        number (int): the segment's position in it.
        step (Step): the structure recorded so far.
        promises (list of Promise): the recorded values; of a closed segment, those that something refers to.
        links (list of Link): the link of each leaf.
        link_indices (dict): the index here of each leaf, by its link.
        hooks (dict): for a value's index, the functions that its gradient is to pass.
        deferred (list): the calls whose reverse rules are recorded when this recording is differentiated.
        values (dict): the concrete values that are known, by index.
    """

    def __init__(self, owner, number, step, promises, links, link_indices, hooks, deferred, values):
        self.owner = owner
        self.number = number
        self.step = step
        self.promises = promises
        self.links = links
        self.link_indices = link_indices
        self.hooks = hooks
        self.deferred = deferred
        self.values = values

    # What an open recording has itself.
    is_abandoned = property(lambda self: self.owner.is_abandoned)
    thread = property(lambda self: self.owner.thread)
    leaf_handles = property(lambda self: self.owner.leaf_handles)
    leaf_states = property(lambda self: self.owner.leaf_states)

    # -- leaves ----------------------------------------------------------------------------------------------------

    def leaf_of(self, link: Link):
        """The index here of a leaf that stands for ``link``."""
        index = self.link_indices.get(link)
        if index is None:
            aval = self.owner.aval_of_link(link)
            self.step = self.step.following.get(aval) or self.step.grow_leaf(aval)
            self.links.append(link)
            index = self.link_indices[link] = -len(self.links)
        return index

    def link_of(self, index) -> Link:
        """The link of a value of this segment."""
        return self.links[~index] if index < 0 else ValueLink(self.number, index)

    def place(self, handle, state=None):
        """The index here of a handle's value, or of a ``state`` that it had; what was recorded later is a constant."""
        state = handle._state_(is_cropped=False) if state is None else settled(state, is_cropped=False)
        if type(state) is Promise and state.trace.owner is self.owner:
            home = state.trace
            if home is self:
                return state.index
            link = home.link_of(state.index)
            if isinstance(link, ValueLink) and link.number > self.number:
                link = self.owner.constant_leaf(home.compute(state))
            return self.leaf_of(link)
        return self.leaf_of(self.owner.leaf_link(handle, state))

    def hooked_leaves(self):
        """``(index, handle)`` for each leaf whose handle has hooks and that no segment before this one uses."""
        handles, hooked = self.leaf_handles, []
        for link in self.links:  # no list comprehension: its frame would be most of the work
            if type(link) is int and (handle := handles[~link]) is not None and handle._hooks:
                hooked.append(link)
        if not hooked:
            return hooked
        before = self.owner.segments[: self.number]
        return [
            (self.link_indices[link], handles[~link])
            for link in hooked
            if not any(link in segment.link_indices for segment in before)
        ]

    def aval_of(self, index):
        """The ``(shape, dtype)`` of a value."""
        return self.owner.aval_of_link(self.links[~index]) if index < 0 else self.step.close().avals[index]

    # -- values ----------------------------------------------------------------------------------------------------

    def leaf_value(self, position):
        """The concrete array of a leaf; it may be `Uncropped`."""
        return self.owner.value_of(self.links[position])

    def leaf_values(self):
        """The concrete arrays of all leaves, for a launch: they may be `Uncropped`."""
        states, values = self.leaf_states, []
        # `Trace.value_of`, without the call where the leaf is an array already.
        for link in self.links:
            state = states[~link] if type(link) is int else None
            values.append(self.owner.value_of(link) if state is None or type(state) is Promise else state)
        return values

    def run(self, wanted):
        """Computes the values ``wanted`` (tuple of indices) and keeps them."""
        results = execute.run(self.step.close(), wanted, self.leaf_values(), self.owner.site)
        self.values.update(zip(wanted, results, strict=True))

    def settle_collectives(self):
        """Replaces collectives that have run by their results, so that running the segment again repeats none."""
        program = self.step.close()
        if program.collective is None:
            return
        step = Step.root(program.precision)
        for aval in program.leaves:
            step = step.following.get(aval) or step.grow_leaf(aval)
        avals, keys = list(program.leaves), []
        for node in program.nodes:
            op, inputs = node.op, node.inputs
            if op.collective is not None:
                op = op.known()
                for k, aval in enumerate(node.avals):
                    self.links.append(self.owner.constant_leaf(self.evaluate(node.first + k)))
                    self.link_indices[self.links[-1]] = -len(self.links)
                    avals.append(aval)
                    step = step.following.get(aval) or step.grow_leaf(aval)
                # The leaves just added, in their order: leaf ``n`` has the index ``~n``.
                inputs = (*inputs, *range(-len(avals) + len(node.avals) - 1, -len(avals) - 1, -1))
            keys.append((op, node.static, *inputs))
        for key in keys:
            operands = [avals[~index] if index < 0 else program.avals[index] for index in key[2:]]
            step = step.following.get(key) or step.grow(key, operands)
        self.step = step

    def compute(self, promise):
        """The concrete value of ``promise``, one of this segment."""
        self.owner.has_host_read = True
        return self.evaluate(promise.index)

    def evaluate(self, index):
        """The concrete value at ``index``; it may be `Uncropped`."""
        if index < 0:
            return self.leaf_value(~index)
        if index not in self.values:
            self.run((index,))
        return self.values[index]
