"""Programs that a family compiles for a bucket of sizes, and the launches of its members by them.

A launch copies the operands whose shape varies into arrays of the bucket's shape, and the results out of such arrays. A
result that may be the next operand, as of a cache that grows, is remembered with its padding, which is 0.

On an accelerator the results stay there with their padding (`Uncropped`), and are the next operands as they are.
"""

import weakref
from typing import Any

import jax
import numpy as np

from .. import foreign_tracing, host
from .._jax_private import Tracer
from ..lengths.sharding import check_parts
from ..lengths.template import shape_at
from ..uncropped import Uncropped, cropped
from . import costs, families, resizing, tiers
from .buckets import MASKED, spec
from .families import Sample
from .relatives import relatives_of
from .splitting import operations_of, split, split_aval


class Member:
    """An executable as a member of its family.

    Args:
        executable (Executable): of one member.
        operands (tuple): the arguments of its first call.
    Attributes:
        relatives (Relatives): the Programs of its structure.
        numbers (tuple of int): this one's.
        shardings (tuple): of the operands over several devices, each None for one that is on a single device.
        family (Family): whose template is known to hold for it; None as long as there is none.
    """

    def __init__(self, executable, operands):
        leaves, tree = jax.tree.flatten(operands)
        self.avals = [(array.shape, array.dtype, bool(getattr(array, "weak_type", False))) for array in leaves]
        first, *rest = executable.key_parts
        structure, self.numbers = split(first, [split_aval(*aval) for aval in self.avals], exact=0)
        is_on_cpu = host.is_cpu(host.current_device())  # as the padding of results depends on it
        axes = sum([length != 0 for shape, *_ in self.avals for length in shape])
        self.shardings = _shardings_of(leaves)
        key = structure, tuple(rest), executable.donated, tree, is_on_cpu, self.shardings
        self.relatives = relatives_of(key, axes)
        self._looked_in = self._symbols = None
        self.family: Any = None
        self._asked = 0, False  # among how many samples relatives were looked for, and whether there were enough
        self._make_jaxpr = _tracer_of(executable, tree, self.avals)
        self._sample = None  # of a member that had no family when it came
        if self.symbols() is None:
            self._sample = Sample(self.numbers, self._make_jaxpr, tuple(operations_of(first)))
            self.relatives.add(self._sample)

    def symbols(self):
        """The values of its family's symbols; None if no family has a template for it."""
        families = self.relatives.families
        if self._looked_in is not families:  # asked at each launch by NumPy
            self._looked_in = families
            self.family, self._symbols = self.relatives.found(self.numbers, self._make_jaxpr)
        return self._symbols

    def from_template(self):
        """Its jaxpr and the structure of its results, from its family's template; None if there is none."""
        symbols = self._solved()
        return None if symbols is None else (self.family.template.at(symbols), self.family.tree)

    def _solved(self):
        """Its sizes, after an attempt at a family for it where there is none."""
        if self.symbols() is None and self._sample is not None:
            self.relatives.solve(self._sample)
        return self.symbols()

    def has_relatives(self):
        """Whether it might be of a family that is yet to come."""
        count = len(self.relatives.samples)
        if self._asked[0] != count:  # asked at each launch by NumPy
            self._asked = count, self.relatives.may_tell(self.numbers)
        return self._asked[1]

    def is_akin_to(self, other):
        """Whether it may be of one family with another member."""
        return self.relatives is other.relatives and self.relatives.are_akin(self.numbers, other.numbers)

    def budget(self, compiling):
        """The holder of ``seconds_left`` that NumPy has until one of its family is compiled; None if there is none.

        ``compiling`` are the seconds that it takes to compile one of them.
        """
        symbols, shared = self.symbols(), self.family or self.relatives
        if shared.refusal is not None or symbols is None and not self.has_relatives():
            return None
        if symbols is not None and self.family.buckets.compiled():
            return self.family.buckets.own(symbols)
        if shared.seconds_left is None:
            shared.seconds_left = MASKED * compiling
        return shared

    def launcher(self, executable):
        """The launcher of a compiled bucket that it fits; None if it is to be compiled by itself."""
        symbols = self._solved()
        if symbols is None or self.family.refusal is not None:
            return None
        try:
            self._check_shardings()
            return Launcher(self.family.buckets.chosen(symbols), executable, symbols)
        except Exception as error:  # of a rule that cannot do it: the member is compiled by itself
            self.family.refuse(error)
            return None

    def _check_shardings(self):
        pairs = zip(self.shardings, self.family.template.arguments, strict=False)
        for sharding, aval in pairs:
            if sharding is not None:
                check_parts(sharding, aval.shape, aval.sample.shape)

    def is_served(self, is_planned):
        """Whether a compiled bucket serves it in less time than NumPy, which ``is_planned`` for it or not yet."""
        symbols = self.symbols()
        if symbols is None or self.family.refusal is not None:
            return False
        buckets = self.family.buckets
        buckets.note(symbols)
        making = 0.0 if is_planned else tiers.TRACED * buckets.costs.size
        return buckets.serving(symbols, buckets.costs.by_numpy(symbols) + making) is not None


def _tracer_of(executable, tree, avals):
    """A function that traces an executable at operands of these types; it gives None once that is gone."""
    reference = weakref.ref(executable)  # weakly, for it keeps its Program

    def make_jaxpr():
        model = reference()
        # The types are made here: few members are traced, and those of all operands of a model take 3 ms.
        return model and model.traced(jax.tree.unflatten(tree, [spec(*aval) for aval in avals]))

    return make_jaxpr


def is_allowed():
    """Whether one program may serve several sizes here."""
    return why_not() is None


def why_not():
    """Why no program may serve several sizes here; None if one may."""
    if not families.ALLOWED:
        return "MSGRAD_LENGTHS=off"
    if not host.is_cpu(host.current_device()) and jax.process_count() > 1:
        return "several processes have accelerators"
    return None


def member_of(executable, operands):
    """The `Member` of an executable that is called first with these operands; None if it may not be padded."""
    if not (executable.may_pad and executable.operations and is_allowed()) or foreign_tracing.is_under_way():
        return None
    try:
        return Member(executable, operands)
    except TypeError:  # a part without a hash
        return None


class Launcher:
    """Launches a member by the program of a bucket, until smaller ones would have saved what compiling one takes.

    On an accelerator a member that is launched for long gets a program of its own in the end: there operands that only
    the device has, such as Parameters whose sizes vary from layer to layer, are padded again at each launch.

    Args:
        bucket (Bucket): that it fits.
        model (Executable): of the member, whose options hold.
        symbols (tuple of int): the member's sizes.
    """

    def __init__(self, bucket, model, symbols):
        template = model.member.family.template
        self._buckets, self._model = model.member.family.buckets, weakref.ref(model)  # which keeps this launcher
        self._kind, self._shardings = type(model), model.member.shardings
        self._cropping = None if host.is_cpu(host.current_device()) else resizing.Cropping(self._kind)
        self._symbols = symbols
        self._left = costs.current().of_compiling(self._buckets.costs)  # seconds, until it is compiled alone
        self._true = host.to_device(np.array(symbols, np.int32))
        results = list(map(template.aval_of, template.outputs))
        self._shapes = [shape_at(each.shape, symbols) if each.varies else None for each in results]
        self._use(bucket)

    def _use(self, bucket):
        seconds = self._buckets.costs.padded
        self._over_exact = seconds(bucket.sizes) - seconds(self._symbols)
        self._executable, self._padded = bucket.compiled(self._model()), bucket.operands
        self._faster, self._version = self._buckets.faster(self._symbols, bucket), self._buckets.version
        self._results = list(zip(self._shapes, bucket.reused, strict=True))

    def __call__(self, *operands):
        has_paid = False
        for bucket, seconds in self._faster:
            bucket.seconds_left -= seconds
            has_paid |= bucket.seconds_left <= 0
        if has_paid or self._version != self._buckets.version:
            self._use(self._buckets.chosen(self._symbols))
        leaves, tree = jax.tree.flatten(operands)
        if any([isinstance(each, Tracer) for each in leaves]) or _shardings_of(leaves) != self._shardings:
            raise TypeError("tracers are not padded, nor arrays that are sharded otherwise")
        if self._cropping is not None:
            unpadded = [resizing.is_unpadded(*each) for each in zip(leaves, self._padded, strict=True)]
            self._left -= self._over_exact + costs.current().launching * sum(unpadded)
            if self._left <= 0:
                return self._model().compile_alone(*operands)
        pairs = zip(leaves, self._padded, strict=True)
        arrays = [self._operand(*each) for each in pairs]
        del leaves, operands, pairs
        results = self._executable(self._true, *jax.tree.unflatten(tree, arrays))
        del arrays
        results, tree = jax.tree.flatten(results)
        pairs = zip(results, self._results, strict=True)
        return jax.tree.unflatten(tree, [self._true_part(each, *about) for each, about in pairs])

    def _operand(self, array, shape):
        """``array`` padded to this shape; None stands for its own."""
        return cropped(array) if shape is None else resizing.with_padding(array, shape, self._kind)

    def _true_part(self, array, shape, is_reused):
        """The first elements of ``array``, as many as an array of this shape has; None stands for its own shape."""
        if shape is None or array.shape == shape:
            return array
        if self._cropping is not None:
            return Uncropped(array, shape, self._cropping)
        return resizing.cropped_by_host(array, shape, is_reused)


def _shardings_of(arrays):
    """The sharding of each array over several devices, or None; the empty tuple where there is but one device."""
    return () if jax.local_device_count() == 1 else tuple(map(resizing.sharding_of, arrays))
