"""`SymbolTree`: the statements of a network, which may be replaced, added and erased.

It supports straight-line code: assignments and one ``return``. Branches, loops, and calls of Cells with Cells inside
are refused, since they would be rewritten only in part.
"""

import ast
import inspect
import itertools
from typing import Any

from ... import nn
from ..._contracts import check
from .nodes import Node, NodeType
from .reading import Reader, source


class SymbolTree:
    """The statements of a network's ``construct``, in order.

    Args:
        handler (SymbolTree): another view of the same tree; `create` makes a tree from a network.
    Example:
        >>> tree = SymbolTree.create(net)
        >>> tree.replace(tree.get_node("relu"), [Node.create_call_cell(nn.Tanh(), ["x"], ["x"], name="tanh")])
        >>> net = tree.get_network()
    Source: mindspore.rewrite.SymbolTree
    """

    _nodes: Any
    _network: Any

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
        Reader(tree).read()
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
        """The position before a node, for `insert`. Source: mindspore.rewrite.SymbolTree.before"""
        return self._place(node, "node")

    def after(self, node):
        """The position after a node, for `insert`. Source: mindspore.rewrite.SymbolTree.after"""
        return self._place(node, "node") + 1

    def insert(self, position, node):
        """Adds a node at a position. Source: mindspore.rewrite.SymbolTree.insert"""
        if node._kind in (NodeType.CallCell, NodeType.CallPrimitive):
            node._name = node._attribute = self.unique_name(node._name)
            setattr(self._network, node._attribute, node._instance)
        node._tree = self
        self._nodes.insert(position, node)
        return node

    def erase(self, node):
        """Removes a node. Source: mindspore.rewrite.SymbolTree.erase"""
        return self._nodes.pop(self._place(node, "node"))

    erase_node = erase

    def replace(self, old_node, new_nodes):
        """Replaces a node by others; returns the last. Source: mindspore.rewrite.SymbolTree.replace"""
        position = self._place(old_node, "old_node")
        del self._nodes[position]
        for offset, each in enumerate(new_nodes):
            self.insert(position + offset, each)
        return new_nodes[-1]

    def flatten_static_if_control_flow(self):
        """Does nothing: there are no branches. Source: mindspore.rewrite.SymbolTree.flatten_static_if_control_flow"""

    def unique_name(self, name="output"):
        """A name that is not in use in the network. Source: mindspore.rewrite.SymbolTree.unique_name"""
        used = {each._name for each in self._nodes} | {each for node in self._nodes for each in node._targets}
        candidates = itertools.chain([name], (f"{name}_{count}" for count in itertools.count(1)))
        return next(each for each in candidates if each not in used and not hasattr(self._network, each))

    def get_origin_network(self):
        """The original network. Source: mindspore.rewrite.SymbolTree.get_origin_network"""
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
        subclass = type(kind)(
            f"{kind.__name__}Opt", (kind,), {"construct": names["construct"], "__module__": kind.__module__}
        )
        network = object.__new__(subclass)
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
        function: Any = ast.parse(source(self._network)).body[0]
        function.decorator_list = []
        function.body = [code for code in (each._code() for each in self._nodes) if code is not None]
        return ast.fix_missing_locations(function)

    def _place(self, node, argument):
        node = self.get_node(node) if isinstance(node, str) else node
        if not isinstance(node, Node):
            check.refuse(TypeError, "SymbolTree", argument, "a Node", node)
        return next(position for position, each in enumerate(self._nodes) if each.__dict__ is node.__dict__)

    def _providers(self, node):
        position, providers = self._place(node, "node"), []
        for name in dict.fromkeys(node._names_used()):
            assignments = [each for each in self._nodes[:position] if name in each._targets]
            providers += assignments[-1:]
        return providers
