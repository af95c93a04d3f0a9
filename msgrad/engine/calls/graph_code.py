"""GRAPH_MODE's reading of Python code: dicts have ``has_key``, which Python 3 dropped."""

import ast
import inspect
import textwrap
import types

_HELPER = "__msgrad_has_key__"


def in_graph(function):
    """A function in whose code, with the functions inside of it, dicts have ``has_key``; other objects keep theirs.

    Any other callable is returned as it is, and so is a function that has no such call, or no source to be read.
    """
    code = getattr(function, "__code__", None)
    if not isinstance(function, types.FunctionType) or not _mentions(code):
        return function
    code = _rewritten(function)
    if code is None:
        return function
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    cells[_HELPER] = types.CellType(_has_key)
    closure = tuple([cells[name] for name in code.co_freevars])
    copy = types.FunctionType(code, function.__globals__, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__qualname__, copy.__module__, copy.__doc__ = function.__qualname__, function.__module__, function.__doc__
    copy.__annotations__ = function.__annotations__
    copy.__dict__.update(function.__dict__)
    return copy


def _has_key(owner, *args, **kwargs):
    """``owner.has_key(...)``, which for a dict without that method is ``key in owner``."""
    if isinstance(owner, dict) and not hasattr(owner, "has_key"):
        return owner.__contains__(*args, **kwargs)
    return owner.has_key(*args, **kwargs)


def _mentions(code):
    return "has_key" in code.co_names or any(_mentions(each) for each in code.co_consts if type(each) is types.CodeType)


class _Calls(ast.NodeTransformer):
    """Replaces each ``x.has_key(...)`` by a call of the helper."""

    def visit_Call(self, node):  # noqa: N802
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Attribute) and node.func.attr == "has_key"):
            return node
        helper = ast.copy_location(ast.Name(_HELPER, ast.Load()), node.func)
        return ast.copy_location(ast.Call(helper, [node.func.value, *node.args], node.keywords), node)


def _rewritten(function):
    """The code of ``function`` with the helper as one more free variable; None if it cannot be made of its source."""
    code = function.__code__
    try:
        lines, first = inspect.getsourcelines(code)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return None
    body = tree.body[0]
    if not isinstance(body, ast.FunctionDef) or body.name != code.co_name:  # a lambda, of which a line may have several
        return None
    body.decorator_list = []
    _Calls().visit(body)
    # Inside of a class, since the names of its private attributes depend on it, and of a function, which gives it the
    # same free variables: neither is run, only compiled.
    owner = function.__qualname__.rpartition(".")[0].rpartition(".")[2]
    holder = ast.ClassDef(owner if owner.isidentifier() else "Graph", [], [], [body], [])
    free = [ast.arg(name) for name in (_HELPER, *code.co_freevars) if name != "__class__"]
    around = ast.FunctionDef("around", ast.arguments([], free, None, [], [], None, []), [holder], [])
    module = ast.increment_lineno(ast.fix_missing_locations(ast.Module([around], [])), first - 1)
    rewritten = _function_in(compile(module, code.co_filename, "exec"), code.co_name, 2)
    if set(rewritten.co_freevars) != {*code.co_freevars, _HELPER}:
        return None
    return rewritten.replace(co_qualname=function.__qualname__) if hasattr(rewritten, "co_qualname") else rewritten


def _function_in(code, name, depth):
    """The code of a function ``depth`` scopes within another."""
    inner = [each for each in code.co_consts if type(each) is types.CodeType]
    if not depth:
        return next(each for each in inner if each.co_name == name)
    return _function_in(inner[0], name, depth - 1)
