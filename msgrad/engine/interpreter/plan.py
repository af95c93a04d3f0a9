"""Plans: a jaxpr as a list of NumPy calls, if each primitive has a rule, with an estimate of the time."""

import math
from operator import itemgetter
from typing import Any

import numpy as np

from .._jax_private import CALLED, ClosedJaxpr, Literal, computes_anew, jaxprs_in_parameters, scan_lengths
from .kernels import Kernels, kernels_of
from .shaped import same
from .table import ALWAYS, NotCovered, call_of, compiled_seconds_of, seconds_of

PER_CALL = 3e-6  # seconds that Python takes for one equation
SHORT = 24  # calls of a plan that becomes a function (`generated`)
_LARGEST_KNOWN = 1 << 14  # bytes of values that are computed once, and kept
_LARGEST_INNER = 1 << 18  # bytes of the values of an inner jaxpr that becomes a part of the plan around it
_EXACT = [np.dtype(name) for name in "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()]
_TURNS = 100  # iterations of a `while` loop: the estimate for its unknown number, and the limit
# Seconds of a gradient that computes values anew, as those of convolutions do, above which NumPy does not run it: the
# first step of MobileNetV2 took 15 by NumPy, and the next one 25 to compile what all later ones need.
_LONGEST_ANEW = 1.0
_MOVING = {"broadcast_in_dim", "concatenate", "copy", "copy_p", "reshape", "rev", "slice", "squeeze", "transpose"}
# Of two operands or more, which NumPy repeats along the axes that they lack.
_SPREADING = set("add and atan2 div eq ge gt le lt max min mul ne or pow rem select_n sub xor".split())


class NumpyPlan:
    """A jaxpr that NumPy can run; `pickled` can keep it on disk.

    Its variables are numbered: the constants first, then the arguments, then what its calls give; literals, and what
    is computed once, from the end, by negative numbers.

    Attributes:
        seconds (float): an estimate of the time that it takes.
        python_seconds (float): how much of it Python takes for the equations, those of loops apart.
        compiled_seconds (float): an estimate of the time that compiled code takes.
        size (int): how many equations it has, those of inner jaxprs included.
        kinds (int): of how many kinds they are: XLA compiles those of the same shapes, as of several layers, once.
        kernels (Kernels): what else XLA's time to compile them depends on.
        result_bytes (int): the size of its results.
        constant_bytes (int): the size of the constants that it keeps alive, those of inner jaxprs included.
        may_stop (bool): whether a launch may raise `NotCovered`.
        computes (bool): whether it does more than move elements.
        has_inner (bool): whether one of its calls runs another plan.
        shapes (dict): of a short plan: the shapes of the arguments and of what its calls give, by their numbers.
    """

    def __init__(self, jaxpr, consts, kinds):
        # Callbacks and prints, which JAX orders itself.
        if jaxpr.effects:
            raise NotCovered("effects")
        self.calls, self.seconds, self.python_seconds, self.compiled_seconds, self.size = [], 0.0, 0.0, 0.0, 0
        self.may_stop, self.computes, self.has_inner = False, False, False
        self.kernels, self.kinds = Kernels(), kinds
        self.consts = list(map(np.asarray, consts))
        self.constant_bytes = sum([each.nbytes for each in self.consts])
        self.constants, first = [], len(jaxpr.constvars) + len(jaxpr.invars)
        self.count = first
        numbers = {each: number for number, each in enumerate((*jaxpr.constvars, *jaxpr.invars))}
        self.shapes: Any = {number: getattr(each.aval, "shape", None) for each, number in numbers.items()}
        known = dict(zip(jaxpr.constvars, self.consts, strict=True))  # and what follows: positions, masks of a triangle
        self.outputs = self._added(jaxpr, numbers, known)
        self.picked = getter(self.outputs)
        self.constant_outputs = [place for place, number in enumerate(self.outputs) if number < len(self.consts)]
        self.rest, self.kinds = [*[None] * (self.count - first), *self.constants[::-1]], len(kinds)
        self.result_bytes = sum([math.prod(each.aval.shape) * each.aval.dtype.itemsize for each in jaxpr.outvars])
        self.seconds += self.python_seconds
        if len(self.calls) > SHORT:
            self.shapes = None
        del self.constants, self.count

    def _added(self, jaxpr, numbers, known):
        """Adds the calls of a jaxpr, or of an inner one; returns the numbers of its results.

        ``numbers`` has those of its variables, ``known`` the values of some of them, or None.
        """

        def number_of(operand):
            return self._constant(_constant(operand)) if isinstance(operand, Literal) else numbers[operand]

        # In order, once, with the operands' numbers: a launch is then a list of calls, each with no look-up by name.
        needed = _needed(jaxpr)
        spread = _spread_by_users(jaxpr, needed)
        for equation in needed:
            values = _values(equation.invars, known)
            inner = _brief(equation)
            if inner is not None:
                self.python_seconds += PER_CALL
                inner_numbers = dict(zip(inner.invars, map(number_of, equation.invars), strict=True))
                inner_known = dict(zip(inner.invars, values, strict=True))
                numbers |= zip(equation.outvars, self._added(inner, inner_numbers, inner_known), strict=True)
                known |= zip(equation.outvars, _values(inner.outvars, inner_known), strict=True)
                continue
            # Equations that are computed below, once, count too, as in the estimates at other sizes (`lengths.costs`).
            call = self._counted(equation)
            if call is same or equation.outvars[0] in spread:
                numbers[equation.outvars[0]] = number_of(equation.invars[0])
                known[equation.outvars[0]] = values[0]
            elif _may_keep(equation) and not any([value is None for value in values]):
                known |= zip(equation.outvars, _computed(equation, call, values), strict=True)
                for each in equation.outvars:
                    numbers[each] = self._constant(known[each])
                    self.constant_bytes += known[each].nbytes
            else:
                start, self.count = self.count, self.count + len(equation.outvars)
                numbers.update(zip(equation.outvars, range(start, self.count), strict=True))
                self.shapes |= {numbers[each]: getattr(each.aval, "shape", None) for each in equation.outvars}
                result = slice(start, self.count) if equation.primitive.multiple_results else start
                self.calls.append((call, getter(list(map(number_of, equation.invars))), result))
        return list(map(number_of, jaxpr.outvars))

    def _counted(self, equation):
        """The NumPy call of an equation, whose time, size and kernels are added to the plan's."""
        call, seconds, compiled_seconds, size = planned(equation, self.kinds)
        self.seconds += seconds
        self.python_seconds += PER_CALL
        self.compiled_seconds += compiled_seconds
        self.size += size
        self.kernels += getattr(call, "kernels", None) or kernels_of(equation)
        self.may_stop |= getattr(call, "may_stop", False)
        self.computes |= equation.primitive.name not in _MOVING
        self.has_inner |= equation.primitive.name in CALLED or equation.primitive.name in _LOOPS
        self.constant_bytes += getattr(call, "constant_bytes", 0)
        return call

    def _constant(self, value):
        """The number of a value that is computed once."""
        self.constants.append(value)
        return -len(self.constants)

    def __call__(self, *arguments):
        """The results, a sequence of NumPy arrays or scalars, some of which may be views of ``arguments``."""
        values = [*self.consts, *arguments, *self.rest]
        for call, operands, result in self.calls:
            values[result] = call(*operands(values))
        results = self.picked(values)
        if self.constant_outputs:
            results = list(results)
            for place in self.constant_outputs:
                results[place] = results[place].copy()  # for what is returned may be written over (`donation`)
        return results


def getter(numbers):
    """A function that gives the elements of a list with these indices, as a sequence."""
    # In C: a comprehension would take as long as a small addition.
    if len(numbers) > 1:
        return itemgetter(*numbers)
    return itemgetter(slice(numbers[0], numbers[0] + 1 or None) if numbers else slice(0))


def make_plan(jaxpr, kinds=None):
    """The `NumpyPlan` of a ``ClosedJaxpr``, or of a ``Jaxpr`` without constants.

    ``kinds`` is a set to which the kinds of its equations are added.

    Raises:
        NotCovered: if one of its primitives has no rule.
    """
    kinds = set() if kinds is None else kinds
    return (
        NumpyPlan(jaxpr.jaxpr, jaxpr.consts, kinds) if isinstance(jaxpr, ClosedJaxpr) else NumpyPlan(jaxpr, (), kinds)
    )


def check_length(plan, jaxpr):
    """Checks that NumPy had better run a plan of this jaxpr.

    Raises:
        NotCovered: if it takes long, and so do all later launches: a gradient that computes values anew.
    """
    if plan.seconds > _LONGEST_ANEW and any([_holds(computes_anew, each) for each in jaxpr.eqns]):
        raise NotCovered("a long gradient that computes values anew")


def _needed(jaxpr):
    """The equations that the results depend on, and those that always run, in order."""
    wanted = set(_variables(jaxpr.outvars))
    needed = []
    for equation in reversed(jaxpr.eqns):
        if not wanted.isdisjoint(equation.outvars) or (ALWAYS and _holds(_always_runs, equation)):
            wanted.update(_variables(equation.invars))
            needed.append(equation)
    return needed[::-1]


def _spread_by_users(jaxpr, equations):
    """The results of ``broadcast_in_dim`` that need not be made, for every equation that uses one repeats it itself."""
    spread = {each.outvars[0] for each in equations if each.primitive.name == "broadcast_in_dim" and _is_trailing(each)}
    if not spread:
        return spread
    for equation in equations:
        shape = equation.outvars[0].aval.shape if equation.primitive.name in _SPREADING else None
        # Another operand must have the shape of the result, which else came out smaller.
        if not any([each.aval.shape == shape and each not in spread for each in _variables(equation.invars)]):
            spread.difference_update(_variables(equation.invars))
    return spread.difference(_variables(jaxpr.outvars))


def _is_trailing(equation):
    """Whether a ``broadcast_in_dim`` repeats its operand as NumPy would: a single element, or along the first axes."""
    old, new = equation.invars[0].aval.shape, equation.outvars[0].aval.shape
    axes = equation.params["broadcast_dimensions"]
    return math.prod(old) == 1 or tuple(axes) == tuple(range(len(new) - len(old), len(new)))


def _variables(operands):
    return [each for each in operands if not isinstance(each, Literal)]


def _always_runs(equation):
    return equation.primitive.name in ALWAYS


def _holds(is_true, equation):
    """Whether something is true of an equation, or of one in its inner jaxprs."""
    return is_true(equation) or any(
        [_holds(is_true, inner) for jaxpr in jaxprs_in_parameters(equation.params) for inner in jaxpr.eqns]
    )


def _computed(equation, call, operands):
    with np.errstate(all="ignore"):  # as at a launch
        results = call(*operands)
    return list(map(np.asarray, results if equation.primitive.multiple_results else [results]))


def _values(operands, known):
    """The values of operands, None where they are not known."""
    return [_constant(each) if isinstance(each, Literal) else known.get(each) for each in operands]


def _brief(equation):
    """The jaxpr that an equation only calls, if it can be a part of the plan around it; else None.

    Its values are then kept until the launch ends, so they must be small. It saves 1 us.
    """
    inner: Any = equation.params[CALLED[equation.primitive.name]] if equation.primitive.name in CALLED else None
    if isinstance(inner, ClosedJaxpr):
        inner = None if inner.consts else inner.jaxpr
    return None if inner is None or sum(map(_bytes_of, inner.eqns)) > _LARGEST_INNER else inner


def _bytes_of(equation):
    """The size of an equation's results."""
    avals = [each.aval for each in equation.outvars]
    return sum([math.prod(aval.shape) * getattr(aval.dtype, "itemsize", 0) for aval in avals if hasattr(aval, "shape")])


def _may_keep(equation):
    """Whether a plan may keep the results: small ones, of integers and bools or of numbers that are only repeated.

    What else is computed of floats depends on how subnormal ones are treated.
    """
    avals, is_repeated = [each.aval for each in equation.outvars], equation.primitive.name == "broadcast_in_dim"
    if not (is_repeated or all([getattr(aval, "dtype", np.float32) in _EXACT for aval in avals])) or equation.effects:
        return False
    return _bytes_of(equation) <= _LARGEST_KNOWN


def _constant(literal):
    return np.asarray(literal.val, literal.aval.dtype)


def planned(equation, kinds):
    """``(function, seconds, seconds of compiled code, number of primitives)`` of an equation, whose kind is noted."""
    name, params = equation.primitive.name, equation.params
    if name in CALLED or name in _LOOPS:
        inner = make_plan(params[CALLED[name]], kinds) if name in CALLED else _LOOPS[name](kinds, **params)
        return inner, inner.seconds, inner.compiled_seconds, inner.size
    kinds.add((name, *[(each.aval.shape, each.aval.dtype) for each in (*equation.invars, *equation.outvars)]))
    return call_of(equation), seconds_of(equation), compiled_seconds_of(equation), 1


class _Scan:
    """``lax.scan``: a body run a fixed number of times, with carried and stacked values."""

    def __init__(self, kinds, *, jaxpr, length, reverse, **params):
        self.body, self.length, self.reverse = make_plan(jaxpr, kinds), length, reverse
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

    def __init__(self, kinds, *, cond_jaxpr, body_jaxpr, cond_nconsts, body_nconsts):
        self.proceed, self.body = make_plan(cond_jaxpr, kinds), make_plan(body_jaxpr, kinds)
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

    def __init__(self, kinds, *, branches, **_):
        self.branches = [make_plan(each, kinds) for each in branches]
        self.seconds = max(plan.seconds for plan in self.branches)
        self.compiled_seconds = max(plan.compiled_seconds for plan in self.branches)
        self.size = sum(plan.size for plan in self.branches)
        self.may_stop = any(plan.may_stop for plan in self.branches)
        self.constant_bytes = sum(plan.constant_bytes for plan in self.branches)

    def __call__(self, index, *operands):
        # XLA clips the index to the branches.
        return self.branches[min(max(int(index), 0), len(self.branches) - 1)](*operands)


_LOOPS = {"scan": _Scan, "while": _While, "cond": _Cond}
