"""The observer that stands between the engine and the device: nothing large is run, everything is noted."""

import collections
import math
from typing import Any

import jax

from ...engine._jax_private import jaxprs_inside
from ...engine.execution.op_traces import trace_of
from ...engine.execution.operation import Operation
from ...engine.handle import size_of
from ...engine.jax_options import Launching
from ...engine.observation import Observer
from ...engine.user_code import place
from .counting import Counting
from .holders import Holders
from .placeholders import Placeholders

# What the host computes for real, from values that it has: data, masks, positions, learning rates.
MOST_REAL_BYTES, MOST_REAL_OPERATIONS = 1 << 24, 1e8
_MSG_HOST = "{} runs on the host, with the user's Python in it"


class Planned:
    """A program that would be launched.

    Attributes:
        site (tuple | str | None): the call that needs it.
        line (str): the user's line that launched it first.
        kind (str): ``"call"``, or the transform.
        program (Program): what was recorded.
        detail: which results, or the transform.
        executable (Executable): what would compile it.
        specs: the abstract arguments, once it was launched.
        jaxpr (ClosedJaxpr), tree: the traced function, and the structure of its results.
        leaves (list): for each flat argument what it is and its name (`holders`), at the last launch.
        counting (Counting): its operations.
        launches (int): how often it was launched.
        others (Counter): the bytes that other arrays of the device had at the last launch, by what they are and by the
            line whose program gave them.
        most_others (int): the most that they had at a launch: the first may be one that copies what it overwrites.
        group (Group): whose processes run it, each on its chip, and exchange values in it; None without any.
        chips (int): over how many it is partitioned, or its processes are.
        parts (int): into how many parts its operations and arrays are divided.
    """

    compiled = None  # for the engine: launches are never those of an earlier call's

    def __init__(self, planner, site, program, detail, replay, executable):
        self.planner, self.site, self.program, self.detail = planner, site, program, detail
        self.executable, self.line = executable, place()
        self.kind = getattr(getattr(getattr(replay, "__wrapped__", replay), "__self__", None), "name", "call")
        self.specs = self.jaxpr = self.tree = self.counting = None
        self.group = getattr(executable, "group", None)
        self.chips, self.parts, self.most_others = 1, 1, 0
        self.leaves, self.launches, self.others, self.is_update, self.is_real = (
            [],
            0,
            collections.Counter(),
            False,
            False,
        )

    @property
    def name(self):
        """The name of the call."""
        name = self.site[0] if isinstance(self.site, tuple) else self.site
        return name or "a part of a step"

    def ready(self):
        """What is called in its place."""
        return self

    def __call__(self, *operands):
        return self.planner.launched(self, operands)


class Planner(Observer):
    """Notes what would be launched, and gives placeholders for the results.

    Args:
        place (Place): where.
        calls (Calls): the Cells that are being called.
        ending (Ending): when the script ends.
    """

    def __init__(self, place, calls, ending):
        self.target, self.chips, self.calls, self.ending = place.target, place.chips, calls, ending
        self.placeholders, self.holders = Placeholders(), Holders()
        self.programs, self.sequence = [], []  # the programs, and their launches in order
        self.singles, self.reads = {}, collections.Counter()
        self.host_calls = collections.Counter()
        self._needed: Any = None

    # -- programs ---------------------------------------------------------------------------------------------------

    def needed(self, site, program, detail):
        self._needed = site, program, detail

    def compiling(self, executable, replay):
        planned = Planned(self, *self._needed, replay, executable)
        self.programs.append(planned)
        return planned

    def launched(self, planned, operands):
        """The results of a program: placeholders, or real ones where it is small and all its arguments are real."""
        self.ending.check()
        leaves = jax.tree.leaves(operands)
        if planned.jaxpr is None:
            self._begin(planned, operands)
        self._note(planned, leaves)
        planned.launches += 1
        self.sequence.append(planned)
        if planned.group is None and self._is_for_real(leaves, planned.counting):
            planned.is_real = True
            return planned.executable(*operands)
        # As XLA most likely would: gradients as their Parameters, new values as old ones.
        shardings = {(leaf.shape, leaf.dtype): leaf.sharding for leaf in leaves if is_sharded(leaf)}
        results = [
            self.placeholders.make(aval.shape, aval.dtype, shardings.get((aval.shape, aval.dtype)), planned)
            for aval in planned.jaxpr.out_avals
        ]
        return jax.tree.unflatten(planned.tree, results)

    def _begin(self, planned, operands):
        self.ending.progressed()
        planned.specs = jax.tree.map(abstract, operands)
        if planned.group is None:
            planned.jaxpr, planned.tree = planned.executable.traced(operands)
            planned.chips = planned.parts = self.chips if is_partitioned(planned) else 1
        else:
            planned.jaxpr, planned.tree = planned.executable.trace(planned.specs)
            planned.chips = planned.group.size
        planned.counting = Counting(planned.jaxpr.jaxpr, self.target.platform)
        planned.is_update = bool(planned.executable.donated)
        self.holders.look()

    def _note(self, planned, leaves):
        self.holders.refresh()
        planned.leaves = [self.holders.of(leaf) for leaf in leaves]
        for leaf, (kind, _) in zip(leaves, planned.leaves, strict=True):
            maker = self.placeholders.maker_of(leaf) if kind == "parameter" else None
            if maker is not None:
                maker.is_update = True
        own, others = {id(leaf) for leaf in leaves}, collections.Counter()
        for array in jax.live_arrays():
            if id(array) not in own:
                maker = self.placeholders.maker_of(array)
                others[self.holders.of(array)[0], maker and maker.line] += part_of(array)
        planned.others, planned.most_others = others, max(planned.most_others, others.total())
        updates = max([each.launches for each in self.programs if each.is_update], default=0)
        if updates >= self.ending.steps:
            self.ending.end(f"{updates} training steps are planned")

    def _is_for_real(self, leaves, counting):
        if any(map(self.placeholders.has, leaves)):
            return False
        total = counting.total()
        return total.flops <= MOST_REAL_OPERATIONS and total.bytes <= MOST_REAL_BYTES

    # -- single operations ------------------------------------------------------------------------------------------

    def launching(self, op, static, fn, arrays):
        self.ending.check()
        if not isinstance(fn, Operation):
            self.host_calls[_MSG_HOST.format(op.name), place()] += 1
            return fn(*arrays)
        avals = tuple([(array.shape, array.dtype) for array in arrays])
        trace = trace_of(op, static, avals, fn.precision)
        is_small = sum(map(size_of, (*avals, *trace.avals))) <= MOST_REAL_BYTES
        single = self.singles.setdefault((op, static, avals), Single(op.name, place(), avals, trace.avals))
        single.launches += 1
        if is_small and op.collective is None and not any(map(self.placeholders.has, arrays)):
            return fn(*arrays)
        results = [self.placeholders.make(shape, dtype) for shape, dtype in trace.avals]
        return results[0] if trace.single else results

    # -- values -----------------------------------------------------------------------------------------------------

    def initial(self, shape, dtype):
        return self.placeholders.make(shape, dtype)

    def copying(self, array, copy, sharding=None):
        if not self.placeholders.has(array):
            return copy(array)
        maker = self.placeholders.maker_of(array)
        return self.placeholders.make(array.shape, array.dtype, sharding or array.sharding, maker)

    def fetched(self, array):
        if self.placeholders.has(array):
            line = place()
            self.reads[line] += 1
            self.ending.read(line)

    def recorded(self, node, replayed):
        if node.origin is None:  # equal recordings share their nodes
            node.origin = self.calls.origin() if replayed is None else replayed.origin


class Single:
    """An operation that is launched by itself, at some shapes.

    Attributes:
        name, line (str): of the operation, and the line that ran it first.
        bytes (int): of its operands and results.
        launches (int): how often.
    """

    def __init__(self, name, line, operands, results):
        self.name, self.line, self.launches = name, line, 0
        self.bytes = sum(map(size_of, (*operands, *results)))
        self.operations = sum([math.prod(shape) for shape, _ in results])


def abstract(array):
    """The shape and dtype of an array, for the compiler."""
    aval = getattr(array, "aval", array)
    with Launching():
        weak = bool(getattr(aval, "weak_type", False))
        sharding = array.sharding if is_sharded(array) else None
        return jax.ShapeDtypeStruct(array.shape, array.dtype, weak_type=weak, sharding=sharding)


def is_sharded(array):
    """Whether an array, or an abstract one, lies on several devices."""
    sharding = getattr(array, "sharding", None)
    return isinstance(sharding, jax.sharding.NamedSharding) and sharding.mesh.size > 1


def part_of(array):
    """The bytes of an array, or of an abstract one, on one of its devices."""
    shape = array.sharding.shard_shape(array.shape) if is_sharded(array) else array.shape
    return size_of((shape, array.dtype))


def is_partitioned(planned):
    """Whether a program is for several devices: by its arguments, or by what it says of its values."""
    return any(map(is_sharded, jax.tree.leaves(planned.specs))) or _constrains(planned.jaxpr.jaxpr)


def _constrains(jaxpr):
    names = [equation.primitive.name for equation in jaxpr.eqns]
    return "sharding_constraint" in names or any(map(_constrains, jaxprs_inside(jaxpr)))
