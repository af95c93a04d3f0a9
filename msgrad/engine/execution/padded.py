"""Programs that a family compiles for a bucket of sizes, and the launches of its members by them.

A launch copies the operands whose shape varies into arrays of the bucket's shape, and the results out of such arrays.
"""

import bisect
import functools
import itertools
import weakref

import jax
import numpy as np

from .. import foreign_tracing, host, jax_options
from .._jax_private import Tracer, jaxpr_as_function
from ..interpreter import NotCovered, make_plan
from ..lengths.padding import make_padded
from ..lengths.template import shape_at
from . import families, tiers

_MOST = 1.25  # the cost of a launch by a larger bucket, over that by the smallest one that fits, up to which it is used
_COPYING = 0.4e-9  # seconds for each byte that is copied into or out of a padded array


def _ladder():
    """1, 2, 3, 4, 6, 8, 12, 16, 24, ...: each at most 1.5 times the one before it, from 2 on."""
    sizes = [1, 2, 3]
    while sizes[-1] < 1 << 30:
        sizes.append(2 * sizes[-2])
    return sizes


_SIZES = _ladder()


class Member:
    """What an executable has to do with its family.

    Args:
        executable (Executable): of one member.
        operands (tuple): the arguments of its first call.
    Attributes:
        family (Family): of all sizes.
        numbers (tuple of int): this member's.
    """

    def __init__(self, executable, operands):
        leaves, tree = jax.tree.flatten(operands)
        self.avals = [(array.shape, array.dtype, bool(getattr(array, "weak_type", False))) for array in leaves]
        first, *rest = executable.key_parts
        structure, self.numbers = families.split(first, self.avals)
        self._answer = None, None  # the template for which `symbols` was asked last, and what it gave
        self.family = families.family_of((structure, tuple(rest), executable.donated, tree))
        specs = jax.tree.unflatten(tree, [_spec(*aval) for aval in self.avals])
        if self.family.symbols_of(self.numbers) is None:
            reference = weakref.ref(executable)  # weakly, for it keeps its Program
            make_jaxpr = lambda: (model := reference()) and model.traced(specs)  # noqa: E731
            self.family.add(self.numbers, make_jaxpr, tuple(families.parts_of(first)))

    def symbols(self):
        """Its sizes, if the family has a template that it is known to follow; else None."""
        template = self.family.template
        if self._answer[0] is not template:  # asked at each launch by NumPy
            symbols = self.family.symbols_of(self.numbers)
            is_known = symbols is not None and self.family.is_proved(symbols)
            self._answer = template, symbols if is_known else None
        return self._answer[1]

    def traced(self):
        """Its jaxpr and the structure of its results, from the family's template; None if there is none."""
        self.family.solve()
        symbols = self.symbols()
        return None if symbols is None else (self.family.template.at(symbols), self.family.tree)

    def budget(self, compiling):
        """What it shares with others, whose ``left`` is NumPy's time until they are compiled; None if nothing.

        ``compiling`` are the seconds that it takes to compile one of them.
        """
        if self.family.refusal is not None:
            return None
        symbols = self.symbols()
        if symbols is not None:
            shared = bucket_of(self.family, symbols)
        elif len(self.family.samples) > 2:
            shared = self.family
        else:
            return None
        if shared.left is None:
            shared.left = compiling
        return shared

    def launcher(self, executable):
        """The launcher of a compiled bucket that it fits; None if it is to be compiled by itself."""
        self.family.solve()
        symbols = self.symbols()
        if symbols is None or self.family.refusal is not None:
            return None
        try:
            return Launcher(bucket_of(self.family, symbols), executable, symbols)
        except Exception as error:  # of a rule that cannot do it: the member is compiled by itself
            self.family.refuse(error)
            return None

    def is_compiled(self):
        """Whether a bucket that it fits is compiled."""
        symbols = self.symbols()
        is_known = symbols is not None and self.family.refusal is None
        return is_known and bucket_of(self.family, symbols).executable is not None


def is_allowed():
    """Whether one program may serve several sizes: on a single CPU, where a launch can pad and cut on the host."""
    return families.ALLOWED and host.is_cpu(host.current_device()) and jax.local_device_count() == 1


def member_of(executable, operands):
    """The `Member` of an executable that is called first with these operands; None if it may not be padded."""
    if not (executable.may_pad and executable.operations and is_allowed()) or foreign_tracing.is_under_way():
        return None
    try:
        return Member(executable, operands)
    except TypeError:  # a part without a hash
        return None


def _spec(shape, dtype, weak_type):
    # As `jax_options.spec`, which JAX 0.12 makes one of 32 bits outside of msgrad's options.
    return jax_options.launched(functools.partial(jax.ShapeDtypeStruct, weak_type=weak_type), shape, dtype)


class Bucket:
    """The sizes that one compiled program serves.

    Attributes:
        sizes (tuple of int): the largest that fit, one for each symbol.
        executable (Executable): of the padded program; None until it is needed.
        left (float): seconds for which NumPy may run its members before that.
    """

    def __init__(self, sizes):
        self.sizes = sizes
        self.executable = self.left = None

    def compiled(self, family, model):
        """The executable, made on the first call with options and owner of ``model``, the executable of a member."""
        if self.executable is None:
            padded, tree = self._traced(family.template), family.tree

            def run(true, *operands):
                return jax.tree.unflatten(tree, padded(true, *jax.tree.leaves(operands)))

            donated = tuple([position + 1 for position in model.donated])
            key_parts = "padded", self.sizes, family.stable_parts()
            self.executable = type(model)(run, key_parts, donated, model.operations)
            self.executable.options, self.executable.owner = model.options, model.owner
            self.executable.may_pad = False
        return self.executable

    def _traced(self, template):
        """The padded program as a function, traced here: a rule that cannot do it raises now, not at a launch."""
        avals = [aval.at(self.sizes) for aval in template.arguments]
        specs = [_spec(aval.shape, aval.dtype, aval.weak_type) for aval in avals]
        with jax_options.Tracing():
            true = jax.ShapeDtypeStruct((len(self.sizes),), np.int32)
            return jaxpr_as_function(jax.make_jaxpr(make_padded(template, self.sizes))(true, *specs))


def bucket_of(family, symbols):
    """The `Bucket` of a family for these sizes."""
    sizes = tuple([_SIZES[bisect.bisect_left(_SIZES, each)] for each in symbols])
    bucket = family.buckets.get(sizes)
    if bucket is None:
        bucket = family.buckets[sizes] = _shared_bucket(family, sizes)
    return bucket


def _shared_bucket(family, sizes):
    """The bucket for ``sizes``: of the largest program that costs little more than theirs."""
    # The parameters of a large model cost more than the tokens: then one program serves all lengths.
    limit, largest = _MOST * _cost(family, sizes), sizes
    for count in itertools.count(1):
        larger = tuple([_SIZES[_SIZES.index(each) + count] for each in sizes])
        if max(larger) > _LARGEST or _cost(family, larger) > limit:
            break
        largest = larger
    if largest not in family.buckets:
        family.buckets[largest] = Bucket(largest)
    return family.buckets[largest]


_LARGEST = 4096


def _cost(family, sizes):
    """The estimated seconds of a launch at these sizes."""
    template = family.template
    ends = [*template.arguments, *map(template.aval_of, template.outputs)]
    copied = [np.prod(shape_at(aval.shape, sizes)) * aval.dtype.itemsize for aval in ends if aval.varies]
    try:
        seconds = make_plan(template.at(sizes)).seconds
    except NotCovered:
        return float("inf")
    return seconds + _COPYING * float(sum(copied))


class Launcher:
    """Launches a member by the program of its bucket.

    Args:
        bucket (Bucket): that it fits.
        model (Executable): of the member, whose options hold.
        symbols (tuple of int): the member's sizes.
    """

    def __init__(self, bucket, model, symbols):
        family = model.member.family
        template = family.template
        self.executable = bucket.compiled(family, model)
        self.true = host.to_device(np.array(symbols, np.int32))
        self.padded = [shape_at(each.shape, bucket.sizes) if each.varies else None for each in template.arguments]
        results = list(map(template.aval_of, template.outputs))
        self.cut = [shape_at(each.shape, symbols) if each.varies else None for each in results]

    def __call__(self, *operands):
        leaves, tree = jax.tree.flatten(operands)
        if any([isinstance(each, Tracer) for each in leaves]):
            raise TypeError("tracers are not padded")
        arrays = [
            each if shape is None else _padded(each, shape) for each, shape in zip(leaves, self.padded, strict=True)
        ]
        del leaves, operands
        results = self.executable(self.true, *jax.tree.unflatten(tree, arrays))
        results, tree = jax.tree.flatten(results)
        return jax.tree.unflatten(
            tree, [each if shape is None else _cut(each, shape) for each, shape in zip(results, self.cut, strict=True)]
        )


def _padded(array, shape):
    """``array`` in the first elements of one of this shape, which is 0 elsewhere."""
    view = tiers.view_of(array)
    if view.shape == shape:
        return array
    whole = np.zeros(shape, view.dtype)
    whole[tuple([slice(length) for length in view.shape])] = view
    return host.to_device(whole, is_shared=True)


def _cut(array, shape):
    """The first elements of ``array``, as many as an array of this shape has."""
    if array.shape == shape:
        return array
    return host.to_device(np.ascontiguousarray(np.asarray(array)[tuple([slice(length) for length in shape])]))
