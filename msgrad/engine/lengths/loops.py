"""Rules of loops and branches: turns beyond the true length change nothing."""

import jax.numpy as jnp
from jax import lax

from .._jax_private import scan_lengths
from .layout import Padded


def _values(lengths, arrays, shapes):
    """Arrays at the boundary of a loop as values: their valid elements come first along each axis."""
    return [Padded(array, tuple([(size,) for size in shape])) for array, shape in zip(arrays, shapes, strict=True)]


def _arrays(lengths, values, shapes):
    return [lengths.canonical(value, shape).array for value, shape in zip(values, shapes, strict=True)]


def _scan(site, *values):
    lengths, body, params = site.lengths, site.params["jaxpr"], site.params
    constants, carried = scan_lengths(params)
    shapes = [aval.shape for aval in body.arguments]
    ends = [body.aval_of(each).shape for each in body.outputs]
    arrays = [lengths.canonical(value, shape).array for value, shape in zip(values, site.operands, strict=True)]
    outer, first, rows = arrays[:constants], arrays[constants : constants + carried], arrays[constants + carried :]
    length = params["length"]
    count = length if isinstance(length, int) else lengths.padded(length)
    is_fixed = isinstance(length, int)

    def turn(carry, columns):
        number, row = columns
        results = site.evaluate(body, _values(lengths, [*outer, *carry, *row], shapes))
        results = _arrays(lengths, results, ends)
        after = results[:carried]
        if not is_fixed:
            inside = number < lengths.exact(length)
            after = [jnp.where(inside, new, old) for new, old in zip(after, carry, strict=True)]
        return after, results[carried:]

    numbers = jnp.arange(count, dtype=jnp.int32)
    last, stacked = lax.scan(
        turn, first, (numbers, rows), length=count, reverse=params["reverse"], unroll=params["unroll"]
    )
    return _values(lengths, [*last, *stacked], site.results)


def _while(site, *values):
    lengths, params = site.lengths, site.params
    count, inner = params["cond_nconsts"], params["body_nconsts"]
    proceed, body = params["cond_jaxpr"], params["body_jaxpr"]
    arrays = _arrays(lengths, values, site.operands)
    shapes = site.operands[count + inner :]

    def goes_on(carry):
        operands = [*arrays[:count], *carry]
        sizes = [*site.operands[:count], *shapes]
        return site.evaluate(proceed, _values(lengths, operands, sizes))[0].array

    def turn(carry):
        operands = [*arrays[count : count + inner], *carry]
        sizes = [*site.operands[count : count + inner], *shapes]
        return _arrays(lengths, site.evaluate(body, _values(lengths, operands, sizes)), shapes)

    return _values(lengths, lax.while_loop(goes_on, turn, arrays[count + inner :]), site.results)


def _cond(site, index, *values):
    lengths, shapes = site.lengths, site.operands[1:]

    def branch(template):
        def run(*arrays):
            return _arrays(lengths, site.evaluate(template, _values(lengths, arrays, shapes)), site.results)

        return run

    branches = list(map(branch, site.params["branches"]))
    results = lax.switch(index.array.astype(jnp.int32), branches, *_arrays(lengths, values, shapes))
    return _values(lengths, results, site.results)


RULES = {"scan": _scan, "while": _while, "cond": _cond}
