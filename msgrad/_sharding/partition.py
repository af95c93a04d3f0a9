"""`Partition`: how one program is sharded over a mesh; calls of Cells and Primitives use it.

Inputs (Parameters, optimizer slots, arguments) are moved to their sharding, intermediate values get sharding
constraints, and XLA does the rest.
"""

import contextlib
import dataclasses
import gc
import math
import re
import threading
from typing import Any

import numpy as np
from jax.sharding import NamedSharding, PartitionSpec

from .. import _upcalls
from .._names.on_demand import OnDemand
from ..engine.calls import staging
from ..engine.collectives import global_programs
from ..engine.collectives.groups import everyone
from ..engine.execution.donation import lend
from ..engine.handle import Handle, scope
from ..engine.processes import guard
from ..engine.processes.global_arrays import joined
from ..engine.random import default_generator
from ..engine.recording.results import wrap
from ..engine.recording.sharding import Active, constrain, fits, is_joint, join, lay_out, parts_of, placed
from ..engine.refusal import refuse
from ..tensor.parameter import Parameter
from . import operator_axes, strategy

_WHOLE = PartitionSpec()
_STRATEGY_FILES = OnDemand("msgrad._sharding", {".train.strategy_saving": "read_strategy_file write_strategy_file"})
_KIB = 1024


@dataclasses.dataclass(frozen=True)
class OptimizerSharding:
    """Further sharding of Parameters and slots along their first axis (ZeRO), beyond their strategy.

    Attributes:
        size (int): the largest number of shards; -1: as many as there are replicas.
        least_kib (int): the smallest size in KiB of a Parameter that is sharded.
        cuts_parameters (bool): whether Parameters are sharded, and not only the optimizer's slots.
    """

    size: int = -1
    least_kib: int = 0
    cuts_parameters: bool = True


class OperatorFile:
    """The file to which a network's operator strategies are written, or whose strategies it follows, at its first call.

    Attributes:
        mode, path (str): ``'SAVE'`` or ``'LOAD'``, and the file; '' for none.
        of_program (OperatorFile): that of `set_op_strategy_config`.
    """

    of_program: Any = None

    def __init__(self):
        self.mode = self.path = ""

    def set(self, mode, path):
        """Writes or follows this file from the next call on."""
        self.mode, self.path = mode, path

    def serve(self, mode, network):
        """Writes or follows the file, once, if that is what is set."""
        if self.mode == mode:
            self.mode = ""
            serve = _upcalls.save_operator_strategies if mode == "SAVE" else _upcalls.load_operator_strategies
            serve(network, self.path)


OperatorFile.of_program = OperatorFile()


class Partition:
    """A mesh, and how values are sharded over it.

    Args:
        mesh (jax.sharding.Mesh): the devices.
        rules (list of tuple): each a regular expression and the PartitionSpec of the Parameters whose names match it;
            the first match counts, and a Parameter without a match is replicated. Default: none.
        batch (function | None): takes the position and the shape of an argument of the outermost Cell, and returns its
            PartitionSpec; over several processes the shape is that of a process's part. Default: ``None``, arguments
            are replicated.
        optimizer (OptimizerSharding | None): how the optimizer is sharded. Default: ``None``, it is not.
        stages (int): the pipeline stages, all of which every device computes. Default: ``1``.
        save_file, load_file (str): strategy files, to write after the first call and to follow. Default: none.
        saves_all (bool): whether Parameters that are not trained are in the file, too. Default: ``False``.
        operators (OperatorFile): for the operators' strategies. Default: none.
    """

    optimizer: Any
    batch: Any

    def __init__(
        self,
        mesh,
        rules=(),
        batch=None,
        optimizer=None,
        stages=1,
        save_file="",
        load_file="",
        saves_all=False,
        operators=None,
    ):
        self.mesh = mesh
        self.is_global = not self.sharding(_WHOLE).is_fully_addressable
        self._is_begun = not self.is_global
        self.devices = mesh.size // stages  # devices that one strategy may use
        if load_file:
            loaded = _STRATEGY_FILES.get("read_strategy_file")(self, load_file)
            rules = [*rules, *[(f"^{re.escape(name)}$", spec) for name, spec in loaded.items()]]
        self.rules = [(re.compile(pattern), spec) for pattern, spec in rules]
        self.save_file, self.saves_all = save_file, saves_all
        self.batch = batch
        self.optimizer = optimizer
        self.operators = operators or OperatorFile()
        self._thread = threading.local()
        self._lowered = {}

    # -- calls of Cells ---------------------------------------------------------------------------------------------

    @property
    def is_entered(self):
        """Whether this thread is inside a sharded call already."""
        return getattr(self._thread, "cell", None) is not None

    @contextlib.contextmanager
    def entered(self, cell):
        """Places the Parameters of the outermost Cell while its call runs."""
        self._thread.cell = cell
        # A value that only a reference cycle holds is a result of its program until Python collects garbage, which
        # happens at another moment in each process: their programs would differ.
        postpones = self.is_global and gc.isenabled()
        if postpones:
            gc.disable()
        try:
            if not self._is_begun:
                self._begin()
            self.operators.serve("LOAD", cell)
            self.place(cell.get_parameters())
            yield
            self.operators.serve("SAVE", cell)
            if self.save_file:
                self._save(cell)
        finally:
            self._thread.cell = None
            if postpones:
                gc.enable()

    def _begin(self):
        """Prepares this process for programs of all of them: they draw the same random numbers, the first one's."""
        global_programs.use()
        state = default_generator.get_state().tobytes().hex()
        first = guard.exchanged(everyone(), "the comparison of seeds", state)[0]
        if first != state:
            default_generator.set_state(np.frombuffer(bytes.fromhex(first), np.uint8))
        self._is_begun = True

    def call(self, cell, args, kwargs):
        """Calls a Cell, the outermost one."""
        with self.entered(cell):
            args = self.arranged(args)
            kwargs = dict(zip(kwargs, self.arranged(kwargs.values(), len(args)), strict=True))
            return cell(*args, **kwargs)

    def _save(self, cell):
        """Writes the strategy file, once."""
        members = {each.name: each for each in cell.get_parameters()}
        specs = {
            name: (each.shape, *self._specs_of(each, members.get(name.partition(".")[2])))
            for name, each in members.items()
            if self.saves_all or each.requires_grad
        }
        _STRATEGY_FILES.get("write_strategy_file")(self.mesh, specs, self.save_file)
        self.save_file = ""

    def arranged(self, values, start=0):
        """Arguments from position ``start`` on, as a tuple; Tensors among them are sharded as the batch is."""
        if self.batch is None:
            return tuple(values)
        return tuple([self._arrange(value, start + k) for k, value in enumerate(values)])

    def _arrange(self, value, position):
        if not isinstance(value, Handle) or isinstance(value, Parameter):
            return value
        if self.is_global:
            return self._join(value, position)
        sharding = self.sharding(self.batch(position, value.aval[0]))
        if scope.trace is not None:
            return constrain(value, sharding)
        return wrap(placed(value._array_(), sharding))

    def _join(self, value, position):
        """An argument of which each process has a part, as a whole; what all processes have computed is whole."""
        if is_joint(value._state_()):
            return value
        sharding = self.sharding(self.batch(position, value.aval[0]))
        if scope.trace is None:
            return wrap(lend(joined(value._array_(), sharding)))
        return value if sharding.is_fully_replicated else join(value, sharding)

    def sharding(self, spec):
        """The NamedSharding of a PartitionSpec."""
        return NamedSharding(self.mesh, spec)

    # -- Parameters -------------------------------------------------------------------------------------------------

    def place(self, parameters):
        """Moves Parameters to their sharding if they are not there yet; slots are moved with their Parameter."""
        members = {each.name: each for each in parameters}
        moving, shardings = [], []
        for name, member in members.items():
            owner = members.get(name.partition(".")[2])
            sharding = self._sharding_of(member, owner)
            if sharding != member._sharding:
                if member._sharding is not None:
                    staging.invalidate()  # recorded updates would keep the old sharding
                moving.append(member)
                shardings.append(sharding)
        if moving:
            lay_out(moving, shardings)

    def _sharding_of(self, member, owner):
        """The NamedSharding of a Parameter, or of the slot of the Parameter ``owner``."""
        spec = self._spec_without_optimizer(member, owner)
        is_slot = _is_slot(member, owner)
        if self.optimizer is not None and getattr(owner if is_slot else member, "parallel_optimizer", True):
            if is_slot or (self.optimizer.cuts_parameters and owner is None):
                spec = self._cut_further(member, spec)
        return self.sharding(spec)

    def _spec_without_optimizer(self, member, owner):
        is_slot = _is_slot(member, owner)
        spec = self._spec_by_name(member, owner)
        if spec is None and is_slot:
            spec = self._spec_by_name(owner, None)
        return self._spec_said_of(owner if is_slot else member) if spec is None else spec

    def _specs_of(self, member, owner):
        """The PartitionSpec of a Parameter, and the number of shards of each shard, by the optimizer."""
        spec = self._spec_without_optimizer(member, owner)
        actual, own = [
            math.prod([parts_of(axes, self.mesh.shape) for axes in each]) for each in (member._sharding.spec, spec)
        ]
        return spec, actual // own

    def _spec_said_of(self, member):
        """The PartitionSpec of a Parameter by its ``parameter_plan``, or else by the first operation that takes it."""
        attributes = vars(member)
        if "_plan" in attributes:
            return self.spec_of(attributes["_plan"], member.aval[0], "shard")
        mesh, spec = attributes.get("_first_use", (None, None))
        return spec if mesh == self.mesh else _WHOLE

    def _spec_by_name(self, member, owner):
        """The PartitionSpec of the first rule whose expression is in the name; None if there is none."""
        spec = next((spec for pattern, spec in self.rules if pattern.search(member.name)), None)
        if spec is None or fits(member, self.sharding(spec)):
            return spec
        if owner is not None:  # a slot whose shape is not its Parameter's
            return _WHOLE
        parts = [parts_of(axes, self.mesh.shape) for axes in spec]
        expected = f"a Tensor whose axes its rule can cut into {parts} parts"
        return refuse(ValueError, "sharding", f"Parameter {member.name}", expected, member.aval[0])

    def _cut_further(self, member, spec):
        """``spec`` with the first axis also sharded over the unused mesh axes, so that no device holds a replica."""
        shape, dtype = member.aval
        if not shape or math.prod(shape) * dtype.itemsize < self.optimizer.least_kib * _KIB:
            return spec
        items = [*spec, *[None] * (len(shape) - len(spec))]
        used = [name for axes in items for name in ((axes,) if isinstance(axes, str) else axes or ())]
        first = (items[0],) if isinstance(items[0], str) else tuple(items[0] or ())
        copies = self.mesh.size // math.prod([self.mesh.shape[name] for name in used])
        size = copies if self.optimizer.size == -1 else min(self.optimizer.size, copies)
        axes_left = self._last_axes(size, used)
        if size == 1 or axes_left is None or shape[0] % (size * parts_of(first, self.mesh.shape)):
            return spec
        axes = (*first, *axes_left)
        return PartitionSpec(axes[0] if len(axes) == 1 else axes, *items[1:])

    def _last_axes(self, size, used):
        """The last unused mesh axes with ``size`` devices, as MindSpore chooses them; None if there are none."""
        free = [name for name in self.mesh.axis_names if name not in used]
        for start in range(len(free) + 1):
            if parts_of(tuple(free[start:]), self.mesh.shape) == size:
                return free[start:]
        return None

    def choose(self, parameter, spec):
        """Shards a Parameter, and its slots, by the strategy of the first operation that takes it.

        A rule that matches its name takes precedence.
        """
        if vars(parameter).get("_first_use", (None,))[0] == self.mesh:
            return
        parameter._first_use = self.mesh, spec
        cell = getattr(self._thread, "cell", None)
        self.place([parameter] if cell is None else cell.get_parameters())

    # -- Primitives and functions -----------------------------------------------------------------------------------

    def computed(self, primitive, compute, args):
        """The result of a Primitive with a strategy, by which its Tensors are sharded."""
        takes_numbers = operator_axes.takes_numbers(primitive)
        tensors, arguments = operands(args, takes_numbers)
        strategies = primitive.partition_strategy
        tensors, axes = (tensors, []) if takes_numbers else _without_axes(tensors, len(strategies[0]))
        arguments += [int(each._array_()) for each in axes]
        shapes = tuple([each.aval[0] if isinstance(each, Handle) else () for each in tensors])
        key = primitive.name, repr(primitive), strategies, shapes, repr(arguments)
        if key not in self._lowered:
            in_strategy, out_strategy = strategies
            numbers = [item for item in in_strategy if item != ()] if len(in_strategy) > len(shapes) else in_strategy
            specs, out_spec = strategy.lowered(primitive, list(shapes), numbers, out_strategy, self, arguments)
            of_tensors = [spec for spec, each in zip(specs, tensors, strict=True) if isinstance(each, Handle)]
            self._lowered[key] = [*of_tensors, *[_WHOLE] * len(axes)], out_spec
        specs, out_spec = self._lowered[key]
        shardings = map(self.sharding, specs)
        result = compute(*[self._constrained(value, shardings) for value in args])
        if out_spec is not None:
            result = constrain(result, self.sharding(out_spec))
        return result

    def _constrained(self, value, shardings):
        if isinstance(value, (tuple, list)):
            return type(value)([self._constrained(item, shardings) for item in value])
        if not isinstance(value, Handle):
            return value
        sharding = next(shardings)
        if isinstance(value, Parameter):
            self.choose(value, sharding.spec)
        return constrain(value, sharding)

    def called(self, fn, args, kwargs, in_strategy, out_strategy, owner):
        """The result of ``fn``; Tensors and results are sharded by tuples of ints or of Layouts."""
        results = fn(*self.laid_out(args, in_strategy, owner), **kwargs)
        if not out_strategy:
            return results
        is_single = isinstance(results, Handle)
        sharded = self.laid_out((results,) if is_single else results, out_strategy, owner)
        return sharded[0] if is_single else type(results)(sharded)

    def laid_out(self, values, strategies, owner):
        """A list of ``values``, in which each Tensor is sharded by its strategy.

        Raises:
            RuntimeError: if there are not as many strategies as Tensors, or one does not fit.
        """
        tensors = [value for value in values if isinstance(value, Handle)]
        if len(tensors) != len(strategies):
            expected = f"one for each of {len(tensors)} Tensors"
            refuse(RuntimeError, owner, "strategy", expected, strategies)
        rows = iter(strategies)
        return [self._by(value, next(rows), owner) if isinstance(value, Handle) else value for value in values]

    def _by(self, tensor, cuts, owner):
        spec = self.spec_of(cuts, tensor.aval[0], owner)
        if isinstance(tensor, Parameter):
            self.choose(tensor, spec)
        return constrain(tensor, self.sharding(spec))

    def spec_of(self, cuts, shape, owner):
        """The PartitionSpec of a tuple of ints or a Layout, for a Tensor of this shape."""
        if isinstance(cuts, tuple):
            return strategy.of_cuts(cuts, shape, self, owner)
        return strategy.of_layout(cuts, shape, self, owner)


def _without_axes(tensors, count):
    """Splits operands at ``count`` if the others have no axes: those are an axis, and have no item in a strategy."""
    others = tensors[count:]
    if count and others and all(isinstance(each, Handle) and each.aval[0] == () for each in others):
        return tensors[:count], others
    return tensors, []


def _is_slot(member, owner):
    return owner is not None and owner.aval[0] == member.aval[0]


def operands(args, takes_numbers):
    """The operands among the arguments of a call, including those in sequences, and a list of the others.

    Args:
        args (sequence): the arguments.
        takes_numbers (bool): whether Python numbers are operands, too.
    """
    tensors, others = [], []
    for value in args:
        if isinstance(value, Handle) or (takes_numbers and isinstance(value, (int, float))):
            tensors.append(value)
        elif isinstance(value, (tuple, list)) and any(isinstance(item, Handle) for item in value):
            tensors.extend(operands(value, takes_numbers)[0])
        else:
            others.append(value)
    return tensors, others


def activate(partition):
    """Shards every program by ``partition`` from now on; None: one device. Staged calls are recorded again."""
    if partition is not Active.partition:
        Active.partition = partition
        staging.invalidate()


@contextlib.contextmanager
def active(partition):
    """A context that shards programs by ``partition``; staged calls stay valid, so one Cell has one partition."""
    before = Active.partition
    Active.partition = partition
    try:
        yield
    finally:
        Active.partition = before
