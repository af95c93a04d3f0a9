"""Buffer donation: a launch overwrites old values of Parameters and optimizers' slots with those that replace them.

XLA may overwrite an array if nothing else can read it: CPython counts no reference to it but the launch's own. An array
that is referred to, or may be, is copied first, and the copy is donated. So a Program has one executable, whatever old
values the user keeps, and a value that is kept costs the memory that it would cost without donation.
"""

import functools
import threading
from typing import Any

import jax

from .. import errors, jax_options, observation
from .._jax_private import Tracer
from ..handle import Promise, Shared, is_concrete, scope
from ..processes.peers import CollectiveError
from ..references import references
from ..uncropped import Uncropped, cropped
from . import execute
from .executables import member_of

_KNOWN_LAYOUTS = (jax.sharding.SingleDeviceSharding, jax.sharding.NamedSharding)
LEAST_BYTES = 1 << 17  # 128 kB: allocating a smaller array costs less than the bookkeeping of its donation

_MSG_LOST = (
    "The step failed after the old values of {} had been overwritten, so they are lost: load or assign them again."
)


def lend(array):
    """Marks an array as never to be donated, since it goes to code outside; returns it.

    JAX makes arrays that share the memory of another (``jax.device_put``, DLPack), which no count of references shows.
    """
    if is_concrete(array):
        # On the array object itself, so that it holds wherever the array goes, and ends with it.
        array.is_lent = True
    return array


def is_ours(array):
    """Whether an array by itself may be donated: its layout is known, and it is not lent."""
    return isinstance(array.sharding, _KNOWN_LAYOUTS) and not getattr(array, "is_lent", False)


def replaced(program, wanted, writes):
    """The leaves of a Program that can be donated, with the results that overwrite them.

    Args:
        program (Program): what is to be launched.
        wanted (sequence of int): the indices of its results.
        writes (iterable of tuple): for each handle that gets a result, the position of the leaf that its old value
            is, and the output: the position of the result in ``wanted``.
    Returns:
        dict: the output by the position of the leaf that it is written over, as XLA's ``input_output_alias``.
    """
    donated = {}  # by output, since XLA writes an output over one input only
    if program.largest_leaf >= LEAST_BYTES and not program.host and not program.is_large():
        for position, output in writes:
            index = wanted[output]
            # A negative index is a leaf that is returned as it is: no new buffer takes its place.
            if program.leaf_sizes[position] >= LEAST_BYTES and index >= 0:
                if program.leaves[position] == program.avals[index]:
                    donated[output] = position
    return {position: output for output, position in donated.items()}


def overwriting(program, wanted, aliases, site):
    """The launcher of a Program that donates the leaves in ``aliases`` (`replaced`); None without any."""
    key = tuple(wanted), tuple(aliases.items())
    if key not in program.overwriting:
        if aliases:
            execute.missed(site, program, key)
        program.overwriting[key] = Overwriting(program, wanted, aliases, site) if aliases else None
    return program.overwriting[key]


def run(trace, program, wanted, leaves):
    """Runs the last segment of a whole call and donates the old values of handles that it writes to, if any can be.

    Args:
        trace (CallTrace): the recording; nothing of it is run later, so nothing of it can be undone later.
        program (Program): what is recorded.
        wanted (list of Promise): the values to compute.
        leaves (list): the concrete leaves.
    Returns:
        bool: whether it ran; then the handles have their new values, which every thread sees.
    """
    indices = tuple([promise.index for promise in wanted])
    overwrite = None
    if program.largest_leaf >= LEAST_BYTES:
        writes, handles = _writes_of(trace, program, indices)
        overwrite = overwriting(program, indices, replaced(program, indices, writes), trace.site)
    if overwrite is None or is_traced(leaves):
        return False

    def settle(results):
        trace.settle(wanted, results)
        trace.publish()
        # From here on an error cannot be rolled back: the old values have been overwritten.
        trace.writes.clear()

    overwrite(leaves, handles, settle, _HELD_BY_TRACE)
    return True


_HELD_BY_TRACE = 1  # reference to the old value of a handle that is written to: in `leaf_states`


def _writes_of(trace, program, indices):
    """The writes of a recording, for `replaced`, and the handles whose old values may be donated, by leaf."""
    outputs = {index: output for output, index in enumerate(indices)}
    # A handle that outlives the call on an input or a constant gets the leaf itself (`Trace.keep_inputs`).
    outliving = {~promise.index for promise in (*trace.live(trace.inputs), *trace.live(trace.constants))}
    leaf_index, leaf_states, sizes, written = trace.leaf_index, trace.leaf_states, program.leaf_sizes, scope.written
    writes, handles = [], {}
    for key, (handle, _) in trace.writes.items():
        link = leaf_index.get(key)
        if link is None or sizes[~link] < LEAST_BYTES:
            continue
        position = ~link
        old = handle._state
        new = written[key][1] if key in written else handle._state_()
        is_shared = type(old) is Shared
        is_leaf = leaf_states[position] is (old._array if is_shared else old)
        if is_leaf and type(new) is Promise and new.trace is trace and new.index in outputs:
            writes.append((position, outputs[new.index]))
            if not is_shared and position not in outliving:
                handles[position] = handle
    return writes, handles


def is_traced(arrays):
    """Whether the user's own transform (``jax.grad``, ...) traces the launch: it keeps the arrays that it gets."""
    return any([isinstance(array, Tracer) for array in arrays])


class Overwriting:
    """A compiled Program that donates leaves to results.

    Args:
        program (Program): what to run.
        wanted (sequence of int): the indices of its results.
        aliases (dict): the output by the position of the leaf that it is written over.
        site (tuple | str): the call that needs it.
    """

    def __init__(self, program, wanted, aliases, site):
        self.aliases = aliases
        self.avals = program.leaves
        self.rest = [position for position in range(len(program.leaves)) if position not in aliases]
        # JAX donates whole arguments: the leaves to be written over are one of them, the rest is the other.
        inverse = {position: k for k, position in enumerate([*aliases, *self.rest])}
        order = [inverse[position] for position in range(len(program.leaves))]

        def replay(donated, others_kept):
            values = [*donated, *others_kept]
            return program.replay([values[k] for k in order], wanted)

        key_parts = program, tuple(wanted), tuple(aliases.items())
        self.fn = execute.jitted(replay, program, key_parts, site, donated=(0,))

    def member(self, leaves):
        """It as a member of a family (`executables.member_of`), for leaves of these types."""
        return member_of(self.fn, ([leaves[k] for k in self.aliases], [leaves[k] for k in self.rest]))

    def __call__(self, leaves, handles, settle, held):
        """Launches it.

        Args:
            leaves (list): the arrays.
            handles (dict): for the leaves to be written over, the handle whose value it is; others are copied first.
            settle (function): takes the results and gives them to their handles; it may be called twice.
            held (int): how often objects of the caller's refer to a value that is to be written over, besides
                ``leaves`` and the handle.
        Returns:
            list: the results.
        """
        if Uncropped.exist:
            leaves[:] = map(cropped, leaves)
        launch, results = _Launch(leaves, self.avals), []
        with launch.lock:
            try:
                # Claimed before references are counted: from then on no other thread can get the old arrays.
                launch.claim(handles, self.aliases)
                donated = [launch.expendable(position, held, handles) for position in self.aliases]
                undonated = [leaves[position] for position in self.rest]
                fn = execute.counted(self.fn.ready())
                entering, leaving = jax_options.switches()
                try:  # each step in C, so that no interrupt loses the results or leaves the options set
                    jax_options.exhaust(entering)
                    results.extend(map(fn, (donated,), (undonated,)))
                finally:
                    jax_options.exhaust(leaving)
                launch.finish(self.aliases, results[0])
                settle(results[0])
            except BaseException as error:
                if not results:
                    launch.undo(handles, error)
                else:  # interrupted; what is launched has happened
                    launch.finish(self.aliases, results[0])
                    settle(results[0])
                if isinstance(error, jax.errors.JaxRuntimeError):
                    raise errors.of_device(error) from None
                raise
        return results[0]


class _Launch:
    """A launch that donates arrays. Until it ends their handles hold Promises, and a thread that reads one waits."""

    leaves: Any

    is_abandoned = False
    is_transformed = False
    thread = None

    owner = property(lambda self: self)

    def __init__(self, leaves, avals):
        self.lock = threading.RLock()
        self.leaves = leaves
        self.avals = avals
        self.promises = {}

    def claim(self, handles, aliases):
        """Puts a Promise in each handle instead of its array, so that no other thread can get hold of the array."""
        for position, handle in handles.items():
            if position in aliases:
                self.promises[position] = Promise(self, position, self.avals[position])
                for each in (handle, *handle._aliases_()):
                    each._replace(self.leaves[position], self.promises[position])

    def expendable(self, position, held, handles):
        """The array of a leaf if nothing else refers to it, else a copy."""
        is_alone = position in handles and references(self.leaves, position) <= held
        if is_alone and is_ours(self.leaves[position]):
            return self.leaves[position]
        return _copied(self.leaves[position])

    def finish(self, aliases, results):
        """Gives the Promises the new values, for the threads that wait for them."""
        for position, promise in self.promises.items():
            promise.value = results[aliases[position]]
        self.leaves, self.promises = None, {}

    def undo(self, handles, error):
        """Gives the handles their old values again.

        Raises:
            RuntimeError: if values are lost, since the launch failed after XLA had taken them.
        """
        # JAX marks an argument as deleted as soon as XLA has taken its buffer.
        lost = [handle for position, handle in handles.items() if self.leaves[position].is_deleted()]
        for position, promise in self.promises.items():
            promise.value = self.leaves[position]
            handles[position]._replace(promise, promise.value)
        self.leaves, self.promises = None, {}
        if lost:
            names = ", ".join(str(getattr(handle, "name", "a tensor")) for handle in lost)
            if isinstance(error, CollectiveError):  # which says more: the other processes end, too
                error.add_note(_MSG_LOST.format(names))
            else:
                raise RuntimeError(_MSG_LOST.format(names)) from error

    def compute(self, promise):
        """The value of one of the Promises, when the launch is over."""
        with self.lock:
            if promise.value is None:  # read before the launch, by a finalizer or signal handler
                return _copied(self.leaves[promise.index])
        return promise.value


def _copied(array):
    """A copy in separate memory that compiles nothing; ``jax.numpy.array`` compiles a program for each shape."""
    copy = functools.partial(jax.device_put, may_alias=False)
    return copy(array) if observation.observer is None else observation.observer.copying(array, copy)
