"""Imports every module, runs the rows of operations, layers and datasets, and prints those that fail.

``MSGRAD_EAGER=1 python -OO -m tests.programs.without_docstrings [STEP]`` drops docstrings and asserts, so there is no
assert here. `test_endings` runs a part.
"""

import functools
import importlib
import itertools
import pkgutil
import sys

import msgrad
import msgrad.dataset as ds
from msgrad import Parameter, Tensor

from ..dataset.cases import run
from ..dataset.cases.modules import MODULES
from ..layer_cases import CASES as LAYERS
from ..op_cases import CASES, ERRORS, NAMES
from ..ops.rows import NAMESPACE


def modules():
    """Imports everything, and reads each name, which makes what is made on demand."""

    def read(name):
        module = importlib.import_module(name)
        return [getattr(module, each) for each in dir(module)]

    for found in pkgutil.walk_packages(msgrad.__path__, "msgrad."):
        if not found.name.endswith("__main__"):
            yield found.name, functools.partial(read, found.name)


def operations():
    """All faces of each operation's row, on its inputs."""
    for case in CASES:
        arrays = case.inputs()
        for expression in (case.expression, *case.faces):
            kinds = [Parameter] * case.parameters + [Tensor] * len(arrays)
            operands = {name: kind(array) for name, kind, array in zip(NAMES, kinds, arrays, strict=False)}
            yield expression, functools.partial(eval, expression, NAMESPACE | operands)


def refusals():
    """Errors of operations, which say what was expected."""

    def run_refused(expression, error, text):
        try:
            eval(expression, NAMESPACE)
        except error as raised:
            if text in str(raised):
                return
        raise ValueError("not refused")

    for row in ERRORS:
        yield row[0], functools.partial(run_refused, *row)


def layers():
    """Each layer, called on its inputs if it has some."""

    def called(constructor, expression, names):
        return eval(expression, names | {"layer": eval(constructor, names)})

    for case in LAYERS:
        names = NAMESPACE | {name: Tensor(array) for name, array in case.inputs().items()}
        expression = case.expression() if case.spec else "layer"
        yield case.constructor, functools.partial(called, case.constructor, expression, names)


def datasets():
    """The cases that are compared with MindSpore's results."""
    for module in MODULES.values():
        for name, function in run.cases_of(module).items():
            yield name, functools.partial(run.outcome, function, ds)


def main(step):
    """Runs everything of the modules, and of the other tables each ``step``-th row."""
    for table in (modules, operations, refusals, layers, datasets):
        for name, function in itertools.islice(table(), 0, None, 1 if table is modules else step):
            try:
                function()
            except Exception as error:
                print(f"{table.__name__}, {name}: {error!r}")
    print(f"without docstrings: {msgrad.__doc__ is None}")


main(int(*sys.argv[1:] or [1]))
