"""Plans: a jaxpr as a list of NumPy calls, if each primitive has a rule, with an estimate of the time."""

import math

import numpy as np

from .._jax_private import ClosedJaxpr, Literal, jaxprs_in_parameters, scan_lengths
from .table import ALWAYS, NotCovered, call_of, compiled_seconds_of, seconds_of

PER_CALL = 3e-6  # seconds that Python takes for one equation
_LARGEST_KNOWN = 1 << 14  # bytes of values that are computed once, and kept
_EXACT = [np.dtype(name) for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()]
_TURNS = 100  # iterations of a `while` loop: the estimate for its unknown number, and the limit
_INNER = {  # primitives that only call another jaxpr, and the parameter that it is
    "jit": "jaxpr",
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "checkpoint": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}


class NumpyPlan:
    """A jaxpr that NumPy can run; `pickled` can keep it on disk.

    Its variables are numbered: the constants first, then the arguments, then what its calls give.

    Attributes:
        seconds (float): an estimate of the time that it takes.
        compiled_seconds (float): an estimate of the time that compiled code takes.
        size (int): how many equations it has, those of inner jaxprs included.
        result_bytes (int): the size of its results.
        constant_bytes (int): the size of the constants that it keeps alive, those of inner jaxprs included.
        may_stop (bool): whether a launch may raise `NotCovered`.
    """

    def __init__(self, jaxpr, consts):
        # Callbacks and prints, which JAX orders itself.
        if jaxpr.effects:
            raise NotCovered("effects")
        numbers = {}
        for each in (*jaxpr.constvars, *jaxpr.invars):
            numbers[each] = len(numbers)
        self.consts = list(map(np.asarray, consts))
        self.calls, self.seconds, self.compiled_seconds, self.size, self.may_stop = [], 0.0, 0.0, 0, False
        self.constant_bytes = sum([each.nbytes for each in self.consts])
        # In order, once, with the operands' numbers: a launch is then a list of calls, 3 us for each and no look-up by
        # name.
        known = dict(zip(jaxpr.constvars, self.consts, strict=True))  # and what follows: positions, masks of a triangle
        for equation in _needed(jaxpr):
            call, seconds, compiled_seconds, size = planned(equation)
            # Also of what is computed here, as in the estimates at other sizes (`lengths.costs`), which know no values.
            self.seconds += seconds + PER_CALL
            self.compiled_seconds += compiled_seconds
            self.size += size
            self.may_stop |= getattr(call, "may_stop", False)
            self.constant_bytes += getattr(call, "constant_bytes", 0)
            operands = [_operand(each, numbers, known) for each in equation.invars]
            if not any([type(each) is int for each in operands]) and _is_small(equation):
                known |= zip(equation.outvars, _computed(equation, call, operands), strict=True)
                self.constant_bytes += sum([known[each].nbytes for each in equation.outvars])
                continue
            for each in equation.outvars:
                numbers[each] = len(numbers)
            results = [numbers[each] for each in equation.outvars]
            self.calls.append((call, operands, results if equation.primitive.multiple_results else results[0]))
        self.outputs = [_operand(each, numbers, known) for each in jaxpr.outvars]
        self.count = len(numbers)
        self.result_bytes = sum([math.prod(each.aval.shape) * each.aval.dtype.itemsize for each in jaxpr.outvars])

    def __call__(self, *arguments):
        """The results, as a list of NumPy arrays or scalars, some of which may be views of ``arguments``."""
        values = [*self.consts, *arguments]
        values += [None] * (self.count - len(values))
        for call, operands, results in self.calls:
            out = call(*[values[each] if type(each) is int else each for each in operands])
            if type(results) is int:
                values[results] = out
            else:
                for number, value in zip(results, out, strict=True):
                    values[number] = value
        # A constant as a copy, for what is returned may be written over (`donation`).
        return [values[each] if type(each) is int else each.copy() for each in self.outputs]


def make_plan(jaxpr):
    """The `NumpyPlan` of a ``ClosedJaxpr``, or of a ``Jaxpr`` without constants.

    Raises:
        NotCovered: if one of its primitives has no rule.
    """
    return NumpyPlan(jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, ClosedJaxpr) else NumpyPlan(jaxpr, ())


def _needed(jaxpr):
    """The equations that the results depend on, and those that always run, in order."""
    wanted = {each for each in jaxpr.outvars if not isinstance(each, Literal)}
    needed = []
    for equation in reversed(jaxpr.eqns):
        if not wanted.isdisjoint(equation.outvars) or (ALWAYS and _always_runs(equation)):
            wanted.update([each for each in equation.invars if not isinstance(each, Literal)])
            needed.append(equation)
    return needed[::-1]


def _always_runs(equation):
    return equation.primitive.name in ALWAYS or any(
        [_always_runs(inner) for jaxpr in jaxprs_in_parameters(equation.params) for inner in jaxpr.eqns]
    )


def _operand(each, numbers, known):
    """The number of a variable, or the value of a constant."""
    if isinstance(each, Literal):
        return _constant(each)
    return known[each] if each in known else numbers[each]


def _computed(equation, call, operands):
    with np.errstate(all="ignore"):  # as at a launch
        results = call(*operands)
    return list(map(np.asarray, results if equation.primitive.multiple_results else [results]))


def _is_small(equation):
    """Whether a plan may keep the results: integers and bools, for floats depend on how subnormal ones are treated."""
    avals = [each.aval for each in equation.outvars]
    if not all([getattr(aval, "dtype", np.float32) in _EXACT for aval in avals]) or equation.effects:
        return False
    return sum([math.prod(aval.shape) * aval.dtype.itemsize for aval in avals]) <= _LARGEST_KNOWN


def _constant(literal):
    return np.asarray(literal.val, literal.aval.dtype)


def planned(equation):
    """``(function, seconds, seconds of compiled code, number of primitives)`` of an equation."""
    name, params = equation.primitive.name, equation.params
    if name in _INNER or name in _LOOPS:
        inner = make_plan(params[_INNER[name]]) if name in _INNER else _LOOPS[name](**params)
        return inner, inner.seconds, inner.compiled_seconds, inner.size
    return call_of(equation), seconds_of(equation), compiled_seconds_of(equation), 1


class _Scan:
    """``lax.scan``: a body run a fixed number of times, with carried and stacked values."""

    def __init__(self, *, jaxpr, length, reverse, **params):
        self.body, self.length, self.reverse = make_plan(jaxpr), length, reverse
        self.num_consts, self.num_carry = scan_lengths(params)
        self.stacked = [(aval.shape, aval.dtype) for aval in jaxpr.out_avals[self.num_carry :]]
        self.seconds, self.size = (self.body.seconds + 2 * PER_CALL) * length, self.body.size
        self.compiled_seconds = self.body.compiled_seconds * length
        self.may_stop, self.constant_bytes = self.body.may_stop, self.body.constant_bytes

    def __call__(self, *operands):
        starts = self.num_consts + self.num_carry
        consts, carry, rows = operands[: self.num_consts], operands[self.num_consts : starts], operands[starts:]
        stacked = []
        for turn in range(self.length)[:: -1 if self.reverse else 1]:
            results = self.body(*consts, *carry, *[array[turn] for array in rows])
            carry = results[: self.num_carry]
            stacked.append(results[self.num_carry :])
        if self.reverse:
            stacked.reverse()
        columns = zip(*stacked, strict=True) if stacked else [()] * len(self.stacked)
        return [
            *carry,
            *[
                np.stack(column) if column else np.empty((0, *shape), dtype)
                for column, (shape, dtype) in zip(columns, self.stacked, strict=True)
            ],
        ]


class _While:
    """``lax.while_loop``, of a limited number of iterations."""

    may_stop = True

    def __init__(self, *, cond_jaxpr, body_jaxpr, cond_nconsts, body_nconsts):
        self.proceed, self.body = make_plan(cond_jaxpr), make_plan(body_jaxpr)
        self.cond_nconsts, self.body_nconsts = cond_nconsts, body_nconsts
        self.seconds = (self.proceed.seconds + self.body.seconds) * _TURNS
        self.compiled_seconds = (self.proceed.compiled_seconds + self.body.compiled_seconds) * _TURNS
        self.size = self.proceed.size + self.body.size
        self.constant_bytes = self.proceed.constant_bytes + self.body.constant_bytes

    def __call__(self, *operands):
        starts = self.cond_nconsts + self.body_nconsts
        outer, inner, carry = operands[: self.cond_nconsts], operands[self.cond_nconsts : starts], operands[starts:]
        turns = 0
        while (wanted := self.proceed(*outer, *carry)[0]).any():
            turns += 1
            if turns > _TURNS:
                raise NotCovered(f"a loop of more than {_TURNS} turns")
            results = self.body(*inner, *carry)
            # Under `vmap` all rows go on until the last one ends; what has ended keeps its value.
            carry = results if wanted.all() else [_where(wanted, *each) for each in zip(results, carry, strict=True)]
        return carry


def _where(wanted, new, old):
    """Under ``vmap``: ``new`` for the rows of a loop that go on, ``old`` for those that have ended."""
    return np.where(np.reshape(wanted, (*np.shape(wanted), *[1] * (np.ndim(old) - np.ndim(wanted)))), new, old)


class _Cond:
    """``lax.cond`` and ``lax.switch``: one of several branches."""

    def __init__(self, *, branches, **_):
        self.branches = list(map(make_plan, branches))
        self.seconds = max(plan.seconds for plan in self.branches)
        self.compiled_seconds = max(plan.compiled_seconds for plan in self.branches)
        self.size = sum(plan.size for plan in self.branches)
        self.may_stop = any(plan.may_stop for plan in self.branches)
        self.constant_bytes = sum(plan.constant_bytes for plan in self.branches)

    def __call__(self, index, *operands):
        # XLA clips the index to the branches.
        return self.branches[min(max(int(index), 0), len(self.branches) - 1)](*operands)


_LOOPS = {"scan": _Scan, "while": _While, "cond": _Cond}
