"""GRAPH_MODE's reading of Python code: dicts have ``has_key``, which Python 3 dropped."""

import types


def in_graph(function):
    """A copy of a function that calls ``__contains__`` instead of ``has_key``, also in its inner functions.

    Any other callable is returned as it is, and so is a function that has no such call.
    """
    code = getattr(function, "__code__", None)
    if not isinstance(function, types.FunctionType) or not _mentions(code):
        return function
    copy = types.FunctionType(
        _replaced(code), function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__, copy.__module__, copy.__doc__ = function.__qualname__, function.__module__, function.__doc__
    copy.__annotations__ = function.__annotations__
    copy.__dict__.update(function.__dict__)
    return copy


def _mentions(code):
    return "has_key" in code.co_names or any(_mentions(each) for each in code.co_consts if type(each) is types.CodeType)


def _replaced(code):
    names = tuple(["__contains__" if name == "has_key" else name for name in code.co_names])
    consts = tuple([_replaced(each) if type(each) is types.CodeType else each for each in code.co_consts])
    return code.replace(co_names=names, co_consts=consts)
