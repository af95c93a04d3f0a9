"""Branches, loops, exceptions. See ``running.py``."""

import mindspore as ms


def if_tensor(t):
    if t > 1:
        return t * 2
    return t


def if_elif(t):
    if t > 5:
        y = t
    elif t > 1:
        y = t * 3
    else:
        y = t * 4
    return y


def if_int(n, x):
    if n > 2:
        return x + 1
    return x


def if_none(x, none):
    if none:
        return x
    return x * 2


def if_none_is(x, none):
    if none is None:
        return x * 2
    return x


def if_str(x, s):
    if s:
        return x
    return -x


def if_str_eq(x, s):
    if s == "abc":
        return x * 3
    return x


def if_list(x):
    a = []
    if a:
        return x
    a.append(1)
    if a:
        return x * 2
    return x * 3


def if_dict(x):
    if {}:
        return x
    if {"a": 1}:
        return x * 4
    return x


def if_tensor_one(t):
    if t:
        return t * 5
    return t


def if_tensor_many(x):
    if x:
        return x
    return x * 2


def if_different_dtype(t):
    if t > 1:
        y = t
    else:
        y = t.astype(ms.int32)
    return y


def if_different_shape(x, t):
    if t > 1:
        y = x
    else:
        y = x[:2]
    return y


def if_different_kind(x, t):
    if t > 1:
        y = x
    else:
        y = 3
    return y


def if_undefined(x, t):
    if t > 1:
        y = x * 2
    return y


def if_undefined_2(x, u):
    if u > 1:
        y = x * 2
    return y


def if_scalars(t):
    if t > 1:
        k = 1
    else:
        k = 2
    return k


def if_scalars_used(x, t):
    if t > 1:
        k = 1
    else:
        k = 2
    return x * k


def if_nested(t, u):
    if t > 1:
        if u > 0:
            return t
        elif u > -5:
            return t * u
    return u


def ternary_tensor(t, x):
    return x if t > 1 else -x


def ternary_int(n, x):
    return x * (1 if n > 5 else 2)


def ternary_none(x, none):
    a = 1.0 if none is None else none
    return x * a


def ternary_nested(n):
    return "a" if n > 5 else "b" if n > 2 else "c"


def ternary_values(t):
    return (1 if t > 1 else 2), t


def while_int(x):
    k = 0
    while k < 3:
        x = x + k
        k += 1
    return x, k


def while_tensor(t):
    c = t
    while c < 10:
        c = c * 2
    return c


def while_tensor_counter(t):
    k = 0
    c = t
    while c < 10:
        c = c * 2
        k = k + 1
    return c, k


def while_break(t):
    c = t
    while True:
        c = c + 1
        if c > 5:
            break
    return c


def while_break_int(n):
    k = 0
    while True:
        k += 1
        if k == n:
            break
    return k


def while_continue(n):
    k, s = 0, 0
    while k < 6:
        k += 1
        if k % 2:
            continue
        s += k
    return s


def while_else(n):
    k = 0
    while k < n:
        k += 1
    else:
        k = k + 100
    return k


def while_else_break(n):
    k = 0
    while k < n:
        k += 1
        if k == 2:
            break
    else:
        k = k + 100
    return k


def while_return(t):
    c = t
    while c < 100:
        c = c * 2
        if c > 10:
            return c
    return -c


def while_nested(n, x):
    a = 0
    while a < n:
        b = 0
        while b < 2:
            x = x + a * b
            b += 1
        a += 1
    return x


def while_false(x):
    while False:
        x = x * 2
    return x


def for_range(x):
    for k in range(3):
        x = x + k
    return x


def for_range_step(x):
    r = []
    for k in range(5, 0, -2):
        r.append(k)
    return r


def for_range_loopvar(x):
    for k in range(3):
        pass
    return k


def for_range_empty(x):
    k = 7
    for k in range(0):
        x = x + 1
    return k, x


def for_tensor(m):
    s = 0
    for row in m:
        s = s + row * 2
    return s


def for_tensor_1d(x):
    s = []
    for e in x:
        s.append(e)
    return s


def for_list(x):
    s = 0
    for e in [1, 2.5, x]:
        s = s + e
    return s


def for_tuple_unpack(x):
    s = 0
    for a, b in ((1, x), (2, x)):
        s = s + a * b
    return s


def for_dict(x):
    s = ""
    for k in {"p": 1, "q": 2}:
        s += k
    return s


def for_items(x):
    d = {"p": x, "q": x * 2}
    s = 0
    for k, v in d.items():
        s = s + v
    return s


def for_values(x):
    d = {"p": x, "q": x * 2}
    s = 0
    for v in d.values():
        s = s + v
    return s


def for_str(s):
    r = ""
    for c in s:
        r = c + r
    return r


def for_enumerate(x):
    s = 0
    for k, e in enumerate([x, x, x]):
        s = s + k * e
    return s


def for_enumerate_start(x):
    r = []
    for k, e in enumerate((5, 6), 1):
        r.append(k * e)
    return r


def for_zip(x):
    s = 0
    for a, b in zip([1, 2], (x, x * 3)):
        s = s + a * b
    return s


def for_break(x):
    for k in range(5):
        if k == 3:
            break
        x = x + k
    return x, k


def for_continue(x):
    for k in range(5):
        if k == 3:
            continue
        x = x + k
    return x


def for_else(x):
    for k in range(2):
        x = x + k
    else:
        x = x * 10
    return x


def for_else_break(x):
    for k in range(4):
        if k == 2:
            break
    else:
        x = x * 10
    return x


def for_return(x):
    for k in range(5):
        x = x * 2
        if k == 2:
            return x
    return -x


def for_tensor_break(x, t):
    for k in range(5):
        t = t * 2
        if t > 10:
            break
    return t


def for_tensor_continue(t):
    s = t * 0
    for k in range(4):
        if t * k > 3:
            continue
        s = s + k
    return s


def for_tensor_return(t):
    for k in range(5):
        t = t * 2
        if t > 10:
            return t
    return -t


def for_if_append(x):
    r = []
    for k in range(4):
        if k % 2 == 0:
            r.append(x * k)
    return r


def for_nested(x):
    s = 0
    for a in range(2):
        for b in range(3):
            if b == 2:
                break
            s = s + x * a * b
    return s


def for_nested_comp(x):
    s = 0
    for a in [[1, 2], [3]]:
        for b in a:
            s += b
    return s


def for_reversed(x):
    r = []
    for k in reversed([1, 2, 3]):
        r.append(k)
    return r


def for_range_tensor_len(m):
    s = 0
    for k in range(len(m)):
        s = s + m[k]
    return s


def for_range_shape(m):
    s = 0
    for k in range(m.shape[1]):
        s = s + m[:, k]
    return s


def for_modify_list(x):
    a = [1, 2, 3]
    for k in range(3):
        a[k] = a[k] * 2
    return a


def for_accumulate_dict(x):
    d = {}
    for k in range(3):
        d[str(k)] = x * k
    return d


def for_tensor_index(m, k):
    s = 0
    for j in range(2):
        s = s + m[j, k]
    return s


def for_range_tensor(k):
    s = 0
    for j in range(k):
        s = s + j
    return s


def while_list_append(t):
    r = []
    k = 0
    while k < 3:
        r.append(t * k)
        k += 1
    return r


def while_tensor_list(t):
    r = [t, t]
    while r[0] < 5:
        r[0] = r[0] + 1
    return r


def while_tensor_write(x, t):
    a = x * 1
    while t < 5:
        a[0] = t
        t = t + 1
    return a


def while_tensor_dict(t):
    d = {"a": t}
    while d["a"] < 5:
        d["a"] = d["a"] + 1
    return d


def while_and(t, u):
    while t < 10 and u < 10:
        t = t + 3
        u = u + 2
    return t, u


def while_not(t):
    while not t > 10:
        t = t * 3
    return t


def match_int(n):
    match n:
        case 1:
            return "one"
        case 3:
            return "three"
        case _:
            return "other"


def try_ok(x):
    try:
        y = x + 1
    except ValueError:
        y = x
    return y


def try_raise(x):
    try:
        raise ValueError("bad")
    except ValueError:
        return x * 2


def try_finally(x):
    try:
        y = x + 1
    finally:
        z = 1
    return y


def with_stmt(x):
    with Ctx() as c:
        y = x * 2
    return y


@ms.jit_class
class Ctx:
    def __enter__(self):
        return self

    def __exit__(self, *a):
        return False


def assert_ok(x):
    assert x.ndim == 1
    assert x.shape[0] == 3, "text"
    return x


def assert_fail(x):
    assert x.ndim == 2, f"ndim is {x.ndim}"
    return x


def assert_tensor(t):
    assert t > 1
    return t


def assert_tensor_fail(u):
    assert u > 1, "u too small"
    return u


def assert_bare_fail(n):
    assert n == 4
    return n


def raise_value(x):
    raise ValueError("wrong value", 3)


def raise_no_text(x):
    raise TypeError


def raise_no_args(x):
    raise RuntimeError()


def raise_fstring(x, n):
    raise ValueError(f"wrong {n} of {x.shape}")


def raise_percent(n):
    raise TypeError("wrong %d" % n)


def raise_tensor(x):
    raise ValueError("values", x)


def raise_tensor_fstring(t):
    raise ValueError(f"value {t}")


def raise_in_branch(t):
    if t > 1:
        raise ValueError("too large")
    return t


def raise_in_branch_not(u):
    if u > 1:
        raise ValueError("too large")
    return u


def raise_in_branch_tensor(t):
    if t > 1:
        raise ValueError("too large", t)
    return t


def raise_key(x):
    raise KeyError("name")


def raise_index(x):
    raise IndexError("range")


def raise_not_implemented(x):
    raise NotImplementedError("later")


def raise_stop(x):
    raise StopIteration


def raise_attr(x):
    raise AttributeError("attr")


def raise_name(x):
    raise NameError("name")


def raise_os(x):
    raise OSError("os")


def raise_exception(x):
    raise Exception("plain")


def raise_two(x):
    raise ValueError("a", "b")


def raise_from_variable(s):
    text = "got " + s
    raise ValueError(text)


def raise_in_loop(n):
    for k in range(5):
        if k == n:
            raise ValueError("at", k)
    return n


def undefined_name(x):
    return x + undefined_thing


def attribute_missing(x):
    return x.no_such_attribute


def index_out(x):
    a = (1, 2)
    return a[5]


def list_index_out(x):
    a = [1, 2]
    return a[5]


def list_set_out(x):
    a = [1, 2]
    a[5] = 1
    return a


def key_missing(x):
    return {"a": 1}["b"]


def type_add(x):
    return 1 + "a"


def add_none(x, none):
    return x + none


def call_int(n):
    return n(1)


def zero_div(n):
    return n / 0


def zero_floordiv(n):
    return n // 0


def zero_mod(n):
    return n % 0


def zero_div_float(f):
    return f / 0.0


def wrong_args(x):
    def g(a, b):
        return a

    return g(x)


def wrong_kwargs(x):
    def g(a, b):
        return a

    return g(x, c=1)


def too_many_args(x):
    def g(a):
        return a

    return g(x, 1)
