"""`SymbolTree`: the statements of a network, which may be replaced, added and erased.

A branch or a loop is one node; calls inside of it are no nodes. A Cell of the user's classes that the network calls has
a tree of its own, `Node.get_sub_tree`.
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
            network (Cell): of a class that is defined in a file.
        Raises:
            TypeError: if it is no Cell.  NotImplementedError: if its source cannot be read.
        Source: mindspore.rewrite.SymbolTree.create
        """
        if not isinstance(network, nn.Cell):
            check.refuse(TypeError, "SymbolTree", "network", "a Cell", network)
        tree = object.__new__(cls)
        tree.__dict__.update(_network=network, _nodes=[], _saved_file_name="./network_define.py")
        Reader(tree).read()
        return tree

    def get_handler(self):
        """The tree itself. Source: mindspore.rewrite.SymbolTree.get_handler"""
        return self

    def nodes(self, all_nodes=False):
        """The nodes in order, the inputs first; with ``all_nodes`` those of the trees of Cells as well.

        Source: mindspore.rewrite.SymbolTree.nodes
        """
        return iter(self.all_nodes() if all_nodes else list(self._nodes))

    def all_nodes(self, subtree_nodes=True):
        """The nodes, then those of the trees of Cells. Source: mindspore.rewrite.SymbolTree.all_nodes"""
        inner = [each for each in self._nodes if each._kind is NodeType.Tree] if subtree_nodes else []
        return [*self._nodes, *[node for each in inner for node in each.get_sub_tree().all_nodes()]]

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
        if node._instance is not None:
            node._name = node._attribute = self.unique_name(node._name)
            if node._kind is not NodeType.CallFunction:
                setattr(self._network, node._attribute, node._instance)
        node._tree = self
        self._nodes.insert(position, node)
        return node

    def erase(self, node):
        """Removes a node, with a branch its ``else``. Source: mindspore.rewrite.SymbolTree.erase"""
        position = self._place(node, "node")
        erased, following = self._nodes.pop(position), self._nodes[position : position + 1]
        if isinstance(erased._statement, ast.If) and erased._statement.orelse and following:
            del self._nodes[position]
        return erased

    erase_node = erase

    def replace(self, old_node, new_nodes):
        """Replaces a node by others; returns the last. Source: mindspore.rewrite.SymbolTree.replace"""
        position = self._place(old_node, "old_node")
        del self._nodes[position]
        for offset, each in enumerate(new_nodes):
            self.insert(position + offset, each)
        return new_nodes[-1]

    def set_output(self, index, return_value):
        """Replaces what the network returns, of several values the one at an index; returns the node.

        Source: mindspore.rewrite.SymbolTree.set_output
        """
        node = next(each for each in reversed(self._nodes) if each._kind is NodeType.Output)
        returned, new = node._statement, ast.parse(str(return_value), mode="eval").body
        if isinstance(returned.value, ast.Tuple):
            returned.value.elts[index] = new
        else:
            returned.value = new
        return node

    def print_node_tabulate(self, all_nodes=False):
        """Prints the nodes with their kinds and code. Source: mindspore.rewrite.SymbolTree.print_node_tabulate"""
        for each in self.nodes(all_nodes):
            code = each._code()
            text = "" if code is None else ast.unparse(ast.fix_missing_locations(code))
            print(f"{each._kind}\t{each._name}\t{text}")

    dump = print_node_tabulate

    def get_saved_file_name(self):
        """The name of the file of `save_network_to_file`. Source: mindspore.rewrite.SymbolTree.get_saved_file_name"""
        return self._saved_file_name

    def set_saved_file_name(self, file_name):
        """Sets that name; ``.py`` is added. Source: mindspore.rewrite.SymbolTree.set_saved_file_name"""
        self._saved_file_name = file_name if file_name.endswith(".py") else f"{file_name}.py"

    def save_network_to_file(self):
        """Writes `get_code` to that file. Source: mindspore.rewrite.SymbolTree.save_network_to_file"""
        with open(self._saved_file_name, "w", encoding="utf-8") as file:
            file.write(self.get_code())

    def flatten_static_if_control_flow(self):
        """Does nothing: branches stay. Source: mindspore.rewrite.SymbolTree.flatten_static_if_control_flow"""

    def unique_name(self, name="output"):
        """A name that is not in use in the network. Source: mindspore.rewrite.SymbolTree.unique_name"""
        used = {each._name for each in self._nodes} | {each for node in self._nodes for each in node._names_written()}
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
        functions = {each._attribute: each._instance for each in self._nodes if each._kind is NodeType.CallFunction}
        names = {**construct.__globals__, **inspect.getclosurevars(construct).nonlocals, **functions}
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
        for each in self._nodes:
            if each._subtree is not None:
                setattr(network, each._attribute, each._subtree.get_network())
        network.update_parameters_name()  # of layers that have replaced others, by where these were, as in MindSpore
        return network.set_train(old.training)

    def _function(self):
        function: Any = ast.parse(source(self._network)).body[0]
        function.decorator_list = []
        arguments = function.args
        known = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        for each in self.get_inputs():
            if each._targets[0] not in known:
                arguments.args.append(ast.arg(each._targets[0]))
                if each._default is not None or arguments.defaults:
                    arguments.defaults.append(each._default or ast.Constant(None))
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

    def _provider(self, node, name):
        """The last node before one that assigns a name, or None."""
        before = self._nodes[: self._place(node, "node")]
        return next((each for each in reversed(before) if name in each._targets), None)
