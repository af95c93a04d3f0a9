"""What the cases of a module give, in JSON: ``outcome`` for one, ``outcomes`` for all."""

import inspect

import numpy as np


def outcomes(cases, *arguments):
    """``{name: outcome}`` of every case of a module: its public functions whose first parameter is ``ds``."""
    return {name: outcome(case, *arguments) for name, case in cases_of(cases).items()}


def cases_of(module):
    functions = {name: value for name, value in vars(module).items() if inspect.isfunction(value)}
    return {name: case for name, case in functions.items() if list(inspect.signature(case).parameters) == ["ds"]}


def each(*cases):
    """The outcomes of functions without parameters."""
    return [outcome(case) for case in cases]


def outcome(case, *arguments):
    """What a case returns, or the type of Python's that it raises."""
    try:
        return plain(case(*arguments))
    except Exception as error:
        kind = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
        return f"raises {kind.__name__}"


def plain(value):
    """``value`` as JSON has it; an array is its dtype, shape and elements."""
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype.kind == "S":
            array = np.char.decode(array, "latin1")
        kind = array.dtype.kind if array.dtype.kind == "U" else str(array.dtype)
        return [kind, list(array.shape), array.ravel().tolist()]
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return f"an object of {type(value).__name__}"
