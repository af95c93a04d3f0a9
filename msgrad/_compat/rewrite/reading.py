"""Parsing of a network's ``construct`` into the nodes of a `SymbolTree`."""

import ast
import inspect
import textwrap
from typing import Any

from ... import nn
from ...ops._core.primitive import Primitive
from .nodes import Node, NodeType

_MSG_SOURCE = "For 'SymbolTree', the source of the 'construct' of {} cannot be read: define the class in a file."
_BLOCKS = {ast.If: "if_node", ast.For: "for_node", ast.While: "while_node"}
_INNER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.NamedExpr)

subtree_black_list = []  # classes whose inner Cells are not rewritten: Golden Stick adds its own


def source(network):
    try:
        return textwrap.dedent(inspect.getsource(type(network).construct))
    except (OSError, TypeError):
        raise NotImplementedError(_MSG_SOURCE.format(type(network).__name__)) from None


def is_subtree(cls_inst):
    """Whether an object is a Cell of the user's classes, which is rewritten statement by statement."""
    is_layer = type(cls_inst).__module__.startswith("msgrad.")
    return isinstance(cls_inst, nn.Cell) and not is_layer and not isinstance(cls_inst, tuple(subtree_black_list))


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
            self._read_statement(statement)

    def _read_statement(self, statement):
        if not isinstance(statement, (ast.Assign, ast.AugAssign, ast.Expr, ast.Return)):
            self._read_block(statement)
            return
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
        node = Node._made(NodeType.Python, self.tree.unique_name("python"), statement=statement)
        node._targets = node._names_written()
        self._add(node)

    def _read_block(self, statement):
        """Reads a branch or a loop as one node, with a second one for its ``else``; other statements as Python code."""
        name = _BLOCKS.get(type(statement))
        if name is None:
            kind, name = NodeType.Python, type(statement).__name__
        else:
            kind = NodeType.ControlFlow
        self._add(Node._made(kind, self.tree.unique_name(name), statement=statement))
        if isinstance(statement, ast.If) and statement.orelse:
            self._add(Node._made(kind, self.tree.unique_name("else_node")))

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
            return node  # whether and how often its calls run is not known
        return super().generic_visit(node)

    def _add_call(self, call, names):
        attribute = self._called(call)
        instance = getattr(self.network, attribute)
        name = attribute if self.tree.get_node(attribute) is None else self.tree.unique_name(attribute)
        kwargs = {each.arg: each.value for each in call.keywords}
        node = Node._made(_kind_of(instance), name, names, call.args, kwargs, instance)
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


def _kind_of(instance):
    if isinstance(instance, (nn.SequentialCell, nn.CellList, nn.CellDict)):
        return NodeType.CellContainer
    if is_subtree(instance):
        return NodeType.Tree
    return NodeType.CallCell if isinstance(instance, nn.Cell) else NodeType.CallPrimitive
