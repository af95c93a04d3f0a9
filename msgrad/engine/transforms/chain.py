"""The chain rule over segments: derivatives of a recording that host reads cut into several Programs.

The derivative of a segment is one op, `Vjp` or `Jvp` of its Program, interned like any other: the body of a loop has
the same one at every turn, so a longer loop compiles nothing new. Where several segments use a value, its gradients are
added inside these ops: what later segments contribute enters an earlier one as the cotangent of the value itself.
"""

import functools
from typing import Any

from ..errors import NoValueError
from ..execution import execute
from ..recording.links import ValueLink, number_of_leaf
from ..recording.record import close, is_recorded
from ..recording.results import wrap
from ..recording.segment import has_several_groups
from .lifting import is_inexact, moved
from .transform import Batched, Jvp, Replay, Vjp

# How many host reads a recording may have and still be differentiated as one Program. Times of a chain by those of one
# Program, for a loop with one at each turn:
#   turns                              1    2    4    8    16   32
#   64 floats, two operations          0.8  1.0  1.1  1.7  1.2  1.2
#   64 x 256, four products and tanh   1.0  1.5  1.0  1.0  1.4  0.8
# One Program takes 0.1 s to compile for the first at any length, and 0.4 to 2.5 s for the second; the chain's pieces
# take 0.3 s and 0.6 s once. So one Program is for few host reads, and its advantage is bounded.
FEW = 8


def is_wanted(trace):
    """Whether a recording with host reads is differentiated segment by segment rather than as one Program.

    As one Program where it has few host reads and the same segments as the last time at its site, or is the first
    there; and where reverse rules are differentiated in turn, which a chain cannot do.
    """
    if not trace.segments:
        return False
    segments = (*trace.segments, trace)
    if trace.exchanging is not None and has_several_groups(segments):
        return True
    if any([segment.step.close().host for segment in segments]) or has_rules(trace) and is_recorded(trace.outer):
        return False
    if sum([segment.step.close().weight for segment in segments]) > execute.LARGE:
        return True
    # Only the first `FEW` + 2 segments: with more of them it is a chain in any case.
    structure = tuple([(segment.step, tuple(segment.links)) for segment in segments[: FEW + 2]])
    return not execute.comes_again(trace.site, structure) or len(trace.segments) > FEW


def has_rules(trace):
    """Whether the recording has hooks or deferred reverse rules."""
    return any([segment.hooks or segment.deferred for segment in (*trace.segments, trace)]) or any(
        [handle is not None and handle._hooks for handle in trace.leaf_handles]
    )


def split(trace, outs):
    """Splits a recording without host reads that is not to be differentiated as one Program.

    That is one too large to be compiled as a whole, and a new one of a site that keeps needing new ones.

    Returns:
        tuple of int: the outputs ``outs`` in the last segment; None if it is not split.
    """
    step = trace.step
    if step.count <= execute.PIECE or trace.segments or trace.exchanging is not None:
        return None
    if step.count > execute.LARGE:
        is_whole = step.close().host or has_rules(trace) and is_recorded(trace.outer)
        return None if is_whole else trace.split(outs, execute.LARGE_PIECE)
    if step.program is not None or is_recorded(trace.outer):
        return None
    site = trace.outermost().site
    if not execute.is_unsteady(site):
        return None
    execute.missed(site, step.close(), None)
    return trace.split(outs, execute.PIECE)


def _abandoning(method):
    """Decorates a method of `Chain`: an error in it abandons the recording."""

    @functools.wraps(method)
    def run(self, *args, **kwargs):
        try:
            return method(self, *args, **kwargs)
        except BaseException:
            self.trace.abandon()
            raise

    return run


class Chain:
    """A recording of several segments, to be differentiated by the values with the links ``wrt`` (a sequence).

    Attributes:
        trace (Trace): the recording.
        segments (list): its segments, the last of which is the one that it has open.
        inside (list): those of ``wrt`` that were recorded in it.
        active (set): the links of what depends on that.
        keep (list of tuple): for each segment the indices of the values that outlive the recording.
        inner (list of tuple): for each segment the indices of the values that later ones use.
        moving (list of dict): for each segment the links, by their index in it, of what to differentiate by there.
    """

    def __init__(self, trace, wrt):
        self.trace = trace
        self.segments = [*trace.segments, trace]
        self.kept = [trace.live(segment.promises) for segment in self.segments]
        self.keep = [tuple([promise.index for promise in promises]) for promises in self.kept]
        used = [set() for _ in self.segments]
        for segment in self.segments:
            for link in segment.links:
                if isinstance(link, ValueLink):
                    used[link.number].add(link.index)
        self.inner = [tuple(sorted(indices)) for indices in used]
        self.inside = [link for link in wrt if isinstance(link, ValueLink)]
        self.active = self._active(wrt)
        self.moving = [self._moving(segment, self.active) for segment in self.segments]
        # Into a whole call, too, unless Python has read values: a staged one then is recorded once.
        is_inner = is_recorded(trace.outer) or trace.outer is not None and not trace.has_host_read
        self.run = _Recorded(self) if is_inner else _Launched(self)

    def _active(self, wrt):
        active = set(wrt)
        for segment in self.segments:
            number = segment.number
            starts = tuple(self._moving(segment, active))
            if starts:
                active.update([ValueLink(number, index) for index in moved(segment.step.close(), starts)])
        return active

    def _moving(self, segment, active):
        """Links of the segment's values that are differentiated by, by their index in the segment."""
        links = {~position: link for position, link in enumerate(segment.links) if link in active}
        for link in self.inside:
            if link.number == segment.number:
                links[link.index] = link
        return links

    def is_smooth(self):
        """Whether gradients flow between segments only through floats."""
        aval_of = self.trace.aval_of_link
        return all([is_inexact(aval_of(link)[1]) for moving in self.moving for link in moving.values()])

    @_abandoning
    def pull(self, outs, cotangents, collect, size=None) -> Any:
        """Reverse mode.

        Args:
            outs (tuple[int]): the outputs to differentiate, values or leaves of the last segment.
            cotangents (sequence of Handle | None): one for each, None for ones.
            collect (callable): records the reverse rules of a segment, as `autodiff.backward.collect`.
            size (int): the length of the first axis of the cotangents, and of the gradients, if they are many.
        Returns:
            dict: the gradient with respect to each link of ``wrt`` that ``outs`` depend on, as a Handle.
        """
        self.run.forward()
        keeps_rules = has_rules(self.trace)
        gradients = {}
        last = self.segments[-1]
        for segment in reversed(self.segments):
            moving = self.moving[segment.number]
            if segment is last:
                targets, seeds, has_cotangents = outs, list(cotangents or ()), cotangents is not None
                keep = self.keep[-1]
            else:
                number = segment.number
                # Later segments have been pulled through already, so all contributions to these values are in
                # ``gradients``.
                inner = [(i, ValueLink(number, i)) for i in self.inner[number]]
                inner += [(i, link) for i, link in moving.items() if i < 0]
                pulled = [(i, gradients.pop(link)) for i, link in inner if link in gradients]
                targets, seeds, has_cotangents = tuple([i for i, _ in pulled]), [seed for _, seed in pulled], True
                keep = ()
            # Not needed: no gradients flow through it, and none of its values is wanted.
            if not keep and not (moving and targets):
                continue
            if all([index < 0 for index in targets]) and segment is not last and not keeps_rules:
                gradients.update(zip([moving[index] for index in targets], seeds, strict=True))
                continue  # the targets are leaves: their cotangents are the gradients, without a launch
            rules = collect(segment, tuple(moving), targets, has_cotangents, seeds)
            op = Vjp.of(segment.step, keep, tuple(moving), targets, rules, has_cotangents)
            gradients.update(zip(moving.values(), self._run(segment, op, seeds, size), strict=True))
        self._close()
        return gradients

    @_abandoning
    def push(self, tangents, outs, size=None) -> Any:
        """Forward mode.

        Args:
            tangents (dict): a Handle by link.
            outs (tuple[int]): values or leaves of the last segment.
            size (int): the length of the first axis of the tangents, if they are many.
        Returns:
            list of Handle: the tangent of each.
        """
        self.run.forward()
        tangents = dict(tangents)
        for segment in self.segments:
            number = segment.number
            is_last = segment is self.segments[-1]
            moving = {~position: link for position, link in enumerate(segment.links) if link in tangents}
            targets = outs if is_last else tuple([i for i in self.inner[number] if ValueLink(number, i) in self.active])
            keep = self.keep[-1] if is_last else ()
            if not is_last and not (moving and targets):
                continue
            op = Jvp.of(segment.step, keep, tuple(moving), targets, ())
            pushed = self._run(segment, op, [tangents[link] for link in moving.values()], size)
            if is_last:
                self._close()
                return pushed
            tangents.update({ValueLink(number, i): tangent for i, tangent in zip(targets, pushed, strict=True)})

    def stop(self):
        """Computes the Promises that outlive the recording, as constants of the enclosing one."""
        self.run = _Launched(self)
        self.compute(forget=True)

    @_abandoning
    def compute(self, forget=False):
        """Computes the Promises that outlive a recording that is differentiated later."""
        self.run.forward()
        if self.keep[-1]:
            self._run(self.trace, Replay.of(self.trace.step, self.keep[-1]), ())
        self._close(forget)

    def _run(self, segment, op, extra, size=None):
        """Runs ``op``: returns its results as Handles; the kept values go to the last segment's Promises."""
        op = op if size is None else Batched.of(op, size)
        results = self.run(segment, op, extra)
        if segment is self.trace:
            for index, value in zip(op.keep, results, strict=False):
                segment.promises[index].value = value
        return [wrap(result) for result in results[len(op.keep) :]]

    def _close(self, forget=True):
        for segment, promises in zip(self.segments[:-1], self.kept, strict=False):
            for promise in promises:
                promise.value = self.run.value(segment.link_of(promise.index))
        close(self.trace, forget)


class _Launched:
    """A chain whose ops run at once, since no enclosing recording is differentiated; values are arrays."""

    def __init__(self, chain):
        self.trace = chain.trace
        self.chain = chain

    def forward(self):
        """Computes the values of all segments but the last, except those that host reads have computed."""
        for segment, keep, inner in zip(self.trace.segments, self.chain.keep, self.chain.inner, strict=False):
            missing = tuple([i for i in dict.fromkeys((*keep, *inner)) if i not in segment.values])
            if missing:
                segment.run(missing)

    def value(self, link):
        """The value of a link."""
        return self.trace.value_of(link)

    def __call__(self, segment, op, extra):
        arrays = segment.leaf_values() + [handle._array_(is_cropped=False) for handle in extra]
        results = execute.launch_transform(op, arrays, self.trace.site)
        self.trace.check_writes(results)
        return results


class _Recorded:
    """A chain whose ops are recorded in the enclosing recording; values are its Promises.

    One that is differentiated, too, is cut after each op, so that its segments are the same at each turn of a loop.
    """

    def __init__(self, chain):
        self.trace = chain.trace
        self.chain = chain
        self.values = {}

    def forward(self):
        """Records the values of all segments but the last."""
        for segment, keep, inner in zip(self.trace.segments, self.chain.keep, self.chain.inner, strict=False):
            self._record_values(segment, tuple(dict.fromkeys((*keep, *inner))))

    def _record_values(self, segment, indices):
        if indices:
            op = Replay.of(segment.step, indices)
            values = zip(op.keep, self(segment, op, ()), strict=True)
            self.values.update({segment.link_of(index): value for index, value in values})

    def value(self, link):
        if link not in self.values:  # a hook or a reverse rule asks for it
            self._record_values(self.trace.segments[link.number], (link.index,))
        return self.values[link]

    def _outer_index(self, link):
        if isinstance(link, ValueLink):
            return self.trace.outer.place(None, self.value(link))
        return self.trace.outer_index(number_of_leaf(link))

    def __call__(self, segment, op, extra):
        outer = self.trace.outer
        if op.collective is not None:
            outer.enter(op.collective)
        ids = [self._outer_index(link) for link in segment.links]
        _, states = outer.append(op, (), [*ids, *outer.indices_of(extra)])
        try:
            if outer.is_transformed:
                outer.cut()
        except NoValueError:
            pass  # the recording around is a 'vmap', which has no values: it stays one Program
        return states
