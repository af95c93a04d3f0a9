"""Rows of optimizers, and the training that each is run on; ``tests/golden/make_optim.py`` takes the figures.

A row is a name and the optimizer as text over ``p``, its Parameters (``w``, ``bias`` and ``gamma``), ``nn``, ``optim``
(of ``experimental``) and ``ms``. What computes with them gets the module: MindSpore's, or msgrad.
"""

import dataclasses

import numpy as np

STEPS = 10
SHOWN = (0, 2, 9)  # the steps after which the Parameters are compared
_SHAPES = {"w": (3, 2), "bias": (2,), "gamma": (2,)}


@dataclasses.dataclass(frozen=True)
class OptimCase:
    """A row.

    Attributes:
        name (str): of the row.
        text (str): the optimizer.
        workload (str): ``'quadratic'``, or ``'net'`` by derivatives.
        dtype (str): of the Parameters.
        rtol (float): relative to the largest element of a Parameter.
        reference (str): one step as a NumPy function, ``"lambda var, grad, mean: (var - grad, mean)"``, of a Parameter,
            its gradient and its slots, which begin with zeros; for a row of the ``'quadratic'`` workload without
            MindSpore's figures.
    """

    name: str
    text: str
    workload: str = "quadratic"
    dtype: str = "float32"
    rtol: float = 3e-6
    reference: str = ""


def by_numpy(case):
    """The Parameters that `run` shows for a row with a ``reference``, by NumPy alone."""
    start, goal, _ = _values(case)
    step, shown = eval(case.reference, {"np": np}), []
    slots = {name: [np.zeros_like(value)] * (step.__code__.co_argcount - 2) for name, value in start.items()}
    values = dict(start)
    for count in range(STEPS):
        for name, value in values.items():
            gradient = (value - goal[name]) * value.dtype.type(0.5)
            values[name], *slots[name] = step(value, gradient, *slots[name])
        if count in SHOWN:
            shown.append(list(values.values()))
    return shown


def _values(case):
    random = np.random.default_rng(5)
    start = {name: random.normal(size=shape).astype(case.dtype) for name, shape in _SHAPES.items()}
    goal = {name: random.normal(size=shape).astype(case.dtype) for name, shape in _SHAPES.items()}
    return start, goal, random


def run(case, ms, after=lambda optimizer: None):
    """Trains; returns the Parameters after some steps, and what the optimizer keeps by name.

    Args:
        case (OptimCase): the row.
        ms (module): MindSpore or msgrad.
        after (callable): takes the optimizer after each step.
    Returns:
        dict of ``steps`` (list of list of arrays) and ``slots`` (list of ``[name, shape, dtype]``).
    """
    start, goal, random = _values(case)
    p = [ms.Parameter(ms.Tensor(value), name=name) for name, value in start.items()]
    optimizer = eval(case.text, {"p": p, "ms": ms, "nn": ms.nn, "optim": ms.experimental.optim})
    gradients = {"quadratic": _quadratic, "net": _net}[case.workload](ms, p, goal, random)
    shown = []
    for step in range(STEPS):
        by_name = dict(zip(_SHAPES, gradients(), strict=True))
        optimizer(tuple(by_name[each.name] for each in optimizer.parameters))
        after(optimizer)
        if step in SHOWN:
            shown.append([each.asnumpy().copy() for each in p])
    slots = [[each.name, list(each.shape), str(each.dtype)] for each in optimizer.get_parameters()]
    return {"steps": shown, "slots": slots}


def _quadratic(ms, p, goal, random):
    goals = [ms.Tensor(goal[each.name]) for each in p]
    return lambda: tuple((each - goal) * 0.5 for each, goal in zip(p, goals, strict=True))


def _net(ms, p, goal, random):
    x = ms.Tensor(random.normal(size=(4, 3)).astype(p[0].asnumpy().dtype))
    y = ms.Tensor(random.normal(size=(4, 2)).astype(p[0].asnumpy().dtype))

    def loss():
        return ((ms.ops.tanh(ms.ops.matmul(x, p[0]) + p[1]) * p[2] - y) ** 2).mean()

    return ms.grad(loss, None, ms.ParameterTuple(p))


_GROUPS = "[{'params': p[:1], 'lr': 0.2, 'weight_decay': 0.05}, {'params': p[1:], 'weight_decay': 0.0}]"
_RATES = "[0.1, 0.2, 0.05, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.3]"


def _family(name, plain, *others, groups=True, half=True):
    """The rows of an optimizer: as it is, on a net, in half precision, in groups, with a decay, and others by name.

    ``groups`` and ``half`` are False where MindSpore has no such groups, and no kernel for float16.
    """
    head, _, tail = plain.partition("(p")
    rows = [
        OptimCase(name, plain),
        OptimCase(f"{name}_net", plain, "net"),
    ]
    if half:
        rows.append(OptimCase(f"{name}_half", plain, dtype="float16", rtol=1e-2))
    if groups:
        rows += [
            OptimCase(f"{name}_groups", f"{head}({_GROUPS}{tail}"),
            OptimCase(f"{name}_decay", f"{plain[:-1]}, weight_decay=0.1)"),
        ]
    return rows + [OptimCase(f"{name}_{word}", text) for word, text in others]


def _dicts(name, plain, *others, decay=True, maximize=True):
    """The rows of an optimizer of ``experimental``."""
    head, _, tail = plain.partition("(p")
    groups = "[{'params': p[:1], 'lr': 0.2}, {'params': p[1:], 'weight_decay': 0.05}]"
    rows = [OptimCase(name, plain), OptimCase(f"{name}_net", plain, "net")]
    rows.append(OptimCase(f"{name}_groups", f"{head}({groups if decay else groups.replace('weight_decay', 'x')}{tail}"))
    if decay:
        rows.append(OptimCase(f"{name}_decay", f"{plain[:-1]}, weight_decay=0.1)"))
    if maximize:
        rows.append(OptimCase(f"{name}_maximize", f"{plain[:-1]}, maximize=True)"))
    return rows + [OptimCase(f"{name}_{word}", text) for word, text in others]


CASES = [
    *_family(
        "momentum",
        "nn.Momentum(p, 0.1, 0.9)",
        ("scaled", "nn.Momentum(p, 0.1, 0.9, weight_decay=0.1, loss_scale=4.0)"),
        ("rates", f"nn.Momentum(p, {_RATES}, 0.9)"),
        ("schedule", "nn.Momentum(p, nn.ExponentialDecayLR(0.1, 0.9, 3), 0.9)"),
    ),
    *_family("sgd", "nn.SGD(p, 0.1, 0.9)", ("nesterov", "nn.SGD(p, 0.1, 0.9, nesterov=True)")),
    *_family(
        "adam",
        "nn.Adam(p, 0.1)",
        ("nesterov", "nn.Adam(p, 0.1, use_nesterov=True)"),
        ("amsgrad", "nn.Adam(p, 0.1, use_amsgrad=True)"),
        ("lazy", "nn.Adam(p, 0.1, use_lazy=True)"),
        ("host", "nn.Adam(p, 0.1, use_offload=True)"),
        ("scaled", "nn.Adam(p, 0.1, weight_decay=0.1, loss_scale=4.0)"),
        ("schedule", "nn.Adam(p, nn.CosineDecayLR(0.01, 0.2, 8))"),
        ("group_schedule", "nn.Adam([{'params': p[:1], 'lr': nn.WarmUpLR(0.1, 4)}, {'params': p[1:]}], 0.1)"),
        ("ordered", "nn.Adam([{'params': p[:1], 'lr': 0.2}, {'params': p[1:]}, {'order_params': p[::-1]}], 0.1)"),
    ),
    *_family("adam_weight_decay", "nn.AdamWeightDecay(p, 0.01)"),
    *_family("adam_offload", "nn.AdamOffload(p, 0.1)", half=False),
    *_family("lazy_adam", "nn.LazyAdam(p, 0.1)"),
    *_family("adamax", "nn.AdaMax(p, 0.1)"),
    *_family("adagrad", "nn.Adagrad(p, 0.1, 0.1)"),
    *_family("proximal_adagrad", "nn.ProximalAdagrad(p, 0.1, 0.1)",
        ("shrunk", "nn.ProximalAdagrad(p, 0.1, 0.1, 0.02, 0.03)")),
    *_family("adadelta", "nn.Adadelta(p, 1.0)"),
    *_family(
        "adafactor",
        "nn.AdaFactor(p)",
        ("rate", "nn.AdaFactor(p, 0.1, relative_step=False, beta1=0.0, weight_decay=0.1)"),
        ("warmup", "nn.AdaFactor(p, warmup_init=True, scale_parameter=False)"),
        ("schedule", f"nn.AdaFactor(p, {_RATES}, relative_step=False, scale_parameter=False)"),
        groups=False,
    ),
    *_family("asgd", "nn.ASGD(p, 0.1)", ("mean", "nn.ASGD(p, 0.1, 0.01, 0.5, 2.0)")),
    *_family("ftrl", "nn.FTRL(p, 0.1, 0.1)",
        ("power", "nn.FTRL(p, 0.1, 0.1, -0.4, l2=0.1, weight_decay=0.1)"), groups=False, half=False),
    *_family("rms_prop", "nn.RMSProp(p, 0.1)", ("moment", "nn.RMSProp(p, 0.1, 0.8, 0.5)")),
    *_family("centered_rms_prop", "nn.RMSProp(p, 0.1, centered=True)"),
    *_family("rprop", "nn.Rprop(p, 0.1)"),
    *_dicts("dict_sgd", "optim.SGD(p, 0.1, 0.9)", ("plain", "optim.SGD(p, 0.1)"),
            ("nesterov", "optim.SGD(p, 0.1, 0.9, nesterov=True)")),
    *_dicts("dict_adam", "optim.Adam(p, 0.1)"),
    *_dicts("dict_adamw", "optim.AdamW(p, 0.1)", ("amsgrad", "optim.AdamW(p, 0.1, amsgrad=True)")),
    *_dicts("dict_adamax", "optim.Adamax(p, 0.1)"),
    *_dicts("dict_adadelta", "optim.Adadelta(p, 1.0)"),
    *_dicts("dict_adagrad", "optim.Adagrad(p, 0.1, 0.1)"),
    *_dicts("dict_asgd", "optim.ASGD(p, 0.1)", ("mean", "optim.ASGD(p, 0.1, 0.01, 0.5, 2.0)")),
    *_dicts("dict_rprop", "optim.Rprop(p, 0.1)", decay=False),
    *_dicts("dict_rmsprop", "optim.RMSprop(p, 0.02, 0.9)", ("moment", "optim.RMSprop(p, 0.1, 0.9, momentum=0.5)"),
            ("centered", "optim.RMSprop(p, 0.1, 0.9, centered=True)")),
    *_dicts("dict_radam", "optim.RAdam(p, 0.1, (0.9, 0.8))", maximize=False),
    *_dicts("dict_nadam", "optim.NAdam(p, 0.1)", maximize=False),
]  # fmt: skip
