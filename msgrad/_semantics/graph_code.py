"""GRAPH_MODE's reading of Python code, where it differs from Python's: functions get other code (`in_graph`).

Dicts have ``has_key``; their ``keys()``, ``values()`` and ``items()`` do not follow later changes. ``not`` of a Tensor
is a Tensor. A local variable that is read before it is assigned is the global of that name. A write through subscripts
assigns to the variable (`subscript_writes`), and so does ``append`` (`list_changes`); a power of ints is an int
(`powers`), and inner functions keep the values of the variables around them (`inner_functions`).
"""

import __future__

import ast
import copy
import functools
import inspect
import itertools
import opcode
import symtable
import textwrap
import types
import warnings
from typing import Any

from .. import _upcalls
from ..engine.calls.staging import interpreted, is_in_graph, reads_source
from ..engine.handle import Handle
from . import inner_functions, list_changes, powers, subscript_writes
from .assigned_names import may_be_read_first, read_first

_VIEWS = ("keys", "values", "items")
_METHODS = ("has_key", *_VIEWS)
# ``not`` whose value is kept; in a condition it is part of the jump. Writes through subscripts.
_INSTRUCTIONS = {opcode.opmap["UNARY_NOT"], subscript_writes.STORE, subscript_writes.STORE_SLICE}
_TRUTH = opcode.opmap.get("TO_BOOL")  # all that Python 3.13 leaves of ``not not``; in a condition it precedes a jump
_JUMPS = {number for name, number in opcode.opmap.items() if name.startswith(("POP_JUMP_IF", "EXTENDED_ARG"))}

_CALLS = {number for name, number in opcode.opmap.items() if name.startswith("CALL")}
_GENERATORS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


def in_graph(function, is_interpreted=False):
    """Gives a function code that means in a graph what its source, with the functions inside, means to MindSpore.

    Any other value stays as it is, and so does a function whose code means the same, or has no source to be read.
    Outside of graphs the statements of the source run, as before: see `_both`.

    Args:
        function (object): a function of the user, or any other value.
        is_interpreted (bool): whether MindSpore's compiler leaves it to Python, with all that it calls.
            Default: ``False``.
    Returns:
        function: itself.
    """
    if isinstance(function, types.FunctionType):
        # Only the user's code: msgrad's own has none of it, and its calls would pay for the helpers.
        is_ours = function.__module__ is not None and function.__module__.partition(".")[0] == _OURS
        code = function.__code__
        rewritten = None if is_ours else _code_in_graph(code, code.co_filename, code.co_qualname, is_interpreted)
        if rewritten is not None:
            function.__code__ = rewritten
    return function


def _has_key(owner, *args, **kwargs):
    """``owner.has_key(...)``, which for a dict without that method is ``key in owner``."""
    if isinstance(owner, dict) and not hasattr(owner, "has_key"):
        return owner.__contains__(*args, **kwargs)
    return owner.has_key(*args, **kwargs)


def _view(owner, name, *args, **kwargs):
    """A method of a dict's views; in a graph they are as they are now, whatever is written to the dict later."""
    if isinstance(owner, dict) and reads_source():
        owner = dict(owner)
    return getattr(owner, name)(*args, **kwargs)


def _negation(value):
    """``not value``, in a graph a Tensor for a Tensor of shape ``()`` or ``(1,)``, as MindSpore's compiler takes it."""
    if isinstance(value, Handle) and value.aval[0] in ((), (1,)) and is_in_graph():
        return value == 0
    return not value


_FUNCTIONS = {
    "__msgrad_has_key__": _has_key,
    "__msgrad_view__": _view,
    "__msgrad_not__": _negation,
    "__msgrad_reads_source__": reads_source,
    "__msgrad_interpreted__": interpreted,
    **subscript_writes.HELPERS,
    **powers.HELPERS,
    **inner_functions.HELPERS,
    **list_changes.HELPERS,
}
_Helpers = type("_Helpers", (), _FUNCTIONS)  # a constant of the rewritten code, whose free variables stay the same
_MARK = "__msgrad_helpers__"  # stands for it while Python compiles, which takes no such constants
_OURS = __name__.partition(".")[0]
_GLOBAL = """
def __msgrad_global__():
    global {0}
    return {0}
try:
    {0} = __msgrad_global__()
except NameError:
    pass
"""


@functools.lru_cache(4096)
def _code_in_graph(code, file, name, is_interpreted):  # file and name, since codes of two files may be equal
    """The code that is to take the place of ``code``; None where it means the same, or has no source to be read."""
    if not (_calls(code) if is_interpreted else _differs(code) or may_be_read_first(code)):
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python has given them when it compiled the file
        return _rewritten(code, _statements_for_python if is_interpreted else _statements_in_graph)


def _differs(code):
    """Whether a code object, or one inside of it, has what means something else in a graph."""
    inner = [each for each in code.co_consts if type(each) is types.CodeType]
    return (
        any([name in code.co_names for name in _METHODS])
        or not _INSTRUCTIONS.isdisjoint(code.co_code[::2])
        or _keeps_truth(code)
        or powers.has_powers(code)
        or inner_functions.rebinds_captured(code)
        or list_changes.has_changes(code)
        or any(map(_differs, inner))
    )


def _calls(code):
    """Whether a code object may call functions, which do not mean the same; a generator returns before it does."""
    return not code.co_flags & _GENERATORS and not _CALLS.isdisjoint(code.co_code[::2])


def _keeps_truth(code):
    instructions = [each for each in code.co_code[::2] if each]  # without caches
    return any([one == _TRUTH and after not in _JUMPS for one, after in itertools.pairwise(instructions)])


class _Calls(ast.NodeTransformer):
    """Replaces methods of dicts, and each ``not x`` whose value is kept, by a call of the helper."""

    def __init__(self, tree):
        self.conditions = set()
        for node in ast.walk(tree):
            for condition in (*getattr(node, "ifs", ()), *([node.test] if hasattr(node, "test") else ())):
                self._note(condition)

    def _note(self, node):
        """Notes the ``not`` of a condition: it is followed by a jump, and Python reads the value itself."""
        self.conditions.add(node)
        for operand in getattr(node, "values", ()) if isinstance(node, ast.BoolOp) else ():
            self._note(operand)

    def visit_Call(self, node):  # noqa: N802
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS):
            return node
        owner, method = node.func.value, node.func.attr
        if method == "has_key":
            return _call("__msgrad_has_key__", node, [owner, *node.args], node.keywords)
        return _call("__msgrad_view__", node, [owner, ast.Constant(method), *node.args], node.keywords)

    def visit_UnaryOp(self, node):  # noqa: N802
        self.generic_visit(node)
        is_value = isinstance(node.op, ast.Not) and node not in self.conditions
        return _call("__msgrad_not__", node, [node.operand], []) if is_value else node


def _call(helper, node, args, keywords):
    return ast.copy_location(ast.Call(ast.copy_location(ast.Name(helper, ast.Load()), node), args, keywords), node)


def _at(place, tree):
    """``tree`` with the position of ``place`` in the source."""
    for node in ast.walk(tree):
        ast.copy_location(node, place)
    return tree


def _rewritten(code, statements):
    """The code with calls of the helpers, made of its source; None if it cannot be made of that.

    ``statements(body)`` are those that run in a graph, of the function as an ``ast.FunctionDef``, which may be changed.
    """
    try:
        lines, start = inspect.findsource(code)
        tree = ast.parse(textwrap.dedent("".join(inspect.getblock(lines[start:]))))
        imported = _imported("".join(lines))
    except (OSError, TypeError, SyntaxError):
        return None
    body = tree.body[0]
    if not isinstance(body, ast.FunctionDef) or body.name != code.co_name:  # a lambda, of which a line may have several
        return None
    # Only their place stays, where the code begins for `inspect`.
    body.decorator_list = [ast.copy_location(ast.Constant(None), each) for each in body.decorator_list]
    ast.increment_lineno(body, start)
    if _compiled(code, body, imported).co_code != code.co_code:  # the file has changed, or was not compiled as is
        return None
    plain = copy.deepcopy(body.body)
    body.body = _both(statements(body), plain)
    rewritten = _with_helpers(_compiled(code, _OfConstant().visit(body), imported))
    return rewritten.replace(co_qualname=code.co_qualname) if rewritten.co_freevars == code.co_freevars else None


def _statements_in_graph(body):
    _Calls(body).visit(body)
    powers.Powers().visit(body)
    list_changes.own_variables(body)
    list_changes.ListChanges().visit(body)
    subscript_writes.SubscriptWrites().visit(body)
    inner_functions.rewrite_inner(body)
    for name in read_first(body):
        body.body[:0] = [_at(body, node) for node in ast.parse(_GLOBAL.format(name)).body]
    return body.body


def _statements_for_python(body):
    scope = _at(body.body[0], ast.Call(ast.Name("__msgrad_interpreted__", ast.Load()), [], []))
    return [ast.copy_location(ast.With([ast.withitem(scope)], body.body), scope)]


def _both(in_graph, plain):
    """Statements that run ``in_graph`` in graphs, and otherwise ``plain``, the user's, with nothing in between."""
    declarations = _Declarations()
    branches = [[declarations.visit(each) for each in statements] for statements in (in_graph, plain)]
    first, *_ = plain = [each for each in branches[1] if not _is_empty(each)] or plain[-1:]  # a debugger stops at it
    test = _at(first, ast.Call(ast.Name("__msgrad_reads_source__", ast.Load()), [], []))
    return [*declarations.found, ast.copy_location(ast.If(test, branches[0], plain), first)]


def _is_empty(statement):
    is_text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    return is_text or isinstance(statement, ast.Pass)


class _Declarations(ast.NodeTransformer):
    """Takes ``global`` and ``nonlocal`` out of a function, of which a branch cannot follow uses in another one."""

    def __init__(self):
        self.found = []

    def visit_Global(self, node: Any):  # noqa: N802
        self.found.append(node)
        return ast.copy_location(ast.Pass(), node)

    visit_Nonlocal = visit_Global  # noqa: N815

    def visit_FunctionDef(self, node: Any):  # noqa: N802
        return node  # its own stay there

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef  # noqa: N815


class _OfConstant(ast.NodeTransformer):
    """Makes each name of a helper an attribute of the constant."""

    def visit_Name(self, node):  # noqa: N802
        if node.id not in _FUNCTIONS:
            return node
        return _at(node, ast.Attribute(ast.Constant(_MARK), node.id, ast.Load()))


def _with_helpers(code):
    """The code, and those inside of it, with the helpers in place of the mark."""
    constants = [_with_helpers(each) if type(each) is types.CodeType else each for each in code.co_consts]
    constants = [_Helpers if type(each) is str and each == _MARK else each for each in constants]
    return code.replace(co_consts=tuple(constants))


@functools.lru_cache(64)
def _imported(source):
    """The names that a module imports, of whose attributes Python compiles the calls in a way of their own."""
    return [each.get_name() for each in symtable.symtable(source, "", "exec").get_symbols() if each.is_imported()]


def _compiled(code, body, imported):
    """The code of the syntax tree of ``code``, as in a module that imports the names ``imported``."""
    # Inside of a class, since the names of its private attributes depend on it, and of a function, which gives it the
    # same free variables: neither is run, only compiled.
    owner = code.co_qualname.rpartition(".")[0].rpartition(".")[2]
    owner = owner if owner.isidentifier() else "Graph"
    holder: list[ast.stmt] = [ast.ClassDef(owner, [], [], [body], [])]
    free = [ast.arg(name) for name in code.co_freevars if name != "__class__"]
    if owner not in code.co_freevars:  # the class is the module's, also to a function that names it
        holder.insert(0, ast.Global([owner]))
    around = ast.FunctionDef("around", ast.arguments([], free, None, [], [], None, []), holder, [])
    imports = [ast.Import([ast.alias(name)]) for name in imported]
    module = ast.fix_missing_locations(ast.Module([*imports, around], []))
    flags = code.co_flags & __future__.annotations.compiler_flag
    return _function_in(compile(module, code.co_filename, "exec", flags), code.co_name, 2)


def _function_in(code, name, depth):
    """The code of a function ``depth`` scopes within another."""
    inner = [each for each in code.co_consts if type(each) is types.CodeType]
    if not depth:
        # In one more scope, of its type parameters (``def f[T](x: T)``), if it has some.
        inner += [each for scope in inner for each in scope.co_consts if type(each) is types.CodeType]
        return next(each for each in inner if each.co_name == name)
    return _function_in(inner[0], name, depth - 1)


_upcalls.fill(in_graph=in_graph)
