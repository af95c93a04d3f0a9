"""Subscripts, operators, texts, Tensors made in a graph, numbers and containers of `mutable`. See ``running.py``."""

import mindspore as ms
import numpy as np
from mindspore import Tensor


def list_index(x):
    a = [1, 2.5, "s", x]
    return a[0], a[-1], a[2], a[1]


def list_slices(x):
    a = [1, 2, 3, 4, 5]
    return a[1:3], a[:2], a[-2:], a[::2], a[::-1], a[4:1:-1], a[10:], a[:]


def tuple_slices(x):
    a = (1, 2, 3, 4, 5)
    return a[1:3], a[:2], a[-2:], a[::2], a[::-1], a[4:1:-1], a[10:], a[:]


def str_slices(s):
    return s[0], s[-1], s[1:], s[:2], s[::-1], s[::2], s[5:]


def str_index_var(s, n):
    return s[n - 1]


def slice_object(x):
    sl = slice(0, 2)
    return x[sl], [1, 2, 3][sl]


def list_index_var(n):
    a = [10, 20, 30, 40]
    return a[n], a[n - 1], a[n:], a[-n]


def list_index_tensor(k):
    a = [10, 20, 30, 40]
    return a[k]


def tuple_index_tensor(x, k):
    a = (x, x * 2, x * 3)
    return a[k]


def list_index_bool(x):
    return [10, 20][True], (5, 6)[False]


def list_index_float(x):
    return [10, 20][1.0]


def nested_index(x):
    a = [[1, x], (2, {"k": [3, 4]})]
    return a[0][1], a[1][1]["k"][1]


def dict_index(x):
    d = {"a": x, 1: 2, 2.5: 3, (1, 2): 4, True: 5}
    return d["a"], d[1], d[2.5], d[(1, 2)]


def dict_none_key(x):
    d = {None: 1, "a": 2}
    return d[None]


def dict_tensor_key(x):
    d = {"a": 1}
    return d[x]


def t_int(m):
    return m[0], m[-1], m[1][2], m[1, 2]


def t_slices(m):
    return m[0:1], m[:, 1:], m[::2], m[:, ::2], m[..., 0], m[1:, :2]


def t_negative_step(x):
    return x[::-1]


def t_none(x):
    return x[None], x[:, None], x[None, :, None]


def t_bool(x):
    return x[True], x[False]


def t_mask(x):
    return x[x > 0]


def t_mask_m(m):
    return m[m > 2]


def t_tensor_index(m):
    return m[Tensor([1, 0])], m[Tensor(1)], m[:, Tensor([2, 0])]


def t_list_index(m):
    return m[[0, 1]], m[[0, 1], [1, 2]], m[:, [0, 2]], m[[True, False]]


def t_tuple_var(m):
    idx = (0, slice(1, 3))
    return m[idx]


def t_ellipsis(m):
    return m[...], m[..., 1], m[0, ...]


def t_out_of_range(x):
    return x[7]


def t_too_many(x):
    return x[0, 0]


def t_str_index(x):
    return x["a"]


def t_float_index(x):
    return x[1.0]


def t_int_tensor_slice(x, k):
    return x[:k]


def t_var(x, n):
    return x[n - 1], x[: n - 1], x[-n]


def t_index_loop(x):
    r = []
    for k in range(3):
        r.append(x[k])
    return r


def t_empty_slice(x):
    return x[3:], x[2:1]


def t_range_index(x):
    return x[range(2)]


def t_scalar_tensor(t):
    return t[...], t[None]


def in_list(x, n):
    return n in [1, 2, 3], n not in [1, 2], "a" in ["b"], 2.5 in (2.5, 1)


def in_dict(x):
    d = {"a": 1}
    return "a" in d, "b" not in d


def in_str(s):
    return "b" in s, "bc" in s, "z" not in s


def in_range(n):
    return n in range(5), n in range(0, 5, 2)


def in_none(none):
    return None in [1, None], None in (1, 2)


def tensor_in_list(x):
    return x in [x, 1]


def tensor_in_list_not(x, y):
    return x in [y]


def num_in_tensor(x):
    return 1 in x


def is_none(x, none):
    return x is None, none is None, x is not None, none is not None


def is_bool(x):
    return True is True, (x.ndim == 1) is True, False is not True


def eq_none(x, none):
    return x == None, none == None, x != None, none != None


def eq_none_tensor_scalar(t):
    return t == None, None != t


def chained_cmp(n):
    return 1 < n < 5, 1 < n > 5, 0 <= n <= 2, n == 3 == 3


def chained_cmp_tensor(t):
    return 1 < t < 5


def chained_cmp_tensor_many(x):
    return 0 < x < 2


def and_or(n):
    return n and 2, n or 2, 0 and n, 0 or n, n and 0, None or n, "" or "s", [] or 1


def and_or_types(x):
    return 1 and "a", "" and 1, None and 1, 2.5 or "b", (1,) and [2]


def and_or_tensor(t, u):
    return t and u, t or u, t and 0, t or 0


def and_or_tensor_cmp(t):
    return t > 1 and t < 5, t < 1 or t > 5


def and_or_mixed(t, n):
    return n > 1 and t > 1, t > 1 and n > 1, n > 5 or t > 1, n > 1 or t > 1


def and_or_none(x, none):
    return none or x, none and x


def and_three(t, n):
    return t > 0 and n > 0 and True


def not_int(n):
    return not n, not 0, not not n


def not_str(s):
    return not s, not "", not None, not [], not (1,), not {}


def compare_str(s):
    return s == "abc", s < "abd", s != "x"


def compare_tuples(x):
    return (1, 2) == (1, 2), (1, 2) < (1, 3), [1] == [1], [1, 2] != [1, 2], (1,) == [1], x.shape == (3,)


def compare_dicts(x):
    return {"a": 1} == {"a": 1}, {"a": 1} != {"a": 2}


def compare_mixed(n):
    return n == "3", n == None, n == 3.0, n != [3], "a" == None


def compare_int_str(n):
    return n < "a"


def compare_tensors(x, y):
    return x < y, x <= y, x > y, x >= y, x == y, x != y


def compare_tensor_int(i):
    return i < 4, i == 5, 3 <= i, i != 2.5


def compare_tensor_str(x):
    return x == "a"


def compare_tensor_list(x):
    return x == [1, 2, 3]


def compare_tensor_tuple(x):
    return x == (1, 2, 3)


def arith_int(n):
    return n + 2, n - 5, n * 7, n / 2, n // 2, n % 2, n**3, -n, +n, ~n


def arith_float(f):
    return f + 1, f - 0.5, f * 3, f / 2, f // 1, f % 2, f**2, -f


def arith_neg(n):
    return -n // 2, -n % 2, n // -2, n % -2, -7 // 2, -7 % 3, 7 % -3, -7.5 // 2, -7.5 % 2


def arith_neg_var(n):
    a = n - 10
    return a // 2, a % 3, a // -4, a % -4, a / 2


def arith_float_neg(f):
    a = f - 10
    return a // 2, a % 3, a // -4, a % -4


def arith_bool(x):
    return True + 1, True * 3, -True, True + True, True / 2, False - 1


def arith_bits(n):
    return n & 1, n | 8, n ^ 5, n << 2, n >> 1, ~n


def arith_bits_neg(n):
    return -n >> 1, -n & 7, -n | 1, -n << 2


def arith_big(n):
    return n * 10**10, n * 2**40


def int_overflow(n):
    a = n * 2**60
    return a * 4


def int_overflow_add(n):
    a = 2**62 + n
    return a + a


def int_overflow_tensor(i):
    return i * 2**30


def int_overflow_tensor_add(i):
    return i + 2147483647


def int_large_tensor(i):
    return i + 2**40


def int8_overflow(i):
    a = i.astype(ms.int8)
    return a * 100, a + 120


def uint8_wrap(i):
    a = i.astype(ms.uint8)
    return a, a - 10


def float_precision(f):
    return 0.1 + 0.2, 1e20 + 1, f / 3


def t_arith(x, y):
    return x + y, x - y, x * y, x / y, x // y, x % y, x**2, -x, +x


def t_arith_int(i):
    return i + 1, i - 1.5, i * 2, i / 2, i // 2, i % 3, i**2, -i, +i


def t_arith_neg(i):
    return i // -2, i % -3, -7 // i, -7 % i, 7.5 // i


def t_arith_right(i):
    return 1 + i, 1 - i, 2 * i, 2 / i, 2 // i, 7 % i, 2**i


def t_arith_right_float(x):
    return 1 + x, 1 - x, 2 * x, 2 / x, 2 // x, 7 % x, 2**x


def t_bits(i):
    return i & 1, i | 8, i ^ 5, ~i, 3 & i


def t_shift(i):
    return i << 1, i >> 1


def t_bool_ops(x):
    a = x > 0
    return ~a, a & (x > 2), a | (x < -1), a ^ a


def t_bool_arith(x):
    a = x > 0
    return a + 1, a * 2.5


def t_bool_bool(x):
    a = x > 0
    return a + a


def t_matmul(m, x):
    return m @ x, m @ m.T


def t_true_int(i):
    return i / i, i / 3


def t_int_float(i, f):
    return i + f, i * f


def t_pow_neg(i):
    return i**-1


def t_pow_float(x):
    return x**0.5, 2.0**x


def t_abs(x, i):
    return abs(x), abs(i), abs(-3), abs(-2.5)


def t_float16(x):
    a = x.astype(ms.float16)
    return a + 1, a * 2.5, a + x


def pos_tensor(x):
    return +x


def tuple_add(x):
    return (1, 2) + (3, x), (1,) * 3, 2 * (1, 2)


def list_add(x):
    return [1, 2] + [3, x], [1] * 3, 2 * [1, 2]


def list_tuple_add(x):
    return [1] + (2,)


def str_add(s):
    return s + "d", s * 2, 2 * s


def str_format_percent(n, f, s):
    return "%d" % n, "%s and %s" % (s, n), "%.2f" % f, "%5d|%-5d|%05d" % (n, n, n)


def str_format_method(n, f, s):
    return "{} {}".format(n, s), "{0}{1}{0}".format(n, s), "{a}".format(a=n), "{:.3f}".format(f)


def fstring(n, f, s):
    return f"{n} {s}", f"{n + 1}", f"{f}", f"{s!r}", f"{n:5d}|"


def fstring_types(x):
    return f"{(1, 2)} {[1, 'a']} {None} {True} {x.shape} {x.dtype}"


def str_methods(s):
    return s.upper(), s.lower(), s.startswith("a"), s.endswith("x"), s.replace("a", "z"), s.find("b"), s.count("b")


def str_split_join(x):
    return "a,b".split(","), "-".join(["a", "b"]), " a ".strip(), "a b".split(), "-".join(("x", "y"))


def str_more(s):
    return s.capitalize(), s.title(), s.isdigit(), "12".isdigit(), s.isalpha(), s.index("b"), s.rjust(5), s.zfill(5)


def str_len(s):
    return len(s), str(3), str(2.5), str(None), str(True), str((1, 2)), str([1, "a"])


def str_tensor(t):
    return str(t)


def print_simple(x, n, s):
    print("text", n, s)
    print(x)
    return x


def print_sep(n):
    print(n, n, sep="-")
    return n


def print_fstring(x, n):
    print(f"n={n} shape={x.shape}")
    return x


def print_fstring_tensor(t):
    print(f"t={t}")
    return t


def print_nested(x):
    print([1, 2], (3, "a"), {"k": 4}, None, True, 2.5)
    return x


def print_empty(x):
    print()
    return x


def print_branch(t):
    if t > 1:
        print("yes", t)
    else:
        print("no", t)
    return t


def print_loop(n):
    for k in range(n):
        print("k", k)
    return n


def print_percent(n, t):
    print("n %d" % n)
    return t


def print_format(n, t):
    print("n {}".format(n))
    return t


def tensor_made(x):
    return Tensor(3), Tensor([1, 2]), Tensor(2.5), Tensor([1.5, 2]), Tensor(True), Tensor((1, 2))


def tensor_made_dtype(x):
    return Tensor(3, ms.float32), Tensor([1, 2], dtype=ms.int32), ms.tensor(3), ms.tensor([1.5], ms.float16)


def tensor_made_var(x, n):
    return Tensor(n), Tensor([n, n + 1]), x + Tensor(n)


def tensor_made_shape(x):
    return Tensor(x.shape), Tensor(x.shape[0])


def tensor_of_tensor(x):
    return Tensor(x), Tensor(x, ms.int32)


def tensor_of_tensor_items(t):
    return ms.tensor([t, t])


def tensor_of_np(x):
    return Tensor(np.ones((2,), np.float32)), Tensor(np.array([1, 2]))


def tensor_from_numpy(x):
    return Tensor.from_numpy(np.ones(2, np.float32))


def tensor_asnumpy(x):
    return x.asnumpy().sum()


def tensor_item(t):
    return t.item()


def tensor_item_used(t, x):
    return x * t.item()


def tensor_tolist(x):
    return x.tolist()


def tensor_attrs(m):
    return m.shape, m.ndim, m.size, m.dtype, m.T.shape, m.itemsize, m.nbytes, m.strides


def tensor_shape_arith(m):
    return m.shape[0] * m.shape[1], m.shape[::-1], m.shape + (1,), m.shape[-1] // 2


def tensor_shape_unpack(m):
    a, b = m.shape
    return m.reshape(b, a), m.view(-1), m.reshape((a * b,))


def tensor_methods(m):
    return m.sum(), m.mean(0), m.max(), m.argmax(), m.astype(ms.int32), m.transpose(1, 0), m.flatten(), m.squeeze()


def tensor_bool(t, u):
    return bool(t), bool(u), int(t), float(t)


def tensor_len(m, x):
    return len(m), len(x)


def tensor_len0(t):
    return len(t)


def tensor_iter_list(x):
    return list(x)


def tensor_iter_tuple(m):
    return tuple(m)


def tensor_zip(x, y):
    return [a * b for a, b in zip(x, y)]


def tensor_enumerate(x):
    return [k * a for k, a in enumerate(x)]


def tensor_sum(x, m):
    return sum(x), sum(m)


def tensor_max(x):
    return max(x), min(x)


def tensor_all(x):
    return all(x), any(x)


def tensor_sorted(x):
    return sorted(x)


def tensor_reversed(x):
    return list(reversed(x))


def tensor_round(x):
    return round(x)


def tensor_hash_eq(x):
    return x == x


def tensor_setitem_return(x):
    a = x.copy()
    a[0] = 5
    return a, x


def tensor_complex(x):
    return x.astype(ms.complex64) * 2


def lists_of_tensors(lt):
    return lt[0] + lt[1], len(lt)


def list_arg_changed(lt):
    lt[0] = lt[0] * 2
    return lt


def list_arg_appended(lt):
    lt.append(1)
    return len(lt)


def dict_arg(dt):
    dt["b"] = dt["a"] * 2
    return dt


def tuple_arg(tt):
    a, b = tt
    return a - b, tt


def mutable_int(mn, x):
    return mn + 1, x * mn, mn


def mutable_int_more(mn):
    return mn // 2, mn % 2, mn / 2, mn**2, -mn, mn > 2, mn == 3


def mutable_int_if(mn, x):
    if mn > 2:
        return x
    return -x


def mutable_int_range(mn, x):
    for k in range(mn):
        x = x + k
    return x


def mutable_int_index(mn, x):
    return x[mn - 1]


def mutable_float(mf, x):
    return mf * 2, x + mf, mf // 1, mf % 1


def mutable_tuple(mt):
    return mt[0] + mt[1], len(mt), mt


def mutable_list(ml):
    return ml[0] * 2, ml


def mutable_dict(md):
    return md["a"] * 2, md


def mutable_inside(x):
    a = ms.mutable(3)
    return x * a, a


def mutable_bool(mb, x):
    return x if mb else -x


def mutable_str_fail(x):
    return ms.mutable("a")


def mutable_int_bits(mn):
    return mn & 1, mn | 4


def mutable_int_neg(mn):
    a = mn - 10
    return a // 2, a % 3


def mutable_int_funcs(mn):
    return abs(-mn), max(mn, 5), min(mn, 5), float(mn), bool(mn), str(mn)


def mutable_pair_compare(mn, mf):
    return mn < mf, mn + mf, mn * mf
