"""Plans: what a staged call needs to run again without its Python: sources of leaves, Program, results, writes."""

import functools
import gc
import operator
import weakref
from typing import Any

import jax

from ... import _upcalls
from ..execution import donation, execute
from ..execution.executables import member_of
from ..foreign_tracing import check_writes, is_tracer
from ..handle import INDIRECT, Handle, Promise, give
from ..jax_options import Tracing, spec
from ..pytrees import items_of, like
from ..random import Draw
from ..recording.results import wrap, wrapped
from ..recording.views import Storage, sharing, with_followers
from ..references import collector_postponed

# For loops in C: a step of an optimizer has thousands of Parameters.
jax_aval_of, _view_of = operator.attrgetter("_state.aval"), operator.attrgetter("_view")
_INDIRECT, _NO_VIEWS, _NONE = set(INDIRECT), {None}, type(None)
_MANY = 512  # results


def has_identity(tensor):
    """Whether a tensor argument is identified by the object (a Parameter), not only by its shape and dtype."""
    return type(tensor) is not _upcalls.Result


class Plan:
    """A staged call, ready to run again without its Python.

    ``fixed`` are the captured handles, arrays and Draws behind the leaves that are no arguments; ``result`` says how
    the returned value is made of the computed ones; ``effects`` are the handles that get values, ``argument_writes``
    the positions of the arguments that do, and ``replaced`` the leaves that such values are written over. ``shared``
    says which of its handles share storage, as the Program is made for that; ``guards`` are the values from outside
    that Python read. ``arguments`` are the numbers of the arguments, by the ids of the handles that stood for them, of
    a call whose recordings have run before (`repeating`): its Program is compiled as they need it.
    """

    trace: Any

    def __init__(self, trace, tensors, result, guards, arguments):
        # First of all: the lists made below refer to Promises, too, and `live` counts references.
        live = trace.live()
        self.wanted = [promise.index for promise in live]
        self.trace, self.guards, self.renewals = trace, guards, guards.renewals
        self.is_repeated = bool(arguments)
        self.result = self._template(result)
        self._find_effects(tensors, live)
        self._order_leaves(tensors, arguments)
        self.captured_avals, self.latest_avals = [handle.aval for handle in self.captured], []
        self.argument_count = len(tensors)
        self.identities = [(k, weakref.ref(tensor)) for k, tensor in enumerate(tensors) if has_identity(tensor)]
        # An argument that is written to changes those that are the same Tensor, so calls must agree in which are.
        self.pattern = _pattern(tensors) if self.argument_writes else None
        self.changes, self.shared = Storage.changes, sharing(self._handles())
        self.is_static = any(not isinstance(item, Handle) or isinstance(item, Draw) for item in self.fixed)
        self.made = _maker(self.result)
        self.program, self.site = trace.step.close(), trace.site
        self.overwriting, self.replaced = self._overwriting(tensors)
        self.fn = self._compiled() if self.overwriting is None else None
        # The recording is not needed any more, and would keep every value of it.
        self.trace = None
        self.loops = {}  # the `looping.Repeated` that run it many times in one launch, by how many times
        self.fits_loops = None  # whether its Program may be the body of a loop; None until `looping` asks

    def _find_effects(self, tensors, live):
        """Sets ``effects`` and ``argument_writes``: the handles that a run gives values, those of ``live`` included."""
        trace = self.trace
        # Weakly: of 256 Plans, none must keep a Tensor that the user has dropped. Its new value is then not given out.
        self.effects, self.argument_writes = [], []
        positions = {id(tensor): k for k, tensor in enumerate(tensors) if not has_identity(tensor)}
        for handle, _ in trace.writes.values():
            if type(handle._state_()) is Promise:
                output = self._output_of(handle._state_())
                if id(handle) in positions:
                    self.argument_writes.append((positions[id(handle)], output))
                else:
                    self.effects.append((weakref.ref(handle), output))
        accounted = {output for _, output in (*self.effects, *self.argument_writes)} | set(_outputs_in(self.result))
        left = [(promise, output) for output, promise in enumerate(live) if output not in accounted]
        stand_ins, others = _outliving_inputs(trace)
        left += [(promise, self._output_of(promise)) for promise in others]
        holders = [*_holders(left), *[(handle, self._output_of(handle._state_())) for handle in stand_ins]]
        self.effects += [(weakref.ref(handle), output) for handle, output in holders]

    def _order_leaves(self, tensors, arguments):
        """Sets ``fixed``, ``captured`` and ``order``: the values of the leaves, among arguments and captured ones."""
        trace = self.trace
        places = {position: arguments.get(id(handle)) for position, handle in enumerate(trace.leaf_handles)}
        arguments = {position: number for position, number in places.items() if number is not None}
        arguments |= {~promise.index: k for k, promise in enumerate(trace.inputs)}
        fixed = [position for position in range(len(trace.leaf_states)) if position not in arguments]
        self.fixed = [trace.leaf_states[i] if trace.leaf_handles[i] is None else trace.leaf_handles[i] for i in fixed]
        captured = [item for item in self.fixed if isinstance(item, Handle) and not isinstance(item, Draw)]
        self.captured = captured if self.is_repeated else []
        order = {**arguments, **{position: len(tensors) + k for k, position in enumerate(fixed)}}
        self.order = tuple([order[position] for position in range(len(trace.leaf_states))])

    def is_for(self, tensors):
        """Whether Parameters, values that Python read and shared storage are still those of the recording."""
        if not self.guards.hold() or self.renewals != self.guards.renewals:
            return False
        if self.changes != Storage.changes:
            if self.shared != sharing(self._handles()):
                return False
            self.changes = Storage.changes
        if self.pattern is not None and self.pattern != _pattern(tensors):
            return False
        # Their ids are in the Plan's key, and the id of an object that is gone may be another's by now.
        return all([reference() is tensors[k] for k, reference in self.identities])

    def fits(self):
        """Whether the captured handles of a repeated call have the shapes and dtypes that they had."""
        # By identity, in C: an executable gives all results of an output the same aval of JAX's.
        avals = [*map(jax_aval_of, self.captured)]
        if len(avals) != len(self.latest_avals) or not all(map(operator.is_, avals, self.latest_avals)):
            if [handle.aval for handle in self.captured] != self.captured_avals:
                return False
            self.latest_avals = avals
        return True

    def _handles(self):
        effects = [reference() for reference, _ in self.effects]
        handles = [item for item in (*self.fixed, *effects) if isinstance(item, Handle)]
        return list({id(handle): handle for handle in handles}.values())

    def has_tracers(self):
        """Whether it holds JAX tracers, which become invalid when the surrounding trace ends."""
        return any(is_tracer(item._own_state_() if isinstance(item, Handle) else item) for item in self.fixed)

    def cost(self):
        """XLA's cost analysis of a run, by name (dict): ``"flops"``, ``"bytes accessed"`` and others."""
        specs = [spec(shape, dtype) for shape, dtype in self.program.leaves]
        with Tracing():
            return jax.jit(lambda leaves: self.program.replay(leaves, self.wanted)).lower(specs).cost_analysis()

    def _compiled(self):
        program, order, wanted = self.program, self.order, self.wanted
        if self.is_repeated:
            indices, site = tuple(wanted), self.site
            return lambda values: execute.run(program, indices, [values[k] for k in order], site)
        key = order, tuple(wanted)
        # Keyed by the Program, not by the call: two functions with one Program are compiled once.
        fn = program.plans.get(key)
        if fn is None:
            if program.is_large():
                run = execute.in_pieces(program, wanted, execute.LARGE_PIECE)
                fn = lambda values: run([values[k] for k in order])  # noqa: E731
            else:
                replay = lambda values: program.replay([values[k] for k in order], wanted)  # noqa: E731
                fn = execute.compiled(replay, self.site, program, wanted, (program, *key))
            program.plans[key] = fn
        return fn

    def member(self):
        """Its Program as a member of a family, a `padded.Member`; None if it is of none, or runs in pieces."""
        avals = [spec(*leaf) for leaf in self.program.leaves]
        if self.overwriting is not None:
            return self.overwriting.member(avals)
        if len(avals) != self.argument_count + len(self.fixed):  # a Parameter that is two of the arguments
            return None
        values = [aval for _, aval in sorted(zip(self.order, avals, strict=True), key=lambda pair: pair[0])]
        return member_of(self.fn, (values,))

    def _overwriting(self, tensors):
        """The launcher that donates old values of written handles, and the pairs of leaf and argument."""
        aliases = donation.replaced(self.program, self.wanted, self.writes(tensors))
        overwriting = donation.overwriting(self.program, self.wanted, aliases, self.site)
        return overwriting, [(position, self.order[position]) for position in aliases]

    def writes(self, tensors):
        """Pairs ``(leaf, position in wanted)`` for each leaf whose handle is written."""
        written = {k for k, _ in self.argument_writes}
        arguments = [tensor if has_identity(tensor) or k in written else None for k, tensor in enumerate(tensors)]
        sources = [*arguments, *self.fixed]
        positions = {id(sources[k]): position for position, k in enumerate(self.order)}
        effects = [(id(reference()), output) for reference, output in self.effects if reference() is not None]
        effects += [(id(tensors[k]), output) for k, output in self.argument_writes]
        return [(positions[key], output) for key, output in effects if key in positions]

    def _output_of(self, state):
        """The position of the value with this state among the outputs of a run; it may be a leaf."""
        if state.index >= 0:
            return self.wanted.index(state.index)
        if state.index not in self.wanted:
            self.wanted.append(state.index)
        return self.wanted.index(state.index)

    def _template(self, value):
        if isinstance(value, Handle):
            source = value._source
            if source is not None:
                return _Derived(type(value), source.like([self._template(part) for part in source.items()]))
            state = value._state_()
            if type(state) is Promise and state.trace is self.trace:
                return _Value(self._output_of(state))
            # A Tensor from elsewhere, and an object with an identity (a Parameter), comes back as its value.
            index = self.trace.place(value)
            self.wanted.append(index)
            return _Value(len(self.wanted) - 1)
        if self.guards.has(value):
            return _Same(value)  # the user's list itself, as in MindSpore
        if isinstance(value, (tuple, list)):
            items = [self._template(item) for item in value]
            if hasattr(value, "_fields"):
                return type(value)(*items)
            return items if isinstance(value, list) else tuple(items)  # other subclasses do not leave a graph
        if isinstance(value, dict):
            return like(value, [self._template(item) for item in value.values()])
        return value

    def __call__(self, tensors):
        if len(self.wanted) < _MANY:
            return self._run(tensors)
        # Each 700 arrays that are made let Python look for garbage: a third of a step of 10 000 Parameters, whose old
        # arrays go as the new ones come.
        with collector_postponed():
            return self._run(tensors)

    def _run(self, tensors):
        values = self._gathered(tensors)
        publish = functools.partial(self._publish, tensors)
        # Tracers cannot be written over; only for them a Plan that donates needs the function without donation.
        if self.overwriting is None or donation.is_traced(values):
            self.fn = self.fn or self._compiled()
            results = self.fn(values) if self.is_repeated else execute.launch_plan(self.fn, values)
            publish(results)
        else:
            sources = [*tensors, *self.fixed]
            handles = {position: sources[k] for position, k in self.replaced}
            results = self.overwriting([values[k] for k in self.order], handles, publish, held=1)
        return self.made(results)

    def _gathered(self, tensors):
        """The arrays of the leaves: arguments and constants."""
        fixed = (
            [item.key() if isinstance(item, Draw) else item for item in self.fixed] if self.is_static else self.fixed
        )
        return self._arrays(tensors, fixed)

    def _arrays(self, tensors, fixed):
        # The slot itself: 20 leaves take 0.2 us, by `Handle._array_` 12; an `isinstance` for each would double the 0.2.
        sources = [*tensors, *fixed]
        if self.is_static:
            values = [item._state if isinstance(item, Handle) else item for item in sources]
        else:
            values = [handle._state for handle in sources]
        if not _INDIRECT.isdisjoint(map(type, values)):
            for k, state in enumerate(values):
                if type(state) in _INDIRECT:
                    values[k] = sources[k]._array_(is_cropped=False)
        return values

    def _publish(self, tensors, results):
        """Writes new values to the handles that the call writes to, and to the views of their storage."""
        handles = [tensors[k] for k, _ in self.argument_writes]
        states = [results[output] for _, output in self.argument_writes]
        handles += [reference() for reference, _ in self.effects]
        states += [results[output] for _, output in self.effects]
        if _NONE in map(type, handles):
            kept = [position for position, handle in enumerate(handles) if handle is not None]
            handles, states = [handles[position] for position in kept], [states[position] for position in kept]
        if not handles:
            return
        check_writes(handles, results)
        if not _NO_VIEWS.issuperset(map(_view_of, handles)):
            handles, states = with_followers(handles, states)
        give(handles, states)


def _pattern(tensors):
    """The position of the first occurrence of each of the Tensors, by identity."""
    first = {}
    return [first.setdefault(id(tensor), k) for k, tensor in enumerate(tensors)]


class _Value:
    """Placeholder of a Tensor in a Plan's result: the position of its value among the outputs of a run."""

    __slots__ = ("output",)

    def __init__(self, output):
        self.output = output


class _Same:
    """Placeholder of an object in a Plan's result that each call returns as it is."""

    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


class _Derived:
    """Placeholder of a Tensor with a ``_source`` in a Plan's result: its class, and placeholders of its parts."""

    __slots__ = ("cls", "source")

    def __init__(self, cls, source):
        self.cls, self.source = cls, source


def _outputs_in(template):
    if type(template) is _Value:
        yield template.output
    elif type(template) is _Derived:
        yield from _outputs_in(template.source.items())
    elif isinstance(template, (tuple, list)):
        for item in template:
            yield from _outputs_in(item)
    elif isinstance(template, dict):
        for item in template.values():
            yield from _outputs_in(item)


def position_of_first(template):
    """The position, among the outputs of a run, of the Tensor that is a Plan's result or begins it, or None."""
    first = next(iter(template), None) if isinstance(template, (tuple, list)) else template
    return first.output if type(first) is _Value else None


_CONSTANTS = {bool, int, float, str, type(None)}


def _maker(template):
    """A function that builds a call's result from the list of computed arrays, as ``template`` says."""
    if type(template) is _Value:
        output = template.output
        return lambda results: wrap(results[output])
    if type(template) is _Same:
        same = template.value
        return lambda results: same
    if type(template) is _Derived:
        make, of = _maker(template.source), template.cls.of
        return lambda results: of(make(results))
    items = items_of(template)
    if items is None or type(template) is tuple and _CONSTANTS.issuperset(map(type, items)):
        return lambda results: template
    if all([type(item) is _Value for item in items]):
        outputs = [item.output for item in items]
        return lambda results: like(template, wrapped([results[output] for output in outputs]))
    makers = list(map(_maker, items))
    return lambda results: like(template, [make(results) for make in makers])


def _outliving_inputs(trace):
    """The inputs that outlive the call: stand-ins for arguments, and Promises that other Promises refer to."""
    references: list[Any] = [weakref.ref(stand_in) for stand_in, _ in trace.callers.values()]
    trace.callers = {}
    stand_ins = [reference() for reference in references if reference() is not None]
    positions = {id(promise): k for k, promise in enumerate(trace.inputs)}
    held = [(stand_in, positions[id(stand_in._state)]) for stand_in in stand_ins if id(stand_in._state) in positions]
    for stand_in, _ in held:
        stand_in._state = None  # so that `live` counts the other references alone
    others = trace.live(trace.inputs)
    for stand_in, position in held:
        stand_in._state = trace.inputs[position]
    return [stand_in for stand_in, _ in held], others


def _holders(promises):
    """The handles that a call left behind in attributes, lists and closures.

    A value that a transformed part of the call made is held through the Promise of that part.

    Args:
        promises (list of tuple): Promises of such values, each with its position among the results.
    Returns:
        list of tuple: handles, each with the position of its value.
    """
    holders = []
    # A Promise does not know its handles: each recorded value would pay for that. So Python's garbage collector finds
    # them by a scan of all objects, once for all values of a signature.
    while promises:
        outputs = {id(promise): output for promise, output in promises}
        owners = gc.get_referrers(*[promise for promise, _ in promises])
        promises = []
        for owner in owners:
            if isinstance(owner, Handle) and id(owner._state) in outputs:
                holders.append((owner, outputs[id(owner._state)]))
            elif type(owner) is Promise and id(owner.value) in outputs:
                promises.append((owner, outputs[id(owner.value)]))
    return holders
