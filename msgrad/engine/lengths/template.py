"""Templates: what jaxprs of one program at several sizes have in common.

They are equal but for numbers, each of which is a constant or a `Size`: in shapes, in parameters such as the limits of
a slice, and among literals, where a mean divides by the length.
"""

from typing import Any

import numpy as np

from .._jax_private import CALLED, ClosedJaxpr, Jaxpr, Literal, ShapedArray, Var
from .constants import recognised
from .ends import ENDS
from .sizes import NotUniform, Size, constant

_LARGEST_CONSTANT = 1 << 20  # bytes of an array inside a jaxpr that is compared


class Aval:
    """The type of a value: its shape in `Size`s."""

    __slots__ = ("shape", "dtype", "weak_type", "varies", "sample")

    def __init__(self, shape, sample):
        self.shape, self.dtype, self.weak_type, self.sample = shape, sample.dtype, sample.weak_type, sample
        self.varies = not all([size.is_constant for size in shape])

    def at(self, symbols):
        """JAX's type where the symbols have these values."""
        if not self.varies:
            return self.sample
        return ShapedArray(shape_at(self.shape, symbols), self.dtype, weak_type=self.weak_type)


def _same(number):
    return number


def _inverse(number):
    return 1 / number


def _root(number):
    return number**0.5


def _inverse_root(number):
    return 1 / number**0.5


# What a literal may be of a size, and the functions that give the size again.
FUNCTIONS = {_same: _same, _inverse: _inverse, _root: lambda value: value**2, _inverse_root: lambda value: 1 / value**2}


class Number:
    """A literal that varies: one of the `FUNCTIONS` of a ``size``."""

    __slots__ = ("size", "function", "aval")

    def __init__(self, size, function, aval):
        self.size, self.function, self.aval = size, function, aval


class Constant:
    """A literal that does not vary."""

    __slots__ = ("value", "aval")

    def __init__(self, value, aval):
        self.value, self.aval = value, aval


class Equation:
    """An operation: ``operands`` are numbers of values, a `Constant` or a `Number`; ``results`` numbers of values.

    Attributes:
        params (dict): the parameters by name; a number that varies is a `Size`, an inner jaxpr a `Template`.
        varies (bool): whether a parameter or the shape of an operand or result varies.
        resized (tuple of str): the names of the parameters that `Template.at` replaces.
        sample: the equation of the first jaxpr.
        is_constant (bool): whether it is that equation at all sizes.
    """

    __slots__ = ("primitive", "params", "operands", "results", "varies", "resized", "sample", "is_constant")


class Template:
    """The jaxpr that ``jaxprs``, of the same program at several sizes, have in common.

    Args:
        jaxprs (sequence of ClosedJaxpr or Jaxpr): one for each sample.
        symbols (Symbols): the sizes that vary among them.
    Raises:
        NotUniform: if they differ in more than numbers, or a number follows no rule.
    Attributes:
        avals (list of Aval): the types of all values, by number: the constants first, then the arguments.
        consts (list): the constants: each an array, or what makes it where its shape varies (`constants`).
        is_closed (bool): whether `at` gives a ``ClosedJaxpr``.
        is_constant (bool): whether all jaxprs are the same.
        arguments (list of Aval): the types of the arguments.
        equations (list of Equation): in order.
        outputs (list): the results, as operands of an `Equation`.
    """

    _numbers: Any

    def __init__(self, jaxprs, symbols):
        self.symbols = symbols
        closed = [hasattr(each, "consts") for each in jaxprs]
        self.is_closed = all(closed)
        consts = [each.consts if is_closed else () for each, is_closed in zip(jaxprs, closed, strict=True)]
        opened = [each.jaxpr if is_closed else each for each, is_closed in zip(jaxprs, closed, strict=True)]
        self.consts = [self._const(values) for values in _columns(consts)]
        self.avals, self._numbers, self._debug_info = [], [{} for _ in opened], opened[0].debug_info
        self._types = {}
        self._add(_columns([each.constvars for each in opened]))
        if len(self.avals) != len(self.consts):
            raise NotUniform("an inner function with values from outside")
        arguments = _columns([each.invars for each in opened])
        self._add(arguments)
        self.arguments = self.avals[len(self.consts) :]
        if any([each.effects for each in opened]):
            raise NotUniform("effects")
        self.equations = [self._equation(equations) for equations in _columns([each.eqns for each in opened])]
        self.outputs = [self._operand(each) for each in _columns([each.outvars for each in opened])]
        ends = [*range(len(self.consts) + len(self.arguments)), *self.outputs]
        self.is_constant = all([each.is_constant for each in self.equations]) and not self._varies(ends)
        self._sample, self._variables, self._numbers = jaxprs[0], list(self._numbers[0]), None

    def aval_of(self, operand):
        """The `Aval` of an operand of an equation."""
        return self.avals[operand] if type(operand) is int else operand.aval

    def _const(self, values):
        first = np.asarray(values[0])
        if first.nbytes > _LARGEST_CONSTANT:
            raise NotUniform("a large constant")
        arrays = list(map(np.asarray, values))
        if all([np.array_equal(first, each, equal_nan=first.dtype.kind in "fc") for each in arrays]):
            return first
        if any([each.ndim != first.ndim or each.nbytes > _LARGEST_CONSTANT for each in arrays]):
            raise NotUniform("a constant that varies")
        return recognised(arrays)

    def _add(self, columns):
        for column in columns:
            for each, numbers in zip(column, self._numbers, strict=True):
                numbers[each] = len(self.avals)
            self.avals.append(self._aval([each.aval for each in column]))

    def _aval(self, avals):
        first = avals[0]
        if not all([isinstance(each, ShapedArray) for each in avals]):
            raise NotUniform("a value that is no array")
        if not all([each.dtype == first.dtype and each.weak_type == first.weak_type for each in avals]):
            raise NotUniform("dtypes that differ")
        shape = tuple([self.symbols.size_of(column) for column in _columns([each.shape for each in avals])])
        # Equal types are one object, so that `at` makes each of them once: 700 equations have 40.
        return self._types.setdefault((shape, first), Aval(shape, first))

    def _equation(self, equations):
        first, result = equations[0], Equation()
        if not all([each.primitive is first.primitive for each in equations]):
            raise NotUniform("operations that differ")
        result.primitive, result.sample = first.primitive, first
        result.operands = [self._operand(column) for column in _columns([each.invars for each in equations])]
        self._add(columns := _columns([each.outvars for each in equations]))
        result.results = list(range(len(self.avals) - len(columns), len(self.avals)))
        compared, varying = self._set_parameters(result, [each.params for each in equations])
        avals = [self.aval_of(each) for each in (*result.operands, *result.results)]
        result.varies = bool(varying) or any([each.varies for each in avals])
        result.resized = tuple([name for name in compared if not _is_constant(result.params[name])])
        result.is_constant = not (result.varies or result.resized or self._varies(result.operands))
        return result

    def _set_parameters(self, result, params):
        """Sets the parameters of an equation; returns the names of those that may vary, and the parts that do."""
        first = result.sample
        if not all([each.keys() == first.params.keys() for each in params]):
            raise NotUniform("parameters that differ")
        varying, compared = [], [CALLED[first.primitive.name]] if first.primitive.name in CALLED else first.params
        result.params = dict(first.params)
        padding, ends_of = ENDS.get(first.primitive.name, (None, None))
        for name in compared:
            values = [each[name] for each in params]
            if name == padding and any([each != values[0] for each in values]):
                shapes = [self.aval_of(each).shape for each in result.operands]
                ends = ends_of(first.params, shapes, self.avals[result.results[0]].shape)
                result.params[name] = tuple(
                    [self._padding(*each, varying) for each in zip(_columns(values), ends, strict=True)]
                )
            else:
                result.params[name] = self._parameter(values, varying)
        return compared, varying

    def _varies(self, operands):
        """Whether an operand is another one, or of another shape, at other sizes."""
        return any([type(each) is Number or self.aval_of(each).varies for each in operands])

    def _operand(self, column):
        first = column[0]
        if not isinstance(first, Literal):
            numbers = {known.get(each) for each, known in zip(column, self._numbers, strict=True)}
            if len(numbers) > 1 or None in numbers:
                raise NotUniform("operations whose operands differ")
            return numbers.pop()
        if not all([isinstance(each, Literal) for each in column]):
            raise NotUniform("operations whose operands differ")
        aval, values = self._aval([each.aval for each in column]), [np.asarray(each.val) for each in column]
        if all([value.tobytes() == values[0].tobytes() for value in values]):
            return Constant(values[0], aval)
        return self._number([value.item() for value in values], aval)

    def _number(self, values, aval):
        """The literal with these values at the samples, as a `Number`."""
        for function, inverse in FUNCTIONS.items():
            try:
                sizes = tuple([round(inverse(value)) for value in values])
                exact = [np.asarray(function(size)).astype(aval.dtype) for size in sizes]
            except (ArithmeticError, TypeError, ValueError):  # complex numbers are not rounded
                continue
            if all([one == np.asarray(value, aval.dtype) for one, value in zip(exact, values, strict=True)]):
                return Number(self.symbols.size_of(sizes), function, aval)
        raise NotUniform("a number that varies")

    def _parameter(self, values, varying):
        """A parameter as a template; appends to ``varying`` if it varies."""
        first = values[0]
        kind = type(first)
        if isinstance(first, (ClosedJaxpr, Jaxpr)):
            template = Template(values, self.symbols)
            if any([each.varies for each in template.avals]):
                varying.append(template)
            return template
        if kind is int or isinstance(first, np.integer):
            size = self.symbols.size_of(tuple([int(each) for each in values]))
            if size.is_constant:
                return first
            varying.append(size)
            return size
        if not all([type(each) is kind for each in values]):
            raise NotUniform("parameters that differ")
        if isinstance(first, tuple) or kind is list:
            items = [self._parameter(list(column), varying) for column in _columns(values)]
            return kind(*items) if hasattr(first, "_fields") else kind(items)
        if not all([_equal(each, first) for each in values]):
            raise NotUniform("parameters that differ")
        return first

    def _padding(self, column, end, varying):
        """The padding before and after an array along an axis.

        ``end`` is what is after it as the shapes tell, with what is before it at the first sample.
        """
        low, high, *between = zip(*column, strict=True)
        before = self.symbols.size_of(low)
        end = end + constant(low[0]) - before
        rows = zip(*self.symbols.columns, strict=True)
        if len(set(high)) == 1 and before.is_constant or tuple(map(end.at, rows)) != high:
            return self._parameter(column, varying)
        varying.append(end)
        first, last = [number if size.is_constant else size for number, size in ((low[0], before), (high[0], end))]
        return (first, last, *[each[0] for each in between])

    def at(self, symbols):
        """The jaxpr at these values of the symbols, as tracing would make it, but for rules of derivatives in it."""
        if self.is_constant:
            return self._sample
        types = {aval: aval.at(symbols) for aval in self._types.values() if aval.varies}
        pairs = zip(self.avals, self._variables, strict=True)
        variables = [Var(types[aval]) if aval.varies else variable for aval, variable in pairs]

        def operand(each):
            if type(each) is int:
                return variables[each]
            value = each.value if type(each) is Constant else literal_at(each, symbols)
            return Literal(value, each.aval.at(symbols))

        equations = []
        for each in self.equations:
            if each.is_constant:
                equations.append(each.sample)
                continue
            params = each.sample.params
            if each.resized:
                params = params | {name: value_at(each.params[name], symbols) for name in each.resized}
            invars, outvars = list(map(operand, each.operands)), [variables[number] for number in each.results]
            equations.append(each.sample.replace(invars=invars, outvars=outvars, params=params))
        split = len(self.consts)
        arguments = variables[split : split + len(self.arguments)]
        results = list(map(operand, self.outputs))
        jaxpr = Jaxpr(variables[:split], arguments, results, equations, debug_info=self._debug_info)
        return ClosedJaxpr(jaxpr, self.consts_at(symbols)) if self.is_closed else jaxpr

    def consts_at(self, symbols):
        """The constants at these values of the symbols, arrays."""
        pairs = zip(self.consts, self.avals, strict=False)
        return [each.at(shape_at(aval.shape, symbols)) if aval.varies else each for each, aval in pairs]


def _columns(rows):
    try:
        return list(zip(*rows, strict=True))
    except ValueError:
        raise NotUniform("programs of different length") from None


def _equal(left, right):
    if left is right:
        return True
    if isinstance(left, float):
        return repr(left) == repr(right)  # NaN, too
    try:
        return bool(left == right)
    except Exception:  # arrays and objects of JAX's whose comparison has no truth value
        return False


def _is_constant(value):
    """Whether a parameter as a template is the same at all sizes."""
    if isinstance(value, Template):
        return value.is_constant
    return not isinstance(value, Size) and (not isinstance(value, (tuple, list)) or all(map(_is_constant, value)))


def shape_at(sizes, symbols):
    """A shape's numbers where the symbols have these values."""
    return tuple([size.at(symbols) for size in sizes])


def value_at(value, symbols):
    """A parameter's value: each `Size` in it by its number, each `Template` by its jaxpr."""
    kind = type(value)
    if kind is Size:
        return value.at(symbols)
    if kind is Template:
        return value.at(symbols)
    if kind is tuple or kind is list:
        return kind([value_at(each, symbols) for each in value])
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return kind(*[value_at(each, symbols) for each in value])
    return value


def literal_at(number, symbols):
    """The value of a `Number`."""
    return np.asarray(number.function(number.size.at(symbols))).astype(number.aval.dtype)
