"""Random programs: recorded, they compute what they compute operation by operation.

A program is Python text, drawn from a seed and shown when it fails: arithmetic on matrices, writes into copies,
branches and loops on values, gradients inside, and a Parameter that is written on the way.
"""

import numpy as np
import pytest

import msgrad as ms
from msgrad import Parameter, Tensor, nn, ops

from .eager import run_eagerly
from .helpers import assert_close

SHAPE = (2, 3)
SEEDS = range(16)
CALLS = 3  # the first records, the second compiles, the third uses what was compiled
EXPRESSIONS = (
    "{a} + {b}",
    "{a} - {b} * 0.5",
    "ops.tanh({a}) * {b}",
    "ops.sin({a}) + self.weight",
    "{a} / (1.5 + ops.abs({b}))",
    "ops.maximum({a}, {b})",
    "ops.where({a} > {number}, {a}, {b} * 2)",
    "ops.softmax({a}, axis=-1) * {b}",
    "ops.tanh(ops.matmul({a}, {b}.T)).sum(axis=1, keepdims=True) * {a}",
    "{a}.mean(axis=0) + {b}",
    "ops.cat(({a}[:, :1], {b}[:, 1:]), 1)",
    "ops.sigmoid({a}.reshape(3, 2).reshape(2, 3))",
    "ops.gather({a}, Tensor([1, 0]), 0)",
    "ms.grad(lambda t: (ops.tanh(t * {b}) * self.weight).sum())({a})",
    "ops.stop_gradient({a}) * {b}",
    "{a}.astype(ms.float64).astype(ms.float32) * {number}",
)


class Writer:
    """Draws the text of a program; every variable holds a tensor of its own of shape ``SHAPE``."""

    def __init__(self, seed):
        self.random = np.random.RandomState(seed)
        self.variables = ["x", "y"]
        self.lines = []

    def pick(self, choices):
        return choices[self.random.randint(len(choices))]

    def number(self):
        return f"{self.random.uniform(-1, 1):.3f}"

    def expression(self):
        a, b = self.pick(self.variables), self.pick(self.variables)
        return self.pick(EXPRESSIONS).format(a=a, b=b, number=self.number())

    def assign(self, indent):
        name = f"v{len(self.variables)}"
        self.lines.append(f"{indent}{name} = {self.expression()}")
        self.variables.append(name)

    def write(self, indent):
        self.assign(indent)
        target = self.variables[-1]
        index = self.pick(("0", "1, 2", ":, 1", "..., 0", f"{target} > {self.number()}"))
        value = self.number() if ">" in index else f"{self.pick(self.variables[:-1])}[{index}] * 2"
        self.lines.append(f"{indent}{target}[{index}] = {value}")

    def add_in_place(self, indent):
        self.assign(indent)
        self.lines.append(f"{indent}{self.variables[-1]} += {self.pick(self.variables[:-1])}")

    def branch(self, indent):
        self.assign(indent)
        name, other = self.variables[-1], self.pick(self.variables)
        self.lines += [
            f"{indent}if {other}.sum() > {self.number()}:",
            f"{indent}    {name} = {self.expression()}",
            f"{indent}else:",
            f"{indent}    {name} = {name} * 0.5",
        ]

    def loop(self, indent):
        self.assign(indent)
        name = self.variables[-1]
        self.lines += [f"{indent}while ops.abs({name}).sum() > 1.0:", f"{indent}    {name} = {name} * 0.4"]

    def keep_state(self, indent):
        self.lines.append(f"{indent}ops.assign(self.state, self.state * 0.5 + {self.pick(self.variables)})")
        self.assign(indent)
        self.lines[-1] += " + self.state"

    def program(self, length):
        kinds = (self.assign, self.assign, self.assign, self.write, self.add_in_place, self.branch, self.loop)
        for _ in range(length):
            self.pick((*kinds, self.keep_state))("    ")
        result = " + ".join(f"({name} * {name}).mean()" for name in self.variables[-3:])
        return "def construct(self, x, y):\n" + "\n".join(self.lines) + f"\n    return {result}\n"


def make_cell(text, name):
    """Returns a Cell called ``name`` whose construct is ``text``, with fresh Parameters."""
    names = {"ms": ms, "ops": ops, "Tensor": Tensor}
    exec(text, names)

    class Program(nn.Cell):
        def __init__(self):
            super().__init__()
            random = np.random.RandomState(0)
            self.weight = Parameter(Tensor(random.uniform(-1, 1, SHAPE).astype(np.float32)), name="weight")
            self.state = Parameter(Tensor(np.zeros(SHAPE, np.float32)), name="state", requires_grad=False)

    return type(name, (Program,), {"construct": names["construct"]})()


def results_of(text, seed):
    """Runs forward and backward `CALLS` times, on new inputs each time, and returns all that can be seen of it."""
    cell = make_cell(text, f"Program{seed}")
    step = ms.value_and_grad(cell, (0, 1), cell.trainable_params())
    random = np.random.RandomState(seed)
    seen = []
    for _ in range(CALLS):
        inputs = [Tensor(random.uniform(-1, 1, SHAPE).astype(np.float32)) for _ in range(2)]
        output = cell(*inputs)
        value, (by_inputs, by_weights) = step(*inputs)
        seen += [tensor.asnumpy().copy() for tensor in (output, value, *by_inputs, *by_weights, cell.state)]
    return seen


def program_of(seed):
    return Writer(seed).program(length=6)


def all_results():
    return [results_of(program_of(seed), seed) for seed in SEEDS]


@pytest.fixture(scope="module")
def eager_results():
    return run_eagerly(__name__, "all_results")


@pytest.mark.parametrize("seed", SEEDS)
def test_recorded_programs_compute_what_eager_ones_do(seed, mode, eager_results):
    text = program_of(seed)
    try:
        for actual, wanted in zip(results_of(text, seed), eager_results[seed], strict=True):
            assert_close(actual, wanted, rtol=1e-4, atol=1e-5)
    except AssertionError as error:
        raise AssertionError(f"{error}\n{text}") from error


def test_programs_use_every_kind_of_statement():
    text = "".join(program_of(seed) for seed in SEEDS)
    for sign in ("] = ", " += ", "if ", "while ", "ops.assign(", "ms.grad(", "ops.gather("):
        assert sign in text
