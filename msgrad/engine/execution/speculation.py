"""Speculative launches: a call that is expected to launch what it launched before is launched when it begins.

Recording a training step in Python takes 0.4 to 1.5 ms, in which the device would wait. What the step will launch is
known before: the program of the last calls, on the arguments and on the present values of the Parameters. So that
program is launched at once, and computes while Python records. If the recording ends at the same program with the same
leaves, these are its results; if not, they are dropped, and the call is launched as it would have been.

Nobody sees a launch that was in vain: it overwrites no array, and a program with collectives is never launched
speculatively. Whether a call is depends on the calls before it alone, not on time.
"""

import collections
import operator
import weakref
from typing import Any

import numpy as np

from .. import foreign_tracing, observation
from ..handle import INDIRECT, Handle, Shared, aval_of, is_concrete, own_state_of, size_of
from ..random import Draw
from ..references import references
from . import costs

# 64 MB of leaves: a program with more overwrites its old values (`donation`), and computes for much longer than Python
# records. One with less gets new memory, since the old values are needed again if the launch was in vain.
MOST_BYTES = 1 << 26
# A gradient overwrites nothing, and on an accelerator it runs after all launches before it: in vain it costs time, but
# no memory beside theirs. There Python may take as long as the gradient of a large network.
MOST_BYTES_OF_GRADIENTS = 1 << 30
_LEAST_CALLS = 2  # equal calls before one is launched speculatively
_MOST_CALLS = 256  # the same after launches in vain, each of which doubles the number

counts = {"speculative launches": 0, "speculative launches in vain": 0}


class Expected:
    """The launch that is expected of a site: that of its last calls.

    Attributes:
        what: a weak reference to the Program or the transform op.
        wanted (tuple): the indices of the Program's results; None for a transform op.
        sources (Sources): where the leaves come from; None if that is not known before the call.
        calls (int): how many calls in succession launched it.
        patience (int): how many it takes until one is launched speculatively, a power of two.
        is_open (bool): whether a call that was, has not come to its own launch yet.
    """

    sources: Any

    __slots__ = ("what", "wanted", "sources", "calls", "patience", "is_open")

    def __init__(self):
        self.what, self.wanted, self.sources = _nothing, None, None
        self.calls, self.patience, self.is_open = 0, _LEAST_CALLS, False

    def give_up(self):
        """Puts the next speculative launch off, for twice as many calls each time."""
        self.sources, self.calls, self.is_open = None, 0, False
        self.patience = min(2 * self.patience, _MOST_CALLS)


def _nothing():
    """Stands for a weak reference before anything was launched."""


class Speculation:
    """An outermost call, which is launched when this is made, if what it launches is expected.

    Args:
        site (_Site): the call's, of `execute`.
        arguments (tuple): the call's. Tensors among them may be others at each call.
    """

    leaves: Any
    results: Any

    launched: Any

    __slots__ = ("expected", "arguments", "launched", "leaves", "results")

    def __init__(self, site, arguments):
        if site.expected is None:
            site.expected = Expected()
        self.expected, self.arguments = site.expected, arguments
        self.launched = self.leaves = self.results = None
        if self.expected.is_open:  # the call before ended in an error, or was launched in parts
            self.expected.give_up()
        elif self.expected.sources is not None and self.expected.calls >= self.expected.patience:
            self._launch(self.expected)

    def _launch(self, expected):
        # Read once: another thread may be calling the same function.
        what, wanted, sources = expected.what(), expected.wanted, expected.sources
        fn: Any = None
        picks = None
        if what is not None:
            fn, picks = (what.executable, None) if wanted is None else what.executables.get(wanted, (None, None))
        is_compiled = getattr(fn, "compiled", None) is not None
        if not is_compiled or observation.observer is not None or foreign_tracing.is_under_way():
            return
        try:
            leaves = sources.leaves(self.arguments)
            if leaves is None:
                expected.give_up()
                return
            results = fn(*(leaves if wanted is None else [leaves]))
        except Exception:  # whatever it is, the launch after the recording meets it too, and reports it
            expected.give_up()
            return
        self.results = results if picks is None else [*map(results.__getitem__, picks)]
        self.launched, self.leaves, expected.is_open = (what, wanted), leaves, True

    def take(self, what, wanted, arrays):
        """The results if ``what`` was launched on ``arrays`` when the call began, otherwise None.

        Args:
            what (Program | Transform): what the call has recorded.
            wanted (tuple | None): as `Expected` has it.
            arrays (list): the values of the leaves.
        """
        leaves, results = self.leaves, self.results
        if results is None:
            return None
        self.leaves = self.results = None  # `donation` counts the references to an array
        is_same = self.launched[0] is what and self.launched[1] == wanted and len(leaves) == len(arrays)
        if not (is_same and (all(map(operator.is_, leaves, arrays)) or all(map(_is_equal, leaves, arrays)))):
            self.expected.give_up()
            counts["speculative launches in vain"] += 1
            return None
        self.expected.patience, self.expected.is_open = _LEAST_CALLS, False
        counts["speculative launches"] += 1
        return results

    def expect(self, what, wanted, handles, arrays):
        """Notes what the call launches, for the next one; returns whether that may be launched speculatively.

        Args:
            what, wanted, arrays: as for `take`.
            handles (list): the handle of each leaf, or None.
        """
        expected = self.expected
        if expected.what() is what and expected.wanted == wanted:
            expected.calls += 1
        else:
            expected.what, expected.wanted, expected.calls = weakref.ref(what), wanted, 1
        # Anew after 2, 4, 8, ... calls, `patience` among them: another object may have taken the place of a handle.
        if expected.calls.bit_count() == 1:
            is_excluded = what.collective is not None or what.host or what.is_global
            expected.sources = None if is_excluded else Sources.of(handles, arrays, self.arguments)
            is_gradient = wanted is None and costs.current() is costs.ACCELERATOR
            most = MOST_BYTES_OF_GRADIENTS if is_gradient else MOST_BYTES
            if expected.sources is not None and sum([size_of(aval_of(array)) for array in arrays]) > most:
                expected.sources = None
        return expected.sources is not None


class Sources:
    """The sources of a call's leaves.

    Args:
        handles (list): weak references to the handles that outlive the call, in the order of their leaves.
        others (list of tuple): of each other leaf its position, its source and a detail. For an argument: its number,
            its shape and dtype. For a random key: a weak reference to its generator, how many of its keys come before.
            For a Python number: None, its array.
    """

    def __init__(self, handles, others):
        self.handles, self.others = handles, others

    @classmethod
    def of(cls, handles, arrays, arguments):
        """The sources of ``arrays``, the leaves, with these ``handles``; None if one is not known before the call."""
        # Tensors in tuples are not looked for: an optimizer has its gradients there, and overwrites its Parameters.
        if any(isinstance(argument, (tuple, list, dict)) for argument in arguments):
            return None
        numbers = {id(argument): number for number, argument in enumerate(arguments)}
        outliving, others, draws = [], [], collections.Counter()
        for position, array in enumerate(arrays):
            handle = handles[position]
            if isinstance(handle, Draw):
                if array.size > _MOST_OF_A_KEY:  # all the random numbers
                    return None
                others.append((position, weakref.ref(handle.generator), draws[handle.generator]))
                draws[handle.generator] += 1
            elif not is_concrete(array):  # a tracer
                return None
            elif id(handle) in numbers:
                others.append((position, numbers[id(handle)], aval_of(array)))
            elif handle is not None and references(handles, position) > _OWN:
                outliving.append(weakref.ref(handle))
            elif array.size > 1:  # made in the call, as it is each time
                return None
            else:  # a Python number, for which there is one array
                others.append((position, None, array))
        return cls(outliving, others)

    def leaves(self, arguments):
        """The present values of the leaves; None if one is not known."""
        try:
            # In C, since it runs for each Parameter at each call.
            leaves = [*map(own_state_of, map(operator.call, self.handles))]
        except AttributeError:  # one of the handles is gone
            return None
        if not _INDIRECT.isdisjoint(map(type, leaves)):
            leaves = [_value(reference()) for reference in self.handles]
            if any([leaf is None for leaf in leaves]):
                return None
        for position, source, detail in self.others:
            if source is None:
                leaf = detail
            elif type(source) is int:
                leaf = _argument(arguments, source, detail)
            else:
                generator = source()
                leaf = None if generator is None else generator.peek(detail)
            if leaf is None:
                return None
            leaves.insert(position, leaf)
        return leaves


def _argument(arguments, number, aval):
    """The value of an argument; None if it has another shape or dtype."""
    argument = arguments[number] if number < len(arguments) else None
    if not isinstance(argument, Handle):
        return None
    state = own_state_of(argument)
    array = _value(argument) if type(state) in _INDIRECT else state
    array_aval = getattr(array, "aval", None)  # as `aval_of`, without the call
    return array if array_aval is not None and (array_aval.shape, array_aval.dtype) == aval else None


def _is_equal(leaf, array):
    """Whether two leaves are the same array, or equal random keys, of which NumPy has a new array each time."""
    if leaf is array or not (type(leaf) is type(array) is np.ndarray):
        return leaf is array
    return leaf.dtype == array.dtype and leaf.shape == array.shape and leaf.tobytes() == array.tobytes()


def _value(handle):
    """The array of a handle; None where there is none, or where it takes more than a look."""
    state = own_state_of(handle)
    # What the user's NumPy array shares is compared at each read, for which once a call is enough.
    if type(state) is Shared and state.is_lent():
        return None
    state = handle._state_(is_cropped=False)
    return None if type(state) in _INDIRECT else state


_INDIRECT = frozenset(INDIRECT)
_MOST_OF_A_KEY = 8  # numbers
_OWN = 2  # references to the handle of a leaf that nothing else refers to: the recording's, and a local variable's
