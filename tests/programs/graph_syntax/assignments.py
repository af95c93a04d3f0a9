"""Assignments, deletions, returns. See ``running.py``."""

import mindspore as ms
import numpy as np
from mindspore import Tensor


def chained(x):
    a = b = x + 1
    a = a * 2
    return a, b


def swap(x, y):
    x, y = y, x
    return x, y


def starred(x):
    a, *b = (x, 1, 2)
    return a, b


def starred_middle(x):
    a, *b, c = [x, 1, 2, x + 1]
    return a, b, c


def starred_first(x):
    *a, b = (1, 2, x)
    return a, b


def starred_empty(x):
    a, *b = (x,)
    return a, b, len(b)


def nested_target(x):
    (a, b), c = (x, 1), 2
    return a, b, c


def list_target(x):
    [a, b] = x, x * 2
    return a + b


def unpack_tensor(x):
    a, b, c = x
    return a, b, c


def unpack_tensor_starred(m):
    a, *b = m
    return a, b


def unpack_string(x):
    a, b = "hi"
    return a, b


def unpack_dict(x):
    a, b = {"p": x, "q": 1}
    return a, b


def unpack_mismatch(x):
    a, b = (x, 1, 2)
    return a


def unpack_range(x):
    a, b, c = range(3)
    return a, b, c


def aug_all(n):
    a = n
    a += 4
    a -= 1
    a *= 3
    a //= 2
    a %= 5
    a **= 2
    return a


def aug_div(n):
    a = n
    a /= 2
    return a


def aug_bits(n):
    a = n
    a <<= 3
    a |= 1
    a &= 29
    a ^= 3
    a >>= 1
    return a


def aug_tensor(x, y):
    a = x * 1
    a += y
    a -= 1
    a *= 2
    a /= 4
    return a


def aug_tensor_int(i):
    a = i * 1
    a //= 2
    a %= 3
    return a


def aug_tensor_pow(x):
    a = x * 1
    a **= 2
    return a


def aug_matmul(m):
    a = m
    a = a @ m.T
    return a


def aug_matmul_in_place(m):
    a = m @ m.T
    a @= a
    return a


def aug_list(x):
    a = [x]
    a += [1, 2]
    return a


def aug_list_tuple(x):
    a = [x]
    a += (1, 2)
    return a


def aug_tuple(x):
    a = (x,)
    a += (1,)
    a *= 2
    return a


def aug_list_times(x):
    a = [x, 1]
    a *= 2
    return a


def aug_str(s):
    a = s
    a += "d"
    a *= 2
    return a


def aug_list_item(x):
    a = [1, x, 3]
    a[0] += 5
    a[1] *= 2
    a[-1] -= 1
    return a


def aug_dict_item(x):
    a = {"p": x, "q": 1}
    a["p"] += 1
    a["q"] *= 4
    return a


def aug_slice(x):
    a = x * 1
    a[0:2] += 10
    a[2] *= 2
    return a


def aug_slice_mask(x):
    a = x * 1
    a[a > 0] *= 5
    return a


def aug_matrix(m):
    a = m * 1
    a[0, 1] += 5
    a[:, 2] -= 1
    a[1] /= 2
    return a


def aug_nested(x):
    a = {"p": [x, 2]}
    a["p"][0] += 1
    a["p"][1] += 1
    return a


def slice_assign_list(x):
    a = [1, 2, 3, 4]
    a[1:3] = [x, x, 7]
    return a


def set_items(m):
    a = m * 1
    a[0] = 5
    a[1, 2] = 7.5
    a[:, 0] = Tensor([1.0, 2.0])
    return a


def set_ellipsis(m):
    a = m * 1
    a[..., 1] = 9
    return a


def set_list_index(m):
    a = m * 1
    a[[0, 1]] = 3
    return a


def set_tensor_index(x):
    a = x * 1
    a[Tensor([0, 2])] = Tensor([7.0, 8.0])
    return a


def set_dict_new(x):
    a = {}
    a["p"] = x
    a["q"] = 2
    return a


def set_dict_tuple_key(x):
    a = {}
    a[(1, 2)] = x
    a[3] = 4
    return a


def ann_assign(x):
    a: int = 3
    b: "Tensor" = x
    return a, b


def walrus(x):
    if (a := x.sum()) > 1:
        return a + 1
    return a


def walrus_int(n):
    b = (a := n + 1) * 2
    return a, b


def deleted_name(x):
    a = x
    del a
    return x


def deleted_item(x):
    a = [x, 1, 2]
    del a[0]
    return a


def deleted_slice(x):
    a = [x, 1, 2, 3]
    del a[1:3]
    return a


def deleted_key(x):
    a = {"p": x, "q": 2}
    del a["q"]
    return a


def global_read(x):
    return x * SCALE + len(NAMES)


SCALE = 3
NAMES = ["a", "b"]


def global_write(x):
    global SCALE2
    SCALE2 = 4
    return x * SCALE2


SCALE2 = 2


def nonlocal_write(x):
    k = 1

    def inc():
        nonlocal k
        k = k + 1
        return k

    a = inc()
    return a, k


def passes(x):
    pass
    ...
    return x


def no_return(x):
    y = x + 1


def bare_return(x):
    if x.sum() > 100:
        return
    return


def multiple_returns_types(n):
    if n > 2:
        return "big"
    return n


def return_nested(x):
    return [x, (1, {"a": [2.5, None]}), "s", True]


def return_bool(x):
    return True, x.ndim == 1, False


def return_int(x):
    return 3


def return_float(x):
    return 2.5


def return_str(x):
    return "text"


def return_none(x):
    return None


def return_empty(x):
    return (), [], {}


def return_dtype(x):
    return x.dtype, x.shape


def return_arg_list(l):
    return l


def return_same_twice(x):
    return x, x


def return_range(x):
    return range(3)


def return_slice(x):
    return slice(1, 2)


def return_ellipsis(x):
    return ...


def return_function(x):
    def g(y):
        return y

    return g(x)


def return_complex(x):
    return 1 + 2j


def return_np(x):
    return np.array([1, 2])


def return_class_dtype(x):
    return ms.float32


def return_set(x):
    return {1, 2}
