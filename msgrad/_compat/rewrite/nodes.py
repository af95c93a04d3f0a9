"""`Node` and `ScopedValue`: the statements of a network, and the names and constants in them."""

import ast
import enum
from typing import Any

from ... import nn
from ..._contracts import check
from ...ops._core.primitive import Primitive


class NodeType(enum.Enum):
    """Kinds of `Node`s. Source: mindspore.rewrite.NodeType"""

    Unknown = 0
    CallCell = 1
    CallPrimitive = 2
    CallModule = 3
    CallFunction = 4
    CallMethod = 5
    Python = 6
    Input = 7
    Output = 8
    Tree = 9
    CellContainer = 10
    MathOps = 11
    ControlFlow = 12


class ValueType(enum.Enum):
    """Kinds of `ScopedValue`s. Source: mindspore.rewrite.ValueType"""

    ConstantValue = 0
    TupleValue = 20
    ListValue = 21
    DictValue = 22
    NamingValue = 40
    CustomObjValue = 41
    UnsupportedValue = 50


class ScopedValue:
    """A name or a constant in the code of a network.

    Args:
        arg_type (ValueType): the kind.
        scope (str): the object of which the name is an attribute. Default: ``""``.
        value (object): the name, or the constant. Default: ``None``.
    Source: mindspore.rewrite.ScopedValue
    """

    def __init__(self, arg_type, scope="", value=None):
        self.type, self.scope, self.value = arg_type, scope, value

    @classmethod
    def create_variable_value(cls, value):
        """A constant. Source: mindspore.rewrite.ScopedValue.create_variable_value"""
        return cls(ValueType.ConstantValue, "", value)

    @classmethod
    def create_naming_value(cls, name, scope=""):
        """A name. Source: mindspore.rewrite.ScopedValue.create_naming_value"""
        return cls(ValueType.NamingValue, scope, name)

    @staticmethod
    def create_name_values(names, scopes=None):
        """Several names. Source: mindspore.rewrite.ScopedValue.create_name_values"""
        return [ScopedValue.create_naming_value(*pair) for pair in zip(names, scopes or [""] * len(names), strict=True)]

    def __str__(self):
        if self.type is ValueType.NamingValue:
            return f"{self.scope}.{self.value}" if self.scope else self.value
        return repr(self.value)

    def __eq__(self, other):
        return isinstance(other, ScopedValue) and str(self) == str(other)


class Node:
    """A statement of a network: a call of a layer, its inputs, its return, or other code.

    Source: mindspore.rewrite.Node
    """

    _tree: Any
    _name: Any
    _kind: Any
    _instance: Any
    _targets: Any
    _args: Any
    _kwargs: Any
    _attributes: Any
    _statement: Any
    _attribute: Any
    _subtree: Any
    _default: Any

    def __init__(self, node):
        self.__dict__ = node.__dict__

    @classmethod
    def _made(cls, kind, name, targets=(), args=(), kwargs=None, instance=None, statement=None):
        node = object.__new__(cls)
        node.__dict__.update(
            _kind=kind, _name=name, _targets=list(targets), _args=list(args), _kwargs=dict(kwargs or {}),
            _instance=instance, _statement=statement, _attributes={}, _tree=None, _attribute=None, _subtree=None,
            _default=None,
        )  # fmt: skip
        return node

    @staticmethod
    def create_call_cell(cell, targets, args=None, kwargs=None, name="", is_sub_net=False):
        """A call of a new layer.

        Source: mindspore.rewrite.Node.create_call_cell
        """
        if not isinstance(cell, (nn.Cell, Primitive)):
            check.refuse(TypeError, "Node", "cell", "a Cell or a Primitive", cell)
        kind = NodeType.Tree if is_sub_net else NodeType.CallCell
        kind = kind if isinstance(cell, nn.Cell) else NodeType.CallPrimitive
        return _call_of(kind, name or type(cell).__name__.lower(), targets, args, kwargs, cell)

    @staticmethod
    def create_call_function(function, targets, args=None, kwargs=None):
        """A call of a function.

        Source: mindspore.rewrite.Node.create_call_function
        """
        if not callable(function):
            check.refuse(TypeError, "Node", "function", "a function", function)
        name = getattr(function, "__name__", type(function).__name__)
        return _call_of(NodeType.CallFunction, name, targets, args, kwargs, function)

    @staticmethod
    def create_input(param_name, default=None):
        """A new input of the network. Source: mindspore.rewrite.Node.create_input"""
        node = Node._made(NodeType.Input, f"input_{param_name}", [param_name])
        node._default = None if default is None else _expression(default)
        return node

    def get_handler(self):
        """The node itself. Source: mindspore.rewrite.Node.get_handler"""
        return self

    def get_belong_symbol_tree(self):
        """The tree of the node, or None. Source: mindspore.rewrite.Node.get_symbol_tree"""
        return self._tree

    get_symbol_tree = get_belong_symbol_tree

    def get_name(self):
        """Its name in the tree. Source: mindspore.rewrite.Node.get_name"""
        return self._name

    def get_node_type(self):
        """The kind of the node, a NodeType. Source: mindspore.rewrite.Node.get_node_type"""
        return self._kind

    def get_instance(self):
        """The layer that is called, or None. Source: mindspore.rewrite.Node.get_instance"""
        return self._instance

    def get_instance_type(self):
        """The class of the layer, or of None. Source: mindspore.rewrite.Node.get_instance_type"""
        return type(self._instance)

    def get_targets(self):
        """The names that its result is assigned to. Source: mindspore.rewrite.Node.get_targets"""
        return ScopedValue.create_name_values(self._targets)

    def get_args(self):
        """The positional arguments of its call. Source: mindspore.rewrite.Node.get_args"""
        return [_scoped(each) for each in self._args]

    def get_kwargs(self):
        """The keyword arguments of its call. Source: mindspore.rewrite.Node.get_kwargs"""
        return {key: _scoped(each) for key, each in self._kwargs.items()}

    def set_arg(self, index, arg):
        """Replaces an argument by a name or a ScopedValue. Source: mindspore.rewrite.Node.set_arg"""
        self._args[index] = _expression(arg)

    def set_arg_by_node(self, arg_idx, src_node, out_idx=None):
        """Replaces an argument by a result of another node. Source: mindspore.rewrite.Node.set_arg_by_node"""
        self.set_arg(arg_idx, src_node._targets[out_idx or 0])

    def get_arg_providers(self):
        """The node and the index of its result by the index of each argument that is one, a dict.

        Source: mindspore.rewrite.Node.get_arg_providers
        """
        providers = {}
        for index, each in enumerate([*self._args, *self._kwargs.values()]):
            found = self._tree._provider(self, each.id) if isinstance(each, ast.Name) else None
            if found is not None:
                providers[index] = found, found._targets.index(each.id)
        return providers

    def get_target_users(self, index=-1):
        """The nodes that use each result, with the index of the argument; of one result by its index a list.

        Source: mindspore.rewrite.Node.get_target_users
        """
        users = {position: [] for position in range(len(self._targets))}
        for each in self._tree.nodes():
            for argument, (provider, position) in each.get_arg_providers().items():
                if provider.__dict__ is self.__dict__:
                    users[position].append((each, argument))
        return users if index == -1 else users[index]

    def get_sub_tree(self):
        """The tree of the Cell that a node of the kind `Tree` calls. Source: mindspore.rewrite.Node.get_sub_tree"""
        if self._kind is not NodeType.Tree:
            check.refuse(TypeError, "get_sub_tree", "node", "of the kind NodeType.Tree", self._kind)
        if self._subtree is None:
            self._subtree = type(self._tree).create(self._instance)
        return self._subtree

    def get_inputs(self):
        """The nodes that compute its arguments. Source: mindspore.rewrite.Node.get_inputs"""
        return self._tree._providers(self)

    def get_users(self):
        """The nodes that use its result. Source: mindspore.rewrite.Node.get_users"""
        return [each for each in self._tree.nodes() if self in each.get_inputs()]

    def get_attribute(self, key):
        """The value that `set_attribute` stored, or None. Source: mindspore.rewrite.Node.get_attribute"""
        return self._attributes.get(key)

    def set_attribute(self, key, value):
        """Stores a value with the node. Source: mindspore.rewrite.Node.set_attribute"""
        self._attributes[key] = value

    def get_attributes(self):
        """All values that `set_attribute` stored, a dict. Source: mindspore.rewrite.Node.get_attributes"""
        return self._attributes

    def _code(self):
        """Its statement; None for an input, and for an ``else``, which is part of the statement before."""
        if self._statement is not None or self._attribute is None:
            return self._statement
        own = ast.Attribute(ast.Name("self", ast.Load()), self._attribute, ast.Load())
        call = ast.Call(
            ast.Name(self._attribute, ast.Load()) if self._kind is NodeType.CallFunction else own,
            self._args,
            [ast.keyword(key, each) for key, each in self._kwargs.items()],
        )
        names: list[ast.expr] = [ast.Name(each, ast.Store()) for each in self._targets]
        return ast.Assign([names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())], call)

    def _names_written(self):
        statement = self._statement
        return self._targets if statement is None else [
            each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)
        ]  # fmt: skip

    def _names_used(self):
        statement = self._code()
        return [] if statement is None else [
            each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        ]  # fmt: skip


def _call_of(kind, name, targets, args, kwargs, instance):
    kwargs = {key: _expression(value) for key, value in (kwargs or {}).items()}
    return Node._made(kind, name, map(str, targets), map(_expression, args or ()), kwargs, instance)


def _expression(value):
    return ast.parse(str(value), mode="eval").body


def _scoped(expression):
    if isinstance(expression, ast.Constant):
        return ScopedValue.create_variable_value(expression.value)
    return ScopedValue.create_naming_value(ast.unparse(expression))
