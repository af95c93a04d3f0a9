"""Where the valid elements of a padded array lie.

Each axis has *factors*: the sizes of the axes that were merged into it, outermost first, mostly one. In an axis of
``4 * n`` elements with the factors ``(4, n)``, ``n`` padded to 8, the valid elements are the first ``n`` of each 8;
with one factor, ``4 * n``, they are the first ``4 * n`` of all 32. An axis along which all elements are equal has no
factors (None): every layout is right for it.
"""

import functools
import itertools
import math
from typing import Any

import jax.numpy as jnp
import numpy as np
from jax import lax

from .. import host
from .sizes import ONE, Floor

_LARGE = 1 << 14  # elements of a mask from which on it is computed once


class Padded:
    """A value of a padded program.

    Args:
        array: its elements, padded to the bucket.
        axes (tuple): for each axis its factors, a tuple of `Size`s, or None if the array does not vary along it.
        is_zero (bool): whether all of its padding is 0.
    """

    __slots__ = ("array", "axes", "is_zero")

    def __init__(self, array, axes, is_zero=False):
        self.array, self.axes, self.is_zero = array, axes, is_zero


class Lengths:
    """The sizes of one padded program.

    Args:
        true (sequence): the values of the symbols, int32 scalars that JAX traces.
        bucket (tuple of int): the values that the arrays are padded to.
    """

    def __init__(self, true, bucket):
        self.true, self.bucket = true, bucket
        self._masks, self._ranges = {}, {}
        self._computes_once = host.is_cpu(host.current_device())

    def inside(self):
        """The same within an inner trace, from which no mask may get out."""
        inner = Lengths(self.true, self.bucket)
        inner._masks, inner._computes_once = dict(self._masks), False
        return inner

    def padded(self, size):
        """The length of an axis of this `Size`, an int."""
        return size.at(self.bucket)

    def shape(self, sizes):
        return tuple(map(self.padded, sizes))

    def exact(self, size):
        """The true length: an int if it does not vary, else a traced int32."""
        return size.at(self.true)

    def range_of(self, size):
        """The least and the largest value of a `Size` that depends on remainders alone; None for any other."""
        if size not in self._ranges:
            self._ranges[size] = _range_of(size, self.bucket)
        return self._ranges[size]

    # -- masks ---------------------------------------------------------------------------------------------------------

    def valid(self, factors):
        """Which elements along an axis are valid: a bool vector; None if all are."""
        if all([factor.is_constant for factor in factors]):
            return None
        if factors not in self._masks:
            valid = None
            for factor, coordinate in zip(factors, self._coordinates(factors), strict=True):
                if not factor.is_constant:
                    inside = coordinate < self.exact(factor)
                    valid = inside if valid is None else valid & inside
            self._masks[factors] = valid
        return self._masks[factors]

    def _coordinates(self, factors):
        """The coordinates within the factors of each element along a padded axis: int32 vectors."""
        lengths = [self.padded(factor) for factor in factors]
        rest = np.arange(math.prod(lengths), dtype=np.int32)
        coordinates = []
        for length in reversed(lengths):
            coordinates.append(rest % length)
            rest = rest // length
        return coordinates[::-1]

    def masked(self, value, sizes, fill, axes=None):
        """``value`` with its padding along ``axes`` (all by default) set to ``fill``.

        Args:
            value (Padded): of the true shape ``sizes``.
            fill (scalar): of its dtype.
        """
        array = value.array
        is_zero = value.is_zero and not np.any(np.asarray(fill))
        if is_zero:
            return value
        mask = self.mask(value, sizes, axes)
        if mask is None:
            return value
        whole = axes is None or set(varying(sizes)) <= set(axes)
        filled = lax.select(mask, array, jnp.full(array.shape, fill, array.dtype))
        return Padded(filled, tuple(self.factors(value, sizes)), whole and not np.any(np.asarray(fill)))

    def mask(self, value, sizes, axes=None):
        """Which elements of a value are valid, of its shape; None if all are.

        On a CPU a large one is computed once, by a branch that is always taken: XLA would compute it in each loop that
        takes it, by a remainder for each element, which keeps a transposing copy from being vectorized.
        """
        shape, factors = value.array.shape, self.factors(value, sizes)
        which = [(axis, factors[axis]) for axis in (range(len(shape)) if axes is None else axes)]
        which = tuple([(axis, each) for axis, each in which if self.valid(each) is not None])
        if not which or not self._computes_once or math.prod(shape) < _LARGE:
            return self._mask(shape, which)
        if (shape, which) not in self._masks:
            make = functools.partial(self._mask, shape, which)
            self._masks[shape, which] = lax.cond(self.true[0] >= 0, make, lambda: jnp.zeros(shape, bool))
        return self._masks[shape, which]

    def _mask(self, shape, which):
        """As `mask`, along axes that are padded, with the factors of each."""
        mask = None
        for axis, factors in which:
            valid: Any = self.valid(factors)  # not None, since the axis is padded
            along = lax.broadcast_in_dim(valid, shape, (axis,))
            mask = along if mask is None else mask & along
        return mask

    def factors(self, value, sizes):
        """The factors of each axis; of one along which the value does not vary, its size."""
        return [factors or (size,) for factors, size in zip(value.axes, sizes, strict=True)]

    # -- other layouts -------------------------------------------------------------------------------------------------

    def aligned(self, values, sizes):
        """The values, all of the true shape ``sizes``, in one layout, and the factors of its axes."""
        arrays, axes = [value.array for value in values], []
        for axis in range(len(sizes)):
            layouts = [value.axes[axis] for value in values]
            # What is merged stays so: a prefix of a merged axis is rare, and its elements move in either case.
            target = max([each for each in layouts if each is not None], key=len, default=None)
            axes.append(target)
            for k, layout in enumerate(layouts):
                arrays[k] = self.moved(arrays[k], axis, layout, target)
        return arrays, tuple(axes)

    def moved(self, array, axis, factors, target):
        """``array`` with the elements along an axis moved from the layout ``factors`` to the layout ``target``."""
        if factors == target or factors is None or target is None:
            return array
        positions: Any = None
        stride = ONE
        for factor, coordinate in reversed(list(zip(target, self._coordinates(target), strict=True))):
            step = coordinate * self.exact(stride)
            positions = step if positions is None else positions + step
            stride = stride * factor
        # The position among the valid elements becomes that in the other layout, from the innermost factor outwards.
        # None is negative, so XLA's remainder does, which has fewer operations than NumPy's.
        place: Any = None
        padded = 1
        for factor in reversed(factors):
            exact = jnp.full(positions.shape, self.exact(factor), jnp.int32)
            step = lax.rem(positions, exact) * padded
            place = step if place is None else place + step
            positions = lax.div(positions, exact)
            padded *= self.padded(factor)
        return jnp.take(array, place, axis=axis, mode="clip")

    def paired(self, *parts):
        """Values with one layout along an axis of each: for each value its true shape, and the axis."""
        layouts = [value.axes[axis] for value, _, axis in parts]
        _, sizes, first = parts[0]
        target = max([each for each in layouts if each is not None], key=len, default=(sizes[first],))
        return [self._with(value, axis, target) for value, _, axis in parts]

    def _with(self, value, axis, target):
        axes = list(value.axes)
        array = self.moved(value.array, axis, axes[axis], target)
        is_zero = value.is_zero and array is value.array and axes[axis] is not None
        axes[axis] = target
        return Padded(array, tuple(axes), is_zero)

    def prefix(self, value, sizes, axis):
        """The value with its valid elements along an axis first."""
        axes = self.factors(value, sizes)
        array = self.moved(value.array, axis, axes[axis], (sizes[axis],))
        axes[axis] = (sizes[axis],)
        return Padded(array, tuple(axes), False)

    def canonical(self, value, sizes, but=()):
        """The value with its valid elements first along each axis, but for the axes ``but``."""
        for axis, factors in enumerate(value.axes):
            if factors is not None and len(factors) > 1 and axis not in but:
                value = self.prefix(value, sizes, axis)
        return value


def _range_of(size, bucket):
    variables = [each for monomial in size.terms for each in monomial]
    period = math.lcm(*[each.divisor for each in variables if isinstance(each, Floor)])
    symbols = sorted({each.symbol if isinstance(each, Floor) else each for each in variables})
    # At the bucket and beyond it, so that each remainder comes twice along each symbol.
    found = {}
    for steps in itertools.product(range(2 * period), repeat=len(symbols)):
        at = list(bucket)
        for symbol, step in zip(symbols, steps, strict=True):
            at[symbol] += step
        value = size.at(at)
        if found.setdefault(tuple([step % period for step in steps]), value) != value:
            return None
    return min(found.values()), max(found.values())


def normal(factors):
    """Factors in normal form: none of length 1, and no constant where it may be part of the factor before it."""
    result = []
    for factor in factors:
        if factor == ONE:
            continue
        if result and factor.is_constant and (result[-1].is_constant or len(result) == 1):
            # The valid elements of (n, 3) are the first 3n.
            result[-1] = result[-1] * factor
        else:
            result.append(factor)
    return tuple(result) or (ONE,)


def varying(sizes):
    """The axes whose length varies."""
    return [axis for axis, size in enumerate(sizes) if not size.is_constant]
