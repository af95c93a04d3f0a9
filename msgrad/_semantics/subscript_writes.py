"""In a graph, a write through subscripts is an assignment to the variable: ``x[0][1] = v`` gives ``x`` another Tensor.

So ``y = x; y[0] = v`` leaves ``x``. A part is written back to the whole that the expression names, whether a Tensor, a
list or a dict, but not past a slice alone: ``x[0:2][0] = v`` is lost, and so is ``f(x)[0] = v``. Writes to attributes,
as in ``self.p[0] = v``, and all writes outside of graphs, are Python's.
"""

import ast
import opcode
import operator

from ..engine.calls.staging import reads_source
from ..engine.handle import Handle

STORE = opcode.opmap["STORE_SUBSCR"]  # the instruction of these writes, except some with a slice (Python 3.12)
STORE_SLICE = opcode.opmap.get("STORE_SLICE", STORE)


def written(value, owner, *indices):
    """``owner`` after ``owner[indices[0]][indices[1]]... = value``: in a graph another Tensor, otherwise ``owner``."""
    if reads_source():
        return _written(value, owner, indices)
    part = owner
    for index in indices[:-1]:
        part = part[index]
    part[indices[-1]] = value
    return owner


def read(owner, *indices):
    """What `updated` takes, read before its value is computed: ``owner``, the indices, and ``owner[indices[0]]...``."""
    part = owner
    for index in indices:
        part = part[index]
    return owner, indices, part


def updated(operation, found, value):
    """The owner that `read` found, after ``+= value`` or another operation in place, named as in `operator`."""
    owner, indices, part = found
    if _is_tensor(part) and reads_source():  # not in place, which would reach others that are the part
        value = part._operand_in_place_(value) if operation in _IN_PLACE else value
    else:
        operation = f"i{operation.strip('_')}"
    return written(getattr(operator, operation)(part, value), owner, *indices)


def _written(value, owner, indices):
    index, *inner = indices
    if inner:
        part = owner[index]
        value = _written(value, part, inner)
        if value is part or _is_tensor(owner) and type(index) is slice:
            return owner
    if _is_tensor(owner):
        return owner._with_item(index, value)
    if type(owner) in (list, dict):  # values, too: see `list_changes`
        owner = owner.copy()
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


_IN_PLACE = {"add", "sub", "mul", "truediv", "floordiv", "mod"}  # of which the operand is cast


class SubscriptWrites(ast.NodeTransformer):
    """Replaces writes through subscripts of local variables by assignments of what `written` and `updated` return.

    Those of other expressions become calls whose results are dropped; attributes and names of outer scopes stay.
    """

    def __init__(self):
        self.local = set()

    def visit_FunctionDef(self, node):  # noqa: N802
        outer, self.local = self.local, local_names(node)
        node.body = [each for statement in node.body for each in _as_list(self.visit(statement))]
        self.local = outer
        return node

    def visit_Assign(self, node):  # noqa: N802
        """Several targets get names first, from the first write on, and are then assigned in their order."""
        if len(node.targets) == 1 and self._is_replaced(node.targets[0]):
            return self._assignment(node.targets[0], node.value)
        named = []
        node.targets = [self._named(target, named) for target in node.targets]
        return [node, *[self._assignment(target, ast.Name(name, ast.Load())) for name, target in named]]

    def visit_AugAssign(self, node):  # noqa: N802
        if not self._is_replaced(node.target):
            return node
        found = ast.Call(ast.Name("__msgrad_read__", ast.Load()), owner_and_indices(node.target), [])
        updated = [ast.Constant(_OPERATIONS[type(node.op)]), found, node.value]
        return _assignment_of(ast.Call(ast.Name("__msgrad_updated__", ast.Load()), updated, []), node.target)

    def _assignment(self, target, value):
        """The statement that assigns ``value`` to one target."""
        if not self._is_replaced(target):
            return ast.fix_missing_locations(ast.copy_location(ast.Assign([target], value), target))
        written = [value, *owner_and_indices(target)]
        return _assignment_of(ast.Call(ast.Name("__msgrad_written__", ast.Load()), written, []), target)

    def _is_replaced(self, target):
        base = owner = base_of(target)
        while isinstance(owner, ast.Attribute):
            owner = owner.value
        is_name = isinstance(owner, ast.Name) and (owner is not base or owner.id not in self.local)
        return base is not target and not is_name

    def _named(self, target, named):
        """A target in which, from the first write on, each part has a name; notes the names and parts in ``named``."""
        if isinstance(target, (ast.Tuple, ast.List)):
            target.elts = [self._named(each, named) for each in target.elts]
        elif isinstance(target, ast.Starred):
            target.value = self._named(target.value, named)
        elif named or self._is_replaced(target):
            named.append((f"__msgrad_value_{len(named)}__", target))
            target = ast.copy_location(ast.Name(named[-1][0], ast.Store()), target)
        return target


def _assignment_of(call, target):
    """The statement that assigns what ``call`` returns to the variable of which ``target`` is a part."""
    base = base_of(target)
    is_name = isinstance(base, ast.Name)
    statement = ast.Assign([ast.Name(base.id, ast.Store())], call) if is_name else ast.Expr(call)
    return ast.fix_missing_locations(ast.copy_location(statement, target))


def owner_and_indices(target):
    """The expression that all subscripts of ``target`` index, and these as expressions."""
    indices = []
    while isinstance(target, ast.Subscript):
        indices.insert(0, _as_value(target.slice))
        target = target.value
    return [target, *indices]


def base_of(target):
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


def local_names(function):
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


HELPERS = {
    "__msgrad_read__": read,
    "__msgrad_written__": written,
    "__msgrad_updated__": updated,
    "__msgrad_slice__": slice,
}
