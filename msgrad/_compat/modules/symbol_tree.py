"""``SymbolTree`` of ``mindspore.rewrite``: the statements of a network, which may be replaced, added and erased.

For straight code: assignments and one ``return``. What has branches or loops, or calls Cells with Cells inside, is
refused: it would be rewritten in part.
"""

import ast
import enum
import inspect
import itertools
import textwrap

from ... import nn
from ..._contracts import check
from ...ops._core.primitive import Primitive

_MSG_CODE = (
    "For 'SymbolTree', the 'construct' of {} has {} (line {}): msgrad rewrites only assignments and one return. Set "
    "the attribute instead (net.layer = another), or make a subclass with another construct."
)
_MSG_INNER = (
    "For 'SymbolTree', the attribute '{}' of {} is a {} with Cells inside, into which msgrad does not look. Apply the "
    "change to it by itself, or set its attributes."
)
_INNER = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp, ast.NamedExpr)


class NodeType(enum.Enum):
    """What a `Node` is. Source: mindspore.rewrite.NodeType"""

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
    """What a `ScopedValue` is. Source: mindspore.rewrite.ValueType"""

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
        arg_type (ValueType): which.
        scope (str): what the name is an attribute of. Default: ``""``.
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

    __hash__ = None


class Node:
    """A statement of a network: a call of a layer, its inputs, its return, or other code.

    Source: mindspore.rewrite.Node
    """

    def __init__(self, node):
        self.__dict__ = node.__dict__

    @classmethod
    def _made(cls, kind, name, targets=(), args=(), kwargs=None, instance=None, statement=None):
        node = object.__new__(cls)
        node.__dict__.update(
            _kind=kind, _name=name, _targets=list(targets), _args=list(args), _kwargs=dict(kwargs or {}),
            _instance=instance, _statement=statement, _attributes={}, _tree=None, _attribute=None,
        )  # fmt: skip
        return node

    @staticmethod
    def create_call_cell(cell, targets, args=None, kwargs=None, name="", is_sub_net=False):
        """A call of a layer that a network has not yet.

        Source: mindspore.rewrite.Node.create_call_cell
        """
        if not isinstance(cell, (nn.Cell, Primitive)):
            check.refuse(TypeError, "Node", "cell", "a Cell or a Primitive", cell)
        kind = NodeType.CallCell if isinstance(cell, nn.Cell) else NodeType.CallPrimitive
        name = name or type(cell).__name__.lower()
        return Node._made(kind, name, map(str, targets), map(_expression, args or ()), {
            key: _expression(value) for key, value in (kwargs or {}).items()
        }, cell)  # fmt: skip

    def get_handler(self):
        """The node itself. Source: mindspore.rewrite.Node.get_handler"""
        return self

    def get_belong_symbol_tree(self):
        """The tree that it stands in, or None. Source: mindspore.rewrite.Node.get_symbol_tree"""
        return self._tree

    get_symbol_tree = get_belong_symbol_tree

    def get_name(self):
        """Its name in the tree. Source: mindspore.rewrite.Node.get_name"""
        return self._name

    def get_node_type(self):
        """What it is, a NodeType. Source: mindspore.rewrite.Node.get_node_type"""
        return self._kind

    def get_instance(self):
        """The layer that is called, or None. Source: mindspore.rewrite.Node.get_instance"""
        return self._instance

    def get_instance_type(self):
        """The class of the layer; of None where there is none. Source: mindspore.rewrite.Node.get_instance_type"""
        return type(self._instance)

    def get_targets(self):
        """The names that its result is given. Source: mindspore.rewrite.Node.get_targets"""
        return ScopedValue.create_name_values(self._targets)

    def get_args(self):
        """What it is called with. Source: mindspore.rewrite.Node.get_args"""
        return [_scoped(each) for each in self._args]

    def get_kwargs(self):
        """What it is called with by name. Source: mindspore.rewrite.Node.get_kwargs"""
        return {key: _scoped(each) for key, each in self._kwargs.items()}

    def set_arg(self, index, arg):
        """Gives it another argument, a name or a ScopedValue. Source: mindspore.rewrite.Node.set_arg"""
        self._args[index] = _expression(arg)

    def get_inputs(self):
        """The nodes that its arguments come from. Source: mindspore.rewrite.Node.get_inputs"""
        return self._tree._providers(self)

    def get_users(self):
        """The nodes that use its result. Source: mindspore.rewrite.Node.get_users"""
        return [each for each in self._tree.nodes() if self in each.get_inputs()]

    def get_attribute(self, key):
        """What `set_attribute` kept, or None. Source: mindspore.rewrite.Node.get_attribute"""
        return self._attributes.get(key)

    def set_attribute(self, key, value):
        """Keeps a value for a program. Source: mindspore.rewrite.Node.set_attribute"""
        self._attributes[key] = value

    def get_attributes(self):
        """All that `set_attribute` kept, a dict. Source: mindspore.rewrite.Node.get_attributes"""
        return self._attributes

    def _code(self):
        """Its statement, of an input None."""
        if self._kind is NodeType.Input:
            return None
        if self._statement is not None:
            return self._statement
        call = ast.Call(
            ast.Attribute(ast.Name("self", ast.Load()), self._attribute, ast.Load()),
            self._args,
            [ast.keyword(key, each) for key, each in self._kwargs.items()],
        )
        names = [ast.Name(each, ast.Store()) for each in self._targets]
        return ast.Assign([names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())], call)

    def _names_used(self):
        statement = self._code()
        return [] if statement is None else [
            each.id for each in ast.walk(statement) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        ]  # fmt: skip


def _expression(value):
    return ast.parse(str(value), mode="eval").body


def _scoped(expression):
    if isinstance(expression, ast.Constant):
        return ScopedValue.create_variable_value(expression.value)
    return ScopedValue.create_naming_value(ast.unparse(expression))


class SymbolTree:
    """The statements of a network's ``construct``, in order.

    Args:
        handler (SymbolTree): another view of the same; `create` makes one of a network.
    Example:
        >>> tree = SymbolTree.create(net)
        >>> tree.replace(tree.get_node("relu"), [Node.create_call_cell(nn.Tanh(), ["x"], ["x"], name="tanh")])
        >>> net = tree.get_network()
    Source: mindspore.rewrite.SymbolTree
    """

    def __init__(self, handler):
        self.__dict__ = handler.__dict__

    @classmethod
    def create(cls, network):
        """The tree of a network.

        Args:
            network (Cell): its ``construct`` has assignments and one return.
        Raises:
            TypeError: if it is no Cell.  NotImplementedError: for other code, or Cells with Cells inside.
        Source: mindspore.rewrite.SymbolTree.create
        """
        if not isinstance(network, nn.Cell):
            check.refuse(TypeError, "SymbolTree", "network", "a Cell", network)
        tree = object.__new__(cls)
        tree.__dict__.update(_network=network, _nodes=[])
        _Reader(tree).read()
        return tree

    def get_handler(self):
        """The tree itself. Source: mindspore.rewrite.SymbolTree.get_handler"""
        return self

    def nodes(self, all_nodes=False):
        """The nodes in order, the inputs first. Source: mindspore.rewrite.SymbolTree.nodes"""
        return iter(list(self._nodes))

    def get_node(self, node_name):
        """The node of a name, or None. Source: mindspore.rewrite.SymbolTree.get_node"""
        return next((each for each in self._nodes if each._name == node_name), None)

    def get_inputs(self):
        """The nodes of the inputs. Source: mindspore.rewrite.SymbolTree.get_inputs"""
        return [each for each in self._nodes if each._kind is NodeType.Input]

    def get_return_node(self):
        """The node of the return. Source: mindspore.rewrite.SymbolTree.nodes"""
        return self._nodes[-1]

    def before(self, node):
        """The place in front of a node, for `insert`. Source: mindspore.rewrite.SymbolTree.before"""
        return self._place(node, "node")

    def after(self, node):
        """The place behind a node, for `insert`. Source: mindspore.rewrite.SymbolTree.after"""
        return self._place(node, "node") + 1

    def insert(self, position, node):
        """Adds a node at a place. Source: mindspore.rewrite.SymbolTree.insert"""
        if node._kind in (NodeType.CallCell, NodeType.CallPrimitive):
            node._name = node._attribute = self.unique_name(node._name)
            setattr(self._network, node._attribute, node._instance)
        node._tree = self
        self._nodes.insert(position, node)
        return node

    def erase(self, node):
        """Takes a node away. Source: mindspore.rewrite.SymbolTree.erase"""
        return self._nodes.pop(self._place(node, "node"))

    erase_node = erase

    def replace(self, old_node, new_nodes):
        """Puts nodes in the place of another; returns the last. Source: mindspore.rewrite.SymbolTree.replace"""
        place = self._place(old_node, "old_node")
        del self._nodes[place]
        for offset, each in enumerate(new_nodes):
            self.insert(place + offset, each)
        return new_nodes[-1]

    def flatten_static_if_control_flow(self):
        """Does nothing: there are no branches. Source: mindspore.rewrite.SymbolTree.flatten_static_if_control_flow"""

    def unique_name(self, name="output"):
        """A name that nothing in the network has. Source: mindspore.rewrite.SymbolTree.unique_name"""
        taken = {each._name for each in self._nodes} | {each for node in self._nodes for each in node._targets}
        tries = itertools.chain([name], (f"{name}_{count}" for count in itertools.count(1)))
        return next(each for each in tries if each not in taken and not hasattr(self._network, each))

    def get_origin_network(self):
        """The network that the tree is of. Source: mindspore.rewrite.SymbolTree.get_origin_network"""
        return self._network

    def get_code(self):
        """The new ``construct``, as text. Source: mindspore.rewrite.SymbolTree.get_code"""
        return ast.unparse(self._function())

    def get_network(self):
        """The network with the new ``construct``, of a subclass; its layers are those of the old one.

        Source: mindspore.rewrite.SymbolTree.get_network
        """
        kind, old = type(self._network), self._network
        construct = kind.construct
        names = {**construct.__globals__, **inspect.getclosurevars(construct).nonlocals}
        module = ast.fix_missing_locations(ast.Module([self._function()], []))
        exec(compile(module, inspect.getsourcefile(construct) or "<rewritten>", "exec"), names)
        made = type(kind)(
            f"{kind.__name__}Opt", (kind,), {"construct": names["construct"], "__module__": kind.__module__}
        )
        network = object.__new__(made)
        nn.Cell.__init__(network)
        fresh = set(network.__dict__)
        for name, value in (old._cells | old._params).items():
            setattr(network, name, value)
        for name, value in old.__dict__.items():
            if name not in fresh:
                setattr(network, name, value)
        network.update_parameters_name()  # of layers that have replaced others, by where these were, as in MindSpore
        return network.set_train(old.training)

    def _function(self):
        function = ast.parse(_source(self._network)).body[0]
        function.decorator_list = []
        function.body = [code for code in (each._code() for each in self._nodes) if code is not None]
        return ast.fix_missing_locations(function)

    def _place(self, node, argument):
        node = self.get_node(node) if isinstance(node, str) else node
        if not isinstance(node, Node):
            check.refuse(TypeError, "SymbolTree", argument, "a Node", node)
        return next(place for place, each in enumerate(self._nodes) if each.__dict__ is node.__dict__)

    def _providers(self, node):
        place, found = self._place(node, "node"), []
        for name in dict.fromkeys(node._names_used()):
            given = [each for each in self._nodes[:place] if name in each._targets]
            found += given[-1:]
        return found


def _source(network):
    return textwrap.dedent(inspect.getsource(type(network).construct))


class _Reader(ast.NodeTransformer):
    """Makes the nodes of a tree: calls of Cells and Primitives inside of other code become statements of their own."""

    def __init__(self, tree):
        self.tree, self.network = tree, tree._network

    def read(self):
        function = ast.parse(_source(self.network)).body[0]
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
            call = statement.value
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
        is_layer = type(instance).__module__.startswith(f"{nn.__name__}.")
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

    def _called(self, call):
        """The attribute of the network that is called, a Cell or Primitive, or None."""
        target = call.func if isinstance(call, ast.Call) else None
        is_own = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
        has_stars = is_own and any(isinstance(each, ast.Starred) for each in call.args)
        if not is_own or has_stars or any(each.arg is None for each in call.keywords):
            return None
        found = getattr(self.network, target.attr, None)
        return target.attr if isinstance(found, (nn.Cell, Primitive)) else None

    def _names(self, target):
        items = target.elts if isinstance(target, ast.Tuple) else [target]
        return [each.id for each in items] if all(isinstance(each, ast.Name) for each in items) else None

    def _add(self, node):
        node._tree = self.tree
        self.tree._nodes.append(node)

    def _refuse(self, statement):
        kind, name = type(statement).__name__, type(self.network).__name__
        raise NotImplementedError(_MSG_CODE.format(name, f"a statement of the kind {kind}", statement.lineno))


class Namespace:
    """``rewrite.common.namespace``: which classes are not looked into."""

    _subtree_black_list = []


def _is_closed(cell):
    return isinstance(cell, tuple(Namespace._subtree_black_list))
