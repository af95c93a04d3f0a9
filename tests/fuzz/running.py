"""Runs random programs and records their observable results."""

import collections
import contextlib

import numpy as np

import msgrad
from msgrad import Parameter, Tensor, nn, ops
from msgrad.engine.execution import execute
from msgrad.engine.execution.tiers import Tiers

from .grammar import PRELUDE

CALLS = 3  # the first records, the second compiles, the third uses what was compiled
LETTERS = "xyc"  # arguments of shape (2, 3); a Python number follows
PIECES = "PIECES"  # PYNATIVE_MODE where no call site is steady: gradients are taken in pieces of a few operations
MODES = (PIECES, "PYNATIVE_MODE", "GRAPH_MODE")  # pieces first: a recording that is known is not cut up
OF_A_PIECE = 3


def make_net(program, ms=msgrad, nn=nn):
    """Returns the Cell that ``program`` is; ``ms`` and ``nn`` stand for the modules of these names."""
    names = {"ms": ms, "nn": nn, "ops": ops, "np": np, "Tensor": Tensor, "Parameter": Parameter}
    names |= {"collections": collections, "DTYPE": getattr(msgrad, program.dtype)}
    exec(compile(PRELUDE + program.text, "<drawn program>", "exec"), names)
    return names["Net"]()


def arguments(program, call):
    """Returns the arguments of a call, counted from 0."""
    random = np.random.RandomState(call)
    arrays = [random.uniform(-1, 1, (2, 3)).astype(program.dtype) for _ in LETTERS]
    return [*map(Tensor, arrays), 0.5 + 0.1 * call]


def leaves(value, path="", into=None):
    """Returns ``{path: array, number or text}`` of a nest; the paths have the types of its containers."""
    into = {} if into is None else into
    if isinstance(value, Tensor):
        into[path] = value.asnumpy().copy()
    elif isinstance(value, dict):
        for key, each in value.items():
            leaves(each, f"{path}.{type(value).__name__}[{key!r}]", into)
    elif isinstance(value, (tuple, list)):
        into[f"{path}.{type(value).__name__}"] = len(value)
        for number, each in enumerate(value):
            leaves(each, f"{path}.{type(value).__name__}[{number}]", into)
    else:
        into[path] = value
    return into


def state(net):
    return {parameter.name: parameter.asnumpy().copy() for parameter in net.get_parameters()}


def restore(net, values):
    for parameter in net.get_parameters():
        ops.assign(parameter, Tensor(values[parameter.name]))


class Inconclusive(Exception):
    """A way cannot say what a program does."""


def attempt(function, *args):
    """Returns the leaves of what a call returns, or of the type of what it raises."""
    try:
        return leaves(function(*args))
    except Inconclusive:
        raise
    except Exception as error:  # whatever a program raises is something that is seen of it
        return {"raised": type(error).__name__}


def observe(program):
    """Runs forward and backward `CALLS` times, and returns ``{what: leaves}`` of all that can be seen, in order."""
    net = make_net(program)
    step = msgrad.value_and_grad(net, (0, 1), net.trainable_params(), has_aux=program.has_aux)
    seen = {}
    for call in range(CALLS):
        inputs = arguments(program, call)
        for observation, function in (("output", net), ("gradient", step)):
            before = state(net)
            results = seen[f"call {call}: {observation}"] = attempt(function, *inputs)
            if "raised" in results and not Tiers.compiles:
                restore(net, before)  # eager Cells are plain Python, which keeps what was written before the error
            seen[f"call {call}: state after the {observation}"] = state(net)
        seen[f"call {call}: arguments"] = leaves(inputs)
    return seen


@contextlib.contextmanager
def in_mode(name):
    before = msgrad.get_context("mode")
    msgrad.set_context(mode=getattr(msgrad, name))
    try:
        yield
    finally:
        msgrad.set_context(mode=before)


@contextlib.contextmanager
def in_pieces():
    before = execute.is_unsteady, execute.PIECE
    execute.is_unsteady, execute.PIECE = (lambda site: site is not None), OF_A_PIECE
    try:
        with in_mode("PYNATIVE_MODE"):
            yield
    finally:
        execute.is_unsteady, execute.PIECE = before


def observe_in(mode, program):
    with in_pieces() if mode == PIECES else in_mode(mode):
        return observe(program)
