"""Buckets: the sizes for which a family compiles padded programs, and which of these programs serves a member.

A program costs seconds to compile, and then serves all sizes up to its own, small ones at the cost of large ones. Until
that has cost as much as compiling one for the smaller sizes, the larger one is used: as in `tiers`, at most twice what
would have been best. So the first program is one for the largest sizes seen so far, and so is the next for sizes that
do not fit it: of images one for the most rows and columns, rather than one for high and one for wide ones. Each launch
counts for all buckets that would have served it in less time, so the next one is compiled for what many lengths have in
common: after one for lengths up to 128, one for those up to 64, and none for each of 24, 32 and 48.
"""

import bisect
import functools
import itertools
import math

import jax
import numpy as np
from jax import lax

from .. import host, jax_options
from .._jax_private import jaxpr_as_call
from ..lengths.costs import TemplateCosts
from ..lengths.padding import make_padded
from ..lengths.sizes import LADDER
from ..lengths.template import shape_at
from . import costs

_MOST = 1.25  # the cost of a launch by a larger bucket, over that by the smallest one that fits, up to which it is used
_LARGEST = 4096  # up to which a bucket is larger than it must be
MASKED = 1.3  # the time of compiling a padded program over that of an exact one: 670 equations in place of 480
_MOST_ROOM = 8  # elements by which an operand may be longer than its bucket


class Buckets:
    """The programs of a family.

    Args:
        family (Family): it has a template.
    Attributes:
        costs (TemplateCosts): of its programs at any sizes.
        version (int): changes with each bucket that is added or compiled.
    """

    def __init__(self, family):
        self._family, self.costs = family, TemplateCosts(family.template, costs.current().padded)
        self._buckets, self._largest, self.version = {}, None, 0
        # An estimate that fails does so here, where the family is refused then, and not at a launch.
        self.costs.padded(tuple([column[0] for column in family.template.symbols.columns]))

    def own(self, symbols):
        """The bucket of these sizes: each the next of the `LADDER`, or a later one where that costs little more."""
        sizes = tuple([LADDER[bisect.bisect_left(LADDER, each)] for each in symbols])
        bucket = self._buckets.get(sizes)
        if bucket is None:
            larger = self._stretched(sizes)
            bucket = self._buckets.get(larger)
            if bucket is None:
                bucket = self._buckets[larger] = Bucket(self._family, larger, self._compiling())
                self.version += 1
            self._buckets[sizes] = bucket
        return bucket

    def _compiling(self):
        """Seconds that it takes to compile one of its programs."""
        return MASKED * costs.current().of_compiling(self.costs)

    def _stretched(self, sizes):
        """The largest sizes that cost little more than these."""
        # The parameters of a large model cost more than the tokens: then one program serves all lengths.
        limit, largest = _MOST * self.costs.padded(sizes), sizes
        for count in itertools.count(1):
            larger = tuple([LADDER[LADDER.index(each) + count] for each in sizes])
            if max(larger) > _LARGEST or self.costs.padded(larger) > limit:
                return largest
            largest = larger

    def compiled(self):
        """Those that are compiled, the smallest first."""
        found = {each for each in self._buckets.values() if each.executable is not None}
        return sorted(found, key=lambda each: each.sizes)

    def note(self, symbols):
        """Notes sizes that have come."""
        self._largest = tuple(map(max, symbols, self._largest or symbols))

    def _fitting(self, symbols):
        """Those that these sizes fit, with the seconds of a launch."""
        own = self.own(symbols)
        fitting = [each for each in set(self._buckets.values()) if all(map(int.__le__, symbols, each.sizes))]
        return [(each, self.costs.padded(each.sizes)) for each in {own, *fitting}]

    def serving(self, symbols, seconds=math.inf):
        """The compiled bucket that serves these sizes best, in at most ``seconds``.

        None if there is none, or by now a smaller one would have paid.
        """
        own = self.own(symbols)
        if own.executable is not None:
            return own
        fitting = self._fitting(symbols)
        compiled = [(cost, each.sizes, each) for each, cost in fitting if each.executable is not None]
        if not compiled or any([each.seconds_left <= 0 for each, _ in fitting]):
            return None
        cost, _, best = min(compiled)
        return best if cost <= seconds else None

    def chosen(self, symbols):
        """The bucket for a launch at these sizes: a compiled one, or one that is to be compiled now."""
        serving = self.serving(symbols)
        if serving is not None:
            return serving
        self.note(symbols)
        fitting = self._fitting(symbols)
        if all([each.executable is None for each, _ in fitting]):
            largest = self.own(self._largest)
            if self.costs.padded(largest.sizes) <= self.costs.by_numpy(symbols):
                return largest
        paid = [(cost, each.sizes, each) for each, cost in fitting if each.seconds_left <= 0]
        return min(paid)[-1] if paid else self.own(symbols)

    def faster(self, symbols, bucket):
        """The buckets by which a launch at these sizes takes less time than by ``bucket``, with the seconds less.

        There are none for the one that they are to have.
        """
        if bucket is self.own(symbols):
            return []
        seconds = self.costs.padded(bucket.sizes)
        return [(each, seconds - cost) for each, cost in self._fitting(symbols) if cost < seconds]

    def note_compiled(self):
        """Notes that one more is compiled: what the others would have saved is counted anew, from now on."""
        self.version += 1
        for each in self._buckets.values():
            each.seconds_left = math.inf if each.executable is not None else self._compiling()


class Bucket:
    """The sizes that one compiled program serves.

    Args:
        family (Family): whose program it is.
        sizes (tuple of int): the largest that fit, one for each symbol.
        seconds_left (float): by which other programs, or NumPy, may take longer before it is compiled.
    Attributes:
        executable (Executable): of the padded program; None until it is needed.
    """

    def __init__(self, family, sizes, seconds_left):
        self._family, self.sizes, self.seconds_left, self.executable = family, sizes, seconds_left, None

    @functools.cached_property
    def operands(self):
        """The shape of each operand that varies, or None.

        A cache that grows by a token is a result of more elements than the operand has: the operand has room for
        them, so that the result is the next operand as it is.
        """
        results = [each for each in self._results() if each.varies]
        return [self._with_room(aval, results) if aval.varies else None for aval in self._family.template.arguments]

    @functools.cached_property
    def reused(self):
        """For each result, whether its padding is 0, since it may be the next operand.

        On a CPU those of the shape of an operand; on an accelerator all, which keep their padding (`padded.Launcher`).
        """
        if not host.is_cpu(host.current_device()):
            return [aval.varies for aval in self._results()]
        shapes = {
            (shape, aval.dtype) for shape, aval in zip(self.operands, self._family.template.arguments, strict=True)
        }
        return [aval.varies and (shape_at(aval.shape, self.sizes), aval.dtype) in shapes for aval in self._results()]

    def _results(self):
        template = self._family.template
        return list(map(template.aval_of, template.outputs))

    def _with_room(self, aval, results):
        shape = shape_at(aval.shape, self.sizes)
        for result in results:
            larger = shape_at(result.shape, self.sizes)
            if result.dtype == aval.dtype and len(larger) == len(shape):
                if all(
                    0 <= more - least <= _MOST_ROOM * (more != least) for least, more in zip(shape, larger, strict=True)
                ):
                    return larger
        return shape

    def compiled(self, model):
        """The executable, made on the first call with options and owner of ``model``, the executable of a member."""
        if self.executable is None:
            padded, tree = self._traced(), self._family.tree

            def run(true, *operands):
                return jax.tree.unflatten(tree, padded(true, *jax.tree.leaves(operands)))

            donated = tuple([position + 1 for position in model.donated])
            key_parts = "padded", self.sizes, self._family.stable_parts()
            executable = type(model)(run, key_parts, donated, model.operations)
            executable.options, executable.owner, executable.may_pad = model.options, model.owner, False
            self.executable = executable
            self._family.buckets.note_compiled()
        return self.executable

    def _traced(self):
        """The padded program as a function, traced here: a rule that cannot do it raises now, not at a launch."""
        template = self._family.template
        padded, avals = (
            make_padded(template, self.sizes, self.reused),
            [each.at(self.sizes) for each in template.arguments],
        )

        def cropped(true, *arrays):
            pairs = zip(arrays, avals, strict=True)
            return padded(true, *[lax.slice(array, (0,) * array.ndim, aval.shape) for array, aval in pairs])

        specs = [
            spec(shape or aval.shape, aval.dtype, aval.weak_type)
            for shape, aval in zip(self.operands, avals, strict=True)
        ]
        with jax_options.Tracing():
            true = jax.ShapeDtypeStruct((len(self.sizes),), np.int32)
            return jaxpr_as_call(jax.make_jaxpr(cropped)(true, *specs))


def spec(shape, dtype, weak_type):
    """The type of an operand."""
    # As `jax_options.spec`, which JAX 0.12 makes one of 32 bits outside of msgrad's options.
    return jax_options.launched(functools.partial(jax.ShapeDtypeStruct, weak_type=weak_type), shape, dtype)
