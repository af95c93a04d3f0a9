"""Inner functions in a graph: they have the variables around them as these are when the function is defined.

So each function that a loop defines has the loop's variable of its own turn, and later assignments do not reach it.
"""

import ast
import dis
import types

from ..engine.calls.staging import reads_source


def captured(function):
    """An inner function, in a graph a copy of it that has its variables as they are now.

    One that calls itself keeps the variable of its own name, which is assigned last.
    """
    if type(function) is not types.FunctionType or not function.__closure__ or not reads_source():
        return function
    named = zip(function.__code__.co_freevars, function.__closure__, strict=True)
    kept = (function.__name__, "__class__")
    closure = tuple([cell if name in kept else _copied(cell) for name, cell in named])
    copy = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, closure
    )
    copy.__kwdefaults__, copy.__qualname__ = function.__kwdefaults__, function.__qualname__
    copy.__dict__.update(function.__dict__)
    return copy


def _copied(cell):
    try:
        return types.CellType(cell.cell_contents)
    except ValueError:  # not assigned yet: a NameError when it is read, in MindSpore too
        return types.CellType()


HELPERS = {"__msgrad_captured__": captured}


def rebinds_captured(code):
    """Whether a code object assigns a variable after, or in a loop with, the definition of a function that reads it."""
    if not code.co_cellvars:
        return False
    defined, stored = {}, {}
    for each in dis.get_instructions(code):
        name = each.argval
        if each.opname == "STORE_DEREF":
            if name in defined:
                return True
            stored[name] = each.offset
        elif each.opname in ("LOAD_CLOSURE", "LOAD_FAST") and name in code.co_cellvars:
            defined.setdefault(name, each.offset)
        elif "JUMP_BACKWARD" in each.opname:
            if any([min(stored[name], defined.get(name, -1)) >= each.argval for name in stored]):
                return True
    return False


class InnerFunctions(ast.NodeTransformer):
    """Passes each inner function and lambda to the helper when it is defined; not those of classes."""

    def visit_FunctionDef(self, node):  # noqa: N802
        self.generic_visit(node)
        node.decorator_list.append(ast.copy_location(ast.Name("__msgrad_captured__", ast.Load()), node))
        return node

    def visit_Lambda(self, node):  # noqa: N802
        self.generic_visit(node)
        helper = ast.copy_location(ast.Name("__msgrad_captured__", ast.Load()), node)
        return ast.copy_location(ast.Call(helper, [node], []), node)

    def visit_ClassDef(self, node):  # noqa: N802
        return node


def rewrite_inner(body):
    """Rewrites the functions inside of one, unless they assign its variables (``nonlocal``)."""
    if not any([isinstance(node, ast.Nonlocal) for node in ast.walk(body)]):
        body.body[:] = [InnerFunctions().visit(statement) for statement in body.body]
