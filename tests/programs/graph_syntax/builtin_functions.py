"""Python's functions, and methods of lists, dicts, tuples and texts. See ``running.py``."""

import collections
import dataclasses
import enum
import os

from mindspore import Tensor, ops


def len_all(x, s):
    return len([1, 2]), len((1,)), len({"a": 1}), len(s), len(x), len(range(4)), len("")


def range_all(n):
    return list(range(n)), list(range(1, n)), list(range(n, 0, -1)), tuple(range(2))


def range_neg(x):
    return list(range(-3)), list(range(-3, 0))


def range_attr(x):
    return range(5)[2], len(range(1, 10, 3)), range(5)[-1]


def enumerate_list(x):
    return list(enumerate([5, 6]))


def enumerate_ret(x):
    return enumerate([5, 6])


def zip_list(x):
    return list(zip([1, 2], (x, x)))


def zip_ret(x):
    return zip([1, 2], (3, 4))


def zip_uneven(x):
    return list(zip([1, 2, 3], (3, 4)))


def zip_none(x):
    return list(zip())


def zip_star(x):
    return list(zip(*[(1, 2), (3, 4)]))


def map_ret(x):
    return map(lambda a: a + 1, (1, 2))


def sum_all(x):
    return sum([1, 2, 3]), sum((1.5, 2)), sum([x, x]), sum([1], 10), sum([]), sum([[1], [2]], [])


def sum_start_tensor(x):
    return sum([1, 2], x)


def max_all(x):
    return max(1, 2), max([1, 5, 3]), max((2.5, 1)), min(1, 2, -3), min([4, 2])


def max_str(x):
    return max("b", "a"), min("abc")


def max_tensors(t, u):
    return max(t, u), min(t, u), max([t, u])


def max_mixed(n, t):
    return max(n, 2.5), max(t, 5), min(t, 1)


def max_key(x):
    return max([1, -5], key=abs), max([], default=3)


def max_empty(x):
    return max([])


def abs_all(n):
    return abs(-n), abs(-2.5), abs(True)


def sorted_all(x):
    return sorted([3, 1, 2]), sorted((3, 1), reverse=True), sorted([1, -3], key=abs)


def sorted_str(x):
    return sorted(["b", "a"]), sorted("ba")


def reversed_all(x):
    return list(reversed([1, 2])), tuple(reversed((1, 2))), list(reversed("ab")), list(reversed(range(3)))


def reversed_ret(x):
    return reversed([1, 2])


def round_all(f):
    return round(f), round(2.567, 2), round(3.5), round(-2.5), round(7), round(1234, -2)


def pow_all(n):
    return pow(n, 2), pow(2.0, n), pow(n, -1), pow(2, 0.5)


def pow_mod(n):
    return pow(n, 4, 5)


def divmod_all(n):
    return divmod(n, 2), divmod(-7, 2), divmod(7.5, 2)


def divmod_tensor(i):
    return divmod(i, 2)


def all_any(x):
    return all([1, 2]), all([0, 1]), any([0, 0]), any([0, 1]), all([]), any([]), all((1, "a"))


def all_any_tensors(t, u):
    return all([t > 1, u > 1]), any([t > 1, u > 1])


def int_all(f):
    return int(f), int(-2.7), int("12"), int(True), int(3), int()


def int_base(x):
    return int("ff", 16)


def float_all(n):
    return float(n), float("2.5"), float(True), float(), float("inf")


def bool_all(n):
    return bool(n), bool(0), bool(""), bool("a"), bool([]), bool([0]), bool(None), bool()


def str_all(n, f):
    return str(n), str(f), str("a"), str(True), str(None), str()


def list_all(x, s):
    return list((1, 2)), list([1]), list({"a": 1}), list(s), list(range(2)), list(), list({"a": 1}.items())


def tuple_all(x, s):
    return tuple([1, 2]), tuple((1,)), tuple({"a": 1}), tuple(s), tuple(range(2)), tuple()


def dict_all(x):
    return dict(a=1, b=x), dict([("a", 1)]), dict({"a": 2}), dict(), dict({"a": 1}, b=3), dict((("a", 1), ("b", 2)))


def dict_zip(x):
    return dict(zip(["a", "b"], [1, x]))


def set_all(x):
    return len(set([1, 1, 2]))


def type_names(x, n):
    return str(type(n)), str(type(x))


def type_call(n):
    return type(n)(2.7)


def cast_tensor(x, t):
    return int(t), float(t), bool(t)


def cast_tensor_int(k):
    return int(k), float(k), bool(k)


def cast_tensor_many(x):
    return float(x)


def ord_chr(x):
    return ord("a"), chr(98)


def hex_bin(n):
    return hex(n), bin(n)


def isinstance_none(none):
    return isinstance(none, Tensor)


def slice_fn(x):
    return x[slice(1, None)], [1, 2, 3][slice(None, None, 2)]


def complex_fn(x):
    return complex(1, 2)


def bytes_fn(x):
    return len(b"abc")


def eval_fn(n):
    return eval("n + 1")


def list_append(x):
    a = [1]
    a.append(x)
    a.append([2])
    return a


def list_insert(x):
    a = [1, 2, 3]
    a.insert(1, x)
    a.insert(-1, 9)
    a.insert(100, 10)
    a.insert(-100, 11)
    return a


def list_pop(x):
    a = [1, 2, 3, 4, 5]
    p = a.pop()
    q = a.pop(0)
    r = a.pop(-2)
    return a, p, q, r


def list_pop_empty(x):
    a = []
    return a.pop()


def list_pop_out(x):
    a = [1]
    b = a.pop(3)
    return b


def list_pop_expr(x):
    a = [1, 2, 3]
    return a.pop() + 1, a


def list_extend(x):
    a = [1]
    a.extend([2, x])
    a.extend((3,))
    a.extend(range(2))
    return a


def list_extend_dict(x):
    a = [1]
    a.extend({"k": 2})
    return a


def list_extend_tensor(x):
    a = [1]
    a.extend(x)
    return a


def list_extend_str(s):
    a = [1]
    a.extend(s)
    return a


def list_clear(x):
    a = [1, 2]
    a.clear()
    return a


def list_reverse(x):
    a = [1, 2, x]
    a.reverse()
    return a


def list_count(x):
    a = [1, 2, 1, 1.0, True, "a"]
    return a.count(1), a.count("a"), a.count(7)


def list_count_tensor(x):
    return [x, 1].count(x)


def list_index_m(x):
    a = [1, 2, 3, 2]
    return a.index(2), a.index(2, 2), a.index(3, 0, 3)


def list_index_missing(x):
    return [1].index(5)


def list_remove(x):
    a = [1, 2, 3, 2]
    a.remove(2)
    return a


def list_remove_missing(x):
    a = [1, 2]
    a.remove(5)
    return a


def list_sort(x):
    a = [3, 1, 2]
    a.sort()
    return a


def list_sort_reverse(x):
    a = [3, 1, 2]
    a.sort(reverse=True)
    return a


def list_sort_result(x):
    a = [3, 1, 2]
    b = a.sort()
    return b


def list_remove_result(x):
    a = [3, 1, 2]
    b = a.remove(1)
    return b


def list_remove_loop(x):
    a = [1, 2, 3]
    for k in (1, 3):
        a.remove(k)
    return a


def list_remove_tensors(x, y):
    a = [x, y]
    a.remove(x)
    return a


def list_copy(x):
    a = [1, x]
    b = a.copy()
    b.append(2)
    return a, b


def list_mul(n):
    return [0] * n, n * [1]


def list_eq_len(x):
    a = [1, 2]
    b = a
    b.append(3)
    return a, b


def list_of_lists(x):
    a = [[0] * 2 for _ in range(2)]
    a[0][1] = x
    return a


def list_set_neg(x):
    a = [1, 2, 3]
    a[-1] = x
    return a


def list_chain(x):
    return [1, 2, 3].index(2), [3, 1].count(3), [1, 2].copy()


def list_in_tuple(x):
    a = ([1], 2)
    a[0].append(x)
    return a


def list_of_global(x):
    GL.append(1)
    return len(GL)


GL = [1, 2]


def list_del_neg(x):
    a = [1, 2, 3]
    del a[-1]
    return a


def list_del_several(x):
    a = [1, 2, 3]
    b = [4, 5]
    del a[0], b[1]
    return a, b


def list_del_name_alias(x):
    a = [1, 2, 3]
    b = a
    del a[0]
    return a, b


def list_del_nested(x):
    a = [[1, 2], 3]
    del a[0][1]
    return a


def list_del_out(x):
    a = [1]
    del a[4]
    return a


def list_del_used_after(x):
    a = x
    del a
    return a


def list_append_while_tensor(t):
    r = []
    while t < 10:
        t = t * 2
        r.append(1)
    return t


def dict_get(x):
    d = {"a": x}
    return d.get("a"), d.get("b"), d.get("b", 5)


def dict_keys(x):
    d = {"a": x, "b": 2}
    return d.keys(), d.values(), d.items()


def dict_keys_list(x):
    d = {"a": x, "b": 2}
    return list(d.keys()), list(d.values()), list(d.items())


def dict_keys_len(x):
    d = {"a": x, "b": 2}
    return len(d.keys()), "a" in d.keys(), 2 in d.values()


def dict_update(x):
    d = {"a": x}
    d.update({"b": 1, "a": 2})
    return d


def dict_update_kw(x):
    d = {"a": x}
    d.update(b=3)
    return d


def dict_update_pairs(x):
    d = {"a": x}
    d.update([("b", 3)])
    return d


def dict_pop(x):
    d = {"a": x, "b": 2}
    p = d.pop("b")
    return d, p


def dict_pop_default(x):
    d = {"a": x}
    p = d.pop("z", 7)
    return d, p


def dict_pop_missing(x):
    d = {"a": x}
    p = d.pop("z")
    return p


def dict_popitem(x):
    d = {"a": 1, "b": 2}
    p = d.popitem()
    return d, p


def dict_setdefault(x):
    d = {"a": 1}
    p = d.setdefault("b", 4)
    return d, p


def dict_clear(x):
    d = {"a": 1}
    d.clear()
    return d


def dict_copy(x):
    d = {"a": 1}
    e = d.copy()
    e["b"] = 2
    return d, e


def dict_has_key(x):
    return {"a": 1}.has_key("a")


def dict_fromkeys(x):
    d = {"a": 1}
    return d.fromkeys(["p", "q"], 3)


def dict_fromkeys_cls(x):
    return dict.fromkeys(["p", "q"], 3)


def dict_or(x):
    return {"a": 1} | {"b": 2}


def dict_nested(x):
    d = {"a": {"b": x}}
    d["a"]["c"] = 1
    return d


def dict_int_keys(x):
    return {1: x, 2: "b"}


def dict_len_bool(x):
    return len({}), bool({}), bool({"a": 1})


def dict_order(x):
    d = {"b": 1, "a": 2}
    d["b"] = 3
    d["c"] = 4
    return d, list(d)


def tuple_methods(x):
    a = (1, 2, 1)
    return a.count(1), a.index(2)


def tuple_index_missing(x):
    return (1,).index(3)


def tuple_set(x):
    a = (1, 2)
    a[0] = 3
    return a


def tuple_nested_cmp(x):
    return (1, (2, 3)) == (1, (2, 3))


def named_tuple(x):
    p = Point(1, x)
    return p.x, p.y


Point = collections.namedtuple("Point", "x y")


def named_tuple_ret(x):
    return Point(1, x)


def set_ops(x):
    return len({1, 2} | {3}), 2 in {1, 2}


def str_iter_zip(s):
    return [a + b for a, b in zip(s, "xyz")]


def str_escape(x):
    return "a\tb\n", r"\d", 'q"q', "é"


def str_mod_dict(n):
    return "%(a)s" % {"a": n}


def str_cmp_chain(s):
    return "a" < s < "b"


def int_methods(n):
    return n.bit_length()


def float_methods(f):
    return f.is_integer()


def tensor_is_tensor(x, n):
    return ops.is_tensor(x), ops.is_tensor(n)


def os_path(x):
    return os.path.join("a", "b")


def enum_member(x):
    return x * Color.RED.value


class Color(enum.Enum):
    RED = 2


def dataclass_use(x):
    return CFG.rate * x


@dataclasses.dataclass
class Config:
    rate: float = 0.5


CFG = Config()


def type_annotation(x: Tensor, k: int = 2) -> Tensor:
    return x * k
