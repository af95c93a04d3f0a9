"""Statements and expressions within each other, and gradients through them. See ``running.py``."""

import mindspore as ms
from mindspore import Tensor, ops


# slices of lists assigned, nested, with steps
def list_slice_step(x):
    a = [1, 2, 3, 4]
    a[::2] = [x, 9]
    return a


def list_slice_insert(x):
    a = [1, 2]
    a[1:1] = [5, 6]
    return a


def list_slice_delete(x):
    a = [1, 2, 3]
    a[0:2] = []
    return a


def list_slice_tensor(x):
    a = [1, 2, 3]
    a[0:2] = x
    return a


def list_slice_tuple(x):
    a = [1, 2, 3]
    a[0:2] = (7, 8)
    return a


def list_slice_range(x):
    a = [1, 2, 3]
    a[0:2] = range(2)
    return a


def nested_swap(x):
    a = [1, 2]
    a[0], a[1] = a[1], a[0]
    return a


def swap_tensor_items(x):
    y = x * 1
    y[0], y[1] = y[1], y[0]
    return y


def chained_items(x):
    a = [0, 0]
    a[0] = a[1] = x
    return a


def multi_target(x):
    a = {}
    a["p"], b = x, 2
    return a, b


def for_target_item(x):
    a = [0]
    for a[0] in range(3):
        pass
    return a


def for_enumerate_nested(x):
    s = 0
    for i, (a, b) in enumerate([(1, x), (2, x)]):
        s = s + i * a * b
    return s


def for_zip_enumerate(x):
    r = []
    for i, (a, b) in enumerate(zip([1, 2], [3, 4])):
        r.append(i + a * b)
    return r


def for_dict_keys(x):
    d = {"a": 1, "b": x}
    r = []
    for k in d.keys():
        r.append(k)
    return r


def for_list_modified(x):
    a = [1, 2, 3]
    r = []
    for e in a:
        a.append(e) if len(a) < 5 else None
        r.append(e)
    return r, a


def comp_cond_tensor(x):
    return [v if v > 0 else -v for v in x]


def comp_filter_tensor_shape(m):
    return [r for r in m if r.shape[0] == 3]


def comp_filter_tensor_value(x):
    return [v for v in x if v > 0]


def comp_call(x):
    def f(v):
        return v + 1

    return [f(v) for v in (x, 2)]


def comp_lambda(x):
    return [(lambda v: v * 2)(k) for k in (1, 2)]


def comp_nested_cond(x):
    return [(a, b) for a in range(3) for b in range(3) if a != b]


def comp_walrus(x):
    return [y for k in range(3) if (y := k * 2) > 1]


def comp_dict_of_lists(x):
    return {k: [x * j for j in range(k)] for k in (1, 2)}


def early_return_loops(x, t):
    for i in range(3):
        for j in range(3):
            if t * i * j > 3:
                return x * i * j
    return x


def while_for_break(t):
    n = 0
    while t < 50:
        for k in range(3):
            t = t + k
            if t > 20:
                break
        n += 1
        t = t * 2
    return t, n


def while_else_tensor(t):
    while t < 5:
        t = t + 1
    else:
        t = t * 10
    return t


def for_else_tensor_break(t):
    for k in range(4):
        t = t + 1
        if t > 100:
            break
    else:
        t = t * 10
    return t


def if_in_else(t, u):
    if t < 0:
        r = 1
    else:
        if u < 0:
            r = t + u
        else:
            r = 3
    return r


def ternary_chain(t):
    return t * 1 if t < 0 else t * 2 if t < 1 else t * 3


def cond_expr_list(t, n):
    return [1, 2] if n > 1 else [3]


def bool_of_compare(t):
    c = t > 1
    d = c and True
    return c, d


def tensor_and_or_none(t, none):
    return (t > 1) or none


def not_compare(t):
    return not t > 1, not (t > 1 and t < 3)


def compare_and_int(t, n):
    if t > 1 and n:
        return t
    return n


def any_all_tensor(x):
    return (x > 0).any(), (x > 0).all(), bool((x > 0).any())


def if_any(x):
    if (x > 2).any():
        return x * 2
    return x


def if_shape(m):
    if m.shape[0] == 2 and m.ndim == 2:
        return m * 2
    return m


def if_isinstance(x, n):
    if isinstance(n, Tensor):
        return n
    elif isinstance(n, int):
        return x + n
    return x


def if_dtype(x):
    if x.dtype == ms.float32:
        return x * 2
    return x


def if_in_dict(x, s):
    table = {"abc": 2, "d": 3}
    if s in table:
        return x * table[s]
    return x


def dict_functions(x, s):
    table = {"abc": ops.relu, "d": ops.tanh}
    return table[s](x)


def default_from_outer(x):
    k = 3

    def f(v, m=k):
        return v * m

    k = 5
    return f(x), k


def nested_three(x):
    def a(v):
        def b(w):
            def c(z):
                return z + v + x

            return c(w) * 2

        return b(v) + 1

    return a(x)


def recursion_inner(x):
    def power(v, n):
        return v if n == 1 else v * power(v, n - 1)

    return power(x, 3)


def recursion_list(x):
    def flat(v):
        if isinstance(v, list):
            r = []
            for e in v:
                r = r + flat(e)
            return r
        return [v]

    return flat([1, [2, [x]]])


def grad_inside(x):
    def f(v):
        return v * v

    return ms.grad(f)(x)


def grad_of_grad_inside(x):
    def f(v):
        return v * v * v

    return ms.grad(ms.grad(f))(x)


def vmap_inside(m):
    def f(v):
        return v.sum()

    return ms.vmap(f)(m)


def value_and_grad_inside(x):
    def f(v, k):
        if k > 1:
            return (v * v * k).sum()
        return v.sum()

    return ms.value_and_grad(f)(x, 3)


def stop_gradient_branch(x, t):
    y = ops.stop_gradient(x) if t > 1 else x
    return x * y


def cast_branch(x, t):
    if t > 1:
        return x.astype(ms.float16).astype(ms.float32)
    return x


def inplace_in_branch(x, t):
    y = x * 2
    if t > 1:
        y[0] = 0
    return y * x


def inplace_in_loop(x):
    y = x * 1
    for k in range(3):
        y[k] = y[k] * k
    return y


def inplace_while(x, t):
    y = x * 1
    k = 0
    while k < 2:
        y[k] = x[k + 1] * t
        k += 1
    return y


def list_in_while(x):
    r = []
    k = 0
    while k < 3:
        r.append(x * k)
        k += 1
    return r[0] + r[1] + r[2]


def dict_in_loop(x):
    d = {"s": x}
    for k in range(3):
        d["s"] = d["s"] * 2
    return d["s"]


def tuple_in_loop(x):
    r = ()
    for k in range(3):
        r = r + (x * k,)
    return ops.stack(r)


def concat_loop(x):
    r = x
    for k in range(2):
        r = ops.cat((r, x * k))
    return r


def while_tensor_grad(x, t):
    y = x
    while (y * y).sum() < 200:
        y = y * t
    return y


def while_tensor_cond_index(x, k):
    s = x * 0
    while k < 5:
        s = s + x * k
        k = k + 1
    return s


def for_tensor_if_else(x):
    r = x * 0
    for v in x:
        if v > 0:
            r = r + v * x
        else:
            r = r - v
    return r


def cond_return_none(x, t):
    if t > 100:
        return None
    return x


def mixed_return(t):
    if t > 1:
        return t, 1
    return t * 2, 2


def return_dict_branch(t):
    if t > 1:
        return {"a": t}
    return {"a": -t}


def return_list_branch(t):
    if t > 1:
        return [t, 1]
    return [-t, 2]


def str_concat_loop(n):
    s = ""
    for k in range(n):
        s = s + str(k)
    return s


def int_float_mix(n, f):
    return n + f, n * f, n / f, n // f, n % f, f // n, n**f, f**n


def int_div_exact(n):
    return 6 / n, 6 // n, -6 / n, 7 / 2, int(7 / 2)


def float_div(f):
    return f / 3, f // 3, -f // 3, f % -2


def bool_int_ops(n):
    return (n > 2) + 1, (n > 2) * 2.5, -(n > 2), (n > 2) & (n < 5), (n > 2) | False, (n > 2) ^ True


def big_ints(x):
    return 2**31, 2**40 + 1, -(2**63), 10**18


def int_tensor_scalar(k):
    return k + 1, k / 2, k // 2, k % 2, k**2, -k, k * 2.5, k > 1


def int_of_shape(m):
    return m.shape[0] / 2, m.shape[1] // 2, m.shape[0] ** 2, -m.shape[0] // 2, m.shape[1] % 2


def float_consts(x):
    return 1e-3, 1.5e10, float("inf"), -float("inf"), 0.1 * 3


def float_nan(x):
    return float("nan") == float("nan"), x * float("inf")


def round_half(f):
    return round(0.5), round(1.5), round(f), round(f, 1), round(-f)


def min_max_mix(n, f):
    return min(n, f), max(n, f), min([n, f, 1]), max((n, f))


def sum_mix(n, f):
    return sum([n, f]), sum((1, 2.5, n)), sum([True, True])


def abs_types(n, f):
    return abs(n), abs(-f), abs(n - 10), abs(False)


def str_of(n, f):
    return str(n) + str(f), str(n > 2), str([n, f]), str((n,))


def fmt_percent(n, f):
    return "%d %.3f %s" % (n, f, n), "%5.1f" % f, "%s" % (n,), "%x" % n, "%e" % f


def fmt_method(n, f):
    return "{:>5}".format(n), "{:.2f} {}".format(f, n), "{0} {k}".format(n, k=f)
