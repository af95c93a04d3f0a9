"""Cells: attributes, Parameters, containers. See ``running.py``."""

import mindspore as ms
import numpy as np
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops


class NetAttr(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 3

    def construct(self, x):
        self.k = self.k + 1
        return x * self.k


class NetAttrNew(nn.Cell):
    def construct(self, x):
        self.z = 5
        return x * self.z


class NetAttrTensor(nn.Cell):
    def __init__(self):
        super().__init__()
        self.c = Tensor([1.0, 1.0, 1.0])

    def construct(self, x):
        self.c = self.c + x
        return self.c


class NetAttrList(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [1, 2]

    def construct(self, x):
        self.l.append(3)
        return x * len(self.l)


class NetAttrListSet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [1, 2]

    def construct(self, x):
        self.l[0] = 10
        return x * self.l[0]


class NetAttrDict(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = {"a": 2}

    def construct(self, x):
        return x * self.d["a"]


class Parent(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 2

    def construct(self, x):
        return x * self.k

    def helper(self, x):
        return x + 1


class NetSuper(Parent):
    def construct(self, x):
        return super().construct(x) + 1


class NetSuperOld(Parent):
    def construct(self, x):
        return super(NetSuperOld, self).construct(x) + super().helper(x)


class NetSuperChain(NetSuper):
    def helper(self, x):
        return super().helper(x) * 10

    def construct(self, x):
        return self.helper(x) + super().construct(x)


class NetProperty(nn.Cell):
    @property
    def twice(self):
        return 2

    def construct(self, x):
        return x * self.twice


class NetStatic(nn.Cell):
    @staticmethod
    def f(x):
        return x + 1

    @classmethod
    def g(cls, x):
        return x * 2

    def construct(self, x):
        return self.f(x), self.g(x), NetStatic.f(x)


class NetClassAttr(nn.Cell):
    factor = 4
    table = (1, 2)

    def construct(self, x):
        return x * self.factor + self.table[1], NetClassAttr.factor


class Add(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.k = k

    def construct(self, x):
        return x + self.k


class NetCellList(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = nn.CellList([Add(1), Add(2), Add(3)])

    def construct(self, x):
        for c in self.l:
            x = c(x)
        for k in range(3):
            x = self.l[k](x) * 2
        return self.l[-1](x), len(self.l), self.l[0:2][1](x)


class NetCellListEnum(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = nn.CellList([Add(1), Add(2)])

    def construct(self, x):
        for k, c in enumerate(self.l):
            x = c(x) * k
        for a, b in zip(self.l, [1, 2]):
            x = a(x) + b
        return [c(x) for c in self.l]


class NetPyList(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [Add(1), Add(2)]
        self.t = (Add(3), Add(4))

    def construct(self, x):
        for c in self.l:
            x = c(x)
        return self.t[1](x), self.l[0](x), len(self.t)


class NetPyDict(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = {"a": Add(1), "b": Add(2)}

    def construct(self, x):
        return self.d["a"](x)


class NetCellDict(nn.Cell):
    def __init__(self):
        super().__init__()
        self.d = nn.CellDict({"a": Add(1), "b": Add(2)})

    def construct(self, x):
        for k, c in self.d.items():
            x = c(x)
        return self.d["a"](x), len(self.d), "a" in self.d


class NetSequential(nn.Cell):
    def __init__(self):
        super().__init__()
        self.s = nn.SequentialCell(Add(1), nn.ReLU(), Add(2))

    def construct(self, x):
        return self.s(x), self.s[0](x), self.s[-1](x), len(self.s)


class NetSequentialLoop(nn.Cell):
    def __init__(self):
        super().__init__()
        self.s = nn.SequentialCell([Add(1), Add(2)])

    def construct(self, x):
        for c in self.s:
            x = c(x) * 2
        return x


class NetListTensorIndex(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = nn.CellList([Add(1), Add(2)])

    def construct(self, x, k):
        return self.l[k - 1](x)


class NetListMutableIndex(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = nn.CellList([Add(1), Add(2)])

    def construct(self, x):
        out = []
        for k in range(len(self.l)):
            out.append(self.l[k](x))
        return out


class NetCellInIf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a, self.b = Add(1), None

    def construct(self, x):
        if self.b is None:
            x = self.a(x)
        if self.a is not None:
            x = x * 2
        if self.b:
            x = x * 100
        return x


class NetParamAssign(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def construct(self, x):
        self.w = self.w + x
        return self.w * 2


class NetParamAug(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def construct(self, x):
        self.w += x
        return self.w


class NetParamAssignOp(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def construct(self, x):
        a = self.w * 1
        r = ops.assign(self.w, x)
        ops.assign_add(self.w, x)
        return a, self.w, r


class NetParamItem(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def construct(self, x):
        self.w[0] = 10.0
        self.w[1:] = x[1:]
        return self.w * 1


class NetParamItemAug(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def construct(self, x):
        self.w[0] += 10.0
        return self.w * 1


class NetParamSetData(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0, 3.0]), name="w")

    def construct(self, x):
        self.w.set_data(x)
        return self.w


class NetParamLoop(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(1.0), name="w")

    def construct(self, x):
        for k in range(3):
            self.w = self.w * 2
        while self.w < 30:
            self.w = self.w + 10
        return x * self.w


class NetParamIf(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(1.0), name="w")

    def construct(self, t):
        if t > 1:
            self.w = self.w + t
        else:
            self.w = self.w - t
        return self.w


class NetParamAlias(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(1.0), name="w")

    def construct(self, t):
        a = self.w
        self.w = self.w + t
        return a, self.w


class NetParamReturned(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor(1.0), name="w")

    def construct(self, t):
        return self.w, t


class NetParamInt(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = Parameter(Tensor(1, ms.int32), name="n", requires_grad=False)

    def construct(self, t):
        self.n += 1
        if self.n > 1:
            return t
        return -t


class NetParamTuple(nn.Cell):
    def __init__(self):
        super().__init__()
        self.ws = ParameterTuple([Parameter(Tensor(1.0), name="a"), Parameter(Tensor(2.0), name="b")])

    def construct(self, t):
        s = 0
        for w in self.ws:
            s = s + w * t
        ops.assign(self.ws[0], t)
        return s, self.ws[0] + 0, len(self.ws)


class NetParamList(nn.Cell):
    def __init__(self):
        super().__init__()
        self.ws = [Parameter(Tensor(1.0), name="a"), Parameter(Tensor(2.0), name="b")]

    def construct(self, t):
        s = 0
        for w in self.ws:
            s = s + w * t
        return s


class NetParamAttrs(nn.Cell):
    def __init__(self):
        super().__init__()
        self.w = Parameter(Tensor([1.0, 2.0]), name="w")

    def construct(self, t):
        return (
            self.w.shape,
            self.w.dtype,
            self.w.name,
            self.w.requires_grad,
            isinstance(self.w, Parameter),
            isinstance(self.w, Tensor),
        )


class NetParamMade(nn.Cell):
    def construct(self, t):
        w = Parameter(t)
        return w


class NetKwargs(nn.Cell):
    def construct(self, x, k=2, *, j=3):
        return x * k + j


class NetCallsKwargs(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = NetKwargs()

    def construct(self, x):
        return self.n(x), self.n(x, 5), self.n(x, k=6, j=1)


class NetVarArgs(nn.Cell):
    def construct(self, *xs):
        return xs[0] * len(xs)


class NetCallsVarArgs(nn.Cell):
    def __init__(self):
        super().__init__()
        self.n = NetVarArgs()

    def construct(self, x):
        return self.n(x), self.n(x, x), self.n(*[x, x, x])


class NetLambda(nn.Cell):
    def __init__(self):
        super().__init__()
        self.f = lambda x: x * 2

    def construct(self, x):
        return self.f(x)


class NetFunction(nn.Cell):
    def __init__(
        self,
    ):
        super().__init__()
        self.f = outside
        self.p = ops.relu

    def construct(self, x):
        return self.f(x) + self.p(x)


def outside(x):
    if x.sum() > 0:
        return x * 3
    return x


class NetMethod(nn.Cell):
    def helper(self, x, k):
        return x + k if k > 2 else x - k

    def other(self, x):
        out = []
        for k in range(3):
            out.append(self.helper(x, k))
        return out

    def construct(self, x):
        return self.helper(x, 3), self.other(x)


class NetTraining(nn.Cell):
    def construct(self, x):
        if self.training:
            return x * 2
        return x


class NetHasattr(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 1

    def construct(self, x):
        a = getattr(self, "k", 5)
        b = getattr(self, "z", 7)
        return hasattr(self, "k"), hasattr(self, "z"), a, b


class NetSetattr(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k = 1

    def construct(self, x):
        setattr(self, "k", 8)
        return x * self.k


class NetMissing(nn.Cell):
    def construct(self, x):
        return self.nothing


class NetIsinstance(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Add(1)

    def construct(self, x):
        return isinstance(self.a, Add), isinstance(self.a, nn.Cell), isinstance(self, NetIsinstance)


class NetClsName(nn.Cell):
    def construct(self, x):
        return self.cls_name, self.__class__.__name__


class NetNone(nn.Cell):
    def construct(self, x):
        return None


class NetNested(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = NetMethod()

    def construct(self, x):
        return self.a.helper(x, 5), self.a(x)[0]


class NetInnerAttr(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Add(1)

    def construct(self, x):
        return x * self.a.k


class NetInnerAttrSet(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Add(1)

    def construct(self, x):
        self.a.k = 9
        return self.a(x)


class NetGlobals(nn.Cell):
    def construct(self, x):
        return x * GLOBAL + len(TABLE)


GLOBAL = 2
TABLE = {"a": 1}


class NetConstTensor(nn.Cell):
    def __init__(self):
        super().__init__()
        self.c = Tensor([1.0, 2.0, 3.0])
        self.np = np.array([1.0, 2.0, 3.0], np.float32)
        self.l = [Tensor(1.0), Tensor(2.0)]

    def construct(self, x):
        return x + self.c, x + Tensor(self.np), x + self.l[1]


class NetConstWrite(nn.Cell):
    def __init__(self):
        super().__init__()
        self.c = Tensor([1.0, 2.0, 3.0])

    def construct(self, x):
        self.c[0] = 5
        return self.c + x


class NetPrimitive(nn.Cell):
    def __init__(self):
        super().__init__()
        self.add = ops.Add()
        self.r = ops.ReduceSum(keep_dims=True)

    def construct(self, x):
        return self.add(x, 1), self.r(x), ops.Concat(0)((x, x)), ops.Shape()(x)


class NetListOfOps(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [ops.ReLU(), ops.Tanh()]

    def construct(self, x):
        return [f(x) for f in self.l]


class NetReturnSelfAttr(nn.Cell):
    def __init__(self):
        super().__init__()
        self.k, self.l, self.d = 2.5, [1, "a"], {"k": (1,)}

    def construct(self, x):
        return self.k, self.l, self.d


class NetCounter(nn.Cell):
    def __init__(self):
        super().__init__()
        self.step = Parameter(Tensor(0, ms.int32), name="step", requires_grad=False)

    def construct(self, x):
        self.step = self.step + 1
        if self.step % 2 == 0:
            return x
        return -x


class NetDictArg(nn.Cell):
    def construct(self, dt):
        return dt["a"] * 2


class NetCallInLoopTensor(nn.Cell):
    def __init__(self):
        super().__init__()
        self.a = Add(1)

    def construct(self, t):
        while t < 10:
            t = self.a(t)
        return t


class NetRepr(nn.Cell):
    def construct(self, x):
        return x

    def extend_repr(self):
        return "k=1"


class Scaled(nn.Cell):
    def __init__(self, k):
        super().__init__()
        self.k = k
        self.w = Parameter(Tensor(float(k)), name="w")

    def construct(self, x):
        return x * self.w + self.k


class Lists(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = nn.CellList([Scaled(1), Scaled(2)])
        self.s = nn.SequentialCell([Scaled(1), Scaled(2)])


class NetSeqTensor(Lists):
    def construct(self, x, k):
        return self.s[k - 1](x)


class NetListTensor(Lists):
    def construct(self, x, k):
        return self.l[k - 1](x) + self.l[k - 2](x)


class NetListTensorNeg(Lists):
    def construct(self, x, k):
        return self.l[-k](x)


class NetListTensorOut(Lists):
    def construct(self, x, k):
        return self.l[k + 3](x)


class NetListTensorFloat(Lists):
    def construct(self, x, t):
        return self.l[t](x)


class NetListTensorCmp(Lists):
    def construct(self, x, t):
        return self.l[t > 1](x)


class NetListWhile(Lists):
    def construct(self, x, k):
        j = k * 0
        while j < 2:
            x = self.l[j](x)
            j = j + 1
        return x


class NetListFloat(Lists):
    def construct(self, x, f):
        return self.l[f](x)


class NetListBool(Lists):
    def construct(self, x):
        return self.l[True](x)


class NetPyListTensor(nn.Cell):
    def __init__(self):
        super().__init__()
        self.l = [ops.ReLU(), ops.Tanh()]

    def construct(self, x, k):
        return self.l[k - 1](x)


class NetFunctionsTensor(nn.Cell):
    def construct(self, x, k):
        def f(v):
            return v + 1

        def g(v):
            return v * 2

        return (f, g)[k - 1](x)
