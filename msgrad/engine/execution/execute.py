"""Launches of single operations and of Programs as one compiled call, and the count of compilations.

``MSGRAD_EAGER=1`` runs everything operation by operation, by NumPy as far as it can, and compiles nothing.
"""

import atexit
import functools
import itertools
import warnings
from typing import Any

from .. import errors, jax_options, observation, xla_flags
from ..lowering import cpu_lowering, tpu_lowering
from ..precision import Chosen, compiler_options, current, saying
from ..processes import world
from ..uncropped import cropped_in
from ..user_code import stacklevel
from . import completion, disk_cache, executables, padded, speculation, tiers
from .executables import executable_of
from .operation import Operation

# A site that hardly ever meets a program twice (shapes that change, loops whose length depends on values) would compile
# at every step. Such steps make a streak, which survives `_GAP` steps that compile nothing.
_GAP = 8
_UNSTEADY = 4  # the streak from which on positions in tensors are operands, and new programs run in pieces
_PATIENCE = 24  # the streak at which the user is warned, once
PIECE = 24  # operations of a piece: small enough for programs to share it, so long that launches cost little beside it
# A Program of more operations is too large to be compiled as a whole: the gradient of 400 takes XLA 4.5 s on a CPU, of
# 800 16 s. It runs in pieces of 256, each compiled in about 2 s, and those of a repeated cell are the same.
LARGE, LARGE_PIECE = 2048, 256
_MOST_SITES = 10_000
_MOST_STRUCTURES = 16  # numbers of operations that are remembered for a site
_MOST_NAMED = 3  # inputs whose shapes a warning gives
_MOST_OPERATIONS = 2048  # operations, with their static arguments, that are kept

_counts = {"launches": 0, "operations launched": 0}
_jitted = {}
_sites = {}


disk_cache.configure()
xla_flags.install()
cpu_lowering.install()
tpu_lowering.install()
# At import, before an array can be made: once JAX's backend is initialized, no process can join others.
world.join()
atexit.register(completion.wait)  # before the processes part, and before JAX drops its client: the last one runs first


def launch(op, static, arrays):
    """Runs one operation outside of recordings, on concrete arrays or on JAX tracers."""
    if op.host:
        # Not kept, for it holds the user's functions, which are meant for this call alone.
        fn = functools.partial(jax_options.launched, saying(op.bind(static), current()))
    else:
        precision = Chosen.always or current()
        # By identity, since `==` may be the user's; equal static arguments are mostly one object (`Arguments.same`).
        last_static, last_precision, fn = op.latest
        if last_static is not static or last_precision is not precision:
            fn = _operation(op, static, precision)
            op.latest = static, precision, fn
        _counts["operations launched"] += 1
    if observation.observer is not None:
        return observation.observer.launching(op, static, fn, arrays)
    return fn(*arrays)


def _operation(*key):
    """The `Operation` of an op, its static arguments and a precision."""
    fn = _jitted.get(key)
    if fn is None:
        fn = Operation(*key)
        if len(_jitted) >= _MOST_OPERATIONS:  # half of them at once, the oldest: the next 1 024 then cost nothing
            for old in list(itertools.islice(_jitted, _MOST_OPERATIONS // 2)):
                _jitted.pop(old, None)
        _jitted[key] = fn
    return fn


def launch_transform(op, arrays, site):
    """Runs a transform op (a Program and its transformation) on concrete arrays."""
    _counts["launches"] += 1
    # An attribute, since a transform op is interned: no key is built or hashed for a launch.
    fn = op.executable
    if fn is None:
        if op.host:
            fn = functools.partial(_on_host, saying(op.run, op.program.precision))
        else:
            missed(site, op.program, op.detail)
            if op.is_replay and op.program.is_large():
                replay = in_pieces(op.program, op.keep, LARGE_PIECE)
                fn = lambda *arrays: tuple(replay(arrays))  # noqa: E731
            else:
                fn = jitted(op.run, op.program, (op,), site, group=op.collective)
        op.executable = fn
    return fn(*arrays)


def run(program, wanted, leaves, site):
    """Runs a Program at concrete leaves; returns the values ``wanted`` (indices) as a list."""
    if not wanted:
        return []
    _counts["launches"] += 1
    entry = program.executables.get(wanted)
    if entry is None:
        entry = _find(program, wanted, site)
    fn, picks = entry
    results = fn(leaves)
    return results if picks is None else [results[i] for i in picks]


def _find(program, wanted, site):
    """An executable with at least the results ``wanted``: a compiled one with more results, or a new one.

    A step that keeps one value less than the last (a loss that is printed every tenth step) compiles nothing that way.
    """
    for have, (fn, picks) in program.executables.items():
        if picks is None and set(wanted) <= set(have):
            entry = fn, [have.index(i) for i in wanted]
            break
    else:
        if program.host or not tiers.Tiers.compiles:
            entry = _by_operation(program, wanted), None
        else:
            # A program that has run in pieces before is now compiled as a whole.
            is_new = not program.executables and not program.is_known
            program.is_known = True
            missed(site, program, wanted)
            if is_new and len(program.nodes) > PIECE and program.collective is None and is_unsteady(site):
                return in_pieces(program, wanted, PIECE), None
            if program.is_large():
                fn = in_pieces(program, wanted, LARGE_PIECE)
            else:
                fn = jitted(
                    lambda leaves: program.replay(leaves, wanted),
                    program,
                    (program, wanted),
                    site,
                    plan=lambda *_: tiers.ProgramPlan(program, wanted),
                )
            entry = fn, None
    program.executables[wanted] = entry
    return entry


def in_pieces(program, wanted, size):
    """A function that runs ``program`` in pieces, each compiled and shared with other Programs that contain it."""
    pieces, value_links = program.pieces(size)
    ends = [value_links.get(index, index) for index in wanted]
    last_users = {link: number for number, (_, links) in enumerate(pieces) for link in links}
    last_users.update(dict.fromkeys(ends, len(pieces)))
    steps = []
    for number, (step, links) in enumerate(pieces):
        inner = tuple([i for i in range(step.count) if (number, i) in last_users])
        done = [link for link in set(links) if last_users[link] == number]
        steps.append((step.close(), inner, [(number, i) for i in inner], links, done))

    def replay(leaves):
        values = {~i: leaf for i, leaf in enumerate(leaves)}
        for piece, inner, results, links, done in steps:
            # Without a site: pieces belong to all sites, and say nothing about what one of them needs.
            values.update(zip(results, run(piece, inner, [values[link] for link in links], None), strict=True))
            for link in done:  # so that the memory of a value is free once nothing needs it
                del values[link]
        return [values[link] for link in ends]

    return replay


def jitted(replay, program, key_parts, site, donated=(), plan: Any = tiers.TracedPlan, group=None):
    """``replay`` (of ``program`` or of its derivative), compiled; it may overwrite its arguments at ``donated``.

    ``key_parts`` say what it computes, ``site`` which call needs it (or None), ``plan`` how NumPy runs its first
    launches (`Executable`); ``group`` are the processes that exchange values in the derivative, where there are any.
    """
    # At least 1: by 0 an `Executable` is that of a single operation, which is dropped sooner and counted apart.
    replay = saying(replay, program.precision)
    operations, group = max(len(program.nodes), 1), group or program.collective
    if group is not None:
        executable = group.executable(replay, key_parts, donated, operations, program.is_global)
    else:
        executable = executable_of(replay, key_parts, donated, operations, plan, program.is_global)
        executable.options = compiler_options(program.precision, (*program.leaves, *program.avals))
    executable.owner = site and _name(site)
    return executable if observation.observer is None else observation.observer.compiling(executable, replay)


def compiled(replay, site, program, wanted, key_parts):
    """A compiled function of a list of leaves, counted for ``site``; ``key_parts`` say what it computes."""
    if program.host:
        return functools.partial(_on_host, saying(replay, program.precision))
    missed(site, program, wanted)
    return jitted(replay, program, key_parts, site)


def _on_host(fn, *operands):
    """Runs a function that no compiled program can be, since it calls the user's Python."""
    return jax_options.launched(fn, *cropped_in(operands))


def launch_plan(fn, values):
    """Runs a staged call's compiled function."""
    return counted(fn)(values)


def launches():
    """How many launches of operations and Programs there have been, but for speculative ones."""
    return _counts["operations launched"] + _counts["launches"]


def counted(fn):
    """Counts a launch of ``fn``, and returns it."""
    _counts["launches"] += 1
    return fn


def _by_operation(program, wanted):
    nodes = program.needed(wanted)

    def replay(leaves):
        env = {~i: leaf for i, leaf in enumerate(cropped_in(leaves))}
        for node in nodes:
            results = launch(node.op, node.static, [env[i] for i in node.inputs])
            for k, value in enumerate((results,) if node.single else results):
                env[node.first + k] = value
        return [env[i] for i in wanted]

    return replay


class _Site:
    """Counts how often a call site needed a program that was not compiled yet.

    Attributes:
        steps (int): recordings that it opened.
        misses (int): programs that were not compiled.
        streak (int): steps with such a program, each at most `_GAP` steps after the one before.
        unsteady (int): how many of them needed a program that differed in more than shapes.
        is_varying (bool): whether it hardly ever needs the same program twice, and that not for their shapes alone.
        step (int): the number of the last of them.
        last (tuple): of the last such program, how many operations and which leaves it has, and what was wanted of it.
        leaves (dict): of the last program of each number of operations, its leaves.
        is_reshaped (bool): whether it differed in shapes alone from the one before of as many operations.
        structure: the last argument of `comes_again`.
        expected (Expected): what its calls launched last; see `speculation`.
    """

    last: Any

    def __init__(self):
        self.steps = self.misses = self.streak = self.unsteady = self.step = 0
        self.last = self.structure = self.expected = None
        self.leaves = {}
        self.is_varying = self.is_reshaped = False


_NOWHERE = _Site()


def opened(site):
    """Counts a recording that ``site`` opens, and returns its `_Site`; a part of another's step has None."""
    if site is None:
        return _NOWHERE
    record = _sites.get(site)
    if record is None:
        if len(_sites) > _MOST_SITES:  # functions that are made in a loop are sites of their own
            _sites.clear()
        record = _sites[site] = _Site()
    record.steps += 1
    return record


def comes_again(site, structure):
    """Whether a recording with host reads is the first at its site, or has the segments of the last one there."""
    record = _sites.get(site) or opened(site)
    last, record.structure = record.structure, structure
    return last is None or last == structure


def missed(site, program, detail):
    """Counts a program that is not compiled for the ``site`` that needs it; None is a part of another's step."""
    if observation.observer is not None:
        observation.observer.needed(site, program, detail)
    if site is None:
        return
    record = _sites.get(site) or opened(site)
    record.misses += 1
    # A description for the warning, not the program itself: 10 000 sites would keep as many Programs alive.
    description = count, leaves, _ = len(program.nodes), tuple(program.leaves), detail
    # As many operations: a generation takes turns between a program for the prompt and one for each token.
    record.is_reshaped = record.leaves.get(count, leaves) != leaves
    record.leaves[count] = leaves
    if len(record.leaves) > _MOST_STRUCTURES:
        record.leaves.pop(next(iter(record.leaves)))
    # Once for each step, however many programs it needs: a step of many parts is not less steady for that.
    if record.steps > record.step:
        is_soon = record.steps - record.step <= _GAP
        record.streak = record.streak + 1 if is_soon else 0
        record.unsteady = record.unsteady + (not record.is_reshaped) if is_soon else 0
        record.step = record.steps
        record.is_varying = record.unsteady >= _UNSTEADY
        if record.streak == _PATIENCE:
            # Only when the streak reaches the limit, so that the user is warned once.
            message = _MSG_RESHAPED if record.is_reshaped else _MSG_UNSTEADY
            if not (record.is_reshaped and padded.is_allowed()):  # then programs of other sizes serve it
                difference = _difference(record.last, description)
                message = message.format(_name(site), record.misses, difference)
                warnings.warn(message, RuntimeWarning, stacklevel=stacklevel())
    record.last = description


def is_unsteady(site):
    """Whether new programs of a site run in pieces that other programs may share, since it keeps needing new ones.

    That pays where nearly every step of ``site`` had a new program, unless these differ in shapes: then the pieces
    would be new as well. A program that comes a second time is compiled as a whole, so a site whose programs begin to
    come again is as fast as any other.
    """
    record = _sites.get(site)
    return record is not None and record.is_varying and not record.is_reshaped and tiers.Tiers.compiles


_MSG_UNSTEADY = (
    "'{0}' needed {1} different programs and hardly reused any: {2}. A new one runs in pieces from now on, and is "
    "compiled when it comes again; a loop of fixed length makes it fast."
)
_MSG_RESHAPED = (
    "'{0}' needed {1} different programs and hardly reused any: {2}. Each is traced again; padding to a few shapes "
    "makes it fast."
)


def _difference(before, after):
    (count, leaves, detail), (new_count, new_leaves, new_detail) = before, after
    if count != new_count:
        return f"the number of its operations changes (from {count} to {new_count})"
    if leaves != new_leaves:
        # Those that differ, and not all of them: a network has hundreds of inputs.
        pairs = [(old, new) for old, new in itertools.zip_longest(leaves, new_leaves) if old != new]
        old, new = [errors.describe(filter(None, column)) for column in zip(*pairs[:_MOST_NAMED], strict=True)]
        return f"the shapes of its inputs change (from {old} to {new})"
    if detail != new_detail:
        return "the tensors that stay alive after it change"
    return "its operations or their constants change"


def _name(site):
    return site if isinstance(site, str) else site[0]


def site_of(fn):
    """The key under which a function is counted: its name and its code object, which its closures share."""
    return getattr(fn, "__name__", type(fn).__name__), id(getattr(fn, "__code__", fn))


def report():
    """Counts of what this process has compiled and launched so far.

    Returns:
        dict: counts by name (``"run by NumPy"``: launches that were not worth compiling), and under ``"sites"`` the
        number of programs that each name of a call site needed.
    """
    sites = {}
    for site, record in _sites.items():
        sites[_name(site)] = sites.get(_name(site), 0) + record.misses
    launches = _counts["launches"] + speculation.counts["speculative launches"]
    totals = {**executables.counts, **_counts, "launches": launches, **speculation.counts}
    return {**totals, "run by NumPy": tiers.Tiers.interpreted, "sites": sites}
