"""In a graph, a write through subscripts is an assignment to the variable: ``x[0][1] = v`` gives ``x`` another Tensor.

So ``y = x; y[0] = v`` leaves ``x``. A part is written back to the whole that the expression names, whether a Tensor, a
list or a dict, but not past a slice alone: ``x[0:2][0] = v`` is lost, and so is ``f(x)[0] = v``. Writes to attributes,
as in ``self.p[0] = v``, and all writes outside of graphs, are Python's.
"""

import ast
import opcode
import operator

from ..engine.calls.staging import is_in_graph
from ..engine.handle import Handle

STORE = opcode.opmap["STORE_SUBSCR"]  # the instruction of these writes, except some with a slice (Python 3.12)
STORE_SLICE = opcode.opmap.get("STORE_SLICE", STORE)


def written(value, owner, *indices):
    """``owner`` after ``owner[indices[0]][indices[1]]... = value``: in a graph another Tensor, otherwise ``owner``."""
    if is_in_graph():
        return _written(value, owner, indices)
    part = owner
    for index in indices[:-1]:
        part = part[index]
    part[indices[-1]] = value
    return owner


def updated(operation, value, owner, *indices):
    """``owner`` after ``owner[indices[0]]... += value``, or another operation in place, named as in `operator`."""
    part = owner
    for index in indices:
        part = part[index]
    plain = _is_tensor(part) and is_in_graph()  # not in place, which would reach others that are the part
    return written(getattr(operator, operation if plain else f"i{operation.strip('_')}")(part, value), owner, *indices)


def _written(value, owner, indices):
    index, *inner = indices
    if inner:
        part = owner[index]
        value = _written(value, part, inner)
        if value is part or _is_tensor(owner) and type(index) is slice:
            return owner
    if _is_tensor(owner):
        return owner._with_item(index, value)
    owner[index] = value
    return owner


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _is_tensor(value):
    return isinstance(value, Handle)


_OPERATIONS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.MatMult: "matmul",
    ast.Div: "truediv",
    ast.FloorDiv: "floordiv",
    ast.Mod: "mod",
    ast.Pow: "pow",
    ast.LShift: "lshift",
    ast.RShift: "rshift",
    ast.BitAnd: "and_",
    ast.BitOr: "or_",
    ast.BitXor: "xor",
}


class SubscriptWrites(ast.NodeTransformer):
    """Replaces writes through subscripts of local variables by assignments of what `written` and `updated` return.

    Those of other expressions become calls whose results are dropped; attributes and names of outer scopes stay.
    """

    def __init__(self):
        self.local = set()

    def visit_FunctionDef(self, node):  # noqa: N802
        outer, self.local = self.local, _local_names(node)
        node.body = [each for statement in node.body for each in _as_list(self.visit(statement))]
        self.local = outer
        return node

    def visit_Assign(self, node):  # noqa: N802
        """Gives what is written names of its own first, if the targets are several."""
        if len(node.targets) == 1 and self._is_replaced(node.targets[0]):
            return _write("__msgrad_written__", [node.value], node.targets[0], node)
        writes = []
        node.targets = [self._named(target, writes) for target in node.targets]
        return [node, *[_write("__msgrad_written__", [ast.Name(name, ast.Load())], *rest) for name, *rest in writes]]

    def visit_AugAssign(self, node):  # noqa: N802
        if not self._is_replaced(node.target):
            return node
        return _write("__msgrad_updated__", [ast.Constant(_OPERATIONS[type(node.op)]), node.value], node.target, node)

    def _is_replaced(self, target):
        base = owner = _base(target)
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        is_name = isinstance(owner, ast.Name) and (owner is not base or owner.id not in self.local)
        return base is not target and not is_name

    def _named(self, target, writes):
        """A target in which each write has a name of its own; notes these in ``writes``."""
        if isinstance(target, (ast.Tuple, ast.List)):
            target.elts = [self._named(each, writes) for each in target.elts]
        elif isinstance(target, ast.Starred):
            target.value = self._named(target.value, writes)
        elif self._is_replaced(target):
            writes.append((f"__msgrad_value_{len(writes)}__", target, target))
            target = ast.copy_location(ast.Name(writes[-1][0], ast.Store()), target)
        return target


def _write(helper, first, target, origin):
    """The statement that writes to ``target``, at the position of ``origin`` in the source."""
    base, indices = _base(target), []
    while target is not base:
        indices.insert(0, _as_value(target.slice))
        target = target.value
    call = ast.Call(ast.Name(helper, ast.Load()), [*first, base, *indices], [])
    statement = ast.Assign([ast.Name(base.id, ast.Store())], call) if isinstance(base, ast.Name) else ast.Expr(call)
    return ast.fix_missing_locations(ast.copy_location(statement, origin))


def _base(target):
    """What is indexed by all subscripts of ``target``; itself if it has none."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target


def _as_list(statements):
    return statements if isinstance(statements, list) else [statements]


def _as_value(index):
    """A subscript as an expression: a slice as a call."""
    if isinstance(index, ast.Slice):
        bounds = [ast.Constant(None) if each is None else each for each in (index.lower, index.upper, index.step)]
        return ast.Call(ast.Name("__msgrad_slice__", ast.Load()), bounds, [])
    if isinstance(index, ast.Tuple):
        return ast.Tuple([_as_value(each) for each in index.elts], ast.Load())
    return index


def _local_names(function):
    """The names of arguments and variables of a function (an ``ast.FunctionDef``), without those of outer scopes."""
    arguments, names, outer = function.args, set(), set()
    for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
        names |= set() if each is None else {each.arg}
    pending = list(function.body)
    while pending:
        node = pending.pop()
        if isinstance(node, _COMPREHENSIONS):  # of whose names only those of ``:=`` are the function's
            names |= {each.target.id for each in ast.walk(node) if isinstance(each, ast.NamedExpr)}
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            outer.update(node.names)
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
            pending.extend(ast.iter_child_nodes(node))
    return names - outer


HELPERS = {"__msgrad_written__": written, "__msgrad_updated__": updated, "__msgrad_slice__": slice}
