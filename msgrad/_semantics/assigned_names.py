"""Local names that a function may read before it assigns them: in a graph those are the globals of that name."""

import ast
import dis
from typing import Any


def may_be_read_first(code):
    """Whether the bytecode reads a local variable before it assigns it, or assigns it after a jump only.

    It says yes too often, without reading the source; `read_first` then decides.
    """
    arguments = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)
    unassigned = {*code.co_varnames[arguments:], *code.co_cellvars} - set(code.co_varnames[:arguments])
    if not unassigned:
        return False
    conditional, has_jumped = set(), False
    for each in dis.get_instructions(code):
        kind = each.opname
        if kind.startswith(("STORE_FAST", "STORE_DEREF")):
            if has_jumped and each.argval in unassigned:
                conditional.add(each.argval)
            unassigned.discard(each.argval)
        elif kind.startswith(("LOAD_FAST", "LOAD_DEREF")) and each.argval in unassigned | conditional:
            return True
        has_jumped = has_jumped or each.opcode in dis.hasjrel
    return False


def read_first(body):
    """The local names that a function (an ``ast.FunctionDef``) may read before it assigns them, in order."""
    arguments = body.args
    names = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    names += [each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None]
    found = _Reads(set(names))
    found.run(body.body)
    declared = {name for node in ast.walk(body) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    return [name for name in found.early if name in found.stored and name not in declared]


class _Reads(ast.NodeVisitor):
    """Follows statements in order; loops run at least once, and both branches of an ``if`` must assign."""

    def __init__(self, assigned):
        self.assigned = assigned
        self.stored = set()
        self.early = {}

    def run(self, statements):
        for statement in statements:
            self.visit(statement)

    def visit_Name(self, node):  # noqa: N802
        if isinstance(node.ctx, ast.Load):
            if node.id not in self.assigned:
                self.early[node.id] = True
        else:
            self._assign(node.id)

    def _assign(self, name):
        self.assigned.add(name)
        self.stored.add(name)

    def visit_Assign(self, node):  # noqa: N802
        self.visit(node.value)
        self.run(node.targets)

    def visit_AnnAssign(self, node):  # noqa: N802
        if node.value is not None:
            self.visit(node.value)
            self.visit(node.target)

    def visit_AugAssign(self, node):  # noqa: N802
        self.visit(node.value)
        if isinstance(node.target, ast.Name):
            self.visit_Name(ast.Name(node.target.id, ast.Load()))
        self.visit(node.target)

    def visit_For(self, node):  # noqa: N802
        self.visit(node.iter)
        self.visit(node.target)
        self.run([*node.body, *node.orelse])

    def visit_If(self, node):  # noqa: N802
        self.visit(node.test)
        before = set(self.assigned)
        after = []
        for branch in (node.body, node.orelse):
            self.assigned = set(before)
            self.run(branch)
            # After a branch that leaves the function or the loop, nothing is missing.
            if not (branch and isinstance(branch[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))):
                after.append(self.assigned)
        self.assigned = set.intersection(*after) if after else before

    def visit_FunctionDef(self, node: Any):  # noqa: N802
        self._assign(node.name)  # its body runs later

    visit_AsyncFunctionDef = visit_ClassDef = visit_FunctionDef  # noqa: N815

    def visit_Lambda(self, node):  # noqa: N802
        """Its body runs later."""

    def visit_ListComp(self, node: Any):  # noqa: N802
        self.visit(node.generators[0].iter)  # the rest has variables of its own

    visit_SetComp = visit_DictComp = visit_GeneratorExp = visit_ListComp  # noqa: N815

    def visit_ExceptHandler(self, node):  # noqa: N802
        if node.name:
            self._assign(node.name)
        self.generic_visit(node)

    def visit_Import(self, node: Any):  # noqa: N802
        for each in node.names:
            self._assign((each.asname or each.name).partition(".")[0])

    visit_ImportFrom = visit_Import  # noqa: N815
