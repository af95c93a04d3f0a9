"""The source of msgrad's files, parsed once: functions and classes by place, and what files import from each other."""

import ast
import functools
import pathlib
import re
import sys

import msgrad

ROOT = pathlib.Path(msgrad.__file__).parent
_IMPORT = re.compile(r"^[ \t]*from (\.+)([\w.]*) import (\(.*?\)|[^\n]*)", re.MULTILINE | re.DOTALL)


@functools.cache
def taken_by_files():
    """The names that msgrad's files import from each module of it, or take as its attributes."""
    found = {}
    for file in ROOT.rglob("*.py"):
        text, package = file.read_text(), ["msgrad", *file.relative_to(ROOT).parent.parts]
        for dots, module, names in _IMPORT.findall(text):
            target = ".".join([*package[: len(package) - len(dots) + 1], *filter(None, [module])])
            names = re.sub(r"#[^\n]*", "", names).strip("()")
            for name, *renamed in [each.split() for each in names.split(",") if each.split()]:
                found.setdefault(target, set()).add(name)
                attributes = re.findall(rf"(?<![\w.]){renamed[-1] if renamed else name}\.(\w+)", text)
                found.setdefault(f"{target}.{name}", set()).update(attributes)
    return found


@functools.cache
def _parsed(file):
    """The functions of a file by name and first line, and its classes by name."""
    try:
        tree = ast.parse(pathlib.Path(file).read_text())
    except OSError:
        return {}, {}
    functions, classes = {}, {}
    nodes = [*tree.body]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.FunctionDef):
            functions[node.name, min([node.lineno, *[each.lineno for each in node.decorator_list]])] = node
        elif isinstance(node, ast.ClassDef):
            classes.setdefault(node.name, node)
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.If):
            nodes += node.body
    return functions, classes


def gives_nothing(code):
    """Whether a function does something and has no ``return`` with a value; hooks without a body may be replaced.

    Args:
        code (types.CodeType): the function's.
    """
    node = _parsed(code.co_filename)[0].get((code.co_name, code.co_firstlineno))
    if node is None:
        return False
    body = [each for each in node.body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]
    if not body or any(isinstance(each, ast.Pass | ast.Raise) for each in body):
        return False
    return not any(isinstance(each, ast.Yield | ast.YieldFrom) or isinstance(each, ast.Return) and each.value
                   for each in ast.walk(node))  # fmt: skip


@functools.cache
def assigned(cls):
    """``(attribute, what is assigned)`` for each field of a dataclass, and each assignment to an attribute of ``self``.

    What is assigned is a parameter's name, ``"Parameter()"``, or "".
    """
    module = sys.modules.get(cls.__module__)
    node = _parsed(module.__file__)[1].get(cls.__qualname__) if getattr(module, "__file__", None) else None
    pairs = [(name, name) for name in vars(cls).get("__dataclass_fields__", ())]
    for target, value in _assignments(node) if node else ():
        if isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self":
            is_parameter = isinstance(value, ast.Call) and getattr(value.func, "id", "") == "Parameter"
            pairs.append((target.attr, "Parameter()" if is_parameter else getattr(value, "id", "")))
    return pairs


def _assignments(node):
    """The targets below a node, each with its value, which is None where several targets share one."""
    for each in ast.walk(node):
        if isinstance(each, ast.AnnAssign):
            yield each.target, each.value
        for target in each.targets if isinstance(each, ast.Assign) else ():
            if isinstance(target, ast.Tuple):
                are_pairs = isinstance(each.value, ast.Tuple) and len(each.value.elts) == len(target.elts)
                yield from zip(target.elts, each.value.elts if are_pairs else [None] * len(target.elts), strict=True)
            else:
                yield target, each.value
