"""What MindSpore's compiler leaves to Python: properties, operators, `constexpr`, `lru_cache`. See ``running.py``."""

import dataclasses
import enum
import functools

import mindspore as ms
import numpy as np
from mindspore import nn, ops


def differs(n):
    """Lists are values and powers are ints in a graph alone."""
    a = []
    b = a
    b.append(n)
    return len(a), 2**-n


@ops.constexpr
def constant(n):
    return differs(n)


@ops.constexpr
def constant_functions(n):
    functions = []
    for i in range(n):

        def turn():
            return i

        functions.append(turn)
    return tuple([each() for each in functions])


@functools.lru_cache
def cached(n):
    return differs(n)


def with_both(n):
    return cached(n), differs(n)


class Kind(enum.Enum):
    TWO = 2

    @property
    def inverse(self):
        return differs(self.value)


class Descriptor:
    def __get__(self, owner, kind=None):
        return differs(2)


class Thing:
    described = Descriptor()

    @property
    def read(self):
        return differs(2)

    @functools.cached_property
    def kept(self):
        return differs(2)

    def __getattr__(self, name):
        if name == "dynamic":
            return differs(2)
        raise AttributeError(name)

    def __add__(self, other):
        return differs(other)

    def __radd__(self, other):
        return differs(other)

    def __neg__(self):
        return differs(2)

    def __lt__(self, other):
        return differs(other)[0] == 1

    def __contains__(self, item):
        return differs(item)[0] == 1

    def __bool__(self):
        return differs(2)[0] == 1

    def __int__(self):
        return differs(2)[0]

    def __iter__(self):
        return iter(differs(2))

    def __str__(self):
        return str(differs(2))

    def __len__(self):
        return differs(2)[0]

    def __call__(self, n):
        return differs(n)

    def method(self, n):
        return differs(n)


THING = Thing()


def use_constant(x):
    return x, constant(2), differs(2)


def use_constant_functions(x):
    return x, constant_functions(3)


def use_cached(x):
    return x, cached(2), differs(2)


def use_cached_twice(x):
    return x, with_both(2), cached(n=3)


def use_enum(x):
    return x, Kind.TWO.inverse


def use_descriptor(x):
    return x, THING.described


def use_property(x):
    return x, THING.read


def use_cached_property(x):
    return x, THING.kept


def use_getattr(x):
    return x, THING.dynamic, getattr(THING, "dynamic"), hasattr(THING, "read")  # noqa: B009


def use_operators(x):
    return x, THING + 2, 2 + THING, -THING


def use_comparisons(x):
    return x, THING < 1, 2 in THING


def use_truth(x):
    return x, 1 if THING else 0, not THING, bool(THING)


def use_conversions(x):
    return x, int(THING), str(THING)


def use_iterations(x):
    return x, [each for each in THING], tuple(THING)


def use_length(x):
    return x, len(THING)


def use_call(x):
    return x, THING(2), THING.method(2)


@dataclasses.dataclass(frozen=True)
class Settings:
    size: int = 2

    @property
    def inverse(self):
        return differs(self.size)

    def method(self):
        return differs(self.size)


SETTINGS = Settings()


def use_dataclass(x):
    return x, SETTINGS.inverse, SETTINGS.method()


def set_default(x):
    d = {"a": x}
    d.setdefault("z", 3)
    return d


def set_default_of_others(x):
    d = {"a": x}
    e = d
    return d.setdefault("z", x), d, e


def set_default_inner(x):
    d = {"a": {"b": x}}
    d.setdefault("z", 3)
    return d


def pop_item(x):
    d = {"a": x, "b": 2}
    return d, d.popitem()


class NetProperty(nn.Cell):
    @property
    def read(self):
        a = []
        b = a
        b.append(2)
        return len(a), 2 ** -len(b)

    def construct(self, x):
        return x, self.read


class NetCustom(nn.Cell):
    def __init__(self):
        super().__init__()
        self.custom = ops.Custom(on_host, lambda s: s, lambda d: d, func_type="pyfunc")

    def construct(self, x):
        return self.custom(x)


def on_host(array):
    kept = []
    same = kept
    same.append(array * 2**-1)
    array = array.copy()
    other = array
    other[0] = 7
    return array + kept[0]


@ms.jit_class
class Made:
    def __init__(self, n):
        self.values = []
        same = self.values
        same.append(n)


def use_made(x):
    return x, Made(2).values


@ops.constexpr
def table(shape):
    values = np.zeros(shape, np.float32)
    same = values
    same[1] = 2**-1
    return ms.Tensor(values)


def use_table(x):
    return x + table(x.shape)
