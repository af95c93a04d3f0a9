"""Parsing of a network's ``construct`` into the nodes of a `SymbolTree`."""

import ast
import inspect
import textwrap
from typing import Any

from ... import nn
from ...ops._core.primitive import Primitive
from .nodes import Node, NodeType

_MSG_CODE = (
    "For 'SymbolTree', the 'construct' of {} has {} (line {}): msgrad rewrites only assignments and one return. Set "
    "the attribute instead (net.layer = another), or make a subclass with another construct."
)
_MSG_INNER = (
    "For 'SymbolTree', the attribute '{}' of {} is a {} with Cells inside, which msgrad does not rewrite. Rewrite that "
    "Cell itself, or set its attributes."
)
_INNER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.NamedExpr)

subtree_black_list = []  # classes whose inner Cells are not rewritten: Golden Stick adds its own


def source(network):
    return textwrap.dedent(inspect.getsource(type(network).construct))


class Reader(ast.NodeTransformer):
    """Makes the nodes of a tree; calls of Cells and Primitives inside other code become separate statements."""

    def __init__(self, tree):
        self.tree, self.network = tree, tree._network

    def read(self):
        function: Any = ast.parse(source(self.network)).body[0]
        arguments = function.args
        for each in [*arguments.posonlyargs, *arguments.args[1:], *arguments.kwonlyargs]:
            self._add(Node._made(NodeType.Input, f"input_{each.arg}", [each.arg]))
        body = function.body
        if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
            body = body[1:]
        for statement in body:
            is_last = statement is body[-1]
            if not isinstance(statement, ast.Return if is_last else (ast.Assign, ast.AugAssign, ast.Expr)):
                self._refuse(statement)
            self._read_statement(statement)

    def _read_statement(self, statement):
        if isinstance(statement, ast.Return):
            statement = self.generic_visit(statement)
            self._add(Node._made(NodeType.Output, self.tree.unique_name("return"), statement=statement))
            return
        targets = statement.targets if isinstance(statement, ast.Assign) else []
        names = self._names(targets[0]) if len(targets) == 1 else None
        if names and self._called(statement.value) is not None:
            call: Any = statement.value
            call.args = [self.visit(each) for each in call.args]
            for keyword in call.keywords:
                keyword.value = self.visit(keyword.value)
            self._add_call(call, names)
            return
        statement = self.generic_visit(statement)
        written = [
            each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        ]
        self._add(Node._made(NodeType.Python, self.tree.unique_name("python"), written, statement=statement))

    def visit_Call(self, call):  # noqa: N802  ast's name
        call = self.generic_visit(call)
        attribute = self._called(call)
        if attribute is None:
            return call
        name = self.tree.unique_name(f"{attribute}_var")
        self._add_call(call, [name])
        return ast.Name(name, ast.Load())

    def generic_visit(self, node):
        if isinstance(node, _INNER) and any(
            self._called(each) for each in ast.walk(node) if isinstance(each, ast.Call)
        ):
            self._refuse(node)  # whether and how often its calls run is not known
        return super().generic_visit(node)

    def _add_call(self, call, names):
        attribute = self._called(call)
        instance = getattr(self.network, attribute)
        is_cell = isinstance(instance, nn.Cell)
        is_layer = type(instance).__module__.startswith("msgrad.nn.")
        is_container = isinstance(instance, (nn.SequentialCell, nn.CellList, nn.CellDict))
        if is_cell and instance._cells and (is_container or not is_layer) and not _is_closed(instance):
            kind = type(instance).__name__
            raise NotImplementedError(_MSG_INNER.format(attribute, type(self.network).__name__, kind))
        name = attribute if self.tree.get_node(attribute) is None else self.tree.unique_name(attribute)
        kwargs = {each.arg: each.value for each in call.keywords}
        kind = NodeType.CallCell if is_cell else NodeType.CallPrimitive
        node = Node._made(kind, name, names, call.args, kwargs, instance)
        node._attribute = attribute
        self._add(node)

    def _called(self, call) -> Any:
        """The attribute of the network that is called, a Cell or Primitive, or None."""
        target: Any = call.func if isinstance(call, ast.Call) else None
        is_own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        has_stars = is_own and any(isinstance(each, ast.Starred) for each in call.args)
        if not is_own or has_stars or any(each.arg is None for each in call.keywords):
            return None
        callee = getattr(self.network, target.attr, None)
        return target.attr if isinstance(callee, (nn.Cell, Primitive)) else None

    def _names(self, target):
        items: Any = target.elts if isinstance(target, ast.Tuple) else [target]
        return [each.id for each in items] if all(isinstance(each, ast.Name) for each in items) else None

    def _add(self, node):
        node._tree = self.tree
        self.tree._nodes.append(node)

    def _refuse(self, statement):
        kind, name = type(statement).__name__, type(self.network).__name__
        raise NotImplementedError(_MSG_CODE.format(name, f"a statement of the kind {kind}", statement.lineno))


def _is_closed(cell):
    return isinstance(cell, tuple(subtree_black_list))
