"""What functions, methods and Cells that a graph calls mean and change. See ``running.py``."""

import functools

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops


class Lin(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.w = Parameter(Tensor([float(k), 1.0, 2.0]), name="w")

    def construct(self, x):
        return x * self.w


class NetPassedLists(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Lin(1)

    def collect(self, out, x):
        out.append(self.a(x))
        return out

    def construct(self, x):
        out = []
        for k in range(3):
            out = self.collect(out, x * k)
        return ops.stack(out).sum(0)


class NetLostLists(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Lin(1)

    def collect(self, out, x):
        out.append(self.a(x))

    def construct(self, x):
        out = [x]
        for k in range(3):
            self.collect(out, x * k)
        return len(out)


class NetDictBuild(nn.Cell):
    def helper(self, d, x):
        d["y"] = x * 2
        return d

    def construct(self, x):
        d = {"x": x}
        e = self.helper(d, x)
        return len(d), len(e), e["y"]


class NetHelperWrite(nn.Cell):
    def helper(self, y):
        y[0] = 7.0
        return y

    def construct(self, x):
        y = x * 1
        z = self.helper(y)
        return y, z


class NetHelperWriteLost(nn.Cell):
    def helper(self, y):
        y[0] = 7.0

    def construct(self, x):
        y = x * 1
        self.helper(y)
        return y


class NetHelperAug(nn.Cell):
    def helper(self, y):
        y += 1
        return y

    def construct(self, x):
        y = x * 1
        z = self.helper(y)
        return y, z


class NetHelperAugSlice(nn.Cell):
    def helper(self, y):
        y[0:2] += 1
        return y

    def construct(self, x):
        y = x * 1
        z = self.helper(y)
        return y, z


class NetChildWrites(nn.Cell):
    def __init__(self):
        super().__init__()
        self.c = NetHelperWrite()

    def construct(self, x):
        y = x * 2
        r = self.c(y)
        return y, r


class Writes(nn.Cell):
    def construct(self, y):
        y[0] = 5.0
        return y


class NetChildWritesArg(nn.Cell):
    def __init__(self):
        super().__init__()
        self.c = Writes()

    def construct(self, x):
        y = x * 2
        r = self.c(y)
        return y, r


class AppendsArg(nn.Cell):
    def construct(self, l, x):
        l.append(x)
        return l


class NetChildAppends(nn.Cell):
    def __init__(self):
        super().__init__()
        self.c = AppendsArg()

    def construct(self, x):
        l = [x]
        r = self.c(l, x)
        return len(l), len(r)


class Base(nn.Cell):
    def pre(self, x):
        if not x.ndim:
            return x
        r = [x]
        s = r
        s.append(x)
        return len(r), len(s)

    def construct(self, x):
        return self.pre(x)


class NetInherited(Base):
    pass


class NetSuperHelper(Base):
    def pre(self, x):
        return super().pre(x), not (x.sum() > 100)


class NetStaticHelper(nn.Cell):
    @staticmethod
    def neg(t):
        return not t

    @classmethod
    def negc(cls, t):
        return not t

    @property
    def negp(self):
        return 2**-1

    def construct(self, t):
        return self.neg(t), self.negc(t), self.negp


class NetNestedHelper(nn.Cell):
    def a(self, x):
        return self.b(x)

    def b(self, x):
        return self.d(x), x.ndim**-1

    def d(self, x):
        return not x.sum()

    def construct(self, x):
        return self.a(x)


def module_helper(x):
    return module_inner(x)


def module_inner(x):
    return not x.sum(), 3**-1


class NetModuleHelper(nn.Cell):
    def construct(self, x):
        return module_helper(x)


class NetDecorated(nn.Cell):
    def construct(self, x):
        return decorated_fn(x)


def deco(f):
    @functools.wraps(f)
    def wrapped(*a, **k):
        return f(*a, **k)

    return wrapped


@deco
def decorated_fn(x):
    return not x.sum()


class NetStoredFn(nn.Cell):
    def __init__(self):
        super().__init__()
        self.f = module_inner
        self.g = [module_inner]
        self.h = {"a": module_inner}

    def construct(self, x):
        return self.f(x), self.g[0](x), self.h["a"](x)


class NetPartial(nn.Cell):
    def __init__(self):
        super().__init__()
        self.f = functools.partial(with_k, k=2)

    def construct(self, x):
        return self.f(x)


def with_k(x, k):
    return not x.sum(), k**-1


@ms.jit_class
class Helper:
    def __init__(self, k):
        self.k = k

    def neg(self, t):
        return not t, self.k**-1

    def __call__(self, t):
        return not t


HELP = Helper(2)


class NetJitClass(nn.Cell):
    def construct(self, t):
        return HELP.neg(t), HELP(t)


class NetJitClassAttr(nn.Cell):
    def __init__(self):
        super().__init__()
        self.h = Helper(3)

    def construct(self, t):
        return self.h.neg(t), self.h(t)


class NetJitMethod(nn.Cell):
    @ms.jit
    def f(self, t):
        return self.g(t)

    def g(self, t):
        return not t

    def construct(self, t):
        return self.f(t)


class Prim(nn.Cell):
    def __init__(self):
        super().__init__()
        self.map = ops.Map()
        self.hmap = ops.HyperMap()

    def construct(self, x):
        return self.map(neg_fn, (x.sum(), x[0]))


class NetMapped(Prim):
    pass


def neg_fn(t):
    return not t


class NetLoss(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Lin(2)
        self.terms = [1.0, 0.5]

    def parts(self, y):
        out = []
        for k in self.terms:
            out.append((y * y).sum() * k)
        return out

    def construct(self, x):
        y = self.a(x)
        total = 0
        for p in self.parts(y):
            total = total + p
        return total


class NetCondParam(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(2.0), name="w")
        self.v = Parameter(Tensor(3.0), name="v")

    def pick(self, t):
        if t > 1:
            return self.w
        return self.v

    def construct(self, t, u):
        return self.pick(t) * t + self.pick(u) * u


class NetWhileParam(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(2.0), name="w")

    def step(self, t):
        return t * self.w

    def construct(self, t):
        while t < 50:
            t = self.step(t)
        return t


class NetGradInside(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Lin(2)
        self.grad = ops.GradOperation(get_all=True)

    def construct(self, x):
        return self.grad(self.a)(x)


class NetGradWeights(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Lin(2)
        self.params = ParameterTuple(self.a.trainable_params())
        self.grad = ops.GradOperation(get_by_list=True)

    def construct(self, x):
        return self.grad(self.a, self.params)(x)
