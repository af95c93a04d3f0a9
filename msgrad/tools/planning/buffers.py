"""Values in a device's memory, and how much of it they take over a program."""

from typing import NamedTuple


class Buffer(NamedTuple):
    """A value in the device's memory, while it is needed.

    Attributes:
        bytes (int): its size.
        shape (str): its dtype and shape.
        first, last (int): the positions of instructions between which it is held.
        origin (Origin): where it is computed.
        is_kept (bool): whether the backward pass reads what the forward pass computed.
    """

    bytes: int
    shape: str
    first: int
    last: int
    origin: tuple
    is_kept: bool


class Buffers:
    """The buffers of a program of some instructions.

    Args:
        buffers (list of Buffer): all.
        positions (list of int): the instructions that compute anything, in order.
    Attributes:
        timeline (list of int): the bytes that are held at each of these.
        moment (int): the number of the first at which most is held.
    """

    def __init__(self, buffers, positions):
        self._all, self._positions = buffers, positions
        changes = {}
        for each in buffers:
            changes[each.first] = changes.get(each.first, 0) + each.bytes
            changes[each.last + 1] = changes.get(each.last + 1, 0) - each.bytes
        self.timeline, held, times = [], 0, sorted(changes)
        for position in positions:
            while times and times[0] <= position:
                held += changes[times.pop(0)]
            self.timeline.append(held)
        self.moment = self.timeline.index(self.most) if self.timeline else 0

    @property
    def most(self):
        """The most bytes that are held at once."""
        return max(self.timeline, default=0)

    def within(self, position):
        """Those that are held when most is, as buffers of the instruction at ``position`` of the program around."""
        return [each._replace(first=position, last=position) for each in self.at_most()]

    def at_most(self):
        """The buffers that are held when most is, the largest first."""
        if not self._positions:
            return []
        position = self._positions[self.moment]
        held = [each for each in self._all if each.first <= position <= each.last]
        return sorted(held, key=lambda each: -each.bytes)
