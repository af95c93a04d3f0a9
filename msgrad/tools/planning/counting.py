"""Operations and bytes of a jaxpr, by where they belong: what mathematics needs, not what a compiler makes of it."""

import collections
import dataclasses
import math

import jax

from ...engine._jax_private import Literal, jaxprs_in_parameters
from ..operation_counts import contracted, of_convolution, of_product
from .calls import origin_of
from .schedule import Exchange

# Kinds of numbers that matrix units multiply.
KINDS = ("bf16", "f16", "tf32", "f32", "f64", "i8")
_OF_DTYPES = {"bfloat16": "bf16", "float16": "f16", "float64": "f64", "complex128": "f64", "int8": "i8"}
_FREE = {  # which move no byte once a compiler has fused them
    *("broadcast_in_dim", "reshape", "squeeze", "expand_dims", "convert_element_type", "bitcast_convert_type", "iota"),
    *("transpose", "copy", "stop_gradient", "sharding_constraint", "optimization_barrier", "name"),
}
_MOVING = {"gather", "scatter", "scatter-add", "dynamic_slice", "dynamic_update_slice", "concatenate", "sort", "cumsum"}
_KERNELS = ("dot_product_attention", "pallas_call")
_HEADS_FIRST = 1  # JAX's number for attention of arrays (batch, heads, length, size)
_LEAST_PAIRS = 256  # positions, from which on the weights of an attention are worth a word
COLLECTIVES = {
    "psum": "all-reduce",
    "psum_invariant": "all-reduce",
    "pmax": "all-reduce",
    "pmin": "all-reduce",
    "all_gather": "all-gather",
    "all_to_all": "all-to-all",
    "reduce_scatter": "reduce-scatter",
    "ppermute": "collective-permute",
}


@dataclasses.dataclass
class Count:
    """What some equations compute.

    Attributes:
        products (Counter): operations of matrix products and convolutions by kind of number.
        others (float): all other operations.
        bytes (float): moved, by an estimate that lets elementwise operations fuse.
    """

    products: collections.Counter = dataclasses.field(default_factory=collections.Counter)
    others: float = 0.0
    bytes: float = 0.0

    def add(self, other):
        self.products.update(other.products)
        self.others += other.others
        self.bytes += other.bytes

    @property
    def flops(self):
        """All operations."""
        return sum(self.products.values()) + self.others


@dataclasses.dataclass(frozen=True)
class Weights:
    """An intermediate value with an axis for each pair of positions: the weights of an attention.

    Attributes:
        shape (tuple), dtype (str): of the value.
        origin (Origin): where it is computed.
    """

    shape: tuple
    dtype: str
    origin: tuple


class Counting:
    """Counts the equations of a jaxpr.

    Attributes:
        by_origin (dict): the `Count` of each `Origin`.
        emulated (Counter): how many operations have a dtype that a TPU emulates, by operation, line and dtype.
        weights (set of Weights): of attentions that hold them.
        exchanges (list of Exchange): the collectives of the program's processes.
    """

    def __init__(self, jaxpr, platform):
        self.platform = platform
        self.by_origin = collections.defaultdict(Count)
        self.emulated = collections.Counter()
        self.weights, self.exchanges = set(), []
        self._walk(jaxpr, "", 1)

    def total(self):
        """The `Count` of all."""
        total = Count()
        for count in self.by_origin.values():
            total.add(count)
        return total

    def _walk(self, jaxpr, around, times):
        uses = collections.Counter(v for e in jaxpr.eqns for v in e.invars if not isinstance(v, Literal))
        uses.update(v for v in jaxpr.outvars if not isinstance(v, Literal))
        outputs = {v for v in jaxpr.outvars if not isinstance(v, Literal)}
        for equation in jaxpr.eqns:
            name = f"{around}/{equation.source_info.name_stack}"
            primitive = equation.primitive.name
            if primitive.startswith("dot_product_attention"):
                self._at(name).products[self._kind(equation)] += times * _of_attention(equation)
                self._at(name).bytes += times * _bytes_of(equation)
                continue
            if primitive == "pallas_call":
                self._pallas(equation, name, times)
                continue
            if primitive == "collective":
                self._exchange(equation, name, times)
                continue
            inner = list(jaxprs_in_parameters(equation.params))
            if inner:
                self._within(equation, primitive, inner, name, times)
                continue
            self._count(equation, primitive, self._at(f"{name}/{primitive}"), uses, outputs, times)
            self._look(equation, primitive, f"{name}/{primitive}")

    def _at(self, name):
        return self.by_origin[origin_of(name)]

    def _within(self, equation, primitive, inner, name, times):
        if primitive == "scan":
            times *= equation.params["length"]
        if primitive == "cond":
            inner = [max(inner, key=self._rank)]
        for each in inner:
            self._walk(_open(each), name, times)

    def _rank(self, branch):
        """The rank of a branch of a condition, the highest of which counts: by kernels, then operations, then bytes."""
        total = Counting(_open(branch), self.platform).total()
        return _has_kernel(_open(branch)), total.flops, total.bytes

    def _pallas(self, equation, name, times):
        estimate = equation.params.get("cost_estimate")
        count = self._at(name)
        count.bytes += times * _bytes_of(equation)
        if estimate is not None:
            count.products[self._kind(equation)] += times * estimate.flops
            return
        grid = math.prod([n for n in equation.params["grid_mapping"].grid if isinstance(n, int)])
        inner = Counting(_open(equation.params["jaxpr"]), self.platform).total()
        count.products.update({kind: times * grid * flops for kind, flops in inner.products.items()})
        count.others += times * grid * inner.others

    def _exchange(self, equation, name, times):
        self._at(name).bytes += times * _bytes_of(equation)
        group, exchange = equation.params["group"], equation.params["exchange"]
        value = equation.invars[0].aval
        fn = group.within(lambda value: exchange.forward(value, group))
        jaxpr = jax.make_jaxpr(fn)(jax.ShapeDtypeStruct(value.shape, value.dtype)).jaxpr
        for kind, size in _sent(jaxpr):
            self.exchanges.append(Exchange(kind, size, group.size, origin_of(name), times))

    def _count(self, equation, primitive, count, uses, outputs, times):
        results = [v.aval for v in equation.outvars if hasattr(v.aval, "shape")]
        size = sum([math.prod(aval.shape) for aval in results])
        if primitive == "dot_general":
            count.products[self._kind(equation)] += times * _of_product(equation)
            count.bytes += times * _bytes_of(equation)
        elif primitive == "conv_general_dilated":
            count.products[self._kind(equation)] += times * of_convolution(equation)
            count.bytes += times * _bytes_of(equation)
        elif primitive.startswith("reduce_") or primitive in ("argmax", "argmin", "select_and_gather_add"):
            operands = [v.aval for v in equation.invars]
            count.others += times * sum([math.prod(aval.shape) for aval in operands])
            count.bytes += times * sum(map(size_of, results))
        elif primitive not in _FREE:
            count.others += times * size
            is_kept = primitive in _MOVING or any(uses[v] > 1 or v in outputs for v in equation.outvars)
            count.bytes += times * sum(map(size_of, results)) * (1 + is_kept) * is_kept

    def _kind(self, equation):
        dtype = equation.invars[0].aval.dtype.name
        if dtype != "float32":
            return _OF_DTYPES.get(dtype, "f32")
        said = str(equation.params.get("precision")).upper()
        if "HIGHEST" in said or "FLOAT32" in said or self.platform == "cpu":
            return "f32"
        if "HIGH" in said or self.platform == "cuda":
            return "tf32"
        return "bf16"

    def _look(self, equation, primitive, name):
        for variable in equation.outvars:
            aval = variable.aval
            # A single number costs nothing: learning rates, epsilons and probabilities are Python's floats.
            dtype = aval.dtype.name if getattr(aval, "size", 0) > 1 else ""
            if dtype in ("float64", "complex128") and primitive not in _FREE and self.platform == "tpu":
                origin = origin_of(name)
                self.emulated[(origin.operation, origin.line, dtype)] += 1
        if primitive == "dot_general":
            shape = equation.outvars[0].aval.shape
            is_of_pairs = len(shape) >= 3 and min(shape[-2:]) >= _LEAST_PAIRS > contracted(equation)
            if is_of_pairs and equation.params["dimension_numbers"][1][0]:
                self.weights.add(Weights(shape, equation.outvars[0].aval.dtype.name, origin_of(name)))


def _has_kernel(jaxpr):
    """Whether attention is computed by a kernel somewhere in it."""
    for equation in jaxpr.eqns:
        if equation.primitive.name.startswith(_KERNELS):
            return True
        if any(_has_kernel(_open(each)) for each in jaxprs_in_parameters(equation.params)):
            return True
    return False


def _sent(jaxpr):
    """The kind of each collective in a jaxpr, and the bytes of its results."""
    for equation in jaxpr.eqns:
        if equation.primitive.name in COLLECTIVES:
            yield COLLECTIVES[equation.primitive.name], sum([size_of(v.aval) for v in equation.outvars])
        for inner in jaxprs_in_parameters(equation.params):
            yield from _sent(_open(inner))


def _open(jaxpr):
    return getattr(jaxpr, "jaxpr", jaxpr)


def size_of(aval):
    """The bytes of an abstract value; 0 of a key or a token."""
    return math.prod(aval.shape) * aval.dtype.itemsize if hasattr(aval, "dtype") else 0


def _bytes_of(equation):
    return sum([size_of(v.aval) for v in (*equation.invars, *equation.outvars) if hasattr(v.aval, "dtype")])


def _of_product(equation):
    return of_product(equation) * (4 if equation.outvars[0].aval.dtype.kind == "c" else 1)


def _of_attention(equation):
    """Operations of cuDNN's attention: two products forward, five backward."""
    q, k = [v.aval.shape for v in equation.invars[:2]]
    heads, length = (1, 2) if equation.params["layout"] == _HEADS_FIRST else (2, 1)
    pairs = q[0] * q[heads] * q[length] * k[length]
    return (10 if "bwd" in equation.primitive.name else 4) * pairs * q[-1]
