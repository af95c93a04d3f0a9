"""A Template as a function of padded arrays and true sizes: for a bucket of sizes, one program serves all that fit."""

import operator

import jax.numpy as jnp
import numpy as np
from jax import lax

from .._jax_private import CALLED, computes_anew
from .layout import Lengths, Padded
from .products import CONTRACTED
from .rules import CONDITIONS, rule_of
from .sizes import NotUniform
from .template import Constant, Template, literal_at, value_at

# What gives elements one by one, and 0 for 0: its operand is masked in its place.
_KEEPING = frozenset("transpose reshape squeeze expand_dims neg convert_element_type copy copy_p".split())


class Site:
    """An equation of a padded program, for its rule.

    Attributes:
        lengths (Lengths): the sizes.
        name (str): of the primitive.
        params (dict): its parameters, with `Size`s.
        operands (list of tuple): the true shapes of the operands, in `Size`s.
        results (list of tuple): likewise, of the results.
        dtypes (list): of the results.
    """

    __slots__ = ("lengths", "name", "params", "operands", "results", "dtypes", "equation")

    def __init__(self, lengths, template, equation):
        self.lengths, self.equation = lengths, equation
        self.name, self.params = equation.primitive.name, equation.params
        self.operands = [template.aval_of(each).shape for each in equation.operands]
        avals = [template.avals[number] for number in equation.results]
        self.results, self.dtypes = [aval.shape for aval in avals], [aval.dtype for aval in avals]

    def evaluate(self, template, values):
        """The results of an inner template, in a trace of its own."""
        return evaluate(self.lengths.inside(), template, values)

    def bind(self, *arrays, **changed):
        """The results of the primitive at padded arrays, as a list."""
        params = {name: value_at(value, self.lengths.bucket) for name, value in self.params.items()}
        return _results(self.equation.primitive, arrays, {**params, **changed})


def _results(primitive, arrays, params):
    """The results of a primitive, as a list."""
    results = primitive.bind(*arrays, **params)
    return list(results) if primitive.multiple_results else [results]


def make_padded(template, bucket, zeroed=()):
    """The function of ``(true sizes, *padded arrays)`` that computes what ``template`` does.

    Its results are padded, their valid elements first along each axis.

    Args:
        template (Template): of the program.
        bucket (tuple of int): the values of the symbols for which it computes.
        zeroed (sequence of bool): for each result, whether its padding is 0, as that of an operand must be; elsewhere
            it may be anything.
    """

    def padded(true, *arrays):
        lengths = Lengths([true[k] for k in range(len(bucket))], bucket)
        pairs = zip(arrays, template.arguments, strict=True)
        values = [Padded(array, tuple([(size,) for size in aval.shape]), True) for array, aval in pairs]
        results = evaluate(lengths, template, values)
        shapes = [template.aval_of(each).shape for each in template.outputs]
        results = [lengths.canonical(*each) for each in zip(results, shapes, strict=True)]
        for number, _ in filter(operator.itemgetter(1), enumerate(zeroed)):
            results[number] = lengths.masked(results[number], shapes[number], 0)
        return [each.array for each in results]

    return padded


def check(template):
    """Checks that a template can be padded; returns the `Size`s that must not be negative where it is.

    Raises:
        NotUniform: if an axis gets shorter where a size grows, or a primitive has no rule.
    """
    conditions = []
    for aval in template.avals:
        if not all([size.grows for size in aval.shape]):
            raise NotUniform("an axis that gets shorter as another one grows")
    for equation in needed(template):
        if equation.varies and equation.primitive.name not in CALLED:
            rule_of(equation)
            conditions += CONDITIONS.get(equation.primitive.name, lambda equation: ())(equation)
        for value in equation.params.values():
            for inner in value if isinstance(value, (tuple, list)) else (value,):
                if isinstance(inner, Template):
                    conditions += check(inner)
    return conditions


def needed(template):
    """The equations that the results depend on, in order."""
    wanted = {each for each in template.outputs if type(each) is int}
    equations = []
    for equation in reversed(template.equations):
        if not wanted.isdisjoint(equation.results):
            wanted.update([each for each in equation.operands if type(each) is int])
            equations.append(equation)
    return equations[::-1]


def evaluate(lengths, template, arguments):
    """The results of a template, as a list of `Padded`, at arguments that are `Padded` too."""
    values, summed = {}, _summed_in_products(template)
    for number, const in enumerate(template.consts_at(lengths.bucket)):
        sizes = template.avals[number].shape
        values[number] = Padded(const, tuple([None if size.is_constant else (size,) for size in sizes]), False)
    for number, value in enumerate(arguments, len(template.consts)):
        values[number] = value

    def value_of(operand):
        if type(operand) is int:
            return values[operand]
        if type(operand) is Constant:
            # As JAX evaluates a jaxpr: a plain number keeps the dtype that the equation says.
            array = np.asarray(operand.value).astype(operand.aval.dtype)
        else:
            array = _traced_literal(lengths, operand)
        return Padded(array, (None,) * array.ndim, False)

    for equation in needed(template):
        operands = list(map(value_of, equation.operands))
        inner = CALLED.get(equation.primitive.name)
        if inner is not None:
            if computes_anew(equation):
                operands = _anew(operands)
            results = evaluate(lengths, equation.params[inner], operands)
        elif not equation.varies:
            results = _bound(equation, [each.array for each in operands])
        else:
            results = rule_of(equation)(Site(lengths, template, equation), *operands)
            results = results if isinstance(results, list) else [results]
        for place, number in enumerate(equation.results):
            if number in summed:
                results[place] = _zeroed(lengths, results[place], template.avals[number].shape)
        values.update(zip(equation.results, results, strict=True))
    return list(map(value_of, template.outputs))


def _anew(operands):
    """The operands behind an optimization barrier."""
    arrays = lax.optimization_barrier([each.array for each in operands])
    return [Padded(array, each.axes, each.is_zero) for array, each in zip(arrays, operands, strict=True)]


def _summed_in_products(template):
    """The values whose padding a product needs to be 0, by their numbers.

    XLA masks them for nothing where an elementwise operation makes them, and in a pass of its own where a product takes
    them, beside the values without a mask that other operations take.
    """
    found = set()
    for equation in reversed(needed(template)):
        name, operands = equation.primitive.name, equation.operands
        if name in CALLED:
            inner = equation.params[CALLED[name]]
            wanted = _summed_in_products(inner)
            found.update([each for k, each in enumerate(operands, len(inner.consts)) if k in wanted])
        elif name in CONTRACTED and equation.varies:
            shapes = [template.aval_of(each).shape for each in operands]
            pairs = zip(operands, shapes, CONTRACTED[name](equation.params), strict=True)
            found.update([each for each, shape, axes in pairs if not all([shape[axis].is_constant for axis in axes])])
        elif name in _KEEPING and equation.results[0] in found and type(operands[0]) is int:
            found.remove(equation.results[0])
            found.add(operands[0])
    return found


def _zeroed(lengths, value, sizes):
    """``value`` with padding that is 0, unless it would no longer be right for any layout along an axis."""
    if any([factors is None and not size.is_constant for factors, size in zip(value.axes, sizes, strict=True)]):
        return value
    return lengths.masked(value, sizes, 0)


def _bound(equation, arrays):
    """The results of an equation that has nothing to do with the sizes."""
    results = _results(equation.primitive, arrays, equation.sample.params)
    return [Padded(each, (None,) * each.ndim, True) for each in results]


def _traced_literal(lengths, number):
    size = lengths.exact(number.size)
    if isinstance(size, int):
        return literal_at(number, lengths.bucket)
    # In 64 bits, as Python computed it.
    wide = np.float64 if number.function.__name__ != "_same" else number.aval.dtype
    return jnp.asarray(number.function(size.astype(wide))).astype(number.aval.dtype)
