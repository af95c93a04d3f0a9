"""Joining the segments of a recording to one Program, and splitting one Program into several segments."""

from typing import Any

from .links import Link, ValueLink, link_of_leaf
from .part import Part
from .segment import Segment, check_groups


class Joining(Part):
    """The part of a `Trace` that changes how many segments it has.

    Attributes:
        moved (dict): the new indices, or links, of values that were joined or split, by their links before; or None.
        replayed (Node): the operation of an earlier segment that is being recorded again, or None.
    """

    moved: Any = None
    replayed: Any = None

    def join(self, indices=()):
        """Joins the segments to one Program, as if there had been no host read.

        Args:
            indices (sequence of int): values of the last segment.
        Returns:
            tuple of int: their indices in the Program; the same ones if the recording has one segment.
        """
        if not self.segments:
            return tuple(indices)
        self.close_segment(self.live())
        segments, self.segments = self.segments, []
        if self.exchanging is not None:
            check_groups(segments)
        self.begin()
        for position in range(len(self.leaf_states)):  # pieces that `split` made use leaves in another order
            self.leaf_of(link_of_leaf(position))
        self.moved = moved = {}
        for segment in segments:
            new_indices = self._replay(segment, moved)
            for promise in segment.promises:
                promise.trace, promise.index = self, new_indices[promise.index]
                self.promises[promise.index] = promise
            for index, registry in segment.hooks.items():
                self.hooks[new_indices[index]] = registry
            for each in segment.deferred:
                each.move(new_indices)
                self.deferred.append(each)
        for promise in (*self.inputs, *self.constants):
            if promise.trace is not None:
                promise.index = self.leaf_of(promise.trace.links[~promise.index])
                promise.trace = self
        return tuple([new_indices[index] for index in indices])

    def _replay(self, segment, moved):
        """Records a segment's operations again; returns the new indices of its values."""
        new_indices = {}
        for position, link in enumerate(segment.links):
            new_indices[~position] = moved[link] if isinstance(link, ValueLink) else self.leaf_of(link)
        for node in segment.step.close().nodes:
            first = len(self.promises)
            # For tools, which show an operation once though it is recorded a second time here.
            self.replayed = node
            self.record((node.op, node.static, *[new_indices[i] for i in node.inputs]))
            for k in range(len(node.avals)):
                new_indices[node.first + k] = moved[ValueLink(segment.number, node.first + k)] = first + k
        self.replayed = None
        return new_indices

    def split(self, indices, size):
        """Splits a recording of one segment into several; returns ``indices`` as they are in the new last segment."""
        whole = self.close_segment(self.live())
        pieces, moved = whole.step.close().pieces(size)
        self.segments = [
            Segment(
                self,
                number,
                step,
                [],
                links,
                {link: -k - 1 for k, link in enumerate(links)},
                {},
                [],
                {},
            )
            for number, (step, links) in enumerate(pieces)
        ]
        for promise in whole.promises:
            # Promises, hooks and deferred rules name values by index, so each moves to its piece, with its index there.
            number, promise.index = moved[promise.index]
            promise.trace = self.segments[number]
            promise.trace.promises.append(promise)
        for index, registry in whole.hooks.items():
            number, index = moved[index]
            self.segments[number].hooks[index] = registry
        for each in whole.deferred:
            number, _ = moved[each.first]
            each.move({index: new_index for index, (home, new_index) in moved.items() if home == number})
            self.segments[number].deferred.append(each)
        self.moved = {ValueLink(0, index): link for index, link in moved.items()}
        self.site = None  # its pieces, which other calls share, are no sign of what the site needs
        self.begin()
        return tuple([self.leaf_of(moved.get(index, index)) for index in indices])

    def index_of(self, link: Link):
        """The index, in a recording of one segment, of the value with this ``link``."""
        if isinstance(link, ValueLink):
            return link.index if self.moved is None else self.moved[link]
        return link
