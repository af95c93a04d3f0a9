"""Changes of lists and dicts, and what functions that a graph calls change. See ``running.py``."""

from mindspore import nn, ops

GL = [3, 1, 2]
GD = {"a": 1}


def global_remove(x):
    GL.remove(1)
    return len(GL), GL


def global_sort(x):
    GL.sort()
    return GL


def global_append_twice(x):
    GL.append(1)
    GL.append(2)
    return GL


def global_set(x):
    GL[0] = 7
    return GL


def global_dict_set(x):
    GD["b"] = x
    return GD


def global_dict_update(x):
    GD.update({"c": 1})
    return GD


def global_pop(x):
    a = GL.pop()
    return a, GL


def global_setdefault(x):
    a = GD.setdefault("z", 3)
    return a, GD


def arg_remove(l):
    l.remove(1)
    return l


def arg_sort(l):
    l.sort(reverse=True)
    return l


def arg_reverse(l):
    l.reverse()
    return l


def arg_pop(l):
    a = l.pop()
    return a, l


def arg_tensors_remove(lt):
    lt.remove(lt[0])
    return lt


def sort_key(x):
    a = [3, -1, 2]
    a.sort(key=abs)
    return a


def sort_strs(x):
    a = ["b", "a"]
    a.sort()
    return a


def sort_in_if(n):
    a = [3, 1]
    if n > 1:
        a.sort()
    return a


def sort_in_loop(n):
    a = [3, 1]
    for k in range(2):
        a.append(k)
        a.sort()
    return a


def sort_in_inner(n):
    a = [3, 1]

    def g(v):
        v.sort()
        return v

    return g(a), a


def remove_nested(n):
    a = [[3, 1], {"k": [5, 6]}]
    a[0].remove(3)
    a[1]["k"].sort(reverse=True)
    return a


def remove_tensor_list(x):
    a = [x, 1, 2]
    a.remove(1)
    return a


def sort_tensors(t, u):
    a = [t, u]
    a.sort()
    return a


def remove_then_append(x):
    a = [1, 2, 3]
    a.remove(2)
    a.append(4)
    return a


def remove_count(x):
    a = [1, 2, 3]
    a.remove(2)
    return len(a), 2 in a


def copy_append(x):
    a = [1, 2]
    b = a.copy()
    b.append(3)
    return a, b


def copy_only(x):
    a = [1, x]
    b = a.copy()
    return b, b[1] + 1, len(b)


def copy_slice(x):
    a = [1, 2]
    b = a[:]
    b.append(3)
    return a, b


def copy_list(x):
    a = [1, 2]
    b = list(a)
    b.append(3)
    return a, b


def popitem_twice(x):
    d = {"a": 1, "b": 2}
    d.popitem()
    return d


def setdefault_stmt(x):
    d = {"a": 1}
    d.setdefault("b", x)
    return d


def setdefault_list(x):
    d = {}
    d.setdefault("k", []).append(1)
    return d


def dict_pop(x):
    d = {"a": 1, "b": x}
    d.pop("a")
    return d


def dict_pop_assigned(x):
    d = {"a": 1, "b": x}
    a = d.pop("a")
    return a, d


def dict_copy(x):
    d = {"a": 1, "b": x}
    e = d.copy()
    return e


def dict_copy_set(x):
    d = {"a": 1}
    e = d.copy()
    e["q"] = 2
    return d, e


def append_value(x):
    a = [1]
    b = a.append(2)
    return a, b


def pop_statement(x):
    a = [1, 2, 3]
    a.pop()
    return a


def pop_returned(x):
    a = [1, 2, 3]
    return a.pop()


def pop_tuple_target(x):
    a = [1, 2, 3]
    b, c = a.pop(), 5
    return a, b, c


def pop_in_call(x):
    a = [x, x * 2]
    return ops.relu(a.pop())


def pop_in_while(x):
    a = [1, 2, 3]
    s = 0
    while len(a) > 0:
        b = a.pop()
        s = s + b
    return s


def pop_tensor(x):
    a = [x, x * 2]
    b = a.pop()
    return b + 1, len(a)


def sorted_tensors(t, u):
    return sorted([t, u])


def list_of_tuple(x):
    a = ([1], 2)
    b = a[0]
    b.append(3)
    return a, b


def tuple_item_set(x):
    a = ([1, 2], 2)
    a[0][0] = 5
    return a


def tuple_dict_set(x):
    a = ({"k": 1}, 2)
    a[0]["k"] = 5
    return a


class NetListSort(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        self.l.sort()
        return self.l


class NetListRemove(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        self.l.remove(3)
        return self.l, len(self.l)


class NetListAppend(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        self.l.append(x)
        return len(self.l)


class NetListReverse(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        self.l.reverse()
        return self.l


class NetListExtend(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        self.l.extend([5])
        return self.l


class NetListPop(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        a = self.l.pop()
        return a, self.l


class NetListLocal(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        l = self.l
        l.append(7)
        return l, self.l


class NetListLocalSet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        l = self.l
        l[0] = 9
        return l, self.l


class NetListSet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [3, 1, 2]

    def construct(self, x):
        self.l[0] = 9
        return self.l


class NetDictSet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = {"a": 1}

    def construct(self, x):
        self.d["b"] = x
        return self.d


class NetDictUpdate(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = {"a": 1}

    def construct(self, x):
        self.d.update({"b": 3})
        return self.d


class NetHelperList(nn.Cell):
    def add(self, l, x):
        l.append(x)
        return l

    def construct(self, x):
        l = [x]
        m = self.add(l, x)
        self.add(l, x)
        return len(l), len(m)


class NetHelperNot(nn.Cell):
    def neg(self, t):
        return not t

    def construct(self, t):
        return self.neg(t), self.neg(3)


class NetHelperPow(nn.Cell):
    def p(self, n):
        return n**-1, 2**n

    def construct(self, t):
        return self.p(2), self.p(-1)


class NetHelperAlias(nn.Cell):
    def p(self, x):
        a = [x]
        b = a
        b.append(x)
        return len(a), len(b)

    def construct(self, x):
        return self.p(x)


def free_alias(x):
    a = [x]
    b = a
    b.append(x)
    return len(a), len(b)


def calls_free_alias(x):
    return free_alias(x)


class NetFreeAlias(nn.Cell):
    def construct(self, x):
        return free_alias(x), free_not(x.sum()), free_pow(2)


def free_not(t):
    return not t


def free_pow(n):
    return n**-1


def calls_free_not(t):
    return free_not(t), free_pow(2)


def free_loops(x):
    fs = []
    for k in range(3):

        def g(v):
            return v * k

        fs.append(g)
    return [f(x) for f in fs]


def calls_free_loops(x):
    return free_loops(x)


def calls_free_keys(x):
    return free_keys(x)


def free_keys(x):
    d = {"a": x}
    k = d.keys()
    d["b"] = x
    return len(k)


def calls_free_write(x):
    return free_write(x * 1)


def free_write(y):
    z = y
    z[0] = 7
    return y, z


def calls_free_aug(x):
    return free_aug(x * 1)


def free_aug(y):
    z = y
    z += 1
    return y, z
