"""Functions, classes, comprehensions. See ``running.py``."""

import functools
import math

import mindspore as ms
import numpy as np
from mindspore import Tensor, ops


def nested_fn(x):
    def g(y):
        return y * 2

    return g(x) + g(g(x))


def closure(x):
    k = 3

    def g(y):
        return y * k + x

    return g(x)


def lambda_inside(x):
    g = lambda y: y * 2 + 1
    return g(x)


def lambda_two(x):
    g = lambda a, b=3: a * b
    return g(x), g(x, 4), g(x, b=5)


def lambda_list(x):
    gs = [lambda y: y + 1, lambda y: y * 2]
    return gs[0](x), gs[1](x)


def lambda_dict(x):
    gs = {"a": lambda y: y + 1}
    return gs["a"](x)


def defaults(x):
    def g(y, k=2, j=3):
        return y * k + j

    return g(x), g(x, 5), g(x, j=1), g(k=7, y=x)


def var_args(x):
    def g(*args):
        return len(args), args[0]

    return g(x), g(x, 1, 2)


def var_kwargs(x):
    def g(**kw):
        return kw["a"] + kw["b"]

    return g(a=x, b=1)


def var_both(x):
    def g(a, *args, k=1, **kw):
        return a * k, args, kw

    return g(x, 2, 3, k=4, z=5)


def unpack_call(x):
    def g(a, b, c):
        return a * b + c

    args = (x, 2, 3)
    return g(*args), g(*[x, 1], **{"c": 4})


def unpack_call_mixed(x):
    def g(*a, **k):
        return len(a), len(k)

    return g(*(1, 2), 3, *[4], **{"p": 1}, q=2)


def kw_only(x):
    def g(a, *, k):
        return a * k

    return g(x, k=3)


def pos_only(x):
    def g(a, /, b):
        return a * b

    return g(x, 3)


def return_multiple(x):
    def g(a):
        return a, a + 1, [a]

    p, q, r = g(x)
    return p, q, r


def function_argument(x):
    def apply(f, v):
        return f(v)

    def sq(v):
        return v * v

    return apply(sq, x)


def function_returned(x):
    def make(k):
        def g(v):
            return v * k

        return g

    return make(3)(x)


def recursion(n):
    return n if n < 1 else n + recursion(n - 1)


def recursion_fact(n):
    if n <= 1:
        return 1
    return n * recursion_fact(n - 1)


def recursion_tensor(t):
    if t > 20:
        return t
    return recursion_tensor(t * 3)


def mutual(n):
    return even(n)


def even(n):
    return True if n == 0 else odd(n - 1)


def odd(n):
    return False if n == 0 else even(n - 1)


def fib(n):
    if n < 2:
        return n
    return fib(n - 1) + fib(n - 2)


def module_function(x):
    return helper(x, 2)


def helper(a, k, z=1):
    return a * k + z


def module_function_kw(x):
    return helper(k=2, a=x, z=0)


def ops_module(x):
    return ops.relu(x), ops.tanh(x), ms.ops.abs(x)


def partial(x):
    g = functools.partial(helper, k=4)
    return g(x)


def partial_ops(x):
    return ops.partial(helper, x)(3) if hasattr(ops, "partial") else x


def math_consts(x):
    return x * math.pi, math.sqrt(16), math.floor(2.7)


def np_consts(x):
    return x * np.pi, np.float32(2.5), x + np.array([1, 2, 3], np.float32)


def np_array_used(x):
    a = np.array([1.0, 2.0, 3.0], np.float32)
    return x + Tensor(a)


def np_module_array(x):
    return x + Tensor(TABLE)


TABLE = np.array([1.0, 2.0, 3.0], np.float32)


def np_shape(x):
    return TABLE.shape, TABLE.sum()


def np_calls(x):
    return np.zeros((2,)).tolist(), np.arange(3)


def builtin_as_arg(x):
    return list(map(abs, [-1, 2, -3]))


def map_lambda(x):
    return list(map(lambda a: a * 2, [1, x]))


def map_two(x):
    return tuple(map(lambda a, b: a + b, (1, 2), (x, x)))


def filter_fn(x):
    return list(filter(lambda a: a > 1, [1, 2, 3]))


def filter_none(x):
    return list(filter(None, [0, 1, 2]))


def reduce_fn(x):
    return functools.reduce(lambda a, b: a + b, [1, 2, 3])


def star_return(x):
    a = (1, 2)
    return (*a, x), [*a, 3], {**{"p": 1}, "q": x}


def iife(x):
    return (lambda y: y + 1)(x)


def default_mutable(x, k=[1, 2], d={"a": 3}):
    return x * k[1] + d["a"]


def default_none(x, z=None):
    if z is None:
        z = x * 2
    return x + z


def docstring_fn(x):
    """doc"""
    return x


def generator_expr(x):
    return sum(a for a in [1, 2, 3])


def generator_expr_tensor(x):
    return sum(x * a for a in range(3))


def any_gen(x):
    return any(a > 2 for a in [1, 2, 3]), all(a > 2 for a in [1, 2, 3])


def list_comp(x):
    return [x * a for a in range(3)]


def list_comp_if(x):
    return [a * 2 for a in range(6) if a % 2]


def list_comp_ifs(x):
    return [a for a in range(20) if a % 2 if a % 3 == 0]


def list_comp_nested(x):
    return [[a * b for a in range(2)] for b in range(3)]


def list_comp_two(x):
    return [a * b for a in range(3) for b in range(2)]


def list_comp_ternary(x):
    return [x if a else -x for a in (0, 1)]


def list_comp_tuple(x):
    return [(a, b) for a, b in zip([1, 2], [3, 4])]


def list_comp_str(s):
    return [c + c for c in s]


def list_comp_tensor(m):
    return [r.sum() for r in m]


def list_comp_closure(x):
    k = 2
    return [x * k + a for a in (1, 2)]


def list_comp_dict(x):
    d = {"a": 1, "b": x}
    return [k for k in d], [v for v in d.values()], [k for k, v in d.items()]


def list_comp_scope(x):
    a = 10
    b = [a for a in range(3)]
    return a, b


def dict_comp(x):
    return {k: x * v for k, v in (("a", 1), ("b", 2))}


def dict_comp_if(x):
    return {str(k): k for k in range(4) if k != 2}


def dict_comp_items(x):
    d = {"a": 1, "b": 2}
    return {k: v + 1 for k, v in d.items()}


def set_comp(x):
    return len({a % 2 for a in range(4)})


def tuple_gen(x):
    return tuple(a * 2 for a in (1, 2))


def tuple_comp(x):
    return tuple([x * a for a in (1, 2)])


def class_instance(x):
    c = Scale(3)
    return c.apply(x), c.k


@ms.jit_class
class Scale:
    def __init__(self, k):
        self.k = k

    def apply(self, x):
        return x * self.k

    def __call__(self, x):
        return x + self.k

    @property
    def double(self):
        return self.k * 2

    @staticmethod
    def static(a):
        return a + 100

    @classmethod
    def cls(cls, a):
        return a + 1000


class Plain:
    factor = 4

    def __init__(self, k):
        self.k = k

    def apply(self, x):
        return x * self.k

    def __len__(self):
        return self.k

    def __getitem__(self, i):
        return i * self.k


PLAIN = Plain(5)
SCALE = Scale(6)


def class_global(x):
    return SCALE.apply(x), SCALE.k, SCALE(x)


def class_property(x):
    return SCALE.double, Scale.static(x), SCALE.static(1)


def class_set_attr(x):
    c = Scale(3)
    c.k = 7
    return c.apply(x)


def class_plain(x):
    return PLAIN.apply(x), PLAIN.k, PLAIN.factor


def class_plain_created(x):
    return Plain(2).apply(x)


def class_plain_special(x):
    return len(PLAIN), PLAIN[3]


def hasattr_fn(x):
    return hasattr(x, "shape"), hasattr(x, "nothing"), hasattr(SCALE, "k"), hasattr(SCALE, "z")


def getattr_fn(x):
    return getattr(x, "shape"), getattr(SCALE, "k"), getattr(SCALE, "z", 5), getattr(x, "nothing", None)


def getattr_missing(x):
    return getattr(SCALE, "z")


def setattr_fn(x):
    c = Scale(3)
    setattr(c, "k", 9)
    return c.k


def isinstance_fn(x, n, s):
    return (
        isinstance(x, Tensor),
        isinstance(n, int),
        isinstance(n, (str, float)),
        isinstance(s, str),
        isinstance((1,), tuple),
        isinstance([1], list),
        isinstance({}, dict),
        isinstance(None, type(None)),
    )


def isinstance_more(x):
    return (
        isinstance(True, int),
        isinstance(1, bool),
        isinstance(2.5, float),
        isinstance(SCALE, Scale),
        isinstance(x, (int, Tensor)),
    )


def isinstance_shape(x):
    return (
        isinstance(x.shape, tuple),
        isinstance(x.shape[0], int),
        isinstance(x.dtype, ms.Type) if hasattr(ms, "Type") else 0,
    )


def type_fn(x, n):
    return type(n) == int, type(x) == Tensor, type("a") is str, type(n).__name__


def callable_fn(x):
    return callable(helper), callable(3)


def decorated(x):
    return deco(x)


def deco_(f):
    def wrapped(*a):
        return f(*a) + 1

    return wrapped


@deco_
def deco(x):
    return x * 2


def jit_inner(x):
    return jitted(x) + 1


@ms.jit
def jitted(x):
    return x * 7


def constexpr_call(x):
    return x * const(3), const(2)


@ops.constexpr
def const(n):
    return n * n + 1


def constexpr_shape(x):
    return x * const_shape(x.shape)


@ms.ops.constexpr
def const_shape(s):
    return float(sum(s))


@ms.ops.constexpr
def const_t(a):
    return a


def lru(x):
    return cached(3) * x


@functools.lru_cache
def cached(n):
    return n + 1


def imports_inside(x):
    import math

    return x * math.floor(2.5)


def scope_shadow(x):
    len = 3
    return x * len
