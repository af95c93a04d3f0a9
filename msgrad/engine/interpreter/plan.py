"""A jaxpr as a list of NumPy calls: which are needed, whether each has a rule, and how long they take."""

import numpy as np

from .._jax_private import ClosedJaxpr, Literal
from .table import NotCovered, call_of, seconds_of

_PER_CALL = 3e-6  # seconds that Python takes for one equation
_TURNS = 100  # of a `while` loop, whose number nobody knows: it is estimated at so many, and stopped beyond
_INNER = {  # primitives that only call another jaxpr, and the parameter that it is
    "jit": "jaxpr",
    "closed_call": "call_jaxpr",
    "core_call": "call_jaxpr",
    "checkpoint": "jaxpr",
    "custom_jvp_call": "call_jaxpr",
    "custom_vjp_call": "call_jaxpr",
}


class Plan:
    """A jaxpr that NumPy can run.

    Attributes:
        seconds (float): an estimate of the time that it takes.
        size (int): how many equations it has, those of inner jaxprs included.
    """

    def __init__(self, jaxpr, consts):
        self.inputs, self.outputs = jaxpr.invars, jaxpr.outvars
        self.consts = list(zip(jaxpr.constvars, map(np.asarray, consts), strict=True))
        if jaxpr.effects:
            raise NotCovered("effects")
        self.calls, self.seconds, self.size = [], 0.0, 0
        for equation in _needed(jaxpr):
            call, seconds, size = _planned(equation)
            self.calls.append((call, *_operands(equation)))
            self.seconds += seconds + _PER_CALL
            self.size += size

    def __call__(self, *arguments):
        """The results, as a list of NumPy arrays or scalars, some of which may be views of ``arguments``."""
        values = dict(self.consts)
        values.update(zip(self.inputs, arguments, strict=True))
        for call, operands, results, single in self.calls:
            out = call(*[values[each] if is_variable else each for is_variable, each in operands])
            if single is not None:
                values[single] = out
            else:
                values.update(zip(results, out, strict=True))
        return [_constant(each) if isinstance(each, Literal) else values[each] for each in self.outputs]


def make_plan(jaxpr):
    """The `Plan` of a ``ClosedJaxpr``, or of a ``Jaxpr`` without constants.

    Raises:
        NotCovered: if one of its primitives has no rule.
    """
    return Plan(jaxpr.jaxpr, jaxpr.consts) if isinstance(jaxpr, ClosedJaxpr) else Plan(jaxpr, ())


def _needed(jaxpr):
    """The equations that the results depend on, in order."""
    wanted = {each for each in jaxpr.outvars if not isinstance(each, Literal)}
    needed = []
    for equation in reversed(jaxpr.eqns):
        if not wanted.isdisjoint(equation.outvars):
            wanted.update([each for each in equation.invars if not isinstance(each, Literal)])
            needed.append(equation)
    return needed[::-1]


def _operands(equation):
    operands = [(False, _constant(each)) if isinstance(each, Literal) else (True, each) for each in equation.invars]
    single = None if equation.primitive.multiple_results else equation.outvars[0]
    return operands, equation.outvars, single


def _constant(literal):
    return np.asarray(literal.val, literal.aval.dtype)


def _planned(equation):
    """What computes an equation, the seconds that it takes, and of how many primitives it is made."""
    name, params = equation.primitive.name, equation.params
    if name in _INNER:
        inner = make_plan(params[_INNER[name]])
        return inner, inner.seconds, inner.size
    if name in _LOOPS:
        return _LOOPS[name](**params)
    return call_of(equation), seconds_of(equation), 1


def _scan(*, jaxpr, length, reverse, num_consts, num_carry, **_):
    body = make_plan(jaxpr)

    def run(*operands):
        consts, carry = operands[:num_consts], operands[num_consts : num_consts + num_carry]
        rows, stacked = operands[num_consts + num_carry :], []
        for turn in range(length)[:: -1 if reverse else 1]:
            results = body(*consts, *carry, *[array[turn] for array in rows])
            carry = results[:num_carry]
            stacked.append(results[num_carry:])
        if reverse:
            stacked.reverse()
        avals = jaxpr.out_avals[num_carry:]
        columns = zip(*stacked, strict=True) if stacked else [()] * len(avals)
        return [
            *carry,
            *[
                np.stack(column) if column else np.empty((0, *aval.shape), aval.dtype)
                for column, aval in zip(columns, avals, strict=True)
            ],
        ]

    return run, (body.seconds + 2 * _PER_CALL) * length, body.size


def _while(*, cond_jaxpr, body_jaxpr, cond_nconsts, body_nconsts):
    proceed, body = make_plan(cond_jaxpr), make_plan(body_jaxpr)

    def run(*operands):
        outer, inner = operands[:cond_nconsts], operands[cond_nconsts : cond_nconsts + body_nconsts]
        carry, turns = operands[cond_nconsts + body_nconsts :], 0
        while (wanted := proceed(*outer, *carry)[0]).any():
            turns += 1
            if turns > _TURNS:
                raise NotCovered(f"a loop of more than {_TURNS} turns")
            results = body(*inner, *carry)
            carry = results if wanted.all() else [_where(wanted, *each) for each in zip(results, carry, strict=True)]
        return carry

    return run, (proceed.seconds + body.seconds) * _TURNS, proceed.size + body.size


def _where(wanted, new, old):
    """``new`` for the rows of a loop under ``vmap`` that go on, ``old`` for those that have ended."""
    return np.where(np.reshape(wanted, (*np.shape(wanted), *[1] * (np.ndim(old) - np.ndim(wanted)))), new, old)


def _cond(*, branches, **_):
    plans = [make_plan(branch) for branch in branches]

    def run(index, *operands):
        return plans[min(max(int(index), 0), len(plans) - 1)](*operands)

    return run, max(plan.seconds for plan in plans), sum(plan.size for plan in plans)


_LOOPS = {"scan": _scan, "while": _while, "cond": _cond}
