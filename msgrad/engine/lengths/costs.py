"""Estimated seconds of a template's program at any sizes, by NumPy and compiled, without its jaxpr or plan there."""

import bisect
import itertools
import math
import types

from .._jax_private import CALLED
from ..interpreter.kernels import Kernels, kernels_of
from ..interpreter.plan import PER_CALL
from ..interpreter.table import compiled_seconds_of, seconds_of
from .padding import needed
from .sizes import LADDER, ONE, Size, constant
from .template import Template, shape_at, value_at

_LAUNCHING = 100e-6  # seconds of a launch of a padded program,
_MOVING = 30e-6  # of each array that is copied into or out of a padded one,
_COPYING = 0.4e-9  # and of each of its bytes


class TemplateCosts:
    """What a program costs at any sizes.

    Args:
        template (Template): what its members have in common.
        share (float): the share of the time on a CPU that compiled code takes on the device.
    Attributes:
        size, kinds (int), kernels (Kernels): of its equations, those of inner jaxprs included, as of a `NumpyPlan`.
    """

    def __init__(self, template, share=1.0):
        self._body, self._share, self._known = _Body(template), share, {}
        self.size, self.kinds, self.kernels = self._body.size, len(self._body.kinds), self._body.kernels
        ends = [*template.arguments, *map(template.aval_of, template.outputs)]
        self._moved = [aval for aval in ends if aval.varies]

    def by_numpy(self, sizes):
        """Seconds of a launch by NumPy."""
        return self._seconds(sizes)[0]

    def padded(self, sizes):
        """Seconds of a launch of the compiled program that is padded to these sizes, copies included."""
        count = sum([math.prod(shape_at(aval.shape, sizes)) * aval.dtype.itemsize for aval in self._moved])
        seconds = self._seconds(sizes)[1] + _COPYING * count
        return self._share * seconds + _LAUNCHING + _MOVING * len(self._moved)

    def _seconds(self, sizes):
        if sizes not in self._known:
            self._known[sizes] = self._interpolated(sizes)
        return self._known[sizes]

    def _interpolated(self, sizes):
        """By parabolas between the sizes of buckets, since estimating all equations takes milliseconds."""
        nearest = list(map(_nearest, sizes))
        if len(ends := list(itertools.product(*nearest))) == 1:
            return self._body.seconds(sizes)
        plain = compiled = 0.0
        for end in ends:
            share = math.prod([weight for _, weight in end])
            at_end = self._seconds(tuple([size for size, _ in end]))
            plain, compiled = plain + share * at_end[0], compiled + share * at_end[1]
        return plain, compiled


def _nearest(size):
    """The sizes of three buckets around a size, each with its weight (Lagrange's)."""
    place = bisect.bisect_left(LADDER, size)
    if LADDER[place] == size:
        return [(size, 1.0)]
    ends = LADDER[place - 1 : place + 2]
    return [(end, math.prod([(size - each) / (end - each) for each in ends if each != end])) for end in ends]


class _Body:
    """A jaxpr, or an inner one.

    Attributes:
        size (int), kernels (Kernels): of its equations, those of inner jaxprs included, as of a `NumpyPlan`.
        kinds (set): of these equations, each by its primitive and the types of operands and results.
    """

    def __init__(self, template):
        self._counts, self._equations, self._inner = {}, {}, []
        self.size, self.kinds, self.kernels = 0, set(), Kernels()
        for equation in needed(template):
            inner = _bodies(equation)
            for length, body in inner:
                self._inner.append((length, body))
                self.size += body.size
                self.kinds |= body.kinds
                self.kernels += body.kernels
            if not inner:
                # Equal equations, as layers have them, are estimated once.
                key = _key(equation, template)
                self._equations[key] = equation, template
                self._counts[key] = self._counts.get(key, 0) + 1
                self.size += 1
                self.kinds.add(key[:2])
                self.kernels += kernels_of(equation.sample)

    def seconds(self, sizes):
        """Seconds by NumPy, and compiled."""
        plain = compiled = 0.0
        for key, count in self._counts.items():
            equation = _equation_at(*self._equations[key], sizes)
            plain += count * (seconds_of(equation) + PER_CALL)
            compiled += count * compiled_seconds_of(equation)
        for length, body in self._inner:
            each = body.seconds(sizes)
            plain += length.at(sizes) * each[0] + PER_CALL
            compiled += length.at(sizes) * each[1]
        return plain, compiled


def _bodies(equation):
    """The inner jaxprs of an equation, each with the number of its turns; of an unknown number, once."""
    params = equation.params
    if equation.primitive.name in CALLED:
        return [(ONE, _Body(params[CALLED[equation.primitive.name]]))]
    length = params.get("length", 1)
    turns = length if isinstance(length, Size) else constant(length)
    parts = [each for value in params.values() for each in (value if isinstance(value, (tuple, list)) else (value,))]
    return [(turns, _Body(each)) for each in parts if isinstance(each, Template)]


def _key(equation, template):
    avals = [template.aval_of(each) for each in equation.operands] + [template.avals[k] for k in equation.results]
    shapes = tuple([(aval.shape, aval.dtype) for aval in avals])
    try:
        hash(params := tuple(equation.params.items()))
    except TypeError:
        params = id(equation)
    return equation.primitive, shapes, params


def _equation_at(equation, template, sizes):
    """An equation with the shapes and parameters of these sizes, for an estimate."""

    def variable(aval):
        return types.SimpleNamespace(aval=types.SimpleNamespace(shape=shape_at(aval.shape, sizes), dtype=aval.dtype))

    return types.SimpleNamespace(
        primitive=equation.primitive,
        params={name: value_at(value, sizes) for name, value in equation.params.items()},
        invars=[variable(template.aval_of(each)) for each in equation.operands],
        outvars=[variable(template.avals[k]) for k in equation.results],
    )
