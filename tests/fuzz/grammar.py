"""The grammar of random programs, as tables of MindSpore code.

In braces stands what is drawn: ``{M}`` a variable of that kind or an expression, ``{M*}`` an expression, ``{M1}`` what
is the same wherever the row has it, ``{=M}`` the variable that a statement defines, ``{F}`` the name or the text of a
function, ``{n}`` a number and ``{k}`` a small count. Kinds: matrices ``M`` of 2 x 3, vectors ``V`` of 3, scalars ``S``
of no axis, empty matrices ``E`` of 0 x 3, and ``C``, matrices that no derivative is taken by. Functions take ``M`` to a
scalar (``F``) or to a matrix without writing Parameters (``H``), or ``V`` to a scalar without looking at values
(``G``); ``{t}`` is their argument.

Limits that values are compared with must not be those of a whole kind: the sum of a softmax is 2, up to rounding.
"""

PRELUDE = """
class Pair(collections.namedtuple("Pair", "first second")):
    pass


class Square(nn.Cell):  # these rules are right, and gradients that drop one are not
    def construct(self, a):
        return ops.stop_gradient(a * a)

    def bprop(self, a, out, dout):
        return (2 * a * dout,)


class Halves(nn.Cell):
    def construct(self, a):
        return {"low": ops.stop_gradient(a * a), "high": ops.stop_gradient(3 * a)}

    def bprop(self, a, out, dout):
        return (2 * a * dout["low"] + 3 * dout["high"],)


class Cube(ms._Function):
    @staticmethod
    def forward(ctx, a):
        ctx.save_for_backward(a)
        return ops.stop_gradient(a * a * a)

    @staticmethod
    def backward(ctx, dout):
        (a,) = ctx.saved_tensors
        return 3 * a * a * dout


class Counted(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = Parameter(Tensor(0.0, ms.float32), name="count", requires_grad=False)

    def construct(self, a):
        return ops.stop_gradient(a * 3)

    def bprop(self, a, out, dout):
        ops.assign_add(self.count, Tensor(1.0, ms.float32))
        return (dout * 3,)


class Layer(nn.Cell):
    def __init__(self, w):
        super().__init__()
        self.w = w

    def construct(self, a):
        return ops.tanh(a * self.w) + a


def hooked(a):  # half of the derivative is cut, and the hook doubles the other half
    b = a * 1
    b.register_hook(lambda gradient: gradient * 2)
    return b * 0.5 + ops.stop_gradient(b * 0.5)


def watched(a):
    b = a * 1
    b.register_hook(lambda gradient: None if gradient.sum() > 100 else gradient * 2)
    return b * 0.5 + ops.stop_gradient(b * 0.5)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        w = np.array([[0.5, -0.3, 0.8], [-0.6, 0.9, 0.4]])
        self.w = Parameter(Tensor(w, DTYPE), name="w")
        self.b = Parameter(Tensor(w[0], DTYPE), name="b")
        self.twin = Parameter(self.w, name="twin")
        self.s = Parameter(Tensor(w * 0, DTYPE), name="s", requires_grad=False)
        self.k = Parameter(Tensor(0, ms.int32), name="k", requires_grad=False)
        self.tied = self.w
        self.layer = Layer(self.w)
        self.again = Layer(self.twin)
        self.again.recompute()
        self.counted = Counted()

    def construct(self, x, y, c, number):
"""

EXPRESSIONS = {
    "M": (
        "{M} + {M}",
        "{M} - {M} * {n}",
        "{M} * {V}",
        "{M} * {S}",
        "ops.tanh({M}) * {M}",
        "ops.sin({M}) + self.w",
        "{M} / (1.5 + ops.abs({M}))",
        "ops.maximum({M}, {M})",
        "ops.where({M} > {n}, {M}, {M} * 2)",
        "ops.relu({M} + 0.1)",
        "ops.softmax({M}, axis=-1)",
        "ops.tanh(ops.matmul({M}, {M}.T)).sum(axis=1, keepdims=True) * {M}",
        "ops.cat(({M}[:, :1], {M}[:, 1:]), 1)",
        "ops.cat(({E}, {M}), 0)",
        "{M}.reshape(3, 2).T.reshape(-1)[::-1].reshape(2, 3)",
        "{M}[::-1, ::-1]",
        "{M}[[1, 0]][:, ::-1]",
        "{M}.expand_dims(0)[0, ::-1]",
        "ops.stack(({V}, {V}))",
        "ops.gather({M}, Tensor([1, 0]), 0)",
        "{M} * ({M} > {n})",
        "{M} * Tensor([1, 2, 3], ms.int32)",
        "{M} * Tensor(0.5, ms.float32)",
        "{M} * number",
        "self.w * self.twin",
        "self.tied[::-1] * {M}",
        "self.layer({M})",
        "self.again({M})",
        "ms.recompute(self.layer, {M})",
        "Square()({M})",
        'Halves()({M})["low"]',
        "Cube.apply({M})",
        "hooked({M})",
        "{M} + {C}",
        "{M} + self.k",
    ),
    "V": (
        "{M}[1]",
        "{M}[::-1][0]",
        "{M}.T[:, 0]",
        "{M}.sum(axis=0)",
        "{M}.mean(axis=0)[::-1]",
        "{V} * self.b",
        "{V}[[2, 0, 1]]",
        "{M}.reshape(-1)[1:4]",
        "{M}.reshape(-1)[::-2]",
        "{E}.sum(axis=0) + {V}",
        "ops.stack(({S}, {S}, {S}))",
        "self.b[::-1]",
        "{M}.max(axis=0)",
    ),
    "S": (
        "{M}.sum()",
        "({M} * {M}).mean()",
        "{V}[0]",
        "{M}[1, -1]",
        "ops.sin({S})",
        "{S} * {S}",
        "{V}.max()",
        "{E}.sum() + {S}",
        "self.w[0, 0]",
    ),
    "E": ("{M}[:0]", "{M}[2:]", "{E} * {V}", "ops.tanh({E})"),
    "C": ("c", "self.s", "{C} * {n}", "{C}[::-1]", "{C} + self.s", "c * number"),
}
SHORTEST = {"V": "{M}[0]", "S": "{M}.sum()", "E": "{M}[:0]", "C": "c"}  # where there is no variable of the kind
TRANSFORMS = {
    "M": (
        "ms.grad({F})({M})",
        "ms.grad({H})({M})",
        "ms.grad(ms.grad({F}))({M})",
        "ms.grad({F}, None, self.w)({M})",
        "ms.value_and_grad({F}, 0, [self.w, self.twin])({M})[1][1][1]",
        "ms.value_and_grad({F})({M})[1]",
        "ms.vjp({H}, {M})[1]({M})[0]",
        "ms.jvp({H}, {M}, {M})[1]",
        "ms.jvp(ms.grad({F}), {M}, {M})[1]",
        "ms.jacrev({F})({M})",
        "ms.jacfwd({F})({M})",
        "ms.jacrev({H})({M}).sum(axis=(0, 1))",
        "ms.vmap(ms.grad({G}))({M})",
    ),
    "V": ("ms.grad({G})({V})", "ms.vmap({G})({M})[0] * {V}", "ms.jacrev(ms.grad({G}))({V}).sum(axis=0)"),
    "S": ("ms.jvp({F}, {M}, {M})[1]", "ms.value_and_grad({F})({M})[0]", "ms.vmap({G})({M}).sum()"),
}
ARGUMENTS = {"F": "M", "H": "M", "G": "V"}
FUNCTIONS = {
    "F": (
        "lambda {t}: ({t} * {M} + {M}).sum()",
        "lambda {t}: {t}.sum() * {S}",
        "lambda {t}: (Square()({t}) * {M}).sum()",
        "lambda {t}: (hooked({t}) * {M}).sum()",
        "lambda {t}: Cube.apply({M}).sum() + (self.again({t}) * {t}).sum()",
    ),
    "H": (
        "lambda {t}: {t} * {M}",
        "lambda {t}: {M} * {V} + {t}",
        "lambda {t}: hooked({M}) * {t}",
        "lambda {t}: Cube.apply({t}) + Square()({M})",
        'lambda {t}: Halves()({t})["high"] * {M}',
    ),
    "G": (
        "lambda {t}: ({t} * {V}).sum()",
        "lambda {t}: {t}[0] * {t}[-1] + {S}",
        "lambda {t}: (Square()({t}) * hooked({V})).sum()",
    ),
}
ENDS = {"F": "return ({M} * {t}).sum()", "H": "return {M} * {t}"}  # of functions that have statements
STATEMENTS = (
    "{=M} = {M*}",
    "{=M} = {M*}",
    "{=V} = {V*}",
    "{=S} = {S*}",
    "{=E} = {E*}",
    "{=M} = {M*}\n{=M} += {M}",
    "{=M} = {M*} * 1\n{=M}[0] = {V}",
    "{=M} = {M*} * 1\n{=M}[:, ::-2] = {M}[:, 1:] * 2",
    "{=M} = {M*} * 1\n{=M}[1][::-1] = {V}",
    "{=M} = {M*} * 1\n{=M}[{M} > {n}] = {n}",
    "{=M} = {M*} * 1\n{=M}[..., 0] = {S}",
    "kept = [{M*}, {M*}]\n{=M} = kept[0] + kept[-1]",
)
WRITES = (  # not in functions that GRAPH_MODE calls more often than PYNATIVE_MODE: those of vjp
    "ops.assign(self.s, {C})",
    "self.s = {C*} * 0.5",
    "self.s[0] = {C}[1] + 0.5",
    "self.k += 1",
    "if {S} < {n}:\n    ops.assign(self.s, {C} + 1)",
    "turn = 0\nwhile {S} < 3 and (turn := turn + 1) < {k}:\n    ops.assign(self.s, self.s + {C} * 0.5)",
)
LOOKS = (
    "{=M} = {M*}\nif {S} > {n}:\n    {=M} = {M*}\nelse:\n    {=M} = {=M} * 0.5",
    "{=M} = {M*}\nturn = 0\nwhile {=M}.sum() < 2.5 and (turn := turn + 1) < {k}:\n    {=M} = {=M} * 1.3 + 0.2",
    "{=M} = {M*}\nturn = 0\nwhile ops.abs({=M}).sum() > 1.0 and (turn := turn + 1) < {k}:\n    {=M} = {=M} * 0.4",
    "{=M} = {M*}\nfor turn in range(int({=M}.argmax())):\n    {=M} = {=M} + {M} * 0.5",
    "{=M} = {M1} * {M1}[{M1} > {n}].sum()",
    "{=M} = {M1} * ops.masked_select({M1}, {M1} < {n}).sum()",
    "{=V} = {V1} + ops.gather({V1}, ops.nonzero({V1} > {n}).reshape(-1), 0).sum()",
    "if {S} > {n} + 2:\n    raise ValueError('too large')",
    "if {S} < {n} - 2:\n    {V}[:2] + {V}",
)
TOP = ("{=M} = watched({M})",)  # not inside what is itself transformed: docs/differences.md
ALIASES = (  # writes through views that are kept; in GRAPH_MODE a slice is a Tensor of its own
    "{=M} = {M*} * 1\nview = {=M}[0]\n{=M}[0] = {V} * 0.5\nview[1] = {S}",
    "{=M} = {M*} * 1\nview = {=M}[::-1][0]\nview[::-1] = {V}",
    "{=M} = {M*} * 1\nrow = {=M}[1]\npart = row[1:]\npart[-1] = {S}",
    "view = self.s[1]\nview[0] = {C}[0, 0]",
)
UNTRUE = {  # rows whose derivatives are, by MindSpore's rules, not those of their values
    "M": (
        "ops.stop_gradient({M}) * {M}",
        "{M}.astype(ms.int32) * {M}",
        "(({M} * 8).astype(ms.int32) * 2 + 1 - 3).astype(DTYPE)",  # in pieces, integers go from one to the next
        "{M}.astype(ms.float32).astype(DTYPE) * {n}",
        "{M} * float({S})",
        "self.counted({M})",
    ),
    "statement": (
        "ops.assign(self.s, {M})",
        "{=M} = self.w * {M}\nops.assign(self.w, self.w * 0.9)",
        "{=M} = {M*}\nself.w[1] = self.w[0] * 0.5",
        "{=M} = self.w[0] * {M}\nself.twin += 0.1",
        "ops.assign(self.w, {M} * 0.5)",
        "made = Parameter({M} * 1, name='made')\n{=M} = made * {M}",
    ),
}
RETURNS = (
    "return {S*} + ({M} * {M}).mean()",
    "return {M} * {M}",
    "return [{M}, ({V}, {S})]",
    'return {"a": {M}, "b": [{V}, {E}]}',
    'return Pair({M}, {"deep": {S}})',
)
RETURNS_WITH_AUX = (
    "return {S}, {M}, {V}",
    "return {M}, {M} > {n}, {M}.argmax()",
    "return {M}, self.w, self.s",
    'return {M}, {"a": [{S}]}',
)
