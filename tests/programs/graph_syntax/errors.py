"""Errors, own and of Python's instructions. See ``running.py``."""

import numpy as np
from mindspore import Tensor, ops


def ror_int(i):
    return 3 & i, 3 | i, 3 ^ i


def ror_bool(x):
    a = x > 0
    return True & a, False | a, True ^ a


def ror_bool_left(x):
    a = x > 0
    return a & True, a | False, a ^ True


def ror_shift(i):
    return 1 << i, 100 >> i


def mod_grad(x):
    return 7 % x


def mod_grad2(x, y):
    return x % y


def mod_grad3(x):
    return x % 7


def floordiv_grad(x, y):
    return x // y


def fmod_grad(x, y):
    return ops.fmod(x, y)


def mod_op_grad(x, y):
    return ops.Mod()(x, y), ops.floor_mod(x, y), ops.remainder(x, y)


class MyError(Exception):
    pass


def raise_own(x):
    raise MyError("own")


def raise_zero(x):
    raise ZeroDivisionError("own")


def raise_overflow(x):
    raise OverflowError("own")


def call_str(x):
    return "abc"(x)


def call_none(x, none):
    return none(x)


def call_list(x):
    return [1](x)


def call_float(f):
    return f()


def call_tensor(x):
    return x(1)


def dup_kwargs(x):
    def g(a, b=1):
        return a

    return g(x, a=2)


def missing_args(x):
    def g(a, b):
        return a

    return g()


def list_idx_str(x):
    return [1, 2]["a"]


def tuple_idx_float(x):
    return (1, 2)[1.0]


def tuple_idx_none(x):
    return (1, 2)[None]


def list_idx_tuple(x):
    return [1, 2][(0, 1)]


def str_idx_float(s):
    return s[1.0]


def list_set_float(x):
    a = [1, 2]
    a[1.0] = 3
    return a


def int_index(n):
    return n[0]


def none_index(x, none):
    return none[0]


def none_attr(x, none):
    return none.shape


def int_attr(n):
    return n.shape


def iterate_int(n):
    for k in n:
        pass
    return n


def iterate_none(x, none):
    for k in none:
        pass
    return x


def len_int(n):
    return len(n)


def len_none(x, none):
    return len(none)


def add_str_int(s, n):
    return s + n


def add_list_int(n):
    return [1] + n


def add_tensor_str(x, s):
    return x + s


def add_tensor_dict(x):
    return x + {}


def sub_str(s):
    return s - s


def mul_str(s):
    return s * s


def neg_str(s):
    return -s


def neg_list(x):
    return -[1]


def int_str(x):
    return int("a")


def float_str(x):
    return float("a")


def range_float(x):
    return list(range(2.5))


def range_tensor(x):
    return list(range(x))


def cmp_tensor_str(x, s):
    return x < s


def cmp_none(x, none):
    return none < 1


def cmp_lists(x):
    return [1, 2] < [1, 3], [1] < [2]


def cmp_str_list(s):
    return s == ["a"]


def in_int(n):
    return 1 in n


def isinstance_bad(x):
    return isinstance(x, 3)


def hasattr_bad(x):
    return hasattr(x, 3)


def getattr_bad(x):
    return getattr(x, "nope")


def shape_mismatch(x, m):
    return x[:2] + x


def matmul_mismatch(x):
    return x @ Tensor(np.ones((2, 2), np.float32))


def reshape_bad(x):
    return x.reshape(2, 2)


def axis_bad(x):
    return x.sum(axis=3)


def shift_neg(n):
    return n << -1


def sum_str(x):
    return sum(["a", "b"])


def max_str_int(x):
    return max(1, "a")


def zip_int(x):
    return list(zip(1, 2))


def enumerate_int(x):
    return list(enumerate(1))


def map_noncallable(x):
    return list(map(1, [2]))


def dict_bad(x):
    return dict([1])


def unpack_int(n):
    a, b = n
    return a


def unpack_few(x):
    a, b, c = (1, 2)
    return a


def unpack_starred_few(x):
    a, b, *c = (1,)
    return a


def chr_bad(x):
    return abs("a")


def round_bad(x):
    return round("a")


def tensor_bool_bad(x):
    return bool(x)


def tensor_int_bad(x):
    return int(x)


def setitem_tuple(x):
    a = (1, 2)
    a[0] = x
    return a


def setitem_str(s):
    s[0] = "a"
    return s


def setitem_int(n):
    n[0] = 1
    return n


def setattr_tensor(x):
    x.foo = 3
    return x.foo


def setattr_int(n):
    n.foo = 3
    return n


def list_idx_slice_float(x):
    return [1, 2, 3][0.5:]


def format_bad(n):
    return "%d" % "a"


def join_bad(x):
    return ",".join([1])


def pop_empty(x):
    a = []
    b = a.pop()
    return b


def remove_missing(x):
    a = [1]
    a.remove(2)
    return a


def index_missing(x):
    return [1].index(2)


def insert_bad(x):
    a = [1]
    a.insert("a", 2)
    return a


def extend_int(x):
    a = [1]
    a.extend(3)
    return a


def append_two(x):
    a = [1]
    a.append(1, 2)
    return a


def del_unbound(x):
    return qq


def local_before(x):
    y = zz + 1
    zz = 2
    return y


def for_empty_var(x):
    for k in []:
        pass
    return k
