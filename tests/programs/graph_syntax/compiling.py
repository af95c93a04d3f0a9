"""`jit`, `jit_class`, `mutable`, `constexpr`, gradients of Cells. See ``running.py``."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import MultitypeFuncGraph


@ms.jit
def j_plain(x, k=2, *, j=3):
    return x * k + j


@ms.jit(capture_mode="trace")
def j_trace(x):
    return x * 2 + 1


@ms.jit(capture_mode="bytecode")
def j_bytecode(x):
    y = x * 2
    if y.sum() > 0:
        return y
    return -y


@ms.jit(capture_mode="bytecode")
def j_bytecode_print(x):
    print("seen", x.shape)
    return x * 2


@ms.jit(capture_mode="bytecode")
def j_bytecode_list(x):
    out = []
    for k in range(3):
        out.append(x * k)
    return out


@ms.jit(capture_mode="bytecode")
def j_bytecode_alias(x):
    a = [x]
    b = a
    b.append(1)
    return a, b, not x.ndim, 2**-1


@ms.jit(capture_mode="bytecode")
def j_bytecode_del(x):
    a = [3, 1, 2]
    del a[0]
    a.sort()
    a.remove(1)
    return a, f"{x.shape}"


@ms.jit(capture_mode="bytecode")
def j_bytecode_try(x):
    try:
        raise ValueError("a")
    except ValueError:
        return x


@ms.jit(capture_mode="bytecode")
def j_bytecode_not(t):
    return not t


@ms.jit(capture_mode="bytecode")
def j_bytecode_ret_range(x):
    return range(3), {"a": 1}.keys()


@ms.jit(capture_mode="trace")
def j_trace_if(x):
    if x.ndim == 1:
        return x * 2
    return x


@ms.jit(capture_mode="trace")
def j_trace_list(x):
    a = [x]
    b = a
    b.append(x * 2)
    return a[0], len(a), not x.ndim


@ms.jit(capture_mode="trace")
def j_trace_tensor_if(t):
    if t > 1:
        return t * 2
    return t


@ms.jit(jit_level="O1")
def j_o1(x):
    return ops.softmax(x) * 2


def run_j_plain(x):
    return j_plain(x), j_plain(x, 5), j_plain(x, k=4, j=1), j_plain(k=1, x=x)


def run_j_trace(x):
    return j_trace(x), j_trace(x)


def run_j_bytecode(x):
    return j_bytecode(x), j_bytecode(-x), j_bytecode(x)


def run_j_bytecode_print(x):
    return j_bytecode_print(x), j_bytecode_print(x)


def run_j_bytecode_list(x):
    return j_bytecode_list(x)


def run_j_bytecode_alias(x):
    return j_bytecode_alias(x)


def run_j_bytecode_del(x):
    return j_bytecode_del(x)


def run_j_bytecode_try(x):
    return j_bytecode_try(x)


def run_j_bytecode_not(t):
    return j_bytecode_not(t)


def run_j_bytecode_ret_range(x):
    return j_bytecode_ret_range(x)


def run_j_trace_if(x):
    return j_trace_if(x), j_trace_if(x)


def run_j_trace_list(x):
    return j_trace_list(x)


def run_j_trace_tensor_if(t):
    return j_trace_tensor_if(t), j_trace_tensor_if(t), j_trace_tensor_if(t - 5)


def run_j_o1(x):
    return j_o1(x)


class JCell(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")
        self.n = 0

    @ms.jit
    def construct(self, x):
        self.w = self.w + x
        return self.w * 2


class JCellMethod(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 3

    @ms.jit
    def inner(self, x):
        if x.sum() > 0:
            return x * self.k
        return x

    def construct(self, x):
        return self.inner(x) + 1


def run_jcell(x):
    net = JCell()
    return net(x), net(x), net.w


def run_jcell_method(x):
    net = JCellMethod()
    a = net(x)
    net.k = 5
    return a, net(x), net(-x)


def run_jit_cell(x):
    net = nn.ReLU()
    f = ms.jit(net)
    return f(x)


def run_jit_method(x):
    net = JCellMethod()
    f = ms.jit(net.construct)
    return f(x)


def run_jit_grad(x):
    return ms.jit(ms.grad(sq))(x), ms.grad(ms.jit(sq))(x)


def sq(x):
    return x * x


@ms.jit_class
class JBox:
    def __init__(self, v):
        self.v = v

    def mul(self, x):
        return x * self.v

    def more(self, x):
        return [self.mul(x), self]


BOX = JBox(4)


@ms.jit
def j_box(x):
    return BOX.mul(x), BOX.v


@ms.jit
def j_box_arg(x, box):
    return box.mul(x)


@ms.jit
def j_box_new(x):
    b = JBox(x)
    return b.mul(x), b.v


@ms.jit
def j_box_set(x):
    b = JBox(1)
    b.v = x * 5
    return b.v


@ms.jit
def j_box_set_global(x):
    BOX2.v = 7
    return BOX2.mul(x)


BOX2 = JBox(2)


def run_j_box(x):
    return j_box(x)


def run_j_box_arg(x):
    return j_box_arg(x, BOX)


def run_j_box_new(x):
    return j_box_new(x)


def run_j_box_set(x):
    return j_box_set(x)


def run_j_box_set_global(x):
    return j_box_set_global(x), BOX2.v


def run_box_changed(x):
    a = j_box(x)
    BOX.v = 6
    b = j_box(x)
    BOX.v = 4
    return a, b


@ms.jit
def j_ints(n, x):
    return x * n, n + 1


def run_j_ints(x):
    return [j_ints(k, x) for k in (1, 2, 2.5, True)]


@ms.jit
def j_strs(s, x):
    return x * len(s), s


def run_j_strs(x):
    return [j_strs(k, x) for k in ("a", "bcd", "")]


@ms.jit
def j_np(a, x):
    return x + Tensor(a), a


def run_j_np(x):
    return j_np(np.ones(3, np.float32), x)


@ms.jit
def j_np_only(a):
    return a


def run_j_np_only(x):
    return j_np_only(np.ones(3, np.float32))


@ms.jit
def j_np_arith(a, x):
    return x + a


def run_j_np_arith(x):
    return j_np_arith(np.ones(3, np.float32), x)


@ms.jit
def j_none(a, x):
    return x if a is None else a


def run_j_none(x):
    return j_none(None, x), j_none(x * 2, x)


@ms.jit
def j_many(*args, **kw):
    return len(args), len(kw), args, kw


def run_j_many(x):
    return j_many(x, 1, a=2), j_many(), j_many(b=x)


@ms.jit
def j_dtype_arg(x, d):
    return x.astype(d), d


def run_j_dtype_arg(x):
    return j_dtype_arg(x, ms.int32)


@ms.jit
def j_fn_arg(x, f):
    return f(x)


def run_j_fn_arg(x):
    return j_fn_arg(x, sq)


@ms.jit
def j_cell_arg(x, c):
    return c(x)


def run_j_cell_arg(x):
    return j_cell_arg(x, nn.ReLU())


@ms.jit
def j_param_arg(p, x):
    return p * x


def run_j_param_arg(x):
    return j_param_arg(Parameter(Tensor([1.0, 2.0, 3.0]), name="q"), x)


@ms.jit
def j_param_write(p, x):
    p += x
    return p


def run_j_param_write(x):
    q = Parameter(Tensor([1.0, 2.0, 3.0]), name="q")
    r = j_param_write(q, x)
    return r, q


@ms.jit
def j_arg_aug(x):
    x += 1
    return x


def run_j_arg_aug(x):
    return j_arg_aug(x), x


@ms.jit
def j_arg_set(x):
    x[0] = 9
    return x


def run_j_arg_set(x):
    return j_arg_set(x), x


@ms.jit
def j_set_arg(a):
    return 1


def run_j_set_arg(x):
    return j_set_arg({1, 2})


@ms.jit
def j_obj_arg(a):
    return a.v


class JPlain:
    v = 3


def run_j_obj_arg(x):
    return j_obj_arg(JPlain())


def run_j_missing(x):
    return j_plain()


def run_j_extra(x):
    return j_plain(x, 1, 2)


def run_j_unknown_kw(x):
    return j_plain(x, zz=1)


def run_mutable_checks(x):
    a = ms.mutable([1, 2])
    b = ms.mutable((x, {"a": 1}))
    c = ms.mutable(2.5)
    return type(a).__name__, type(b).__name__, type(c).__name__, a, b, c


def run_mutable_bad(x):
    return ms.mutable("a")


def run_mutable_bad2(x):
    return ms.mutable(3, True)


def run_mutable_bad3(x):
    return ms.mutable({"a": 1}, True)


@ms.jit
def j_mut(n, x):
    return x * n


def run_mutable_jit(x):
    return [j_mut(ms.mutable(k), x) for k in (1, 2, 3)]


@ms.jit
def j_mut_list(l, x):
    return l[0] * x, l[1] + 1


def run_mutable_list_jit(x):
    return j_mut_list(ms.mutable([1, 2.5]), x), j_mut_list(ms.mutable([3, 4.5]), x)


@ops.constexpr
def cx_sum(a, b=2):
    return a + b


@ops.constexpr
def cx_tensor(a):
    return Tensor(np.ones(a, np.float32))


@ops.constexpr
def cx_list(a):
    return [a, (a, "s")]


@ops.constexpr
def cx_str(a):
    return "%s!" % a


@ops.constexpr
def cx_none(a):
    return None


@ops.constexpr
def cx_raise(a):
    raise ValueError(f"bad {a}")


@ops.constexpr
def cx_np(a):
    return np.arange(a)


@ms.jit
def j_cx(x):
    return cx_sum(1), cx_sum(x.shape[0], 4), cx_tensor(3) + x, cx_list(2), cx_str("a"), cx_none(1)


def run_j_cx(x):
    return j_cx(x)


@ms.jit
def j_cx_raise(x):
    return cx_raise(3)


def run_j_cx_raise(x):
    return j_cx_raise(x)


@ms.jit
def j_cx_np(x):
    return cx_np(3)


def run_j_cx_np(x):
    return j_cx_np(x)


def run_cx_outside(x):
    return cx_sum(2), cx_list(1), cx_tensor(2)


mtf = MultitypeFuncGraph("mtf")


@mtf.register("Number", "Number")
def mtf_n(a, b):
    return a + b


@mtf.register("Tensor", "Number")
def mtf_t(a, b):
    return a * b


@ms.jit
def j_mtf(x):
    return mtf(1, 2), mtf(x, 3)


def run_j_mtf(x):
    return j_mtf(x)


@ms.jit
def j_hyper(x):
    return ops.HyperMap()(mtf, (x, x), (1, 2))


def run_j_hyper(x):
    return j_hyper(x)


class GNet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")
        self.b = Parameter(Tensor(1.0), name="b")

    def construct(self, x, t):
        s = self.b
        for k in range(3):
            if t > k:
                s = s + (x * self.w).sum() * k
            else:
                s = s - self.b * k
        while s < 20:
            s = s * self.b * 2
        return s


def g_by_list(x, t):
    n = GNet()
    return ms.ops.GradOperation(get_by_list=True)(n, n.trainable_params())(x, t)


def g_all_by_list(x, t):
    n = GNet()
    return ms.ops.GradOperation(get_all=True, get_by_list=True)(n, n.trainable_params())(x, t)


def g_sens(x, t):
    n = GNet()
    return ms.ops.GradOperation(get_all=True, sens_param=True)(n)(x, t, Tensor(2.0))


def g_vag(x, t):
    n = GNet()
    return ms.value_and_grad(n, (0, 1), n.trainable_params())(x, t)


def run_g_by_list(x, t):
    ms.set_context(mode=ms.GRAPH_MODE)
    return g_by_list(x, t), g_all_by_list(x, t), g_sens(x, t), g_vag(x, t)


def run_p_by_list(x, t):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    return g_by_list(x, t), g_all_by_list(x, t), g_sens(x, t), g_vag(x, t)
