"""In a graph lists and dicts are values: a statement that changes one gives the variable another one.

``out.append(x)`` is ``out = out + [x]`` to MindSpore's compiler, as ``out[0] = x`` is another one
(`subscript_writes`). So it reaches neither other names of the list nor the function's caller, and an inner function
changes a variable of its own. A list that a function has made is passed on as a copy, since whoever gets it may
change it. ``remove`` and ``sort`` change nothing at all, and ``popitem`` and ``setdefault`` only dicts of Tensors.
Otherwise attributes, globals and variables around the whole graph are Python's, and so is everything outside of
graphs.
"""

import ast
import dis
import opcode
from typing import Any

from ..engine.calls.staging import reads_source
from ..engine.handle import Handle
from .subscript_writes import base_of, local_names, owner_and_indices, written

CHANGING = {"append", "extend", "insert", "reverse", "clear", "update", "pop"}
_WITHOUT_EFFECT = {"remove", "sort", "popitem", "setdefault"}  # MindSpore calls them on a copy
_IN_PLACE = {ast.Add: "__msgrad_extended__", ast.Mult: "__msgrad_repeated__"}
_VALUES = (list, dict)
_DISPLAYS = (ast.List, ast.ListComp, ast.Dict, ast.DictComp)
_MAKING = {"BUILD_LIST", "BUILD_MAP", "BUILD_CONST_KEY_MAP", "LIST_EXTEND", "LIST_APPEND", "MAP_ADD"}
_MAKING_CODES = {number for name, number in opcode.opmap.items() if name in _MAKING}
_READING = {  # functions that keep and change no argument
    *("len zip enumerate isinstance print tuple list dict set sum min max any".split()),
    *("all sorted reversed iter map filter range type str repr id".split()),
}
_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def changed(method, owner, indices, *args, **kwargs):
    """``owner`` after ``owner[indices[0]]...`` was changed by a method: in a graph another list or dict."""
    return _changed(method, owner, indices, args, kwargs)[0]


def popped(owner, indices, *args, **kwargs):
    """``owner`` after ``pop``, as `changed` gives it, and the item that was removed."""
    return _changed("pop", owner, indices, args, kwargs)


def _changed(method, owner, indices, args, kwargs):
    part = owner
    for index in indices:
        part = part[index]
    if type(part) not in _VALUES or not reads_source():
        return owner, getattr(part, method)(*args, **kwargs)
    part = part.copy()
    result = getattr(part, method)(*args, **kwargs)
    return written(part, owner, *indices) if indices else part, result


def unchanged(method, owner, *args, **kwargs):
    """What a method of ``owner`` returns that in a graph leaves a list as it is, and a dict without Tensors."""
    if type(owner) in _VALUES and not _is_of_tensors(owner) and reads_source():
        owner = owner.copy()
    return getattr(owner, method)(*args, **kwargs)


def _is_of_tensors(owner):
    return type(owner) is dict and any([isinstance(each, Handle) or _is_of_tensors(each) for each in owner.values()])


def extended(value, more):
    """``value += more`` of a list: in a graph another one."""
    if type(value) is list and reads_source():
        return value + list(more)
    value += more
    return value


def repeated(value, times):
    """``value *= times`` of a list: in a graph another one."""
    if type(value) is list and reads_source():
        return value * times
    value *= times
    return value


def passed(value):
    """A list or dict as an argument: in a graph a copy."""
    return value.copy() if type(value) in _VALUES and reads_source() else value


HELPERS = {
    "__msgrad_changed__": changed,
    "__msgrad_popped__": popped,
    "__msgrad_unchanged__": unchanged,
    "__msgrad_extended__": extended,
    "__msgrad_repeated__": repeated,
    "__msgrad_passed__": passed,
}


def has_changes(code):
    """Whether a code object may change a list or dict, or keeps one that it has made."""
    if not (CHANGING | _WITHOUT_EFFECT).isdisjoint(code.co_names):
        return True
    if _MAKING_CODES.isdisjoint(code.co_code[::2]):
        return False
    before = None
    for each in dis.get_instructions(code):
        if before in _MAKING and each.opname.startswith(("STORE_FAST", "STORE_DEREF")):
            return True
        before = each.opname
    return False


def own_variables(function, around=frozenset()):
    """Gives inner functions variables of their own for those of outer functions of which they change a part.

    Args:
        function (ast.FunctionDef): it is changed.
        around (set): the names of variables of the functions around it that the graph has, too.
    """
    local = local_names(function)
    for name in _changed_names(function) & (around - local - _declared(function)):
        own = f"__msgrad_own_{name}__"
        for statement in function.body:
            _Renamed(name, own).visit(statement)
        first = ast.Assign([ast.Name(own, ast.Store())], ast.Name(name, ast.Load()))
        function.body.insert(0, ast.fix_missing_locations(ast.copy_location(first, function.body[0])))
        local.add(own)
    for inner in _inner_functions(function.body):
        own_variables(inner, around | local)


def _declared(function):
    outer = [each for each in ast.walk(function) if isinstance(each, (ast.Global, ast.Nonlocal))]
    return {name for each in outer for name in each.names}


def _changed_names(function):
    """The names of which the statements of a function, without those of inner functions, change a part."""
    names = set()
    node: Any
    for node in _own_nodes(function.body):
        target = node.func.value if _is_change(node) else node
        is_written = target is not node or isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load)
        base = base_of(target) if is_written else None
        if isinstance(base, ast.Name):
            names.add(base.id)
    return names


def _own_nodes(body):
    pending = list(body)
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, _INNER):
            pending.extend(ast.iter_child_nodes(node))


def _inner_functions(body):
    return [node for node in _own_nodes(body) if isinstance(node, ast.FunctionDef)]


def _is_change(node):
    method = node.func if isinstance(node, ast.Call) else None
    return isinstance(method, ast.Attribute) and method.attr in CHANGING


class _Renamed(ast.NodeTransformer):
    """Renames a variable, also in the inner functions that read it."""

    def __init__(self, name, new):
        self.name, self.new = name, new

    def visit_Name(self, node):  # noqa: N802
        node.id = self.new if node.id == self.name else node.id
        return node

    def visit_FunctionDef(self, node):  # noqa: N802
        if self.name not in local_names(node):
            self.generic_visit(node)
        return node


class ListChanges(ast.NodeTransformer):
    """Replaces statements that change lists and dicts by assignments of what the helpers return."""

    def __init__(self):
        self.local, self.lists = set(), set()

    def visit_FunctionDef(self, node):  # noqa: N802
        outer = self.local, self.lists
        self.local = local_names(node)
        self.lists = (self.lists - self.local) | _lists_of(node.body)
        self.generic_visit(node)
        self.local, self.lists = outer
        return node

    def visit_Expr(self, node):  # noqa: N802
        self.generic_visit(node)
        call: Any = node.value
        if not self._changes_variable(call):
            return node
        method = ast.Constant(call.func.attr)
        return self._assignment("__msgrad_changed__", [method], call, node)

    def visit_Assign(self, node):  # noqa: N802
        self.generic_visit(node)
        call: Any = node.value
        if not (self._changes_variable(call) and call.func.attr == "pop" and len(node.targets) == 1):
            return node
        name = "__msgrad_popped_value__"
        base: Any = base_of(call.func.value)
        pair = ast.Tuple([ast.Name(base.id, ast.Store()), ast.Name(name, ast.Store())], ast.Store())
        first = self._assignment("__msgrad_popped__", [], call, node, pair)
        second = ast.copy_location(ast.Assign(node.targets, ast.Name(name, ast.Load())), node)
        return [first, ast.fix_missing_locations(second)]

    def visit_AugAssign(self, node):  # noqa: N802
        self.generic_visit(node)
        helper = _IN_PLACE.get(type(node.op))
        if helper is None or not isinstance(node.target, ast.Name) or node.target.id not in self.local:
            return node
        is_extended = isinstance(node.op, ast.Add) and isinstance(node.value, (ast.List, ast.ListComp))
        if not (is_extended or node.target.id in self.lists):
            return node
        read = ast.Name(node.target.id, ast.Load())
        call = ast.Call(ast.Name(helper, ast.Load()), [read, node.value], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([node.target], call), node))

    def visit_Call(self, node):  # noqa: N802
        self.generic_visit(node)
        is_reading = isinstance(node.func, ast.Name) and node.func.id in _READING
        if not is_reading and not _is_change(node):
            node.args = [self._passed(each) for each in node.args]
            for keyword in node.keywords:
                keyword.value = self._passed(keyword.value)
        if isinstance(node.func, ast.Attribute) and node.func.attr in _WITHOUT_EFFECT:
            arguments = [ast.Constant(node.func.attr), node.func.value, *node.args]
            call = ast.Call(ast.Name("__msgrad_unchanged__", ast.Load()), arguments, node.keywords)
            return ast.fix_missing_locations(ast.copy_location(call, node))
        return node

    def _passed(self, value):
        if not (isinstance(value, ast.Name) and value.id in self.lists):
            return value
        call = ast.Call(ast.Name("__msgrad_passed__", ast.Load()), [value], [])
        return ast.fix_missing_locations(ast.copy_location(call, value))

    def _changes_variable(self, call: Any):
        base = base_of(call.func.value) if _is_change(call) else None
        return isinstance(base, ast.Name) and base.id in self.local

    def _assignment(self, helper, first, call, place, target=None):
        owner, *indices = owner_and_indices(call.func.value)
        target = target or ast.Name(owner.id, ast.Store())
        arguments = [*first, owner, ast.Tuple(indices, ast.Load()), *call.args]
        value = ast.Call(ast.Name(helper, ast.Load()), arguments, call.keywords)
        return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], value), place))


def _lists_of(body):
    """The names to which a function assigns a new list or dict, or another such name."""
    names, size = set(), -1
    assignments = [node for node in _own_nodes(body) if isinstance(node, ast.Assign)]
    while len(names) > size:  # ``a = []; b = a; c = b``
        size = len(names)
        for node in assignments:
            if _is_new(node.value) or isinstance(node.value, ast.Name) and node.value.id in names:
                names |= {each.id for each in node.targets if isinstance(each, ast.Name)}
    return names


def _is_new(value):
    is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in ("list", "dict")
    return is_call or isinstance(value, _DISPLAYS)
